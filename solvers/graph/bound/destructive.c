// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph.
// Method:    stages of growing effort. Each bisects between the bound and the smallest guess that
//            it could not refute; where that is cheap or the gap small, it first tries the guess
//            just below the best schedule, which would prove it optimal. Branching is a stage per
//            way and budget of nodes (strategy.h), four times as many each time, so that all that
//            was in vain costs about a third of the last.
#include "solvers/graph/bound/destructive.h"

#include <inttypes.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/strategy.h"
#include "solvers/graph/refute/refute.h"

enum {
    MAX_STAGE = 80,      // of branching: more nodes than anybody waits for
    FINENESS = 4000,     // a stage ends where its range is below this part of the bound,
    PARTS = 24,          // of what is left to the best schedule: the first step of a dear one,
    FINEST = 48,         // which ends below this part of it,
    COARSEST = 12,       // or this, where plain nodes come first
    SMALL_GAP = 50,      // the best schedule is tried at once where it is this near, one in so many
    TIMED_STEPS = 4000,  // of prices over time at a root, at most
    NODE_STEPS = 150,    // at a node
    TIMED_TASKS = 16384, // beyond, nobody waits for them
    PROGRAM_TASKS = 16384, // beyond, nobody waits for the linear program
    SHAVED_TASKS = 300,    // up to so many tasks there is a stage of shaving
    ROWS_WORTH = 100, // mixing rows stay where the program gets by one in so many higher with them
    GROWTH = 3,       // nodes of a refutation by branching for one of the last
    MOST_GROWTH = 8,  // and so many at most
    STEP_KEPT = 2,    // of the step, one in so many is left where it failed:
    TIMED_STEP_KEPT = 4, // less where prices did, which take longest to fail
    HEADERS = 128        // bytes of a proof's headers, at most
};

// In place of a guess that failed: none has, or others have been refuted since.
static const int64_t none_failed = INT64_MAX;
static const int64_t none_stands = INT64_MAX - 1;

static const char end_line[] = "end\n";

// What became of mixing rows, which are tried once.
typedef enum row_trial { NOT_TRIED, UNDER_TRIAL, KEPT, LEFT_OUT } row_trial;

struct duet_destructive {
    duet_refuter refuter;
    int64_t lower;
    // The stage: DUET_STAGE_BRANCHING and above are stages of branching.
    int stage;
    bool behind;          // more is given, and propagation was not tried since
    int64_t caught_up_at; // the bound when it last began to
    int resumed;          // the stage that goes on after that, if it is a later one
    int64_t resumed_step; // and its step
    int64_t failed;       // the least guess that it could not refute, none_failed or none_stands
    int64_t failed_at;    // the bound then
    int64_t limit;        // no guess of that or above can be refuted; INT64_MAX: unknown
    int64_t guess;        // under way, where the refuter paused
    bool paused;
    int64_t begun;               // work when it was begun,
    int64_t nodes_begun;         // and nodes
    row_trial rows;              // the linear program's
    duet_strategy_choice choice; // of branching
    int64_t step; // from the bound to the next guess of a dear stage; 0: none was tried
    duet_strategy refuted_way; // the last refutation by branching,
    int64_t refuted_guess;     // of this guess,
    int64_t refuted_nodes;     // which took so many nodes; 0: there was none
    duet_met_task *place;      // per task: a schedule within `limit`, where data take no time
    // The proof of `lower`: of the lines of what is given so many bytes, which are there when the
    // refutation ends, and those of the refutation. All that is given holds under every later
    // guess.
    const duet_proof_writer *given;
    size_t given_length;
    duet_proof_writer proof;
    bool proven; // it is there
};

duet_code duet_destructive_create(const duet_instance *instance, const duet_context *context,
                                  int64_t lower, duet_destructive **out, duet_error *error)
{
    duet_destructive *bound = duet_alloc(1, sizeof *bound, error);
    *out = NULL;
    if (bound == NULL) {
        return DUET_E_MEMORY;
    }
    bound->lower = lower;
    bound->failed = none_failed;
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
        duet_free(bound->place);
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
    bound->behind = true;
}

bool duet_destructive_is_updating(const duet_destructive *bound)
{
    return bound->behind || bound->stage < bound->resumed;
}

int64_t duet_destructive_updated_at(const duet_destructive *bound)
{
    return bound->caught_up_at;
}

// Propagation first, since more is given.
static void catch_up(duet_destructive *bound)
{
    if (bound->stage > DUET_STAGE_PROPAGATION) {
        bound->resumed = bound->stage;
        bound->resumed_step = bound->step;
        bound->stage = DUET_STAGE_PROPAGATION;
        bound->step = 0;
    }
    bound->failed = none_failed;
    bound->behind = false;
    bound->caught_up_at = bound->lower;
}

int64_t duet_destructive_lower(const duet_destructive *bound)
{
    return bound->lower;
}

int64_t duet_destructive_spent(const duet_destructive *bound)
{
    return bound->refuter.windows.work;
}

// The nodes of a guess: those of its stage, or more where the last refutation took many.
static int64_t nodes_of(const duet_destructive *bound)
{
    int64_t nodes = duet_strategy_nodes(&bound->choice);
    int64_t more =
        bound->refuted_way == bound->choice.current ? MOST_GROWTH * bound->refuted_nodes : 0;
    return bound->choice.plain_first && more > nodes ? more : nodes;
}

static duet_refute_effort effort_of(const duet_destructive *bound, int64_t work)
{
    int64_t tasks = bound->refuter.windows.tasks;
    duet_refute_effort effort = {
        .work = work, .program = tasks <= PROGRAM_TASKS && bound->stage == DUET_STAGE_PROGRAM};
    effort.mixed = bound->rows == UNDER_TRIAL || bound->rows == KEPT;
    effort.shave = bound->stage == DUET_STAGE_SHAVING && tasks <= SHAVED_TASKS;
    effort.timed =
        bound->stage == DUET_STAGE_TIME_INDEXED && tasks <= TIMED_TASKS ? TIMED_STEPS : 0;
    if (bound->stage >= DUET_STAGE_BRANCHING) {
        duet_strategy way = bound->choice.current;
        bool shaves = way == DUET_STRATEGY_SHAVING;
        effort.nodes = nodes_of(bound);
        effort.shave = shaves;
        effort.shave_more = shaves;
        effort.halve = shaves || bound->choice.plain_first;
        effort.program =
            way != DUET_STRATEGY_TIME_INDEXED && (tasks > DUET_STRATEGY_FEW_TASKS || shaves);
        effort.programs = effort.program;
        effort.relaxed = way == DUET_STRATEGY_PROGRAM || way == DUET_STRATEGY_TIME_INDEXED;
        effort.timed = way == DUET_STRATEGY_TIME_INDEXED ? NODE_STEPS : 0;
        effort.more_timed = effort.timed;
    }
    return effort;
}

// Whether a stage is left out: one too short for a node that is shaved; shaving alone, where
// branching comes after it and is cheaper; or prices over time, where plain branching is.
static bool is_left_out(const duet_destructive *bound, duet_bound_stage last)
{
    if (bound->stage == DUET_STAGE_TIME_INDEXED) {
        bool branches = last >= DUET_STAGE_BRANCHING && bound->choice.plain_first;
        return branches || (last > DUET_STAGE_TIME_INDEXED &&
                            bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS);
    }
    if (bound->stage == DUET_STAGE_SHAVING) {
        return last > DUET_STAGE_SHAVING && bound->refuter.windows.tasks > DUET_STRATEGY_FEW_TASKS;
    }
    return bound->stage > DUET_STAGE_SHAVING && effort_of(bound, 0).nodes == 0;
}

static void begin_stage(duet_destructive *bound, bool left_out)
{
    if (bound->stage >= DUET_STAGE_BRANCHING) {
        duet_strategy_next(&bound->choice, left_out);
    }
    bound->stage++;
    if (bound->stage == DUET_STAGE_PROGRAM && bound->resumed > 0) {
        bound->stage = bound->resumed;
        bound->step = bound->resumed_step;
        bound->resumed = 0;
    }
    bound->failed = none_failed;
}

// Whether a stage first tries to prove the best schedule optimal.
static bool tries_highest(const duet_destructive *bound, int64_t highest)
{
    if (bound->stage >= DUET_STAGE_BRANCHING && bound->choice.plain_first) {
        return bound->failed >= highest && bound->step >= (highest - bound->lower) / 2 &&
               bound->step > 0;
    }
    return bound->failed == none_failed &&
           (bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS ||
            (highest - bound->lower) <= highest / SMALL_GAP);
}

// The least step of a stage, and half of the range at which it ends.
static int64_t finest_step(const duet_destructive *bound, int64_t gap)
{
    int64_t part = duet_min(bound->lower / FINENESS, gap / 8);
    bool dear = bound->stage >= DUET_STAGE_SHAVING;
    bool plain = bound->stage >= DUET_STAGE_BRANCHING && bound->choice.plain_first;
    int64_t finest = gap / (plain ? COARSEST : FINEST);
    return dear && finest > part ? finest : part;
}

// The next guess of the stage of prices, which go on where they ended: a guess that failed before
// others were refuted is tried again, since they have become better by these.
static int64_t next_timed_guess(const duet_destructive *bound, int64_t highest)
{
    bool fresh = bound->failed_at == bound->lower;
    int64_t finest = finest_step(bound, highest - bound->lower);
    int64_t range = (duet_min(bound->failed, highest)) - bound->lower;
    int64_t most = fresh || bound->failed >= highest ? range / 2 : range;
    int64_t step = bound->step > 0 ? bound->step : (highest - bound->lower) / PARTS;
    step = duet_max(step, finest);
    bool ends = range <= finest && (fresh || bound->failed >= highest);
    return ends ? bound->lower - 1 : bound->lower + (duet_min(step, most));
}

// The next guess of the stage; below `lower` where the stage has ended. It goes up from the bound
// in steps that double, since guesses that are too high cost most; where all are cheap it bisects.
static int64_t next_guess(const duet_destructive *bound, int64_t upper)
{
    bool known = bound->limit < upper; // the best schedule is the search's own
    if (bound->stage >= DUET_STAGE_BRANCHING && bound->choice.full) {
        return bound->lower - 1;
    }
    if (bound->stage == DUET_STAGE_PROGRAM && bound->rows == LEFT_OUT) {
        return bound->lower - 1; // it had done all that it can without them
    }
    int64_t highest = known ? bound->limit : upper;
    int64_t failed = duet_min(bound->failed, highest);
    if (!known && tries_highest(bound, highest)) {
        return highest - 1;
    }
    if (bound->stage == DUET_STAGE_TIME_INDEXED &&
        bound->refuter.windows.tasks > DUET_STRATEGY_FEW_TASKS) {
        return next_timed_guess(bound, highest);
    }
    int64_t range = failed - bound->lower;
    int64_t gap = highest - bound->lower;
    int64_t finest = finest_step(bound, gap);
    int64_t step = bound->step > 0 ? bound->step : gap / PARTS;
    step = duet_max(step, finest);
    if (bound->stage < DUET_STAGE_SHAVING &&
        bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS) {
        step = range;
    }
    return range <= finest ? bound->lower - 1 : bound->lower + (duet_min(step, range / 2));
}

// About so many times the binary logarithm of a number above 0.
static int64_t logarithm(int64_t number)
{
    enum { times_bits = 4 };
    int whole = 63 - __builtin_clzll((unsigned long long)number);
    return ((int64_t)(whole - 1) << times_bits) + ((number << times_bits) >> whole);
}

// The nodes of a refutation grow by about the same factor with each tick of the guess. The step
// with which the next one takes GROWTH times as many as this one, by what the last two took, where
// that is below `step`.
static int64_t affordable_step(duet_destructive *bound, int64_t step)
{
    int64_t nodes = bound->refuter.nodes - bound->nodes_begun + 1;
    if (bound->refuted_nodes > 0 && bound->refuted_way == bound->choice.current &&
        nodes > bound->refuted_nodes) {
        int64_t grown = logarithm(nodes) - logarithm(bound->refuted_nodes);
        double part = (double)logarithm(GROWTH) / (double)(grown > 0 ? grown : 1);
        double affordable = part * (double)(bound->guess - bound->refuted_guess) + 1;
        step = affordable < (double)step ? (int64_t)affordable : step;
    }
    bound->refuted_way = bound->choice.current;
    bound->refuted_guess = bound->guess;
    bound->refuted_nodes = nodes;
    return step;
}

// After a guess: the next step. One that tried the best schedule says little.
static void adapt_step(duet_destructive *bound, int64_t step, bool refuted)
{
    bool timed = bound->stage == DUET_STAGE_TIME_INDEXED;
    if (refuted) {
        bound->step = 2 * step + 1;
        if (bound->stage >= DUET_STAGE_BRANCHING && bound->choice.plain_first) {
            bound->step = affordable_step(bound, bound->step);
        }
    } else if (bound->step == 0 || step <= bound->step) {
        bound->step =
            bound->step == 0 ? step / PARTS + 1 : step / (timed ? TIMED_STEP_KEPT : STEP_KEPT) + 1;
    }
}

// The end of the stage of the linear program. Whether mixing rows are tried first: they slow down
// all that follows, and add little where tasks are of few kinds. The guess is then one that shows
// whether they are worth it.
static bool tries_rows(duet_destructive *bound, int64_t upper)
{
    duet_interval_program *program = bound->refuter.program;
    if (bound->stage != DUET_STAGE_PROGRAM || bound->rows != NOT_TRIED || program == NULL) {
        return false;
    }
    int64_t guess = bound->lower + bound->lower / ROWS_WORTH;
    bool small = bound->refuter.windows.tasks <= DUET_STRATEGY_FEW_TASKS;
    if (small || guess >= upper || duet_interval_mixing(program) == NULL) {
        return false;
    }
    bound->rows = UNDER_TRIAL;
    bound->guess = guess;
    return true;
}

static void judge_rows(duet_destructive *bound, bool refuted)
{
    bound->rows = refuted ? KEPT : LEFT_OUT;
    if (refuted) {
        bound->failed = none_failed;
    } else {
        duet_interval_do_without_mixing(bound->refuter.program);
    }
}

// The bound is above the guess that was refuted; its proof is kept.
static void keep(duet_destructive *bound, int64_t guess)
{
    duet_proof_writer *lines = &bound->refuter.windows.proof;
    duet_proof_writer kept = bound->proof;
    DUET_ASSERT(guess >= bound->lower);
    bound->lower = guess + 1;
    bound->failed = guess < bound->failed ? bound->failed : none_stands;
    bound->given_length = bound->given == NULL ? 0 : bound->given->length;
    bound->proof = *lines;
    bound->proven = true;
    *lines = (duet_proof_writer){.text = kept.text, .room = kept.room, .limit = lines->limit};
}

// Notes the schedule that the windows are.
static duet_code note_schedule(duet_destructive *bound, duet_error *error)
{
    const duet_windows *windows = &bound->refuter.windows;
    bound->limit = bound->guess;
    if (bound->refuter.network.graph->transfer != NULL) {
        return DUET_OK; // the processors may be far from the data
    }
    if (bound->place == NULL) {
        bound->place = duet_alloc_raw((size_t)windows->tasks, sizeof *bound->place, error);
    }
    for (int64_t j = 0; bound->place != NULL && j < windows->tasks; j++) {
        bound->place[j] = (duet_met_task){__builtin_ctzll(bound->refuter.leaf[j].types),
                                          bound->refuter.leaf[j].start};
    }
    return bound->place == NULL ? DUET_E_MEMORY : DUET_OK;
}

const duet_met_task *duet_destructive_schedule(const duet_destructive *bound, int64_t *guess)
{
    *guess = bound->limit;
    return bound->place;
}

// Tries one guess, or goes on with it.
static duet_code try_guess(duet_destructive *bound, int64_t work, duet_error *error)
{
    duet_refutation result = DUET_NOT_REFUTED;
    duet_refute_effort effort = effort_of(bound, work);
    if (!bound->paused) {
        bound->begun = bound->refuter.windows.work;
        bound->nodes_begun = bound->refuter.nodes;
    }
    duet_code code = bound->paused
                         ? duet_refute_on(&bound->refuter, work, &result, error)
                         : duet_refute(&bound->refuter, bound->guess, &effort, &result, error);
    bound->paused = result == DUET_PAUSED;
    if (result != DUET_PAUSED && bound->stage >= DUET_STAGE_BRANCHING) {
        duet_strategy_note(&bound->choice, bound->refuter.windows.work - bound->begun,
                           bound->refuter.nodes - bound->nodes_begun, result == DUET_REFUTED);
    }
    if (result != DUET_PAUSED) {
        adapt_step(bound, bound->guess - bound->lower, result == DUET_REFUTED);
    }
    if (result == DUET_REFUTED) {
        keep(bound, bound->guess);
    } else if (result == DUET_NOT_REFUTED || result == DUET_IRREFUTABLE) {
        bound->failed = bound->guess;
        bound->failed_at = bound->lower;
        code = result == DUET_IRREFUTABLE ? note_schedule(bound, error) : code;
    }
    if (bound->rows == UNDER_TRIAL && !bound->paused && code == DUET_OK) {
        judge_rows(bound, result == DUET_REFUTED);
    }
    return code;
}

duet_code duet_destructive_try(duet_destructive *bound, int64_t guess, duet_error *error)
{
    if (guess < bound->lower || bound->paused) {
        return DUET_OK;
    }
    bound->guess = guess;
    return try_guess(bound, INT64_MAX, error);
}

duet_code duet_destructive_work(duet_destructive *bound, int64_t upper, int64_t work,
                                duet_bound_stage last, duet_error *error)
{
    const duet_windows *windows = &bound->refuter.windows;
    int64_t end = windows->work + work;
    duet_code code = DUET_OK;
    while (code == DUET_OK && windows->work < end && !duet_destructive_done(bound, upper, last) &&
           !duet_context_stop(bound->refuter.context)) {
        if (bound->paused && bound->guess >= upper) {
            bound->paused = false; // a schedule is there by now
        }
        if (!bound->paused && bound->behind) {
            catch_up(bound);
        }
        if (!bound->paused) {
            bound->guess = next_guess(bound, upper);
            bool left_out = is_left_out(bound, last);
            if ((bound->guess < bound->lower && !tries_rows(bound, upper)) || left_out) {
                begin_stage(bound, left_out);
                continue;
            }
        }
        code = try_guess(bound, end - windows->work, error);
    }
    return code;
}

bool duet_destructive_done(const duet_destructive *bound, int64_t upper, duet_bound_stage last)
{
    int end = last == DUET_STAGE_BRANCHING ? DUET_STAGE_BRANCHING + MAX_STAGE : (int)last + 1;
    return bound->lower >= upper || bound->lower >= bound->limit || bound->stage >= end;
}

bool duet_destructive_branches(const duet_destructive *bound)
{
    return bound->stage >= DUET_STAGE_BRANCHING || bound->resumed >= DUET_STAGE_BRANCHING;
}

bool duet_destructive_proven(const duet_destructive *bound)
{
    return bound->proven;
}

const duet_proof_writer *duet_destructive_lines(const duet_destructive *bound)
{
    return &bound->proof;
}

// The headers, into room for HEADERS bytes. Their length.
static size_t put_headers(const duet_destructive *bound, char *text)
{
    const duet_network *network = &bound->refuter.network;
    return (size_t)snprintf(text, HEADERS,
                            "duet-proof 1\nbound %" PRId64 "\ngraph %" PRId64 " %" PRId64 "\n",
                            bound->lower, network->tasks, network->edges);
}

size_t duet_destructive_length(const duet_destructive *bound)
{
    char headers[HEADERS];
    return put_headers(bound, headers) + bound->given_length + bound->proof.length +
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
    if (text == NULL) {
        return DUET_E_MEMORY;
    }
    char headers[HEADERS];
    char *at = text;
    at = put(at, headers, put_headers(bound, headers));
    at = put(at, bound->given_length > 0 ? bound->given->text : "", bound->given_length);
    at = put(at, bound->proof.length > 0 ? bound->proof.text : "", bound->proof.length);
    put(at, end_line, sizeof end_line); // and its zero
    *out = (duet_bound){.name = name, .value = bound->lower};
    out->certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound->lower};
    duet_code code = duet_proof_lines_create(text, length, &out->certificate.lines, error);
    duet_free(text);
    return code;
}

duet_code duet_destructive_write_proof(const duet_destructive *bound, duet_output *output,
                                       duet_error *error)
{
    char headers[HEADERS];
    DUET_ASSERT(bound->proven);
    fwrite(headers, 1, put_headers(bound, headers), output->stream);
    if (bound->given_length > 0) {
        fwrite(bound->given->text, 1, bound->given_length, output->stream);
    }
    if (bound->proof.length > 0) {
        fwrite(bound->proof.text, 1, bound->proof.length, output->stream);
    }
    fputs(end_line, output->stream);
    return duet_output_commit(output, error);
}
