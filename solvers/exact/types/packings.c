// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/packings.h"

#include <stdlib.h>

#include "core/memory.h"

enum { MOST_ITEMS = 64 };

typedef struct item {
    int64_t time;
    uint32_t class;
} item;

typedef struct packing {
    const duet_context *context;
    int64_t guess;
    item item[MOST_ITEMS];
    size_t items;
    int64_t load[MOST_ITEMS]; // per processor: more than items are not needed
    size_t processors;
    size_t on[MOST_ITEMS]; // per item
    int64_t nodes;         // left
} packing;

static int longest_first(const void *a, const void *b)
{
    const item *x = a;
    const item *y = b;
    if (x->time != y->time) {
        return x->time > y->time ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

// The tasks of a type. False: there are too many.
static bool list_items(const duet_types *s, size_t type, packing *p)
{
    const duet_classes *classes = &s->classes;
    p->items = 0;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t tasks = duet_residual_most(&s->state, c, type);
        if (tasks > MOST_ITEMS - (int64_t)p->items) {
            return false;
        }
        for (int64_t j = 0; j < tasks; j++) {
            p->item[p->items++] = (item){classes->time[type][c], (uint32_t)c};
        }
    }
    qsort(p->item, p->items, sizeof *p->item, longest_first);
    size_t processors = (size_t)classes->processors[type];
    p->processors = processors < p->items ? processors : p->items;
    return true;
}

// Whether another processor from the first on that may be tried has the same load.
static bool is_repeated(const packing *p, size_t first, size_t processor)
{
    for (size_t i = first; i < processor; i++) {
        if (p->load[i] == p->load[processor]) {
            return true;
        }
    }
    return false;
}

// Places the items from `at` on. Equal items go to processors in order, since they may be
// exchanged.
static duet_verdict place(packing *p, size_t at)
{
    if (at == p->items) {
        return DUET_FOUND;
    }
    if (p->nodes-- <= 0 || duet_context_stop(p->context)) {
        return DUET_OPEN;
    }
    const item *next = &p->item[at];
    bool same = at > 0 && p->item[at - 1].class == next->class;
    size_t first = same ? p->on[at - 1] : 0;
    duet_verdict verdict = DUET_REFUTED;
    for (size_t i = first; i < p->processors && verdict != DUET_FOUND; i++) {
        if (p->load[i] + next->time > p->guess || is_repeated(p, first, i)) {
            continue;
        }
        p->load[i] += next->time;
        p->on[at] = i;
        verdict = duet_verdict_join(verdict, place(p, at + 1));
        p->load[i] -= next->time;
        if (p->nodes <= 0 && verdict != DUET_FOUND) {
            return DUET_OPEN; // the processors that follow were not tried
        }
    }
    return verdict;
}

static duet_code push_loads(duet_types *s, size_t type, const packing *p, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < p->processors && code == DUET_OK; i++) {
        code = duet_loads_push(&s->loads, type, NULL, 0, error);
        for (size_t j = 0; j < p->items && code == DUET_OK; j++) {
            code = p->on[j] == i ? duet_loads_add(&s->loads, p->item[j].class, error) : DUET_OK;
        }
    }
    return code;
}

duet_code duet_types_pack_all(duet_types *s, size_t type, int64_t guess, int64_t nodes,
                              duet_verdict *verdict, duet_error *error)
{
    packing p = {.context = s->exact->context, .guess = guess, .nodes = nodes};
    *verdict = DUET_OPEN;
    if (!list_items(s, type, &p)) {
        return DUET_OK;
    }
    *verdict = place(&p, 0);
    return *verdict == DUET_FOUND ? push_loads(s, type, &p, error) : DUET_OK;
}
