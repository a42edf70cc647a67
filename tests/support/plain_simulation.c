// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_simulation.h"

#include <string.h>

#include <duet/graph.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/solution.h"

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t planned(const plain_simulation *s, int64_t task, size_t type)
{
    return duet_instance_time(s->instance, duet_instance_kind_of(s->instance, task), type);
}

static bool may(const plain_simulation *s, int64_t task, size_t type)
{
    return s->left[type] > 0 && planned(s, task, type) != DUET_FORBIDDEN;
}

static size_t types_of(const plain_simulation *s)
{
    return duet_instance_types(s->instance);
}

static int64_t count_of(const plain_simulation *s, size_t type)
{
    return duet_instance_type_count(s->instance, type);
}

// When the data of a task are on a processor; all predecessors have ended.
static int64_t arrival(const plain_simulation *s, int64_t task, size_t type, int64_t processor)
{
    int64_t there = 0;
    for (int64_t e = 0; e < duet_instance_edges(s->instance); e++) {
        duet_edge edge = duet_instance_edge(s->instance, e);
        if (edge.to == task) {
            const duet_placement *before = &s->at[edge.from];
            bool same = (size_t)before->type == type && before->processor == processor;
            int64_t cost = duet_instance_transfer(s->instance, e, (size_t)before->type, type);
            there = latest(there, s->end[edge.from] + (same ? 0 : cost));
        }
    }
    return there;
}

static bool is_revealed(const plain_simulation *s, int64_t task)
{
    for (int64_t e = 0; e < duet_instance_edges(s->instance); e++) {
        duet_edge edge = duet_instance_edge(s->instance, e);
        if (edge.to == task && s->stage[edge.from] != PLAIN_DONE) {
            return false;
        }
    }
    return true;
}

// --- processors ----------------------------------------------------------------------------------

static void start(plain_simulation *s, int64_t task, size_t type, int64_t processor)
{
    int64_t from = latest(s->now, arrival(s, task, type, processor));
    int64_t work = s->real[(size_t)task * types_of(s) + type];
    int64_t end = from + work;
    bool slow = s->slow && s->slow_type == type && s->slow_processor == processor;
    if (slow && from >= s->slow_at) {
        end = from + work * s->slow_factor;
    } else if (slow && end > s->slow_at) {
        end = s->slow_at + (end - s->slow_at) * s->slow_factor;
    }
    s->at[task] = (duet_placement){from, (int32_t)processor, (int32_t)type};
    s->end[task] = end;
    s->stage[task] = PLAIN_STARTED;
}

// The task that a processor has begun or waits to begin; -1: it is idle.
static int64_t running(const plain_simulation *s, size_t type, int64_t processor)
{
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->stage[j] == PLAIN_STARTED && (size_t)s->at[j].type == type &&
            s->at[j].processor == processor) {
            return j;
        }
    }
    return -1;
}

static void push(plain_simulation *s, int64_t task, size_t type, int64_t processor)
{
    s->line[type][processor][s->length[type][processor]++] = task;
    s->stage[task] = PLAIN_BOUND;
}

static int64_t shift(plain_simulation *s, size_t type, int64_t processor)
{
    int64_t *line = s->line[type][processor];
    int64_t first = line[0];
    s->length[type][processor]--;
    memmove(line, line + 1, (size_t)s->length[type][processor] * sizeof *line);
    return first;
}

// From when on a rule expects a processor to be free.
static int64_t expected(const plain_simulation *s, size_t type, int64_t processor)
{
    int64_t held = running(s, type, processor);
    int64_t free_from = s->now;
    if (held >= 0) {
        int64_t end = s->at[held].start + planned(s, held, type);
        free_from = latest(end, s->now + (s->way == PLAIN_EFT_IDLE));
    }
    for (int64_t i = 0; i < s->length[type][processor]; i++) {
        int64_t task = s->line[type][processor][i];
        free_from = latest(free_from, arrival(s, task, type, processor)) + planned(s, task, type);
    }
    return free_from;
}

// --- rules ---------------------------------------------------------------------------------------

static duet_placement first_on(const plain_simulation *s, int64_t task, size_t type,
                               int64_t free_from[PLAIN_TYPES][PLAIN_PROCESSORS])
{
    duet_placement best = {INT64_MAX, -1, (int32_t)type};
    for (int64_t p = 0; p < count_of(s, type); p++) {
        int64_t from = latest(latest(free_from[type][p], s->now), arrival(s, task, type, p));
        if (!s->gone[type][p] && from < best.start) {
            best.start = from;
            best.processor = (int32_t)p;
        }
    }
    return best;
}

// eft: where it ends first, the last type of several; qa: least p / sqrt(m), the first of several.
static size_t choose(const plain_simulation *s, int64_t task,
                     int64_t free_from[PLAIN_TYPES][PLAIN_PROCESSORS])
{
    size_t best = SIZE_MAX;
    int64_t earliest = INT64_MAX;
    for (size_t t = 0; t < types_of(s); t++) {
        if (!may(s, task, t)) {
            continue;
        }
        if (s->way == PLAIN_QA) {
            duet_int128 p = planned(s, task, t);
            duet_int128 q = best == SIZE_MAX ? 0 : planned(s, task, best);
            if (best == SIZE_MAX || p * p * s->left[best] < q * q * s->left[t]) {
                best = t;
            }
        } else {
            int64_t end = first_on(s, task, t, free_from).start + planned(s, task, t);
            best = end <= earliest ? t : best;
            earliest = end <= earliest ? end : earliest;
        }
    }
    return best;
}

static void expect_all(const plain_simulation *s, int64_t free_from[PLAIN_TYPES][PLAIN_PROCESSORS])
{
    for (size_t t = 0; t < types_of(s); t++) {
        for (int64_t p = 0; p < count_of(s, t); p++) {
            free_from[t][p] = expected(s, t, p);
        }
    }
}

static void decide(plain_simulation *s)
{
    int64_t free_from[PLAIN_TYPES][PLAIN_PROCESSORS];
    expect_all(s, free_from);
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->stage[j] != PLAIN_READY) {
            continue;
        }
        size_t type = choose(s, j, free_from);
        duet_placement where = first_on(s, j, type, free_from);
        free_from[type][where.processor] = where.start + planned(s, j, type);
        if (s->way != PLAIN_EFT_IDLE) {
            push(s, j, type, where.processor);
        } else if (where.start == s->now) {
            start(s, j, type, where.processor);
        }
    }
}

// --- plans ---------------------------------------------------------------------------------------

static size_t home_of(const plain_simulation *s, int64_t task)
{
    size_t best = (size_t)s->planned_type[task];
    if (s->left[best] > 0) {
        return best;
    }
    best = SIZE_MAX;
    for (size_t t = 0; t < types_of(s); t++) {
        if (may(s, task, t) && (best == SIZE_MAX || planned(s, task, t) < planned(s, task, best))) {
            best = t;
        }
    }
    return best;
}

static int64_t work_of(const plain_simulation *s, size_t type, int64_t processor)
{
    int64_t held = running(s, type, processor);
    int64_t work = held < 0 ? 0 : latest(0, s->at[held].start + planned(s, held, type) - s->now);
    for (int64_t i = 0; i < s->length[type][processor]; i++) {
        work += planned(s, s->line[type][processor][i], type);
    }
    return work;
}

// Behind the tasks of its line that are planned before it.
static void insert(plain_simulation *s, int64_t task, size_t type, int64_t processor)
{
    int64_t *line = s->line[type][processor];
    int64_t at = s->length[type][processor]++;
    for (; at > 0 && s->place[line[at - 1]] > s->place[task]; at--) {
        line[at] = line[at - 1];
    }
    line[at] = task;
}

static void rehouse(plain_simulation *s, const int64_t *homeless, int64_t count)
{
    for (int64_t i = 0; i < s->tasks; i++) {
        int64_t task = s->order[i];
        bool found = false;
        for (int64_t h = 0; h < count; h++) {
            found = found || homeless[h] == task;
        }
        if (!found) {
            continue;
        }
        size_t type = home_of(s, task);
        int64_t best = -1;
        for (int64_t p = 0; p < count_of(s, type); p++) {
            if (!s->gone[type][p] && (best < 0 || work_of(s, type, p) < work_of(s, type, best))) {
                best = p;
            }
        }
        insert(s, task, type, best);
    }
}

static void allocate(plain_simulation *s)
{
    for (size_t t = 0; t < types_of(s); t++) {
        for (int64_t p = 0; p < count_of(s, t); p++) {
            for (int64_t i = 0; i < s->tasks && !s->gone[t][p] && running(s, t, p) < 0; i++) {
                int64_t task = s->order[i];
                if (s->stage[task] == PLAIN_READY && home_of(s, task) == t &&
                    arrival(s, task, t, p) <= s->now) {
                    start(s, task, t, p);
                }
            }
        }
    }
}

// --- time ----------------------------------------------------------------------------------------

static void lose(plain_simulation *s)
{
    if (!s->fail || s->fail_at > s->now) {
        return;
    }
    size_t type = s->fail_type;
    int64_t processor = s->fail_processor;
    int64_t homeless[PLAIN_TASKS];
    int64_t count = 0;
    int64_t held = running(s, type, processor);
    s->fail = false;
    s->gone[type][processor] = true;
    s->left[type]--;
    if (held >= 0) {
        s->lost += s->at[held].start < s->now;
        s->stage[held] = PLAIN_READY;
        homeless[count++] = held;
    }
    while (s->length[type][processor] > 0) {
        int64_t task = shift(s, type, processor);
        s->stage[task] = s->way == PLAIN_ORDER ? s->stage[task] : PLAIN_READY;
        homeless[count++] = task;
    }
    if (s->way == PLAIN_ORDER) {
        rehouse(s, homeless, count);
    }
}

static bool complete(plain_simulation *s)
{
    bool any = false;
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->stage[j] == PLAIN_STARTED && s->end[j] <= s->now) {
            s->stage[j] = PLAIN_DONE;
            any = true;
        }
    }
    return any;
}

// Idle processors start the first task of their line; a plan's only where it is ready.
static void start_lines(plain_simulation *s)
{
    for (size_t t = 0; t < types_of(s); t++) {
        for (int64_t p = 0; p < count_of(s, t); p++) {
            if (s->length[t][p] > 0 && running(s, t, p) < 0 &&
                (s->way != PLAIN_ORDER || s->stage[s->line[t][p][0]] == PLAIN_READY)) {
                start(s, shift(s, t, p), t, p);
            }
        }
    }
}

static void reveal(plain_simulation *s)
{
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->stage[j] == PLAIN_HIDDEN && is_revealed(s, j)) {
            s->stage[j] = PLAIN_READY;
        }
    }
}

static void act(plain_simulation *s)
{
    if (s->way == PLAIN_ALLOCATION) {
        allocate(s);
    } else if (s->way != PLAIN_ORDER) {
        decide(s);
    }
    start_lines(s);
}

// The next instant at which anything can happen: an end, a start, an arrival, the loss.
static int64_t next_instant(const plain_simulation *s)
{
    int64_t next = INT64_MAX;
    for (int64_t j = 0; j < s->tasks; j++) {
        if (s->stage[j] == PLAIN_STARTED && s->end[j] < next) {
            next = s->end[j];
        }
        for (size_t t = 0; t < types_of(s) && s->stage[j] == PLAIN_READY; t++) {
            for (int64_t p = 0; p < count_of(s, t); p++) {
                int64_t there = arrival(s, j, t, p);
                next = there > s->now && there < next ? there : next;
            }
        }
    }
    return s->fail && next < INT64_MAX && s->fail_at < next ? s->fail_at : next;
}

void plain_simulation_run(plain_simulation *s)
{
    for (s->now = 0; s->now < INT64_MAX; s->now = next_instant(s)) {
        do {
            // Of a line several that take no time end in one round, a plan's one by one.
            while (complete(s) && s->way != PLAIN_ORDER && s->way != PLAIN_ALLOCATION) {
                start_lines(s);
            }
            reveal(s);
            lose(s);
            act(s);
        } while (next_instant(s) <= s->now);
    }
}

// --- beginning -----------------------------------------------------------------------------------

void plain_simulation_begin(plain_simulation *s, const duet_instance *instance, plain_way way)
{
    *s = (plain_simulation){
        .instance = instance, .way = way, .tasks = duet_instance_tasks(instance)};
    for (size_t t = 0; t < types_of(s); t++) {
        s->left[t] = count_of(s, t);
    }
}

void plain_simulation_plan(plain_simulation *s, const duet_solution *plan)
{
    int32_t topological[PLAIN_TASKS];
    int64_t position[PLAIN_TASKS];
    for (int64_t j = 0; j < s->tasks; j++) {
        position[j] = j;
    }
    if (s->instance->graph != NULL) {
        (void)duet_graph_sort(s->instance->graph, DUET_TOPOLOGICAL_SMALLEST, topological, NULL);
        for (int64_t i = 0; i < s->tasks; i++) {
            position[topological[i]] = i;
        }
    }
    size_t at = 0;
    for (int64_t j = 0; j < s->tasks; j++) {
        s->at[j] = duet_solution_place(plan, j, &at);
        s->planned_type[j] = s->at[j].type;
        s->end[j] = s->at[j].start + planned(s, j, (size_t)s->at[j].type);
    }
    for (int64_t j = 0; j < s->tasks; j++) { // insertion by start, end, position
        int64_t i = j;
        for (; i > 0; i--) {
            int64_t other = s->order[i - 1];
            int order = 4 * duet_order(s->at[other].start, s->at[j].start) +
                        2 * duet_order(s->end[other], s->end[j]) +
                        duet_order(position[other], position[j]);
            if (order < 0) {
                break;
            }
            s->order[i] = other;
        }
        s->order[i] = j;
    }
    for (int64_t i = 0; i < s->tasks; i++) {
        s->place[s->order[i]] = i;
    }
    for (int64_t i = 0; i < s->tasks && s->way == PLAIN_ORDER; i++) {
        const duet_placement *where = &s->at[s->order[i]];
        insert(s, s->order[i], (size_t)where->type, where->processor);
    }
}
