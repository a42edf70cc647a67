// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/search.h"

void duet_search_count(duet_search_stats *stats, const duet_search_stats *part)
{
    stats->nodes += part->nodes;
    stats->patterns += part->patterns;
    stats->programs += part->programs;
}

bool duet_search_is_sound(const duet_search *search)
{
    const duet_residual *state = search->state;
    bool sound = state->processors[0] >= 0 && state->processors[1] >= 0;
    for (size_t c = 0; c < search->classes->count && sound; c++) {
        sound = 0 <= state->low[0][c] && state->low[0][c] <= state->high[0][c] &&
                state->high[0][c] <= state->left[c];
    }
    return sound;
}

bool duet_search_is_whole(const duet_search *search)
{
    const duet_classes *classes = search->classes;
    const duet_residual *state = search->state;
    bool whole = state->processors[0] == classes->processors[0] &&
                 state->processors[1] == classes->processors[1];
    for (size_t c = 0; c < classes->count && whole; c++) {
        int64_t tasks = classes->tasks[c];
        whole = state->left[c] == tasks &&
                state->low[0][c] == (duet_class_fits(classes, c, 1) ? 0 : tasks) &&
                state->high[0][c] == (duet_class_fits(classes, c, 0) ? tasks : 0);
    }
    return whole;
}
