// SPDX-License-Identifier: Apache-2.0
// heteroprio and dualhp on task graphs against plain simulations, which look at every task and
// every processor at every instant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"
#include "tests/support/stretched.h"

enum { GRAPHS = 1000, MAX_TASKS = 60, MAX_PROCESSORS = 4, CPU = 0, GPU = 1 };

typedef enum rank { MIN, AVG, FIFO } rank;
static const char *const rank_options[] = {"rank=min", "rank=avg", "rank=fifo"};
static const char *const published_options[] = {"rank=min ties=published",
                                                "rank=avg ties=published"};

typedef struct plain {
    const duet_instance *instance;
    rank rank;
    bool published; // ties of heteroprio
    int64_t tasks;
    int64_t now;
    int64_t round;
    duet_uint128 level[MAX_TASKS]; // of fifo: the higher, the earlier it became ready
    bool ready[MAX_TASKS];         // and not started
    bool ended[MAX_TASKS];
    bool joined[MAX_TASKS];
    int type[MAX_TASKS]; // that dualhp assigned a ready task to
    duet_placement at[MAX_TASKS];
    int64_t runs[2][MAX_PROCESSORS]; // the task that a processor runs; -1: none
    int64_t aborted;
} plain;

static int64_t time_of(const plain *s, int64_t task, size_t type)
{
    return duet_instance_time(s->instance, duet_instance_kind_of(s->instance, task), type);
}

static bool may(const plain *s, int64_t task, size_t type)
{
    return duet_instance_type_count(s->instance, type) > 0 &&
           time_of(s, task, type) != DUET_FORBIDDEN;
}

static int64_t end_of(const plain *s, int64_t task)
{
    return s->at[task].start + time_of(s, task, (size_t)s->at[task].type);
}

// --- ranks ---------------------------------------------------------------------------------------

// In 2^-20 ticks, rounded down.
static duet_uint128 weight_of(const plain *s, int64_t task)
{
    duet_uint128 work = 0;
    duet_uint128 processors = 0;
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < 2; t++) {
        if (may(s, task, t)) {
            uint64_t count = (uint64_t)duet_instance_type_count(s->instance, t);
            int64_t time = time_of(s, task, t);
            work += (duet_uint128)time * count;
            processors += count;
            least = time < least ? time : least;
        }
    }
    return s->rank == AVG ? (work << 20) / processors : (duet_uint128)least << 20;
}

// Levels become right once every path has been walked: as many times as there are tasks.
static void set_levels(plain *s)
{
    for (int64_t j = 0; j < s->tasks; j++) {
        s->level[j] = weight_of(s, j);
    }
    for (int64_t pass = 0; pass < s->tasks; pass++) {
        for (int64_t e = 0; e < duet_instance_edges(s->instance); e++) {
            duet_edge edge = duet_instance_edge(s->instance, e);
            duet_uint128 way = weight_of(s, edge.from) + s->level[edge.to];
            s->level[edge.from] = way > s->level[edge.from] ? way : s->level[edge.from];
        }
    }
}

// --- time ----------------------------------------------------------------------------------------

static int64_t processors(const plain *s, size_t type)
{
    return duet_instance_type_count(s->instance, type);
}

static void start(plain *s, int64_t task, size_t type, int64_t processor)
{
    s->at[task] = (duet_placement){s->now, (int32_t)processor, (int32_t)type};
    s->runs[type][processor] = task;
    s->ready[task] = false;
}

// Returns whether any has become ready.
static bool find_ready(plain *s)
{
    bool any = false;
    for (int64_t j = 0; j < s->tasks; j++) {
        bool free = !s->joined[j];
        for (int64_t e = 0; e < duet_instance_edges(s->instance) && free; e++) {
            duet_edge edge = duet_instance_edge(s->instance, e);
            free = edge.to != j || s->ended[edge.from];
        }
        if (free) {
            s->joined[j] = s->ready[j] = any = true;
            s->level[j] = s->rank == FIFO ? (duet_uint128)(1000000 - s->round) : s->level[j];
        }
    }
    return any;
}

// Goes to the next completion, and takes all of that instant. False: there is none.
static bool advance(plain *s)
{
    int64_t next = INT64_MAX;
    for (size_t t = 0; t < 2; t++) {
        for (int64_t p = 0; p < processors(s, t); p++) {
            int64_t task = s->runs[t][p];
            next = task >= 0 && end_of(s, task) < next ? end_of(s, task) : next;
        }
    }
    for (size_t t = 0; t < 2 && next < INT64_MAX; t++) {
        for (int64_t p = 0; p < processors(s, t); p++) {
            int64_t task = s->runs[t][p];
            if (task >= 0 && end_of(s, task) == next) {
                s->ended[task] = true;
                s->runs[t][p] = -1;
            }
        }
    }
    s->now = next;
    s->round++;
    return next < INT64_MAX;
}

// --- heteroprio ----------------------------------------------------------------------------------

// Orders tasks by acceleration: infinite beyond all fractions where only a GPU may run a task,
// below all where only a CPU may.
static int compare_acceleration(const plain *s, int64_t a, int64_t b)
{
    int class_a = may(s, a, CPU) - may(s, a, GPU);
    int class_b = may(s, b, CPU) - may(s, b, GPU);
    if (class_a != class_b || class_a != 0) {
        return class_b - class_a;
    }
    duet_int128 p = time_of(s, a, CPU);
    duet_int128 q = time_of(s, a, GPU);
    duet_int128 r = time_of(s, b, CPU);
    duet_int128 t = time_of(s, b, GPU);
    p = p == 0 && q == 0 ? 1 : p; // 0 / 0 is 1
    q = p == 1 && q == 0 && time_of(s, a, CPU) == 0 ? 1 : q;
    r = r == 0 && t == 0 ? 1 : r;
    t = r == 1 && t == 0 && time_of(s, b, CPU) == 0 ? 1 : t;
    return duet_order(p * t, r * q);
}

static bool is_accelerated(const plain *s, int64_t task)
{
    return !may(s, task, CPU) ||
           (may(s, task, GPU) && time_of(s, task, CPU) >= time_of(s, task, GPU));
}

// Whether task a rather than b, both of one acceleration and b of a lower index, goes to a type.
static bool wins_tie(const plain *s, int64_t a, int64_t b, size_t type)
{
    bool lowest = s->published && (type == CPU) == is_accelerated(s, a);
    return lowest ? s->level[a] <= s->level[b] : s->level[a] > s->level[b];
}

static int64_t accelerated(const plain *s, size_t type)
{
    int64_t best = -1;
    for (int64_t j = 0; j < s->tasks; j++) {
        if (!s->ready[j] || !may(s, j, type)) {
            continue;
        }
        int order = best < 0 ? 1 : compare_acceleration(s, j, best);
        order = type == GPU || best < 0 ? order : -order;
        if (order > 0 || (order == 0 && wins_tie(s, j, best, type))) {
            best = j;
        }
    }
    return best;
}

static int64_t robbed(const plain *s, size_t type)
{
    int64_t best = -1;
    for (int64_t p = 0; p < processors(s, 1 - type); p++) {
        int64_t j = s->runs[1 - type][p];
        if (j < 0 || !may(s, j, type) || s->now + time_of(s, j, type) >= end_of(s, j)) {
            continue;
        }
        bool better = best < 0 || s->level[j] > s->level[best];
        if (!better && s->level[j] == s->level[best]) {
            better =
                end_of(s, j) > end_of(s, best) || (end_of(s, j) == end_of(s, best) && j < best);
        }
        best = better ? j : best;
    }
    return best;
}

// The first processor, GPUs first, that is idle and finds something to do does it.
static bool act_once(plain *s)
{
    for (size_t t = 2; t-- > 0;) {
        for (int64_t p = 0; p < processors(s, t); p++) {
            if (s->runs[t][p] >= 0) {
                continue;
            }
            int64_t task = accelerated(s, t);
            if (task < 0) {
                task = robbed(s, t);
                if (task < 0) {
                    continue;
                }
                s->runs[1 - t][s->at[task].processor] = -1;
                s->aborted++;
            }
            start(s, task, t, p);
            return true;
        }
    }
    return false;
}

// --- dualhp --------------------------------------------------------------------------------------

// Whether task a is before task b among those of a type.
static bool before(const plain *s, int64_t a, int64_t b)
{
    return s->level[a] != s->level[b] ? s->level[a] > s->level[b] : a < b;
}

static bool fits(const plain *s, int64_t task, size_t type, int64_t lambda)
{
    return may(s, task, type) && time_of(s, task, type) <= lambda;
}

// The ready tasks by falling acceleration, then by kind, then as they come first.
static int64_t by_acceleration(const plain *s, int64_t *list)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->tasks; j++) {
        int64_t at = count;
        for (; s->ready[j] && at > 0; at--) {
            int64_t other = list[at - 1];
            int order = compare_acceleration(s, j, other);
            size_t kind = duet_instance_kind_of(s->instance, j);
            bool same = kind == duet_instance_kind_of(s->instance, other);
            if (order < 0 || (order == 0 && !(same && before(s, j, other)))) {
                break; // tasks come in order of their kinds
            }
            list[at] = other;
        }
        if (s->ready[j]) {
            list[at] = j;
            count++;
        }
    }
    return count;
}

// Assigns the ready tasks at a guess; false where it is refused.
static bool guess(plain *s, int64_t lambda)
{
    int64_t list[MAX_TASKS];
    int64_t count = by_acceleration(s, list);
    int64_t work[2] = {0, 0};
    for (size_t t = 0; t < 2; t++) {
        for (int64_t p = 0; p < processors(s, t); p++) {
            work[t] += s->runs[t][p] >= 0 ? end_of(s, s->runs[t][p]) - s->now : 0;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        bool on_cpu = fits(s, list[i], CPU, lambda);
        bool on_gpu = fits(s, list[i], GPU, lambda);
        s->type[list[i]] = on_cpu && on_gpu ? -1 : on_gpu ? GPU : CPU;
        if (!on_cpu && !on_gpu) {
            return false;
        }
        if (!on_cpu || !on_gpu) {
            work[s->type[list[i]]] += time_of(s, list[i], (size_t)s->type[list[i]]);
        }
    }
    if (work[GPU] > lambda * processors(s, GPU)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (s->type[list[i]] < 0) {
            bool room = work[GPU] < lambda * processors(s, GPU) || time_of(s, list[i], GPU) == 0;
            s->type[list[i]] = room ? GPU : CPU;
            work[s->type[list[i]]] += time_of(s, list[i], (size_t)s->type[list[i]]);
        }
    }
    return work[CPU] <= lambda * processors(s, CPU);
}

// Steps of 1, 2, 4 ... up from the longest task until a guess is accepted, then halves of the last
// step back. Acceptance is not monotone: in 1 of 3,000 graphs a guess far below is accepted, too,
// because the task that overshoots the GPUs' share there is a long one.
static void assign(plain *s)
{
    int64_t accepted = 0;
    for (int64_t j = 0; j < s->tasks; j++) {
        while (s->ready[j] && !fits(s, j, CPU, accepted) && !fits(s, j, GPU, accepted)) {
            accepted++;
        }
    }
    int64_t refused = accepted - 1;
    for (int64_t step = 1; !guess(s, accepted); step *= 2) {
        refused = accepted;
        accepted += step;
    }
    while (refused + 1 < accepted) {
        int64_t middle = (refused + accepted) / 2;
        *(guess(s, middle) ? &accepted : &refused) = middle;
    }
    guess(s, accepted);
}

static void take_assigned(plain *s)
{
    for (size_t t = 0; t < 2; t++) {
        for (int64_t p = 0; p < processors(s, t); p++) {
            int64_t first = -1;
            for (int64_t j = 0; j < s->tasks && s->runs[t][p] < 0; j++) {
                if (s->ready[j] && s->type[j] == (int)t && (first < 0 || before(s, j, first))) {
                    first = j;
                }
            }
            if (first >= 0) {
                start(s, first, t, p);
            }
        }
    }
}

// --- comparison ----------------------------------------------------------------------------------

static void simulate(plain *s, bool dual)
{
    for (size_t t = 0; t < 2; t++) {
        for (int64_t p = 0; p < MAX_PROCESSORS; p++) {
            s->runs[t][p] = -1;
        }
    }
    set_levels(s);
    do {
        bool changed = find_ready(s);
        if (dual) {
            if (changed) {
                assign(s);
            }
            take_assigned(s);
        }
        while (!dual && act_once(s)) {
        }
    } while (advance(s));
}

static void compare(plain *s, bool dual, uint64_t seed)
{
    const char *name = dual ? "dualhp" : "heteroprio";
    const char *options = s->published ? published_options[s->rank] : rank_options[s->rank];
    duet_solution *solution = duet_test_schedule(s->instance, name, options);
    simulate(s, dual);
    if ((int64_t)solution->aborted_count != s->aborted) {
        duet_fail_instance(s->instance, "events", seed, "other numbers of spoliations");
    }
    for (int64_t j = 0; j < s->tasks; j++) {
        const duet_placement *at = &solution->placement[j];
        if (at->start != s->at[j].start || at->type != s->at[j].type ||
            at->processor != s->at[j].processor) {
            char why[200];
            snprintf(why, sizeof why,
                     "%s %s: task %d on type %d, processor %d at %lld, expected %d, %d at %lld",
                     name, options, (int)j, at->type, at->processor, (long long)at->start,
                     s->at[j].type, s->at[j].processor, (long long)s->at[j].start);
            duet_fail_instance(s->instance, "events", seed, why);
        }
    }
    duet_solution_free(solution);
}

static duet_instance *draw(uint64_t seed, int64_t most_work)
{
    duet_instance *instance = NULL;
    for (uint64_t again = 0; instance == NULL; again++) {
        duet_random random;
        duet_random_seed(&random, seed + again * 1000003);
        duet_graph_shape shape = {.tasks = {.min_tasks = 10,
                                            .max_tasks = MAX_TASKS,
                                            .min_processors = seed % 5 == 0 ? 0 : 1,
                                            .max_processors = MAX_PROCESSORS,
                                            .types = 2}};
        instance = duet_random_graph(&random, &shape);
        assert_non_null(instance);
        if (instance->graph == NULL || duet_total_work(instance) > most_work) {
            duet_instance_free(instance);
            instance = NULL;
        }
    }
    return instance;
}

static void heteroprio(void **state)
{
    (void)state;
    static plain s;
    int64_t spoliations = 0;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_instance *instance = draw(seed, INT64_MAX);
        s = (plain){.instance = instance,
                    .rank = (rank)(seed % 2),
                    .published = seed % 4 >= 2,
                    .tasks = duet_instance_tasks(instance)};
        compare(&s, false, seed);
        spoliations += s.aborted;
        duet_instance_free(instance);
    }
    assert_true(spoliations > graphs);
}

// Every guess is tried from 0 on, so times are short.
static void dualhp(void **state)
{
    (void)state;
    static plain s;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_instance *instance = draw(seed, 10000);
        s = (plain){
            .instance = instance, .rank = (rank)(seed % 3), .tasks = duet_instance_tasks(instance)};
        compare(&s, true, seed);
        duet_instance_free(instance);
    }
}

// Three tasks (H, 1), (H, 1), (1, H), the second before the third: the GPU, free at 1, takes the
// third, so that heteroprio has no constant ratio on task graphs.
static void no_constant_ratio(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const duet_edge edge[] = {{1, 2, 0}};
    for (int64_t h = 3; h < 10000; h *= 7) {
        const int64_t times[] = {h, 1, h, 1, 1, h};
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = 2,
                                   .platform = platform,
                                   .kinds = 3,
                                   .times = times,
                                   .edges = 1,
                                   .edge = edge};
        duet_instance *instance;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        assert_int_equal(duet_test_makespan(instance, "heteroprio"), h + 1);
        assert_int_equal(duet_exhaustive_optimum(instance), 2);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heteroprio), cmocka_unit_test(dualhp),
                                       cmocka_unit_test(no_constant_ratio)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
