# SPDX-License-Identifier: Apache-2.0
"""A morning in a notebook: a workflow as a graph of networkx, a table of pandas, a rule of one's own
against those of the library, its worst case, what another GPU would bring, a plot, a process pool."""
from concurrent.futures import ProcessPoolExecutor

import matplotlib.pyplot
import networkx
import pandas

import duet

matplotlib.use("Agg")  # a notebook needs no such line

# A workflow: each stage waits for the one before it, and moves data.
stages = pandas.DataFrame({"stage": ["load", "clean", "train", "test"],
                           "cpu": [3.5, 6, 40, 8], "gpu": [None, 4, 5.25, 2]}).set_index("stage")
workflow: "networkx.DiGraph[str]" = networkx.DiGraph()
for region in ("eu", "us", "asia"):
    for stage, times in stages.iterrows():
        workflow.add_node(f"{stage}_{region}", time={"cpu": times.cpu, "gpu": times.gpu})
    for before, after in zip(stages.index, stages.index[1:]):
        workflow.add_edge(f"{before}_{region}", f"{after}_{region}", cost=0.5)

best = duet.solve(workflow, time="time", cost="cost", platform={"cpu": 4, "gpu": 1}, unit="s", name="regions")
print(f"{best.makespan} s, at least {best.lower_bound} s: {best.status}")
figure, axes = matplotlib.pyplot.subplots(figsize=(9, 4), layout="constrained")
best.plot(ax=axes)
figure.savefig("regions.png")


@duet.rule
def greedy(task: duet.Revealed) -> str:
    """The type on which the task ends first."""
    return min(("cpu", "gpu"), key=task.end)


@duet.rule(decides="order")
def longest_first(instance: duet.Instance) -> "list[int]":
    """The longest CPU time first, each where it ends first."""
    return sorted(range(len(instance)), key=lambda task: -instance.times(task, "cpu")[0])


table = duet.compare(best.instance, ["heft", "peft", "heteroprio", greedy, longest_first])
print(table[["algorithm", "makespan", "gap_percent"]].to_string(index=False))
print(duet.what_if(best.instance, {"gpu": [1, 2, 3]})[["gpu", "makespan", "status"]].to_string(index=False))

worst = duet.search_worst(longest_first, m=(1, 2), k=1, tasks=(2, 5), evaluations=3000, path="worst.json")
print(f"longest_first: {worst.makespan} instead of {worst.optimum} on {len(worst.instance)} tasks")

late = duet.simulate(best.instance, greedy, noise="lognormal:0.2", runs=50)
print(f"greedy with noise: mean {late.mean:.1f} s, nine of ten within {float(late.quantile(0.9)):.1f} s")


def makespan(seed: int) -> int:
    return duet.solve(duet.generate("unif4", 30, 4, 2, seed=seed), algorithm=longest_first).makespan_ticks


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        print("in a pool:", sum(pool.map(makespan, range(8))), pool.submit(duet.metrics, best).result()["speedup"])
    duet.report("regions.html", best, results=table, title="Regions")
