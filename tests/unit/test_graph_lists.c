// SPDX-License-Identifier: Apache-2.0
// The list schedulers of task graphs with insertion and communication, against plain ones that scan
// all edges, processors and placed tasks at every step; none is better than the optimum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_graph.h"
#include "core/fraction.h"
#include "core/instance.h"
#include "core/random.h"
#include "tests/support/fixtures.h"

enum { GRAPHS = 2000, SMALL_GRAPHS = 20000, TASKS = 60, TYPES = 4, PROCESSORS = 4 };
enum { SCALE = 1 << 20 };

static const char *const algorithms[] = {"heft",    "heft-min",       "heft-wm", "hoft",
                                         "hoft-wm", "heft-lookahead", "peft",    "cpop"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };
static const char *const options[] = {NULL, "ties=cpu", "topo=stack"};

// --- a plain scheduler ---------------------------------------------------------------------------

typedef struct place {
    int64_t start, end;
    size_t type;
    int64_t processor;
    bool placed;
} place;

typedef struct plain {
    const duet_instance *instance;
    int64_t n;
    size_t types;
    int64_t edges;
    bool gpu_first;   // at ties
    int order[TASKS]; // topological
    int position[TASKS];
    duet_int128 rank[TASKS];
    place at[TASKS];
} plain;

static int64_t time_of(const plain *s, int64_t task, size_t type)
{
    size_t kind = duet_instance_kind_of(s->instance, task);
    return duet_allowed(s->instance, kind, type) ? duet_time(s->instance, kind, type) : -1;
}

static int64_t processors(const plain *s, size_t type)
{
    return duet_instance_type_count(s->instance, type);
}

static int64_t cost(const plain *s, int64_t edge, size_t from, size_t to)
{
    return duet_instance_transfer(s->instance, edge, from, to);
}

static bool joins(const plain *s, int64_t edge, int64_t from, int64_t to)
{
    duet_edge e = duet_instance_edge(s->instance, edge);
    return (from < 0 || e.from == from) && (to < 0 || e.to == to);
}

static bool ready(const plain *s, const bool *done, int64_t task)
{
    for (int64_t e = 0; e < s->edges; e++) {
        if (joins(s, e, -1, task) && !done[duet_instance_edge(s->instance, e).from]) {
            return false;
        }
    }
    return !done[task];
}

// Kahn's algorithm: the smallest source first, or the one found last, where a task's successors are
// found in the order of its edges.
static void sort(plain *s, bool stack)
{
    bool done[TASKS] = {false};
    int waiting[TASKS];
    int count = 0;
    for (int j = 0; j < s->n; j++) {
        if (ready(s, done, j)) {
            waiting[count++] = j;
        }
    }
    for (int i = 0; i < s->n; i++) {
        int at = count - 1;
        for (int w = 0; w < count && !stack; w++) {
            at = waiting[w] < waiting[at] ? w : at;
        }
        int task = waiting[at];
        memmove(&waiting[at], &waiting[at + 1], (size_t)(count - at - 1) * sizeof *waiting);
        count--;
        done[task] = true;
        s->order[i] = task;
        s->position[task] = i;
        for (int64_t e = 0; e < s->edges; e++) {
            int head = (int)duet_instance_edge(s->instance, e).to;
            if (joins(s, e, task, -1) && ready(s, done, head)) {
                waiting[count++] = head;
            }
        }
    }
}

// Whether the processor may run a task of that time from `start` on. Where one task ends and the
// next begins there is no idle time, not even for a task of no time.
static bool fits(const plain *s, size_t type, int64_t processor, int64_t start, int64_t time)
{
    bool idle_before = start > 0;
    bool idle_after = true;
    for (int64_t j = 0; j < s->n; j++) {
        const place *p = &s->at[j];
        if (!p->placed || p->type != type || p->processor != processor) {
            continue;
        }
        bool takes_time = p->start < p->end;
        int64_t last = takes_time ? p->end : p->start + 1; // what takes no time is not run across
        if (p->start < start + time && start < last && (takes_time || start < p->start)) {
            return false;
        }
        idle_before = idle_before && !(takes_time && p->end == start);
        idle_after = idle_after && !(takes_time && p->start == start);
    }
    return time > 0 || idle_before || idle_after;
}

static int64_t data_at(const plain *s, int64_t task, size_t type, int64_t processor)
{
    int64_t latest = 0;
    for (int64_t e = 0; e < s->edges; e++) {
        const place *p = &s->at[duet_instance_edge(s->instance, e).from];
        if (joins(s, e, -1, task) && p->placed) {
            bool same = p->type == type && p->processor == processor;
            int64_t arrival = p->end + (same ? 0 : cost(s, e, p->type, type));
            latest = arrival > latest ? arrival : latest;
        }
    }
    return latest;
}

// Where the task starts on a processor: when the data are there, or when another task ends.
static place insert(const plain *s, int64_t task, size_t type, int64_t processor)
{
    int64_t time = time_of(s, task, type);
    int64_t from = data_at(s, task, type, processor);
    int64_t start = fits(s, type, processor, from, time) ? from : INT64_MAX;
    for (int64_t j = 0; j < s->n; j++) {
        int64_t end = s->at[j].end;
        if (s->at[j].placed && end >= from && end < start && fits(s, type, processor, end, time)) {
            start = end;
        }
    }
    return (place){start, start + time, type, processor, true};
}

// Types in the order of ties.
static size_t type_at(const plain *s, size_t i)
{
    return s->gpu_first ? s->types - 1 - i : i;
}

// The earliest end on the processors of a type, or of all (type = types).
static place earliest(const plain *s, int64_t task, size_t among)
{
    place best = {.end = INT64_MAX};
    for (size_t i = 0; i < s->types; i++) {
        size_t type = type_at(s, i);
        for (int64_t p = 0; p < processors(s, type) && time_of(s, task, type) >= 0; p++) {
            place here = insert(s, task, type, p);
            if ((among == s->types || among == type) && here.end < best.end) {
                best = here;
            }
        }
    }
    return best;
}

// --- ranks ---------------------------------------------------------------------------------------

static duet_int128 floor_of(duet_int128 num, duet_int128 den)
{
    return num * SCALE / den;
}

// The mean of a value per type over the processors on which the task may run.
static duet_int128 mean(const plain *s, int64_t task, const int64_t *value)
{
    duet_int128 sum = 0;
    duet_int128 all = 0;
    for (size_t t = 0; t < s->types; t++) {
        if (time_of(s, task, t) >= 0) {
            sum += (duet_int128)processors(s, t) * value[t];
            all += processors(s, t);
        }
    }
    return floor_of(sum, all);
}

static duet_int128 mean_time(const plain *s, int64_t task)
{
    int64_t time[TYPES];
    for (size_t t = 0; t < s->types; t++) {
        time[t] = time_of(s, task, t);
    }
    return mean(s, task, time);
}

static duet_int128 mean_cost(const plain *s, int64_t edge)
{
    duet_int128 sum = 0;
    duet_int128 all = 0;
    for (size_t a = 0; a < s->types; a++) {
        all += processors(s, a);
        for (size_t b = 0; b < s->types; b++) {
            sum +=
                (duet_int128)processors(s, a) * (processors(s, b) - (a == b)) * cost(s, edge, a, b);
        }
    }
    return floor_of(sum, all * all);
}

// Weights 1/p and 1/q times p q, as those of a CPU and of a GPU.
static void speeds(const plain *s, int64_t task, duet_int128 *cpu, duet_int128 *gpu)
{
    int64_t p = time_of(s, task, 0);
    int64_t q = time_of(s, task, 1);
    *cpu = p < 0 ? 0 : q < 0 || (p == 0 && q == 0) ? 1 : q;
    *gpu = q < 0 ? 0 : p < 0 || (p == 0 && q == 0) ? 1 : p;
}

static duet_int128 weighted_time(const plain *s, int64_t task)
{
    duet_int128 cpu;
    duet_int128 gpu;
    speeds(s, task, &cpu, &gpu);
    cpu *= processors(s, 0);
    gpu *= processors(s, 1);
    return floor_of((cpu > 0 ? cpu * time_of(s, task, 0) : 0) +
                        (gpu > 0 ? gpu * time_of(s, task, 1) : 0),
                    cpu + gpu);
}

static duet_int128 weighted_cost(const plain *s, int64_t edge)
{
    duet_edge e = duet_instance_edge(s->instance, edge);
    duet_int128 m = processors(s, 0);
    duet_int128 k = processors(s, 1);
    duet_int128 c_u;
    duet_int128 g_u;
    duet_int128 c_v;
    duet_int128 g_v;
    speeds(s, e.from, &c_u, &g_u);
    speeds(s, e.to, &c_v, &g_v);
    duet_int128 sum = c_u * c_v * m * (m - 1) * cost(s, edge, 0, 0) +
                      m * k * (c_u * g_v * cost(s, edge, 0, 1) + g_u * c_v * cost(s, edge, 1, 0)) +
                      g_u * g_v * k * (k - 1) * cost(s, edge, 1, 1);
    return floor_of(sum, (m * c_u + k * g_u) * (m * c_v + k * g_v));
}

static duet_int128 least_time(const plain *s, int64_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->types; t++) {
        int64_t time = time_of(s, task, t);
        least = time >= 0 && time < least ? time : least;
    }
    return (duet_int128)least * SCALE;
}

static duet_int128 nothing(const plain *s, int64_t edge)
{
    (void)s;
    (void)edge;
    return 0;
}

typedef duet_int128 weight(const plain *s, int64_t which);

// The heaviest way from a task to the end, or from the beginning to it.
static duet_int128 way(const plain *s, weight *task_weight, weight *edge_weight, int64_t task,
                       bool up)
{
    duet_int128 heaviest = 0;
    for (int64_t e = 0; e < s->edges; e++) {
        duet_edge edge = duet_instance_edge(s->instance, e);
        if (up ? edge.from == task : edge.to == task) {
            int64_t next = up ? edge.to : edge.from;
            duet_int128 rest = edge_weight(s, e) + (up ? s->rank[next] : 0);
            rest += up ? 0 : s->rank[next];
            heaviest = rest > heaviest ? rest : heaviest;
        }
    }
    return task_weight(s, task) + heaviest;
}

static void rank_upward(plain *s, weight *task_weight, weight *edge_weight)
{
    for (int64_t i = s->n; i-- > 0;) {
        s->rank[s->order[i]] = way(s, task_weight, edge_weight, s->order[i], true);
    }
}

// --- rules ---------------------------------------------------------------------------------------

typedef int64_t table[TASKS][TYPES];

static void optimistic_finish(const plain *s, table finish)
{
    for (int64_t i = 0; i < s->n; i++) {
        int64_t task = s->order[i];
        for (size_t t = 0; t < 2; t++) {
            int64_t latest = 0;
            for (int64_t e = 0; e < s->edges; e++) {
                if (joins(s, e, -1, task)) {
                    int64_t before = duet_instance_edge(s->instance, e).from;
                    int64_t first = INT64_MAX;
                    for (size_t a = 0; a < 2; a++) {
                        int64_t arrival = finish[before][a] + (a != t ? cost(s, e, a, t) : 0);
                        first = time_of(s, before, a) >= 0 && arrival < first ? arrival : first;
                    }
                    latest = first > latest ? first : latest;
                }
            }
            finish[task][t] = latest + time_of(s, task, t);
        }
    }
}

static void rank_optimistic(plain *s, table finish)
{
    for (int64_t i = s->n; i-- > 0;) {
        int64_t task = s->order[i];
        int64_t a = finish[task][0];
        int64_t b = finish[task][1];
        bool both = time_of(s, task, 0) >= 0 && time_of(s, task, 1) >= 0;
        int64_t least = a < b ? a : b;
        duet_int128 own = !both || a == b ? SCALE : floor_of(a < b ? b : a, least > 0 ? least : 1);
        s->rank[task] = own + way(s, nothing, nothing, task, true);
    }
}

static place choose_hoft(const plain *s, int64_t task, table finish)
{
    place best = earliest(s, task, 2);
    int64_t p = time_of(s, task, 0);
    int64_t q = time_of(s, task, 1);
    size_t faster = p < q ? 0 : 1;
    if (p < 0 || q < 0 || best.type == faster) {
        return best;
    }
    place fast = earliest(s, task, faster);
    int64_t after[2] = {0, 0};
    for (int64_t e = 0; e < s->edges; e++) {
        int64_t child = duet_instance_edge(s->instance, e).to;
        if (joins(s, e, task, -1)) {
            bool cpu = time_of(s, child, 0) >= 0 &&
                       (time_of(s, child, 1) < 0 || finish[child][0] < finish[child][1]);
            size_t to = cpu ? 0 : 1;
            for (size_t t = 0; t < 2; t++) {
                int64_t end = cost(s, e, t, to) + time_of(s, child, to);
                after[t] = end > after[t] ? end : after[t];
            }
        }
    }
    return fast.end - best.end > after[best.type] - after[faster] ? best : fast;
}

static bool comes_before(const plain *s, int64_t a, int64_t b)
{
    return s->rank[a] > s->rank[b] || (s->rank[a] == s->rank[b] && s->position[a] < s->position[b]);
}

static place choose_ahead(plain *s, int64_t task)
{
    place best = {.end = INT64_MAX};
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->types; i++) {
        size_t type = type_at(s, i);
        for (int64_t p = 0; p < processors(s, type) && time_of(s, task, type) >= 0; p++) {
            plain trial = *s;
            place here = insert(s, task, type, p);
            int64_t latest = -1;
            trial.at[task] = here;
            for (;;) {
                int64_t next = -1;
                for (int64_t j = 0; j < s->n; j++) {
                    bool child = false;
                    for (int64_t e = 0; e < s->edges; e++) {
                        child = child || joins(s, e, task, j);
                    }
                    if (child && !trial.at[j].placed && (next < 0 || comes_before(s, j, next))) {
                        next = j;
                    }
                }
                if (next < 0) {
                    break;
                }
                trial.at[next] = earliest(&trial, next, s->types);
                latest = trial.at[next].end > latest ? trial.at[next].end : latest;
            }
            if (latest < 0) {
                return earliest(s, task, s->types);
            }
            if (latest < least) {
                least = latest;
                best = here;
            }
        }
    }
    return best;
}

static void optimistic_cost(const plain *s, table left)
{
    for (int64_t i = s->n; i-- > 0;) {
        int64_t task = s->order[i];
        for (size_t t = 0; t < s->types; t++) {
            left[task][t] = 0;
            for (int64_t e = 0; e < s->edges; e++) {
                int64_t child = duet_instance_edge(s->instance, e).to;
                int64_t least = INT64_MAX;
                for (size_t d = 0; d < s->types && joins(s, e, task, -1); d++) {
                    int64_t time = time_of(s, child, d);
                    int64_t rest = left[child][d] + time + (d == t ? 0 : cost(s, e, t, d));
                    least = time >= 0 && rest < least ? rest : least;
                }
                if (joins(s, e, task, -1) && least > left[task][t]) {
                    left[task][t] = least;
                }
            }
        }
    }
}

static place choose_peft(const plain *s, int64_t task, table left)
{
    place best = {.end = 0};
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->types; i++) {
        size_t type = type_at(s, i);
        if (time_of(s, task, type) >= 0) {
            place here = earliest(s, task, type);
            if (here.end + left[task][type] < least) {
                least = here.end + left[task][type];
                best = here;
            }
        }
    }
    return best;
}

// Ranks become the heaviest ways through tasks; `path` the tasks of one that is heaviest of all.
// Returns the type of its processor, or `types`.
static size_t find_path(plain *s, bool *path)
{
    duet_int128 up[TASKS];
    duet_int128 highest = 0;
    rank_upward(s, mean_time, mean_cost);
    memcpy(up, s->rank, sizeof up);
    for (int64_t i = 0; i < s->n; i++) {
        s->rank[s->order[i]] = way(s, mean_time, mean_cost, s->order[i], false);
    }
    for (int64_t j = 0; j < s->n; j++) {
        s->rank[j] += up[j] - mean_time(s, j);
        highest = s->rank[j] > highest ? s->rank[j] : highest;
    }
    for (int64_t last = -1;;) {
        int64_t next = -1;
        for (int64_t j = 0; j < s->n; j++) {
            bool child = last < 0;
            for (int64_t e = 0; e < s->edges; e++) {
                child = child || joins(s, e, last, j);
            }
            if (child && s->rank[j] == highest &&
                (next < 0 || s->position[j] < s->position[next])) {
                next = j;
            }
        }
        if (next < 0) {
            break;
        }
        path[next] = true;
        last = next;
    }
    size_t best = s->types;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->types; i++) {
        int64_t work = processors(s, type_at(s, i)) > 0 ? 0 : -1;
        for (int64_t j = 0; j < s->n; j++) {
            int64_t time = time_of(s, j, type_at(s, i));
            work = !path[j] || work < 0 ? work : time < 0 ? -1 : work + time;
        }
        if (work >= 0 && work < least) {
            least = work;
            best = type_at(s, i);
        }
    }
    return best;
}

static void schedule(plain *s, const char *name)
{
    table finish;
    bool path[TASKS] = {false};
    bool done[TASKS] = {false};
    size_t critical = s->types;
    bool hoft = strncmp(name, "hoft", 4) == 0;
    bool peft = strcmp(name, "peft") == 0;
    if (hoft) {
        optimistic_finish(s, finish);
    }
    if (strcmp(name, "hoft") == 0) {
        rank_optimistic(s, finish);
    } else if (strcmp(name, "heft-min") == 0) {
        rank_upward(s, least_time, nothing);
    } else if (strstr(name, "-wm") != NULL) {
        rank_upward(s, weighted_time, weighted_cost);
    } else if (peft) {
        optimistic_cost(s, finish);
        for (int64_t j = 0; j < s->n; j++) {
            s->rank[j] = mean(s, j, finish[j]);
        }
    } else if (strcmp(name, "cpop") == 0) {
        critical = find_path(s, path);
    } else {
        rank_upward(s, mean_time, mean_cost);
    }
    for (int64_t i = 0; i < s->n; i++) {
        int64_t task = -1;
        for (int64_t j = 0; j < s->n; j++) {
            if (ready(s, done, j) && (task < 0 || comes_before(s, j, task))) {
                task = j;
            }
        }
        done[task] = true;
        s->at[task] = hoft                                  ? choose_hoft(s, task, finish)
                      : peft                                ? choose_peft(s, task, finish)
                      : strcmp(name, "heft-lookahead") == 0 ? choose_ahead(s, task)
                      : path[task] && critical < s->types   ? insert(s, task, critical, 0)
                                                            : earliest(s, task, s->types);
    }
}

// --- comparison ----------------------------------------------------------------------------------

static duet_instance *draw(uint64_t seed, int least, int most)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 3 == 0 ? 1 + seed / 3 % TYPES : 2;
    duet_graph_shape shape = {.tasks = {.min_tasks = least,
                                        .max_tasks = most,
                                        .min_processors = 1,
                                        .max_processors = PROCESSORS,
                                        .types = types},
                              .cost = seed % 2 == 0 ? 0 : duet_random_between(&random, 1, 200)};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static bool handled(const duet_instance *instance, const char *name)
{
    return duet_instance_types(instance) == 2 ||
           (strstr(name, "-wm") == NULL && strcmp(name, "hoft") != 0);
}

static void compare(const duet_instance *instance, const char *name, const char *option,
                    uint64_t seed)
{
    static plain s;
    s = (plain){.instance = instance,
                .n = duet_instance_tasks(instance),
                .types = duet_instance_types(instance),
                .edges = duet_instance_edges(instance)};
    s.gpu_first = option == NULL || strcmp(option, "ties=cpu") != 0;
    sort(&s, option != NULL && strcmp(option, "topo=stack") == 0);
    schedule(&s, name);
    duet_solution *solution = duet_test_solve(instance, name, option, NULL);
    const duet_placement *placed = duet_solution_placements(solution);
    for (int64_t j = 0; j < s.n; j++) {
        if (placed[j].start != s.at[j].start || placed[j].type != (int32_t)s.at[j].type ||
            placed[j].processor != s.at[j].processor) {
            char why[200];
            snprintf(why, sizeof why,
                     "%s %s: task %lld on type %d, processor %d at %lld, expected %d, %d at %lld",
                     name, option == NULL ? "" : option, (long long)j, placed[j].type,
                     placed[j].processor, (long long)placed[j].start, (int)s.at[j].type,
                     (int)s.at[j].processor, (long long)s.at[j].start);
            duet_fail_instance(instance, "graph-list", seed, why);
        }
    }
    duet_solution_free(solution);
}

static void as_plain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_instance *instance = draw(seed, 10, TASKS);
        for (size_t a = 0; a < ALGORITHMS; a++) {
            // Without edges heft orders by exact means, and its row has no topological order.
            bool plain_heft = duet_instance_edges(instance) == 0 && a == 0;
            if (handled(instance, algorithms[a]) && !plain_heft) {
                compare(instance, algorithms[a], options[(seed + a) % 3], seed);
            }
        }
        duet_instance_free(instance);
    }
}

static void never_below_the_optimum(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SMALL_GRAPHS; seed++) {
        duet_instance *instance = draw(seed, 4, 8);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t a = 0; a < ALGORITHMS; a++) {
            if (handled(instance, algorithms[a]) &&
                duet_test_makespan(instance, algorithms[a]) < optimum) {
                duet_fail_instance(instance, "graph-list", seed, algorithms[a]);
            }
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_plain),
                                       cmocka_unit_test(never_below_the_optimum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
