// SPDX-License-Identifier: Apache-2.0
// The library from C++17, by <duet/duet.hpp>: solve, a rule and a list of one's own, and an
// exception that a rule throws, which comes out of solve() and not through the library.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <duet/duet.hpp>

static void print(const char *what, const duet::solution &s)
{
    std::printf("%-8s makespan %lld, at least %lld, %s\n", what,
                static_cast<long long>(s.makespan()), static_cast<long long>(s.lower_bound()),
                s.status().c_str());
}

int main()
{
    const duet::instance tasks({{"cpu", 2}, {"gpu", 1}}, {{33, 16}, {170, 6}, {95, 4}, {88, 8}});
    print("best", duet::solve(tasks));

    duet::registry own;
    own.add_rule("finish", [](const duet::revealed &task) {
        std::size_t best = 0;
        for (std::size_t t = 1; t < task.types(); t++) {
            bool sooner = task.start(t) + task.time(t) < task.start(best) + task.time(best);
            best = sooner ? t : best;
        }
        return best;
    });
    own.add("longest", [](duet::work &work) {
        std::vector<std::int64_t> order(static_cast<std::size_t>(work.tasks()));
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            return work.time(a, 0) > work.time(b, 0);
        });
        work.list(order);
    });
    own.add_rule("thrower", [](const duet::revealed &) -> std::size_t {
        throw std::runtime_error("a rule's own fault");
    });

    duet::settings how;
    how.registry = &own;
    print("finish", duet::solve(tasks, "finish", how));
    duet::solution s = duet::solve(tasks, "longest", how);
    print("longest", s);
    s.verify();
    const duet::lower_bound area = duet::bound(tasks, "area");
    std::printf("area     at least %lld, exactly %s, %s\n", static_cast<long long>(area.value()),
                area.exact().c_str(), area.certified() ? "certified" : "not certified");
    for (std::int64_t task = 0; task < tasks.tasks(); task++) {
        duet_placement at = s.place(task);
        std::printf("  task %lld on %s %d: %lld to %lld\n", static_cast<long long>(task),
                    tasks.type_name(static_cast<std::size_t>(at.type)).c_str(), at.processor,
                    static_cast<long long>(at.start), static_cast<long long>(s.end(task)));
    }
    try {
        duet::solve(tasks, "thrower", how);
    } catch (const std::runtime_error &fault) {
        std::printf("thrown: %s\n", fault.what());
    }
    how.progress = [](const duet_progress &) { throw 42; };
    try {
        duet::solve(duet::instance::generate("unif4", 100, {20, 4}, 1), "exact", how);
    } catch (int number) {
        std::printf("thrown by progress: %d\n", number);
    }
    try {
        duet::solve(tasks, "no-such");
    } catch (const duet::error &fault) {
        std::printf("refused: %s\n", fault.code() == DUET_E_USAGE ? "wrong usage" : fault.what());
    }
    return 0;
}
