// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "core/memory.h"
#include "heuristics/improve/annealing/state.h"

void duet_annealing_remove(duet_annealer *s, uint32_t task)
{
    duet_annealing_processor *from = &s->processor[s->processor_of[task]];
    uint32_t at = s->position[task];
    uint32_t last = from->task[--from->count];
    from->task[at] = last;
    s->position[last] = at;
}

void duet_annealing_add(duet_annealer *s, uint32_t task, uint32_t processor)
{
    duet_annealing_processor *to = &s->processor[processor];
    to->task[to->count] = task;
    s->position[task] = to->count++;
    s->processor_of[task] = processor;
}

// Whether there is room for so many more tasks.
static inline bool has_room(duet_annealer *s, uint32_t processor, uint32_t tasks)
{
    duet_annealing_processor *to = &s->processor[processor];
    if (to->count + tasks <= to->capacity) {
        return true;
    }
    s->failed = duet_reserve(&to->task, to->count + tasks, &to->capacity, sizeof *to->task, NULL) !=
                DUET_OK;
    return !s->failed;
}

int64_t duet_annealing_longest(const duet_annealer *s)
{
    int64_t longest = 0;
    for (uint32_t p = 0; p < s->begin[s->types]; p++) {
        longest = s->processor[p].load > longest ? s->processor[p].load : longest;
    }
    return longest;
}

static inline int64_t above(const duet_annealer *s, int64_t load)
{
    return load > s->limit ? load - s->limit : 0;
}

void duet_annealing_set_limit(duet_annealer *s, int64_t makespan)
{
    // Where recording a schedule takes as long as a thousand moves, it is done less often.
    enum { many = 1 << 16, steps = 13 };
    int64_t gap = makespan - s->target;
    int64_t step = (int64_t)((double)gap * s->low) + 1;
    if (s->tasks >= many && step < makespan >> steps) {
        step = makespan >> steps;
    }
    s->limit = step < gap ? makespan - step : s->target;
    s->excess = 0;
    for (uint32_t p = 0; p < s->begin[s->types]; p++) {
        s->excess += above(s, s->processor[p].load);
    }
    s->least = s->excess;
}

// The excess is less than ever under this limit: the schedule may be the shortest so far.
static void take_stock(duet_annealer *s)
{
    enum { looked_at = 256 };
    uint32_t count = s->begin[s->types];
    s->least = s->excess;
    if (s->excess > 0 && (count > looked_at || s->excess / count >= s->best - s->limit)) {
        return;
    }
    int64_t longest = duet_annealing_longest(s);
    s->shortest = longest < s->shortest ? longest : s->shortest;
    if (longest < s->best) {
        s->best = longest;
        memcpy(s->best_of, s->processor_of, s->tasks * sizeof *s->best_of);
    }
    if (s->excess == 0) {
        duet_annealing_set_limit(s, longest);
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
static inline double change(const duet_annealer *s, uint32_t processor, int64_t load)
{
    const duet_annealing_processor *p = &s->processor[processor];
    double over = (double)(above(s, load) - above(s, p->load));
    return s->over[p->type] * over + s->tick[p->type] * (double)(load - p->load);
}

static inline void set_load(duet_annealer *s, uint32_t processor, int64_t load)
{
    duet_annealing_processor *p = &s->processor[processor];
    s->excess += above(s, load) - above(s, p->load);
    p->load = load;
}

static inline void move(duet_annealer *s, uint32_t task, uint32_t to)
{
    duet_annealing_remove(s, task);
    duet_annealing_add(s, task, to);
}

// A random number below `count`, from 32 random bits.
static inline uint32_t pick(uint32_t bits, uint32_t count)
{
    return (uint32_t)((uint64_t)bits * count >> 32);
}

// The load of a processor with other tasks: forbidden times are left to the caller.
static inline int64_t load_with(const duet_annealer *s, uint32_t processor, uint32_t in,
                                uint32_t out)
{
    const duet_annealing_processor *p = &s->processor[processor];
    return p->load + duet_annealing_time(s, in, p->type) - duet_annealing_time(s, out, p->type);
}

static inline bool may_run(const duet_annealer *s, uint32_t task, uint32_t processor)
{
    return duet_annealing_time(s, task, s->processor[processor].type) != DUET_FORBIDDEN;
}

// The task goes to another processor.
static inline bool relocate(duet_annealer *s, const proposal *p)
{
    const duet_annealing_processor *from = &s->processor[p->from];
    const duet_annealing_processor *to = &s->processor[p->to];
    int64_t load_from = from->load - duet_annealing_time(s, p->task, from->type);
    int64_t load_to = to->load + duet_annealing_time(s, p->task, to->type);
    if (change(s, p->from, load_from) + change(s, p->to, load_to) > p->threshold ||
        !has_room(s, p->to, 1)) {
        return false;
    }
    move(s, p->task, p->to);
    set_load(s, p->from, load_from);
    set_load(s, p->to, load_to);
    return true;
}

// The task changes places with another one.
static inline bool swap(duet_annealer *s, const proposal *p, uint32_t other)
{
    if (!may_run(s, other, p->from)) {
        return false;
    }
    int64_t load_from = load_with(s, p->from, other, p->task);
    int64_t load_to = load_with(s, p->to, p->task, other);
    if (change(s, p->from, load_from) + change(s, p->to, load_to) > p->threshold ||
        !has_room(s, p->to, 1)) {
        return false;
    }
    move(s, p->task, p->to);
    move(s, other, p->from); // where the first one has left room
    set_load(s, p->from, load_from);
    set_load(s, p->to, load_to);
    return true;
}

// The task changes places with two others.
static inline bool one_for_two(duet_annealer *s, const proposal *p, uint32_t other)
{
    const duet_annealing_processor *from = &s->processor[p->from];
    const duet_annealing_processor *to = &s->processor[p->to];
    uint32_t third = to->task[pick((uint32_t)(p->bits >> 32), to->count)];
    if (third == other || !may_run(s, other, p->from) || !may_run(s, third, p->from)) {
        return false;
    }
    int64_t load_from =
        load_with(s, p->from, other, p->task) + duet_annealing_time(s, third, from->type);
    int64_t load_to = load_with(s, p->to, p->task, other) - duet_annealing_time(s, third, to->type);
    if (change(s, p->from, load_from) + change(s, p->to, load_to) > p->threshold ||
        !has_room(s, p->to, 1) || !has_room(s, p->from, 1)) {
        return false;
    }
    move(s, p->task, p->to);
    move(s, other, p->from);
    move(s, third, p->from);
    set_load(s, p->from, load_from);
    set_load(s, p->to, load_to);
    return true;
}

// A random processor of a type that a task is to be proposed for.
static inline uint32_t destination(const duet_annealer *s, uint32_t task, uint32_t slot,
                                   uint32_t bits)
{
    size_t type = s->slot[(size_t)s->class_of[task] * DUET_ANNEALING_SLOTS + slot];
    return s->begin[type] + pick(bits, s->begin[type + 1] - s->begin[type]);
}

// The task takes the place of another one, which goes to a third processor.
static inline bool chain(duet_annealer *s, const proposal *p, uint32_t other)
{
    uint32_t slot = (uint32_t)(p->bits >> 59) & (DUET_ANNEALING_SLOTS - 1);
    uint32_t end = destination(s, other, slot, (uint32_t)(p->bits >> 27));
    if (end == p->to || end == p->from) {
        return false;
    }
    const duet_annealing_processor *from = &s->processor[p->from];
    const duet_annealing_processor *last = &s->processor[end];
    int64_t load_from = from->load - duet_annealing_time(s, p->task, from->type);
    int64_t load_to = load_with(s, p->to, p->task, other);
    int64_t load_end = last->load + duet_annealing_time(s, other, last->type);
    if (change(s, p->from, load_from) + change(s, p->to, load_to) + change(s, end, load_end) >
            p->threshold ||
        !has_room(s, p->to, 1) || !has_room(s, end, 1)) {
        return false;
    }
    move(s, p->task, p->to);
    move(s, other, end);
    set_load(s, p->from, load_from);
    set_load(s, p->to, load_to);
    set_load(s, end, load_end);
    return true;
}

static inline bool exchange(duet_annealer *s, const proposal *p, uint32_t kind)
{
    const duet_annealing_processor *to = &s->processor[p->to];
    if (to->count == 0) {
        return false;
    }
    uint32_t other = to->task[pick((uint32_t)p->bits, to->count)];
    return kind < s->until[1]   ? swap(s, p, other)
           : kind < s->until[2] ? one_for_two(s, p, other)
                                : chain(s, p, other);
}

void duet_annealing_propose(duet_annealer *s, int64_t moves, double temperature)
{
    while (moves-- > 0) {
        uint64_t a = duet_random_next(&s->random);
        uint64_t b = duet_random_next(&s->random);
        uint32_t kind = (uint32_t)a & 0xffff;
        uint32_t slot = (uint32_t)(a >> 16) & (DUET_ANNEALING_SLOTS - 1);
        proposal p = {.task = pick((uint32_t)(a >> 32), s->tasks)};
        p.from = s->processor_of[p.task];
        p.to = destination(s, p.task, slot, (uint32_t)(b >> 32));
        p.threshold = temperature * s->threshold[b & (DUET_ANNEALING_THRESHOLDS - 1)];
        if (p.from == p.to) {
            continue;
        }
        bool moved;
        if (kind < s->until[0]) {
            moved = relocate(s, &p);
        } else {
            p.bits = duet_random_next(&s->random);
            moved = exchange(s, &p, kind);
        }
        if (moved && s->excess < s->least) {
            take_stock(s);
            if (s->best <= s->target) {
                return;
            }
        }
    }
}
