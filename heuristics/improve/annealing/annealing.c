// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/annealing/annealing.h"

#include <math.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/improve/annealing/annealing_state.h"

// A run: moves for each task at first, within limits, then a share of what was spent so far;
// temperatures; moves between two looks at the clock.
enum { MOVES_A_TASK = 200, FEWEST = 20000, MOST = 2000000, SHARE = 16, STEPS = 200, UNSEEN = 8192 };

static uint32_t processors_in_use(const duet_instance *instance, size_t type)
{
    int64_t tasks = duet_tasks(instance);
    int64_t processors = instance->processors[type];
    return (uint32_t)duet_min(processors, tasks);
}

// DUET_E_LIMIT where the numbers do not fit into 32 bits, or the whole and `more` bytes beside it
// do not fit into memory.
static duet_code check_size(const duet_instance *instance, const duet_context *context, size_t more,
                            duet_error *error)
{
    // A task: class, processor, position, the best processor, its number with room to grow. A kind:
    // slots, and its part of the hash table; and a time for each type.
    enum { per_task = 6 * sizeof(uint32_t), per_kind = DUET_ANNEALING_SLOTS + 16 };
    duet_uint128 tasks = (duet_uint128)duet_tasks(instance);
    duet_uint128 processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_uint128 count = (duet_uint128)instance->processors[t];
        processors += duet_min(count, tasks);
    }
    if (tasks >= UINT32_MAX || processors >= UINT32_MAX || instance->kinds >= UINT32_MAX) {
        return duet_error_set(error, DUET_E_LIMIT, "more tasks than annealing can number");
    }
    duet_uint128 bytes = tasks * per_task + processors * sizeof(duet_annealing_processor) +
                         (duet_uint128)instance->kinds * (per_kind + instance->types * 8) +
                         sizeof(duet_annealer) + duet_task_lists_memory(instance) + more;
    return duet_memory_check(bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes, 1,
                             context->memory_limit, "annealing", error);
}

static duet_code allocate(duet_annealer *annealer, duet_error *error)
{
    annealer->processor =
        duet_alloc(annealer->begin[annealer->types], sizeof *annealer->processor, error);
    annealer->processor_of = duet_alloc(annealer->tasks, sizeof *annealer->processor_of, error);
    annealer->position = duet_alloc(annealer->tasks, sizeof *annealer->position, error);
    annealer->best_of = duet_alloc(annealer->tasks, sizeof *annealer->best_of, error);
    bool whole = annealer->processor != NULL && annealer->processor_of != NULL &&
                 annealer->position != NULL && annealer->best_of != NULL;
    for (size_t t = 0; t < annealer->types && whole; t++) {
        for (uint32_t p = annealer->begin[t]; p < annealer->begin[t + 1]; p++) {
            annealer->processor[p].type = (uint32_t)t;
        }
    }
    return whole ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_annealer_create(const duet_instance *instance, const duet_context *context,
                               duet_annealer **out, duet_error *error)
{
    *out = NULL;
    DUET_TRY(check_size(instance, context, 0, error));
    duet_annealer *annealer = duet_alloc(1, sizeof *annealer, error);
    DUET_NEED(annealer);
    annealer->instance = instance;
    annealer->tasks = (uint32_t)duet_tasks(instance);
    annealer->types = instance->types;
    for (size_t t = 0; t < annealer->types; t++) {
        annealer->begin[t + 1] = annealer->begin[t] + processors_in_use(instance, t);
    }
    annealer->pair.allowed =
        check_size(instance, context, DUET_ANNEALING_PAIR_BYTES, NULL) == DUET_OK;
    size_t cycles = DUET_ANNEALING_PAIR_BYTES + duet_annealing_cycles_bytes(annealer);
    annealer->cycles_allowed = check_size(instance, context, cycles, NULL) == DUET_OK;
    duet_random_seed(&annealer->random, context->seed);
    duet_code code = allocate(annealer, error);
    DUET_THEN(code, duet_annealing_make_tables(annealer, error));
    if (code != DUET_OK) {
        duet_annealer_free(annealer);
        return code;
    }
    *out = annealer;
    return DUET_OK;
}

void duet_annealer_free(duet_annealer *annealer)
{
    if (annealer == NULL) {
        return;
    }
    for (uint32_t p = 0; annealer->processor != NULL && p < annealer->begin[annealer->types]; p++) {
        duet_free(annealer->processor[p].task);
    }
    duet_free(annealer->time);
    duet_free(annealer->slot);
    duet_free(annealer->class_of);
    duet_free(annealer->processor);
    duet_free(annealer->processor_of);
    duet_free(annealer->position);
    duet_free(annealer->best_of);
    duet_pair_table_free(&annealer->pair.table);
    duet_free(annealer->pair.cost);
    duet_annealing_free_cycles(annealer->cycles);
    duet_free(annealer);
}

// A task joins a processor, which may need room for it.
static duet_code put(duet_annealer *annealer, uint32_t task, uint32_t processor, duet_error *error)
{
    duet_annealing_processor *to = &annealer->processor[processor];
    DUET_TRY(duet_vec_grow(to->task, to->count, error));
    duet_annealing_add(annealer, task, processor);
    to->load += duet_annealing_time(annealer, task, to->type);
    return DUET_OK;
}

static void clear(duet_annealer *annealer)
{
    for (uint32_t p = 0; p < annealer->begin[annealer->types]; p++) {
        annealer->processor[p].load = 0;
        annealer->processor[p].count = 0;
    }
}

// The walk goes on from the best schedule.
static duet_code return_to_best(duet_annealer *annealer, duet_error *error)
{
    duet_code code = DUET_OK;
    clear(annealer);
    for (uint32_t j = 0; j < annealer->tasks && code == DUET_OK; j++) {
        code = put(annealer, j, annealer->best_of[j], error);
    }
    return code;
}

static duet_code read_lists(duet_annealer *annealer, const duet_task_lists *lists,
                            duet_error *error)
{
    duet_code code = DUET_OK;
    DUET_ASSERT(lists->count == annealer->begin[annealer->types]);
    clear(annealer);
    for (uint32_t p = 0; p < annealer->begin[annealer->types]; p++) {
        const duet_task_list *list = &lists->at[p];
        for (size_t i = 0; i < list->count && code == DUET_OK; i++) {
            code = put(annealer, (uint32_t)list->task[i], p, error);
        }
    }
    memcpy(annealer->best_of, annealer->processor_of, annealer->tasks * sizeof *annealer->best_of);
    return code;
}

static duet_code write_lists(const duet_annealer *annealer, duet_task_lists *lists,
                             duet_error *error)
{
    for (size_t l = 0; l < lists->count; l++) {
        lists->at[l].count = 0;
        lists->at[l].load = 0;
    }
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        duet_task_list *to = &lists->at[annealer->best_of[j]];
        DUET_TRY(duet_vec_push(to->task, to->count, error, j));
        to->load += duet_annealing_time(annealer, j, (size_t)to->type);
    }
    return DUET_OK;
}

// What a tick costs in a run, and how the moves are mixed.
static void set_costs(duet_annealer *annealer, const duet_annealing_draw *draw)
{
    enum { bits = 1 << 16 };
    duet_annealing_penalties(annealer, annealer->over);
    double sum = 0.0;
    for (size_t t = 0; t < annealer->types; t++) {
        double tilt = draw->tilt * (2.0 * duet_random_unit(&annealer->random) - 1.0);
        annealer->tick[t] = draw->work * annealer->weight[t];
        annealer->over[t] *= exp(tilt);
    }
    for (size_t i = 0; i < 3; i++) {
        sum += draw->kind[i];
        annealer->until[i] = (uint32_t)(sum * bits);
    }
    annealer->low = draw->low;
    annealer->loaded = (uint32_t)(draw->loaded * bits);
}

// Below this temperature no move that lengthens a processor by a tick is accepted.
static double frozen(const duet_annealer *annealer)
{
    const double share = 0.05;
    double least = INFINITY;
    for (size_t t = 0; t < annealer->types; t++) {
        least =
            annealer->begin[t] < annealer->begin[t + 1] ? fmin(least, annealer->over[t]) : least;
    }
    return share * least;
}

// Proposes moves at one temperature, with a look at the clock now and then. Returns whether the
// run is over.
static bool hold(duet_annealer *annealer, const duet_context *context, int64_t moves,
                 double temperature, duet_annealed *annealed)
{
    for (int64_t left = moves; left > 0; left -= UNSEEN) {
        int64_t batch = duet_min(left, UNSEEN);
        duet_annealing_propose(annealer, batch, temperature);
        annealer->spent += batch;
        annealed->moves += batch;
        if (annealer->best <= annealer->target || annealer->failed) {
            return true;
        }
        if (duet_context_stop(context)) {
            annealed->stopped = true;
            return true;
        }
    }
    return false;
}

static void run_once(duet_annealer *annealer, const duet_context *context, int64_t moves,
                     duet_annealed *annealed)
{
    duet_annealing_draw draw = duet_annealing_next_draw(annealer);
    duet_annealing_make_slots(annealer, context, draw.bias, annealer->best);
    set_costs(annealer, &draw);
    duet_annealing_set_limit(annealer, annealer->best);
    double temperature = draw.hot * annealer->spread;
    double cold = fmax(temperature / draw.cooling, frozen(annealer));
    double factor = cold < temperature ? pow(cold / temperature, 1.0 / STEPS) : 1.0;
    int64_t done = 0;
    for (int step = 0; step < STEPS; step++) {
        int64_t until = (int64_t)((double)moves * (step + 1) / STEPS);
        if (hold(annealer, context, until - done, temperature, annealed)) {
            return;
        }
        done = until;
        temperature *= factor;
    }
    draw.end = duet_annealing_end_of(annealer);
    duet_annealing_keep_draw(annealer, &draw);
}

// How many moves the next run has: few at first, later a share of what was spent, and a chance of
// less or more.
static int64_t next_length(duet_annealer *annealer)
{
    int64_t moves = (int64_t)annealer->tasks * MOVES_A_TASK;
    moves = moves < FEWEST ? FEWEST : duet_min(moves, MOST);
    moves = duet_max(annealer->spent / SHARE, moves);
    return (moves >> 1) << duet_random_between(&annealer->random, 0, 2);
}

// How near the runs of a kind have ended, for the best makespan of now.
static void note_end(duet_annealing_end *nearest, duet_annealing_end end)
{
    if (nearest->best == 0 || duet_annealing_is_better(end, *nearest)) {
        *nearest = end;
    }
}

// How many moves a run of cyclic exchanges gets now; 0: it is not its turn. Such runs, where there
// are any, get half of all moves, and more or less of them once it is known which runs end nearer
// to something shorter than the best schedule.
static int64_t moves_of_cycles(const duet_annealer *annealer, int64_t left)
{
    enum { much = 6, little = 1, half = 4, parts = 8 };
    const duet_annealing_end *others = &annealer->nearest[0];
    const duet_annealing_end *cycles = &annealer->nearest[1];
    int64_t share = half;
    if (others->best == annealer->best && cycles->best == annealer->best) {
        share = cycles->excess < others->excess ? much : little;
    }
    int64_t moves = left / parts * share;
    bool turn = annealer->spent_on_cycles < annealer->spent / parts * share;
    return turn && duet_annealing_has_cycles(annealer, moves) ? moves : 0;
}

// Runs over pairs of processors, where there are any, get half of the moves left: which kind finds
// the last ticks differs from instance to instance, and how near runs end on average does not tell.
// Runs of single moves end far apart; the nearest of them may be nearer than any over pairs.
static void run_next(duet_annealer *annealer, const duet_context *context, int64_t left,
                     duet_annealed *annealed)
{
    int64_t half = left / 2;
    int64_t moves = moves_of_cycles(annealer, left);
    if (moves > 0) {
        duet_annealing_run_cycles(annealer, context, moves, annealed);
        note_end(&annealer->nearest[1], annealer->end_of_cycles);
        return;
    }
    if (annealer->spent_on_pairs < (annealer->spent - annealer->spent_on_cycles) / 2 &&
        duet_annealing_has_pairs(annealer, half)) {
        duet_annealing_run_pairs(annealer, context, half, annealed);
    } else {
        int64_t length = next_length(annealer);
        run_once(annealer, context, duet_min(length, left), annealed);
    }
    note_end(&annealer->nearest[0], duet_annealing_end_of(annealer));
}

static duet_code search(duet_annealer *annealer, const duet_context *context, int64_t moves,
                        duet_annealed *annealed, duet_error *error)
{
    duet_code code = DUET_OK;
    while (code == DUET_OK && annealed->moves < moves && annealer->best > annealer->target &&
           !annealed->stopped && !annealer->failed) {
        run_next(annealer, context, moves - annealed->moves, annealed);
        if (duet_random_between(&annealer->random, 0, 1) == 0) {
            code = return_to_best(annealer, error);
        }
    }
    return code == DUET_OK && annealer->failed
               ? duet_error_set(error, DUET_E_MEMORY, "out of memory for annealing")
               : code;
}

// Replaces the schedule of a solution by the best one.
static duet_code take_best(const duet_annealer *annealer, duet_task_lists *lists,
                           duet_solution *solution, duet_error *error)
{
    DUET_TRY(write_lists(annealer, lists, error));
    DUET_TRY(duet_solution_hold_placements(solution, error));
    duet_task_lists_place(lists, solution->placement);
    DUET_ASSERT(duet_solution_measure(solution, annealer->instance) == annealer->best);
    solution->makespan = annealer->best;
    solution->aborted_count = 0;
    return DUET_OK;
}

duet_code duet_annealer_run(duet_annealer *annealer, const duet_context *context, int64_t target,
                            int64_t moves, duet_solution *solution, duet_annealed *annealed,
                            duet_error *error)
{
    int64_t before = duet_solution_measure(solution, annealer->instance);
    *annealed = (duet_annealed){.before = before, .after = before};
    if (before <= target || annealer->begin[annealer->types] < 2) {
        return DUET_OK;
    }
    const duet_placement *placement = duet_solution_placements(solution);
    if (placement == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for a schedule");
    }
    duet_task_lists lists;
    duet_code code = duet_task_lists_create(annealer->instance, placement, &lists, error);
    DUET_THEN(code, read_lists(annealer, &lists, error));
    if (code == DUET_OK) {
        annealer->best = duet_annealing_longest(annealer);
        annealer->target = duet_max(target, 0);
        annealer->failed = false;
        code = search(annealer, context, moves, annealed, error);
        enum { move = 25 }; // nanoseconds
        duet_count_work(move * annealed->moves);
    }
    if (code == DUET_OK && annealer->best < before) {
        code = take_best(annealer, &lists, solution, error);
        annealed->after = code == DUET_OK ? annealer->best : before;
    }
    duet_task_lists_free(&lists);
    return code;
}
