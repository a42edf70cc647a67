// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_released_patterns_push(duet_released_patterns *patterns, size_t type,
                                      const duet_class_part *part, size_t parts, duet_error *error)
{
    duet_code code = duet_vec_grow(patterns->pattern, patterns->count, error);
    size_t begin = patterns->part_count;
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_vec_push(patterns->part, patterns->part_count, error, part[p]);
    }
    if (code == DUET_OK) {
        patterns->pattern[patterns->count++] = (duet_released_pattern){type, begin, parts};
    }
    return code;
}

void duet_released_patterns_pop(duet_released_patterns *patterns)
{
    patterns->part_count = patterns->pattern[--patterns->count].begin;
}

void duet_released_patterns_free(duet_released_patterns *patterns)
{
    duet_free(patterns->pattern);
    duet_free(patterns->part);
    *patterns = (duet_released_patterns){.count = 0};
}

// A schedule that is being made.
typedef struct placing {
    const duet_released_model *model;
    const duet_classes *classes;
    duet_placement *placement; // of a task; type -1: it has none
    int64_t *end;              // of a processor of the model
    bool *used;                // a processor of the model has a pattern
    size_t *order;             // classes by release
    size_t *next_kind;         // of a class: where tasks without a place may be
    int64_t *next_task;        // of a kind
    int64_t makespan;
} placing;

typedef struct ranked {
    int64_t release;
    size_t class;
} ranked;

static int by_release(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    return 2 * duet_order(a->release, b->release) + duet_order(a->class, b->class);
}

static duet_code sort_classes(placing *s, duet_error *error)
{
    ranked *list = duet_alloc(s->classes->count + 1, sizeof *list, error);
    DUET_NEED(list);
    for (size_t c = 0; c < s->classes->count; c++) {
        list[c] = (ranked){s->classes->release[c], c};
    }
    qsort(list, s->classes->count, sizeof *list, by_release);
    for (size_t c = 0; c < s->classes->count; c++) {
        s->order[c] = list[c].class;
    }
    duet_free(list);
    return DUET_OK;
}

// A processor of a type of the classes without a pattern; SIZE_MAX: there is none.
static size_t find_processor(const placing *s, size_t type)
{
    const duet_released_model *m = s->model;
    size_t origin = s->classes->origin[type];
    for (size_t p = m->first[origin]; p < m->first[origin + 1]; p++) {
        if (!s->used[p] && m->processor[p].from == s->classes->from[type]) {
            return p;
        }
    }
    return SIZE_MAX;
}

// A task of a class without a place; -1: all have one.
static int64_t next_task(placing *s, size_t class)
{
    const duet_instance *instance = s->model->instance;
    size_t *kind = &s->next_kind[class];
    for (; *kind < instance->kinds; ++*kind) {
        int64_t task = instance->first[*kind] + s->next_task[*kind];
        if (s->classes->of_kind[*kind] == class && task < instance->first[*kind + 1]) {
            s->next_task[*kind]++;
            return task;
        }
    }
    return -1;
}

static void put(placing *s, int64_t task, size_t p)
{
    const duet_released_model *m = s->model;
    const duet_released_processor *processor = &m->processor[p];
    int64_t start = duet_max(m->release[task], s->end[p]);
    s->placement[task] = (duet_placement){start, processor->number, processor->type};
    s->end[p] = start + duet_time(m->instance, (size_t)m->kind[task], (size_t)processor->type);
    s->makespan = duet_max(s->end[p], s->makespan);
}

// The tasks of a pattern in the order of their releases.
static bool place_pattern(placing *s, const duet_released_patterns *patterns, size_t index)
{
    const duet_released_pattern *pattern = &patterns->pattern[index];
    size_t p = find_processor(s, pattern->type);
    if (p == SIZE_MAX) {
        return false;
    }
    s->used[p] = true;
    for (size_t i = 0; i < s->classes->count; i++) {
        for (size_t k = pattern->begin; k < pattern->begin + pattern->parts; k++) {
            int64_t tasks = patterns->part[k].class == s->order[i] ? patterns->part[k].tasks : 0;
            for (; tasks > 0; tasks--) {
                int64_t task = next_task(s, s->order[i]);
                if (task < 0) {
                    break; // patterns may have more than there are
                }
                put(s, task, p);
            }
        }
    }
    return true;
}

// Tasks that take no time somewhere go there, behind all others. False: others have no place.
static bool place_timeless(placing *s)
{
    const duet_released_model *m = s->model;
    bool placed = true;
    for (size_t j = 0; j < m->tasks && placed; j++) {
        size_t kind = (size_t)m->kind[j];
        size_t best = SIZE_MAX;
        for (size_t p = 0; p < m->processors && s->placement[j].type < 0; p++) {
            size_t type = (size_t)m->processor[p].type;
            bool timeless =
                duet_allowed(m->instance, kind, type) && duet_time(m->instance, kind, type) == 0;
            best = timeless && (best == SIZE_MAX || s->end[p] < s->end[best]) ? p : best;
        }
        if (best != SIZE_MAX) {
            put(s, (int64_t)j, best);
        }
        placed = s->placement[j].type >= 0;
    }
    return placed;
}

static duet_code allocate(placing *s, duet_error *error)
{
    const duet_released_model *m = s->model;
    s->placement = duet_alloc(m->tasks + 1, sizeof *s->placement, error);
    s->end = duet_alloc(m->processors, sizeof *s->end, error);
    s->used = duet_alloc(m->processors, sizeof *s->used, error);
    s->order = duet_alloc(s->classes->count + 1, sizeof *s->order, error);
    s->next_kind = duet_alloc(s->classes->count + 1, sizeof *s->next_kind, error);
    s->next_task = duet_alloc(m->instance->kinds + 1, sizeof *s->next_task, error);
    DUET_NEED(s->placement != NULL && s->end != NULL && s->used != NULL && s->order != NULL &&
              s->next_kind != NULL && s->next_task != NULL);
    for (size_t j = 0; j < m->tasks; j++) {
        s->placement[j].type = -1;
    }
    for (size_t p = 0; p < m->processors; p++) {
        s->end[p] = m->processor[p].from;
    }
    return sort_classes(s, error);
}

duet_code duet_released_patterns_place(const duet_released_patterns *patterns,
                                       const duet_released_model *model,
                                       const duet_classes *classes, duet_solution *solution,
                                       bool *found, duet_error *error)
{
    placing s = {.model = model, .classes = classes};
    duet_code code = allocate(&s, error);
    bool placed = code == DUET_OK;
    for (size_t i = 0; i < patterns->count && placed; i++) {
        placed = place_pattern(&s, patterns, i);
    }
    placed = placed && place_timeless(&s);
    *found = placed && s.makespan <= classes->guess && s.makespan < solution->makespan;
    if (code == DUET_OK && *found) {
        code = duet_solution_hold_placements(solution, error);
    }
    if (code == DUET_OK && *found) {
        memcpy(solution->placement, s.placement, model->tasks * sizeof *s.placement);
        solution->makespan = s.makespan;
    }
    duet_free(s.placement);
    duet_free(s.end);
    duet_free(s.used);
    duet_free(s.order);
    duet_free(s.next_kind);
    duet_free(s.next_task);
    return code;
}
