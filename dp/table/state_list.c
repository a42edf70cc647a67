// SPDX-License-Identifier: Apache-2.0
// Decides the open part of a guess by a list of states: the sums that allocations of the bundles so
// far reach. A state is dropped if another one is no worse in any sum, if it has lost more than the
// gap, or if the remaining bundles cannot bring it back within the capacities. Ends at the first
// state that meets all constraints.
#include "dp/table/adaptive.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// A change on the way to a state.
typedef struct trail {
    uint32_t before; // index of the previous one; 0: none
    uint32_t bundle;
} trail;

typedef struct state {
    duet_sums load;
    uint32_t last; // its last change
} state;

typedef struct list {
    // Inputs.
    const duet_table_problem *problem;
    duet_core *core;
    duet_sums *reach; // by bundle: how far the later ones can bring each sum down (all <= 0)

    // States of the last layer, by increasing units, and of the next one.
    state *states;
    state *next;
    size_t count, next_count;
    trail *changes; // of all layers
    size_t change_count;

    // Dominance: the least work among the states of a layer so far, by counts on both types or
    // less.
    int64_t *least;
    int64_t c_low, g_low;
    int64_t c_width, g_width;

    // Result.
    uint64_t visits;
    bool found;
    uint32_t found_last;
} list;

// The counts that states may have: changes lead no lower than `low`, and above the capacity only by
// what later ones can take back.
static void set_range(int64_t base, int64_t falls, int64_t rises, int64_t cap, int64_t *low,
                      int64_t *width)
{
    int64_t high = duet_min(base + rises, cap - falls);
    *low = base + falls;
    *width = high < *low ? 1 : high - *low + 1;
}

static duet_code prepare(list *l, duet_error *error)
{
    duet_core *core = l->core;
    enum { most_counts = 1 << 16 };
    l->reach = duet_alloc(core->count + 1, sizeof *l->reach, error);
    DUET_NEED(l->reach);
    duet_sums rises = {0, 0, 0, 0, 0};
    for (size_t i = core->count; i-- > 0;) {
        const duet_sums *change = &core->bundles[i].change;
        duet_sums down = {duet_min(change->work, 0), duet_min(change->units, 0),
                          duet_min(change->c, 0), duet_min(change->g, 0),
                          duet_min(change->loss, 0)};
        l->reach[i] = duet_sums_add(l->reach[i + 1], down);
        rises.c += duet_max(change->c, 0);
        rises.g += duet_max(change->g, 0);
    }
    set_range(core->base.c, l->reach[0].c, rises.c, l->problem->c_cap, &l->c_low, &l->c_width);
    set_range(core->base.g, l->reach[0].g, rises.g, l->problem->g_cap, &l->g_low, &l->g_width);
    if (l->c_width > most_counts || l->g_width > most_counts / l->c_width) {
        l->c_width = 0; // no table of counts: the list gives up
        return DUET_OK;
    }
    l->least = duet_alloc((size_t)(l->c_width * l->g_width), sizeof *l->least, error);
    return l->least == NULL ? DUET_E_MEMORY : DUET_OK;
}

// Whether the bundles from `next` on may still lead from here to a YES.
static bool alive(const list *l, const duet_sums *load, size_t next)
{
    const duet_sums *reach = &l->reach[next];
    const duet_table_problem *problem = l->problem;
    return load->loss + reach->loss <= l->core->gap && load->work + reach->work <= problem->limit &&
           load->units + reach->units <= problem->cap && load->c + reach->c <= problem->c_cap &&
           load->g + reach->g <= problem->g_cap;
}

// Whether a state so far has no more of anything; states come by increasing units. Otherwise notes
// this one.
static bool dominated(list *l, const duet_sums *load)
{
    int64_t c = load->c - l->c_low;
    int64_t g = load->g - l->g_low;
    if (l->least[c * l->g_width + g] <= load->work) {
        return true;
    }
    for (; c < l->c_width; c++) {
        int64_t *row = &l->least[c * l->g_width];
        int64_t to = g;
        for (; to < l->g_width && row[to] > load->work; to++) {
            row[to] = load->work;
        }
        if (to == g) {
            break;
        }
    }
    return false;
}

static duet_code append(list *l, const state *s, duet_error *error)
{
    return duet_vec_push(l->next, l->next_count, error, *s);
}

// A state that a bundle has changed.
static duet_code append_changed(list *l, state s, size_t bundle, duet_error *error)
{
    DUET_TRY(duet_vec_grow(l->changes, l->change_count, error));
    l->changes[l->change_count] = (trail){s.last, (uint32_t)bundle};
    s.last = (uint32_t)l->change_count++;
    if (duet_sums_fits(l->problem, &s.load)) {
        l->found = true;
        l->found_last = s.last;
    }
    return append(l, &s, error);
}

// Merges the states as they are with the states changed by a bundle; both come by increasing units.
static duet_code take_bundle(list *l, size_t bundle, duet_error *error)
{
    const duet_sums *change = &l->core->bundles[bundle].change;
    for (int64_t i = 0; i < l->c_width * l->g_width; i++) {
        l->least[i] = INT64_MAX;
    }
    size_t keep = 0;
    size_t move = 0;
    l->next_count = 0;
    duet_code code = DUET_OK;
    while ((keep < l->count || move < l->count) && code == DUET_OK && !l->found) {
        bool changed = keep == l->count ||
                       (move < l->count &&
                        l->states[move].load.units + change->units < l->states[keep].load.units);
        state s = l->states[changed ? move++ : keep++];
        if (changed) {
            s.load = duet_sums_add(s.load, *change);
        }
        if (!alive(l, &s.load, bundle + 1) || dominated(l, &s.load)) {
            continue;
        }
        code = changed ? append_changed(l, s, bundle, error) : append(l, &s, error);
    }
    l->visits += 2 * (uint64_t)l->count;
    state *states = l->states;
    l->states = l->next;
    l->count = l->next_count;
    l->next = states;
    return code;
}

static size_t bytes_of(const list *l)
{
    return duet_vec_bytes(l->states) + duet_vec_bytes(l->next) + duet_vec_bytes(l->changes);
}

// Applies the changes of the state that was found.
static void apply(const list *l)
{
    for (uint32_t at = l->found_last; at != 0; at = l->changes[at].before) {
        const duet_bundle *bundle = &l->core->bundles[l->changes[at].bundle];
        l->core->on_r[bundle->kind] += bundle->tasks;
    }
}

static duet_code run(list *l, const duet_context *context, const duet_state_list_limits *limits,
                     duet_state_list_end *end, duet_error *error)
{
    *end = DUET_STATE_LIST_NO;
    // The first entry of the changes means none.
    duet_code code = duet_vec_grow(l->changes, 0, error);
    l->change_count = 1;
    state start = {l->core->base, 0};
    if (code == DUET_OK && alive(l, &start.load, 0)) {
        l->found = duet_sums_fits(l->problem, &start.load);
        code = append(l, &start, error);
        l->states = l->next;
        l->count = l->next_count;
        l->next = NULL;
    }
    for (size_t i = 0; i < l->core->count && l->count > 0 && !l->found && code == DUET_OK; i++) {
        uint64_t next_bytes = bytes_of(l) + 4 * l->count * sizeof *l->states;
        if (l->visits + 2 * l->count > limits->visits || next_bytes > limits->bytes ||
            l->change_count + l->count > UINT32_MAX) {
            *end = DUET_STATE_LIST_FULL;
            return DUET_OK;
        }
        if (duet_context_stop(context)) {
            *end = DUET_STATE_LIST_STOPPED;
            return DUET_OK;
        }
        code = take_bundle(l, i, error);
    }
    if (code == DUET_OK && l->found) {
        *end = DUET_STATE_LIST_YES;
        apply(l);
    }
    return code;
}

duet_code duet_state_list_decide(const duet_table_problem *problem, duet_core *core,
                                 const duet_context *context, const duet_state_list_limits *limits,
                                 duet_state_list_result *result, duet_error *error)
{
    list l = {.problem = problem, .core = core};
    result->end = DUET_STATE_LIST_FULL;
    duet_code code = prepare(&l, error);
    if (code == DUET_OK && l.c_width > 0) {
        code = run(&l, context, limits, &result->end, error);
    }
    result->visits = l.visits;
    result->bytes = bytes_of(&l);
    duet_free(l.reach);
    duet_free(l.states);
    duet_free(l.next);
    duet_free(l.changes);
    duet_free(l.least);
    return code;
}
