// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/small.h"

#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/incumbent.h"

enum {
    MOST_TASKS = 24,
    CHECKED = 1 << 10 // nodes between two looks at the clock
};

// A task that is to be placed.
typedef struct task {
    int64_t least; // time on its best type
    uint32_t class;
} task;

typedef struct enumeration {
    duet_types *types;
    task task[MOST_TASKS];
    size_t tasks;
    // The processors type by type, of each type no more than there are tasks.
    size_t type[MOST_TASKS * DUET_MAX_TYPES];
    int64_t load[MOST_TASKS * DUET_MAX_TYPES];
    size_t processors;
    size_t on[MOST_TASKS];            // per task
    duet_int128 rest[MOST_TASKS + 1]; // weighted work of the tasks from one on
    duet_int128 work;                 // weighted, of those that are placed
    duet_int128 weights;              // of all processors
    int64_t nodes;                    // left
    bool stopped;
} enumeration;

static int longest_first(const void *a, const void *b)
{
    const task *x = a;
    const task *y = b;
    if (x->least != y->least) {
        return x->least > y->least ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

// The least time of a class, or its least weighted work.
static duet_int128 least_of(const duet_types *s, size_t class, bool weighted)
{
    const duet_classes *classes = &s->classes;
    duet_int128 least = -1;
    for (size_t t = 0; t < classes->types; t++) {
        if (duet_class_fits(classes, class, t)) {
            duet_int128 of = (duet_int128)classes->time[t][class] * (weighted ? s->weight[t] : 1);
            least = least < 0 || of < least ? of : least;
        }
    }
    return least;
}

static void list_tasks(enumeration *e)
{
    const duet_types *s = e->types;
    for (size_t c = 0; c < s->classes.count; c++) {
        for (int64_t j = 0; j < s->classes.tasks[c]; j++) {
            e->task[e->tasks++] = (task){(int64_t)least_of(s, c, false), (uint32_t)c};
        }
    }
    qsort(e->task, e->tasks, sizeof *e->task, longest_first);
    e->rest[e->tasks] = 0;
    for (size_t j = e->tasks; j-- > 0;) {
        e->rest[j] = e->rest[j + 1] + least_of(s, e->task[j].class, true);
    }
}

static void list_processors(enumeration *e)
{
    const duet_types *s = e->types;
    for (size_t t = 0; t < s->classes.types; t++) {
        int64_t processors = s->classes.processors[t];
        e->weights += (duet_int128)processors * s->weight[t];
        for (int64_t i = 0; i < processors && i < (int64_t)e->tasks; i++) {
            e->type[e->processors++] = t;
        }
    }
}

// The schedule of all tasks, which is shorter than the best.
static duet_code offer(enumeration *e, duet_error *error)
{
    duet_types *s = e->types;
    duet_code code = DUET_OK;
    duet_loads_clear(&s->loads);
    for (size_t i = 0; i < e->processors && code == DUET_OK; i++) {
        code = duet_loads_push(&s->loads, e->type[i], NULL, 0, error);
        for (size_t j = 0; j < e->tasks && code == DUET_OK; j++) {
            code = e->on[j] == i ? duet_loads_add(&s->loads, e->task[j].class, error) : DUET_OK;
        }
    }
    return code == DUET_OK ? duet_incumbent_offer(s->exact, &s->classes, &s->loads, error) : code;
}

// Whether a processor from `first` on, of the same type, has the same load.
static bool is_repeated(const enumeration *e, size_t first, size_t processor)
{
    for (size_t i = processor; i-- > first && e->type[i] == e->type[processor];) {
        if (e->load[i] == e->load[processor]) {
            return true;
        }
    }
    return false;
}

// Places the tasks from `at` on in every way that may end below the best makespan.
static duet_code place(enumeration *e, size_t at, duet_error *error)
{
    duet_exact *exact = e->types->exact;
    const duet_classes *classes = &e->types->classes;
    if (at == e->tasks) {
        return offer(e, error);
    }
    e->nodes--;
    e->stopped = e->stopped || e->nodes <= 0 ||
                 (e->nodes % CHECKED == 0 && duet_context_stop(exact->context));
    uint32_t class = e->task[at].class;
    size_t first = at > 0 && e->task[at - 1].class == class ? e->on[at - 1] : 0;
    duet_code code = DUET_OK;
    for (size_t i = first; i < e->processors && !e->stopped && code == DUET_OK; i++) {
        size_t type = e->type[i];
        int64_t time = classes->time[type][class];
        if (!duet_class_fits(classes, class, type) || is_repeated(e, first, i)) {
            continue;
        }
        duet_int128 added = (duet_int128)time * e->types->weight[type];
        duet_int128 room = e->weights * (exact->best->makespan - 1);
        if (time >= exact->best->makespan - e->load[i] ||
            e->work + added + e->rest[at + 1] > room) {
            continue;
        }
        e->load[i] += time;
        e->work += added;
        e->on[at] = i;
        code = place(e, at + 1, error);
        e->load[i] -= time;
        e->work -= added;
    }
    return code;
}

duet_code duet_types_enumerate(duet_types *s, int64_t nodes, bool *all, duet_error *error)
{
    *all = false;
    if (s->classes.total > MOST_TASKS) {
        return DUET_OK;
    }
    enumeration *e = duet_alloc(1, sizeof *e, error);
    DUET_NEED(e);
    e->types = s;
    e->nodes = nodes;
    list_tasks(e);
    list_processors(e);
    duet_code code = place(e, 0, error);
    *all = code == DUET_OK && !e->stopped;
    duet_free(e);
    return code;
}
