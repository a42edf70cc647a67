// SPDX-License-Identifier: Apache-2.0
// Carrying out an order.
//
// Method:    serial schedule generation. A task goes behind what was placed on its processors
//            before, and between the given tasks where it fits.
// Cost:      O(tasks (processors of a type + predecessors)); sets of moldable tasks: times log.
// Memory:    O(tasks + processors).
// Reference: Kolisch, "Serial and parallel resource-constrained project scheduling methods
//            revisited", European J. Operational Research 90(2), 1996.
#include "solvers/fixed/carry.h"

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/arrivals.h"

duet_code duet_carry_create(const duet_fixed_model *model, duet_carry *carry, duet_error *error)
{
    const duet_instance *whole = model->whole;
    *carry = (duet_carry){.m = model, .error = error};
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(carry->place, (size_t)duet_tasks(whole)),
                                       DUET_ARENA_ARRAY(carry->free_at, model->processors),
                                       DUET_ARENA_ARRAY(carry->kept, (size_t)model->tasks),
                                       DUET_ARENA_ARRAY(carry->sorted, model->processors),
                                       DUET_ARENA_ARRAY(carry->chosen, model->processors)};
    DUET_TRY(duet_arena_create(&carry->arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t i = 0; i < whole->kinds; i++) {
        const duet_pin *pin = duet_pin_of(whole, i);
        if (duet_is_given(pin)) {
            carry->place[whole->first[i]] = (duet_fixed_place){.start = pin->start,
                                                               .end = duet_pin_end(whole, i),
                                                               .set = duet_pin_set(whole, pin)};
        }
    }
    return DUET_OK;
}

void duet_carry_free(duet_carry *carry)
{
    for (int64_t i = 0; carry->kept != NULL && i < carry->m->tasks; i++) {
        duet_free(carry->kept[i]);
    }
    duet_arena_free(&carry->arena);
}

int64_t duet_carry_time(const duet_carry *carry, int64_t task, duet_processor_set set)
{
    const duet_instance *whole = carry->m->whole;
    size_t kind = (size_t)carry->m->kind[task];
    return whole->moldable == NULL ? duet_time(whole, kind, (size_t)set.range[0].type)
                                   : duet_moldable_duration(whole, kind, set);
}

// What the data of an edge take from one set to another.
static int64_t move_time(const duet_fixed_model *m, int32_t edge, duet_processor_set from,
                         duet_processor_set to)
{
    if (!m->costs) {
        return 0;
    }
    if (m->whole->moldable != NULL) {
        return duet_moldable_transfer(m->whole, edge, from, to);
    }
    return duet_set_equal(from, to) ? 0
                                    : duet_graph_cost(m->graph, edge, (size_t)from.range[0].type,
                                                      (size_t)to.range[0].type);
}

// When the data of a task of the rest are on a set, all its predecessors being placed.
static int64_t arrival(const duet_carry *carry, int64_t task, duet_processor_set set)
{
    const duet_fixed_model *m = carry->m;
    const duet_graph *graph = m->graph;
    int64_t latest = m->release[task];
    int64_t j = m->rest->task[task];
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[j];
         graph != NULL && at < graph->enter_at[j + 1]; at++) {
        int32_t edge = graph->entering[at];
        const duet_fixed_place *before = &carry->place[graph->tail[edge]];
        int64_t there = before->end + move_time(m, edge, before->set, set);
        latest = duet_max(there, latest);
    }
    return latest;
}

// The first instant from `from` on at which all processors of a set have `time` ticks; `from` is
// after all that was placed there.
static int64_t fit_set(const duet_carry *carry, duet_processor_set set, int64_t from, int64_t time)
{
    int64_t start = from;
    int64_t before;
    do {
        before = start;
        for (size_t r = 0; r < set.count; r++) {
            for (int64_t n = set.range[r].first; n <= set.range[r].last; n++) {
                size_t p = duet_fixed_find(carry->m, (size_t)set.range[r].type, n);
                start = p == SIZE_MAX ? DUET_FORBIDDEN : duet_fixed_fit(carry->m, p, start, time);
                if (start == DUET_FORBIDDEN) {
                    return start;
                }
            }
        }
    } while (start > before);
    return start;
}

// Whether the data of a task that starts there reach the given tasks that wait for it in time.
static bool is_in_time(const duet_carry *carry, int64_t task, duet_processor_set set, int64_t start)
{
    const duet_fixed_model *m = carry->m;
    const duet_graph *graph = m->graph;
    int64_t j = m->rest->task[task];
    int64_t end = start + duet_carry_time(carry, task, set);
    bool good = true;
    for (int64_t at = graph == NULL ? 0 : graph->leave_at[j];
         graph != NULL && at < graph->leave_at[j + 1] && good; at++) {
        int32_t edge = graph->leaving[at];
        const duet_fixed_place *behind = &carry->place[graph->head[edge]];
        if (m->number[graph->head[edge]] < 0) {
            good = end + move_time(m, edge, set, behind->set) <= behind->start;
        }
    }
    return good;
}

int64_t duet_carry_earliest(const duet_carry *carry, int64_t task, duet_processor_set set,
                            int64_t from)
{
    const duet_fixed_model *m = carry->m;
    const duet_pin *pin = duet_pin_of(m->whole, (size_t)m->kind[task]);
    int64_t time = duet_carry_time(carry, task, set);
    if (time == DUET_FORBIDDEN) {
        return time;
    }
    int64_t there = arrival(carry, task, set);
    from = duet_max(there, from);
    for (size_t r = 0; r < set.count; r++) {
        for (int64_t n = set.range[r].first; n <= set.range[r].last; n++) {
            size_t p = duet_fixed_find(m, (size_t)set.range[r].type, n);
            if (p == SIZE_MAX) {
                return DUET_FORBIDDEN;
            }
            from = duet_max(carry->free_at[p], from);
            from = duet_max(m->processor[p].from, from);
        }
    }
    int64_t start = fit_set(carry, set, from, time);
    bool late = pin != NULL && pin->start != DUET_FORBIDDEN && start != pin->start;
    return late || start == DUET_FORBIDDEN || !is_in_time(carry, task, set, start) ? DUET_FORBIDDEN
                                                                                   : start;
}

void duet_carry_put(duet_carry *carry, int64_t task, duet_processor_set set, int64_t start)
{
    const duet_fixed_model *m = carry->m;
    duet_fixed_place *place = &carry->place[m->rest->task[task]];
    int64_t end = start + duet_carry_time(carry, task, set);
    *place = (duet_fixed_place){.start = start, .end = end, .set = set};
    if (set.count == 1) {
        place->own = set.range[0];
        place->set = (duet_processor_set){&place->own, 1};
    }
    for (size_t r = 0; r < set.count; r++) {
        for (int64_t n = set.range[r].first; n <= set.range[r].last; n++) {
            carry->free_at[duet_fixed_find(m, (size_t)set.range[r].type, n)] = end;
        }
    }
}

// --- one processor -------------------------------------------------------------------------------

// The processor of a type where a sequential task starts first; of several the wanted one, else the
// one that waits the least.
static int64_t pick_processor(const duet_carry *carry, int64_t task, size_t type,
                              const duet_processor_set *wanted, duet_processor_range *best)
{
    const duet_fixed_model *m = carry->m;
    const duet_graph *graph = m->graph;
    size_t kind = (size_t)m->kind[task];
    const duet_pin *pin = duet_pin_of(m->whole, kind);
    int64_t time = duet_time(m->whole, kind, type);
    int64_t j = m->rest->task[task];
    duet_arrivals there = DUET_ARRIVALS_NONE;
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[j];
         graph != NULL && at < graph->enter_at[j + 1]; at++) {
        int32_t edge = graph->entering[at];
        const duet_fixed_place *before = &carry->place[graph->tail[edge]];
        const duet_processor_range *from = before->set.range;
        int64_t cost = duet_graph_cost(graph, edge, (size_t)from->type, type);
        duet_arrivals_add(&there, before->end, cost, from->type, from->first);
    }
    int64_t least = DUET_FORBIDDEN;
    int64_t waits = 0;
    bool is_wanted = false;
    for (size_t p = m->first[type]; p < m->first[type + 1] && time != DUET_FORBIDDEN; p++) {
        const duet_fixed_processor *at = &m->processor[p];
        bool here = there.last == at->number && there.from == at->type;
        int64_t start = here ? duet_arrivals_there(&there) : there.all;
        int64_t free_at = duet_max(carry->free_at[p], at->from);
        start = duet_max(m->release[task], start);
        start = duet_fixed_fit(m, p, duet_max(free_at, start), time);
        duet_processor_range own = {at->type, at->number, at->number};
        bool late = pin != NULL && pin->start != DUET_FORBIDDEN && start != pin->start;
        if (late || !is_in_time(carry, task, (duet_processor_set){&own, 1}, start)) {
            continue;
        }
        bool same = wanted->count > 0 && wanted->range[0].type == at->type &&
                    wanted->range[0].first == at->number;
        bool better =
            start < least || (start == least && !is_wanted && (same || start - free_at < waits));
        if (better) {
            least = start;
            waits = start - free_at;
            is_wanted = same;
            *best = (duet_processor_range){at->type, at->number, at->number};
        }
    }
    return least;
}

// --- sets ----------------------------------------------------------------------------------------

// The first instant from `from` on at which `size` processors of a type have `time` ticks, and
// these, those that are free last.
static int64_t fit_size(duet_carry *carry, size_t type, int64_t size, int64_t from, int64_t time)
{
    const duet_fixed_model *m = carry->m;
    size_t count = m->first[type + 1] - m->first[type];
    int64_t start = from;
    if ((int64_t)count < size) {
        return DUET_FORBIDDEN;
    }
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            size_t p = m->first[type] + i;
            int64_t free_at = duet_max(carry->free_at[p], m->processor[p].from);
            carry->sorted[i] = duet_fixed_fit(m, p, duet_max(free_at, start), time);
        }
        duet_sort_ticks(carry->sorted, count);
        if (carry->sorted[size - 1] <= start) {
            break;
        }
        start = carry->sorted[size - 1];
    }
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        size_t p = m->first[type] + i;
        int64_t free_at = duet_max(carry->free_at[p], m->processor[p].from);
        if (duet_fixed_fit(m, p, duet_max(free_at, start), time) > start) {
            continue;
        }
        size_t to = chosen++;
        for (; to > 0; to--) { // the one that is free last comes first
            size_t other = (size_t)carry->chosen[to - 1];
            int64_t other_free = duet_max(carry->free_at[other], m->processor[other].from);
            if (other_free >= free_at) {
                break;
            }
            carry->chosen[to] = carry->chosen[to - 1];
        }
        carry->chosen[to] = (int32_t)p;
    }
    return start;
}

// The first `size` of the chosen processors as ranges, in a block that the task keeps.
static duet_code keep_set(duet_carry *carry, int64_t task, int64_t size, duet_processor_set *set)
{
    const duet_fixed_model *m = carry->m;
    for (int64_t i = 1; i < size; i++) {
        int32_t p = carry->chosen[i];
        int64_t to = i;
        for (; to > 0 && carry->chosen[to - 1] > p; to--) {
            carry->chosen[to] = carry->chosen[to - 1];
        }
        carry->chosen[to] = p;
    }
    set->count = 0;
    DUET_TRY(duet_vec_reserve(carry->kept[task], size, carry->error));
    for (int64_t i = 0; i < size; i++) {
        const duet_fixed_processor *p = &m->processor[carry->chosen[i]];
        duet_processor_range *last = &carry->kept[task][set->count > 0 ? set->count - 1 : 0];
        if (set->count > 0 && last->last + 1 == p->number) {
            last->last = p->number;
        } else {
            carry->kept[task][set->count++] = (duet_processor_range){p->type, p->number, p->number};
        }
    }
    set->range = carry->kept[task];
    return DUET_OK;
}

// The earliest start on `size` processors of a type, whichever they are.
static duet_code pick_set(duet_carry *carry, int64_t task, size_t type, int64_t size,
                          duet_processor_set *set, int64_t *start)
{
    const duet_fixed_model *m = carry->m;
    size_t kind = (size_t)m->kind[task];
    const duet_pin *pin = duet_pin_of(m->whole, kind);
    bool runs = size <= duet_moldable_sizes(m->whole, kind, type);
    int64_t time = runs ? duet_moldable_time(m->whole, kind, type, size) : DUET_FORBIDDEN;
    int64_t from = m->release[task];
    *start = DUET_FORBIDDEN;
    while (time != DUET_FORBIDDEN) {
        int64_t at = fit_size(carry, type, size, from, time);
        if (at == DUET_FORBIDDEN) {
            break;
        }
        DUET_TRY(keep_set(carry, task, size, set));
        int64_t there = arrival(carry, task, *set);
        if (there <= at) {
            *start = is_in_time(carry, task, *set, at) ? at : DUET_FORBIDDEN;
            break;
        }
        from = there;
    }
    if (pin != NULL && pin->start != DUET_FORBIDDEN && *start != pin->start) {
        *start = DUET_FORBIDDEN;
    }
    return DUET_OK;
}

// The set of a predecessor of the same type and size may be reached earlier: its data are there.
static void try_inherited(const duet_carry *carry, int64_t task, const duet_fixed_choice *choice,
                          duet_processor_set *set, int64_t *start)
{
    const duet_graph *graph = carry->m->graph;
    int64_t j = carry->m->rest->task[task];
    for (int64_t at = !carry->m->costs ? 0 : graph->enter_at[j];
         carry->m->costs && at < graph->enter_at[j + 1]; at++) {
        duet_processor_set other = carry->place[graph->tail[graph->entering[at]]].set;
        if (duet_set_is_mixed(other) || other.range[0].type != choice->type ||
            duet_set_size(other) != choice->size) {
            continue;
        }
        int64_t there = duet_carry_earliest(carry, task, other, 0);
        if (there < *start) {
            *start = there;
            *set = other;
        }
    }
}

// --- all tasks -----------------------------------------------------------------------------------

// The processor of any type where a sequential task ends first, with the data where they are.
static int64_t pick_first_end(const duet_carry *carry, int64_t task,
                              const duet_processor_set *wanted, duet_processor_range *best)
{
    const duet_fixed_model *m = carry->m;
    int64_t start = DUET_FORBIDDEN;
    int64_t end = DUET_FORBIDDEN;
    for (size_t t = 0; t < m->whole->types; t++) {
        duet_processor_range one;
        int64_t at = pick_processor(carry, task, t, wanted, &one);
        int64_t time = duet_time(m->whole, (size_t)m->kind[task], t);
        if (at != DUET_FORBIDDEN && at + time < end) {
            start = at;
            end = at + time;
            *best = one;
        }
    }
    return start;
}

static duet_code place_task(duet_carry *carry, int64_t task, const duet_fixed_choice *choice,
                            duet_carry_way way, int64_t *start)
{
    const duet_fixed_model *m = carry->m;
    const duet_pin *pin = duet_pin_of(m->whole, (size_t)m->kind[task]);
    duet_processor_set set = choice->set;
    duet_processor_range one;
    bool named = pin != NULL && pin->set_count > 0;
    if (named) {
        set = duet_pin_set(m->whole, pin);
    }
    bool exact = named || (set.count > 0 && (way == DUET_CARRY_PLACES || duet_set_is_mixed(set)));
    if (exact) {
        *start = duet_carry_earliest(carry, task, set, 0);
    } else if (m->whole->moldable == NULL) {
        *start = way == DUET_CARRY_ENDS
                     ? pick_first_end(carry, task, &choice->set, &one)
                     : pick_processor(carry, task, (size_t)choice->type, &choice->set, &one);
        set = (duet_processor_set){&one, 1};
    } else {
        DUET_TRY(pick_set(carry, task, (size_t)choice->type, choice->size, &set, start));
        try_inherited(carry, task, choice, &set, start);
    }
    if (*start != DUET_FORBIDDEN) {
        duet_carry_put(carry, task, set, *start);
    }
    return DUET_OK;
}

duet_code duet_carry_out(duet_carry *carry, const int32_t *order, const duet_fixed_choice *choice,
                         duet_carry_way way, int64_t limit, int64_t *makespan)
{
    const duet_fixed_model *m = carry->m;
    *makespan = m->rest->end;
    for (size_t p = 0; p < m->processors; p++) {
        carry->free_at[p] = 0;
    }
    for (int64_t i = 0; i < m->tasks && *makespan <= limit; i++) {
        int32_t task = order[i];
        int64_t start;
        DUET_TRY(place_task(carry, task, &choice[task], way, &start));
        if (start == DUET_FORBIDDEN) {
            *makespan = DUET_FORBIDDEN;
            break;
        }
        int64_t end = carry->place[m->rest->task[task]].end + m->tail[task];
        *makespan = duet_max(end, *makespan);
    }
    return DUET_OK;
}

static duet_code write_places(const duet_carry *carry, duet_solution *solution, duet_error *error)
{
    const duet_instance *whole = carry->m->whole;
    bool sets = whole->moldable != NULL;
    DUET_TRY(sets ? duet_solution_hold_sets(solution, error)
                  : duet_solution_hold_placements(solution, error));
    for (int64_t j = 0; j < duet_tasks(whole); j++) {
        const duet_fixed_place *at = &carry->place[j];
        const duet_processor_range *first = &at->set.range[0];
        if (sets) {
            DUET_TRY(duet_solution_place_set(solution, j, at->start, at->set, error));
        } else {
            solution->placement[j] = (duet_placement){at->start, first->first, first->type};
        }
    }
    return DUET_OK;
}

// By way of another solution: sets may be borrowed from this one.
duet_code duet_carry_write(const duet_carry *carry, duet_solution *solution, duet_error *error)
{
    duet_solution *made = NULL;
    duet_code code = duet_solution_create_blank(duet_tasks(carry->m->whole), &made, error);
    DUET_THEN(code, write_places(carry, made, error));
    if (code == DUET_OK) {
        duet_solution_swap_schedules(solution, made);
    }
    duet_solution_free(made);
    return code;
}
