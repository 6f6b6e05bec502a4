"""Runs coroutines of tests in another thread: the browser's tests leave an event loop in the main thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.helpers.engine import DEADLINE_S


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, as `asyncio.run` gives it. One that hangs is cancelled: a TimeoutError."""

    async def run_limited() -> Any:
        async with asyncio.timeout(DEADLINE_S):
            return await coroutine

    return beside_the_loop(asyncio.run, run_limited())


def beside_the_loop(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function that runs an event loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()
