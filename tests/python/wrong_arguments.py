# SPDX-License-Identifier: Apache-2.0
"""Not run: mypy --strict finds a fault in each line that says so, and in no other (types.sh)."""
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
