"""The queues are fair, and the pool does what it is asked for whatever happens to its processes."""

import asyncio

import pytest

from metatac.server.engines import EngineFailed, FairQueue, Job, Pool
from metatac.server.refusals import Refusal

PATIENCE = 300.0
ULTIMATE = "ultimate X - 9/9/9/9/9/9/9/9/9"


def job(visitor: str, number: int = 0) -> Job:
    return Job(visitor, {"do": "analyse", "number": number}, PATIENCE)


def test_visitors_take_turns_however_much_one_asks_for() -> None:
    async def scenario() -> list[str]:
        queue = FairQueue()
        for number in range(5):
            queue.add(job("greedy", number))
        queue.add(job("modest"))
        queue.add(job("shy"))
        taken = [queue.take() for _ in range(len(queue))]
        return [one.visitor for one in taken if one is not None]

    assert asyncio.run(scenario()) == ["greedy", "modest", "shy", "greedy", "greedy", "greedy", "greedy"]


def test_a_place_in_the_queue_counts_who_is_served_before() -> None:
    async def scenario() -> list[int]:
        queue = FairQueue()
        jobs = [job("a"), job("a"), job("b")]
        for one in jobs:
            queue.add(one)
        return [queue.place(one) for one in jobs]

    assert asyncio.run(scenario()) == [2, 3, 2]


def test_a_job_that_nobody_wants_any_more_is_skipped() -> None:
    async def scenario() -> str:
        queue = FairQueue()
        unwanted = job("a")
        queue.add(unwanted)
        queue.add(job("b"))
        unwanted.answer.cancel()
        taken = queue.take()
        assert taken is not None and queue.take() is None
        return taken.visitor

    assert asyncio.run(scenario()) == "b"


def test_a_move_comes_first_and_the_analysis_is_taken_up_again() -> None:
    """With one process an analysis must give way to a move, and its visitor still gets the whole of it."""

    async def scenario() -> tuple[str, bool]:
        pool = Pool(1)
        try:
            heard = asyncio.Event()
            request = {"do": "analyse", "position": ULTIMATE, "lines": 2, "seconds": 1.0}
            study = pool.submit(Job("student", request, PATIENCE, lambda _: heard.set()))
            await asyncio.wait_for(heard.wait(), PATIENCE)
            move = {"do": "move", "position": ULTIMATE, "level": "1", "clock": {}}
            played = pool.submit(Job("player", move, PATIENCE, moves=True))
            first = await asyncio.wait_for(played.answer, PATIENCE)
            found = await asyncio.wait_for(study.answer, PATIENCE)
            return first, len(found["best"]) == 2
        finally:
            await pool.close()

    move, whole = asyncio.run(scenario())
    assert len(move) == 2 and whole


def test_a_visitor_has_so_many_analyses_and_no_more_and_a_bad_job_fails_with_a_word() -> None:
    async def scenario() -> None:
        pool = Pool(1, studies_per_visitor=2)
        try:
            bad = pool.submit(Job("a", {"do": "analyse", "position": "nonsense", "lines": 1, "seconds": 1}, PATIENCE))
            pool.submit(Job("a", {"do": "analyse", "position": ULTIMATE, "lines": 1, "seconds": 0.1}, PATIENCE))
            with pytest.raises(Refusal):
                pool.submit(job("a"))
            with pytest.raises(EngineFailed, match="four fields"):
                await asyncio.wait_for(bad.answer, PATIENCE)
        finally:
            await pool.close()

    asyncio.run(scenario())
