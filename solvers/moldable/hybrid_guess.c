// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/hybrid_guess.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_require_hybrid(const duet_instance *instance, duet_error *error)
{
    duet_used_types used = duet_find_used_types(instance);
    if (used.count != 2) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "moldable-hybrid needs CPUs and GPUs: this platform has processors "
                              "of %zu types",
                              used.count);
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_moldable_sizes(instance, i, used.second) > 1) {
            return duet_error_set(
                error, DUET_E_UNSUPPORTED,
                "moldable-hybrid needs sequential tasks on type %s: task '%s' has times for %lld "
                "processors there; moldable-2 takes them",
                instance->type_names[used.second], duet_instance_kind_id(instance, i),
                (long long)duet_moldable_sizes(instance, i, used.second));
        }
    }
    return duet_require_monotone(instance, "moldable-hybrid", used.first, error);
}

duet_code duet_hybrid_guess_create(const duet_instance *instance, const duet_context *context,
                                   int64_t units, duet_hybrid_guess *state, duet_error *error)
{
    *state = (duet_hybrid_guess){.instance = instance,
                                 .context = context,
                                 .used = duet_find_used_types(instance),
                                 .units = units};
    size_t tasks = (size_t)duet_tasks(instance);
    state->item = duet_alloc_raw(tasks, sizeof *state->item, error);
    state->number = duet_alloc_raw(tasks, sizeof *state->number, error);
    state->shelves.task = duet_alloc_raw(tasks, sizeof *state->shelves.task, error);
    state->small = duet_alloc_raw(tasks, sizeof *state->small, error);
    state->gpu = duet_alloc_raw(tasks, sizeof *state->gpu, error);
    DUET_NEED(state->item != NULL && state->number != NULL && state->shelves.task != NULL &&
              state->small != NULL && state->gpu != NULL);
    return duet_modes_create(instance, &state->modes, error);
}

void duet_hybrid_guess_free(duet_hybrid_guess *state)
{
    duet_modes_free(&state->modes);
    duet_free(state->item);
    duet_free(state->number);
    duet_free(state->shelves.task);
    duet_free(state->small);
    duet_free(state->gpu);
}

// GPU areas in the units of the guess, rounded down.
static int64_t in_units(const duet_hybrid_guess *state, int64_t area)
{
    if (state->units == 0) {
        return area;
    }
    duet_int128 steps = (duet_int128)state->units * duet_tasks(state->instance);
    return (int64_t)((duet_int128)area * steps / state->guess);
}

// What a mode costs at the multipliers.
static duet_int128 price(const duet_hybrid_guess *state, const duet_mode *mode)
{
    return (duet_int128)state->multipliers.area[mode->type] * mode->area +
           (duet_int128)state->multipliers.width[mode->type] * mode->width;
}

// The modes of a kind. Returns what the cheapest costs.
static duet_int128 list_modes(const duet_hybrid_guess *state, size_t kind, duet_choice_item *item)
{
    const duet_modes *modes = &state->modes;
    size_t begin = modes->first[kind];
    duet_int128 least = price(state, &modes->mode[begin]);
    *item = (duet_choice_item){.modes = (int)(modes->first[kind + 1] - begin)};
    DUET_ASSERT(0 < item->modes && item->modes <= DUET_CHOICE_MODES);
    for (int m = 0; m < item->modes; m++) {
        const duet_mode *mode = &modes->mode[begin + (size_t)m];
        duet_taken *taken = &item->mode[m];
        taken->cost = price(state, mode);
        least = duet_min(taken->cost, least);
        if (mode->type == state->used.first) {
            taken->cpu_area = mode->area;
            taken->width = mode->width;
        } else {
            taken->gpu_area = in_units(state, mode->area);
            taken->longs = mode->width;
        }
    }
    for (int m = 0; m < item->modes; m++) {
        item->mode[m].cost -= least;
    }
    return least;
}

static int64_t capped(duet_int128 value)
{
    return value > DUET_MAX_WORK ? DUET_MAX_WORK : (int64_t)value;
}

// What there is, and what is left of it at the prices of the cheapest modes.
static duet_taken find_limit(const duet_hybrid_guess *state, duet_int128 demand)
{
    const duet_instance *instance = state->instance;
    duet_int128 supply = 0;
    for (size_t t = 0; t < instance->types; t++) {
        supply +=
            ((duet_int128)state->multipliers.area[t] * state->guess + state->multipliers.width[t]) *
            instance->processors[t];
    }
    int64_t cpus = instance->processors[state->used.first];
    int64_t gpus = instance->processors[state->used.second];
    duet_int128 gpu_area = (duet_int128)gpus * state->guess;
    if (state->units > 0) {
        gpu_area = (duet_int128)gpus * state->units * duet_tasks(instance);
    }
    return (duet_taken){.cpu_area = capped((duet_int128)cpus * state->guess),
                        .gpu_area = capped(gpu_area),
                        .width = cpus,
                        .longs = gpus,
                        .cost = supply - demand};
}

// Looks for a mode for each task, first among few states, then among as many as memory allows.
static duet_code choose(duet_hybrid_guess *state, duet_choice_answer *answer, duet_error *error)
{
    enum { few = 1 << 11, most = 1 << 22 };
    const duet_instance *instance = state->instance;
    size_t tasks = (size_t)duet_tasks(instance);
    duet_int128 demand = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_choice_item item;
        demand += list_modes(state, i, &item) * duet_count(instance, i);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            state->item[j] = item;
        }
    }
    duet_taken limit = find_limit(state, demand);
    *answer = DUET_CHOICE_UNKNOWN;
    for (size_t states = few; *answer == DUET_CHOICE_UNKNOWN; states *= 32) {
        if (states > most) {
            return duet_error_set(error, DUET_E_LIMIT,
                                  "moldable-hybrid: more than %d states at a guess: a lower -O "
                                  "units makes them fewer",
                                  most);
        }
        DUET_TRY(
            duet_choose_modes(state->item, tasks, &limit, states, state->context, answer, error));
    }
    return DUET_OK;
}

duet_code duet_hybrid_guess_ask(duet_hybrid_guess *state, int64_t lambda, duet_answer *answer,
                                duet_error *error)
{
    bool refuted = false;
    state->guess = lambda;
    duet_code code = duet_modes_list(&state->modes, lambda, error);
    DUET_THEN(code, duet_mode_prices_find(&state->modes, DUET_PRICED_ALL, state->context,
                                          &state->multipliers, &refuted, error));
    if (code != DUET_OK || refuted) {
        answer->certificate = duet_mode_prices_certificate(&state->modes, &state->multipliers);
        return code;
    }
    duet_choice_answer found;
    code = choose(state, &found, error);
    if (code != DUET_OK) {
        return code;
    }
    answer->stopped = found == DUET_CHOICE_STOPPED;
    answer->yes = found == DUET_CHOICE_FITS;
    if (found == DUET_CHOICE_NEVER) {
        answer->certificate = (duet_certificate){.proof = DUET_PROOF_MOLDABLE_KNAPSACK,
                                                 .lambda = lambda + 1,
                                                 .types = state->instance->types};
    }
    return DUET_OK;
}

// Puts a task where its mode says.
static void put_task(duet_hybrid_guess *state, size_t kind, size_t task, duet_shelf_tasks *tasks,
                     size_t *gpus)
{
    size_t at = state->modes.first[kind] + (size_t)state->item[task].chosen;
    const duet_mode *mode = &state->modes.mode[at];
    duet_time_table table = duet_table_of(state->instance, kind, mode->type);
    int64_t single = duet_time_at(table, 1);
    if (mode->type == state->used.second) {
        state->gpu[(*gpus)++] = (duet_rigid_task){single, task, 1};
    } else if (2 * (duet_int128)single <= state->guess) {
        state->small[tasks->smalls++] = (duet_small_task){single, task};
    } else {
        duet_shelves *shelves = &state->shelves;
        size_t added = shelves->count++;
        state->number[added] = task;
        shelves->task[added].table = table;
        bool put = duet_shelves_put(shelves, added, mode->width > 0 ? 1 : 2);
        DUET_ASSERT(put);
        (void)put;
    }
}

duet_code duet_hybrid_guess_plan(duet_hybrid_guess *state, duet_plan *plan, duet_error *error)
{
    const duet_instance *instance = state->instance;
    int64_t cpus = instance->processors[state->used.first];
    size_t gpus = 0;
    duet_shelf_tasks tasks = {&state->shelves, state->number, state->small, 0};
    state->shelves =
        (duet_shelves){.guess = state->guess, .processors = cpus, .task = state->shelves.task};
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            put_task(state, i, (size_t)j, &tasks, &gpus);
        }
    }
    if (!duet_shelves_fit(&state->shelves)) {
        return duet_error_set(error, DUET_E_INTERNAL, "no transformation of shelves applies");
    }
    duet_small_sort(state->small, tasks.smalls);
    DUET_TRY(duet_shelf_plan(&tasks, (int32_t)state->used.first, plan, error));
    duet_rigid_sort(state->gpu, gpus);
    return duet_rigid_list(state->gpu, gpus, (int32_t)state->used.second,
                           (size_t)instance->processors[state->used.second], plan, error);
}
