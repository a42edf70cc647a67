// SPDX-License-Identifier: Apache-2.0
// Runs of cyclic exchanges: a task goes to another processor, one from there to a third, and so on,
// until one takes the place of the first task or finds room.
//
// Method:    where processors differ each from each, a task is cheap on a few of them alone, and
//            two processors seldom have tasks to exchange that also fit to the tick. There are
//            more cycles through three processors that fit, and more yet through four and five. A
//            random one would hardly fit. So a depth-first search looks for those that do: the
//            tasks of a processor stand in the order of their times, and of these only few fit into
//            the place that is left. The cost of a schedule is the work above the limit, weighted
//            by type, and a share of all weighted work. A step draws a task to begin with and how
//            much the cost may rise, by the temperature, and takes the first exchange within it.
//            Every cycle of little cost can begin at a task from which on no part of it costs more
//            than the whole (Lin, Kernighan), so that what costs too much is left at once. A run
//            begins anew, with each task where its weighted time is least.
// Guarantee: none beside the loads in ticks; floating point only guides the walk.
// Cost:      a step looks at some hundreds of tasks at most.
// Memory:    O(tasks x processors).
// Reference: Thompson, Orlin, "The theory of cyclic transfers", MIT Operations Research Center
//            working paper OR 200-89, 1989; Lin, Kernighan, "An effective heuristic algorithm for
//            the traveling-salesman problem", Operations Research 21(2), 1973.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "heuristics/improve/annealing/cycles.h"
#include "heuristics/improve/cooling.h"

enum {
    MOST_TASKS_EACH = 64, // of a processor on average: more are divided well by single moves
    FEWEST_STEPS = 100,   // of a run, for each task: shorter runs end far from the limit
    FEWEST_MOVES = 1600,  // moves of a run, for each task: a step takes some
    SHARE = 8,            // of the steps before, that the next run has
    STEPS = 32,           // at one temperature
    UNSEEN = 8192         // moves between two looks at the clock
};
static const double LEAST_UNIT = 0.3; // of temperature, in ticks

// The first temperature and how much dearer a task may be, in units; the last temperature as a
// share of the first one; what weighted work costs, less where a unit is more; how much shorter
// than the limit a processor may become; the tasks of a cycle.
enum { HOT, COOLING, WORK, WIDE, WINDOW, LENGTH, PARAMETERS };
static const double low[] = {1.8, 0.12, 0.5, 5.0, 2.0, 3.0};
static const double high[] = {3.4, 0.5, 5.0, 15.0, 5.0, DUET_CYCLES_TASKS + 0.9};

void duet_annealing_free_cycles(struct duet_annealing_cycles *cycles)
{
    if (cycles != NULL) {
        duet_free(cycles->entries);
        duet_free(cycles->candidate);
        duet_free(cycles->first);
        duet_free(cycles->place);
        duet_free(cycles);
    }
}

bool duet_annealing_has_cycles(const duet_annealer *annealer, int64_t moves)
{
    uint32_t count = annealer->begin[annealer->types];
    return annealer->cycles_allowed && annealer->types > 2 && count <= DUET_CYCLES_PROCESSORS &&
           count < 2 * annealer->types && annealer->tasks / MOST_TASKS_EACH <= count &&
           moves / FEWEST_MOVES >= annealer->tasks;
}

size_t duet_annealing_cycles_bytes(const duet_annealer *annealer)
{
    size_t processors = annealer->begin[annealer->types];
    if (processors > DUET_CYCLES_PROCESSORS || annealer->tasks / MOST_TASKS_EACH > processors) {
        return 0; // there are no such runs
    }
    return sizeof(struct duet_annealing_cycles) +
           annealer->tasks * (processors * sizeof(duet_cycles_entry) +
                              annealer->types * sizeof(duet_cycles_place) + 2 * sizeof(uint32_t));
}

static bool make_room(duet_annealer *annealer)
{
    if (annealer->cycles != NULL) {
        return true;
    }
    struct duet_annealing_cycles *cycles = duet_alloc(1, sizeof *cycles, NULL);
    if (cycles == NULL) {
        return false;
    }
    size_t tasks = annealer->tasks;
    cycles->processors = annealer->begin[annealer->types];
    cycles->entries = duet_alloc_raw(tasks * cycles->processors, sizeof *cycles->entries, NULL);
    cycles->candidate = duet_alloc_raw(tasks, sizeof *cycles->candidate, NULL);
    cycles->first = duet_alloc_raw(tasks + 1, sizeof *cycles->first, NULL);
    cycles->place = duet_alloc_raw(tasks * annealer->types, sizeof *cycles->place, NULL);
    if (cycles->entries == NULL || cycles->candidate == NULL || cycles->first == NULL ||
        cycles->place == NULL) {
        duet_annealing_free_cycles(cycles);
        return false;
    }
    for (uint32_t p = 0; p < cycles->processors; p++) {
        cycles->row[p].entry = cycles->entries + p * tasks;
    }
    annealer->cycles = cycles;
    return true;
}

// Lists the types of a task that are little dearer than the cheapest one.
static void list_types(const duet_cycles_run *run, uint32_t task)
{
    const duet_annealer *annealer = run->annealer;
    struct duet_annealing_cycles *cycles = annealer->cycles;
    uint32_t at = cycles->first[task];
    double least = INFINITY;
    for (size_t t = 0; t < annealer->types; t++) {
        double cost =
            annealer->begin[t] < annealer->begin[t + 1] ? duet_cycles_cost(run, task, t) : INFINITY;
        least = fmin(least, cost);
    }
    for (size_t t = 0; t < annealer->types && least < INFINITY; t++) {
        bool any = annealer->begin[t] < annealer->begin[t + 1];
        double cost = any ? duet_cycles_cost(run, task, t) : INFINITY;
        if (cost <= least + run->wide) {
            uint32_t i = at++;
            for (; i > cycles->first[task] && cycles->place[i - 1].cost > (float)cost; i--) {
                cycles->place[i] = cycles->place[i - 1];
            }
            cycles->place[i] = (duet_cycles_place){(float)cost, (uint32_t)t};
        }
    }
    cycles->first[task + 1] = at;
    if (at > cycles->first[task] + 1) {
        cycles->candidate[cycles->candidates++] = task;
    }
}

static void list_tasks(const duet_cycles_run *run)
{
    struct duet_annealing_cycles *cycles = run->annealer->cycles;
    cycles->candidates = 0;
    cycles->first[0] = 0;
    for (uint32_t j = 0; j < run->annealer->tasks; j++) {
        list_types(run, j);
    }
    for (uint32_t p = 0; p < cycles->processors; p++) {
        cycles->row[p].count = 0;
    }
    for (uint32_t i = 0; i < cycles->candidates; i++) {
        uint32_t task = cycles->candidate[i];
        duet_cycles_insert(run, task, run->annealer->processor_of[task]);
    }
}

static int64_t next_length(duet_annealer *annealer)
{
    int64_t fewest = (int64_t)FEWEST_STEPS * annealer->tasks;
    int64_t steps = annealer->cycles->steps / SHARE;
    return duet_max(steps, fewest) << duet_random_between(&annealer->random, 0, 2);
}

// How much dearer the tasks are on their second cheapest type, on average.
static double mean_gap(const duet_cycles_run *run)
{
    const duet_annealer *annealer = run->annealer;
    double sum = 0.0;
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        double least = INFINITY;
        double second = INFINITY;
        for (size_t t = 0; t < annealer->types; t++) {
            bool any = annealer->begin[t] < annealer->begin[t + 1];
            double cost = any ? duet_cycles_cost(run, j, t) : INFINITY;
            second = fmin(second, fmax(cost, least));
            least = fmin(least, cost);
        }
        sum += second < INFINITY ? second - least : 0.0;
    }
    return annealer->tasks > 0 ? sum / annealer->tasks : 0.0;
}

// Where tasks may go elsewhere at `gap` more on average, a temperature T puts about T / gap of them
// there, at T each. That is the slack of the limit if T is about this.
static double unit_of_temperature(const duet_cycles_run *run, double work)
{
    const duet_annealer *annealer = run->annealer;
    double processors = annealer->cycles->processors;
    double slack = fmax((double)annealer->limit * processors - work, 0.0);
    double unit = sqrt(slack * mean_gap(run) / annealer->tasks);
    return fmax(unit, LEAST_UNIT);
}

static duet_cycles_run start_run(duet_annealer *annealer)
{
    const double floor_share = 0.1;
    struct duet_annealing_cycles *cycles = annealer->cycles;
    duet_cycles_run run = {.annealer = annealer, .steps = next_length(annealer)};
    run.draw = duet_annealing_draw_values(annealer, &cycles->keeps, low, high, PARAMETERS);
    duet_annealing_mean_weights(annealer, run.weight);
    for (size_t t = 0; t < annealer->types; t++) {
        run.over[t] = fmax(run.weight[t], floor_share);
    }
    // The target itself in half of the runs, else something between it and the best schedule.
    annealer->low = fmin(1.0, 2.0 * duet_random_unit(&annealer->random));
    duet_annealing_set_limit(annealer, annealer->best);
    double work = duet_annealing_place_all(annealer, run.weight);
    if (annealer->failed) {
        return run;
    }
    duet_annealing_set_limit(annealer, annealer->best); // with the loads of now
    duet_annealing_take_stock(annealer);
    double unit = unit_of_temperature(&run, work);
    run.hot = run.draw.value[HOT] * unit;
    run.work = run.draw.value[WORK] * LEAST_UNIT / unit;
    run.wide = run.draw.value[WIDE] * unit;
    double window = run.draw.value[WINDOW] * (0.5 + unit);
    run.window = (int64_t)fmin(window, (double)annealer->limit);
    run.longest = (uint32_t)run.draw.value[LENGTH];
    list_tasks(&run);
    return run;
}

// Steps at one temperature. Returns what they cost, in moves.
static int64_t hold(duet_cycles_run *run, double temperature)
{
    duet_annealer *annealer = run->annealer;
    int64_t cost = 0;
    for (int i = 0; i < STEPS && annealer->best > annealer->target && !annealer->failed; i++) {
        cost += duet_cycles_step(run, temperature);
        annealer->cycles->steps++;
        if (annealer->excess < annealer->least) {
            duet_annealing_take_stock(annealer);
        }
    }
    return cost;
}

// Returns what the run cost, in moves.
static int64_t cool(duet_cycles_run *run, const duet_context *context, int64_t moves,
                    duet_annealed *annealed)
{
    duet_annealer *annealer = run->annealer;
    int64_t spent = 0;
    int64_t seen = 0;
    for (int64_t i = 0; i < run->steps && spent < moves && annealer->best > annealer->target &&
                        !annealer->failed && !annealed->stopped;
         i += STEPS) {
        double done = fmax((double)i / (double)run->steps, (double)spent / (double)moves);
        spent += hold(run, duet_cooling_temperature(run->hot, run->draw.value[COOLING], done));
        if (spent - seen >= UNSEEN) {
            seen = spent;
            annealed->stopped = duet_context_stop(context);
        }
    }
    return spent;
}

void duet_annealing_run_cycles(duet_annealer *annealer, const duet_context *context, int64_t moves,
                               duet_annealed *annealed)
{
    annealer->cycles_allowed = make_room(annealer);
    if (!annealer->cycles_allowed) {
        return; // single moves need less memory
    }
    duet_cycles_run run = start_run(annealer);
    int64_t spent = annealer->tasks; // at least, also where there is nothing to do
    if (!annealer->failed && annealer->cycles->candidates > 0) {
        spent += cool(&run, context, moves, annealed);
    }
    if (annealer->failed) {
        return;
    }
    run.draw.end = duet_annealing_end_of(annealer);
    if (annealer->limit == annealer->best - 1 && annealer->least < run.draw.end.excess) {
        run.draw.end.excess = annealer->least;
    }
    annealer->end_of_cycles = run.draw.end;
    duet_annealing_keep_values(&annealer->cycles->keeps, &run.draw);
    spent = duet_min(spent, moves);
    annealer->spent += spent;
    annealer->spent_on_cycles += spent;
    annealed->moves += spent;
}
