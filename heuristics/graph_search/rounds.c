// SPDX-License-Identifier: Apache-2.0
#include "heuristics/graph_search/rounds.h"

#include <math.h>

#include "core/number/minmax.h"

// Tasks that annealing places in the first round: for each task, and in all.
enum { FIRST_FOR_EACH = 16000 };
static const int64_t first_in_all = 30000000;
enum {
    TRIALS = 4,       // rounds that try both directions,
    LARGE_TRIALS = 2, // and where there are
    LARGE = 1000      // more tasks than that
};
// How often a graph of few tasks is searched for each set of them in the first round, and for each
// task before it counts as searched.
enum { OFTEN = 8, SMALL = 24 };
// And how many times as often where data take time, so that it matters which processor a task has.
enum { WITH_COSTS = 4 };

// The first round of a large graph takes one in so many of that work.
enum { OF_LARGE = 3 };
// A round of a large graph that shortened the best schedule by less than one in so many was in
// vain, and counts for so many: the other direction is tried sooner.
enum { WORTH = 1000, VAIN = 4 };

// Stretches get one in so many of a round's work, of large graphs, whose annealing gains more for
// it, one in more, where that is enough for so many times the tasks.
enum { STRETCHES = 20, LARGE_STRETCHES = 80, SWEEPS = 4 };

bool duet_graph_search_rounds_are_large(const duet_graph_search_rounds *rounds)
{
    return rounds->tasks > LARGE;
}

static int64_t stretches(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_large(rounds) ? LARGE_STRETCHES : STRETCHES;
}

// Where most is lost, but no more tasks than can be moved once each, a move reading about as many,
// and no fewer than can be moved a hundred times; as if a part of the time had as large a part of
// the tasks.
double duet_graph_search_rounds_part(const duet_graph_search_rounds *rounds, bool mirrored)
{
    static const double often = 100;
    if (!duet_graph_search_rounds_are_large(rounds)) {
        return 1.0;
    }
    double most = sqrt((double)rounds->work) / rounds->tasks;
    double least = sqrt((double)rounds->work / often) / rounds->tasks;
    return fmin(fmin(most, 1.0), fmax(least, rounds->ends.end[mirrored].part));
}

// Rounds that try both directions are of one length, two at a time; all others double.
static int64_t doublings(const duet_graph_search_rounds *rounds)
{
    enum { most = 30 };
    int64_t trials = duet_graph_search_rounds_are_large(rounds) ? LARGE_TRIALS : TRIALS;
    int64_t round = rounds->round;
    round = round < trials ? round / 2 : round - trials / 2;
    return duet_min(round, most);
}

int64_t duet_graph_search_rounds_usual_work(const duet_graph_search_rounds *rounds)
{
    enum { least = 64 };
    int64_t tasks = rounds->tasks;
    int64_t each = FIRST_FOR_EACH;
    if (tasks < SMALL && each > OFTEN << tasks) {
        each = OFTEN << tasks;
    }
    int64_t first = tasks < first_in_all / each ? tasks * each : first_in_all;
    first = duet_max(first, least * tasks);
    first = duet_graph_search_rounds_are_large(rounds) ? first / OF_LARGE : first;
    int64_t times = doublings(rounds);
    return first <= INT64_MAX >> (times + 1) ? first << times : INT64_MAX;
}

// Tasks that a search can place until the deadline, at the pace so far of all that goes on.
static double work_left(const duet_graph_search_rounds *rounds, const duet_context *context,
                        int64_t placed)
{
    static const double usual_pace = 0.03; // tasks a nanosecond
    double elapsed = (double)(duet_clock_ns() - rounds->first_ns);
    double pace = placed > 0 && elapsed > 0 ? (double)placed / elapsed : usual_pace;
    return pace * duet_context_seconds_left(context) * 1e9;
}

// Whether a large graph loses time over a long way from either end of its schedule.
static bool loses_widely(const duet_graph_search_rounds *rounds)
{
    static const double wide = 0.4;
    return fmax(rounds->ends.end[0].part, rounds->ends.end[1].part) > wide;
}

// The time that there must be for a round not to be the last, in lengths of its own. A long round
// does better than several, but for those of large graphs that should take both directions in turn.
static double lengths(const duet_graph_search_rounds *rounds)
{
    enum { one_more = 2 };
    enum { doubling = 3 };       // this round and one of twice its length,
    enum { doubling_twice = 7 }; // and one of four times
    bool large = duet_graph_search_rounds_are_large(rounds);
    bool turns = large && (rounds->was_vain || loses_widely(rounds));
    return large && rounds->round < LARGE_TRIALS ? one_more : turns ? doubling : doubling_twice;
}

// Where there would be no time for the rounds after this one, it is the last, and takes all that
// there is: annealing that does not end cold is in vain, and one long round does better than
// several.
void duet_graph_search_rounds_begin(duet_graph_search_rounds *rounds, const duet_context *context,
                                    bool fits, int64_t placed)
{
    int64_t now = duet_clock_ns();
    rounds->first_ns = rounds->first_ns == 0 ? now : rounds->first_ns;
    rounds->work = duet_graph_search_rounds_usual_work(rounds);
    rounds->end_ns = 0;
    if (fits && context->deadline_ns != INT64_MAX && now < context->deadline_ns) {
        double left = work_left(rounds, context, placed);
        if (left < lengths(rounds) * (double)rounds->work) {
            rounds->work = left > 1.0 ? (int64_t)left : 1;
            rounds->end_ns = context->deadline_ns;
            if (duet_graph_search_rounds_stretch_work(rounds) > 0) {
                rounds->end_ns -= (context->deadline_ns - now) / stretches(rounds);
            }
        }
    }
    if (duet_graph_search_rounds_are_large(rounds)) {
        rounds->mirrored = duet_graph_search_ends_are_mirrored(&rounds->ends, rounds->work);
    }
}

bool duet_graph_search_rounds_are_mirrored(const duet_graph_search_rounds *rounds, size_t search)
{
    if (duet_graph_search_rounds_are_large(rounds)) {
        return (search % 2 != 0) != rounds->mirrored;
    }
    if (rounds->round < TRIALS) {
        return (rounds->round + (int64_t)search) % 2 == 0;
    }
    double forward = rounds->makespans[0] * rounds->ended[1];
    return rounds->makespans[1] * rounds->ended[0] <= forward;
}

bool duet_graph_search_rounds_are_fresh(const duet_graph_search_rounds *rounds)
{
    bool trial = rounds->round < TRIALS || rounds->round % 2 != 0;
    return !duet_graph_search_rounds_are_large(rounds) && rounds->end_ns == 0 && trial;
}

// The later trials, one in each direction, and then those that begin with the best schedule anyway,
// but for the last.
bool duet_graph_search_rounds_are_pinned(const duet_graph_search_rounds *rounds)
{
    bool turn = rounds->round < TRIALS ? rounds->round >= TRIALS / 2 : rounds->round % 2 == 0;
    return rounds->has_costs && rounds->end_ns == 0 && turn;
}

bool duet_graph_search_rounds_dispatch(const duet_graph_search_rounds *rounds)
{
    return duet_graph_search_rounds_are_fresh(rounds) || rounds->round == 0;
}

int64_t duet_graph_search_rounds_stretch_work(const duet_graph_search_rounds *rounds)
{
    int64_t work = rounds->work / stretches(rounds);
    return rounds->has_stretches && work >= SWEEPS * (int64_t)rounds->tasks ? work : 0;
}

void duet_graph_search_rounds_note(duet_graph_search_rounds *rounds, bool mirrored,
                                   int64_t makespan)
{
    if (rounds->round < TRIALS) {
        rounds->makespans[mirrored] += (double)makespan;
        rounds->ended[mirrored]++;
    }
}

void duet_graph_search_rounds_end(duet_graph_search_rounds *rounds, int64_t best)
{
    rounds->was_vain = rounds->begun_with - best <= best / WORTH;
    int64_t times = rounds->was_vain ? VAIN : 1;
    int64_t most = INT64_MAX / times;
    duet_graph_search_ends_note(&rounds->ends, rounds->mirrored,
                                times * (duet_min(rounds->work, most)));
    rounds->round++;
}

bool duet_graph_search_rounds_are_exhausted(const duet_graph_search_rounds *rounds, int64_t moves)
{
    int64_t tasks = rounds->tasks;
    int64_t times = rounds->has_costs ? WITH_COSTS : 1;
    bool tried = !rounds->has_costs || rounds->round >= TRIALS; // also with tasks pinned
    return tasks <= 1 || (tried && tasks < SMALL && moves >= (times * tasks * OFTEN) << tasks);
}
