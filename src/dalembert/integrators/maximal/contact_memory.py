"""Forces from step to step: an element that was there before starts from what it carried."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    CARRY,
    CONTACT,
    IMPULSE,
    KEY,
    KIND,
    LENGTH,
    SLIP,
    SLIPS,
    SPIN,
    UNIT,
)
from dalembert.integrators.maximal.contact_rows import cone_size, slip_size


@kernel
def bucket(memory, a, b, c):
    """The bucket of a key."""
    # products with large primes scatter keys that differ little; overflow wraps
    return ((a * 73856093) ^ (b * 19349663) ^ (c * 83492791)) & (memory.slot.shape[0] - 1)


@kernel
def first_cone(elements, k):
    """The cone whose impulse is remembered: slip for a contact, the only one for a joint or a line."""
    return SLIP if elements.whole[k, KIND] == CONTACT else SPIN


@kernel
def sticks(elements, k, c):
    """Whether cone c holds: its impulse is further from its bound than the slip is from zero, in scaled units."""
    x0 = cone_size(elements, k, c)
    b = (elements.value[k, BETA + 2 * c] ** 2 + elements.value[k, BETA + 2 * c + 1] ** 2) ** 0.5
    return (x0 - b) * elements.fixed[k, LENGTH] ** 2 / elements.fixed[k, UNIT] > slip_size(elements, k, c)


@kernel
def carry_slips(elements, memory):
    """Add what is left of the slip of the last step to that of the next, in elements that stuck.

    The barrier lets them slip by a little, always the same way. So carried on, this does not add up to a creep.
    """
    for k in range(elements.used[0]):
        m = recall(memory, elements.whole[k, KEY], elements.whole[k, KEY + 1], elements.whole[k, KEY + 2])
        if m >= 0:
            elements.fixed[k, CARRY], elements.fixed[k, CARRY + 1] = memory.force[m, 3], memory.force[m, 4]


@kernel
def store_impulses(h, elements, memory):
    """Remember all elements of the interval just solved, as forces."""
    used = elements.used[0]
    memory.used[0] = used
    for k in range(used):
        for l in range(3):
            memory.key[k, l] = elements.whole[k, KEY + l]
        c = first_cone(elements, k)
        memory.force[k, 0] = elements.value[k, IMPULSE] / h
        stuck = sticks(elements, k, c)
        for l in range(2):
            memory.force[k, 1 + l] = elements.value[k, BETA + 2 * c + l] / h
            memory.force[k, 3 + l] = elements.value[k, SLIPS + 2 * c + l] if stuck else 0.0
    file_keys(memory)


@kernel
def file_keys(memory):
    """Sort the keys into buckets."""
    for s in range(memory.slot.shape[0]):
        memory.slot[s] = -1
    for k in range(memory.used[0]):
        s = bucket(memory, memory.key[k, 0], memory.key[k, 1], memory.key[k, 2])
        memory.following[k] = memory.slot[s]
        memory.slot[s] = k


@kernel
def recall(memory, a, b, c):
    """Where the element with this key stood, or −1."""
    k = memory.slot[bucket(memory, a, b, c)]
    while k >= 0:
        if memory.key[k, 0] == a and memory.key[k, 1] == b and memory.key[k, 2] == c:
            return k
        k = memory.following[k]
    return -1
