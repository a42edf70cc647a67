// SPDX-License-Identifier: Apache-2.0
#include "dp/table/bundles.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_sums duet_sums_move(const duet_table_item *item, int64_t tasks)
{
    return (duet_sums){-item->value * tasks, item->weight * tasks, -item->c * tasks,
                       item->g * tasks, 0};
}

duet_sums duet_sums_of(const duet_table_problem *problem, const int64_t *on_r)
{
    duet_sums load = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < problem->kinds; i++) {
        const duet_table_item *item = &problem->items[i];
        int64_t on_v = item->count - on_r[i];
        duet_sums kind = {item->value * on_v, item->weight * on_r[i], item->c * on_v,
                          item->g * on_r[i], 0};
        load = duet_sums_add(load, kind);
    }
    return load;
}

// Bundles of up to `tasks` tasks of a kind; `direction` 1: from V to R, -1: back. `loss` is of one.
static duet_code add_bundles(const duet_table_problem *problem, duet_core *core, size_t kind,
                             int64_t tasks, int direction, int64_t loss, duet_error *error)
{
    for (int64_t size = 1; tasks > 0; size *= 2) {
        size = duet_min(size, tasks);
        tasks -= size;
        DUET_TRY(duet_vec_grow(core->bundles, core->count, error));
        duet_bundle bundle = {.kind = kind, .tasks = direction * size};
        bundle.change = duet_sums_move(&problem->items[kind], bundle.tasks);
        bundle.change.loss = loss * size;
        core->bundles[core->count++] = bundle;
    }
    return DUET_OK;
}

// How far a 128-bit gap is shifted to leave room for sums in 64 bits.
static int shift_of(duet_int128 gap)
{
    int shift = 0;
    while (gap >> shift >= (duet_int128)1 << 60) {
        shift++;
    }
    return shift;
}

static duet_code add_kind(const duet_table_problem *problem, duet_core *core, size_t kind,
                          duet_int128 difference, duet_int128 gap, int shift, duet_error *error)
{
    const duet_table_item *item = &problem->items[kind];
    duet_int128 size = difference < 0 ? -difference : difference;
    // Away from the cheaper type, which is R where V costs more.
    int away = difference > 0 ? -1 : 1;
    int64_t on_r = core->on_r[kind];
    int64_t off = away < 0 ? item->count - on_r : on_r; // tasks that are away already
    int64_t most = item->count;
    if (size > 0 && gap / size < most) {
        most = (int64_t)(gap / size);
    }
    int64_t loss = (int64_t)(size >> shift > gap >> shift ? (gap >> shift) + 1 : size >> shift);
    if (off > most) { // no more than `most` can stay away
        core->on_r[kind] += -away * (off - most);
        core->base = duet_sums_add(core->base, duet_sums_move(item, -away * (off - most)));
        off = most;
    }
    core->base.loss += off * loss;
    DUET_TRY(add_bundles(problem, core, kind, most - off, away, loss, error));
    return add_bundles(problem, core, kind, off, -away, -loss, error);
}

duet_code duet_core_create(const duet_table_problem *problem, const duet_multipliers *prices,
                           duet_int128 gap, const int64_t *on_r, duet_core *core, duet_error *error)
{
    *core = (duet_core){.count = 0};
    core->on_r = duet_alloc(problem->kinds, sizeof *core->on_r, error);
    DUET_NEED(core->on_r);
    int shift = shift_of(gap);
    core->gap = (int64_t)(gap >> shift);
    for (size_t i = 0; i < problem->kinds; i++) {
        const duet_table_item *item = &problem->items[i];
        bool to_r = item->on_r && (!item->on_v || duet_price_difference(prices, item) > 0);
        core->on_r[i] = on_r != NULL ? on_r[i] : (to_r ? item->count : 0);
    }
    core->base = duet_sums_of(problem, core->on_r);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < problem->kinds && code == DUET_OK; i++) {
        const duet_table_item *item = &problem->items[i];
        if (item->on_v && item->on_r) {
            code =
                add_kind(problem, core, i, duet_price_difference(prices, item), gap, shift, error);
        }
    }
    if (code != DUET_OK) {
        duet_core_free(core);
    }
    return code;
}

static int by_loss(const void *a, const void *b)
{
    const duet_bundle *x = a;
    const duet_bundle *y = b;
    if (x->change.loss != y->change.loss) {
        return x->change.loss > y->change.loss ? -1 : 1;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return x->tasks < y->tasks ? -1 : x->tasks > y->tasks;
}

void duet_core_sort(duet_core *core)
{
    if (core->count > 1) {
        qsort(core->bundles, core->count, sizeof *core->bundles, by_loss);
    }
}

void duet_core_free(duet_core *core)
{
    duet_free(core->on_r);
    duet_free(core->bundles);
    core->on_r = NULL;
    core->bundles = NULL;
}
