// SPDX-License-Identifier: Apache-2.0
// Schedules for the allocation that a relaxation proposes.
#include <math.h>

#include "core/system/try.h"
#include "solvers/exact/branch_and_price/tree_state.h"
#include "solvers/exact/dive.h"
#include "solvers/exact/pack.h"
#include "solvers/exact/pool/dive.h"

// Whether the relaxation proposes another allocation than the last one that was tried, which it
// then is.
static bool is_new_allocation(duet_tree *s)
{
    bool same = true;
    for (size_t c = 0; c < s->classes->count; c++) {
        int64_t on_cpu = (int64_t)floor(s->share[c] + 0.5);
        same = same && s->allocation[c] == on_cpu;
        s->allocation[c] = on_cpu;
    }
    return !same;
}

// Whether the loads from `first` on end within the capacity of their types.
static bool end_within(const duet_tree *s, size_t first)
{
    const duet_loads *loads = s->search->loads;
    for (size_t l = first; l < loads->loads; l++) {
        if (duet_load_end(s->classes, loads, l) > s->classes->capacity[loads->load[l].type]) {
            return false;
        }
    }
    return true;
}

// Packs what a type gets. Its loads are levelled as far as the effort goes, not just to the guess:
// the schedule may then be much shorter.
static duet_code pack_level(duet_tree *s, size_t type, bool *fits, duet_error *error)
{
    duet_int128 work = duet_residual_work(s->classes, s->state, type);
    int64_t processors = s->state->processors[type];
    duet_loads_mark mark = duet_loads_here(s->search->loads);
    *fits = false;
    if (processors > 0 && work <= (duet_int128)processors * s->classes->capacity[type]) {
        int64_t target = (int64_t)((work + processors - 1) / processors);
        duet_code code = duet_pack_level(s->search, type, target, error);
        *fits = code == DUET_OK && end_within(s, mark.loads);
        if (code != DUET_OK || *fits) {
            return code;
        }
        duet_loads_rewind(s->search->loads, mark);
    }
    return duet_pack_type(s->search, type, fits, error);
}

// The type without a pool, beside the loads of the other one. Where it cannot be packed, nothing is
// found.
static duet_code pack_other(duet_tree *s, bool *found, duet_error *error)
{
    duet_code code = DUET_OK;
    if (*found) {
        code = pack_level(s, 1 - duet_pool_type(s->pool), found, error);
    }
    if (!*found) {
        duet_loads_clear(s->search->loads);
    }
    return code;
}

// A dive over the pool for the allocation of the state.
static duet_code dive_over_pool(duet_tree *s, bool *found, duet_error *error)
{
    duet_code code = DUET_OK;
    *found = false;
    duet_loads_clear(s->search->loads);
    if (!duet_context_stop(s->search->context)) {
        code = duet_pool_dive(s->search, s->pool, s->time, &s->any_set, found, error);
    }
    return code == DUET_OK ? pack_other(s, found, error) : code;
}

// Schedules the allocation of the state by the pool: the relaxation's own patterns, or a dive.
static duet_code schedule_from_pool(duet_tree *s, bool dives, bool *found, duet_error *error)
{
    duet_code code = duet_pool_take(s->pool, s->given, s->search->loads, found, error);
    DUET_THEN(code, pack_other(s, found, error));
    return code == DUET_OK && !*found && dives ? dive_over_pool(s, found, error) : code;
}

// Schedules the allocation of the state: the pool, packing, dives.
static duet_code schedule_allocation(duet_tree *s, bool fresh, bool dives_over_pool, bool *found,
                                     duet_error *error)
{
    duet_code code = DUET_OK;
    duet_loads_clear(s->search->loads);
    *found = false;
    if (s->pool != NULL) {
        code = schedule_from_pool(s, dives_over_pool, found, error);
    }
    if (code != DUET_OK || *found || !fresh) {
        return code;
    }
    *found = true;
    for (size_t t = 0; t < 2 && code == DUET_OK && *found; t++) {
        code = duet_pack_type(s->search, t, found, error);
    }
    for (int i = 0; i < DUET_TREE_DIVES && s->pool == NULL && code == DUET_OK && !*found &&
                    !duet_context_stop(s->search->context);
         i++) {
        code = duet_dive(s->search, i > 0, found, error);
    }
    if (!*found) {
        duet_loads_clear(s->search->loads);
    }
    return code;
}

// A schedule may be easier to find than to rule out. The first such node of an allocation gets a
// dive, and every few below it one more.
duet_code duet_tree_dive_levelled(duet_tree *s, duet_verdict *verdict, duet_error *error)
{
    bool found = false;
    bool dives = s->decided % DUET_TREE_DIVE_EVERY == 0;
    s->decided++;
    duet_code code = dives ? dive_over_pool(s, &found, error) : DUET_OK;
    *verdict = found ? DUET_FOUND : DUET_REFUTED; // by what is below it
    return code;
}

duet_code duet_tree_try_allocation(duet_tree *s, duet_verdict *verdict, duet_error *error)
{
    bool fresh = is_new_allocation(s);
    // A dive over the pool loses the solution, from which branching rows are chosen where many
    // classes are undecided.
    bool few =
        duet_tree_last_undecided(s) != SIZE_MAX || duet_residual_decided(s->classes, s->state);
    size_t changes = s->changes;
    duet_code code = DUET_OK;
    bool found = false;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK; c++) {
        if (s->state->low[0][c] < s->state->high[0][c]) {
            code = duet_tree_bound(s, c, s->allocation[c], s->allocation[c], error);
        }
    }
    for (size_t c = 0; c < s->classes->count && s->pool != NULL; c++) {
        s->given[c] = duet_residual_most(s->state, c, duet_pool_type(s->pool));
    }
    DUET_THEN(code, schedule_allocation(s, fresh, fresh && few, &found, error));
    duet_tree_return(s, changes);
    *verdict = found ? DUET_FOUND : DUET_OPEN;
    return code;
}
