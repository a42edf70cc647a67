// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/branching_row.h"

#include <math.h>
#include <stdlib.h>

#include "core/instance/order.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/tuning.h"

// A class that the type may get, and what the relaxation gives it.
typedef struct member {
    int64_t time;
    double share;
} member;

typedef struct choice {
    int64_t time;
    int64_t bound;
    double key; // how promising it looks
} choice;

static int longest_first(const void *a, const void *b)
{
    return duet_order(((const member *)b)->time, ((const member *)a)->time);
}

// The classes of which the type may get tasks, the longest first.
static size_t list_members(const duet_search *search, size_t type, const double *share,
                           member *members)
{
    const duet_classes *classes = search->classes;
    const duet_residual *state = search->state;
    size_t count = 0;
    for (size_t c = 0; c < classes->count; c++) {
        if (duet_class_fits(classes, c, type) && duet_residual_most(state, c, type) > 0) {
            members[count++] = (member){classes->time[type][c],
                                        type == 0 ? share[c] : (double)state->left[c] - share[c]};
        }
    }
    qsort(members, count, sizeof *members, longest_first);
    return count;
}

// The best choices so far, the most promising first.
static void offer(choice *best, size_t *choices, choice made)
{
    size_t at = *choices;
    if (*choices < DUET_ROW_CHOICES) {
        ++*choices;
    } else if (best[--at].key >= made.key) {
        return;
    }
    for (; at > 0 && best[at - 1].key < made.key; at--) {
        best[at] = best[at - 1];
    }
    best[at] = made;
}

// Whether an open row leaves one child of a choice empty. The relaxation may fall short of it.
static bool is_bounded(const choice *made, const duet_relaxed *relaxed)
{
    for (size_t i = 0; i < relaxed->opened; i++) {
        const duet_branching_row *open = &relaxed->open[i];
        bool bounds = open->at_least ? open->bound > made->bound : open->bound <= made->bound;
        if (bounds && open->time == made->time) {
            return true;
        }
    }
    return false;
}

// The times whose sums are divided, where the next shorter time is well below: else one task is
// exchanged for another at next to no cost.
static size_t list_choices(const member *members, size_t count, int64_t capacity,
                           const duet_relaxed *relaxed, choice *best)
{
    size_t choices = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += members[i].share;
        int64_t shorter = i + 1 < count ? members[i + 1].time : 0;
        double gap = (double)(members[i].time - shorter) / (double)capacity;
        double part = fmin(sum - floor(sum), floor(sum) + 1 - sum);
        choice made = {members[i].time, (int64_t)floor(sum), part * fmin(gap, DUET_ROW_WIDE_GAP)};
        if (part > DUET_ROW_DIVIDED && gap > 0 && !is_bounded(&made, relaxed)) {
            offer(best, &choices, made);
        }
    }
    return choices;
}

duet_code duet_branching_row_choose(duet_search *search, const duet_relaxed *relaxed,
                                    duet_branching_row *row, bool *divided, duet_error *error)
{
    const duet_classes *classes = search->classes;
    size_t type = row->type;
    *divided = false;
    member *members = duet_alloc(classes->count, sizeof *members, error);
    DUET_NEED(members);
    choice best[DUET_ROW_CHOICES];
    size_t count = list_members(search, type, relaxed->share, members);
    size_t choices = list_choices(members, count, classes->capacity[type], relaxed, best);
    duet_free(members);
    duet_code code = DUET_OK;
    double most = 0;
    for (size_t i = 0; i < choices && code == DUET_OK && !duet_context_stop(search->context); i++) {
        duet_branching_row made = {.type = type, .time = best[i].time, .bound = best[i].bound};
        double lift[2];
        code = duet_configuration_try(relaxed->program, &made, search->context, lift, error);
        search->stats->programs += 2;
        double score = (lift[0] + DUET_ROW_LEAST_LIFT) * (lift[1] + DUET_ROW_LEAST_LIFT);
        // What lifts neither child is no better than a class.
        if (code == DUET_OK && score > most && fmax(lift[0], lift[1]) > DUET_ROW_LEAST_LIFT) {
            most = score;
            *row = made;
            *divided = true;
        }
    }
    return code;
}
