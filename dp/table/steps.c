// SPDX-License-Identifier: Apache-2.0
#include "dp/table/steps.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"

static const uint64_t beyond = UINT64_C(1) << 60;

duet_code duet_steps_create(size_t count, duet_steps *steps, duet_error *error)
{
    *steps = (duet_steps){.count = count};
    steps->step = duet_alloc(count, sizeof *steps->step, error);
    steps->box = duet_alloc(count + 1, sizeof *steps->box, error);
    if (steps->step == NULL || steps->box == NULL) {
        duet_steps_free(steps);
        return DUET_E_MEMORY;
    }
    return DUET_OK;
}

void duet_steps_free(duet_steps *steps)
{
    duet_free(steps->step);
    duet_free(steps->box);
    steps->step = NULL;
    steps->box = NULL;
}

void duet_steps_full(duet_steps *steps)
{
    for (size_t j = 0; j <= steps->count; j++) {
        steps->box[j] = (duet_box){{0, steps->c_cap}, {0, steps->g_cap}, {0, steps->cap}};
    }
}

// `before` and `after`: what the steps before and after a layer can fill of an axis.
static duet_extent visible(int64_t cap, int64_t before, int64_t after)
{
    return (duet_extent){after < cap ? cap - after : 0, duet_min(before, cap)};
}

// An axis that all steps together cannot fill is no constraint.
static void drop_loose_axes(duet_steps *steps, duet_step *all)
{
    bool c = all->c <= steps->c_cap;
    bool g = all->g <= steps->g_cap;
    bool n = all->weight <= steps->cap;
    for (size_t j = 0; j < steps->count; j++) {
        steps->step[j].c = c ? 0 : steps->step[j].c;
        steps->step[j].g = g ? 0 : steps->step[j].g;
        steps->step[j].weight = n ? 0 : steps->step[j].weight;
    }
    all->c = c ? 0 : all->c;
    all->g = g ? 0 : all->g;
    all->weight = n ? 0 : all->weight;
    steps->c_cap = c ? 0 : steps->c_cap;
    steps->g_cap = g ? 0 : steps->g_cap;
    steps->cap = n ? 0 : steps->cap;
}

void duet_steps_trim(duet_steps *steps)
{
    duet_step all = {0, 0, 0, 0, true, true};
    for (size_t j = 0; j < steps->count; j++) {
        const duet_step *step = &steps->step[j];
        all.c += step->on_v ? step->c : 0;
        all.g += step->on_r ? step->g : 0;
        all.weight += step->on_r ? step->weight : 0;
    }
    drop_loose_axes(steps, &all);
    duet_step before = {0, 0, 0, 0, true, true};
    for (size_t j = 0; j <= steps->count; j++) {
        steps->box[j].c = visible(steps->c_cap, before.c, all.c - before.c);
        steps->box[j].g = visible(steps->g_cap, before.g, all.g - before.g);
        steps->box[j].n = visible(steps->cap, before.weight, all.weight - before.weight);
        if (j < steps->count) {
            const duet_step *step = &steps->step[j];
            before.c += step->on_v ? step->c : 0;
            before.g += step->on_r ? step->g : 0;
            before.weight += step->on_r ? step->weight : 0;
        }
    }
}

static uint64_t width(duet_extent extent)
{
    return (uint64_t)(extent.high - extent.low) + 1;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    duet_uint128 product = (duet_uint128)a * b;
    return product > beyond ? beyond : (uint64_t)product;
}

duet_layer duet_steps_layer(const duet_steps *steps, size_t j)
{
    const duet_box *box = &steps->box[j];
    duet_extent n = box->n;
    // The next layer reads this one up to its own end.
    if (j < steps->count && steps->box[j + 1].n.high > n.high) {
        n.high = steps->box[j + 1].n.high;
    }
    duet_layer layer;
    layer.rows = times(width(box->c), width(box->g));
    layer.stride = (width(n) + DUET_ROW_GROUP - 1) / DUET_ROW_GROUP * DUET_ROW_GROUP;
    layer.words = duet_decision_words((size_t)width(box->n));
    layer.cells = times(layer.rows, layer.stride);
    return layer;
}

void duet_steps_measure(const duet_steps *steps, bool allocation_wanted, duet_table_size *size)
{
    *size = (duet_table_size){.cell_bytes = duet_table_narrow(steps->total) ? 4 : 8};
    uint64_t largest = 0;
    uint64_t bits = 0;
    uint64_t most_bits = 0;
    for (size_t j = 0; j <= steps->count; j++) {
        const duet_box *box = &steps->box[j];
        duet_layer layer = duet_steps_layer(steps, j);
        largest = duet_max(layer.cells, largest);
        if (j > 0) {
            uint64_t cells = times(times(width(box->c), width(box->g)), width(box->n));
            size->cells = cells > UINT64_MAX - size->cells ? UINT64_MAX : size->cells + cells;
            uint64_t of_step = times(layer.rows, layer.words * sizeof(uint32_t));
            bits = duet_min(bits + of_step, beyond);
            most_bits = duet_max(of_step, most_bits);
        }
    }
    uint64_t layer_bytes = times(largest, size->cell_bytes);
    size->bytes = 2 * layer_bytes;
    size->least = size->bytes;
    if (!allocation_wanted) {
        return;
    }
    // Halving the steps again and again keeps one layer per halving, and the bits of what is left.
    uint64_t least = bits;
    size_t length = steps->count;
    for (uint64_t halvings = 1; length > 1; halvings++) {
        length = (length + 1) / 2;
        uint64_t held = halvings * layer_bytes + times(length, most_bits);
        least = duet_min(held, least);
    }
    size->bytes += bits;
    size->least += least;
}
