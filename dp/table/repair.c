// SPDX-License-Identifier: Apache-2.0
// A YES at two changes from a rounded relaxation: the capacity of R is filled best by a pair of
// bundles that change their type.
#include "dp/table/adaptive.h"

#include "core/instance/order.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Bundles of about one ratio of work to units differ little in what they cost, so the best partner
// is the one that fills the units most; a few below it may be cheaper.
enum { PARTNERS = 8 };

static uint64_t key_of(int64_t units)
{
    return (uint64_t)units ^ (UINT64_C(1) << 63); // order of signed numbers
}

// The first of `count` entries, by decreasing units, with at most `units`.
static size_t first_at_most(const duet_ordered *order, size_t count, int64_t units)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order[middle].key > key_of(units)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void apply(duet_core *core, size_t bundle)
{
    core->on_r[core->bundles[bundle].kind] += core->bundles[bundle].tasks;
}

// Looks for a partner of the bundle `one`, or (one = count) for a single bundle.
static bool find_partner(const duet_table_problem *problem, duet_core *core,
                         const duet_ordered *order, size_t one)
{
    duet_sums load = core->base;
    if (one < core->count) {
        load = duet_sums_add(load, core->bundles[one].change);
    }
    size_t at = first_at_most(order, core->count, problem->cap - load.units);
    for (size_t tried = 0; tried < PARTNERS && at + tried < core->count; tried++) {
        size_t other = order[at + tried].kind;
        duet_sums both = duet_sums_add(load, core->bundles[other].change);
        if (other != one && duet_sums_fits(problem, &both)) {
            apply(core, other);
            if (one < core->count) {
                apply(core, one);
            }
            return true;
        }
    }
    return false;
}

duet_code duet_repair(const duet_table_problem *problem, duet_core *core, bool *found,
                      duet_error *error)
{
    *found = false;
    duet_ordered *order = duet_alloc(core->count, sizeof *order, error);
    DUET_NEED(order);
    for (size_t b = 0; b < core->count; b++) {
        order[b] = (duet_ordered){key_of(core->bundles[b].change.units), b};
    }
    duet_code code = duet_order_by_key(order, core->count, error);
    for (size_t one = core->count + 1; one-- > 0 && code == DUET_OK && !*found;) {
        *found = find_partner(problem, core, order, one);
    }
    duet_free(order);
    return code;
}
