// SPDX-License-Identifier: Apache-2.0
// Destructive lower bounds of a task graph: a guess that is refuted raises the bound above it.
// Method:    phases of growing effort. Each bisects between the bound and the smallest guess that
//            it could not refute. If that is cheap or the gap small, it first tries the guess just
//            below the best schedule, which would prove it optimal. Branching is a phase for each
//            strategy and budget of nodes (strategy.h), four times as many each time, so that all
//            that was in vain costs about a third of the last.
// Guarantee: the lines of the last refutation are a proof of the bound.
// Cost:      about ten guesses a phase, each as in refute.c.
// Memory:    that of a refutation, and its proof once more.
// Reference: Klein, Scholl, "Computing lower bounds by destructive improvement", EJOR 112, 1999.
#include "solvers/graph/bound/destructive.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/graph/bound/strategy.h"
#include "solvers/graph/bound/tuning.h"
#include "solvers/graph/refute/refute.h"

// In place of a guess that stands: there is none, or others have been refuted since.
static const int64_t none_failed = INT64_MAX;
static const int64_t none_stands = INT64_MAX - 1;

static const char end_line[] = "end\n";

// What became of mixing rows, which are tried once.
typedef enum row_trial { NOT_TRIED, UNDER_TRIAL, KEPT, LEFT_OUT } row_trial;

// The guess under way.
typedef struct attempt {
    int64_t guess;
    bool paused;   // The refuter paused at it.
    int64_t work;  // Work before it.
    int64_t nodes; // Nodes before it.
} attempt;

// The least guess that the phase could not refute.
typedef struct failure {
    int64_t guess; // none_failed or none_stands: there is none.
    int64_t lower; // The bound when it was tried.
} failure;

// What is given has grown: propagation runs again, then the phase that it interrupts resumes.
typedef struct update {
    bool pending;  // Propagation has not run since.
    int64_t lower; // The bound when it last began to.
    int phase;     // The phase that resumes, if it is a later one; 0: none.
    int64_t step;  // Its step.
} update;

// The last refutation by branching.
typedef struct tree {
    duet_strategy strategy;
    int64_t guess;
    int64_t nodes; // 0: there was none.
} tree;

struct duet_destructive {
    duet_refuter refuter;
    int64_t lower; // No schedule is shorter.
    int64_t limit; // No guess of this or above can be refuted; INT64_MAX: unknown.

    // The phase under way.
    int phase;    // DUET_PHASE_BRANCHING and all above are phases of branching.
    int64_t step; // From the bound to the next guess of an expensive phase; 0: none was tried.
    attempt now;
    failure failed;
    update update;

    // What was learnt.
    row_trial rows;              // Mixing rows of the linear program.
    duet_strategy_choice choice; // The strategies of branching.
    tree last;
    duet_leaf_task *met; // Per task: a schedule within `limit`. NULL: none, or data take time.

    // The proof of `lower`: lines of what is given, which hold under every later guess, and those
    // of the refutation.
    const duet_proof_writer *given;
    size_t given_length; // Bytes of the former: what was given when the refutation ended.
    duet_proof_writer proof;
    bool proven; // The proof is there.
};

duet_code duet_destructive_create(const duet_instance *instance, const duet_context *context,
                                  int64_t lower, duet_destructive **out, duet_error *error)
{
    duet_destructive *bound = duet_alloc(1, sizeof *bound, error);
    *out = NULL;
    DUET_NEED(bound);
    bound->lower = lower;
    bound->failed.guess = none_failed;
    bound->limit = INT64_MAX;
    duet_strategy_begin(&bound->choice, duet_tasks(instance), (int64_t)instance->kinds);
    duet_code code = duet_refuter_create(&bound->refuter, instance, context, error);
    if (code != DUET_OK) {
        duet_destructive_free(bound);
        return code;
    }
    *out = bound;
    return DUET_OK;
}

void duet_destructive_free(duet_destructive *bound)
{
    if (bound != NULL) {
        duet_refuter_free(&bound->refuter);
        duet_proof_writer_free(&bound->proof);
        duet_free(bound->met);
        duet_free(bound);
    }
}

void duet_destructive_give(duet_destructive *bound, const duet_given *given,
                           const duet_proof_writer *lines)
{
    duet_windows_give(&bound->refuter.windows, given);
    bound->given = lines;
}

void duet_destructive_update(duet_destructive *bound)
{
    bound->update.pending = true;
}

bool duet_destructive_is_updating(const duet_destructive *bound)
{
    return bound->update.pending || bound->phase < bound->update.phase;
}

int64_t duet_destructive_updated_at(const duet_destructive *bound)
{
    return bound->update.lower;
}

// Begins the update: propagation first, since more is given.
static void begin_update(duet_destructive *bound)
{
    if (bound->phase > DUET_PHASE_PROPAGATION) {
        bound->update.phase = bound->phase;
        bound->update.step = bound->step;
        bound->phase = DUET_PHASE_PROPAGATION;
        bound->step = 0;
    }
    bound->failed.guess = none_failed;
    bound->update.pending = false;
    bound->update.lower = bound->lower;
}

int64_t duet_destructive_lower(const duet_destructive *bound)
{
    return bound->lower;
}

int64_t duet_destructive_spent(const duet_destructive *bound)
{
    return bound->refuter.windows.work;
}

int64_t duet_destructive_chained(const duet_destructive *bound)
{
    return bound->refuter.windows.work - bound->refuter.windows.beside;
}

void duet_destructive_tell(duet_destructive *bound, atomic_llong *told)
{
    bound->refuter.windows.told = told;
}

// The nodes of a guess: those of its phase, or more if the last refutation took many.
static int64_t nodes_of(const duet_destructive *bound)
{
    int64_t nodes = duet_strategy_nodes(&bound->choice);
    int64_t more = bound->last.strategy == bound->choice.current
                       ? DUET_GUESS_MOST_GROWTH * bound->last.nodes
                       : 0;
    return bound->choice.plain_first && more > nodes ? more : nodes;
}

// What a phase asks of a refutation.
typedef struct phase_means {
    int64_t tasks; // Graphs of more tasks ask nothing.
    duet_refute_strategy strategy;
} phase_means;

static const phase_means means_of[DUET_PHASE_BRANCHING] = {
    [DUET_PHASE_PROPAGATION] = {INT64_MAX, {.program = DUET_NOWHERE}},
    [DUET_PHASE_PROGRAM] = {DUET_BOUND_PROGRAM_TASKS, {.program = DUET_AT_ROOT}},
    [DUET_PHASE_TIME_INDEXED] = {DUET_BOUND_TIMED_TASKS, {.root_steps = DUET_BOUND_ROOT_STEPS}},
    [DUET_PHASE_SHAVING] = {DUET_BOUND_SHAVED_TASKS, {.shaving = DUET_AT_ROOT}},
};

// The same of branching.
static const duet_refute_strategy tree_of[DUET_STRATEGIES] = {
    [DUET_STRATEGY_PLAIN] = {.program = DUET_AT_NODES},
    [DUET_STRATEGY_PROGRAM] = {.program = DUET_AT_NODES, .types = DUET_TYPES_BY_RELAXATION},
    [DUET_STRATEGY_TIME_INDEXED] = {.root_steps = DUET_BOUND_NODE_STEPS,
                                    .node_steps = DUET_BOUND_NODE_STEPS,
                                    .types = DUET_TYPES_BY_RELAXATION},
    [DUET_STRATEGY_SHAVING] = {.program = DUET_AT_NODES,
                               .shaving = DUET_AT_NODES,
                               .starts = DUET_STARTS_HALVED},
};

// Few tasks solve programs only where nodes are shaved. Where plain nodes come first, starts are
// halved by every strategy.
static duet_refute_strategy tree_strategy(const duet_strategy_choice *choice)
{
    duet_refute_strategy strategy = tree_of[choice->current];
    if (choice->tasks <= DUET_STRATEGY_FEW_TASKS && choice->current != DUET_STRATEGY_SHAVING) {
        strategy.program = DUET_NOWHERE;
    }
    if (choice->plain_first) {
        strategy.starts = DUET_STARTS_HALVED;
    }
    return strategy;
}

static duet_refute_effort effort_of(const duet_destructive *bound, int64_t work)
{
    duet_refute_effort effort = {.work = work};
    if (bound->phase >= DUET_PHASE_BRANCHING) {
        effort.nodes = nodes_of(bound);
        effort.strategy = tree_strategy(&bound->choice);
    } else if (bound->refuter.windows.tasks <= means_of[bound->phase].tasks) {
        effort.strategy = means_of[bound->phase].strategy;
    }
    effort.strategy.mixed = bound->rows == UNDER_TRIAL || bound->rows == KEPT;
    return effort;
}

// Whether a phase is left out. Trees are that are too short for a shaved node. Shaving alone is if
// branching follows and is cheaper. Time-indexed prices are if plain branching is.
static bool is_left_out(const duet_destructive *bound, duet_bound_phase last)
{
    if (bound->phase == DUET_PHASE_TIME_INDEXED) {
        bool branches = last >= DUET_PHASE_BRANCHING && bound->choice.plain_first;
        return branches || (last > DUET_PHASE_TIME_INDEXED &&
                            bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS);
    }
    if (bound->phase == DUET_PHASE_SHAVING) {
        return last > DUET_PHASE_SHAVING && bound->refuter.windows.tasks > DUET_STRATEGY_FEW_TASKS;
    }
    return bound->phase > DUET_PHASE_SHAVING && nodes_of(bound) == 0;
}

static void begin_phase(duet_destructive *bound, bool left_out)
{
    if (bound->phase >= DUET_PHASE_BRANCHING) {
        duet_strategy_next(&bound->choice, left_out);
    }
    bound->phase++;
    if (bound->phase == DUET_PHASE_PROGRAM && bound->update.phase > 0) {
        bound->phase = bound->update.phase;
        bound->step = bound->update.step;
        bound->update.phase = 0;
    }
    bound->failed.guess = none_failed;
}

// Whether a phase first tries to prove the best schedule optimal.
static bool tries_highest(const duet_destructive *bound, int64_t highest)
{
    if (bound->phase >= DUET_PHASE_BRANCHING && bound->choice.plain_first) {
        return bound->failed.guess >= highest && bound->step >= (highest - bound->lower) / 2 &&
               bound->step > 0;
    }
    return bound->failed.guess == none_failed &&
           (bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS ||
            (highest - bound->lower) <= highest / DUET_GUESS_SMALL_GAP);
}

// The least step of a phase, and half of the range at which it ends.
static int64_t finest_step(const duet_destructive *bound, int64_t gap)
{
    int64_t part = duet_min(bound->lower / DUET_GUESS_END_RANGE, gap / DUET_GUESS_END_GAP);
    bool dear = bound->phase >= DUET_PHASE_SHAVING;
    bool plain = bound->phase >= DUET_PHASE_BRANCHING && bound->choice.plain_first;
    int64_t finest = gap / (plain ? DUET_GUESS_PLAIN_END_STEP : DUET_GUESS_END_STEP);
    return dear && finest > part ? finest : part;
}

// The next guess of the phase of time-indexed prices, which go on from where they ended. A guess
// that stood before others were refuted is tried again, since these have made the prices better.
static int64_t next_timed_guess(const duet_destructive *bound, int64_t highest)
{
    bool fresh = bound->failed.lower == bound->lower;
    int64_t finest = finest_step(bound, highest - bound->lower);
    int64_t range = duet_min(bound->failed.guess, highest) - bound->lower;
    int64_t most = fresh || bound->failed.guess >= highest ? range / 2 : range;
    int64_t step = bound->step > 0 ? bound->step : (highest - bound->lower) / DUET_GUESS_FIRST_STEP;
    step = duet_max(step, finest);
    bool ends = range <= finest && (fresh || bound->failed.guess >= highest);
    return ends ? bound->lower - 1 : bound->lower + duet_min(step, most);
}

// The next guess of the phase; below `lower` if the phase has ended. It goes up from the bound in
// steps that double, since guesses that are too high cost most. If all are cheap it bisects.
static int64_t next_guess(const duet_destructive *bound, int64_t upper)
{
    bool known = bound->limit < upper; // the best schedule is the search's own
    if (bound->phase >= DUET_PHASE_BRANCHING && bound->choice.full) {
        return bound->lower - 1;
    }
    if (bound->phase == DUET_PHASE_PROGRAM && bound->rows == LEFT_OUT) {
        return bound->lower - 1; // it had done all that it can without them
    }
    int64_t highest = known ? bound->limit : upper;
    int64_t failed = duet_min(bound->failed.guess, highest);
    if (!known && tries_highest(bound, highest)) {
        return highest - 1;
    }
    if (bound->phase == DUET_PHASE_TIME_INDEXED &&
        bound->refuter.windows.tasks > DUET_STRATEGY_FEW_TASKS) {
        return next_timed_guess(bound, highest);
    }
    int64_t range = failed - bound->lower;
    int64_t gap = highest - bound->lower;
    int64_t finest = finest_step(bound, gap);
    int64_t step = bound->step > 0 ? bound->step : gap / DUET_GUESS_FIRST_STEP;
    step = duet_max(step, finest);
    if (bound->phase < DUET_PHASE_SHAVING &&
        bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS) {
        step = range;
    }
    return range <= finest ? bound->lower - 1 : bound->lower + duet_min(step, range / 2);
}

// About 16 times the binary logarithm of a number above 0.
static int64_t logarithm(int64_t number)
{
    enum { times_bits = 4 };
    int whole = 63 - __builtin_clzll((unsigned long long)number);
    return ((int64_t)(whole - 1) << times_bits) + ((number << times_bits) >> whole);
}

// The nodes of a refutation grow by about the same factor with each tick of the guess. By the last
// two, this is the step after which the next one takes DUET_GUESS_NODE_GROWTH times as many nodes
// as this one; at most `step`.
static int64_t affordable_step(duet_destructive *bound, int64_t step)
{
    int64_t nodes = bound->refuter.nodes - bound->now.nodes + 1;
    if (bound->last.nodes > 0 && bound->last.strategy == bound->choice.current &&
        nodes > bound->last.nodes) {
        int64_t grown = logarithm(nodes) - logarithm(bound->last.nodes);
        double part = (double)logarithm(DUET_GUESS_NODE_GROWTH) / (double)(grown > 0 ? grown : 1);
        double affordable = part * (double)(bound->now.guess - bound->last.guess) + 1;
        step = affordable < (double)step ? (int64_t)affordable : step;
    }
    bound->last.strategy = bound->choice.current;
    bound->last.guess = bound->now.guess;
    bound->last.nodes = nodes;
    return step;
}

// Sets the next step after a guess. One that tried the best schedule says little.
static void adapt_step(duet_destructive *bound, int64_t step, bool refuted)
{
    if (refuted) {
        bound->step = 2 * step + 1;
        if (bound->phase >= DUET_PHASE_BRANCHING && bound->choice.plain_first) {
            bound->step = affordable_step(bound, bound->step);
        }
    } else if (bound->step == 0 || step <= bound->step) {
        bound->step = step / (bound->step == 0 ? DUET_GUESS_FIRST_STEP : DUET_GUESS_STEP_KEPT) + 1;
    }
}

// Whether mixing rows are tried at the end of the phase of the linear program. They slow down all
// that follows, and add little if tasks are of few kinds. The guess is then one that shows whether
// they are worth it.
static bool tries_rows(duet_destructive *bound, int64_t upper)
{
    duet_interval_program *program = bound->refuter.program;
    if (bound->phase != DUET_PHASE_PROGRAM || bound->rows != NOT_TRIED || program == NULL) {
        return false;
    }
    int64_t guess = bound->lower + bound->lower / DUET_BOUND_ROWS_WORTH;
    bool small = bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS;
    if (small || guess >= upper || duet_interval_mixing(program) == NULL) {
        return false;
    }
    bound->rows = UNDER_TRIAL;
    bound->now.guess = guess;
    return true;
}

static void judge_rows(duet_destructive *bound, bool refuted)
{
    bound->rows = refuted ? KEPT : LEFT_OUT;
    if (refuted) {
        bound->failed.guess = none_failed;
    } else {
        duet_interval_do_without_mixing(bound->refuter.program);
    }
}

// Raises the bound above a guess that was refuted, and keeps the proof.
static void keep(duet_destructive *bound, int64_t guess)
{
    duet_proof_writer *lines = &bound->refuter.windows.proof;
    duet_proof_writer kept = bound->proof;
    DUET_ASSERT(guess >= bound->lower);
    bound->lower = guess + 1;
    bound->failed.guess = guess < bound->failed.guess ? bound->failed.guess : none_stands;
    bound->given_length = bound->given == NULL ? 0 : bound->given->length;
    bound->proof = *lines;
    bound->proven = true;
    *lines = (duet_proof_writer){.text = kept.text, .room = kept.room, .limit = lines->limit};
}

// Notes the schedule that the windows of the leaf are.
static duet_code note_schedule(duet_destructive *bound, duet_error *error)
{
    const duet_windows *windows = &bound->refuter.windows;
    bound->limit = bound->now.guess;
    if (bound->refuter.network.graph->transfer != NULL) {
        return DUET_OK; // the processors may be far from the data
    }
    if (bound->met == NULL) {
        bound->met = duet_alloc_raw((size_t)windows->tasks, sizeof *bound->met, error);
    }
    for (int64_t j = 0; bound->met != NULL && j < windows->tasks; j++) {
        bound->met[j] = (duet_leaf_task){__builtin_ctzll(bound->refuter.leaf[j].types),
                                         bound->refuter.leaf[j].start};
    }
    return bound->met == NULL ? DUET_E_MEMORY : DUET_OK;
}

const duet_leaf_task *duet_destructive_schedule(const duet_destructive *bound, int64_t *guess)
{
    *guess = bound->limit;
    return bound->met;
}

// Tries one guess, or goes on with it.
static duet_code try_guess(duet_destructive *bound, int64_t work, duet_error *error)
{
    duet_refutation result = DUET_NOT_REFUTED;
    duet_refute_effort effort = effort_of(bound, work);
    if (!bound->now.paused) {
        bound->now.work = bound->refuter.windows.work;
        bound->now.nodes = bound->refuter.nodes;
    }
    duet_code code = bound->now.paused
                         ? duet_refute_on(&bound->refuter, work, &result, error)
                         : duet_refute(&bound->refuter, bound->now.guess, &effort, &result, error);
    bound->now.paused = result == DUET_PAUSED;
    if (result != DUET_PAUSED && bound->phase >= DUET_PHASE_BRANCHING) {
        duet_strategy_note(&bound->choice, bound->refuter.windows.work - bound->now.work,
                           bound->refuter.nodes - bound->now.nodes, result == DUET_REFUTED);
    }
    if (result != DUET_PAUSED) {
        adapt_step(bound, bound->now.guess - bound->lower, result == DUET_REFUTED);
    }
    if (result == DUET_REFUTED) {
        keep(bound, bound->now.guess);
    } else if (result == DUET_NOT_REFUTED || result == DUET_IRREFUTABLE) {
        bound->failed.guess = bound->now.guess;
        bound->failed.lower = bound->lower;
        code = result == DUET_IRREFUTABLE ? note_schedule(bound, error) : code;
    }
    if (bound->rows == UNDER_TRIAL && !bound->now.paused && code == DUET_OK) {
        judge_rows(bound, result == DUET_REFUTED);
    }
    return code;
}

duet_code duet_destructive_try(duet_destructive *bound, int64_t guess, duet_error *error)
{
    if (guess < bound->lower || bound->now.paused) {
        return DUET_OK;
    }
    bound->now.guess = guess;
    return try_guess(bound, INT64_MAX, error);
}

duet_code duet_destructive_work(duet_destructive *bound, int64_t upper, int64_t work,
                                duet_bound_phase last, duet_error *error)
{
    const duet_windows *windows = &bound->refuter.windows;
    int64_t end = windows->work + work;
    while (windows->work < end && !duet_destructive_done(bound, upper, last) &&
           !duet_context_stop(bound->refuter.context)) {
        if (bound->now.paused && bound->now.guess >= upper) {
            bound->now.paused = false; // a schedule is there by now
        }
        if (!bound->now.paused && bound->update.pending) {
            begin_update(bound);
        }
        if (!bound->now.paused) {
            bound->now.guess = next_guess(bound, upper);
            bool left_out = is_left_out(bound, last);
            if ((bound->now.guess < bound->lower && !tries_rows(bound, upper)) || left_out) {
                begin_phase(bound, left_out);
                continue;
            }
        }
        DUET_TRY(try_guess(bound, end - windows->work, error));
    }
    return DUET_OK;
}

bool duet_destructive_done(const duet_destructive *bound, int64_t upper, duet_bound_phase last)
{
    int end =
        last == DUET_PHASE_BRANCHING ? DUET_PHASE_BRANCHING + DUET_BOUND_TREES : (int)last + 1;
    return bound->lower >= upper || bound->lower >= bound->limit || bound->phase >= end;
}

bool duet_destructive_branches(const duet_destructive *bound)
{
    return bound->phase >= DUET_PHASE_BRANCHING || bound->update.phase >= DUET_PHASE_BRANCHING;
}

bool duet_destructive_proven(const duet_destructive *bound)
{
    return bound->proven;
}

const duet_proof_writer *duet_destructive_lines(const duet_destructive *bound)
{
    return &bound->proof;
}

// Writes the headers into DUET_PROOF_HEADERS bytes. Their length.
static size_t put_headers(const duet_destructive *bound, bool moved, char *text)
{
    const duet_network *network = &bound->refuter.network;
    const duet_proof_graph_claim claim = {bound->lower, network->tasks, network->edges, moved};
    return duet_proof_graph_headers(&claim, text);
}

size_t duet_destructive_length(const duet_destructive *bound)
{
    char headers[DUET_PROOF_HEADERS];
    return put_headers(bound, false, headers) + bound->given_length + bound->proof.length +
           strlen(end_line);
}

// Where the bytes end that were put at `to`.
static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

duet_code duet_destructive_certify(const duet_destructive *bound, const char *name, duet_bound *out,
                                   duet_error *error)
{
    size_t length = duet_destructive_length(bound);
    char *text = duet_alloc_raw(length + 1, 1, error);
    DUET_ASSERT(bound->proven);
    DUET_NEED(text);
    char headers[DUET_PROOF_HEADERS];
    char *at = text;
    at = put(at, headers, put_headers(bound, false, headers));
    at = put(at, bound->given_length > 0 ? bound->given->text : "", bound->given_length);
    at = put(at, bound->proof.length > 0 ? bound->proof.text : "", bound->proof.length);
    put(at, end_line, sizeof end_line); // and its zero
    *out = (duet_bound){.name = name, .value = bound->lower};
    out->certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound->lower};
    duet_code code = duet_proof_lines_create(text, length, &out->certificate.lines, error);
    duet_free(text);
    return code;
}

duet_code duet_destructive_write_proof(const duet_destructive *bound, bool moved,
                                       duet_output *output, duet_error *error)
{
    char headers[DUET_PROOF_HEADERS];
    DUET_ASSERT(bound->proven);
    fwrite(headers, 1, put_headers(bound, moved, headers), output->stream);
    if (bound->given_length > 0) {
        fwrite(bound->given->text, 1, bound->given_length, output->stream);
    }
    if (bound->proof.length > 0) {
        fwrite(bound->proof.text, 1, bound->proof.length, output->stream);
    }
    fputs(end_line, output->stream);
    return duet_output_commit(output, error);
}
