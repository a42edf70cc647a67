// SPDX-License-Identifier: Apache-2.0
// The moves of annealing: what is proposed, what it costs, what is accepted.
#include <string.h>

#include "core/number/minmax.h"
#include "heuristics/improve/annealing/annealing_state.h"

void duet_annealing_remove(duet_annealer *annealer, uint32_t task)
{
    duet_annealing_processor *from = &annealer->processor[annealer->processor_of[task]];
    uint32_t at = annealer->position[task];
    uint32_t last = from->task[--from->count];
    from->task[at] = last;
    annealer->position[last] = at;
}

void duet_annealing_add(duet_annealer *annealer, uint32_t task, uint32_t processor)
{
    duet_annealing_processor *to = &annealer->processor[processor];
    to->task[to->count] = task;
    annealer->position[task] = to->count++;
    annealer->processor_of[task] = processor;
}

int64_t duet_annealing_longest(const duet_annealer *annealer)
{
    int64_t longest = 0;
    for (uint32_t p = 0; p < annealer->begin[annealer->types]; p++) {
        longest = duet_max(annealer->processor[p].load, longest);
    }
    return longest;
}

// The work above a length.
static int64_t excess(const duet_annealer *annealer, int64_t length)
{
    int64_t sum = 0;
    for (uint32_t p = 0; p < annealer->begin[annealer->types]; p++) {
        int64_t load = annealer->processor[p].load;
        sum += load > length ? load - length : 0;
    }
    return sum;
}

duet_annealing_end duet_annealing_end_of(const duet_annealer *annealer)
{
    return (duet_annealing_end){annealer->best, excess(annealer, annealer->best - 1)};
}

void duet_annealing_set_limit(duet_annealer *annealer, int64_t makespan)
{
    // Where recording a schedule takes as long as a thousand moves, it is done less often.
    enum { many = 1 << 16, steps = 13 };
    int64_t gap = makespan - annealer->target;
    int64_t step = (int64_t)((double)gap * annealer->low) + 1;
    if (annealer->tasks >= many && step < makespan >> steps) {
        step = makespan >> steps;
    }
    annealer->limit = step < gap ? makespan - step : annealer->target;
    annealer->excess = excess(annealer, annealer->limit);
    annealer->least = annealer->excess;
}

void duet_annealing_take_stock(duet_annealer *annealer)
{
    enum { looked_at = 256 };
    uint32_t count = annealer->begin[annealer->types];
    annealer->least = annealer->excess;
    if (annealer->excess > 0 &&
        (count > looked_at || annealer->excess / count >= annealer->best - annealer->limit)) {
        return;
    }
    int64_t longest = duet_annealing_longest(annealer);
    if (longest < annealer->best) {
        annealer->best = longest;
        memcpy(annealer->best_of, annealer->processor_of,
               annealer->tasks * sizeof *annealer->best_of);
    }
    if (annealer->excess == 0) {
        duet_annealing_set_limit(annealer, longest);
    }
}

// A task that is proposed for another processor, with random bits left.
typedef struct proposal {
    uint32_t task;
    uint32_t from;
    uint32_t to;
    uint64_t bits;
    double threshold; // a change of the cost up to it is accepted
} proposal;

// What the cost changes by with a new load of a processor.
static inline double change(const duet_annealer *annealer, uint32_t processor, int64_t load)
{
    const duet_annealing_processor *p = &annealer->processor[processor];
    double over =
        (double)(duet_annealing_above(annealer, load) - duet_annealing_above(annealer, p->load));
    return annealer->over[p->type] * over + annealer->tick[p->type] * (double)(load - p->load);
}

static inline void move(duet_annealer *annealer, uint32_t task, uint32_t to)
{
    duet_annealing_remove(annealer, task);
    duet_annealing_add(annealer, task, to);
}

// The load of a processor with other tasks: forbidden times are left to the caller.
static inline int64_t load_with(const duet_annealer *annealer, uint32_t processor, uint32_t in,
                                uint32_t out)
{
    const duet_annealing_processor *p = &annealer->processor[processor];
    return p->load + duet_annealing_time(annealer, in, p->type) -
           duet_annealing_time(annealer, out, p->type);
}

static inline bool may_run(const duet_annealer *annealer, uint32_t task, uint32_t processor)
{
    return duet_annealing_time(annealer, task, annealer->processor[processor].type) !=
           DUET_FORBIDDEN;
}

// The task goes to another processor.
static inline bool relocate(duet_annealer *annealer, const proposal *p)
{
    const duet_annealing_processor *from = &annealer->processor[p->from];
    const duet_annealing_processor *to = &annealer->processor[p->to];
    int64_t load_from = from->load - duet_annealing_time(annealer, p->task, from->type);
    int64_t load_to = to->load + duet_annealing_time(annealer, p->task, to->type);
    if (change(annealer, p->from, load_from) + change(annealer, p->to, load_to) > p->threshold ||
        !duet_annealing_reserve(annealer, p->to, 1)) {
        return false;
    }
    move(annealer, p->task, p->to);
    duet_annealing_set_load(annealer, p->from, load_from);
    duet_annealing_set_load(annealer, p->to, load_to);
    return true;
}

// The task changes places with another one.
static inline bool swap(duet_annealer *annealer, const proposal *p, uint32_t other)
{
    if (!may_run(annealer, other, p->from)) {
        return false;
    }
    int64_t load_from = load_with(annealer, p->from, other, p->task);
    int64_t load_to = load_with(annealer, p->to, p->task, other);
    if (change(annealer, p->from, load_from) + change(annealer, p->to, load_to) > p->threshold ||
        !duet_annealing_reserve(annealer, p->to, 1)) {
        return false;
    }
    move(annealer, p->task, p->to);
    move(annealer, other, p->from); // where the first one has left room
    duet_annealing_set_load(annealer, p->from, load_from);
    duet_annealing_set_load(annealer, p->to, load_to);
    return true;
}

// The task changes places with two others.
static inline bool one_for_two(duet_annealer *annealer, const proposal *p, uint32_t other)
{
    const duet_annealing_processor *from = &annealer->processor[p->from];
    const duet_annealing_processor *to = &annealer->processor[p->to];
    uint32_t third = to->task[duet_annealing_pick((uint32_t)(p->bits >> 32), to->count)];
    if (third == other || !may_run(annealer, other, p->from) ||
        !may_run(annealer, third, p->from)) {
        return false;
    }
    int64_t load_from = load_with(annealer, p->from, other, p->task) +
                        duet_annealing_time(annealer, third, from->type);
    int64_t load_to =
        load_with(annealer, p->to, p->task, other) - duet_annealing_time(annealer, third, to->type);
    if (change(annealer, p->from, load_from) + change(annealer, p->to, load_to) > p->threshold ||
        !duet_annealing_reserve(annealer, p->to, 1) ||
        !duet_annealing_reserve(annealer, p->from, 1)) {
        return false;
    }
    move(annealer, p->task, p->to);
    move(annealer, other, p->from);
    move(annealer, third, p->from);
    duet_annealing_set_load(annealer, p->from, load_from);
    duet_annealing_set_load(annealer, p->to, load_to);
    return true;
}

// A random processor of a type that a task is to be proposed for.
static inline uint32_t destination(const duet_annealer *annealer, uint32_t task, uint32_t slot,
                                   uint32_t bits)
{
    size_t type = annealer->slot[(size_t)annealer->class_of[task] * DUET_ANNEALING_SLOTS + slot];
    return annealer->begin[type] +
           duet_annealing_pick(bits, annealer->begin[type + 1] - annealer->begin[type]);
}

// The task takes the place of another one, which goes to a third processor.
static inline bool chain(duet_annealer *annealer, const proposal *p, uint32_t other)
{
    uint32_t slot = (uint32_t)(p->bits >> 59) & (DUET_ANNEALING_SLOTS - 1);
    uint32_t end = destination(annealer, other, slot, (uint32_t)(p->bits >> 27));
    if (end == p->to || end == p->from) {
        return false;
    }
    const duet_annealing_processor *from = &annealer->processor[p->from];
    const duet_annealing_processor *last = &annealer->processor[end];
    int64_t load_from = from->load - duet_annealing_time(annealer, p->task, from->type);
    int64_t load_to = load_with(annealer, p->to, p->task, other);
    int64_t load_end = last->load + duet_annealing_time(annealer, other, last->type);
    if (change(annealer, p->from, load_from) + change(annealer, p->to, load_to) +
                change(annealer, end, load_end) >
            p->threshold ||
        !duet_annealing_reserve(annealer, p->to, 1) || !duet_annealing_reserve(annealer, end, 1)) {
        return false;
    }
    move(annealer, p->task, p->to);
    move(annealer, other, end);
    duet_annealing_set_load(annealer, p->from, load_from);
    duet_annealing_set_load(annealer, p->to, load_to);
    duet_annealing_set_load(annealer, end, load_end);
    return true;
}

static inline bool exchange(duet_annealer *annealer, const proposal *p, uint32_t kind)
{
    const duet_annealing_processor *to = &annealer->processor[p->to];
    if (to->count == 0) {
        return false;
    }
    uint32_t other = to->task[duet_annealing_pick((uint32_t)p->bits, to->count)];
    return kind < annealer->until[1]   ? swap(annealer, p, other)
           : kind < annealer->until[2] ? one_for_two(annealer, p, other)
                                       : chain(annealer, p, other);
}

// A random task of the longer one of two random processors, unless that has none.
static inline uint32_t loaded_task(duet_annealer *annealer, uint32_t otherwise)
{
    uint64_t bits = duet_random_next(&annealer->random);
    uint32_t count = annealer->begin[annealer->types];
    const duet_annealing_processor *one =
        &annealer->processor[duet_annealing_pick((uint32_t)bits, count)];
    const duet_annealing_processor *two =
        &annealer->processor[duet_annealing_pick((uint32_t)(bits >> 32), count)];
    const duet_annealing_processor *longer = one->load < two->load ? two : one;
    uint32_t at = duet_annealing_pick((uint32_t)duet_random_next(&annealer->random), longer->count);
    return longer->count > 0 ? longer->task[at] : otherwise;
}

void duet_annealing_propose(duet_annealer *annealer, int64_t moves, double temperature)
{
    while (moves-- > 0) {
        uint64_t a = duet_random_next(&annealer->random);
        uint64_t b = duet_random_next(&annealer->random);
        uint32_t kind = (uint32_t)a & 0xffff;
        uint32_t slot = (uint32_t)(a >> 16) & (DUET_ANNEALING_SLOTS - 1);
        proposal p = {.task = duet_annealing_pick((uint32_t)(a >> 32), annealer->tasks)};
        if (((uint32_t)(b >> 16) & 0xffff) < annealer->loaded) {
            p.task = loaded_task(annealer, p.task);
        }
        p.from = annealer->processor_of[p.task];
        p.to = destination(annealer, p.task, slot, (uint32_t)(b >> 32));
        p.threshold = temperature * annealer->threshold[b & (DUET_ANNEALING_THRESHOLDS - 1)];
        if (p.from == p.to) {
            continue;
        }
        bool moved;
        if (kind < annealer->until[0]) {
            moved = relocate(annealer, &p);
        } else {
            p.bits = duet_random_next(&annealer->random);
            moved = exchange(annealer, &p, kind);
        }
        if (moved && annealer->excess < annealer->least) {
            duet_annealing_take_stock(annealer);
            if (annealer->best <= annealer->target) {
                return;
            }
        }
    }
}
