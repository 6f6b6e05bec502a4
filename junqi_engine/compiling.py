"""Compiles many kernels in advance, on all processors, and in one process at a time.

A process that finds that another one is filling the same cache folder waits for it, and compiles what is then missing.
The one that compiles starts helpers, and all do the same: each takes the kernel with the longest chain of callers that
nobody has claimed and whose callees are in the cache, compiles it, and keeps it there. A claim is a file in a folder of
this run. What a helper that died has claimed is compiled at the end.
"""

import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from junqi_engine.files import lock, open_folder
from junqi_engine.kernel_cache import cache_fault, folder_of, package_of, prune
from junqi_engine.kernels import Kernel, kernels_of, with_callees
from junqi_engine.processors import processors

PROGRESS_EVERY_S = 1.0
POLL_S = 0.02
"""How often a process that has nothing to compile looks for more."""
STALLED_S = 120.0
"""How long another process may compile one kernel, until it is no longer waited for."""
FIXED_WEIGHT = 100
"""What a kernel costs to compile besides its bytecode, in bytes of bytecode."""
ROOT = Path(__file__).resolve().parent.parent
HELPER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from junqi_engine.compiling import help_other;"
    " help_other(*sys.argv[2:])"
)


def import_all(package: str) -> None:
    """Import every module of a package, which declares its kernels; not those of an extra that is not installed."""
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        try:
            importlib.import_module(found.name)
        except ImportError as error:
            if (error.name or found.name).partition(".")[0] == package.partition(".")[0]:
                raise
            continue
        if found.ispkg:
            import_all(found.name)


def are_ready(kernels: Iterable[Kernel]) -> bool:
    """Whether nothing must be compiled to call these kernels."""
    return all(each.is_ready() for each in kernels)


def compile_missing(package: str, kernels: Sequence[Kernel], name: str, say: Callable[[str], None]) -> None:
    """Compile these kernels of a package, with all that they call, unless they are in the cache.

    `say` gets lines of text: what is being compiled, as `name`, how far it is, and why it is not kept.
    """
    if are_ready(kernels):
        return
    started = time.monotonic()
    reason = cache_fault(package)
    often = (
        f"at each start, for they cannot be kept: {reason}" if reason else "once on this machine, less than a minute"
    )
    say(f"compiling the kernels of {name}: {often}")
    compile_kernels(package, with_callees(kernels), say)
    if not reason and not all(each.is_stored() for each in kernels):
        say(f"the kernels cannot be kept: no room in {folder_of(package)}")
    say(f"compiled in {time.monotonic() - started:.1f} s")


def progress_line(share: float) -> str:
    """How progress is printed; `share` is from 0 to 1."""
    return f"compiling kernels: {100 * share:.0f}% done"


def compile_kernels(package: str, kernels: Sequence[Kernel], say: Callable[[str], None]) -> None:
    """Compile those of the kernels of a package that are not in its cache.

    `kernels` contain all that they call. `say` gets the progress once a second, in another thread.
    """
    folder = None if cache_fault(package) else folder_of(package)
    with ExitStack() as cleanup:
        if folder is not None:
            with suppress(OSError):  # a system that opens no folders has no locks
                handle = open_folder(folder)
                cleanup.callback(os.close, handle)
                _wait_for_others(handle, kernels, say)
        if are_ready(kernels):
            return
        ended = threading.Event()
        threading.Thread(target=_report_progress, args=(kernels, say, ended), daemon=True).start()
        cleanup.callback(ended.set)
        if folder is not None:
            _compile_with_helpers(package, kernels)
        for each in kernels:
            if not each.is_ready():
                each.prepare()
        prune(package)


def _wait_for_others(handle: int, kernels: Sequence[Kernel], say: Callable[[str], None]) -> None:
    """Lock a cache folder; return without a lock if another process has compiled these kernels, or has stopped."""
    share, moved = -1.0, time.monotonic()
    while not lock(handle):
        now = _share_done(kernels)
        if share < 0:
            say("another process is compiling them: waiting for it")
        if now > share:
            share, moved = now, time.monotonic()
        if now == 1 or time.monotonic() - moved > STALLED_S:
            return
        say(progress_line(share))
        time.sleep(PROGRESS_EVERY_S)


def _compile_with_helpers(package: str, kernels: Sequence[Kernel]) -> None:
    """Compile as many kernels as possible, together with helper processes."""
    chains = _chains(each for each in kernels if not each.is_ready())
    # The longest chain of callers is compiled one by one, so more processes would have nothing to do.
    wanted = min(processors(), round(sum(map(_weight, chains)) / max(chains.values()))) - 1
    modules = sorted(name for name in sys.modules if package_of(name) == package)
    with tempfile.TemporaryDirectory(prefix="junqi-engine-") as claims:
        command = (sys.executable, "-P", "-c", HELPER, str(ROOT), package, claims, str(os.getpid()), *modules)
        nothing = subprocess.DEVNULL
        helpers = []
        with suppress(OSError):  # a system that starts no process
            for _ in range(wanted):
                helpers.append(subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing))
        try:
            _compile_unclaimed(kernels, claims, lambda: any(helper.poll() is None for helper in helpers))
        finally:
            for helper in helpers:
                helper.kill()
                helper.wait()


def help_other(package: str, claims: str, parent: str, *modules: str) -> None:
    """The helper process: compile kernels of a package, which `modules` declare, for as long as its parent lives."""
    for module in modules:
        importlib.import_module(module)
    _compile_unclaimed(kernels_of(package), claims, lambda: os.getppid() == int(parent))


def _compile_unclaimed(kernels: Sequence[Kernel], claims: str, others_work: Callable[[], bool]) -> None:
    """Compile kernels that no other process has claimed, until all are compiled, or `others_work` no longer, or one
    cannot be kept for the others.
    """
    chains = _chains(kernels)
    waiting = sorted(kernels, key=lambda each: (-chains[each], each.name))
    while waiting := [each for each in waiting if not each.is_ready()]:
        if not others_work():
            return
        for each in waiting:
            if all(callee.is_ready() for callee in each.callees() if callee is not each) and _claim(claims, each.name):
                each.prepare()
                if not each.is_stored():
                    return
                break
        else:
            time.sleep(POLL_S)


def _claim(claims: str, name: str) -> bool:
    """Whether this process is the first to claim a kernel."""
    try:
        os.close(os.open(os.path.join(claims, name), os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def _weight(kernel: Kernel) -> int:
    """What a kernel costs to compile, roughly."""
    return FIXED_WEIGHT + len(kernel.py_func.__code__.co_code)


def _chains(kernels: Iterable[Kernel]) -> dict[Kernel, int]:
    """By kernel, its weight and that of the most expensive chain of callers above it. `kernels` are listed after those
    that they call.
    """
    chains = {each: _weight(each) for each in kernels}
    for each in reversed(chains):
        for callee in each.callees():
            if callee in chains and callee is not each:
                chains[callee] = max(chains[callee], _weight(callee) + chains[each])
    return chains


def _share_done(kernels: Sequence[Kernel]) -> float:
    """From 0 to 1, by the weights of the kernels."""
    done = sum(_weight(each) for each in kernels if each.is_ready())
    return done / max(1, sum(map(_weight, kernels)))


def _report_progress(kernels: Sequence[Kernel], say: Callable[[str], None], ended: threading.Event) -> None:
    while not ended.wait(PROGRESS_EVERY_S):
        say(progress_line(_share_done(kernels)))
