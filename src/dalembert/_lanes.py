"""Numbers side by side in one register: the same kernel for several mechanisms at once.

A `lanes` value holds WIDTH numbers and is added, multiplied and so on like one; a kernel written for numbers and tuples
of them works on lanes as it stands, and gives each lane the bits that it would give a number. ``table(array)`` looks at
an array of shape (rows, columns, WIDTH) as a matrix of lanes. What branches on a value is written with `choose`.

Without compilation lanes are arrays of numpy.
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import extending, types
from numba.core.extending import intrinsic, models, register_model
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing import templates
from numba.core.typing.templates import AbstractTemplate, signature

from dalembert._jit import config

# their stubs lack the types
lower_builtin: Any = extending.lower_builtin
lower_cast: Any = extending.lower_cast
infer_global: Any = templates.infer_global

WIDTH: Final = 8
"""Lanes of a register: eight numbers of 64 bits fill one of 512, or two of 256."""

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


class _Lanes(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"lanes{WIDTH}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


class _Table(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"table_of_lanes{WIDTH}")


lanes_type, table_type = _Lanes(), _Table()


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


@register_model(_Table)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("data", types.CPointer(types.float64)), ("columns", types.intp)]
        super().__init__(manager, kind, members)


def _splat(builder: Any, x: Any) -> Any:
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), zeros)


@lower_cast(types.Float, _Lanes)
@lower_cast(types.Integer, _Lanes)
def _cast(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return _splat(builder, context.cast(builder, value, fromty, types.float64))


_BINARY = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_IN_PLACE = {operator.iadd: "fadd", operator.isub: "fsub", operator.imul: "fmul", operator.itruediv: "fdiv"}


def _number(kind: Any) -> bool:
    return isinstance(kind, _Lanes | types.Float | types.Integer)


def _add_binary(function: Any, instruction: str) -> None:
    @infer_global(function)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(isinstance(a, _Lanes) for a in args) and all(map(_number, args)):
                return signature(lanes_type, lanes_type, lanes_type)
            return None

    @lower_builtin(function, _Lanes, _Lanes)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)


for _function, _instruction in {**_BINARY, **_IN_PLACE}.items():
    _add_binary(_function, _instruction)


@infer_global(operator.neg)
class _Negative(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(lanes_type, lanes_type) if isinstance(args[0], _Lanes) else None


@lower_builtin(operator.neg, _Lanes)
def _lower_neg(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], _Table) and isinstance(args[1], types.BaseTuple) and len(args[1]) == 2:
            return signature(lanes_type, args[0], types.UniTuple(types.intp, 2))
        return None


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], _Table) and isinstance(args[1], types.BaseTuple) and len(args[1]) == 2:
            return signature(types.none, args[0], types.UniTuple(types.intp, 2), lanes_type)
        return None


def _place(context: Any, builder: Any, table: Any, index: Any) -> Any:
    """Pointer to the lanes at (row, column)."""
    from numba.core import cgutils

    view = cgutils.create_struct_proxy(table_type)(context, builder, value=table)
    row, column = builder.extract_value(index, 0), builder.extract_value(index, 1)
    at = builder.mul(builder.add(builder.mul(row, view.columns), column), ir.Constant(row.type, WIDTH))
    return builder.bitcast(builder.gep(view.data, [at]), _VECTOR.as_pointer())


@lower_builtin(operator.getitem, _Table, types.UniTuple)
def _lower_read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_place(context, builder, args[0], args[1]), align=8)


@lower_builtin(operator.setitem, _Table, types.UniTuple, _Lanes)
def _lower_write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _place(context, builder, args[0], args[1]), align=8)
    return context.get_dummy_value()


@intrinsic
def _table(typingctx: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        from numba.core import cgutils

        source = context.make_array(sig.args[0])(context, builder, args[0])
        view = cgutils.create_struct_proxy(table_type)(context, builder)
        view.data = source.data
        view.columns = builder.extract_value(source.shape, 1)
        return view._getvalue()

    return signature(table_type, array), codegen


def _of_vector(builder: Any, name: str) -> Any:
    """LLVM's function of that name, on vectors."""
    from numba.core import cgutils

    kind = ir.FunctionType(_VECTOR, [_VECTOR])
    return cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")


@intrinsic
def _root(typingctx: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.call(_of_vector(builder, "sqrt"), args)

    return signature(lanes_type, lanes_type), codegen


@intrinsic
def _size(typingctx: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.call(_of_vector(builder, "fabs"), args)

    return signature(lanes_type, lanes_type), codegen


@intrinsic
def _choose(typingctx: Any, x: Any, y: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[2], args[3])

    return signature(lanes_type, lanes_type, lanes_type, lanes_type, lanes_type), codegen


@intrinsic
def _larger(typingctx: Any, x: Any, y: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, y = args
        taken = builder.or_(builder.fcmp_ordered(">", x, y), builder.fcmp_unordered("uno", x, x))
        return builder.select(taken, x, y)

    return signature(lanes_type, lanes_type, lanes_type), codegen


class _Arrays:
    """`table` without compilation: what is read is a copy, as a number is."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        return self._array[index].copy()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value


def _plain_choose(x: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where(x > y, a, b)


def _plain_larger(x: Any, y: Any) -> Any:
    return np.where((x > y) | (x != x), x, y)


table: Any = _Arrays if config.DISABLE_JIT else _table
"""An array (rows, columns, WIDTH) as a matrix of lanes."""
root: Any = np.sqrt if config.DISABLE_JIT else _root
"""Square roots."""
size: Any = np.abs if config.DISABLE_JIT else _size
"""Absolute values."""
choose: Any = _plain_choose if config.DISABLE_JIT else _choose
"""``choose(x, y, a, b)``: a where x > y, else b."""
larger: Any = _plain_larger if config.DISABLE_JIT else _larger
"""The larger of both, and x where it is not a number."""

__all__ = ["WIDTH", "choose", "larger", "root", "size", "table"]
