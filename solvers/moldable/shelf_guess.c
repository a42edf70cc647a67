// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/shelf_guess.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/shelf_plan.h"

duet_code duet_shelf_guess_create(const duet_instance *instance, const duet_context *context,
                                  size_t type, duet_shelf_guess *state, duet_error *error)
{
    *state = (duet_shelf_guess){.instance = instance, .context = context, .type = type};
    int64_t twice = 2 * instance->processors[type];
    int64_t tasks = duet_tasks(instance);
    state->room = (size_t)duet_min(tasks, twice);
    state->item = duet_alloc_raw(state->room, sizeof *state->item, error);
    state->number = duet_alloc_raw(state->room, sizeof *state->number, error);
    state->shelves.task = duet_alloc_raw(state->room, sizeof *state->shelves.task, error);
    DUET_NEED(state->item != NULL && state->number != NULL && state->shelves.task != NULL);
    return duet_modes_create(instance, &state->modes, error);
}

void duet_shelf_guess_free(duet_shelf_guess *state)
{
    duet_modes_free(&state->modes);
    duet_free(state->item);
    duet_free(state->number);
    duet_free(state->shelves.task);
}

static bool is_small(const duet_shelf_guess *state, size_t kind, int64_t lambda)
{
    duet_time_table table = duet_table_of(state->instance, kind, state->type);
    return 2 * (duet_int128)duet_time_at(table, 1) <= lambda;
}

// A task that is not small: on shelf 1 where it has to be there, else on shelf 2 for now.
static void add_task(duet_shelf_guess *state, size_t kind, size_t task)
{
    const duet_mode *mode = &state->modes.mode[state->modes.first[kind]];
    size_t modes = state->modes.first[kind + 1] - state->modes.first[kind];
    duet_shelves *shelves = &state->shelves;
    size_t at = shelves->count++;
    DUET_ASSERT(at < state->room);
    shelves->task[at].table = duet_table_of(state->instance, kind, state->type);
    state->number[at] = task;
    if (modes == 2) {
        state->item[state->items++] =
            (duet_width_item){mode[0].width, mode[1].area - mode[0].area, at, false};
    } else if (mode->width > 0) {
        state->width += mode->width;
        duet_shelves_put(shelves, at, 1);
    } else {
        duet_shelves_put(shelves, at, 2);
    }
}

// The guess is not refuted by prices, so that few tasks are not small.
static void list_tasks(duet_shelf_guess *state, int64_t lambda)
{
    const duet_instance *instance = state->instance;
    state->items = 0;
    state->area = 0;
    state->width = 0;
    state->shelves = (duet_shelves){.guess = lambda,
                                    .processors = instance->processors[state->type],
                                    .task = state->shelves.task};
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t last = state->modes.first[i + 1] - 1; // the mode of the largest area
        state->area += (duet_int128)state->modes.mode[last].area * duet_count(instance, i);
        if (!is_small(state, i, lambda)) {
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                add_task(state, i, (size_t)j);
            }
        }
    }
}

static void put_items(duet_shelf_guess *state)
{
    for (size_t i = 0; i < state->items; i++) {
        bool put =
            duet_shelves_put(&state->shelves, state->item[i].task, state->item[i].taken ? 1 : 2);
        DUET_ASSERT(put);
        (void)put;
    }
}

duet_code duet_shelf_guess_ask(duet_shelf_guess *state, int64_t lambda, duet_answer *answer,
                               duet_error *error)
{
    duet_mode_prices multipliers = {.area = {0}};
    bool refuted = false;
    duet_code code = duet_modes_list(&state->modes, lambda, error);
    DUET_THEN(code, duet_mode_prices_find(&state->modes, DUET_PRICED_ALL, state->context,
                                          &multipliers, &refuted, error));
    if (code != DUET_OK || refuted) {
        answer->certificate = duet_mode_prices_certificate(&state->modes, &multipliers);
        return code;
    }
    list_tasks(state, lambda);
    int64_t processors = state->shelves.processors;
    duet_int128 needed = state->area - (duet_int128)processors * lambda;
    duet_width_answer found = DUET_WIDTH_ENOUGH;
    DUET_ASSERT(state->width <= processors);
    code = duet_shelf_knapsack(state->item, state->items, processors - state->width,
                               needed > 0 ? (int64_t)needed : 0, state->context, &found, error);
    if (code != DUET_OK) {
        return code;
    }
    answer->stopped = found == DUET_WIDTH_STOPPED;
    answer->yes = found == DUET_WIDTH_ENOUGH;
    if (found == DUET_WIDTH_NEVER) {
        answer->certificate = (duet_certificate){.proof = DUET_PROOF_MOLDABLE_KNAPSACK,
                                                 .lambda = lambda + 1,
                                                 .types = state->instance->types};
    }
    if (answer->yes) {
        put_items(state);
        if (!duet_shelves_fit(&state->shelves)) {
            return duet_error_set(error, DUET_E_INTERNAL, "no transformation of shelves applies");
        }
    }
    return DUET_OK;
}

// The tasks that are small, longest first.
static size_t list_small(const duet_shelf_guess *state, duet_small_task *small)
{
    const duet_instance *instance = state->instance;
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (is_small(state, i, state->shelves.guess)) {
            int64_t time = duet_time_at(duet_table_of(instance, i, state->type), 1);
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                small[count++] = (duet_small_task){time, (size_t)j};
            }
        }
    }
    duet_small_sort(small, count);
    return count;
}

duet_code duet_shelf_guess_plan(duet_shelf_guess *state, duet_plan *plan, duet_error *error)
{
    duet_small_task *small =
        duet_alloc_raw((size_t)duet_tasks(state->instance), sizeof *small, error);
    DUET_NEED(small);
    duet_shelf_tasks tasks = {&state->shelves, state->number, small, list_small(state, small)};
    duet_code code = duet_shelf_plan(&tasks, (int32_t)state->type, plan, error);
    duet_free(small);
    return code;
}
