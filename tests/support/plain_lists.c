// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_lists.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/instance.h"
#include "tests/support/plain_ranks.h"

enum { ONE = 1 << 20 }; // a rank of 1

static bool ready(const plain *s, const bool *done, int64_t task)
{
    for (int64_t j = 0; j < s->n; j++) {
        if (s->edge[j][task] >= 0 && !done[j]) {
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
            duet_edge edge = duet_instance_edge(s->instance, e);
            if (edge.from == task && ready(s, done, edge.to)) {
                waiting[count++] = (int)edge.to;
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
    for (int64_t j = 0; j < s->n; j++) {
        const place *p = &s->at[j];
        int e = s->edge[j][task];
        if (e >= 0 && p->placed) {
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

// --- rules ---------------------------------------------------------------------------------------

typedef int64_t table[TASKS][TYPES];

static void optimistic_finish(const plain *s, table finish)
{
    for (int64_t i = 0; i < s->n; i++) {
        int64_t task = s->order[i];
        for (size_t t = 0; t < 2; t++) {
            int64_t latest = 0;
            for (int64_t before = 0; before < s->n; before++) {
                int e = s->edge[before][task];
                int64_t first = e < 0 ? 0 : INT64_MAX;
                for (size_t a = 0; a < 2 && e >= 0; a++) {
                    int64_t arrival = finish[before][a] + (a != t ? cost(s, e, a, t) : 0);
                    first = time_of(s, before, a) >= 0 && arrival < first ? arrival : first;
                }
                latest = first > latest ? first : latest;
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
        duet_int128 own =
            !both || a == b ? ONE : duet_plain_floor(a < b ? b : a, least > 0 ? least : 1);
        s->rank[task] = own + duet_plain_way(s, duet_plain_nothing, duet_plain_nothing, task, true);
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
    for (int64_t child = 0; child < s->n; child++) {
        int e = s->edge[task][child];
        if (e >= 0) {
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
                    if (s->edge[task][j] >= 0 && !trial.at[j].placed &&
                        (next < 0 || comes_before(s, j, next))) {
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
            for (int64_t child = 0; child < s->n; child++) {
                int e = s->edge[task][child];
                int64_t least = e < 0 ? 0 : INT64_MAX;
                for (size_t d = 0; d < s->types && e >= 0; d++) {
                    int64_t time = time_of(s, child, d);
                    int64_t rest = left[child][d] + time + (d == t ? 0 : cost(s, e, t, d));
                    least = time >= 0 && rest < least ? rest : least;
                }
                left[task][t] = least > left[task][t] ? least : left[task][t];
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
    duet_plain_rank_upward(s, duet_plain_mean_time, duet_plain_mean_cost);
    memcpy(up, s->rank, sizeof up);
    for (int64_t i = 0; i < s->n; i++) {
        s->rank[s->order[i]] =
            duet_plain_way(s, duet_plain_mean_time, duet_plain_mean_cost, s->order[i], false);
    }
    for (int64_t j = 0; j < s->n; j++) {
        s->rank[j] += up[j] - duet_plain_mean_time(s, j);
        highest = s->rank[j] > highest ? s->rank[j] : highest;
    }
    for (int64_t last = -1;;) {
        int64_t next = -1;
        for (int64_t j = 0; j < s->n; j++) {
            bool child = last < 0 || s->edge[last][j] >= 0;
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
        duet_plain_rank_upward(s, duet_plain_least_time, duet_plain_nothing);
    } else if (strstr(name, "-wm") != NULL) {
        duet_plain_rank_upward(s, duet_plain_weighted_time, duet_plain_weighted_cost);
    } else if (peft) {
        optimistic_cost(s, finish);
        for (int64_t j = 0; j < s->n; j++) {
            s->rank[j] = duet_plain_mean(s, j, finish[j]);
        }
    } else if (strcmp(name, "cpop") == 0) {
        critical = find_path(s, path);
    } else {
        duet_plain_rank_upward(s, duet_plain_mean_time, duet_plain_mean_cost);
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

void duet_plain_schedule(const duet_instance *instance, const char *name, bool gpu_first,
                         bool stack, duet_placement *out)
{
    int edge[TASKS][TASKS];
    plain s = {.instance = instance,
               .n = duet_instance_tasks(instance),
               .types = duet_instance_types(instance),
               .edges = duet_instance_edges(instance),
               .gpu_first = gpu_first,
               .edge = edge};
    assert_true(s.n <= TASKS && s.types <= TYPES);
    for (int64_t j = 0; j < s.n; j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        for (size_t t = 0; t < s.types; t++) {
            s.time[j][t] = duet_allowed(instance, kind, t) ? duet_time(instance, kind, t) : -1;
        }
    }
    memset(edge, -1, sizeof edge);
    for (int64_t e = 0; e < s.edges; e++) {
        duet_edge joined = duet_instance_edge(instance, e);
        edge[joined.from][joined.to] = (int)e;
    }
    sort(&s, stack);
    schedule(&s, name);
    for (int64_t j = 0; j < s.n; j++) {
        out[j] = (duet_placement){s.at[j].start, (int32_t)s.at[j].processor, (int32_t)s.at[j].type};
    }
}
