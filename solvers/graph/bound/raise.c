// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph.
// Method:    stages of growing effort. Each bisects between the bound and the smallest guess that
//            it could not refute; where that is cheap or the gap small, it first tries the guess
//            just below the best schedule, which would prove it optimal. Branching is a stage per
//            way and budget of nodes (ways.h), four times as many each time, so that all that was
//            in vain costs about a third of the last.
#include "solvers/graph/bound/raise.h"

#include <inttypes.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/ways.h"
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

struct duet_raise {
    duet_refuter refuter;
    int64_t lower;
    // The stage: DUET_RAISE_BRANCHING and above are stages of branching.
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
    int64_t begun;           // work when it was begun,
    int64_t nodes_begun;     // and nodes
    row_trial rows;          // the linear program's
    duet_ways ways;          // of branching
    int64_t step;            // from the bound to the next guess of a dear stage; 0: none was tried
    duet_way refuted_way;    // the last refutation by branching,
    int64_t refuted_guess;   // of this guess,
    int64_t refuted_nodes;   // which took so many nodes; 0: there was none
    duet_raise_place *place; // per task: a schedule within `limit`, where data take no time
    // The proof of `lower`: of the lines of what is given so many bytes, which are there when the
    // refutation ends, and those of the refutation. All that is given holds under every later
    // guess.
    const duet_proof_writer *given;
    size_t given_length;
    duet_proof_writer proof;
    bool proven; // it is there
};

duet_code duet_raise_create(const duet_instance *instance, const duet_context *context,
                            int64_t lower, duet_raise **out, duet_error *error)
{
    duet_raise *raise = duet_alloc(1, sizeof *raise, error);
    *out = NULL;
    if (raise == NULL) {
        return DUET_E_MEMORY;
    }
    raise->lower = lower;
    raise->failed = none_failed;
    raise->limit = INT64_MAX;
    duet_ways_begin(&raise->ways, duet_tasks(instance), (int64_t)instance->kinds);
    duet_code code = duet_refuter_create(&raise->refuter, instance, context, error);
    if (code != DUET_OK) {
        duet_raise_free(raise);
        return code;
    }
    *out = raise;
    return DUET_OK;
}

void duet_raise_free(duet_raise *raise)
{
    if (raise != NULL) {
        duet_refuter_free(&raise->refuter);
        duet_proof_writer_free(&raise->proof);
        duet_free(raise->place);
        duet_free(raise);
    }
}

void duet_raise_give(duet_raise *raise, const duet_given *given, const duet_proof_writer *lines)
{
    duet_windows_give(&raise->refuter.windows, given);
    raise->given = lines;
}

void duet_raise_again(duet_raise *raise)
{
    raise->behind = true;
}

bool duet_raise_is_behind(const duet_raise *raise)
{
    return raise->behind || raise->stage < raise->resumed;
}

int64_t duet_raise_caught_up_at(const duet_raise *raise)
{
    return raise->caught_up_at;
}

// Propagation first, since more is given.
static void catch_up(duet_raise *raise)
{
    if (raise->stage > DUET_RAISE_PROPAGATION) {
        raise->resumed = raise->stage;
        raise->resumed_step = raise->step;
        raise->stage = DUET_RAISE_PROPAGATION;
        raise->step = 0;
    }
    raise->failed = none_failed;
    raise->behind = false;
    raise->caught_up_at = raise->lower;
}

int64_t duet_raise_lower(const duet_raise *raise)
{
    return raise->lower;
}

int64_t duet_raise_spent(const duet_raise *raise)
{
    return raise->refuter.windows.work;
}

// The nodes of a guess: those of its stage, or more where the last refutation took many.
static int64_t nodes_of(const duet_raise *raise)
{
    int64_t nodes = duet_ways_nodes(&raise->ways);
    int64_t more = raise->refuted_way == raise->ways.way ? MOST_GROWTH * raise->refuted_nodes : 0;
    return raise->ways.plain_first && more > nodes ? more : nodes;
}

static duet_refute_effort effort_of(const duet_raise *raise, int64_t work)
{
    int64_t tasks = raise->refuter.windows.tasks;
    duet_refute_effort effort = {
        .work = work, .program = tasks <= PROGRAM_TASKS && raise->stage == DUET_RAISE_PROGRAM};
    effort.mixed = raise->rows == UNDER_TRIAL || raise->rows == KEPT;
    effort.shave = raise->stage == DUET_RAISE_SHAVING && tasks <= SHAVED_TASKS;
    effort.timed = raise->stage == DUET_RAISE_TIMED && tasks <= TIMED_TASKS ? TIMED_STEPS : 0;
    if (raise->stage >= DUET_RAISE_BRANCHING) {
        duet_way way = raise->ways.way;
        bool shaves = way == DUET_WAY_SHAVED;
        effort.nodes = nodes_of(raise);
        effort.shave = shaves;
        effort.shave_more = shaves;
        effort.halve = shaves || raise->ways.plain_first;
        effort.program = way != DUET_WAY_TIMED && (tasks > DUET_WAYS_FEW_TASKS || shaves);
        effort.programs = effort.program;
        effort.relaxed = way == DUET_WAY_RELAXED || way == DUET_WAY_TIMED;
        effort.timed = way == DUET_WAY_TIMED ? NODE_STEPS : 0;
        effort.more_timed = effort.timed;
    }
    return effort;
}

// Whether a stage is left out: one too short for a node that is shaved; shaving alone, where
// branching comes after it and is cheaper; or prices over time, where plain branching is.
static bool is_left_out(const duet_raise *raise, duet_raise_stage last)
{
    if (raise->stage == DUET_RAISE_TIMED) {
        bool branches = last >= DUET_RAISE_BRANCHING && raise->ways.plain_first;
        return branches ||
               (last > DUET_RAISE_TIMED && raise->refuter.windows.tasks <= DUET_WAYS_FEW_TASKS);
    }
    if (raise->stage == DUET_RAISE_SHAVING) {
        return last > DUET_RAISE_SHAVING && raise->refuter.windows.tasks > DUET_WAYS_FEW_TASKS;
    }
    return raise->stage > DUET_RAISE_SHAVING && effort_of(raise, 0).nodes == 0;
}

static void begin_stage(duet_raise *raise, bool left_out)
{
    if (raise->stage >= DUET_RAISE_BRANCHING) {
        duet_ways_next(&raise->ways, left_out);
    }
    raise->stage++;
    if (raise->stage == DUET_RAISE_PROGRAM && raise->resumed > 0) {
        raise->stage = raise->resumed;
        raise->step = raise->resumed_step;
        raise->resumed = 0;
    }
    raise->failed = none_failed;
}

// Whether a stage first tries to prove the best schedule optimal.
static bool tries_highest(const duet_raise *raise, int64_t highest)
{
    if (raise->stage >= DUET_RAISE_BRANCHING && raise->ways.plain_first) {
        return raise->failed >= highest && raise->step >= (highest - raise->lower) / 2 &&
               raise->step > 0;
    }
    return raise->failed == none_failed && (raise->refuter.windows.tasks <= DUET_WAYS_FEW_TASKS ||
                                            (highest - raise->lower) <= highest / SMALL_GAP);
}

// The least step of a stage, and half of the range at which it ends.
static int64_t finest_step(const duet_raise *raise, int64_t gap)
{
    int64_t part = duet_min(raise->lower / FINENESS, gap / 8);
    bool dear = raise->stage >= DUET_RAISE_SHAVING;
    bool plain = raise->stage >= DUET_RAISE_BRANCHING && raise->ways.plain_first;
    int64_t finest = gap / (plain ? COARSEST : FINEST);
    return dear && finest > part ? finest : part;
}

// The next guess of the stage of prices, which go on where they ended: a guess that failed before
// others were refuted is tried again, since they have become better by these.
static int64_t next_timed_guess(const duet_raise *raise, int64_t highest)
{
    bool fresh = raise->failed_at == raise->lower;
    int64_t finest = finest_step(raise, highest - raise->lower);
    int64_t range = (duet_min(raise->failed, highest)) - raise->lower;
    int64_t most = fresh || raise->failed >= highest ? range / 2 : range;
    int64_t step = raise->step > 0 ? raise->step : (highest - raise->lower) / PARTS;
    step = duet_max(step, finest);
    bool ends = range <= finest && (fresh || raise->failed >= highest);
    return ends ? raise->lower - 1 : raise->lower + (duet_min(step, most));
}

// The next guess of the stage; below `lower` where the stage has ended. It goes up from the bound
// in steps that double, since guesses that are too high cost most; where all are cheap it bisects.
static int64_t next_guess(const duet_raise *raise, int64_t upper)
{
    bool known = raise->limit < upper; // the best schedule is the search's own
    if (raise->stage >= DUET_RAISE_BRANCHING && raise->ways.full) {
        return raise->lower - 1;
    }
    if (raise->stage == DUET_RAISE_PROGRAM && raise->rows == LEFT_OUT) {
        return raise->lower - 1; // it had done all that it can without them
    }
    int64_t highest = known ? raise->limit : upper;
    int64_t failed = duet_min(raise->failed, highest);
    if (!known && tries_highest(raise, highest)) {
        return highest - 1;
    }
    if (raise->stage == DUET_RAISE_TIMED && raise->refuter.windows.tasks > DUET_WAYS_FEW_TASKS) {
        return next_timed_guess(raise, highest);
    }
    int64_t range = failed - raise->lower;
    int64_t gap = highest - raise->lower;
    int64_t finest = finest_step(raise, gap);
    int64_t step = raise->step > 0 ? raise->step : gap / PARTS;
    step = duet_max(step, finest);
    if (raise->stage < DUET_RAISE_SHAVING && raise->refuter.windows.tasks <= DUET_WAYS_FEW_TASKS) {
        step = range;
    }
    return range <= finest ? raise->lower - 1 : raise->lower + (duet_min(step, range / 2));
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
static int64_t affordable_step(duet_raise *raise, int64_t step)
{
    int64_t nodes = raise->refuter.nodes - raise->nodes_begun + 1;
    if (raise->refuted_nodes > 0 && raise->refuted_way == raise->ways.way &&
        nodes > raise->refuted_nodes) {
        int64_t grown = logarithm(nodes) - logarithm(raise->refuted_nodes);
        double part = (double)logarithm(GROWTH) / (double)(grown > 0 ? grown : 1);
        double affordable = part * (double)(raise->guess - raise->refuted_guess) + 1;
        step = affordable < (double)step ? (int64_t)affordable : step;
    }
    raise->refuted_way = raise->ways.way;
    raise->refuted_guess = raise->guess;
    raise->refuted_nodes = nodes;
    return step;
}

// After a guess: the next step. One that tried the best schedule says little.
static void adapt_step(duet_raise *raise, int64_t step, bool refuted)
{
    bool timed = raise->stage == DUET_RAISE_TIMED;
    if (refuted) {
        raise->step = 2 * step + 1;
        if (raise->stage >= DUET_RAISE_BRANCHING && raise->ways.plain_first) {
            raise->step = affordable_step(raise, raise->step);
        }
    } else if (raise->step == 0 || step <= raise->step) {
        raise->step =
            raise->step == 0 ? step / PARTS + 1 : step / (timed ? TIMED_STEP_KEPT : STEP_KEPT) + 1;
    }
}

// The end of the stage of the linear program. Whether mixing rows are tried first: they slow down
// all that follows, and add little where tasks are of few kinds. The guess is then one that shows
// whether they are worth it.
static bool tries_rows(duet_raise *raise, int64_t upper)
{
    duet_interval_program *program = raise->refuter.program;
    if (raise->stage != DUET_RAISE_PROGRAM || raise->rows != NOT_TRIED || program == NULL) {
        return false;
    }
    int64_t guess = raise->lower + raise->lower / ROWS_WORTH;
    bool small = raise->refuter.windows.tasks <= DUET_WAYS_FEW_TASKS;
    if (small || guess >= upper || duet_interval_mixing(program) == NULL) {
        return false;
    }
    raise->rows = UNDER_TRIAL;
    raise->guess = guess;
    return true;
}

static void judge_rows(duet_raise *raise, bool refuted)
{
    raise->rows = refuted ? KEPT : LEFT_OUT;
    if (refuted) {
        raise->failed = none_failed;
    } else {
        duet_interval_do_without_mixing(raise->refuter.program);
    }
}

// The bound is above the guess that was refuted; its proof is kept.
static void keep(duet_raise *raise, int64_t guess)
{
    duet_proof_writer *lines = &raise->refuter.windows.proof;
    duet_proof_writer kept = raise->proof;
    DUET_ASSERT(guess >= raise->lower);
    raise->lower = guess + 1;
    raise->failed = guess < raise->failed ? raise->failed : none_stands;
    raise->given_length = raise->given == NULL ? 0 : raise->given->length;
    raise->proof = *lines;
    raise->proven = true;
    *lines = (duet_proof_writer){.text = kept.text, .room = kept.room, .limit = lines->limit};
}

// Notes the schedule that the windows are.
static duet_code note_schedule(duet_raise *raise, duet_error *error)
{
    const duet_windows *windows = &raise->refuter.windows;
    raise->limit = raise->guess;
    if (raise->refuter.network.graph->transfer != NULL) {
        return DUET_OK; // the processors may be far from the data
    }
    if (raise->place == NULL) {
        raise->place = duet_alloc_raw((size_t)windows->tasks, sizeof *raise->place, error);
    }
    for (int64_t j = 0; raise->place != NULL && j < windows->tasks; j++) {
        raise->place[j] = (duet_raise_place){__builtin_ctzll(raise->refuter.leaf[j].modes),
                                             raise->refuter.leaf[j].start};
    }
    return raise->place == NULL ? DUET_E_MEMORY : DUET_OK;
}

const duet_raise_place *duet_raise_schedule(const duet_raise *raise, int64_t *guess)
{
    *guess = raise->limit;
    return raise->place;
}

// Tries one guess, or goes on with it.
static duet_code try_guess(duet_raise *raise, int64_t work, duet_error *error)
{
    duet_refutation result = DUET_NOT_REFUTED;
    duet_refute_effort effort = effort_of(raise, work);
    if (!raise->paused) {
        raise->begun = raise->refuter.windows.work;
        raise->nodes_begun = raise->refuter.nodes;
    }
    duet_code code = raise->paused
                         ? duet_refute_on(&raise->refuter, work, &result, error)
                         : duet_refute(&raise->refuter, raise->guess, &effort, &result, error);
    raise->paused = result == DUET_PAUSED;
    if (result != DUET_PAUSED && raise->stage >= DUET_RAISE_BRANCHING) {
        duet_ways_note(&raise->ways, raise->refuter.windows.work - raise->begun,
                       raise->refuter.nodes - raise->nodes_begun, result == DUET_REFUTED);
    }
    if (result != DUET_PAUSED) {
        adapt_step(raise, raise->guess - raise->lower, result == DUET_REFUTED);
    }
    if (result == DUET_REFUTED) {
        keep(raise, raise->guess);
    } else if (result == DUET_NOT_REFUTED || result == DUET_IRREFUTABLE) {
        raise->failed = raise->guess;
        raise->failed_at = raise->lower;
        code = result == DUET_IRREFUTABLE ? note_schedule(raise, error) : code;
    }
    if (raise->rows == UNDER_TRIAL && !raise->paused && code == DUET_OK) {
        judge_rows(raise, result == DUET_REFUTED);
    }
    return code;
}

duet_code duet_raise_try(duet_raise *raise, int64_t guess, duet_error *error)
{
    if (guess < raise->lower || raise->paused) {
        return DUET_OK;
    }
    raise->guess = guess;
    return try_guess(raise, INT64_MAX, error);
}

duet_code duet_raise_work(duet_raise *raise, int64_t upper, int64_t work, duet_raise_stage last,
                          duet_error *error)
{
    const duet_windows *windows = &raise->refuter.windows;
    int64_t end = windows->work + work;
    duet_code code = DUET_OK;
    while (code == DUET_OK && windows->work < end && !duet_raise_done(raise, upper, last) &&
           !duet_context_stop(raise->refuter.context)) {
        if (raise->paused && raise->guess >= upper) {
            raise->paused = false; // a schedule is there by now
        }
        if (!raise->paused && raise->behind) {
            catch_up(raise);
        }
        if (!raise->paused) {
            raise->guess = next_guess(raise, upper);
            bool left_out = is_left_out(raise, last);
            if ((raise->guess < raise->lower && !tries_rows(raise, upper)) || left_out) {
                begin_stage(raise, left_out);
                continue;
            }
        }
        code = try_guess(raise, end - windows->work, error);
    }
    return code;
}

bool duet_raise_done(const duet_raise *raise, int64_t upper, duet_raise_stage last)
{
    int end = last == DUET_RAISE_BRANCHING ? DUET_RAISE_BRANCHING + MAX_STAGE : (int)last + 1;
    return raise->lower >= upper || raise->lower >= raise->limit || raise->stage >= end;
}

bool duet_raise_branches(const duet_raise *raise)
{
    return raise->stage >= DUET_RAISE_BRANCHING || raise->resumed >= DUET_RAISE_BRANCHING;
}

bool duet_raise_proven(const duet_raise *raise)
{
    return raise->proven;
}

const duet_proof_writer *duet_raise_lines(const duet_raise *raise)
{
    return &raise->proof;
}

// The headers, into room for HEADERS bytes. Their length.
static size_t put_headers(const duet_raise *raise, char *text)
{
    const duet_network *network = &raise->refuter.network;
    return (size_t)snprintf(text, HEADERS,
                            "duet-proof 1\nbound %" PRId64 "\ngraph %" PRId64 " %" PRId64 "\n",
                            raise->lower, network->tasks, network->edges);
}

size_t duet_raise_length(const duet_raise *raise)
{
    char headers[HEADERS];
    return put_headers(raise, headers) + raise->given_length + raise->proof.length +
           strlen(end_line);
}

// Where the bytes end that were put at `to`.
static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

duet_code duet_raise_bound(const duet_raise *raise, const char *name, duet_bound *bound,
                           duet_error *error)
{
    size_t length = duet_raise_length(raise);
    char *text = duet_alloc_raw(length + 1, 1, error);
    DUET_ASSERT(raise->proven);
    if (text == NULL) {
        return DUET_E_MEMORY;
    }
    char headers[HEADERS];
    char *at = text;
    at = put(at, headers, put_headers(raise, headers));
    at = put(at, raise->given_length > 0 ? raise->given->text : "", raise->given_length);
    at = put(at, raise->proof.length > 0 ? raise->proof.text : "", raise->proof.length);
    put(at, end_line, sizeof end_line); // and its zero
    *bound = (duet_bound){.name = name, .value = raise->lower};
    bound->certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = raise->lower};
    duet_code code = duet_proof_lines_create(text, length, &bound->certificate.lines, error);
    duet_free(text);
    return code;
}

duet_code duet_raise_write_proof(const duet_raise *raise, duet_output *output, duet_error *error)
{
    char headers[HEADERS];
    DUET_ASSERT(raise->proven);
    fwrite(headers, 1, put_headers(raise, headers), output->stream);
    if (raise->given_length > 0) {
        fwrite(raise->given->text, 1, raise->given_length, output->stream);
    }
    if (raise->proof.length > 0) {
        fwrite(raise->proof.text, 1, raise->proof.length, output->stream);
    }
    fputs(end_line, output->stream);
    return duet_output_commit(output, error);
}
