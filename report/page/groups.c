// SPDX-License-Identifier: Apache-2.0
#include "report/page/groups.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Steps that make groups coarser. Each one also does what the steps before it do.
enum {
    SIZES_BY_POWERS = 1,
    WITHOUT_SIZES,
    WITHOUT_PLATFORMS,
    WITHOUT_FAMILIES,
    WITHOUT_SETS,
    WITHOUT_FILES,
    COARSEST = WITHOUT_FILES
};

// The group of each key is found through names: its numbers as text.
typedef struct grouping {
    duet_groups *groups;
    duet_names keys;
    duet_names sizes;
    uint32_t *of_run;
} grouping;

static int64_t size_class(int64_t n, int coarseness)
{
    if (n < 0 || coarseness >= WITHOUT_SIZES) {
        return -1;
    }
    if (coarseness == 0) {
        return n;
    }
    int64_t power = n > 0;
    while (power > 0 && power <= n / 2) {
        power *= 2;
    }
    return power;
}

static duet_code find_size(grouping *state, int64_t n, uint32_t *number, duet_error *error)
{
    duet_groups *groups = state->groups;
    int64_t size = size_class(n, groups->coarseness);
    if (size < 0) {
        *number = UINT32_MAX;
        return DUET_OK;
    }
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, size);
    DUET_TRY(duet_vec_grow(groups->size, groups->sizes, error));
    DUET_TRY(duet_names_add(&state->sizes, 0, text, number, error));
    if (*number == groups->sizes) {
        groups->size[groups->sizes++] = size;
    }
    return DUET_OK;
}

static duet_code key_of(grouping *state, const duet_kept_result *run, uint32_t *key,
                        duet_error *error)
{
    int coarseness = state->groups->coarseness;
    key[DUET_KEY_SERIES] = run->series;
    key[DUET_KEY_FILE] = coarseness >= WITHOUT_FILES ? UINT32_MAX : run->file;
    key[DUET_KEY_SET] = coarseness >= WITHOUT_SETS ? UINT32_MAX : run->set;
    key[DUET_KEY_FAMILY] = coarseness >= WITHOUT_FAMILIES ? UINT32_MAX : run->family;
    key[DUET_KEY_PLATFORM] = coarseness >= WITHOUT_PLATFORMS ? UINT32_MAX : run->platform;
    key[DUET_KEY_REFERENCE] = run->reference;
    return find_size(state, run->n, &key[DUET_KEY_SIZE], error);
}

static duet_code find_group(grouping *state, const uint32_t *key, uint32_t *number,
                            duet_error *error)
{
    duet_groups *groups = state->groups;
    char text[DUET_GROUP_KEYS * 11 + 1];
    int used = 0;
    for (int i = 0; i < DUET_GROUP_KEYS; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%" PRIu32 ",", key[i]);
    }
    DUET_TRY(duet_vec_grow(groups->group, groups->count, error));
    DUET_TRY(duet_names_add(&state->keys, 0, text, number, error));
    if (*number == groups->count) {
        duet_group *group = &groups->group[groups->count++];
        *group = (duet_group){.worst = SIZE_MAX, .least_proven = NAN, .most_proven = NAN};
        memcpy(group->key, key, sizeof group->key);
    }
    return DUET_OK;
}

static void count_run(duet_group *group, const duet_results *results, size_t number)
{
    const duet_kept_result *run = &results->run[number];
    group->count++;
    group->status[run->status]++;
    group->exceeded += run->respected == DUET_VERDICT_EXCEEDED;
    group->below += run->below;
    if (!isnan(run->ratio) &&
        (group->worst == SIZE_MAX || run->ratio > results->run[group->worst].ratio)) {
        group->worst = number;
    }
    group->least_proven = fmin(group->least_proven, run->proven); // NAN counts as no value
    group->most_proven = fmax(group->most_proven, run->proven);
}

// Puts every run into its group. Stops early where there are too many groups and a coarser grouping
// is left to try.
static duet_code group_runs(grouping *state, bool *fits, duet_error *error)
{
    duet_groups *groups = state->groups;
    const duet_results *results = groups->results;
    duet_code code = DUET_OK;
    *fits = true;
    for (size_t i = 0; i < results->count && code == DUET_OK; i++) {
        uint32_t key[DUET_GROUP_KEYS];
        code = key_of(state, &results->run[i], key, error);
        DUET_THEN(code, find_group(state, key, &state->of_run[i], error));
        if (code != DUET_OK) {
            return code;
        }
        if (groups->count > DUET_GROUPS_MOST && groups->points != SIZE_MAX &&
            groups->coarseness < COARSEST) {
            *fits = false;
            return DUET_OK;
        }
        count_run(&groups->group[state->of_run[i]], results, i);
    }
    return code;
}

static void sort_runs(const grouping *state)
{
    duet_groups *groups = state->groups;
    size_t first = 0;
    for (size_t g = 0; g < groups->count; g++) {
        groups->group[g].first = first;
        first += groups->group[g].count;
        groups->group[g].count = 0;
    }
    for (size_t i = 0; i < groups->results->count; i++) {
        duet_group *group = &groups->group[state->of_run[i]];
        groups->order[group->first + group->count++] = i;
    }
}

static void restart(grouping *state)
{
    duet_names_free(&state->keys);
    duet_names_free(&state->sizes);
    state->groups->count = 0;
    state->groups->sizes = 0;
}

static duet_code group_all(grouping *state, duet_error *error)
{
    bool fits = false;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !fits) {
        restart(state);
        code = group_runs(state, &fits, error);
        state->groups->coarseness += !fits;
    }
    if (code == DUET_OK) {
        sort_runs(state);
    }
    return code;
}

static void choose_points(duet_groups *groups)
{
    size_t points = DUET_GROUPS_POINTS / (groups->count + 1);
    points = duet_min(points, DUET_GROUP_POINTS);
    groups->points = duet_max(points, DUET_GROUP_LEAST_POINTS);
}

duet_code duet_groups_create(const duet_results *results, duet_groups *groups, duet_error *error)
{
    *groups = (duet_groups){.results = results, .points = SIZE_MAX};
    if (results->count > DUET_GROUPS_EXACT_RUNS) {
        groups->points = 0; // chosen once the number of groups is known
    }
    grouping state = {.groups = groups};
    groups->order = duet_alloc(results->count, sizeof *groups->order, error);
    state.of_run = duet_alloc(results->count, sizeof *state.of_run, error);
    duet_code code = DUET_E_MEMORY;
    if (groups->order != NULL && state.of_run != NULL) {
        code = group_all(&state, error);
    }
    if (code == DUET_OK && groups->points == 0) {
        choose_points(groups);
    }
    duet_names_free(&state.keys);
    duet_names_free(&state.sizes);
    duet_free(state.of_run);
    if (code != DUET_OK) {
        duet_groups_free(groups);
    }
    return code;
}

void duet_groups_free(duet_groups *groups)
{
    duet_free(groups->group);
    duet_free(groups->order);
    duet_free(groups->size);
    *groups = (duet_groups){0};
}
