// SPDX-License-Identifier: Apache-2.0
#include <duet/graph.h>

#include "core/instance/moldable.h"
#include "core/solution/solution.h"
#include "tests/property/property.h"

enum { MOST_PROCESSORS = 16 };

typedef struct placing {
    draws *d;
    const duet_instance *instance;
    duet_solution *solution;
    bool placed[64];
    int64_t end[64];
    int64_t free_at[DUET_MAX_TYPES][MOST_PROCESSORS];
} placing;

// Some processors of a type; returns how many ranges these are.
static size_t choose_of_type(placing *p, size_t type, int64_t size, duet_processor_range *range)
{
    size_t count = 0;
    int64_t left = p->instance->processors[type];
    for (int32_t i = 0; i < p->instance->processors[type] && size > 0; i++, left--) {
        if (draw(p->d, 1, left) <= size) {
            range[count++] = (duet_processor_range){(int32_t)type, i, i};
            size--;
        }
    }
    return count;
}

// A random mode of a kind.
static duet_processor_set choose_set(placing *p, size_t kind, duet_processor_range *range)
{
    const duet_instance *instance = p->instance;
    duet_processor_set set = {range, 0};
    for (int tries = 0; set.count == 0; tries++) {
        size_t type = tries < 8 ? (size_t)draw(p->d, 0, (int64_t)instance->types - 1)
                                : (size_t)tries % instance->types;
        if (!duet_allowed(instance, kind, type)) {
            continue;
        }
        for (size_t t = 0; instance->mixed_sets && t < instance->types; t++) {
            bool in = t == type || (duet_allowed(instance, kind, t) && draw_once(p->d, 2));
            int64_t size = in ? draw(p->d, t == type ? 1 : 0, instance->processors[t]) : 0;
            set.count += choose_of_type(p, t, size, range + set.count);
        }
        if (!instance->mixed_sets) {
            int64_t sizes = duet_moldable_sizes(instance, kind, type);
            set.count = choose_of_type(p, type, draw(p->d, 1, sizes), range);
        }
    }
    return set;
}

static int64_t time_on(const placing *p, size_t kind, duet_processor_set set)
{
    return p->instance->moldable != NULL ? duet_moldable_duration(p->instance, kind, set)
                                         : duet_time(p->instance, kind, (size_t)set.range[0].type);
}

static int64_t earliest(const placing *p, int64_t task, duet_processor_set set)
{
    const duet_instance *instance = p->instance;
    int64_t start = 0;
    for (size_t i = 0; i < set.count; i++) {
        int64_t there = p->free_at[set.range[i].type][set.range[i].first];
        start = there > start ? there : start;
    }
    size_t count;
    const int32_t *edges = duet_instance_edges_to(instance, task, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t before = duet_instance_edge(instance, edges[i]).from;
        duet_processor_range one;
        duet_processor_set from = duet_solution_set(p->solution, before, &one);
        bool same = instance->moldable == NULL && from.range[0].type == set.range[0].type &&
                    from.range[0].first == set.range[0].first;
        int64_t cost =
            instance->moldable != NULL ? duet_moldable_transfer(instance, edges[i], from, set)
            : same                     ? 0
                   : duet_instance_transfer(instance, edges[i], (size_t)from.range[0].type,
                                            (size_t)set.range[0].type);
        start = p->end[before] + cost > start ? p->end[before] + cost : start;
    }
    return start;
}

// A mode that ends early among some, and an early start there.
static bool place(placing *p, int64_t task)
{
    duet_processor_range best[MOST_PROCESSORS * DUET_MAX_TYPES];
    duet_processor_range range[MOST_PROCESSORS * DUET_MAX_TYPES];
    duet_processor_set chosen = {best, 0};
    size_t kind = duet_instance_kind_of(p->instance, task);
    int64_t start = 0;
    int64_t end = DUET_FORBIDDEN;
    for (int64_t tries = draw(p->d, 1, 4); tries > 0; tries--) {
        duet_processor_set set = choose_set(p, kind, range);
        int64_t from = earliest(p, task, set);
        int64_t time = time_on(p, kind, set);
        if (time != DUET_FORBIDDEN && from + time < end) {
            start = from;
            end = from + time;
            chosen.count = set.count;
            for (size_t i = 0; i < set.count; i++) {
                best[i] = range[i];
            }
        }
    }
    if (end == DUET_FORBIDDEN) {
        return false;
    }
    int64_t late = draw_once(p->d, 10) ? draw(p->d, 1, 3) : 0;
    p->placed[task] = true;
    p->end[task] = end + late;
    for (size_t i = 0; i < chosen.count; i++) {
        p->free_at[best[i].type][best[i].first] = end + late;
    }
    if (p->instance->moldable != NULL) {
        return duet_solution_place_set(p->solution, task, start + late, chosen, NULL) == DUET_OK;
    }
    p->solution->placement[task] = (duet_placement){start + late, best[0].first, best[0].type};
    return true;
}

static bool is_ready(const placing *p, int64_t task)
{
    size_t count;
    const int32_t *edges = duet_instance_edges_to(p->instance, task, &count);
    bool ready = !p->placed[task];
    for (size_t i = 0; i < count && ready; i++) {
        ready = p->placed[duet_instance_edge(p->instance, edges[i]).from];
    }
    return ready;
}

static bool place_all(placing *p)
{
    bool good = true;
    int64_t tasks = duet_tasks(p->instance);
    for (int64_t left = tasks; left > 0 && good; left--) {
        int64_t task = draw(p->d, 0, tasks - 1);
        while (!is_ready(p, task)) {
            task = (task + 1) % tasks;
        }
        good = place(p, task);
    }
    return good;
}

// Something else in its place, which may be a schedule again.
static void change(draws *d, const duet_instance *instance, duet_solution *solution)
{
    int64_t tasks = duet_tasks(instance);
    duet_placement *placed = &solution->placement[draw(d, 0, tasks - 1)];
    duet_placement *other = &solution->placement[draw(d, 0, tasks - 1)];
    int64_t start = placed->start;
    switch (draw(d, 0, 6)) {
    case 0:
        placed->start -= draw(d, 1, 3);
        break;
    case 1:
        placed->start = draw_once(d, 4) ? draw_number(d) : draw(d, 0, 30);
        break;
    case 2:
        placed->start = other->start;
        other->start = start;
        break;
    case 3: // the processors of a moldable task are its ranges, which stay where this was all
        placed->processor = (int32_t)draw(d, -1, 3);
        break;
    case 4:
        placed->type = (int32_t)draw(d, -1, (int64_t)instance->types);
        break;
    case 5:
        if (solution->ranges > 0) {
            duet_processor_range *range =
                &solution->range[draw(d, 0, (int64_t)solution->ranges - 1)];
            range->last += (int32_t)draw(d, -1, 1);
            range->type =
                draw_once(d, 3) ? (int32_t)draw(d, 0, (int64_t)instance->types - 1) : range->type;
        }
        break;
    default:
        if (instance->moldable == NULL) {
            const duet_aborted run = {.task = placed - solution->placement,
                                      .start = draw(d, 0, 9),
                                      .end = draw(d, 0, 12),
                                      .processor = (int32_t)draw(d, 0, 2),
                                      .type = (int32_t)draw(d, 0, (int64_t)instance->types - 1)};
            (void)duet_solution_add_aborted(solution, run, NULL);
        }
        break;
    }
}

duet_solution *property_schedule(draws *d, const duet_instance *instance, bool *whole)
{
    placing p = {.d = d, .instance = instance};
    if (duet_solution_create(duet_tasks(instance), &p.solution, NULL) != DUET_OK) {
        return NULL;
    }
    bool good = instance->moldable == NULL || duet_solution_hold_sets(p.solution, NULL) == DUET_OK;
    if (!good || !place_all(&p)) {
        duet_solution_free(p.solution);
        return NULL;
    }
    duet_solution_finish(p.solution, instance);
    int64_t changes = draw_once(d, 3) || duet_tasks(instance) == 0 ? 0 : draw(d, 1, 2);
    *whole = changes == 0;
    for (; changes > 0; changes--) {
        change(d, instance, p.solution);
    }
    return p.solution;
}
