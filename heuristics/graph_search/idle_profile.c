// SPDX-License-Identifier: Apache-2.0
// What each part of a schedule loses, and what a round makes of it; idle_profile.h has the method.
#include "heuristics/graph_search/idle_profile.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "heuristics/graph_search/tuning.h"

enum { HALF = DUET_IDLE_PARTS / 2 };

// What the work of a task is worth: where it is cheapest.
static double worth_of(const duet_graph_search_model *model, int32_t task, size_t own)
{
    double least = model->weight[own] * (double)duet_graph_search_model_time(model, task, own);
    for (size_t t = 0; t < model->types; t++) {
        if (duet_graph_search_model_allows(model, task, t)) {
            double worth = model->weight[t] * (double)duet_graph_search_model_time(model, task, t);
            least = duet_min(worth, least);
        }
    }
    return least;
}

// Takes what a task is worth from the parts in which it runs. Tasks that are too short beside the
// makespan to have a length there are left out.
static void take_worth(double *lost, double first, double last, double worth)
{
    for (int i = (int)first; first < last && i < DUET_IDLE_PARTS && i < last; i++) {
        lost[i] -= worth * (fmin(last, i + 1) - fmax(first, i)) / (last - first);
    }
}

static void find_lost(const duet_graph_search_model *model, const duet_placement *placement,
                      int64_t makespan, double *lost)
{
    double length = (double)makespan / DUET_IDLE_PARTS;
    double most = 0;
    for (size_t t = 0; t < model->types; t++) {
        most += length * model->weight[t] * (model->begin[t + 1] - model->begin[t]);
    }
    for (int i = 0; i < DUET_IDLE_PARTS; i++) {
        lost[i] = most;
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        size_t type = (size_t)placement[j].type;
        int64_t time = duet_graph_search_model_time(model, j, type);
        if (time > 0) {
            take_worth(lost, (double)placement[j].start / length,
                       (double)(placement[j].start + time) / length, worth_of(model, j, type));
        }
    }
}

// Leaves what parts lose beyond the median, if any does: weights are not exact, and some is lost in
// any schedule.
static void forget_usual(double *lost)
{
    double sorted[DUET_IDLE_PARTS];
    memcpy(sorted, lost, sizeof sorted);
    duet_sort_doubles(sorted, DUET_IDLE_PARTS);
    double usual = sorted[HALF - 1];
    for (int i = 0; i < DUET_IDLE_PARTS && sorted[DUET_IDLE_PARTS - 1] > usual; i++) {
        lost[i] = fmax(0.0, lost[i] - usual);
    }
}

// What a half of the schedule loses, and twice the shortest end that has most of it.
static void find_half(duet_graph_search_half *half, const double *lost, bool mirrored)
{
    double sum[HALF + 1] = {0};
    for (int i = 0; i < HALF; i++) {
        sum[i + 1] = sum[i] + lost[mirrored ? i : DUET_IDLE_PARTS - 1 - i];
    }
    int parts = 1;
    while (parts < HALF && sum[parts] < DUET_IDLE_MOST_SHARE * sum[HALF]) {
        parts++;
    }
    half->lost = sum[HALF];
    half->part = (double)parts / HALF;
}

void duet_graph_search_idle_profile_find(duet_graph_search_idle_profile *profile,
                                         const duet_graph_search_model *model,
                                         const duet_placement *placement, int64_t makespan)
{
    double lost[DUET_IDLE_PARTS];
    find_lost(model, placement, makespan, lost);
    forget_usual(lost);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        find_half(&profile->half[mirrored], lost, mirrored);
    }
}

bool duet_graph_search_idle_profile_is_mirrored(const duet_graph_search_idle_profile *profile,
                                                int64_t work)
{
    const duet_graph_search_half *forward = &profile->half[0];
    const duet_graph_search_half *mirrored = &profile->half[1];
    return mirrored->lost * ((double)forward->work + (double)work) >
           forward->lost * ((double)mirrored->work + (double)work);
}

void duet_graph_search_idle_profile_note(duet_graph_search_idle_profile *profile, bool mirrored,
                                         int64_t work)
{
    duet_graph_search_half *half = &profile->half[mirrored];
    half->work = half->work < INT64_MAX - work ? half->work + work : INT64_MAX;
}
