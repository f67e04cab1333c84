"""How kernels that only other kernels call are compiled: to LLVM's code, and to the machine's as part of their callers.

Numba makes machine code of every compiled function and puts a copy of the function into each one that calls it. Of
kernels as small as ours nothing ever jumps to the first; not making it saves a sixth of a first run.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, compiler
from numba.core.caching import CompileResultCacheImpl, FunctionCache

# numba's stubs lack these
_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_CacheForm: Any = CompileResultCacheImpl
_Cache: Any = FunctionCache


class _Unloaded:
    """Stands for the code generator where one asks it to write into loaded code."""

    def set_env(self, name: str, environment: object) -> None:
        """There is nothing to write to: the environment belongs to code that is not loaded."""


class LinkedLibrary(_Library):
    """Optimised code that is never loaded, only linked into the libraries of its callers."""

    @property
    def codegen(self) -> Any:
        return _Unloaded()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        self._ensure_finalized()
        return self.name, "linked", self._get_module_for_linking().as_bitcode()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    @classmethod
    def unserialize(cls, generator: Any, state: tuple[str, str, bytes]) -> LinkedLibrary:
        """The library that `serialize_using_object_code` described."""
        name, _, bitcode = state
        library = cls(generator, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


class LinkedCompiler(_Compiler):
    """Numba's compiler, with a `LinkedLibrary` to write into."""

    def _compile_bytecode(self) -> Any:
        self.state.library = LinkedLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super()._compile_bytecode()


class _LinkedForm(_CacheForm):
    """How a linked kernel is kept on disk."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        described, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, _ = payload
        library = LinkedLibrary.unserialize(target_context.codegen(), described)
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
