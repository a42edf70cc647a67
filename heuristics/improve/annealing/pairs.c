// SPDX-License-Identifier: Apache-2.0
// Runs over pairs of processors: the tasks of two processors are divided anew, by the table of all
// ways (pair_table.h).
//
// Method:    a run begins anew, with each task where its weighted time is least. The cost of a
//            schedule is its weighted work, and a price for work above the limit, by its square and
//            by itself. First the price rises until no work above the limit pays, then the
//            temperature falls. A step draws two processors; among the divisions whose cost is
//            little above the least one, one is drawn. Tasks that would cost much on the other
//            processor stay where they are, which keeps the tables small.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "heuristics/improve/annealing/annealing_state.h"
#include "heuristics/improve/cooling.h"

enum {
    MOST_TASKS_EACH = 64, // of a processor on average: more are divided well by single moves
    FEWEST_SWEEPS = 100,  // a run: shorter ones end far from the limit
    SHARE = 32,           // of the steps before, that the next run has
    ONE_IN = 8,           // in 1 of 8 runs no task is held on the type where it is cheap
    UNSEEN = 8192,        // moves between two looks at the clock
    FRACTION = 64,        // costs are integers: parts of a tick
    DEAREST = 1 << 30,    // such a part, so that it fits
    CELLS_A_MOVE = 64     // of the table and the costs: they take as long as a single move
};

// From where to where parameters are drawn.
static const double low[] = {0.08, 0.4, 0.02, 0.05, 0.02};
static const double high[] = {1.0, 0.9, 0.4, 0.5, 1.0};

// A run, as it was drawn and as it stands.
typedef struct pairs_run {
    duet_annealing_values draw;
    double weight[DUET_MAX_TYPES]; // 1 on average of the processors
    double slack;                  // weighted work that may be wasted under the limit, by processor
    double wide; // a task stays where it would cost so much more on the other processor
    double first_price;
    double hot;
    int64_t steps;
    double price;
    double temperature;
} pairs_run;

static uint32_t processors(const duet_annealer *annealer)
{
    return annealer->begin[annealer->types];
}

// About how many moves a step takes: a cell for each task of the pair and each tick.
static int64_t step_cost(const duet_annealer *annealer)
{
    int64_t tasks = 2 * (int64_t)annealer->tasks / processors(annealer) + 1;
    return tasks * (annealer->best + 1) / CELLS_A_MOVE + tasks;
}

bool duet_annealing_has_pairs(const duet_annealer *annealer, int64_t moves)
{
    return annealer->pair.allowed && processors(annealer) > 1 &&
           2 * annealer->best <= DUET_PAIR_TABLE_MOST &&
           annealer->tasks / MOST_TASKS_EACH <= processors(annealer) &&
           moves / step_cost(annealer) / FEWEST_SWEEPS >= processors(annealer);
}

// How many steps the next run has: few at first, later a share of those before, and a chance of
// less or more.
static int64_t next_length(duet_annealer *annealer)
{
    int64_t fewest = (int64_t)FEWEST_SWEEPS * processors(annealer);
    int64_t steps = annealer->pair.steps / SHARE;
    return duet_max(steps, fewest) << duet_random_between(&annealer->random, 0, 2);
}

static pairs_run start_run(duet_annealer *annealer)
{
    pairs_run run = {.draw = duet_annealing_draw_values(annealer, &annealer->pair.keeps, low, high,
                                                        DUET_ANNEALING_PAIR_PARAMETERS),
                     .steps = next_length(annealer)};
    const double *value = run.draw.value;
    uint32_t count = processors(annealer);
    duet_annealing_mean_weights(annealer, run.weight);
    annealer->limit = annealer->best - 1;
    double work = duet_annealing_place_all(annealer, run.weight);
    if (annealer->failed) {
        return run;
    }
    annealer->low = fmax(0.0, duet_random_unit(&annealer->random) - 0.5);
    duet_annealing_set_limit(annealer, annealer->best);
    duet_annealing_take_stock(annealer); // this schedule may be shorter already
    run.slack = fmax((double)annealer->limit - work / count, (double)annealer->limit / 1000.0);
    run.first_price = value[DUET_ANNEALING_FIRST_PRICE] / (double)annealer->best;
    run.hot = value[DUET_ANNEALING_HOT] * run.slack;
    // The weights may mislead, above all where tasks are few: now and then no task stays.
    bool everywhere = duet_random_between(&annealer->random, 0, ONE_IN - 1) == 0;
    run.wide = everywhere ? INFINITY : value[DUET_ANNEALING_WIDE] * run.slack * count;
    return run;
}

// Price and temperature when a share of the run is over.
static void set_stage(pairs_run *run, double done)
{
    double rising = run->draw.value[DUET_ANNEALING_RISING];
    double risen = fmin(1.0, done / rising);
    double cooled = fmax(0.0, (done - rising) / (1.0 - rising));
    run->price = pow(run->first_price, 1.0 - risen);
    run->temperature =
        duet_cooling_temperature(run->hot, run->draw.value[DUET_ANNEALING_COOLING], cooled);
}

// Whether a task of a processor stays there.
static bool stays(const duet_annealer *annealer, const pairs_run *run, uint32_t task, size_t type,
                  size_t other)
{
    int64_t time = duet_annealing_time(annealer, task, type);
    int64_t there = duet_annealing_time(annealer, task, other);
    return there == DUET_FORBIDDEN || there > annealer->limit ||
           run->weight[other] * (double)there > run->weight[type] * (double)time + run->wide;
}

// Lists the tasks that may change, with room for them on both sides. Returns whether they are not
// too many.
static bool choose(duet_annealer *annealer, const pairs_run *run)
{
    duet_annealing_pair *pair = &annealer->pair;
    pair->tasks = 0;
    for (size_t p = 0; p < 2; p++) {
        const duet_annealing_processor *own = &annealer->processor[pair->processor[p]];
        size_t type[2] = {annealer->processor[pair->processor[0]].type,
                          annealer->processor[pair->processor[1]].type};
        pair->fixed[p] = own->load;
        for (uint32_t i = 0; i < own->count; i++) {
            uint32_t task = own->task[i];
            if (stays(annealer, run, task, type[p], type[1 - p])) {
                continue;
            }
            if (pair->tasks == DUET_PAIR_TABLE_TASKS) {
                return false;
            }
            size_t to = pair->tasks++;
            pair->task[to] = task;
            pair->time[0][to] = duet_annealing_time(annealer, task, type[0]);
            pair->time[1][to] = duet_annealing_time(annealer, task, type[1]);
            pair->fixed[p] -= pair->time[p][to];
        }
    }
    return pair->tasks > 0 &&
           duet_annealing_reserve(annealer, pair->processor[0], (uint32_t)pair->tasks) &&
           duet_annealing_reserve(annealer, pair->processor[1], (uint32_t)pair->tasks);
}

// How much the work that stays on a processor of the pair is above the limit, or below it.
static int32_t fixed_above(const duet_annealer *annealer, size_t p)
{
    enum { most = 1 << 24 }; // what is more is as hopeless
    int64_t above = annealer->pair.fixed[p] - annealer->limit;
    return (int32_t)duet_min(above, most);
}

// The cost of each division by the work on the first processor, in parts of a tick. Returns the
// least one. A loop without branches, for vectors.
static int32_t find_costs(const duet_annealer *annealer, const pairs_run *run,
                          const int16_t *restrict other, int32_t columns)
{
    const duet_annealing_pair *pair = &annealer->pair;
    int32_t *restrict cost = pair->cost;
    int32_t least = INT32_MAX;
    int32_t above_a = fixed_above(annealer, 0);
    int32_t above_b = fixed_above(annealer, 1);
    float price = (float)run->price;
    float weight_a = (float)run->weight[annealer->processor[pair->processor[0]].type];
    float weight_b = (float)run->weight[annealer->processor[pair->processor[1]].type];
    for (int32_t w = 0; w < columns; w++) {
        int32_t a = above_a + w;
        int32_t b = above_b + other[w];
        float over_a = (float)(a & ~(a >> 31));
        float over_b = (float)(b & ~(b >> 31));
        float above = over_a * over_a + over_b * over_b + over_a + over_b;
        float all = weight_a * (float)w + weight_b * (float)other[w] + price * above;
        all *= (float)FRACTION;
        all = duet_min(all, (float)DEAREST);
        int32_t never = (DUET_PAIR_TABLE_MOST - other[w]) >> 31; // all ones where there is no way
        cost[w] = (int32_t)all | (never & INT32_MAX);
        least = duet_min(cost[w], least);
    }
    return least;
}

// A random column of those that cost no more than a bound.
static int32_t draw_column(duet_annealer *annealer, int32_t columns, int32_t bound)
{
    const int32_t *cost = annealer->pair.cost;
    int32_t count = 0;
    for (int32_t w = 0; w < columns; w++) {
        count += cost[w] <= bound;
    }
    uint32_t bits = (uint32_t)(duet_random_next(&annealer->random) >> 32);
    uint32_t left = duet_annealing_pick(bits, (uint32_t)count);
    int32_t w = 0;
    for (;; w++) {
        DUET_ASSERT(w < columns);
        if (cost[w] <= bound && left-- == 0) {
            return w;
        }
    }
}

// Gives the tasks of the pair to whom the division gives them.
static void apply(duet_annealer *annealer)
{
    duet_annealing_pair *pair = &annealer->pair;
    int64_t load[2] = {pair->fixed[0], pair->fixed[1]};
    for (size_t i = 0; i < pair->tasks; i++) {
        size_t p = pair->first[i] ? 0 : 1;
        load[p] += pair->time[p][i];
        if (annealer->processor_of[pair->task[i]] != pair->processor[p]) {
            duet_annealing_remove(annealer, pair->task[i]);
            duet_annealing_add(annealer, pair->task[i], pair->processor[p]);
        }
    }
    for (size_t p = 0; p < 2; p++) {
        duet_annealing_set_load(annealer, pair->processor[p], load[p]);
    }
}

// How much of the movable work the first processor may get: up to the limit and the slack, or what
// it has.
static int64_t room_of_first(const duet_annealer *annealer, const pairs_run *run)
{
    const duet_annealing_pair *pair = &annealer->pair;
    int64_t all = 0;
    for (size_t i = 0; i < pair->tasks; i++) {
        all += pair->time[0][i];
    }
    int64_t most = annealer->limit + (int64_t)(1.5 * run->slack);
    int64_t load = annealer->processor[pair->processor[0]].load;
    int64_t room = duet_max(load, most) - pair->fixed[0];
    return duet_min(room, all);
}

// Divides the tasks of two random processors anew. Returns what it cost, in moves.
static int64_t step(duet_annealer *annealer, const pairs_run *run)
{
    duet_annealing_pair *pair = &annealer->pair;
    uint64_t bits = duet_random_next(&annealer->random);
    uint32_t count = processors(annealer);
    pair->processor[0] = duet_annealing_pick((uint32_t)bits, count);
    pair->processor[1] = duet_annealing_pick((uint32_t)(bits >> 32), count - 1);
    pair->processor[1] += pair->processor[1] >= pair->processor[0];
    int64_t read = (int64_t)annealer->processor[pair->processor[0]].count +
                   annealer->processor[pair->processor[1]].count + 1;
    bool chosen = choose(annealer, run);
    if (pair->tasks == 0) {
        return read;
    }
    int64_t room = room_of_first(annealer, run);
    if (!chosen || !duet_pair_table_fits(&pair->table, pair->tasks, room)) {
        pair->too_large++;
        return read;
    }
    const int16_t *other =
        duet_pair_table_fill(&pair->table, pair->time[0], pair->time[1], pair->tasks, room);
    int32_t least = find_costs(annealer, run, other, (int32_t)room + 1);
    uint32_t at = (uint32_t)duet_random_next(&annealer->random) & (DUET_ANNEALING_THRESHOLDS - 1);
    double threshold = run->temperature * annealer->threshold[at] * FRACTION;
    if (least < DEAREST) {
        int32_t bound = threshold < DEAREST - least ? least + (int32_t)threshold : DEAREST - 1;
        int32_t work = draw_column(annealer, (int32_t)room + 1, bound);
        duet_pair_table_trace(&pair->table, pair->time[0], pair->time[1], pair->tasks, work,
                              pair->first);
        apply(annealer);
    }
    return (int64_t)(pair->tasks + 1) * (room + 1) / CELLS_A_MOVE + read;
}

// Room for the costs and the table, at the first use.
static bool has_room(duet_annealing_pair *pair)
{
    if (pair->cost == NULL) {
        pair->cost = duet_alloc_raw(DUET_PAIR_TABLE_MOST + 1, sizeof *pair->cost, NULL);
    }
    return pair->cost != NULL && duet_pair_table_fits(&pair->table, 0, 0);
}

void duet_annealing_run_pairs(duet_annealer *annealer, const duet_context *context, int64_t moves,
                              duet_annealed *annealed)
{
    annealer->pair.allowed = has_room(&annealer->pair);
    if (!annealer->pair.allowed) {
        return; // single moves need less memory
    }
    pairs_run run = start_run(annealer);
    int64_t spent = 0;
    int64_t unseen = 0;
    int64_t begun[2] = {annealer->pair.steps, annealer->pair.too_large};
    for (int64_t i = 0; i < run.steps && spent < moves && !annealer->failed; i++) {
        set_stage(&run, fmax((double)i / (double)run.steps, (double)spent / (double)moves));
        int64_t cost = step(annealer, &run);
        spent += cost;
        annealer->pair.steps++;
        unseen += cost;
        if (annealer->excess < annealer->least) {
            duet_annealing_take_stock(annealer);
        }
        if (annealer->best <= annealer->target) {
            break;
        }
        if (unseen >= UNSEEN) {
            unseen = 0;
            if (duet_context_stop(context)) {
                annealed->stopped = true;
                break;
            }
        }
    }
    if (annealer->failed) {
        return;
    }
    annealer->pair.allowed =
        2 * (annealer->pair.too_large - begun[1]) <= annealer->pair.steps - begun[0];
    run.draw.end = duet_annealing_end_of(annealer);
    duet_annealing_keep_values(&annealer->pair.keeps, &run.draw);
    spent = duet_min(spent, moves);
    annealer->spent += spent;
    annealer->spent_on_pairs += spent;
    annealed->moves += spent;
}
