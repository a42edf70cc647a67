// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_online.h"

#include <string.h>

#include <duet/duet.h>

#include "core/number/fraction.h"

const char *const duet_plain_rules[DUET_PLAIN_RULES] = {"eft",      "qa",    "er-ls", "mixeft",
                                                        "quickest", "ratio", "list"};

static int64_t time_of(const duet_plain_online *s, int64_t task, size_t type)
{
    return duet_instance_time(s->instance, duet_instance_kind_of(s->instance, task), type);
}

static int64_t count_of(const duet_plain_online *s, size_t type)
{
    return duet_instance_type_count(s->instance, type);
}

static bool may(const duet_plain_online *s, int64_t task, size_t type)
{
    return count_of(s, type) > 0 && time_of(s, task, type) != DUET_FORBIDDEN;
}

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// When a task would start on a processor of a platform that has its predecessors.
static int64_t start_on(const duet_plain_online *s, const duet_plain_platform *p, int64_t task,
                        size_t type, int processor, int64_t from)
{
    int64_t start = latest(from, p->free_from[type][processor]);
    for (int64_t e = 0; e < duet_instance_edges(s->instance); e++) {
        duet_edge edge = duet_instance_edge(s->instance, e);
        if (edge.to == task) {
            const duet_placement *before = &p->at[edge.from];
            bool same = (size_t)before->type == type && before->processor == processor;
            int64_t cost = duet_instance_transfer(s->instance, e, (size_t)before->type, type);
            start = latest(start, p->end[edge.from] + (same ? 0 : cost));
        }
    }
    return start;
}

// Where it starts first on a type.
static duet_placement first_on(const duet_plain_online *s, const duet_plain_platform *p,
                               int64_t task, size_t type, int64_t from)
{
    duet_placement best = {INT64_MAX, -1, (int32_t)type};
    for (int i = 0; i < count_of(s, type); i++) {
        int64_t start = start_on(s, p, task, type, i, from);
        if (start < best.start) {
            best.start = start;
            best.processor = i;
        }
    }
    return best;
}

static int64_t put(const duet_plain_online *s, duet_plain_platform *p, int64_t task,
                   duet_placement where)
{
    p->at[task] = where;
    p->end[task] = where.start + time_of(s, task, (size_t)where.type);
    p->free_from[where.type][where.processor] = p->end[task];
    return p->end[task];
}

// Whether the task belongs to type a rather than to b, by products of its times with counts.
static int compare_types(const duet_plain_online *s, int64_t task, size_t a, size_t b)
{
    duet_int128 p = time_of(s, task, a);
    duet_int128 q = time_of(s, task, b);
    switch (s->rule) {
    case DUET_PLAIN_QUICKEST:
    case DUET_PLAIN_LIST:
        return duet_order(p, q);
    case DUET_PLAIN_RATIO:
        return duet_order(p * count_of(s, b), q * count_of(s, a));
    default: // p / sqrt(m_a) against q / sqrt(m_b)
        return duet_order(p * p * count_of(s, b), q * q * count_of(s, a));
    }
}

static size_t by_times(const duet_plain_online *s, int64_t task)
{
    bool later_wins =
        s->rule == DUET_PLAIN_QUICKEST || s->rule == DUET_PLAIN_RATIO || s->rule == DUET_PLAIN_LIST;
    size_t best = SIZE_MAX;
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        if (!may(s, task, t)) {
            continue;
        }
        int order = best == SIZE_MAX ? -1 : compare_types(s, task, t, best);
        best = order < 0 || (order == 0 && later_wins) ? t : best;
    }
    return best;
}

static size_t by_finish(const duet_plain_online *s, const duet_plain_platform *p, int64_t task)
{
    size_t types = duet_instance_types(s->instance);
    size_t best = SIZE_MAX;
    int64_t earliest = INT64_MAX;
    for (size_t i = 0; i < types; i++) {
        size_t t = s->cpu_wins ? i : types - 1 - i;
        if (may(s, task, t)) {
            int64_t end = first_on(s, p, task, t, s->now).start + time_of(s, task, t);
            best = end < earliest ? t : best;
            earliest = end < earliest ? end : earliest;
        }
    }
    return best;
}

// Of the types after the first, where it ends first of those where it ends by its time on the
// first.
static size_t in_time(const duet_plain_online *s, const duet_plain_platform *p, int64_t task)
{
    size_t best = SIZE_MAX;
    int64_t limit = may(s, task, 0) ? time_of(s, task, 0) : -1;
    for (size_t t = 1; t < duet_instance_types(s->instance) && limit >= 0; t++) {
        if (may(s, task, t)) {
            int64_t end = first_on(s, p, task, t, s->now).start + time_of(s, task, t);
            best = end <= limit ? t : best;
            limit = end <= limit ? end : limit;
        }
    }
    return best;
}

static size_t by_both(duet_plain_online *s, const duet_plain_platform *p, int64_t task)
{
    size_t qa = by_times(s, task);
    if (s->follows_qa && !(s->idle && s->by_eft[task])) {
        return qa;
    }
    size_t eft = by_finish(s, p, task);
    if (s->idle && s->by_eft[task]) {
        return eft;
    }
    duet_placement there = first_on(s, &s->qa, task, qa, 0);
    s->qa_makespan = latest(s->qa_makespan, put(s, &s->qa, task, there));
    int64_t end = first_on(s, p, task, eft, s->now).start + time_of(s, task, eft);
    int64_t makespan = latest(s->makespan, end);
    s->follows_qa = (duet_int128)makespan * 1000 > (duet_int128)s->qa_makespan * s->lambda;
    s->makespan = s->follows_qa ? s->makespan : makespan;
    s->by_eft[task] = !s->follows_qa;
    return s->follows_qa ? qa : eft;
}

static size_t choose(duet_plain_online *s, const duet_plain_platform *p, int64_t task)
{
    size_t type = SIZE_MAX;
    switch (s->rule) {
    case DUET_PLAIN_EFT:
        return by_finish(s, p, task);
    case DUET_PLAIN_MIXEFT:
        return by_both(s, p, task);
    case DUET_PLAIN_ER_LS:
        type = in_time(s, p, task);
        return type == SIZE_MAX ? by_times(s, task) : type;
    default:
        return by_times(s, task);
    }
}

static bool is_revealed(const duet_plain_online *s, int64_t task)
{
    bool revealed = true;
    for (int64_t e = 0; e < duet_instance_edges(s->instance) && revealed; e++) {
        duet_edge edge = duet_instance_edge(s->instance, e);
        int64_t end = s->real.end[edge.from];
        revealed = edge.to != task || (end >= 0 && end <= s->now);
    }
    return revealed;
}

// What a task weighs: its shortest time, of list that on its type.
static int64_t bottom_level(const duet_plain_online *s, int64_t task, int64_t *level)
{
    if (level[task] >= 0) {
        return level[task];
    }
    int64_t least = INT64_MAX;
    int64_t behind = 0;
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        int64_t time = may(s, task, t) ? time_of(s, task, t) : INT64_MAX;
        least = time < least ? time : least;
    }
    size_t count;
    const int32_t *edges = duet_instance_edges_from(s->instance, task, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t head = duet_instance_edge(s->instance, edges[i]).to;
        behind = latest(behind, bottom_level(s, head, level));
    }
    level[task] = least + behind;
    return level[task];
}

// Brings tasks into the order in which they are looked at.
static void sort(const duet_plain_online *s, const int64_t *level, int64_t *list, int64_t count)
{
    for (int64_t i = 1; i < count && s->bottom; i++) {
        for (int64_t j = i; j > 0 && level[list[j - 1]] < level[list[j]]; j--) {
            int64_t kept = list[j];
            list[j] = list[j - 1];
            list[j - 1] = kept;
        }
    }
}

// The tasks that are revealed and have not been placed, in order.
static int64_t gather(const duet_plain_online *s, const int64_t *level, int64_t *list)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->real.end[j] < 0 && is_revealed(s, j)) {
            list[count++] = j;
        }
    }
    sort(s, level, list, count);
    return count;
}

// Starts what can start on idle processors; returns how many tasks.
static int64_t start_idle(duet_plain_online *s, const int64_t *list, int64_t count)
{
    duet_plain_platform copy = s->real;
    int64_t started = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t task = list[i];
        bool anew = s->rule == DUET_PLAIN_EFT || s->rule == DUET_PLAIN_MIXEFT;
        if (s->type[task] < 0 || anew) {
            s->type[task] = (int)choose(s, &copy, task);
        }
        duet_placement where = first_on(s, &copy, task, (size_t)s->type[task], s->now);
        put(s, &copy, task, where);
        if (where.start == s->now) {
            put(s, &s->real, task, where);
            started++;
        }
    }
    return started;
}

void duet_plain_online_simulate(duet_plain_online *s)
{
    int64_t level[DUET_PLAIN_MAX_TASKS];
    int64_t list[DUET_PLAIN_MAX_TASKS];
    for (int64_t j = 0; j < s->tasks; j++) {
        level[j] = -1;
        s->real.end[j] = -1;
        s->type[j] = -1;
    }
    for (int64_t j = 0; j < s->tasks; j++) {
        bottom_level(s, j, level);
    }
    for (;;) {
        for (int64_t count; (count = gather(s, level, list)) > 0;) {
            if (s->idle && start_idle(s, list, count) == 0) {
                break;
            }
            for (int64_t i = 0; i < count && !s->idle; i++) {
                size_t type = choose(s, &s->real, list[i]);
                put(s, &s->real, list[i], first_on(s, &s->real, list[i], type, s->now));
            }
        }
        int64_t next = INT64_MAX;
        for (int64_t j = 0; j < s->tasks; j++) {
            next = s->real.end[j] > s->now && s->real.end[j] < next ? s->real.end[j] : next;
        }
        if (next == INT64_MAX) {
            return;
        }
        s->now = next;
    }
}
