// SPDX-License-Identifier: Apache-2.0
// The trail: what is changed on the way down, and taken back on the way up.
#include <string.h>

#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/cover/cover_state.h"

static duet_int128 least_time(const duet_cover *s, size_t class, size_t type)
{
    int64_t tasks = duet_residual_least(s->state, class, type);
    return tasks > 0 ? (duet_int128)tasks * s->classes->time[type][class] : 0;
}

// Marks in the masks how many tasks of a class are available.
void duet_cover_set_available(duet_cover *s, size_t class)
{
    for (size_t t = 0; t < 2; t++) {
        if (!s->pooled[t]) {
            continue;
        }
        size_t first = s->patterns[t].first_bit[class];
        size_t bits = s->patterns[t].first_bit[class + 1] - first;
        int64_t most = duet_residual_most(s->state, class, t);
        for (size_t b = 0; b < bits; b++) {
            uint64_t bit = UINT64_C(1) << ((first + b) % 64);
            uint64_t *word = &s->taken[t][(first + b) / 64];
            *word = (int64_t)b < most ? *word & ~bit : *word | bit;
        }
    }
}

// Changes the numbers of a class, and the slacks with them.
duet_code duet_cover_change(duet_cover *s, size_t class, int64_t left, int64_t low, int64_t high,
                            duet_error *error)
{
    duet_residual *state = s->state;
    DUET_ASSERT(0 <= low && low <= high && high <= left);
    DUET_TRY(duet_vec_grow(s->trail, s->trailed, error));
    s->trail[s->trailed++] =
        (duet_cover_undo){class, state->left[class], state->low[0][class], state->high[0][class]};
    s->slack += duet_residual_price(state, s->prices, class);
    s->time_slack[0] += least_time(s, class, 0);
    s->time_slack[1] += least_time(s, class, 1);
    duet_residual_set_pair(state, class, left, low, high);
    s->slack -= duet_residual_price(state, s->prices, class);
    s->time_slack[0] -= least_time(s, class, 0);
    s->time_slack[1] -= least_time(s, class, 1);
    duet_cover_set_available(s, class);
    return DUET_OK;
}

duet_cover_mark duet_cover_here(const duet_cover *s)
{
    return (duet_cover_mark){.trailed = s->trailed,
                             .slack = s->slack,
                             .time_slack = {s->time_slack[0], s->time_slack[1]},
                             .loads = duet_loads_here(s->search->loads),
                             .processors = {s->state->processors[0], s->state->processors[1]}};
}

void duet_cover_return(duet_cover *s, const duet_cover_mark *place)
{
    DUET_ASSERT(s->trailed >= place->trailed);
    while (s->trailed > place->trailed) {
        const duet_cover_undo *u = &s->trail[--s->trailed];
        duet_residual_set_pair(s->state, u->class, u->left, u->low, u->high);
        duet_cover_set_available(s, u->class);
    }
    s->slack = place->slack;
    memcpy(s->time_slack, place->time_slack, sizeof s->time_slack);
    memcpy(s->state->processors, place->processors, sizeof place->processors);
    duet_loads_rewind(s->search->loads, place->loads);
}

// Gives a processor a pattern.
duet_code duet_cover_apply(duet_cover *s, size_t type, size_t index, duet_error *error)
{
    const duet_patterns *patterns = &s->patterns[type];
    const duet_pattern_part *part = patterns->part + patterns->begin[index];
    size_t parts = patterns->begin[index + 1] - patterns->begin[index];
    DUET_ASSERT(s->state->processors[type] > 0);
    duet_code code = duet_loads_push(s->search->loads, type, part, parts, error);
    s->state->processors[type]--;
    s->slack -= s->prices->limit[type];
    s->time_slack[type] -= s->classes->capacity[type];
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        size_t c = part[p].class;
        int64_t left;
        int64_t low;
        int64_t high;
        duet_residual_without(s->state, c, type, part[p].tasks, &left, &low, &high);
        code = duet_cover_change(s, c, left, low, high, error);
    }
    return code;
}
