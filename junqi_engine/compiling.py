"""Compilation of many kernels in advance, on all processors.

Only one process at a time fills a cache folder. Any other one waits for it, and compiles what is then missing. The
process that compiles starts helpers. All of them do the same: of the kernels that nobody has claimed and whose callees
are in the cache, take the one with the longest chain of callers, compile it, and save it. A claim is a file in a folder
of this run. Kernels claimed by a helper that died are compiled at the end, by this process.
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
"""Seconds between two looks of a process that has nothing to compile at the moment."""
STALLED_S = 120.0
"""Seconds after which another process that has compiled nothing is no longer waited for."""
FIXED_WEIGHT = 100
"""Fixed cost of compiling a kernel, in bytes of bytecode."""
ROOT = Path(__file__).resolve().parent.parent
HELPER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from junqi_engine.compiling import help_other;"
    " help_other(*sys.argv[2:])"
)


def import_all(package: str) -> None:
    """Import all modules of a package, which declares its kernels. Modules of a missing extra are skipped."""
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
    """Compile the kernels that are not in the cache, and their callees.

    `say` gets lines of text: that the kernels of `name` are compiled, the progress, and why they are not saved.
    """
    if are_ready(kernels):
        return
    started = time.monotonic()
    reason = cache_fault(package)
    often = f"on every start, because they cannot be cached: {reason}" if reason else "once per machine"
    say(f"compiling the kernels of {name} ({often}); usually under a minute")
    compile_kernels(package, with_callees(kernels), say)
    if not reason and not all(each.is_stored() for each in kernels):
        say(f"the kernels cannot be cached: no space in {folder_of(package)}")
    say(f"compiled in {time.monotonic() - started:.1f} s")


def progress_line(share: float) -> str:
    """The line that reports progress; `share` is from 0 to 1."""
    return f"compiling kernels: {100 * share:.0f}% done"


def compile_kernels(package: str, kernels: Sequence[Kernel], say: Callable[[str], None]) -> None:
    """Compile the kernels that are not in the cache; `kernels` contains all callees.

    `say` gets the progress once a second, in another thread.
    """
    folder = None if cache_fault(package) else folder_of(package)
    with ExitStack() as cleanup:
        if folder is not None:
            with suppress(OSError):  # Windows opens no folders
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
    """Lock a cache folder. Return without a lock once another process has compiled the kernels, or has stalled."""
    share, moved = -1.0, time.monotonic()
    while not lock(handle):
        now = _share_done(kernels)
        if share < 0:
            say("waiting for another process that is compiling them")
        if now > share:
            share, moved = now, time.monotonic()
        if now == 1 or time.monotonic() - moved > STALLED_S:
            return
        say(progress_line(share))
        time.sleep(PROGRESS_EVERY_S)


def _compile_with_helpers(package: str, kernels: Sequence[Kernel]) -> None:
    """Compile kernels together with helper processes."""
    chains = _chains(each for each in kernels if not each.is_ready())
    # The longest chain of callers is compiled one by one, so additional processes would have nothing to do.
    wanted = min(processors(), round(sum(map(_weight, chains)) / max(chains.values()))) - 1
    modules = sorted(name for name in sys.modules if package_of(name) == package)
    with tempfile.TemporaryDirectory(prefix="junqi-engine-") as claims:
        command = (sys.executable, "-P", "-c", HELPER, str(ROOT), package, claims, str(os.getpid()), *modules)
        nothing = subprocess.DEVNULL
        helpers = []
        with suppress(OSError):  # no process can be started
            for _ in range(wanted):
                helpers.append(subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing))
        try:
            _compile_unclaimed(kernels, claims, lambda: any(helper.poll() is None for helper in helpers))
        finally:
            for helper in helpers:
                helper.kill()
                helper.wait()


def help_other(package: str, claims: str, parent: str, *modules: str) -> None:
    """The main function of a helper: compile kernels, which `modules` declare, while the parent process lives."""
    for module in modules:
        importlib.import_module(module)
    _compile_unclaimed(kernels_of(package), claims, lambda: os.getppid() == int(parent))


def _compile_unclaimed(kernels: Sequence[Kernel], claims: str, others_work: Callable[[], bool]) -> None:
    """Compile unclaimed kernels until all are compiled, no other process works, or the cache cannot be written."""
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
    """The estimated cost of compiling a kernel."""
    return FIXED_WEIGHT + len(kernel.py_func.__code__.co_code)


def _chains(kernels: Iterable[Kernel]) -> dict[Kernel, int]:
    """By kernel, the weight of it and of the most expensive chain of its callers. `kernels` follow their callees."""
    chains = {each: _weight(each) for each in kernels}
    for each in reversed(chains):
        for callee in each.callees():
            if callee in chains and callee is not each:
                chains[callee] = max(chains[callee], _weight(callee) + chains[each])
    return chains


def _share_done(kernels: Sequence[Kernel]) -> float:
    """The weighted share of kernels that are ready, from 0 to 1."""
    done = sum(_weight(each) for each in kernels if each.is_ready())
    return done / max(1, sum(map(_weight, kernels)))


def _report_progress(kernels: Sequence[Kernel], say: Callable[[str], None], ended: threading.Event) -> None:
    while not ended.wait(PROGRESS_EVERY_S):
        say(progress_line(_share_done(kernels)))
