// SPDX-License-Identifier: Apache-2.0
// Algorithm: sizing, the smallest platforms of a range that make a deadline.
// Method:    a schedule on a platform is one on all larger platforms, and a lower bound of it one
//            on all smaller. So the platforms that make the deadline are above a staircase, which
//            lines of the grid (the longest count varies) are bisected for, the middle line first.
//            A platform is solved until it is known whether it makes the deadline. Those that a
//            short time leaves open get eight times as long, while they could change the answer.
// Guarantee: none; what is answered is proven, and what is open is said.
// Cost:      about lines * log(length) solutions where a short time decides each, fewer where one
//            line settles others; each is noted in O(platforms).
// Memory:    O(platforms), and the solutions along the staircase.
// Reference: ours; bisection of a monotone staircase is folklore.
#include <duet/check.h>
#include <duet/size.h>
#include <duet/solve.h>

#include "core/instance/available.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "solvers/registry.h"
#include "solvers/size/grid.h"

// Seconds for the first look at a platform, and how much longer each further one takes.
static const double FIRST_LOOK = 0.05;
static const double LONGER = 8;
// Seconds of all where no limit is given.
static const double DEFAULT_SECONDS = 30;

struct duet_sizing {
    duet_grid grid;
    bool priced;
    duet_solution **solution; // of each cell; NULL: none is kept
};

typedef struct search {
    duet_sizing *sizing;
    duet_grid *grid;
    duet_instance *instance;
    const duet_size_desc *desc;
    duet_params params;
    int64_t deadline_ns; // when all ends
    int8_t effort;       // of this round
    double seconds;      // for each platform in this round
    size_t axis;         // the type whose count varies along a line
    size_t stride;       // between neighbours on a line
    bool open;           // a platform that matters stayed open in this round
} search;

void duet_sizing_free(duet_sizing *sizing)
{
    if (sizing == NULL) {
        return;
    }
    for (size_t i = 0; i < sizing->grid.cells && sizing->solution != NULL; i++) {
        duet_solution_free(sizing->solution[i]);
    }
    duet_free(sizing->solution);
    duet_grid_free(&sizing->grid);
    duet_free(sizing);
}

static bool is_over(const search *s)
{
    return duet_cancel_requested(s->params.cancel) || duet_clock_ns() >= s->deadline_ns;
}

// Whether a platform could change the answer: it is open, and no dearer than what is known.
static bool matters(const search *s, size_t cell, int64_t cheapest)
{
    return duet_grid_feasible(s->grid, cell) == DUET_UNDECIDED &&
           (!s->sizing->priced || s->grid->price[cell] <= cheapest);
}

static duet_code judge(const search *s, const duet_solution *solution, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(s->instance, solution, NULL, NULL, &fault);
    return code == DUET_OK ? code
                           : duet_error_set(error, code == DUET_E_INPUT ? DUET_E_INTERNAL : code,
                                            "%s", fault.message);
}

// Solves a platform, which has processors.
static duet_code ask(search *s, size_t cell, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    double left = (double)(s->deadline_ns - duet_clock_ns()) * 1e-9;
    s->params.time_limit = duet_max(duet_min(s->seconds, left), 1e-3);
    duet_code code = duet_solve(s->instance, s->desc->algorithm, &s->params, &solution, &why);
    DUET_THEN(code, judge(s, solution, &why));
    if (code == DUET_OK) {
        duet_grid_note(s->grid, cell, duet_solution_makespan(solution),
                       duet_solution_lower_bound(solution));
        duet_solution_free(s->sizing->solution[cell]);
        s->sizing->solution[cell] = solution;
        bool once = !duet_searches(s->desc->algorithm) && !solution->interrupted;
        s->grid->effort[cell] = once ? INT8_MAX : s->effort;
        return DUET_OK;
    }
    duet_solution_free(solution);
    if (code == DUET_E_INFEASIBLE) {
        duet_grid_note(s->grid, cell, DUET_FORBIDDEN, DUET_FORBIDDEN);
        return DUET_OK;
    }
    if (code == DUET_E_LIMIT || code == DUET_E_CANCELLED) {
        return DUET_OK;
    }
    *error = why;
    return code;
}

// Solves a platform once in a round.
static duet_code look(search *s, size_t cell, duet_error *error)
{
    int64_t counts[DUET_MAX_TYPES];
    int64_t total = 0;
    duet_grid_counts(s->grid, cell, counts);
    for (size_t t = 0; t < s->grid->types; t++) {
        total += counts[t];
    }
    s->grid->effort[cell] = s->effort;
    s->grid->solved[cell] = true;
    if (total == 0) {
        bool empty = duet_tasks(s->instance) == 0;
        duet_grid_note(s->grid, cell, empty ? 0 : DUET_FORBIDDEN, empty ? 0 : DUET_FORBIDDEN);
        return DUET_OK;
    }
    duet_trim_busy(s->instance, counts);
    DUET_TRY(duet_instance_set_counts(s->instance, s->grid->types, counts, error));
    return ask(s, cell, error);
}

// Bisects the cells low .. high-1 of a line. What stays open in the middle leaves both sides.
static duet_code bisect(search *s, size_t begin, int64_t low, int64_t high, duet_error *error)
{
    while (low < high && !is_over(s)) {
        int64_t middle = low + (high - low) / 2;
        size_t cell = begin + (size_t)middle * s->stride;
        bool rich = s->effort > 1 && !matters(s, cell, duet_grid_cheapest(s->grid));
        if (duet_grid_feasible(s->grid, cell) == DUET_UNDECIDED && !rich &&
            s->grid->effort[cell] < s->effort) {
            DUET_TRY(look(s, cell, error));
        }
        switch (duet_grid_feasible(s->grid, cell)) {
        case DUET_YES:
            high = middle;
            break;
        case DUET_NO:
            low = middle + 1;
            break;
        default:
            s->open = true;
            DUET_TRY(bisect(s, begin, low, middle, error));
            low = middle + 1;
            break;
        }
    }
    return DUET_OK;
}

// The first cell of a line by its number.
static size_t line_begin(const search *s, size_t line)
{
    size_t length = (size_t)s->grid->length[s->axis];
    return line / s->stride * s->stride * length + line % s->stride;
}

// Lines low .. high-1, the middle one first: it settles most of the others.
static duet_code take_lines(search *s, size_t low, size_t high, duet_error *error)
{
    if (low >= high || is_over(s)) {
        return DUET_OK;
    }
    size_t middle = low + (high - low) / 2;
    DUET_TRY(bisect(s, line_begin(s, middle), 0, s->grid->length[s->axis], error));
    DUET_TRY(take_lines(s, low, middle, error));
    return take_lines(s, middle + 1, high, error);
}

static duet_code take_rounds(search *s, duet_error *error)
{
    size_t lines = s->grid->cells / (size_t)s->grid->length[s->axis];
    s->seconds = FIRST_LOOK;
    for (s->effort = 1; s->effort < INT8_MAX; s->effort++) {
        s->open = false;
        DUET_TRY(take_lines(s, 0, lines, error));
        if (!s->open || is_over(s) || duet_sizing_answer(s->sizing) != DUET_UNDECIDED) {
            break;
        }
        s->seconds *= LONGER;
    }
    return DUET_OK;
}

// Keeps the solutions along the staircase alone.
static void drop_others(duet_sizing *sizing)
{
    for (size_t i = 0; i < sizing->grid.cells; i++) {
        if (!duet_grid_is_minimal(&sizing->grid, i) && !duet_grid_is_maximal(&sizing->grid, i)) {
            duet_solution_free(sizing->solution[i]);
            sizing->solution[i] = NULL;
        }
    }
}

static duet_code run(search *s, duet_error *error)
{
    duet_grid *grid = s->grid;
    for (size_t t = 1; t < grid->types; t++) {
        s->axis = grid->length[t] > grid->length[s->axis] ? t : s->axis;
    }
    s->stride = 1;
    for (size_t t = s->axis + 1; t < grid->types; t++) {
        s->stride *= (size_t)grid->length[t];
    }
    // A claim is about the counts as they are: it goes where they change, and is put back.
    duet_instance *instance = s->instance;
    duet_kept_claim *claim = instance->claim;
    bool known = instance->has_platform;
    int64_t counts[DUET_MAX_TYPES];
    for (size_t t = 0; t < grid->types; t++) {
        counts[t] = known ? instance->processors[t] : DUET_MAX_PROCESSORS;
    }
    instance->claim = NULL;
    duet_code code = take_rounds(s, error);
    duet_trim_busy(instance, counts);
    if (known) {
        duet_code back = duet_instance_set_counts(instance, grid->types, counts, error);
        code = code == DUET_OK ? back : code;
    }
    instance->has_platform = known;
    instance->claim = claim;
    return code;
}

duet_code duet_size(duet_instance *instance, const duet_size_desc *desc, duet_sizing **out,
                    duet_error *error)
{
    const duet_params none = DUET_PARAMS_INIT;
    duet_size_desc given = {.struct_size = sizeof given};
    duet_context limits;
    *out = NULL;
    DUET_TRY(duet_struct_take(&given, sizeof given, DUET_SIZE_UNTIL(duet_size_desc, params), desc,
                              "duet_size_desc", error));
    if ((duet_instance_features(instance) & DUET_FEATURE_FIXED) != 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "sizing does not handle what this instance has: fixed tasks, or "
                              "processors that are left out");
    }
    if (given.least == NULL || given.most == NULL) {
        return duet_error_set(error, DUET_E_USAGE, "expected a range of counts");
    }
    DUET_TRY(duet_context_init(&limits, given.params, error));
    duet_params params = none;
    if (given.params != NULL) {
        DUET_TRY(duet_struct_take(&params, sizeof params, DUET_SIZE_UNTIL(duet_params, registry),
                                  given.params, "duet_params", error));
    }
    duet_sizing *sizing = duet_alloc(1, sizeof *sizing, error);
    DUET_NEED(sizing);
    search s = {.sizing = sizing,
                .grid = &sizing->grid,
                .instance = instance,
                .desc = &given,
                .params = params,
                .deadline_ns = limits.deadline_ns};
    s.params.deadline = given.deadline;
    if (s.deadline_ns == INT64_MAX) {
        s.deadline_ns = limits.start_ns + (int64_t)(DEFAULT_SECONDS * 1e9);
    }
    sizing->priced = given.price != NULL;
    duet_code code = duet_grid_create(&given, duet_instance_types(instance), s.grid, error);
    if (code == DUET_OK) {
        sizing->solution = duet_alloc(sizing->grid.cells, sizeof(duet_solution *), error);
        code = sizing->solution == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    DUET_THEN(code, run(&s, error));
    if (code == DUET_OK) {
        drop_others(sizing);
        *out = sizing;
    } else {
        duet_sizing_free(sizing);
    }
    return code;
}

duet_feasibility duet_sizing_answer(const duet_sizing *sizing)
{
    const duet_grid *grid = &sizing->grid;
    int64_t cheapest = duet_grid_cheapest(grid);
    for (size_t i = 0; i < grid->cells; i++) {
        if (duet_grid_feasible(grid, i) == DUET_UNDECIDED &&
            (!sizing->priced || grid->price[i] <= cheapest)) {
            return DUET_UNDECIDED;
        }
    }
    return cheapest == INT64_MAX ? DUET_NO : DUET_YES;
}

size_t duet_sizing_platforms(const duet_sizing *sizing)
{
    return sizing->grid.cells;
}

duet_sized duet_sizing_platform(const duet_sizing *sizing, size_t index)
{
    const duet_grid *grid = &sizing->grid;
    duet_sized sized = {.price = grid->price[index],
                        .feasible = duet_grid_feasible(grid, index),
                        .makespan = grid->makespan[index],
                        .lower_bound = grid->bound[index],
                        .solved = grid->solved[index],
                        .smallest = duet_grid_is_minimal(grid, index)};
    duet_grid_counts(grid, index, sized.counts);
    if (sized.smallest && sizing->priced) {
        sized.smallest = sized.price == duet_grid_cheapest(grid);
    }
    return sized;
}

const duet_solution *duet_sizing_solution(const duet_sizing *sizing, size_t index)
{
    return sizing->solution[index];
}
