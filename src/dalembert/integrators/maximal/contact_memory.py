"""Impulses from step to step: an element that was there before starts from what it carried."""

from dalembert._jit import kernel
from dalembert.integrators.maximal.contact_elements import (
    BETA,
    IMPULSE,
    KEY,
)


@kernel
def bucket(memory, a, b, c):
    """The bucket of a key."""
    # products with large primes scatter keys that differ little; overflow wraps
    return ((a * 73856093) ^ (b * 19349663) ^ (c * 83492791)) & (memory.slot.shape[0] - 1)


@kernel
def store_impulses(elements, memory):
    """Remember all elements of the step just solved."""
    used = elements.used[0]
    memory.used[0] = used
    for k in range(used):
        for l in range(3):
            memory.key[k, l] = elements.whole[k, KEY + l]
        memory.impulse[k, 0] = elements.value[k, IMPULSE]
        memory.impulse[k, 1], memory.impulse[k, 2] = (
            elements.value[k, BETA + 2 * 0],
            elements.value[k, BETA + 2 * 0 + 1],
        )
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
