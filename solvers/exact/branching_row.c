// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/branching_row.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/order.h"

enum { CHOICES = 4 }; // that are tried

// A sum that is so far from a whole number is branched on.
static const double DIVIDED = 0.05;

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
static size_t list_members(const duet_classes *classes, const duet_residual *state, size_t type,
                           const double *share, member *members)
{
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
    if (*choices < CHOICES) {
        ++*choices;
    } else if (best[--at].key >= made.key) {
        return;
    }
    for (; at > 0 && best[at - 1].key < made.key; at--) {
        best[at] = best[at - 1];
    }
    best[at] = made;
}

// Whether a bound that is open leaves one side of a choice alone. The relaxation may fall short of
// it.
static bool is_bounded(const choice *made, const duet_branching_row *open, size_t opened)
{
    for (size_t i = 0; i < opened; i++) {
        bool bounds = open[i].at_least ? open[i].bound > made->bound : open[i].bound <= made->bound;
        if (bounds && open[i].time == made->time) {
            return true;
        }
    }
    return false;
}

// The lengths whose sums are divided and which what is next shorter is well below: else one task is
// exchanged for another at next to no cost.
static size_t list_choices(const member *members, size_t count, int64_t capacity,
                           const duet_branching_row *open, size_t opened, choice *best)
{
    const double wide = 0.05; // of the capacity
    size_t choices = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += members[i].share;
        int64_t shorter = i + 1 < count ? members[i + 1].time : 0;
        double gap = (double)(members[i].time - shorter) / (double)capacity;
        double part = fmin(sum - floor(sum), floor(sum) + 1 - sum);
        choice made = {members[i].time, (int64_t)floor(sum), part * fmin(gap, wide)};
        if (part > DIVIDED && gap > 0 && !is_bounded(&made, open, opened)) {
            offer(best, &choices, made);
        }
    }
    return choices;
}

duet_code duet_branching_row_choose(const duet_classes *classes, const duet_residual *state,
                                    size_t type, const double *share,
                                    const duet_branching_row *open, size_t opened,
                                    duet_configuration *program, const duet_context *context,
                                    duet_branching_row *branching_row, bool *divided,
                                    int64_t *programs, duet_error *error)
{
    const double least = 1e-9;
    *divided = false;
    member *members = duet_alloc(classes->count, sizeof *members, error);
    if (members == NULL) {
        return DUET_E_MEMORY;
    }
    choice best[CHOICES];
    size_t count = list_members(classes, state, type, share, members);
    size_t choices = list_choices(members, count, classes->capacity[type], open, opened, best);
    duet_free(members);
    duet_code code = DUET_OK;
    double most = 0;
    for (size_t i = 0; i < choices && code == DUET_OK && !duet_context_stop(context); i++) {
        duet_branching_row made = {.type = type, .time = best[i].time, .bound = best[i].bound};
        double lift[2];
        code = duet_configuration_try(program, &made, context, lift, error);
        *programs += 2;
        double score = (lift[0] + least) * (lift[1] + least);
        // What lifts neither side is no better than a class.
        if (code == DUET_OK && score > most && fmax(lift[0], lift[1]) > least) {
            most = score;
            *branching_row = made;
            *divided = true;
        }
    }
    return code;
}
