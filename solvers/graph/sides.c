// SPDX-License-Identifier: Apache-2.0
// The sides of a step of `exact` on a graph, beside each other or in turn; see sides.h.
#include "solvers/graph/sides.h"

#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/threads.h"
#include "heuristics/graph_search/rounds.h"
#include "solvers/graph/tuning.h"

int64_t duet_graph_sides_kept(int64_t slice)
{
    return duet_graph_search_rounds_part_of_each(slice) * DUET_GRAPH_BOUND_WORK;
}

// Whether the bound has done more than each search in its slices so far. That is the same for any
// number of threads, since this waits until it is known.
static bool bound_is_ahead(const duet_graph_sides *now)
{
    int64_t own = duet_graph_sides_kept(now->sliced);
    for (; now->work > 0 && !duet_context_stop(&now->searching); duet_threads_pause()) {
        bool done = atomic_load(&now->done);
        if (duet_subproblems_told(now->subproblems) - now->spent > own) {
            return true;
        }
        if (done) {
            break;
        }
    }
    return false;
}

// Whether another slice follows in this call.
static bool goes_on(const duet_graph_sides *now)
{
    if (now->plan.fixed) {
        return now->slices < now->most_slices && bound_is_ahead(now);
    }
    return now->waits && !atomic_load(&now->done);
}

static void search_side(void *opaque)
{
    duet_graph_sides *now = opaque;
    duet_graph_search *search = now->search;
    int64_t begin = duet_clock_ns();
    bool more;
    do {
        if (now->plan.fixed) { // later rounds have longer slices
            now->plan.slice = duet_graph_search_next_work(search) / DUET_GRAPH_SLICES + 1;
        }
        now->searched.code =
            duet_graph_search_run(search, &now->searching, &now->plan, &now->searched.why);
        now->slices++;
        now->sliced += now->plan.slice;
        more = duet_graph_search_best(search) > now->plan.shortest &&
               !duet_graph_search_is_exhausted(search) && !duet_context_stop(&now->searching);
    } while (more && now->searched.code == DUET_OK && goes_on(now));
    now->searched.ns = duet_clock_ns() - begin;
}

// Works on the bound once. Returns whether more of that may be of use before the turn of the
// learning search ends.
static bool work_on_bound(duet_graph_sides *now)
{
    int64_t before = duet_subproblems_spent(now->subproblems);
    now->bounded.code = duet_subproblems_work(now->subproblems, now->upper, now->work,
                                              DUET_PHASE_BRANCHING, &now->bounded.why);
    return now->waits && now->bounded.code == DUET_OK && !duet_context_stop(now->bounding) &&
           duet_subproblems_spent(now->subproblems) > before;
}

static void bound_side(void *opaque)
{
    duet_graph_sides *now = opaque;
    const duet_source own = duet_source_enter(now->source);
    int64_t begin = duet_clock_ns();
    while (now->work > 0 && work_on_bound(now) && !atomic_load(&now->learned)) {
    }
    now->bounded.ns = duet_clock_ns() - begin;
    duet_source_enter(own);
    atomic_store(&now->done, true);
}

static void learning_side(void *opaque)
{
    duet_graph_sides *now = opaque;
    const duet_source own = duet_source_enter(now->source);
    if (now->turn > 0) {
        duet_learning_turn(now->learning, now->instance, now->context, now->turn);
    }
    duet_source_enter(own);
    atomic_store(&now->learned, true);
}

static void bound_and_learning_sides(void *opaque)
{
    bound_side(opaque);
    learning_side(opaque);
}

static void learning_before_search(void *opaque)
{
    learning_side(opaque);
    search_side(opaque);
}

// The learning search has one of the threads that the bound leaves.
static void learning_and_search_sides(void *opaque)
{
    duet_graph_sides *now = opaque;
    now->searching.threads = duet_max(now->context->threads - 2, 1);
    if (!duet_threads_both(learning_side, search_side, now)) {
        learning_side(now); // the search may go on until it is done
        search_side(now);
    }
}

bool duet_graph_sides_run(duet_graph_sides *now)
{
    int threads = now->context->threads;
    bool fixed = now->plan.fixed;
    bool proves = fixed ? now->work > 0 || now->turn > 0 : now->subproblems != NULL;
    bool beside = false;
    now->source = duet_source_current();
    now->learns_beside = false;
    now->searching = *now->context;
    now->searching.progress = NULL;
    if (threads > 1 && proves) {
        now->searching.threads = threads - 1; // in all slices of a round
        now->waits = !fixed;
        now->bounding->deadline_ns = now->context->deadline_ns;
        bool three = now->turn > 0 &&
                     (fixed ? threads > 2 && now->work > 0 : threads >= DUET_GRAPH_THREE_SIDES);
        now->learns_beside = three;
        beside = three    ? duet_threads_both(bound_side, learning_and_search_sides, now)
                 : !fixed ? duet_threads_both(bound_side, learning_before_search, now)
                          : duet_threads_both(bound_and_learning_sides, search_side, now);
    }
    now->learns_beside = fixed || (beside && now->learns_beside);
    if (!beside) {
        now->waits = false;
        now->searching.threads = threads;
        now->bounding->deadline_ns = now->bound_end_ns;
        if (fixed) { // how many slices there are depends on the bound
            bound_side(now);
            search_side(now);
            learning_side(now);
        } else {
            search_side(now);
            bound_and_learning_sides(now);
        }
    }
    return beside;
}
