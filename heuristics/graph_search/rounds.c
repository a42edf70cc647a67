// SPDX-License-Identifier: Apache-2.0
// How long each round is, and where it goes; rounds.h has the method.
#include "heuristics/graph_search/rounds.h"

#include <math.h>

#include "core/number/minmax.h"
#include "heuristics/graph_search/tuning.h"

bool duet_graph_search_rounds_are_large(const duet_graph_search_rounds *rounds)
{
    return rounds->tasks > DUET_GRAPH_ROUND_LARGE_TASKS;
}

void duet_graph_search_rounds_choose_allocating(duet_graph_search_rounds *rounds, size_t kinds,
                                                const duet_graph_allocation_annealer *annealer)
{
    size_t few = (size_t)rounds->tasks / DUET_GRAPH_ROUND_UNIFORM_TASKS;
    if (rounds->form == DUET_GRAPH_ROUNDS_OF_PINS) {
        rounds->allocating = DUET_GRAPH_ALLOCATING_NEVER;
    } else if (!duet_graph_search_rounds_are_large(rounds)) {
        rounds->allocating = DUET_GRAPH_ALLOCATING_IN_TRIALS;
    } else if (duet_graph_allocation_annealer_loses_much(annealer)) {
        rounds->allocating = DUET_GRAPH_ALLOCATING_ALWAYS;
    } else {
        rounds->allocating =
            kinds <= few ? DUET_GRAPH_ALLOCATING_IN_TRIALS : DUET_GRAPH_ALLOCATING_NEVER;
    }
}

// Whether all rounds anneal allocations, with nothing to compare them with.
static bool always_allocates(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_large(rounds) &&
           rounds->allocating == DUET_GRAPH_ALLOCATING_ALWAYS;
}

// The rounds that try both directions.
static int64_t trials(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_large(rounds) ? DUET_GRAPH_ROUND_LARGE_TRIALS
                                                      : DUET_GRAPH_ROUND_TRIALS;
}

static int64_t window_share(const duet_graph_search_rounds *rounds)
{
    if (rounds->sharing > 1) {
        return DUET_GRAPH_ROUND_SHARED_WINDOW_SHARE; // no search goes on beside them
    }
    return duet_graph_search_rounds_are_large(rounds) ? DUET_GRAPH_ROUND_LARGE_WINDOW_SHARE
                                                      : DUET_GRAPH_ROUND_WINDOW_SHARE;
}

// Where most is lost, but no more tasks than can be moved once each, a move reading about as many;
// as if a part of the time had as large a part of the tasks.
double duet_graph_search_rounds_part(const duet_graph_search_rounds *rounds, bool mirrored)
{
    if (!duet_graph_search_rounds_are_large(rounds)) {
        return 1.0;
    }
    double most = sqrt((double)rounds->work) / rounds->tasks;
    return fmin(fmin(most, 1.0), rounds->idle.half[mirrored].part);
}

// Rounds that try both directions are of one length, two at a time; all others double.
static int64_t doublings(const duet_graph_search_rounds *rounds)
{
    int64_t both = trials(rounds);
    int64_t round = rounds->round;
    round = round < both ? round / 2 : round - both / 2;
    return duet_min(round, DUET_GRAPH_ROUND_MOST_DOUBLINGS);
}

int64_t duet_graph_search_rounds_usual_work(const duet_graph_search_rounds *rounds)
{
    int64_t tasks = rounds->tasks;
    int64_t each = DUET_GRAPH_ROUND_TASKS_EACH;
    if (tasks < DUET_GRAPH_ROUND_SMALL_TASKS && each > DUET_GRAPH_ROUND_MOVES_A_SET << tasks) {
        each = DUET_GRAPH_ROUND_MOVES_A_SET << tasks;
    }
    int64_t first = duet_min(tasks * each, DUET_GRAPH_ROUND_FIRST_TASKS);
    first = duet_graph_search_rounds_are_large(rounds) ? first / DUET_GRAPH_ROUND_LARGE_FIRST_SHARE
                                                       : first;
    int64_t times = doublings(rounds);
    return first <= INT64_MAX >> (times + 1) ? first << times : INT64_MAX;
}

// Tasks that a search can place until the deadline, at the pace so far of all that goes on.
static double work_left(const duet_graph_search_rounds *rounds, const duet_context *context,
                        int64_t placed)
{
    double elapsed = (double)(duet_clock_ns() - rounds->first_ns);
    double pace =
        placed > 0 && elapsed > 0 ? (double)placed / elapsed : DUET_GRAPH_ROUND_USUAL_PACE;
    return pace * duet_context_seconds_left(context) * 1e9;
}

// Whether a large graph loses time over a long way from either end of its schedule.
static bool loses_widely(const duet_graph_search_rounds *rounds)
{
    return fmax(rounds->idle.half[0].part, rounds->idle.half[1].part) > DUET_GRAPH_ROUND_WIDE_LOSS;
}

// The time that there must be for a round not to be the last, in lengths of its own. A long round
// does better than several, but for those of large graphs that should take both directions in turn.
static double lengths(const duet_graph_search_rounds *rounds)
{
    bool large = duet_graph_search_rounds_are_large(rounds);
    bool turns = large && (rounds->was_vain || loses_widely(rounds));
    return large && rounds->round < trials(rounds) ? DUET_GRAPH_ROUND_ONE_MORE
           : always_allocates(rounds)              ? HUGE_VAL
           : turns                                 ? DUET_GRAPH_ROUND_DOUBLING
                                                   : DUET_GRAPH_ROUND_DOUBLING_TWICE;
}

bool duet_graph_search_rounds_allocate(const duet_graph_search_rounds *rounds)
{
    return rounds->is_trial || rounds->allocating == DUET_GRAPH_ALLOCATING_ALWAYS;
}

bool duet_graph_search_rounds_begin_at_home(const duet_graph_search_rounds *rounds)
{
    int64_t times = duet_graph_search_rounds_each(rounds) / rounds->tasks;
    times = rounds->end_ns != 0 ? DUET_GRAPH_ROUND_FASTER * times : times;
    return duet_graph_search_rounds_are_large(rounds) && times >= rounds->tasks;
}

void duet_graph_search_rounds_note_allocation(duet_graph_search_rounds *rounds, int64_t makespan)
{
    if (rounds->is_trial && makespan < rounds->before_trial) {
        rounds->allocating = DUET_GRAPH_ALLOCATING_ALWAYS;
    }
}

// Whether the round is to show what allocations are worth. What is shorter than before the first of
// two such rounds in a row, one in each direction, is shorter by itself.
static void begin_trial(duet_graph_search_rounds *rounds)
{
    bool large = duet_graph_search_rounds_are_large(rounds);
    int64_t first = DUET_GRAPH_ROUND_TRIALS / 2;
    bool turn = large ? rounds->round % DUET_GRAPH_ROUND_TRIAL_PERIOD == 1
                      : rounds->round >= first && rounds->round < DUET_GRAPH_ROUND_TRIALS;
    rounds->is_trial = turn && rounds->allocating == DUET_GRAPH_ALLOCATING_IN_TRIALS;
    if (rounds->is_trial && (large || rounds->round == first)) {
        rounds->before_trial = rounds->begun_with;
    }
}

// The first rounds of a large graph, if some anneal allocations: those that are compared have the
// same part of the time, those that try both directions the same work.
static void limit_first(duet_graph_search_rounds *rounds, int64_t now, int64_t left_ns, double left,
                        int64_t placed)
{
    if (!always_allocates(rounds)) {
        int64_t parts = DUET_GRAPH_ROUND_TRIAL_PARTS - rounds->round;
        rounds->end_ns = now + left_ns / parts;
        rounds->work = duet_max((int64_t)(left / (double)parts), 1);
    } else if (rounds->round == 0) {
        rounds->end_ns = now + left_ns / DUET_GRAPH_ROUND_TRIAL_SHARE;
    } else {
        rounds->work = duet_max(placed, 1);
    }
}

// The last round takes all that there is, but for the time of windows.
static void take_rest(duet_graph_search_rounds *rounds, int64_t now, int64_t left_ns, double left)
{
    rounds->work = left > 1.0 ? (int64_t)left : 1;
    rounds->is_trial = rounds->is_trial && !duet_graph_search_rounds_are_large(rounds);
    rounds->end_ns = now + left_ns;
    if (duet_graph_search_rounds_window_work(rounds) > 0) {
        rounds->end_ns -= left_ns / window_share(rounds);
    }
}

// Whether the round is one of the first four of a graph whose data take time. They all come before
// the last one, however short the time is: tasks that are pinned are worth more than long rounds.
static bool shorten_trial(duet_graph_search_rounds *rounds, double left)
{
    if (rounds->form != DUET_GRAPH_ROUNDS_OF_PINS || duet_graph_search_rounds_are_large(rounds) ||
        rounds->round >= DUET_GRAPH_ROUND_TRIALS) {
        return false;
    }
    double part = left / (double)(DUET_GRAPH_ROUND_PIN_PARTS - rounds->round);
    rounds->work = part < (double)rounds->work ? (int64_t)part + 1 : rounds->work;
    return true;
}

// Where there would be no time for the rounds after this one, it is the last: annealing that does
// not end cold is in vain, and one long round does better than several.
void duet_graph_search_rounds_begin(duet_graph_search_rounds *rounds, const duet_context *context,
                                    bool fits, int64_t placed)
{
    int64_t now = duet_clock_ns();
    bool large = duet_graph_search_rounds_are_large(rounds);
    rounds->first_ns = rounds->first_ns == 0 ? now : rounds->first_ns;
    rounds->work = duet_graph_search_rounds_usual_work(rounds);
    rounds->end_ns = 0;
    begin_trial(rounds);
    if (fits && context->deadline_ns != INT64_MAX && now < context->deadline_ns) {
        int64_t left_ns = context->deadline_ns - now;
        double left = work_left(rounds, context, placed);
        if (large && rounds->round < trials(rounds) &&
            rounds->allocating != DUET_GRAPH_ALLOCATING_NEVER) {
            limit_first(rounds, now, left_ns, left, placed);
        } else if (!shorten_trial(rounds, left) && left < lengths(rounds) * (double)rounds->work) {
            take_rest(rounds, now, left_ns, left);
        }
    }
    if (large) {
        rounds->mirrored = duet_graph_search_idle_profile_is_mirrored(&rounds->idle, rounds->work);
    }
}

bool duet_graph_search_rounds_are_mirrored(const duet_graph_search_rounds *rounds, size_t search)
{
    if (duet_graph_search_rounds_are_large(rounds) && !always_allocates(rounds)) {
        return (search % 2 != 0) != rounds->mirrored;
    }
    if (rounds->round < trials(rounds)) {
        return (rounds->round + (int64_t)search) % 2 == 0;
    }
    double forward = rounds->makespans[0] * rounds->ended[1];
    return rounds->makespans[1] * rounds->ended[0] <= forward;
}

bool duet_graph_search_rounds_are_fresh(const duet_graph_search_rounds *rounds)
{
    bool trial = rounds->round < DUET_GRAPH_ROUND_TRIALS || rounds->round % 2 != 0;
    return !duet_graph_search_rounds_are_large(rounds) && rounds->end_ns == 0 && trial;
}

// The later trials, one in each direction, and then those that begin with the best schedule anyway,
// but for the last.
bool duet_graph_search_rounds_are_pinned(const duet_graph_search_rounds *rounds)
{
    bool turn = rounds->round < DUET_GRAPH_ROUND_TRIALS
                    ? rounds->round >= DUET_GRAPH_ROUND_TRIALS / 2
                    : rounds->round % 2 == 0;
    return rounds->form == DUET_GRAPH_ROUNDS_OF_PINS && rounds->end_ns == 0 && turn;
}

bool duet_graph_search_rounds_dispatch(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_fresh(rounds) || rounds->round == 0;
}

int64_t duet_graph_search_rounds_window_work(const duet_graph_search_rounds *rounds)
{
    int64_t work = rounds->work / window_share(rounds);
    return rounds->form == DUET_GRAPH_ROUNDS_OF_WINDOWS &&
                   work >= DUET_GRAPH_ROUND_LEAST_SWEEPS * (int64_t)rounds->tasks
               ? work
               : 0;
}

void duet_graph_search_rounds_note(duet_graph_search_rounds *rounds, bool mirrored,
                                   int64_t makespan)
{
    if (rounds->round < trials(rounds)) {
        rounds->makespans[mirrored] += (double)makespan;
        rounds->ended[mirrored]++;
    }
}

void duet_graph_search_rounds_end(duet_graph_search_rounds *rounds, int64_t best)
{
    rounds->was_vain = rounds->begun_with - best <= best / DUET_GRAPH_ROUND_LEAST_GAIN_SHARE;
    int64_t times = rounds->was_vain ? DUET_GRAPH_ROUND_VAIN_FACTOR : 1;
    int64_t most = INT64_MAX / times;
    duet_graph_search_idle_profile_note(&rounds->idle, rounds->mirrored,
                                        times * duet_min(rounds->work, most));
    rounds->round++;
}

bool duet_graph_search_rounds_are_exhausted(const duet_graph_search_rounds *rounds, int64_t moves)
{
    int64_t tasks = rounds->tasks;
    int64_t times = rounds->form == DUET_GRAPH_ROUNDS_OF_PINS ? DUET_GRAPH_ROUND_COST_FACTOR : 1;
    bool tried = rounds->form != DUET_GRAPH_ROUNDS_OF_PINS ||
                 rounds->round >= DUET_GRAPH_ROUND_TRIALS; // also with tasks pinned
    return tasks <= 1 || (tried && tasks < DUET_GRAPH_ROUND_SMALL_TASKS &&
                          moves >= (times * tasks * DUET_GRAPH_ROUND_MOVES_A_SET) << tasks);
}

int64_t duet_graph_search_rounds_each(const duet_graph_search_rounds *rounds)
{
    int64_t each = rounds->work / duet_max(rounds->sharing, 1);
    return duet_max(each, 1);
}

int64_t duet_graph_search_rounds_part_of_each(int64_t work)
{
    return work / (DUET_GRAPH_SEARCH_SEARCHES / DUET_GRAPH_SEARCH_WHOLE);
}

int64_t duet_graph_search_rounds_apart(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_each(rounds) / DUET_GRAPH_SEARCH_EXCHANGES + 1;
}

// The share of a round that anneals allocations in which it then anneals lists.
static int64_t polish_share(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_large(rounds) ? DUET_ALLOCATION_LARGE_POLISH_SHARE
                                                      : DUET_ALLOCATION_POLISH_SHARE;
}

// Annealing begins the cooler the fewer moves there are for each task, and cool where it polishes
// the schedule of an allocation.
duet_graph_search_cooling duet_graph_search_rounds_cool(const duet_graph_search_rounds *rounds,
                                                        int32_t moved)
{
    double each = (double)rounds->work / moved / moved;
    double hot = DUET_COOLING_HOTTEST * fmin(1.0, each / DUET_COOLING_MOVES_EACH);
    bool polishes = duet_graph_search_rounds_allocate(rounds);
    int64_t work = duet_graph_search_rounds_each(rounds);
    return (duet_graph_search_cooling){.work = polishes ? work / polish_share(rounds) + 1 : work,
                                       .until_ns = rounds->end_ns,
                                       .hot = polishes ? DUET_COOLING_COOLEST
                                                       : fmax(DUET_COOLING_COOLEST, hot),
                                       .cold = DUET_COOLING_COLD};
}

// Annealing of an allocation leaves a share of the round for its list.
duet_graph_search_cooling
duet_graph_search_rounds_cool_allocation(const duet_graph_search_rounds *rounds, int64_t begun_ns)
{
    int64_t work = duet_graph_search_rounds_each(rounds);
    int64_t left = rounds->end_ns - begun_ns;
    return (duet_graph_search_cooling){
        .work = work - work / polish_share(rounds),
        .until_ns = rounds->end_ns == 0 ? 0 : rounds->end_ns - left / polish_share(rounds),
        .hot = DUET_ALLOCATION_HOT,
        .cold = DUET_ALLOCATION_COLD};
}
