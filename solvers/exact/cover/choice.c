// SPDX-License-Identifier: Apache-2.0
// Which class is covered next, and what no pattern can cover.
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/cover/cover_state.h"

// Whether a task of a class on a type without patterns is within the slack.
static bool is_within_slack(const duet_cover *s, size_t class, size_t type)
{
    duet_residual *state = s->state;
    if (duet_residual_most(state, class, type) == 0) {
        return false;
    }
    duet_int128 now = duet_residual_price(state, s->prices, class);
    duet_int128 cpu = s->prices->price[0][class];
    duet_int128 gpu = s->prices->price[1][class];
    duet_int128 all =
        type == 1
            ? cpu * state->low[0][class] + gpu * (state->left[class] - state->low[0][class])
            : cpu * state->high[0][class] + gpu * (state->left[class] - state->high[0][class]);
    return all - now <= s->slack;
}

// Among classes with as few ways, the one with the longest tasks.
size_t duet_cover_choose_class(const duet_cover *s, int64_t *fewest)
{
    size_t best = SIZE_MAX;
    int64_t best_time = 0;
    for (size_t c = 0; c < s->classes->count; c++) {
        if (s->state->left[c] == 0) {
            continue;
        }
        int64_t ways = 0;
        bool patterned = false;
        for (size_t t = 0; t < 2; t++) {
            if (duet_residual_most(s->state, c, t) == 0) {
                continue;
            }
            if (s->pooled[t]) {
                ways += s->ways[t][c];
                patterned = true;
            } else if (duet_residual_least(s->state, c, 1 - t) == 0) {
                ways += is_within_slack(s, c, t);
            }
        }
        if (!patterned) {
            continue;
        }
        size_t by = s->pooled[0] && duet_class_fits(s->classes, c, 0) ? 0 : 1;
        int64_t time = s->classes->time[by][c];
        if (best == SIZE_MAX || ways < *fewest || (ways == *fewest && time > best_time)) {
            best = c;
            *fewest = ways;
            best_time = time;
        }
    }
    return best;
}

// Classes that both types may get, but that no pattern of a pooled one has: the other type must
// take them. Each is a branch whose one child has no patterns; the proof of that child follows the
// rest for the CPUs and comes before it for the GPUs.
duet_code duet_cover_force(duet_cover *s, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK; c++) {
        int64_t left = s->state->left[c];
        int64_t low = s->state->low[0][c];
        int64_t high = s->state->high[0][c];
        if (left == 0 || low >= high) {
            continue;
        }
        bool off_cpu = s->pooled[0] && s->ways[0][c] == 0 && low == 0;
        bool off_gpu = s->pooled[1] && s->ways[1][c] == 0 && high == left;
        if (!off_cpu && !off_gpu) {
            continue;
        }
        DUET_TRY(duet_vec_grow(s->forced, s->forced_count, error));
        if (off_cpu) {
            duet_log_branch(s->search->log, c, 0);
            code = duet_cover_change(s, c, left, 0, 0, error);
            s->forced[s->forced_count++] = c;
        } else {
            duet_log_branch(s->search->log, c, left - 1);
            duet_log_cover(s->search->log, s->prices, 1, c, 0);
            code = duet_cover_change(s, c, left, left, left, error);
            s->forced[s->forced_count++] = SIZE_MAX; // its proof is written
        }
    }
    return code;
}
