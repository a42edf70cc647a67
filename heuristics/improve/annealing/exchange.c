// SPDX-License-Identifier: Apache-2.0
// One cyclic exchange, by a depth-first search.
#include <string.h>

#include "core/system/assert.h"
#include "heuristics/improve/annealing/cycles.h"

enum {
    MOST_LOOKS = 600, // at tasks and their types, of a step
    LOADED = 4,       // 1 in 4 steps begins at the longer of two processors
    STEP_COST = 4     // moves, beside one for each look
};

void duet_cycles_insert(const duet_cycles_run *run, uint32_t task, uint32_t processor)
{
    duet_cycles_row *r = &run->annealer->cycles->row[processor];
    size_t type = run->annealer->processor[processor].type;
    int64_t time = duet_annealing_time(run->annealer, task, type);
    uint32_t i = r->count++;
    for (; i > 0 && r->entry[i - 1].time > time; i--) {
        r->entry[i] = r->entry[i - 1];
    }
    r->entry[i] = (duet_cycles_entry){time, task};
}

static void take_out(const duet_cycles_run *run, uint32_t task, uint32_t processor)
{
    duet_cycles_row *r = &run->annealer->cycles->row[processor];
    uint32_t i = 0;
    while (r->entry[i].task != task) {
        i++;
        DUET_ASSERT(i < r->count);
    }
    r->count--;
    memmove(&r->entry[i], &r->entry[i + 1], (r->count - i) * sizeof r->entry[i]);
}

// What a processor costs above the limit with a load.
static inline double above(const duet_cycles_run *run, uint32_t processor, int64_t load)
{
    int64_t over = load - run->annealer->limit;
    return over > 0 ? run->over[run->annealer->processor[processor].type] * (double)over : 0.0;
}

// The first entry of a row that takes at least so long.
static uint32_t first_entry(const duet_cycles_row *r, int64_t time)
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

static bool extend(duet_cycles_run *run, uint32_t task, uint32_t to, double cost);

// Whether a task can end the cycle at its start. `cost`: with what it costs there.
static bool closes(duet_cycles_run *run, uint32_t task, double cost)
{
    uint32_t type = run->annealer->processor[run->start].type;
    int64_t time = duet_annealing_time(run->annealer, task, type);
    if (cost + above(run, run->start, run->left + time) - run->relief > run->bound) {
        return false;
    }
    run->task[run->length] = task;
    run->to[run->length++] = run->start;
    return true;
}

// A task goes to one of its types, the cheapest first: to the start, or to another processor from
// where the cycle goes on. `cost`: of the exchange, without what the task costs there. Returns
// whether the exchange is complete.
static bool leave(duet_cycles_run *run, uint32_t task, double cost)
{
    duet_annealer *annealer = run->annealer;
    const struct duet_annealing_cycles *cycles = annealer->cycles;
    const duet_cycles_place *end = cycles->place + cycles->first[task + 1];
    uint32_t home = annealer->processor[run->start].type;
    double most = (run->bound + run->relief - cost) / run->work;
    for (const duet_cycles_place *p = cycles->place + cycles->first[task]; p < end; p++) {
        if (p->cost > most) {
            return false; // nor are those behind it
        }
        run->looks++;
        double with = cost + run->work * p->cost;
        if (p->type == home && run->length > 0 && closes(run, task, with)) {
            return true;
        }
        uint32_t to = annealer->begin[p->type];
        uint32_t many = annealer->begin[p->type + 1] - to;
        if (many > 1) {
            to += duet_annealing_pick((uint32_t)duet_random_next(&annealer->random), many);
        }
        if ((run->used >> to & 1) == 0 && run->length + 1 < run->longest &&
            extend(run, task, to, with)) {
            return true;
        }
    }
    return false;
}

// A task arrives at a processor: it stays, or one from there goes on whose place it takes.
static bool extend(duet_cycles_run *run, uint32_t task, uint32_t to, double cost)
{
    duet_annealer *annealer = run->annealer;
    const duet_cycles_row *r = &annealer->cycles->row[to];
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
    for (uint32_t i = 0; i < count && run->looks < MOST_LOOKS; i++) {
        uint32_t at = from + turn + i;
        duet_cycles_entry one = r->entry[at < end ? at : at - count];
        double with = cost + above(run, to, load - one.time) - now -
                      run->work * run->weight[type] * (double)one.time;
        run->looks++;
        if (leave(run, one.task, with)) {
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
    const duet_cycles_row *r = &cycles->row[second ? two : one];
    uint32_t at = duet_annealing_pick((uint32_t)duet_random_next(&annealer->random), r->count);
    return r->count > 0 ? r->entry[at].task : otherwise;
}

// Makes the exchange. Returns false where a list could not grow.
static bool apply(const duet_cycles_run *run)
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
        duet_cycles_insert(run, task, to);
    }
    return true;
}

int64_t duet_cycles_step(duet_cycles_run *run, double temperature)
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
    run->looks = 0;
    if (leave(run, task, -run->work * run->weight[start->type] * (double)time)) {
        apply(run);
    }
    return STEP_COST + run->looks;
}
