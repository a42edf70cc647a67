// SPDX-License-Identifier: Apache-2.0
// Algorithm: moldable-2.
// Method:    dual approximation for moldable tasks with any tables, on CPUs or on CPUs and GPUs. At
//            guess lambda a task is what has its least area on a type within lambda. NO if one fits
//            on no type, or if they have more area than m lambda. With k GPUs they go to these by
//            falling ratio of CPU area to GPU area until k lambda is reached, the rest to the CPUs;
//            NO if the CPUs get more than m lambda where the last one is divided. Each type runs
//            its longest task first, whenever it fits, but the one that passed k lambda last.
// Guarantee: 2, where tasks are sequential on the second type: by the area on the CPUs
//            (heuristics/moldable/rigid_list.c); a GPU has less than lambda when the last begins.
// Cost:      O(kinds log kinds + sizes of tables that are not monotone) for a guess, O(n log n +
//            sizes of the sets log m) for a schedule.
// Memory:    O(n + m).
// Reference: Ludwig, Tiwari, "Scheduling malleable and nonmalleable parallel tasks", SODA 1994, for
//            areas; Garey, Graham, SIAM J. Computing 4(2), 1975, for the lists.
#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/plan.h"
#include "solvers/moldable/guess.h"
#include "solvers/solvers.h"

// A kind that fits on both types within the guess.
typedef struct either {
    int64_t area[2];
    size_t kind;
} either;

// Where the tasks of a kind go, and what they are there.
typedef struct choice {
    int64_t size[2]; // on the first and the second type; 0: not there within the guess
    int64_t second;  // tasks on the second type
} choice;

typedef struct moldable_2 {
    // Inputs.
    const duet_instance *instance;
    duet_used_types used;
    bool *monotone; // of each kind

    // The last guess.
    choice *choice; // of each kind
    either *order;  // kinds that fit on both types, the most accelerated first
    size_t passing; // the kind of which one task passes the area of the second type; SIZE_MAX: none
} moldable_2;

// Of one type, or where all tasks are sequential on the second one.
static bool ratio(const duet_instance *instance, const duet_options *options, duet_ratio *out)
{
    (void)options;
    duet_used_types used = duet_find_used_types(instance);
    *out = (duet_ratio){2, 0, 0, 1};
    for (size_t i = 0; i < instance->kinds && used.count == 2; i++) {
        if (duet_moldable_sizes(instance, i, used.second) > 1) {
            return false;
        }
    }
    return (used.count == 1 || used.count == 2) &&
           instance->moldable->shape != DUET_TABLES_ZEROS; // areas of 0 have no acceleration
}

static size_t type_at(const moldable_2 *state, int side)
{
    return side == 0 ? state->used.first : state->used.second;
}

static int64_t processors(const moldable_2 *state, int side)
{
    return state->instance->processors[type_at(state, side)];
}

static int64_t area_of(const moldable_2 *state, size_t kind, int side)
{
    int64_t size = state->choice[kind].size[side];
    return duet_area_at(duet_table_of(state->instance, kind, type_at(state, side)), size);
}

static void refuse(duet_answer *answer, const moldable_2 *state, int64_t lambda, int64_t first,
                   int64_t second)
{
    answer->yes = false;
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_MOLDABLE_PRICES, .lambda = lambda + 1, .types = state->instance->types};
    answer->certificate.weight[state->used.first] = first;
    if (state->used.count == 2) {
        answer->certificate.weight[state->used.second] = second;
    }
}

static int by_acceleration(const void *left, const void *right)
{
    const either *a = left;
    const either *b = right;
    int order =
        duet_order((duet_int128)b->area[0] * a->area[1], (duet_int128)a->area[0] * b->area[1]);
    return order != 0 ? order : duet_order((duet_int128)a->kind, (duet_int128)b->kind);
}

// Sizes all kinds. Those that fit on one side alone add their area there, the others are listed.
// False where one fits nowhere.
static bool size_kinds(moldable_2 *state, int64_t lambda, duet_int128 area[2], size_t *flexible)
{
    const duet_instance *instance = state->instance;
    *flexible = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        choice *chosen = &state->choice[i];
        *chosen = (choice){.size = {0, 0}};
        for (int side = 0; side < (int)state->used.count; side++) {
            duet_time_table table = duet_table_of(instance, i, type_at(state, side));
            chosen->size[side] = duet_cheapest_size(table, state->monotone[i], lambda);
        }
        if (chosen->size[0] == 0 && chosen->size[1] == 0) {
            return false;
        }
        if (chosen->size[0] > 0 && chosen->size[1] > 0) {
            state->order[(*flexible)++] = (either){{area_of(state, i, 0), area_of(state, i, 1)}, i};
        } else {
            int side = chosen->size[0] == 0;
            chosen->second = side == 1 ? duet_count(instance, i) : 0;
            area[side] += (duet_int128)area_of(state, i, side) * duet_count(instance, i);
        }
    }
    return true;
}

// Fills the second type with the flexible kinds until its area is reached. Returns the kind at
// which that was; SIZE_MAX where all of them stay below. `over`: by how much it is passed.
static size_t fill_second(moldable_2 *state, size_t flexible, duet_int128 area[2], duet_int128 room,
                          duet_int128 *over)
{
    size_t reached = SIZE_MAX;
    *over = 0;
    state->passing = SIZE_MAX;
    for (size_t at = 0; at < flexible; at++) {
        const either *kind = &state->order[at];
        int64_t count = duet_count(state->instance, kind->kind);
        duet_int128 starts = room <= area[1] ? 0 : (room - area[1] - 1) / kind->area[1] + 1;
        int64_t second = starts < count ? (int64_t)starts : count;
        area[1] += (duet_int128)kind->area[1] * second;
        area[0] += (duet_int128)kind->area[0] * (count - second);
        state->choice[kind->kind].second = second;
        if (second > 0 && area[1] > room) {
            state->passing = kind->kind;
            *over = area[1] - room;
        }
        if (reached == SIZE_MAX && area[1] >= room && (second < count || area[1] > room)) {
            reached = at;
        }
    }
    return reached;
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    (void)error;
    moldable_2 *state = opaque;
    bool two = state->used.count == 2;
    duet_int128 room[2] = {(duet_int128)lambda * processors(state, 0),
                           two ? (duet_int128)lambda * processors(state, 1) : 0};
    duet_int128 area[2] = {0, 0};
    size_t flexible;
    state->passing = SIZE_MAX;
    if (!size_kinds(state, lambda, area, &flexible)) {
        refuse(answer, state, lambda, 1, 1);
        return DUET_OK;
    }
    if (two && area[1] > room[1]) {
        refuse(answer, state, lambda, 0, 1);
        return DUET_OK;
    }
    duet_int128 over = 0;
    qsort(state->order, flexible, sizeof *state->order, by_acceleration);
    size_t reached = two ? fill_second(state, flexible, area, room[1], &over) : SIZE_MAX;
    if (area[0] > room[0]) { // also where only the part that is over stays on the CPUs
        answer->yes = false;
    } else if (over > 0) {
        const either *divided = &state->order[reached];
        answer->yes = (room[0] - area[0]) * divided->area[1] >= over * divided->area[0];
    } else {
        answer->yes = true;
    }
    if (!answer->yes && reached == SIZE_MAX) {
        refuse(answer, state, lambda, 1, 0);
    } else if (!answer->yes) {
        const either *divided = &state->order[reached];
        int64_t common =
            (int64_t)duet_gcd((duet_uint128)divided->area[0], (duet_uint128)divided->area[1]);
        refuse(answer, state, lambda, divided->area[1] / common, divided->area[0] / common);
    }
    return DUET_OK;
}

// The tasks of a side, longest first; on the second one, the task that passes its area last.
static size_t list_side(const moldable_2 *state, int side, duet_rigid_task *list)
{
    const duet_instance *instance = state->instance;
    size_t count = 0;
    bool has_last = side == 1 && state->passing < SIZE_MAX;
    duet_rigid_task last = {.size = 0};
    for (size_t i = 0; i < instance->kinds; i++) {
        const choice *chosen = &state->choice[i];
        int64_t split = instance->first[i + 1] - chosen->second; // tasks from here on: second type
        int64_t begin = side == 0 ? instance->first[i] : split;
        int64_t end = side == 0 ? split : instance->first[i + 1];
        for (int64_t j = begin; j < end; j++) {
            duet_time_table table = duet_table_of(instance, i, type_at(state, side));
            int64_t size = chosen->size[side];
            duet_rigid_task task = {duet_time_at(table, size), (size_t)j, (int32_t)size};
            if (has_last && i == state->passing && j == end - 1) {
                last = task;
            } else {
                list[count++] = task;
            }
        }
    }
    duet_rigid_sort(list, count);
    if (has_last) {
        list[count++] = last;
    }
    return count;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    moldable_2 *state = opaque;
    size_t tasks = (size_t)duet_tasks(state->instance);
    duet_plan plan;
    duet_rigid_task *list = duet_alloc_raw(tasks, sizeof *list, error);
    duet_code code = duet_plan_create(tasks, &plan, error);
    code = list == NULL ? DUET_E_MEMORY : code;
    for (int side = 0; side < (int)state->used.count && code == DUET_OK; side++) {
        size_t count = list_side(state, side, list);
        code = duet_rigid_list(list, count, (int32_t)type_at(state, side),
                               (size_t)processors(state, side), &plan, error);
    }
    DUET_THEN(code, duet_plan_write(&plan, solution, error));
    duet_free(list);
    duet_plan_free(&plan);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    moldable_2 state = {.instance = instance, .used = duet_find_used_types(instance)};
    if (state.used.count > 2) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "moldable-2 needs processors of one type or two: this platform has "
                              "%zu",
                              state.used.count);
    }
    if (instance->moldable->shape == DUET_TABLES_ZEROS) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "moldable-2 needs times above 0: expected auto or m-heft for tasks "
                              "of 0 ticks");
    }
    state.monotone = duet_alloc_raw(instance->kinds, sizeof *state.monotone, error);
    state.choice = duet_alloc_raw(instance->kinds, sizeof *state.choice, error);
    state.order = duet_alloc_raw(instance->kinds, sizeof *state.order, error);
    duet_code code = state.monotone == NULL || state.choice == NULL || state.order == NULL
                         ? DUET_E_MEMORY
                         : DUET_OK;
    if (code == DUET_OK) {
        for (size_t i = 0; i < instance->kinds; i++) {
            state.monotone[i] = duet_moldable_is_monotone(instance, i);
        }
        duet_dual dual = {"moldable-2", &state, guess, build};
        code = duet_moldable_dual(instance, context, &dual, DUET_PRICED_AREA, solution, error);
    }
    duet_free(state.monotone);
    duet_free(state.choice);
    duet_free(state.order);
    return code;
}

const duet_algorithm duet_algorithm_moldable_2 = {
    .entry = {.name = "moldable-2",
              .summary = "dual approximation of moldable tasks: least areas, any tables",
              .guarantee = "2",
              .reference = "Ludwig, Tiwari, SODA 1994",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_RIGID,
              .options = duet_guess_options},
    .moldable_ratio = ratio,
    .run = run,
    .makes_runs = true,
};
