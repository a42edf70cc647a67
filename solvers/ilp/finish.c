// SPDX-License-Identifier: Apache-2.0
// The last ticks of algorithm ilp: depth-first search in integers over the slot of every task, for
// schedules below the best makespan. The task whose shortest time is longest comes first. Of slots
// of one type with equal loads one is tried. Gives up after MAX_NODES.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "solvers/ilp/ilp.h"

enum { MAX_NODES = 2000000, MAX_DEPTH = 512, NODES_PER_CHECK = 1024 };

typedef struct descent {
    duet_ilp *s;
    int64_t *load; // per slot, units
    int32_t *slot; // per task
    int64_t *task; // in search order
    size_t *kind;  // of each of them
    int64_t *rest; // least total time of the tasks from here on
    int64_t nodes;
    bool ended; // out of nodes, a limit came, or the schedule is good enough
} descent;

// Whether to go on below a node: `assigned` is the work of the tasks before it. A better schedule
// has room for that and for the least work of the other tasks.
static bool is_open(descent *d, size_t depth, int64_t assigned)
{
    duet_ilp *s = d->s;
    d->nodes++;
    if (d->nodes % NODES_PER_CHECK == 0 && duet_context_stop(s->context)) {
        s->interrupted = true;
        d->ended = true;
    }
    d->ended = d->ended || d->nodes > MAX_NODES || duet_ilp_near(s);
    duet_int128 room = (duet_int128)(s->best - 1) * (duet_int128)s->slots;
    return !d->ended && (duet_int128)assigned + d->rest[depth] <= room;
}

// Whether an earlier slot of the type has the same load.
static bool repeated(const descent *d, size_t type, size_t slot)
{
    for (size_t i = d->s->first_slot[type]; i < slot; i++) {
        if (d->load[i] == d->load[slot]) {
            return true;
        }
    }
    return false;
}

static void descend(descent *d, size_t depth, int64_t makespan, int64_t assigned)
{
    duet_ilp *s = d->s;
    size_t tasks = (size_t)duet_tasks(s->instance);
    if (depth == tasks) {
        if (makespan < s->best) {
            s->best = makespan;
            for (size_t j = 0; j < tasks; j++) {
                s->slot[j] = d->slot[j];
            }
        }
        return;
    }
    if (!is_open(d, depth, assigned)) {
        return;
    }
    size_t kind = d->kind[depth];
    for (size_t t = 0; t < s->instance->types; t++) {
        if (!duet_allowed(s->instance, kind, t)) {
            continue;
        }
        int64_t time = duet_ilp_units(s, kind, t);
        for (size_t i = s->first_slot[t]; i < s->first_slot[t + 1]; i++) {
            int64_t end = d->load[i] + time;
            if (end >= s->best || repeated(d, t, i)) {
                continue;
            }
            d->load[i] = end;
            d->slot[d->task[depth]] = (int32_t)i;
            descend(d, depth + 1, duet_max(end, makespan), assigned + time);
            d->load[i] = end - time;
        }
    }
}

// Puts the tasks in search order.
static void line_up(descent *d)
{
    const duet_ilp *s = d->s;
    size_t at = 0;
    for (size_t i = 0; i < s->instance->kinds; i++) {
        size_t kind = s->order[i].kind;
        for (int64_t j = s->instance->first[kind]; j < s->instance->first[kind + 1]; j++) {
            d->task[at] = j;
            d->kind[at] = kind;
            d->rest[at++] = (int64_t)s->order[i].key / s->unit;
        }
    }
    while (at > 0) {
        at--;
        d->rest[at] += d->rest[at + 1];
    }
}

duet_code duet_ilp_finish(duet_ilp *s, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(s->instance);
    if (tasks > MAX_DEPTH) {
        return DUET_OK;
    }
    descent d = {.s = s};
    d.load = duet_alloc(s->slots, sizeof *d.load, error);
    d.slot = duet_alloc(tasks, sizeof *d.slot, error);
    d.task = duet_alloc(tasks, sizeof *d.task, error);
    d.kind = duet_alloc(tasks, sizeof *d.kind, error);
    d.rest = duet_alloc(tasks + 1, sizeof *d.rest, error);
    duet_code code = DUET_E_MEMORY;
    if (d.load != NULL && d.slot != NULL && d.task != NULL && d.kind != NULL && d.rest != NULL) {
        code = DUET_OK;
        line_up(&d);
        descend(&d, 0, 0, 0);
        s->integer_nodes = d.nodes;
        s->bound = d.ended ? s->bound : s->best;
    }
    duet_free(d.load);
    duet_free(d.slot);
    duet_free(d.task);
    duet_free(d.kind);
    duet_free(d.rest);
    return code;
}
