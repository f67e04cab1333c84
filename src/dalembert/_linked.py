"""How kernels are compiled: each by itself to LLVM's code, and to the machine's as parts of those that Python calls.

Numba puts a copy of a compiled function, with all that it calls, into each function that calls it, and optimises and
translates the whole again. With kernels that stand on kernels, ten deep, that is most of the time of a first run. Here
a kernel that kernels call is optimised alone. An *entry*, a kernel that Python calls, takes together everything that
can be reached from it, once, and only that is optimised as a whole and made into machine code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, compiler
from numba.core.caching import CompileResultCacheImpl, FunctionCache

# numba's stubs lack these
_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_CacheForm: Any = CompileResultCacheImpl
_Cache: Any = FunctionCache

linked_kernels: dict[tuple[str, str], Any] = {}
"""The dispatcher of each kernel that kernels can call, by module and name: where a kernel on disk finds its callees."""


class _Unloaded:
    """Stands for the code generator where one asks it to write into loaded code."""

    def set_env(self, name: str, environment: object) -> None:
        """There is nothing to write to: the environment belongs to code that is not loaded."""


class LinkedLibrary(_Library):
    """One kernel's code without that of the kernels it calls; it is never loaded, only linked into entries."""

    def __init__(self, generator: Any, name: str, kernel: tuple[str, str], arguments: tuple[Any, ...]) -> None:
        super().__init__(generator, name)
        self.kernel, self.arguments = kernel, arguments
        self.calls: list[LinkedLibrary] = []

    @property
    def codegen(self) -> Any:
        return _Unloaded()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if isinstance(library, LinkedLibrary):
                self.calls.append(library)
            else:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(self._final_module, self._codegen._pass_builder(opt=0))
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[Any, ...]:
        self._ensure_finalized()
        calls = [(library.kernel, library.arguments) for library in self.calls]
        return self.name, self.kernel, self.arguments, self._final_module.as_bitcode(), calls

    @classmethod
    def unserialize(cls, generator: Any, state: tuple[Any, ...]) -> LinkedLibrary | None:
        """The library that `serialize_using_object_code` described, or None if what it calls is no longer the same."""
        name, kernel, arguments, bitcode, calls = state
        library = cls(generator, name, kernel, arguments)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        for called, with_arguments in calls:
            dispatcher = linked_kernels.get(called)
            if dispatcher is None:
                return None
            dispatcher.compile(with_arguments)
            library.calls.append(dispatcher.overloads[with_arguments].library)
        # processes that compile at the same time give a kernel different names, and the last one to write it wins
        known = {function.name for one in library.calls for function in one._final_module.functions}
        wanted = (function.name for function in library._final_module.functions if function.is_declaration)
        return library if all(name in known for name in wanted if name.startswith("_ZN")) else None


class EntryLibrary(_Library):
    """The code of an entry and of all kernels that can be reached from it."""

    def finalize(self) -> None:
        self._linking_libraries = _reachable(self._linking_libraries)
        super().finalize()


def _reachable(libraries: Iterable[Any]) -> list[Any]:
    """The libraries and those they call, directly or through others, each once."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting.extend(getattr(library, "calls", ()))
    return list(found)


class LinkedCompiler(_Compiler):
    """Numba's compiler, writing into a `LinkedLibrary`."""

    def _compile_bytecode(self) -> Any:
        state = self.state
        names = state.func_id.modname, state.func_id.func_qualname
        state.library = LinkedLibrary(state.targetctx.codegen(), names[1], names, tuple(state.args))
        state.library.enable_object_caching()
        return super()._compile_bytecode()


class EntryCompiler(_Compiler):
    """Numba's compiler, writing into an `EntryLibrary`."""

    def _compile_bytecode(self) -> Any:
        state = self.state
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super()._compile_bytecode()


class _LinkedForm(_CacheForm):
    """How a linked kernel is kept on disk."""

    def check_cachable(self, cres: Any) -> bool:
        # a function made by another one has no name by which to find it again
        named = all("<locals>" not in library.kernel[1] for library in cres.library.calls)
        return named and super().check_cachable(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        described, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, _ = payload
        library = LinkedLibrary.unserialize(target_context.codegen(), described)
        if library is None:
            return None
        return compiler.CompileResult(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, fndesc, environment),
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=[],
        )


class LinkedCache(_Cache):
    """The cache on disk of linked kernels."""

    _impl_class = _LinkedForm
