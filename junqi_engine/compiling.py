"""Compiles many kernels in advance, on all processors, and in one process at a time.

A process that finds that another one is filling the same cache folder waits for it, and compiles what is then missing.

This process decides who compiles what. It compiles kernels itself, and tells helper processes the names of others, one
at a time. All write to one cache folder, and each loads from it what the others have compiled. A kernel becomes
available when all kernels that it calls are compiled; of those available, the one with the longest chain of callers
comes first. If a helper cannot be started or dies, the others compile its share.
"""

import importlib
import math
import os
import pkgutil
import subprocess
import sys
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
STALLED_S = 120.0
"""How long another process may compile one kernel, until it is no longer waited for."""
FIXED_WEIGHT = 100
"""What a kernel costs to compile besides its bytecode, in bytes of bytecode."""
ROOT = Path(__file__).resolve().parent.parent
HELPER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from junqi_engine.compiling import help_other;"
    " help_other(sys.argv[2], sys.argv[3:])"
)


class Plan:
    """Which kernels wait, are being compiled, and are compiled. All methods may be called from any thread.

    Kernels that are in the cache count as compiled.
    """

    def __init__(self, kernels: Iterable[Kernel]) -> None:
        self._kernels = {each.name: each for each in kernels}
        self._weights = {name: FIXED_WEIGHT + len(each.py_func.__code__.co_code)
                         for name, each in self._kernels.items()}  # fmt: skip
        self._callees = {
            name: {callee.name for callee in each.callees() if callee.name in self._kernels and callee is not each}
            for name, each in self._kernels.items()
        }
        self._urgency = self._chains()
        self._compiled = {name for name, each in self._kernels.items() if each.is_ready()}
        self._waiting = self._kernels.keys() - self._compiled
        self._is_abandoned = False
        self._changed = threading.Condition()

    def take(self) -> Kernel | None:
        """The next kernel to compile. Waits until one is available; None if all are compiled, or after `abandon`."""
        with self._changed:
            while len(self._compiled) < len(self._kernels) and not self._is_abandoned:
                available = [name for name in self._waiting if self._callees[name] <= self._compiled]
                if available:
                    name = max(available, key=lambda name: (self._urgency[name], name))
                    self._waiting.remove(name)
                    return self._kernels[name]
                self._changed.wait()
        return None

    def done(self, kernel: Kernel) -> None:
        """A kernel that was taken is compiled."""
        with self._changed:
            self._compiled.add(kernel.name)
            self._changed.notify_all()

    def put_back(self, kernel: Kernel) -> None:
        """A kernel that was taken was not compiled."""
        with self._changed:
            self._waiting.add(kernel.name)
            self._changed.notify_all()

    def abandon(self) -> None:
        """From now on, nothing is available."""
        with self._changed:
            self._is_abandoned = True
            self._changed.notify_all()

    def share_done(self) -> float:
        """From 0 to 1, by the estimated cost of the kernels."""
        with self._changed:
            return sum(self._weights[name] for name in self._compiled) / max(1, sum(self._weights.values()))

    def most_processes(self) -> int:
        """As many processes can be busy, by the estimated cost: the longest chain of callers compiles one by one."""
        longest = max((self._urgency[name] for name in self._waiting), default=1)
        return max(1, math.ceil(sum(self._weights[name] for name in self._waiting) / longest))

    def _chains(self) -> dict[str, int]:
        """By kernel, its weight and that of the most expensive chain of callers above it."""
        chains: dict[str, int] = dict(self._weights)
        # Each kernel is listed after those that it calls.
        for name in reversed(self._kernels):
            for callee in self._callees[name]:
                chains[callee] = max(chains[callee], self._weights[callee] + chains[name])
        return chains


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


def provide(package: str, kernels: Sequence[Kernel], name: str, say: Callable[[str], None]) -> None:
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
    say(f"compiled in {time.monotonic() - started:.1f} s")


def progress_line(share: float) -> str:
    """How progress is printed; `share` is from 0 to 1."""
    return f"compiling kernels: {100 * share:.0f}% done"


def compile_kernels(package: str, kernels: Sequence[Kernel], say: Callable[[str], None]) -> None:
    """Compile those of the kernels of a package that are not in its cache.

    `kernels` contain all that they call. `say` gets the progress once a second, in another thread.
    """
    with ExitStack() as cleanup:
        folder = folder_of(package)
        if folder is not None and not cache_fault(package):
            with suppress(OSError):  # a system that opens no folders has no locks
                handle = open_folder(folder)
                cleanup.callback(os.close, handle)
                _wait_for_others(handle, kernels, say)
        plan = Plan(kernels)
        if plan.share_done() < 1:
            _carry_out(plan, package, say)
            prune(package)


def _wait_for_others(handle: int, kernels: Sequence[Kernel], say: Callable[[str], None]) -> None:
    """Lock a cache folder; return without a lock if another process has compiled these kernels, or has stopped."""
    share, moved = -1.0, time.monotonic()
    while not lock(handle):
        now = Plan(kernels).share_done()
        if share < 0:
            say("another process is compiling them: waiting for it")
        if now > share:
            share, moved = now, time.monotonic()
        if now == 1 or time.monotonic() - moved > STALLED_S:
            return
        say(progress_line(share))
        time.sleep(PROGRESS_EVERY_S)


def _carry_out(plan: Plan, package: str, say: Callable[[str], None]) -> None:
    """Compile what a plan has, with helpers if there is a folder to share with them."""
    ended = threading.Event()
    wanted = 0 if cache_fault(package) else min(processors(), plan.most_processes()) - 1
    helpers = [helper for helper in (_start_helper(package) for _ in range(wanted)) if helper is not None]
    threads = [threading.Thread(target=_report_progress, args=(plan, say, ended), daemon=True)]
    threads += [threading.Thread(target=_give_work, args=(helper, plan), daemon=True) for helper in helpers]
    for thread in threads:
        thread.start()
    try:
        while (kernel := plan.take()) is not None:
            kernel.prepare()
            plan.done(kernel)
    finally:
        ended.set()
        plan.abandon()
        for helper in helpers:
            helper.kill()
        for thread in threads:
            thread.join()
        for helper in helpers:
            _end(helper)


def help_other(package: str, modules: Sequence[str]) -> None:
    """The helper process: compile the kernels whose names are read from stdin, and print the name of each one.

    `modules` declare them.
    """
    for module in modules:
        importlib.import_module(module)
    kernels = {each.name: each for each in kernels_of(package)}
    names: list[str] = []
    more = threading.Semaphore(0)

    def read() -> None:
        for line in sys.stdin:
            names.append(line.strip())
            more.release()
        os._exit(0)  # the other process is done, or has ended

    threading.Thread(target=read, daemon=True).start()
    while more.acquire():
        name = names.pop(0)
        kernels[name].prepare()
        print(name, flush=True)


def _start_helper(package: str) -> subprocess.Popen[str] | None:
    """None if the system starts no other process."""
    modules = sorted(name for name in sys.modules if package_of(name) == package)
    command: Sequence[str] = (sys.executable, "-P", "-c", HELPER, str(ROOT), package, *modules)
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None


def _give_work(helper: subprocess.Popen[str], plan: Plan) -> None:
    """Let the helper compile kernels until all are compiled or it ends."""
    assert helper.stdin is not None and helper.stdout is not None
    while (kernel := plan.take()) is not None:
        answer = ""
        with suppress(OSError, ValueError):
            helper.stdin.write(f"{kernel.name}\n")
            helper.stdin.flush()
            answer = helper.stdout.readline()
        if answer.strip() != kernel.name:
            plan.put_back(kernel)
            return
        plan.done(kernel)


def _end(helper: subprocess.Popen[str]) -> None:
    helper.kill()
    helper.wait()
    for pipe in (helper.stdin, helper.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _report_progress(plan: Plan, say: Callable[[str], None], ended: threading.Event) -> None:
    while not ended.wait(PROGRESS_EVERY_S):
        say(progress_line(plan.share_done()))
