// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/incumbent.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "heuristics/improve/improve.h"

// The first type on which a kind takes no time, of which there is one.
static int32_t idle_type(const duet_instance *instance, size_t kind)
{
    size_t t = 0;
    while (t + 1 < instance->types &&
           !(duet_allowed(instance, kind, t) && duet_time(instance, kind, t) == 0)) {
        t++;
    }
    return (int32_t)t;
}

// Turns the loads of a schedule into placements. Tasks that take no time somewhere go there.
static duet_code place(const duet_instance *instance, const duet_classes *classes,
                       const duet_loads *loads, duet_solution *solution, duet_error *error)
{
    // The kinds of each class in order: first[class], then next[kind]; used[kind] tasks are placed.
    size_t *first = duet_alloc(classes->count, sizeof *first, error);
    size_t *next = duet_alloc(instance->kinds, sizeof *next, error);
    int64_t *used = duet_alloc(instance->kinds, sizeof *used, error);
    duet_code code = first != NULL && next != NULL && used != NULL ? DUET_OK : DUET_E_MEMORY;
    if (code == DUET_OK) {
        for (size_t c = 0; c < classes->count; c++) {
            first[c] = SIZE_MAX;
        }
        for (size_t i = instance->kinds; i-- > 0;) {
            size_t c = classes->of_kind[i];
            if (c != SIZE_MAX) {
                next[i] = first[c];
                first[c] = i;
                continue;
            }
            int32_t type = idle_type(instance, i);
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                solution->placement[j] = (duet_placement){0, 0, type};
            }
        }
        int32_t processor[DUET_MAX_TYPES] = {0};
        for (size_t l = 0; l < loads->loads; l++) {
            const duet_load *load = &loads->load[l];
            int64_t start = 0;
            for (size_t p = load->begin; p < load->begin + load->parts; p++) {
                size_t c = loads->part[p].class;
                for (uint32_t j = 0; j < loads->part[p].tasks; j++) {
                    size_t kind = first[c];
                    int64_t task = instance->first[kind] + used[kind]++;
                    solution->placement[task] =
                        (duet_placement){start, processor[load->type], (int32_t)load->type};
                    start += classes->time[load->type][c];
                    if (used[kind] == duet_count(instance, kind)) {
                        first[c] = next[kind];
                    }
                }
            }
            processor[load->type]++;
        }
    }
    duet_free(first);
    duet_free(next);
    duet_free(used);
    return code;
}

// Whether the loads have every task once, where it may run, on processors that there are: a fault
// of a search ends the call, and leaves the incumbent.
static duet_code check_loads(const duet_classes *classes, const duet_loads *loads,
                             duet_error *error)
{
    int64_t used[DUET_MAX_TYPES] = {0};
    int64_t *left = duet_alloc(classes->count, sizeof *left, error);
    DUET_NEED(left);
    memcpy(left, classes->tasks, classes->count * sizeof *left);
    bool whole = true;
    for (size_t l = 0; l < loads->loads; l++) {
        const duet_load *load = &loads->load[l];
        used[load->type]++;
        for (size_t p = load->begin; p < load->begin + load->parts; p++) {
            size_t class = loads->part[p].class;
            left[class] -= loads->part[p].tasks;
            whole = whole && duet_class_fits(classes, class, load->type);
        }
    }
    for (size_t c = 0; c < classes->count; c++) {
        whole = whole && left[c] == 0;
    }
    for (size_t t = 0; t < classes->types; t++) {
        whole = whole && used[t] <= classes->processors[t];
    }
    duet_free(left);
    return whole ? DUET_OK
                 : duet_error_set(error, DUET_E_INTERNAL,
                                  "exact: what a search found is no schedule");
}

// The schedule of the loads, in s->trial.
static duet_code place_trial(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                             duet_error *error)
{
    duet_code code = check_loads(classes, loads, error);
    DUET_THEN(code, duet_solution_hold_placements(s->trial, error));
    DUET_THEN(code, place(s->instance, classes, loads, s->trial, error));
    if (code == DUET_OK) {
        s->trial->makespan = duet_solution_measure(s->trial, s->instance);
    }
    return code;
}

static void take_trial(duet_exact *s)
{
    DUET_ASSERT(s->trial->makespan >= s->bound.value);
    if (s->trial->makespan < s->best->makespan) {
        duet_solution_swap_schedules(s->best, s->trial);
    }
}

duet_code duet_incumbent_offer(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                               duet_error *error)
{
    duet_code code = place_trial(s, classes, loads, error);
    if (code == DUET_OK) {
        take_trial(s);
    }
    return code;
}

// duet_improve() or duet_improve_fine().
typedef duet_code improve_by(const duet_instance *instance, const duet_context *context,
                             int64_t target, int64_t effort, duet_solution *solution,
                             duet_improved *improved, duet_error *error);

// Repartitions the tasks of pairs of processors, whatever their types. Where there is no memory for
// that, the schedule stays as it is.
static duet_code shorten_schedule(duet_exact *s, improve_by *improve, int64_t effort,
                                  duet_solution *schedule, duet_error *error)
{
    duet_context context = *s->context;
    context.seed = duet_random_next(&s->random);
    duet_improved improved;
    duet_code code =
        improve(s->instance, &context, duet_exact_target(s), effort, schedule, &improved, error);
    return code == DUET_E_LIMIT ? DUET_OK : code;
}

duet_code duet_incumbent_polish(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                                int64_t effort, duet_error *error)
{
    duet_code code = place_trial(s, classes, loads, error);
    DUET_THEN(code, shorten_schedule(s, duet_improve, effort, s->trial, error));
    if (code == DUET_OK) {
        take_trial(s);
    }
    return code;
}

// The incumbent itself, unless it is the optimum.
static duet_code shorten(duet_exact *s, improve_by *improve, int64_t effort, duet_error *error)
{
    bool wanted = s->searchable && duet_exact_is_open(s);
    return wanted ? shorten_schedule(s, improve, effort, s->best, error) : DUET_OK;
}

duet_code duet_incumbent_shorten(duet_exact *s, int64_t effort, duet_error *error)
{
    return shorten(s, duet_improve, effort, error);
}

duet_code duet_incumbent_shorten_fine(duet_exact *s, int64_t effort, duet_error *error)
{
    return shorten(s, duet_improve_fine, effort, error);
}

duet_code duet_incumbent_offer_lists(duet_exact *s, duet_task_lists *lists, duet_error *error)
{
    duet_code code = duet_solution_hold_placements(s->trial, error);
    if (code == DUET_OK) {
        duet_task_lists_place(lists, s->trial->placement);
        s->trial->makespan = duet_solution_measure(s->trial, s->instance);
        take_trial(s);
    }
    return code;
}

// The annealer, at its first use. Where it is too large or has no memory, there is none.
static bool has_annealer(duet_exact *s)
{
    if (s->annealer == NULL && s->annealing == DUET_ANNEALING_POSSIBLE) {
        duet_context context = *s->context;
        context.seed = duet_random_next(&s->random);
        if (duet_annealer_create(s->instance, &context, &s->annealer, NULL) != DUET_OK) {
            s->annealing = DUET_ANNEALING_IMPOSSIBLE;
        }
    }
    return s->annealer != NULL;
}

bool duet_incumbent_was_annealed(const duet_exact *s)
{
    return s->context->known != NULL && s->context->known_from == DUET_KNOWN_ANNEALED &&
           s->best->tasks <= DUET_EXACT_ANNEALED_TASKS;
}

duet_code duet_incumbent_anneal(duet_exact *s, int64_t moves, duet_error *error)
{
    if (!s->searchable || !duet_exact_is_open(s) || !has_annealer(s)) {
        return DUET_OK;
    }
    duet_annealed annealed;
    duet_code code = duet_annealer_run(s->annealer, s->context, duet_exact_target(s), moves,
                                       s->best, &annealed, error);
    s->moves += code == DUET_OK ? annealed.moves : 0;
    return code;
}

duet_code duet_incumbent_anneal_trial(duet_exact *s, int64_t target, int64_t moves,
                                      duet_error *error)
{
    if (!has_annealer(s)) {
        return DUET_OK;
    }
    duet_annealed annealed;
    duet_code code =
        duet_annealer_run(s->annealer, s->context, target, moves, s->trial, &annealed, error);
    s->trial->makespan = annealed.after;
    if (code == DUET_OK) {
        s->moves += annealed.moves;
        take_trial(s);
    }
    return code;
}

bool duet_incumbent_is_near(const duet_exact *s)
{
    return s->best->makespan - s->bound.value <= s->bound.value >> DUET_ROUND_FEW_TICKS;
}

// The moves that keep pace with the programs since; 0: too few, or not worth it.
static int64_t moves_since(const duet_exact *s)
{
    int64_t programs = s->programs - s->annealed_until;
    int64_t pace = s->anneal_pace > 0 ? s->anneal_pace : DUET_ROUND_PACE;
    int64_t moves = programs * (int64_t)s->instance->kinds * pace;
    return moves < DUET_ROUND_LEAST_MOVES || duet_incumbent_is_near(s) ? 0 : moves;
}

static void renew_pace(duet_exact *s, bool gained)
{
    int64_t pace = s->anneal_pace > 0 ? s->anneal_pace : DUET_ROUND_PACE;
    pace = gained ? 2 * pace : pace / 2;
    pace = duet_min(pace, DUET_ROUND_MOST_PACE);
    s->anneal_pace = duet_max(pace, DUET_ROUND_LEAST_PACE);
}

// The best schedule, once more, in s->annealed. False: there is no memory for it.
static bool copy_best(duet_exact *s)
{
    const duet_placement *from = duet_solution_placements(s->best);
    duet_code code = from == NULL ? DUET_E_MEMORY
                     : s->annealed == NULL
                         ? duet_solution_create_blank(s->best->tasks, &s->annealed, NULL)
                         : DUET_OK;
    DUET_THEN(code, duet_solution_hold_placements(s->annealed, NULL));
    if (code == DUET_OK) {
        memcpy(s->annealed->placement, from, (size_t)s->best->tasks * sizeof *from);
        s->annealed->makespan = s->best->makespan;
    }
    return code == DUET_OK;
}

// A search, and annealing beside it.
typedef struct pair_of_searches {
    duet_exact *exact;
    bool (*search)(void *of);
    void *of;
    duet_context context; // of the annealing
    duet_succession series;
    int64_t target, moves;
    duet_annealed annealed;
    duet_code code;
} pair_of_searches;

static bool run_one(void *of, size_t i)
{
    pair_of_searches *p = of;
    if (i == 0) {
        return p->search(p->of);
    }
    p->code = duet_annealer_run(p->exact->annealer, &p->context, p->target, p->moves,
                                p->exact->annealed, &p->annealed, NULL);
    return false;
}

duet_code duet_incumbent_anneal_beside(duet_exact *s, bool (*search)(void *of), void *of,
                                       duet_error *error)
{
    int64_t moves = moves_since(s);
    if (moves == 0 || !s->searchable || !duet_exact_is_open(s) || !has_annealer(s) ||
        !copy_best(s)) {
        search(of);
        return DUET_OK;
    }
    int64_t before = s->best->makespan;
    s->annealed_until = s->programs;
    pair_of_searches p = {.exact = s,
                          .search = search,
                          .of = of,
                          .context = *s->context,
                          .target = duet_exact_target(s),
                          .moves = moves};
    p.context.series = &p.series;
    p.context.seat = 1;
    if (duet_tasks_until(&p.series, 2, run_one, &p) == 0) {
        return DUET_OK; // how far annealing got is chance
    }
    if (p.code != DUET_OK) {
        return duet_error_set(error, p.code, "exact: out of memory");
    }
    s->moves += p.annealed.moves;
    renew_pace(s, s->annealed->makespan < before);
    if (s->annealed->makespan < s->best->makespan) {
        duet_solution_swap_schedules(s->best, s->annealed);
    }
    return DUET_OK;
}
