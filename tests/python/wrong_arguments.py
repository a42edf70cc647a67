# SPDX-License-Identifier: Apache-2.0
"""Not run: mypy --strict finds a fault in each line that says so, and in no other (types.sh)."""
from datetime import datetime
from decimal import Decimal

import duet

instance = duet.generate("unif4", 3)
duet.solve(42)  # wrong
duet.solve([1, 2], [3, 4], m="2", k=1)  # wrong
duet.solve([1, 2], [3, 4], 2, 1, algorithm=3)  # wrong
duet.solve([1, 2], [3, 4], 2, 1, time_limt=3)  # wrong
duet.solve([1, 2], [3, 4], 2, 1, name=3)  # wrong
duet.solve([1, 2], [3, 4], 2, 1, release=3)  # wrong
duet.solve([1, 2], [3, 4], 2, 1, busy={"gpu": 3})  # wrong
duet.solve(instance, start_from=3)  # wrong
duet.compare("instance.json")  # wrong
duet.compare(instance, 3)  # wrong
duet.what_if(instance, 4)  # wrong
duet.search_worst(5)  # wrong
duet.simulate("instance.json")  # wrong
duet.adversary("eft", tau="3")  # wrong
duet.rule(len, name=3)  # wrong
makespan: int = duet.solve(instance).makespan  # wrong
ratio: float = duet.search_worst("eft").ratio  # wrong
duet.solve({"cpu": [1.5, 2], "gpu": [1, 2]}, platform={"cpu": 1, "gpu": 1})
duet.solve([{"id": "a", "cpu": 1, "gpu": 2}], m=1, k=1)
duet.solve(instance, algorithm=lambda task: "cpu", name=None)
duet.solve([1, 2], [3, 4], 2, 1, release={"t0": 1.5}, busy={"gpu": [3]}, deadline="9", start_from=[("t0", "cpu", 0, 0)])
duet.read("instance.json", busy={"gpu": [3, 0]})


@duet.rule(decides="order")
def in_order(given: duet.Instance) -> range:
    return range(len(given))


duet.compare(instance, ["heft", in_order, duet.solve(instance)])
duet.search_worst(in_order, m=(1, 2), k=0)


@duet.rule(decides="list")
def by_both(given: duet.Instance) -> "tuple[range, list[str]]":
    return range(len(given)), ["cpu"] * len(given)


def by_number(given: int) -> int:
    return given


def in_words(given: duet.Instance) -> str:
    return given.name


duet.rule(by_number)  # wrong
duet.rule(decides="order")(by_number)  # wrong
duet.rule(decides="allocation")(by_number)  # wrong
duet.rule(decides="list")(in_words)  # wrong
duet.rule(decides="odrer")  # wrong
duet.solve(instance, algorithm=by_number)  # wrong
duet.size(instance, 5, {"cpu": 1.5})  # wrong
duet.Instance.from_table(5)  # wrong
duet.Instance.from_graph(5)  # wrong
duet.solve([3], [1], 2, 1, unit="h", start=7)  # wrong
duet.solve([3], [1], 2, 1, unit="h", start=datetime(2026, 11, 27), now=datetime(2026, 11, 27, 9))  # good
duet.bound(instance, 7)  # wrong
duet.bound(instance, ["area", "longest"]).exact + 1  # wrong
instance.times(0)["cpu"].append(Decimal(1))  # good
instance.times("t0", 1.5)  # wrong
duet.what_if(instance, {"cpu": 2, "gpu": range(1, 4)})  # good
duet.solve([3], [1], 2, 1, unit="h", release=[datetime(2026, 11, 27)], busy={"gpu": [datetime(2026, 11, 27, 9)]}, start="2026-11-27T08:00")  # good
duet.solve([3], [1], 2, 1, unit="h", release={"t0": datetime(2026, 11, 27)}, busy={"gpu": 5})  # wrong
