// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph at a guess C.
// Method:    every schedule within C starts each task within its window [h_j, C - t_j], after its
//            predecessors, on types that are left to it, and the work that cannot leave an interval
//            [a, C - b] fits into the processors. Tasks are divided between types, which makes it a
//            linear program: minimise the z by which the work of intervals exceeds what fits, per
//            processor. Few of its rows bind, so that they are generated: rows of the edges of
//            paths that are too long with the times of the last solution, and rows of intervals
//            that hold too much work, first over a coarse grid of (a, b), then over a fine one.
//            Where z is above 0, its duals are rounded to a line of integers, whose value alone
//            refutes the guess. Mixing rows (mixing.h) join where paths say no more: they
//            strengthen what divided tasks say about the paths through several of them.
// Cost:      some milliseconds at 200 tasks, growing with the square and more.
// Memory:    about 1 KB a task, and 16 bytes for each row of an interval and task. With mixing
//            rows, which up to 1,000 tasks have, 8 bytes a pair of tasks and 300 a row.
// Reference: Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", HCW 2015, for the program without windows; Baptiste, Le
//            Pape, Nuijten, "Satisfiability tests and time-bound adjustments for cumulative
//            scheduling problems", Annals of Operations Research 92, 1999, for energetic reasoning.
#include "lp/graph/interval.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

static duet_code allocate(duet_interval_program *p, duet_error *error)
{
    size_t tasks = (size_t)p->net->tasks;
    size_t edges = (size_t)p->net->edges;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(p->edge_active, edges),
        DUET_ARENA_ARRAY(p->tail_active, 2 * tasks),
        DUET_ARENA_ARRAY(p->base, p->net->instance->kinds),
        DUET_ARENA_ARRAY(p->share_column, tasks + 1),
        DUET_ARENA_ARRAY(p->share, tasks * p->types),
        DUET_ARENA_ARRAY(p->through, 5 * tasks),
        DUET_ARENA_ARRAY(p->points, tasks),
        DUET_ARENA_ARRAY(p->line.flow, edges + 2 * tasks),
        DUET_ARENA_ARRAY(p->transfer_active, edges * p->types),
        DUET_ARENA_ARRAY(p->transfer, edges),
        DUET_ARENA_ARRAY(p->transfer_type, edges),
        DUET_ARENA_ARRAY(p->line.transfer_price, 2 * edges * p->types)};
    const size_t count = sizeof arrays / sizeof *arrays;
    const size_t of_costs = 4; // The last ones.
    bool costs = p->net->graph->transfer != NULL && !p->without_solver;
    DUET_TRY(duet_arena_create(&p->arena, arrays, costs ? count : count - of_costs, error));
    if (costs) {
        p->line.transfer = p->line.transfer_price + edges * p->types;
    }
    p->covered = p->tail_active + tasks;
    p->early = p->through + tasks;
    p->late = p->early + tasks;
    p->duration = p->late + tasks;
    p->start = p->duration + tasks;
    p->line.alpha = p->line.flow + edges;
    p->line.beta = p->line.alpha + tasks;
    return DUET_OK;
}

// The base of every kind, and where the columns of a task's shares begin.
static void number_columns(duet_interval_program *p)
{
    const duet_instance *instance = p->net->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (p->base[i] = 0; !duet_allowed(instance, i, p->base[i]); p->base[i]++) {
            DUET_ASSERT(p->base[i] + 1 < p->types);
        }
    }
    size_t column = 1 + (size_t)p->net->tasks;
    for (int64_t j = 0; j < p->net->tasks; j++) {
        size_t kind = (size_t)p->net->kind[j];
        p->share_column[j] = column;
        for (size_t t = p->base[kind] + 1; t < p->types; t++) {
            column += duet_allowed(instance, kind, t);
        }
    }
    p->share_column[p->net->tasks] = column;
}

// Where the paths do not fit into the memory, the program does without.
static duet_code create_mixing(duet_interval_program *p, const duet_context *context,
                               duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_mixing_create(p->net, context, &p->mixing, &why);
    return code == DUET_OK || code == DUET_E_LIMIT ? DUET_OK
                                                   : duet_error_set(error, code, "%s", why.message);
}

duet_code duet_interval_create(const duet_network *network, const duet_context *context,
                               duet_interval_program **out, duet_error *error)
{
    enum { bytes = 1000, of_transfer = 24 };
    *out = NULL;
    size_t transfers = network->graph->transfer == NULL ? 0 : network->instance->types;
    DUET_TRY(duet_memory_check((uint64_t)network->tasks + (uint64_t)network->edges,
                               bytes + of_transfer * transfers, context->memory_limit,
                               "the program of intervals", error));
    duet_interval_program *p = duet_alloc(1, sizeof *p, error);
    DUET_NEED(p);
    p->net = network;
    p->types = network->instance->types;
    p->without_solver = !duet_lp_available();
    duet_code code = allocate(p, error);
    if (code == DUET_OK) {
        number_columns(p);
        p->column_basis =
            duet_alloc(p->share_column[network->tasks], sizeof *p->column_basis, error);
        code = p->column_basis == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    for (size_t t = 0; t < p->types && code == DUET_OK; t++) {
        duet_interval_row all = {.kind = DUET_INTERVAL_WORK, .type = t};
        if (network->instance->processors[t] > 0) {
            code = duet_interval_add_row(p, &all, error);
        }
    }
    if (code == DUET_OK && !p->without_solver && network->tasks <= DUET_INTERVAL_SMALL_TASKS) {
        code = create_mixing(p, context, error);
    }
    if (code != DUET_OK) {
        duet_interval_free(p);
        return code;
    }
    *out = p;
    return DUET_OK;
}

void duet_interval_free(duet_interval_program *program)
{
    if (program != NULL) {
        duet_free(program->row);
        duet_free(program->mix);
        duet_mixing_free(program->mixing);
        duet_free(program->line.mixing);
        duet_free(program->line.mixing_price);
        duet_arena_free(&program->arena);
        duet_free(program->column_basis);
        duet_free(program->line.interval);
        duet_free(program->prices);
        duet_lp_free(program->lp);
        duet_free(program);
    }
}

// Leaves out rows that have not been binding for long, and those of intervals that are no more.
static void forget_rows(duet_interval_program *p, const duet_interval_guess *guess)
{
    size_t kept = 0;
    size_t mixes = 0;
    for (size_t r = 0; r < p->rows; r++) {
        duet_interval_row row = p->row[r];
        row.idle++;
        bool basic = !p->has_basis || row.basis == DUET_LP_BASIC;
        bool mixed = row.kind == DUET_INTERVAL_MIX;
        bool empty = row.kind == DUET_INTERVAL_WORK && row.after > guess->guess - row.before;
        bool whole = row.kind == DUET_INTERVAL_WORK && row.after == 0 && row.before == 0;
        if (basic && !whole &&
            (row.idle > (mixed ? DUET_INTERVAL_MOST_IDLE_MIXED : DUET_INTERVAL_MOST_IDLE) ||
             empty)) {
            bool *active = duet_interval_active(p, &row);
            if (active != NULL) {
                *active = false;
            }
        } else {
            if (mixed) { // these are in the order of their rows
                p->mix[mixes] = p->mix[row.at];
                duet_mixing_measure(p->mixing, &p->mix[mixes]);
                row.at = (int32_t)mixes++;
            }
            p->row[kept++] = row;
        }
    }
    p->rows = kept;
    p->mixes = mixes;
}

// Rows that first-order steps do not know are left out: mixing rows, also for good, and transfers.
static void leave_out(duet_interval_program *p, bool transfers)
{
    size_t kept = 0;
    for (size_t r = 0; r < p->rows; r++) {
        bool is_transfer = p->row[r].kind == DUET_INTERVAL_TRANSFER;
        if (is_transfer && transfers) {
            *duet_interval_active(p, &p->row[r]) = false;
        }
        if (p->row[r].kind != DUET_INTERVAL_MIX && !(is_transfer && transfers)) {
            p->row[kept++] = p->row[r];
        } else if (p->row[r].basis != DUET_LP_BASIC) {
            p->has_basis = false;
        }
    }
    p->rows = kept;
    p->mixes = 0;
}

// A task whose window is shorter than its shortest time; -1: there is none.
static int64_t find_tight(const duet_interval_program *p, const duet_interval_guess *guess)
{
    for (int64_t j = 0; j < p->net->tasks; j++) {
        duet_int128 least = (duet_int128)guess->window[j].start + guess->window[j].tail;
        if (least + duet_interval_shortest(p, guess, j) > guess->guess) {
            return j;
        }
    }
    return -1;
}

// Whether the line of an earlier guess, or node, refutes this one as well.
static bool line_refutes(const duet_interval_program *p, const duet_interval_guess *guess)
{
    bool fits;
    for (size_t i = 0; i < p->line.mixings; i++) {
        duet_mixing_measure(p->mixing, &p->line.mixing[i]);
    }
    duet_int128 excess = duet_interval_excess(p->net, guess, &p->line, &fits);
    return fits && excess > 0;
}

// The objectives of the last rounds.
typedef struct progress {
    double last[3];
    int rounds;
} progress;

// Whether the objective, which only grows, is so slow that it will hardly reach 0.
static bool is_slow(progress *climb, double objective)
{
    enum { span = sizeof climb->last / sizeof *climb->last };
    double before = climb->last[climb->rounds % span];
    climb->last[climb->rounds++ % span] = objective;
    return climb->rounds > span && (objective - before) * 10.0 < -objective;
}

static duet_code solve_once(duet_interval_program *p, const duet_interval_guess *guess,
                            const duet_context *context, bool *refuted, bool *ended,
                            duet_error *error);

// Where the solver is stuck: without mixing rows, then without it.
static duet_code solve_otherwise(duet_interval_program *p, const duet_interval_guess *guess,
                                 const duet_context *context, bool *refuted, bool *ended,
                                 duet_error *error)
{
    bool mixed = p->mixes > 0;
    duet_interval_leave(p);
    leave_out(p, !mixed);
    p->has_basis = false;
    DUET_TRY(mixed ? duet_interval_build(p, guess, error) : DUET_OK);
    return solve_once(p, guess, context, refuted, ended, error);
}

// One solve. Where it refutes the guess, or there is nothing to go on from, `*ended`.
static duet_code solve_once(duet_interval_program *p, const duet_interval_guess *guess,
                            const duet_context *context, bool *refuted, bool *ended,
                            duet_error *error)
{
    if (p->lp == NULL) {
        duet_code code = duet_interval_descend(p, guess, context, refuted, error);
        *ended = *refuted;
        return code;
    }
    bool solved;
    duet_code code = duet_interval_solve(p, guess, context, &solved, error);
    if (code == DUET_OK && !solved && !duet_context_stop(context)) {
        return solve_otherwise(p, guess, context, refuted, ended, error);
    }
    *ended = !solved || p->objective > 0.0;
    if (code == DUET_OK && solved && p->objective > 0.0) {
        code = duet_interval_judge(p, guess, refuted, error);
    }
    return code;
}

// Rows that the last solution violates: mixing rows, which are many and slow a program down, where
// no path is too long. How many; negative: no memory.
static int add_violated(duet_interval_program *p, const duet_interval_guess *guess,
                        duet_interval_effort effort, size_t points, const duet_context *context,
                        duet_error *error)
{
    int paths = duet_interval_add_paths(p, guess, error);
    int work = paths < 0
                   ? paths
                   : duet_interval_add_work(p, guess, points, DUET_INTERVAL_ROWS_A_ROUND, error);
    int mixed = 0;
    if (work >= 0 && paths == 0 && effort == DUET_INTERVAL_MIXED) {
        mixed = duet_interval_add_mixing(p, guess, context, error);
    }
    return work < 0 || mixed < 0 ? -1 : paths + work + mixed;
}

// Rounds of solving and adding what the solution violates.
static duet_code run_rounds(duet_interval_program *p, const duet_interval_guess *guess,
                            duet_interval_effort effort, const duet_context *context, bool *refuted,
                            duet_error *error)
{
    size_t fine = p->net->tasks <= DUET_INTERVAL_SMALL_TASKS ? DUET_INTERVAL_FINEST_POINTS
                                                             : DUET_INTERVAL_FINE_POINTS;
    size_t points = DUET_INTERVAL_COARSE_POINTS;
    progress climb = {.rounds = 0};
    for (int round = 0; round < DUET_INTERVAL_MOST_ROUNDS && !duet_context_stop(context); round++) {
        bool ended = false;
        duet_code code = solve_once(p, guess, context, refuted, &ended, error);
        if (code != DUET_OK || ended) {
            return code;
        }
        int added = add_violated(p, guess, effort, points, context, error);
        if (added < 0) {
            return DUET_E_MEMORY;
        }
        if (is_slow(&climb, p->objective) || added == 0) {
            if (effort == DUET_INTERVAL_COARSE || points == fine) {
                return DUET_OK;
            }
            points = fine;
            climb.rounds = 0;
        }
    }
    return DUET_OK;
}

duet_code duet_interval_refute(duet_interval_program *program, const duet_interval_guess *guess,
                               duet_interval_effort effort, const duet_context *context,
                               bool *refuted, duet_error *error)
{
    *refuted = false;
    int64_t tight = find_tight(program, guess);
    if (tight >= 0) {
        duet_interval_line_of_task(program, tight);
        *refuted = true;
        return DUET_OK;
    }
    if (guess->guess == 0) { // no task takes any time
        return DUET_OK;
    }
    bool mixes = effort == DUET_INTERVAL_MIXED || program->mixes + program->line.mixings > 0;
    if (program->mixing != NULL && mixes) {
        program->work += duet_mixing_update(program->mixing, guess);
    }
    if (line_refutes(program, guess)) {
        *refuted = true;
        return DUET_OK;
    }
    forget_rows(program, guess);
    duet_code code = DUET_OK;
    if (!program->without_solver) {
        code = duet_interval_build(program, guess, error);
    }
    DUET_THEN(code, run_rounds(program, guess, effort, context, refuted, error));
    duet_interval_leave(program);
    return code;
}

void duet_interval_do_without_solver(duet_interval_program *program)
{
    program->without_solver = true;
    leave_out(program, true);
    duet_interval_do_without_mixing(program);
}

void duet_interval_do_without_mixing(duet_interval_program *program)
{
    leave_out(program, false);
    duet_mixing_free(program->mixing);
    program->mixing = NULL;
    program->line.mixings = 0;
}

const duet_interval_line *duet_interval_line_of(const duet_interval_program *program)
{
    return &program->line;
}

duet_mixing *duet_interval_mixing(duet_interval_program *program)
{
    return program->mixing;
}

int64_t duet_interval_work(const duet_interval_program *program)
{
    return program->work;
}

double duet_interval_share(const duet_interval_program *program, int64_t task, size_t type)
{
    return program->share[(size_t)task * program->types + type];
}

double duet_interval_through(const duet_interval_program *program, int64_t task)
{
    return program->through[task];
}
