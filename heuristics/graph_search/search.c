// SPDX-License-Identifier: Apache-2.0
// The searches of each round, and the best schedule; search.h has the method.
#include "heuristics/graph_search/search.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/allocator.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"
#include "heuristics/graph_search/activity_list.h"
#include "heuristics/graph_search/allocation_anneal.h"
#include "heuristics/graph_search/anneal.h"
#include "heuristics/graph_search/exchange.h"
#include "heuristics/graph_search/initial.h"
#include "heuristics/graph_search/rounds.h"
#include "heuristics/graph_search/tuning.h"
#include "heuristics/graph_search/window_sweeps.h"

// One of the searches that run at the same time.
typedef struct chain {
    duet_graph_search_annealer annealer;
    duet_graph_allocation_annealer allocation; // empty where data take time
    duet_graph_search_initial initial;
    bool made;
    bool mirrored; // the direction of the round
    duet_code code;
    duet_error why;
    // The list that annealing begins with.
    int32_t *task;
    uint8_t *type;
    int32_t *host;   // of a task that is pinned, in the best schedule
    int64_t counted; // its work that is part of the span
    bool pinned;     // all are, in this round
} chain;

struct duet_graph_search {
    const duet_instance *instance;
    duet_graph_search_model model;
    duet_graph_search_model mirror;
    int32_t *order; // the tasks in a topological order
    uint64_t seed;
    duet_graph_search_rounds rounds;
    bool under_way; // some searches have not ended their round

    // The best schedule.
    duet_placement *placement;
    duet_placement *spare; // another one
    int64_t best;          // INT64_MAX: there is none
    bool searchable;       // it is not too large
    bool unread;           // it was offered during a round, and its list was not read yet

    chain chains[DUET_GRAPH_SEARCH_MOST_SEARCHES];
    duet_graph_search_window_sweeps *sweeps; // NULL: windows are left out
    int64_t moves;
    int64_t work;
    int64_t span;  // of all but windows
    int64_t apart; // what a search has placed since the last exchange
};

// --- making --------------------------------------------------------------------------------------

static void free_chain(chain *c)
{
    duet_graph_search_annealer_free(&c->annealer);
    duet_graph_allocation_annealer_free(&c->allocation);
    duet_graph_search_initial_free(&c->initial);
    duet_free(c->task);
    duet_free(c->type);
    duet_free(c->host);
}

// The work that a search has done.
static int64_t work_of(const chain *c)
{
    return c->annealer.work + c->allocation.work + c->initial.work;
}

static duet_code make_chain(duet_graph_search *search, size_t index, duet_error *error)
{
    static const uint64_t apart = UINT64_C(0x9e3779b97f4a7c15);
    chain *c = &search->chains[index];
    if (c->made) {
        return DUET_OK;
    }
    size_t tasks = (size_t)search->model.tasks;
    uint64_t seed = search->seed + index * apart;
    c->made = true;
    c->task = duet_alloc_raw(tasks, sizeof *c->task, error);
    c->type = duet_alloc_raw(tasks, sizeof *c->type, error);
    c->host = duet_alloc_raw(tasks, sizeof *c->host, error);
    duet_code code = duet_graph_search_annealer_create(&search->model, ~seed, &c->annealer, error);
    DUET_THEN(code, duet_graph_search_initial_create(&search->model, &search->mirror, seed,
                                                     &c->initial, error));
    if (code == DUET_OK && !duet_graph_search_model_has_costs(&search->model)) {
        code = duet_graph_allocation_annealer_create(&search->model, ~seed, &c->allocation, error);
    }
    bool whole = c->task != NULL && c->type != NULL && c->host != NULL;
    return code == DUET_OK && !whole ? DUET_E_MEMORY : code;
}

static int32_t *topological_order(const duet_instance *instance, duet_error *error)
{
    if (instance->graph != NULL) {
        return duet_graph_order(instance->graph, error);
    }
    int32_t tasks = (int32_t)duet_tasks(instance);
    int32_t *order = duet_alloc_raw((size_t)tasks, sizeof *order, error);
    for (int32_t i = 0; order != NULL && i < tasks; i++) {
        order[i] = i;
    }
    return order;
}

// Whether windows of the schedule are re-optimised: processors are not too many to be sorted for
// each.
static bool has_windows(const duet_graph_search *search)
{
    const duet_graph_search_model *model = &search->model;
    return search->searchable && model->begin[model->types] <= DUET_SWEEP_MOST_PROCESSORS &&
           !duet_graph_search_model_has_costs(model);
}

// Whether a list is read in reasonable time: each task may look at all processors of its type.
static bool is_searchable(const duet_graph_search_model *model)
{
    static const int64_t most = INT64_C(1) << 32;
    return (int64_t)model->tasks * model->begin[model->types] <= most;
}

static duet_code fill(duet_graph_search *search, const duet_context *context, duet_error *error)
{
    DUET_TRY(duet_graph_search_model_create(search->instance, context, &search->model, error));
    size_t tasks = (size_t)search->model.tasks;
    search->mirror = duet_graph_search_model_mirror(&search->model);
    search->searchable = is_searchable(&search->model);
    search->rounds.tasks = search->model.tasks;
    bool costs = duet_graph_search_model_has_costs(&search->model);
    search->rounds.form = costs ? DUET_GRAPH_ROUNDS_OF_PINS : DUET_GRAPH_ROUNDS_OF_LISTS;
    search->order = topological_order(search->instance, error);
    search->placement = duet_alloc_raw(tasks, sizeof *search->placement, error);
    search->spare = duet_alloc_raw(tasks, sizeof *search->spare, error);
    DUET_NEED(search->order != NULL && search->placement != NULL && search->spare != NULL);
    DUET_TRY(make_chain(search, 0, error));
    duet_graph_search_rounds_choose_allocating(&search->rounds, search->instance->kinds,
                                               &search->chains[0].allocation);
    if (has_windows(search)) {
        search->rounds.form = DUET_GRAPH_ROUNDS_OF_WINDOWS;
        return duet_graph_search_window_sweeps_create(&search->model, &search->sweeps, error);
    }
    return DUET_OK;
}

duet_code duet_graph_search_create(const duet_instance *instance, const duet_context *context,
                                   duet_graph_search **out, duet_error *error)
{
    *out = NULL;
    duet_graph_search *search = duet_alloc(1, sizeof *search, error);
    DUET_NEED(search);
    search->instance = instance;
    search->seed = context->seed;
    search->best = INT64_MAX;
    duet_code code = fill(search, context, error);
    if (code != DUET_OK) {
        duet_graph_search_free(search);
        return code;
    }
    *out = search;
    return DUET_OK;
}

void duet_graph_search_free(duet_graph_search *search)
{
    if (search == NULL) {
        return;
    }
    for (size_t i = 0; i < DUET_GRAPH_SEARCH_MOST_SEARCHES; i++) {
        if (search->chains[i].made) {
            free_chain(&search->chains[i]);
        }
    }
    duet_graph_search_window_sweeps_free(search->sweeps);
    if (search->model.instance != NULL) {
        duet_graph_search_model_free(&search->model);
    }
    duet_free(search->order);
    duet_free(search->placement);
    duet_free(search->spare);
    duet_free(search);
}

// --- schedules as lists --------------------------------------------------------------------------

// The list of a schedule in the direction of the round: by starts, or backwards from the ends.
static duet_code list_schedule(const duet_graph_search *search, chain *c, const duet_timetable *of,
                               duet_error *error)
{
    size_t tasks = (size_t)search->model.tasks;
    duet_activity_start *sorts = duet_alloc_raw(tasks, sizeof *sorts, error);
    DUET_NEED(sorts);
    for (size_t i = 0; i < tasks; i++) {
        int32_t j = search->order[c->mirrored ? tasks - 1 - i : i];
        int64_t start = of->start[j];
        if (c->mirrored) {
            start = -(start + duet_graph_search_model_time(&search->model, j, of->type[j]));
        }
        sorts[i] = (duet_activity_start){start, (int32_t)i, j};
    }
    qsort(sorts, tasks, sizeof *sorts, duet_activity_by_start);
    for (size_t i = 0; i < tasks; i++) {
        c->task[i] = sorts[i].task;
    }
    memcpy(c->type, of->type, tasks * sizeof *c->type);
    duet_free(sorts);
    return DUET_OK;
}

// Takes what is in the spare placement where it is the best.
static void take_spare(duet_graph_search *search, int64_t makespan)
{
    if (makespan < search->best) {
        duet_placement *kept = search->placement;
        search->placement = search->spare;
        search->spare = kept;
        search->best = makespan;
    }
}

// Takes the schedule of a list of the round where it is the best.
static void take_list(duet_graph_search *search, chain *c, const int32_t *task, const uint8_t *type)
{
    duet_placement *placed = search->spare;
    duet_activity_list_pin(&c->annealer.list, c->pinned ? c->annealer.best_host : NULL);
    int64_t makespan = duet_activity_list_write(&c->annealer.list, task, type, placed);
    for (int32_t j = 0; j < search->model.tasks && c->mirrored; j++) {
        int64_t time = duet_graph_search_model_time(&search->model, j, (size_t)placed[j].type);
        placed[j].start = makespan - placed[j].start - time;
    }
    take_spare(search, makespan);
}

static void set_direction(const duet_graph_search *search, chain *c, bool mirrored)
{
    c->mirrored = mirrored;
    c->annealer.model = mirrored ? &search->mirror : &search->model;
    c->annealer.list.model = c->annealer.model;
}

// The best schedule as starts, types and processors, in place of the best dispatch.
static void take_best(const duet_graph_search *search, chain *c)
{
    for (int32_t j = 0; j < search->model.tasks; j++) {
        c->initial.best.start[j] = search->placement[j].start;
        c->initial.best.type[j] = (uint8_t)search->placement[j].type;
        c->host[j] =
            search->model.begin[search->placement[j].type] + search->placement[j].processor;
    }
    c->initial.best.makespan = search->best;
}

// Reads the list of the best schedule, which may make it shorter. No round is under way.
static duet_code read_best(duet_graph_search *search, duet_error *error)
{
    chain *c = &search->chains[0];
    search->unread = false;
    set_direction(search, c, false);
    c->pinned = false;
    take_best(search, c);
    DUET_TRY(list_schedule(search, c, &c->initial.best, error));
    take_list(search, c, c->task, c->type);
    return DUET_OK;
}

duet_code duet_graph_search_offer(duet_graph_search *search, const duet_solution *solution,
                                  duet_error *error)
{
    const duet_placement *placement = duet_solution_placements(solution);
    if (placement == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for a schedule");
    }
    memcpy(search->spare, placement, (size_t)search->model.tasks * sizeof *placement);
    take_spare(search, duet_solution_measure(solution, search->instance));
    search->unread = search->searchable; // later, if walks need their lists
    return search->unread && !search->under_way ? read_best(search, error) : DUET_OK;
}

// --- rounds --------------------------------------------------------------------------------------

int64_t duet_graph_search_next_work(const duet_graph_search *search)
{
    return search->under_way ? search->rounds.work
                             : duet_graph_search_rounds_usual_work(&search->rounds);
}

// The list of the best dispatch, or of what was taken in its place.
static bool begin_list(const duet_graph_search *search, chain *c)
{
    DUET_THEN(c->code, list_schedule(search, c, &c->initial.best, &c->why));
    if (c->code == DUET_OK) {
        duet_graph_search_annealer_begin(
            &c->annealer, c->annealer.model, c->task, c->type, c->pinned ? c->host : NULL,
            duet_graph_search_rounds_part(&search->rounds, c->mirrored));
    }
    return c->code == DUET_OK;
}

// Begins a round: with the best of new dispatches, or the best schedule of all.
static bool begin_round(const duet_graph_search *search, chain *c, const duet_context *context)
{
    const duet_graph_search_rounds *rounds = &search->rounds;
    c->initial.best.makespan = INT64_MAX;
    c->pinned = search->best < INT64_MAX && duet_graph_search_rounds_are_pinned(rounds);
    if (duet_graph_search_rounds_allocate(rounds) && search->best < INT64_MAX) {
        take_best(search, c);
        bool fresh = duet_graph_search_rounds_begin_at_home(rounds);
        duet_graph_allocation_annealer_begin(&c->allocation, c->annealer.model, search->order,
                                             fresh ? NULL : c->initial.best.type);
        return true;
    }
    if (!c->pinned && duet_graph_search_rounds_dispatch(rounds)) {
        c->code = duet_graph_search_initial_run(
            &c->initial, context, search->best,
            duet_graph_search_rounds_each(rounds) / DUET_GRAPH_SEARCH_DISPATCH_SHARE, &c->why);
    }
    bool worse =
        c->initial.best.makespan > search->best && !duet_graph_search_rounds_are_fresh(rounds);
    if (c->pinned || worse || c->initial.best.makespan == INT64_MAX) {
        if (search->best == INT64_MAX) {
            return false;
        }
        take_best(search, c);
    }
    return begin_list(search, c);
}

// The schedule of the best allocation becomes the one whose list is annealed.
static void take_allocation(const duet_graph_search *search, chain *c)
{
    const duet_graph_allocation_annealer *a = &c->allocation;
    duet_timetable *taken = &c->initial.best;
    if (a->best == INT64_MAX) {
        return; // times too long for it
    }
    for (int32_t j = 0; j < search->model.tasks; j++) {
        int64_t time = duet_graph_search_model_time(&search->model, j, a->best_type[j]);
        taken->type[j] = a->best_type[j];
        taken->start[j] = c->mirrored ? a->best - a->best_start[j] - time : a->best_start[j];
    }
    taken->makespan = a->best;
}

// A round of one search, or a slice of it.
static void run_chain(const duet_graph_search *search, chain *c, const duet_context *context,
                      const duet_graph_search_plan *plan)
{
    const duet_graph_search_rounds *rounds = &search->rounds;
    if (search->under_way && !c->annealer.under_way && !c->allocation.under_way) {
        return; // it has ended its round
    }
    if (!search->under_way) {
        c->annealer.under_way = false;
        c->allocation.under_way = false;
        if (!begin_round(search, c, context)) {
            return;
        }
    }
    duet_graph_search_cooling cooling;
    if (c->allocation.under_way) {
        cooling = duet_graph_search_rounds_cool_allocation(rounds, c->allocation.first_ns);
        cooling.slice = plan->slice;
        cooling.shortest = plan->shortest;
        duet_graph_allocation_annealer_run(&c->allocation, context, &cooling);
        if (c->allocation.under_way) {
            return;
        }
        take_allocation(search, c);
        if (!begin_list(search, c)) {
            return;
        }
    }
    int32_t moved = search->model.tasks - c->annealer.first_position;
    cooling = duet_graph_search_rounds_cool(rounds, moved);
    cooling.slice = plan->slice;
    cooling.shortest = plan->shortest;
    duet_graph_search_annealer_run(&c->annealer, context, &cooling);
}

static void run_chains(duet_graph_search *search, const duet_context *context, size_t count,
                       const duet_graph_search_plan *plan)
{
    int threads = duet_min((int)count, context->threads);
    const duet_source source = duet_source_current();
    (void)threads;
#ifdef DUET_WITH_OPENMP
    threads = duet_threads_startable(threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
    for (size_t i = 0; i < count; i++) {
        const duet_source own = duet_source_enter(source);
        run_chain(search, &search->chains[i], context, plan);
        duet_source_enter(own);
    }
}

static void plan_round(duet_graph_search *search, const duet_context *context, size_t count,
                       int64_t sharing, bool fits)
{
    if (duet_graph_search_rounds_are_large(&search->rounds) && search->best < INT64_MAX) {
        duet_graph_search_idle_profile_find(&search->rounds.idle, &search->model, search->placement,
                                            search->best);
    }
    search->rounds.begun_with = search->best;
    search->rounds.sharing = sharing;
    duet_graph_search_rounds_begin(&search->rounds, context, fits,
                                   duet_graph_search_work(search) / (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        set_direction(search, &search->chains[i],
                      duet_graph_search_rounds_are_mirrored(&search->rounds, i));
        search->chains[i].annealer.best = INT64_MAX;
        search->chains[i].allocation.best = INT64_MAX;
    }
}

// Adds what all searches have done since the last call, the longest of them alone if they ran at
// the same time, to the longest chain of work.
static void add_span(duet_graph_search *search, size_t count, bool together)
{
    int64_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        chain *c = &search->chains[i];
        int64_t work = work_of(c) - c->counted;
        longest = together ? duet_max(longest, work) : longest + work;
        c->counted += work;
    }
    search->span += longest;
}

// A round ends with windows of the best schedule.
static void end_round(duet_graph_search *search, const duet_context *context,
                      const duet_graph_search_plan *plan, size_t count)
{
    int64_t work = duet_graph_search_rounds_window_work(&search->rounds);
    if (work > 0) {
        DUET_ASSERT(search->best < INT64_MAX);
        search->best = duet_graph_search_window_sweeps_run(search->sweeps, context, search->order,
                                                           work, plan->shortest, search->placement);
    }
    for (size_t i = 0; i < count; i++) {
        const chain *c = &search->chains[i];
        duet_graph_search_rounds_note_allocation(&search->rounds, c->allocation.best);
        if (c->annealer.best < INT64_MAX) {
            duet_graph_search_rounds_note(&search->rounds, c->mirrored, c->annealer.best);
        }
    }
    duet_graph_search_rounds_end(&search->rounds, search->best);
}

// What the searches of a round found, in their order.
static duet_code gather(duet_graph_search *search, size_t count, duet_error *error)
{
    search->moves = 0;
    search->work = 0;
    search->under_way = false;
    for (size_t i = 0; i < count; i++) {
        chain *c = &search->chains[i];
        if (c->code != DUET_OK) {
            return duet_error_set(error, c->code, "%s", c->why.message);
        }
        if (c->annealer.best < search->best) {
            take_list(search, c, c->annealer.best_task, c->annealer.best_type);
        }
        search->under_way = search->under_way || c->annealer.under_way || c->allocation.under_way;
        search->moves += c->annealer.moves + c->allocation.moves;
        search->work += work_of(c);
    }
    return DUET_OK;
}

bool duet_graph_search_is_exhausted(const duet_graph_search *search)
{
    return duet_graph_search_rounds_are_exhausted(&search->rounds, search->moves);
}

// Among walks in the same phase and direction.
static void exchange(duet_graph_search *search, size_t count)
{
    for (int way = 0; way < 4; way++) {
        bool mirrored = way % 2 != 0;
        bool allocates = way / 2 != 0;
        duet_graph_search_walk walks[DUET_GRAPH_SEARCH_MOST_SEARCHES];
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            const chain *c = &search->chains[i];
            bool fits = allocates ? c->allocation.under_way
                                  : c->annealer.under_way && !c->allocation.under_way;
            if (fits && c->mirrored == mirrored) {
                int64_t now =
                    allocates ? c->allocation.makespan : c->annealer.list.reached.makespan;
                walks[found++] = (duet_graph_search_walk){now, i};
            }
        }
        size_t replaced = duet_graph_search_rank_walks(walks, found);
        for (size_t i = 0; i < replaced; i++) {
            const chain *from = &search->chains[walks[i].index];
            chain *to = &search->chains[walks[found - 1 - i].index];
            if (allocates) {
                duet_graph_allocation_annealer_adopt(&to->allocation, &from->allocation);
            } else {
                duet_graph_search_annealer_adopt(&to->annealer, &from->annealer);
            }
        }
    }
}

// One round, or a slice of it.
static duet_code run_slice(duet_graph_search *search, const duet_context *context,
                           const duet_graph_search_plan *plan, size_t count, duet_error *error)
{
    run_chains(search, context, count, plan);
    DUET_TRY(gather(search, count, error));
    add_span(search, count, true);
    search->apart += plan->slice;
    if (search->under_way && search->apart >= duet_graph_search_rounds_apart(&search->rounds)) {
        search->apart = 0;
        exchange(search, count);
        add_span(search, count, false);
    } else if (!search->under_way) {
        end_round(search, context, plan, count);
    }
    duet_context_report(context, plan->phase, plan->lower_bound, search->best);
    return DUET_OK;
}

duet_code duet_graph_search_run(duet_graph_search *search, const duet_context *context,
                                const duet_graph_search_plan *plan, duet_error *error)
{
    bool usual = plan->searches == 0 && plan->fixed;
    size_t count = plan->searches > 0 ? (size_t)plan->searches
                   : plan->fixed      ? DUET_GRAPH_SEARCH_SEARCHES
                                      : (size_t)context->threads;
    count = duet_min(count, DUET_GRAPH_SEARCH_MOST_SEARCHES);
    int64_t sharing = usual ? DUET_GRAPH_SEARCH_SEARCHES / DUET_GRAPH_SEARCH_WHOLE : 1;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        code = make_chain(search, i, error);
    }
    bool sliced = false;
    for (int64_t round = 0;
         code == DUET_OK && !sliced && search->searchable && search->best > plan->shortest &&
         (plan->rounds == 0 || round < plan->rounds) && !duet_graph_search_is_exhausted(search) &&
         !duet_context_stop(context);) {
        if (!search->under_way) {
            DUET_TRY(search->unread ? read_best(search, error) : DUET_OK);
            plan_round(search, context, count, sharing, !plan->fixed);
        }
        duet_graph_search_plan part = *plan;
        int64_t slice = (plan->slice > 0 ? plan->slice : search->rounds.work) / sharing;
        part.slice = duet_min(duet_max(slice, 1), duet_graph_search_rounds_apart(&search->rounds));
        code = run_slice(search, context, &part, count, error);
        sliced = plan->slice > 0;
        round += !search->under_way;
    }
    return code;
}

int64_t duet_graph_search_best(const duet_graph_search *search)
{
    return search->best;
}

int64_t duet_graph_search_moves(const duet_graph_search *search)
{
    return search->moves;
}

int64_t duet_graph_search_work(const duet_graph_search *search)
{
    return search->work +
           (search->sweeps != NULL ? duet_graph_search_window_sweeps_work(search->sweeps) : 0);
}

int64_t duet_graph_search_span(const duet_graph_search *search)
{
    return search->span + duet_graph_search_work(search) - search->work;
}

duet_code duet_graph_search_write(const duet_graph_search *search, duet_solution *solution,
                                  duet_error *error)
{
    DUET_TRY(duet_solution_hold_placements(solution, error));
    DUET_ASSERT(search->best < INT64_MAX);
    memcpy(solution->placement, search->placement,
           (size_t)solution->tasks * sizeof *search->placement);
    solution->aborted_count = 0;
    solution->makespan = search->best;
    return DUET_OK;
}
