// SPDX-License-Identifier: Apache-2.0
// Runs of cyclic exchanges: a task goes to another processor, one from there to a third, and so on,
// until one takes the place of the first task or finds room.
//
// Method:    where processors differ each from each, a task is cheap on a few of them alone, and
// two
//            processors seldom have tasks to exchange that also fit to the tick. There are more
//            cycles through three processors that fit, and more yet through four and five. A
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
#include <string.h>

#include "core/assert.h"
#include "core/memory.h"
#include "heuristics/improve/annealing/state.h"

enum {
    MOST_PROCESSORS = 64, // bits of a word
    MOST_TASKS_EACH = 64, // of a processor on average: more are divided well by single moves
    MOST_TASKS = 6,       // of a cycle
    MOST_ENTRIES = 300,   // that a step looks at
    LOADED = 4,           // one in so many steps begins at the longer of two processors
    FEWEST_STEPS = 100,   // of a run, for each task: shorter runs end far from the limit
    SHARE = 8,            // of the steps before, that the next run has
    STEPS = 32,           // at one temperature
    STEP_COST = 1,        // moves, beside those of what is looked at
    LOOKS_A_MOVE = 8,
    UNSEEN = 8192 // moves between two looks at the clock
};
static const double LEAST_UNIT = 0.3; // of temperature, in ticks

// The first temperature and how much dearer a task may be, in units; the last temperature as a
// share of the first one; what weighted work costs, less where a unit is more; how much shorter
// than the limit a processor may become; the tasks of a cycle.
enum { HOT, COOLING, WORK, WIDE, WINDOW, LENGTH, PARAMETERS };
static const double low[] = {2.0, 0.1, 0.4, 5.0, 2.0, 3.0};
static const double high[] = {3.2, 0.5, 4.0, 15.0, 5.0, MOST_TASKS + 0.9};

// A task in the order of times on its processor.
typedef struct entry {
    int64_t time;
    uint32_t task;
} entry;

typedef struct row {
    entry *entry;
    uint32_t count;
} row;

struct duet_annealing_cycles {
    uint32_t processors;
    row row[MOST_PROCESSORS]; // tasks that have several types to run on
    entry *entries;           // of all rows
    uint32_t *candidate;      // tasks that have several types
    uint32_t candidates;
    uint32_t *first; // task: where its types begin
    uint8_t *type;   // types that are little dearer than the cheapest one
    int64_t steps;   // of all runs
    int64_t target;  // that the parameters were kept for
    duet_annealing_keeps keeps;
};

// A run, as it was drawn and as it stands.
typedef struct cycles_run {
    duet_annealer *annealer;
    duet_annealing_values draw;
    double weight[DUET_MAX_TYPES]; // 1 on average of the processors
    double over[DUET_MAX_TYPES];   // what a tick above the limit costs
    double work;                   // what weighted work costs
    double wide;                   // how much dearer than where it is cheapest a task may be
    double hot;
    int64_t window;   // how much shorter than the limit a processor may become
    uint32_t longest; // tasks of a cycle
    int64_t steps;

    // The cycle that a step builds.
    uint32_t start; // its first processor
    int64_t left;   // the load there without the first task
    double relief;  // what the start costs above the limit before the step
    double bound;   // of what the exchange may cost
    uint64_t used;  // bits of processors
    uint32_t length;
    uint32_t task[MOST_TASKS];
    uint32_t to[MOST_TASKS];
    int entries; // looked at
    int types;   // likewise
} cycles_run;

void duet_annealing_free_cycles(struct duet_annealing_cycles *cycles)
{
    if (cycles != NULL) {
        duet_free(cycles->entries);
        duet_free(cycles->candidate);
        duet_free(cycles->first);
        duet_free(cycles->type);
        duet_free(cycles);
    }
}

bool duet_annealing_has_cycles(const duet_annealer *annealer, int64_t moves)
{
    uint32_t count = annealer->begin[annealer->types];
    return annealer->cycles_allowed && count > 2 && count <= MOST_PROCESSORS &&
           count < 2 * annealer->types && annealer->tasks / MOST_TASKS_EACH <= count &&
           moves / (FEWEST_STEPS * STEP_COST) >= annealer->tasks;
}

bool duet_annealing_cycles_ended(const duet_annealer *annealer, int64_t *excess)
{
    const struct duet_annealing_cycles *cycles = annealer->cycles;
    if (cycles == NULL || cycles->target != annealer->target || cycles->keeps.count == 0) {
        return false;
    }
    *excess = cycles->keeps.kept[0].end.excess;
    return true;
}

size_t duet_annealing_cycles_bytes(const duet_annealer *annealer)
{
    size_t processors = annealer->begin[annealer->types];
    if (processors > MOST_PROCESSORS || annealer->tasks / MOST_TASKS_EACH > processors) {
        return 0; // there are no such runs
    }
    return sizeof(struct duet_annealing_cycles) +
           annealer->tasks * (processors * sizeof(entry) + annealer->types + 2 * sizeof(uint32_t));
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
    cycles->type = duet_alloc_raw(tasks * annealer->types, sizeof *cycles->type, NULL);
    if (cycles->entries == NULL || cycles->candidate == NULL || cycles->first == NULL ||
        cycles->type == NULL) {
        duet_annealing_free_cycles(cycles);
        return false;
    }
    for (uint32_t p = 0; p < cycles->processors; p++) {
        cycles->row[p].entry = cycles->entries + p * tasks;
    }
    annealer->cycles = cycles;
    return true;
}

// What a task costs on a type; INFINITY where it may not run or ends beyond the limit.
static inline double cost_on(const cycles_run *run, uint32_t task, size_t type)
{
    int64_t time = duet_annealing_time(run->annealer, task, type);
    bool usable = time != DUET_FORBIDDEN && time <= run->annealer->limit;
    return usable ? run->weight[type] * (double)time : INFINITY;
}

// Lists the types of a task that are little dearer than the cheapest one.
static void list_types(const cycles_run *run, uint32_t task)
{
    const duet_annealer *annealer = run->annealer;
    struct duet_annealing_cycles *cycles = annealer->cycles;
    uint32_t at = cycles->first[task];
    double least = INFINITY;
    for (size_t t = 0; t < annealer->types; t++) {
        double cost =
            annealer->begin[t] < annealer->begin[t + 1] ? cost_on(run, task, t) : INFINITY;
        least = fmin(least, cost);
    }
    for (size_t t = 0; t < annealer->types && least < INFINITY; t++) {
        bool any = annealer->begin[t] < annealer->begin[t + 1];
        if (any && cost_on(run, task, t) <= least + run->wide) {
            cycles->type[at++] = (uint8_t)t;
        }
    }
    cycles->first[task + 1] = at;
    if (at > cycles->first[task] + 1) {
        cycles->candidate[cycles->candidates++] = task;
    }
}

// Puts a task into the order of its processor.
static void insert(const cycles_run *run, uint32_t task, uint32_t processor)
{
    row *r = &run->annealer->cycles->row[processor];
    size_t type = run->annealer->processor[processor].type;
    int64_t time = duet_annealing_time(run->annealer, task, type);
    uint32_t i = r->count++;
    for (; i > 0 && r->entry[i - 1].time > time; i--) {
        r->entry[i] = r->entry[i - 1];
    }
    r->entry[i] = (entry){time, task};
}

static void take_out(const cycles_run *run, uint32_t task, uint32_t processor)
{
    row *r = &run->annealer->cycles->row[processor];
    uint32_t i = 0;
    while (r->entry[i].task != task) {
        i++;
        DUET_ASSERT(i < r->count);
    }
    r->count--;
    memmove(&r->entry[i], &r->entry[i + 1], (r->count - i) * sizeof r->entry[i]);
}

static void list_tasks(const cycles_run *run)
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
        insert(run, task, run->annealer->processor_of[task]);
    }
}

static int64_t next_length(duet_annealer *annealer)
{
    int64_t fewest = (int64_t)FEWEST_STEPS * annealer->tasks;
    int64_t steps = annealer->cycles->steps / SHARE;
    return (steps > fewest ? steps : fewest) << duet_random_between(&annealer->random, 0, 2);
}

// How much dearer the tasks are on their second cheapest type, on average.
static double mean_gap(const cycles_run *run)
{
    const duet_annealer *annealer = run->annealer;
    double sum = 0.0;
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        double least = INFINITY;
        double second = INFINITY;
        for (size_t t = 0; t < annealer->types; t++) {
            bool any = annealer->begin[t] < annealer->begin[t + 1];
            double cost = any ? cost_on(run, j, t) : INFINITY;
            second = fmin(second, fmax(cost, least));
            least = fmin(least, cost);
        }
        sum += second < INFINITY ? second - least : 0.0;
    }
    return annealer->tasks > 0 ? sum / annealer->tasks : 0.0;
}

// Where tasks may go elsewhere at `gap` more on average, a temperature T puts about T / gap of them
// there, at T each. That is the slack of the limit if T is about this.
static double unit_of_temperature(const cycles_run *run, double work)
{
    const duet_annealer *annealer = run->annealer;
    double processors = annealer->cycles->processors;
    double slack = fmax((double)annealer->limit * processors - work, 0.0);
    double unit = sqrt(slack * mean_gap(run) / annealer->tasks);
    return fmax(unit, LEAST_UNIT);
}

static cycles_run start_run(duet_annealer *annealer)
{
    const double floor_share = 0.1;
    struct duet_annealing_cycles *cycles = annealer->cycles;
    if (cycles->target != annealer->target) { // what ended near another one may not end near this
        cycles->target = annealer->target;
        cycles->keeps.count = 0;
    }
    cycles_run run = {.annealer = annealer, .steps = next_length(annealer)};
    run.draw = duet_annealing_draw_values(annealer, &cycles->keeps, low, high, PARAMETERS);
    duet_annealing_mean_weights(annealer, run.weight);
    for (size_t t = 0; t < annealer->types; t++) {
        run.over[t] = fmax(run.weight[t], floor_share);
    }
    annealer->limit = annealer->target;
    double work = duet_annealing_place_all(annealer, run.weight);
    if (annealer->failed) {
        return run;
    }
    annealer->low = 1.0; // the limit is the target
    duet_annealing_set_limit(annealer, annealer->best);
    duet_annealing_take_stock(annealer);
    double unit = unit_of_temperature(&run, work);
    run.hot = run.draw.value[HOT] * unit;
    run.work = run.draw.value[WORK] * LEAST_UNIT / unit;
    run.wide = run.draw.value[WIDE] * unit;
    run.window = (int64_t)(run.draw.value[WINDOW] * (0.5 + unit));
    run.longest = (uint32_t)run.draw.value[LENGTH];
    list_tasks(&run);
    return run;
}

// What a processor costs above the limit with a load.
static inline double above(const cycles_run *run, uint32_t processor, int64_t load)
{
    int64_t over = load - run->annealer->limit;
    return over > 0 ? run->over[run->annealer->processor[processor].type] * (double)over : 0.0;
}

// The first entry of a row that takes at least so long.
static uint32_t first_entry(const row *r, int64_t time)
{
    uint32_t from = 0;
    uint32_t to = r->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        bool before = r->entry[middle].time < time;
        from = before ? middle + 1 : from;
        to = before ? to : middle;
    }
    return from;
}

static bool extend(cycles_run *run, uint32_t task, uint32_t to, double cost);

// Whether a task can end the cycle at its start. `cost`: without what it costs there.
static bool closes(cycles_run *run, uint32_t task, double cost)
{
    uint32_t type = run->annealer->processor[run->start].type;
    int64_t time = duet_annealing_time(run->annealer, task, type);
    double there = run->work * cost_on(run, task, type);
    if (there == INFINITY ||
        cost + there + above(run, run->start, run->left + time) - run->relief > run->bound) {
        return false;
    }
    run->task[run->length] = task;
    run->to[run->length++] = run->start;
    return true;
}

// A task goes to one of its types, or the next. `cost`: of the exchange, without what the task
// costs there. Returns whether the exchange is complete.
static bool leave(cycles_run *run, uint32_t task, double cost)
{
    duet_annealer *annealer = run->annealer;
    const struct duet_annealing_cycles *cycles = annealer->cycles;
    const uint8_t *type = cycles->type + cycles->first[task];
    uint32_t count = cycles->first[task + 1] - cycles->first[task];
    run->types += (int)count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = annealer->begin[type[i]];
        uint32_t many = annealer->begin[type[i] + 1] - from;
        uint64_t bits = many > 1 ? duet_random_next(&annealer->random) : 0;
        uint32_t to = from + duet_annealing_pick((uint32_t)bits, many);
        double with = cost + run->work * cost_on(run, task, type[i]);
        if ((run->used >> to & 1) == 0 && with - run->relief <= run->bound &&
            extend(run, task, to, with)) {
            return true;
        }
    }
    return false;
}

// A task arrives at a processor: it stays, or one from there goes on whose place it takes.
static bool extend(cycles_run *run, uint32_t task, uint32_t to, double cost)
{
    duet_annealer *annealer = run->annealer;
    const row *r = &annealer->cycles->row[to];
    uint32_t type = annealer->processor[to].type;
    double now = above(run, to, annealer->processor[to].load);
    int64_t load = annealer->processor[to].load + duet_annealing_time(annealer, task, type);
    run->task[run->length] = task;
    run->to[run->length++] = to;
    run->used |= UINT64_C(1) << to;
    double saved = above(run, run->start, run->left) - run->relief;
    if (cost + saved + above(run, to, load) - now <= run->bound) {
        return true;
    }
    double room = (run->bound + run->relief - cost + now) / run->over[type];
    int64_t excess = load - annealer->limit;
    uint32_t from = room >= 0.0 ? first_entry(r, excess - (int64_t)fmin(room, (double)load)) : 0;
    uint32_t end = room >= 0.0 ? first_entry(r, excess + run->window + 1) : 0;
    uint32_t count = end > from ? end - from : 0;
    uint32_t turn = 0;
    if (count > 1) {
        turn = duet_annealing_pick((uint32_t)duet_random_next(&annealer->random), count);
    }
    for (uint32_t i = 0; i < count && run->entries < MOST_ENTRIES; i++) {
        uint32_t at = from + turn + i;
        entry one = r->entry[at < end ? at : at - count];
        double with = cost + above(run, to, load - one.time) - now -
                      run->work * run->weight[type] * (double)one.time;
        run->entries++;
        if (closes(run, one.task, with) ||
            (run->length + 1 < run->longest && leave(run, one.task, with))) {
            return true;
        }
    }
    run->length--;
    run->used &= ~(UINT64_C(1) << to);
    return false;
}

// A random task of the longer one of two random processors, unless that has none.
static uint32_t loaded_task(duet_annealer *annealer, uint32_t otherwise)
{
    const struct duet_annealing_cycles *cycles = annealer->cycles;
    uint64_t bits = duet_random_next(&annealer->random);
    uint32_t one = duet_annealing_pick((uint32_t)bits, cycles->processors);
    uint32_t two = duet_annealing_pick((uint32_t)(bits >> 32), cycles->processors);
    bool second = annealer->processor[one].load < annealer->processor[two].load;
    const row *r = &cycles->row[second ? two : one];
    uint32_t at = duet_annealing_pick((uint32_t)duet_random_next(&annealer->random), r->count);
    return r->count > 0 ? r->entry[at].task : otherwise;
}

// Makes the exchange. Returns false where a list could not grow.
static bool apply(const cycles_run *run)
{
    duet_annealer *annealer = run->annealer;
    for (uint32_t i = 0; i < run->length; i++) {
        if (!duet_annealing_reserve(annealer, run->to[i], 1)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < run->length; i++) {
        uint32_t task = run->task[i];
        uint32_t from = annealer->processor_of[task];
        uint32_t to = run->to[i];
        int64_t gone = duet_annealing_time(annealer, task, annealer->processor[from].type);
        int64_t come = duet_annealing_time(annealer, task, annealer->processor[to].type);
        take_out(run, task, from);
        duet_annealing_remove(annealer, task);
        duet_annealing_set_load(annealer, from, annealer->processor[from].load - gone);
        duet_annealing_add(annealer, task, to);
        duet_annealing_set_load(annealer, to, annealer->processor[to].load + come);
        insert(run, task, to);
    }
    return true;
}

// Looks for an exchange that begins with a random task. Returns what it cost, in moves.
static int64_t step(cycles_run *run, double temperature)
{
    duet_annealer *annealer = run->annealer;
    const struct duet_annealing_cycles *cycles = annealer->cycles;
    uint64_t bits = duet_random_next(&annealer->random);
    uint32_t at = duet_annealing_pick((uint32_t)(bits >> 32), cycles->candidates);
    uint32_t task = cycles->candidate[at];
    if (bits % LOADED == 0) {
        task = loaded_task(annealer, task);
    }
    run->start = annealer->processor_of[task];
    const duet_annealing_processor *start = &annealer->processor[run->start];
    int64_t time = duet_annealing_time(annealer, task, start->type);
    run->left = start->load - time;
    run->relief = above(run, run->start, start->load);
    run->bound = temperature * annealer->threshold[bits >> 8 & (DUET_ANNEALING_THRESHOLDS - 1)];
    run->used = UINT64_C(1) << run->start;
    run->length = 0;
    run->entries = 0;
    run->types = 0;
    if (leave(run, task, -run->work * run->weight[start->type] * (double)time)) {
        apply(run);
    }
    return STEP_COST + (run->entries + run->types) / LOOKS_A_MOVE;
}

// Steps at one temperature. Returns what they cost, in moves.
static int64_t hold(cycles_run *run, double temperature)
{
    duet_annealer *annealer = run->annealer;
    int64_t cost = 0;
    for (int i = 0; i < STEPS && annealer->best > annealer->target && !annealer->failed; i++) {
        cost += step(run, temperature);
        annealer->cycles->steps++;
        if (annealer->excess < annealer->least) {
            duet_annealing_take_stock(annealer);
        }
    }
    return cost;
}

// Returns what the run cost, in moves.
static int64_t cool(cycles_run *run, const duet_context *context, int64_t moves,
                    duet_annealed *annealed)
{
    duet_annealer *annealer = run->annealer;
    int64_t spent = 0;
    int64_t seen = 0;
    for (int64_t i = 0; i < run->steps && spent < moves && annealer->best > annealer->target &&
                        !annealer->failed && !annealed->stopped;
         i += STEPS) {
        double done = fmax((double)i / (double)run->steps, (double)spent / (double)moves);
        spent += hold(run, run->hot * pow(run->draw.value[COOLING], done));
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
    cycles_run run = start_run(annealer);
    int64_t spent = annealer->tasks; // at least, also where there is nothing to do
    if (!annealer->failed && annealer->cycles->candidates > 0) {
        spent += cool(&run, context, moves, annealed);
    }
    if (annealer->failed) {
        return;
    }
    run.draw.end = (duet_annealing_end){annealer->limit, annealer->least};
    duet_annealing_keep_values(&annealer->cycles->keeps, &run.draw);
    spent = spent < moves ? spent : moves;
    annealer->spent += spent;
    annealer->spent_on_cycles += spent;
    annealed->moves += spent;
}
