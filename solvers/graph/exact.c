// SPDX-License-Identifier: Apache-2.0
// `exact` on task graphs.
// Method:    the cheap bounds and the schedules of rules, or what is known; then stage by stage, if
//            the graph falls into stages one after another (solvers/graph/series/); then steps,
//            each a slice of a round of the search for a shorter schedule
//            (heuristics/graph_search/search.h) and work on the bound by refuting guesses
//            (solvers/graph/bound/destructive.h), until they meet. The side that gains more gets
//            the larger share (solvers/graph/bound/share.h). With more threads all sides of a step
//            go on at the same time (solvers/graph/sides.h). A case of the bound's search that
//            nothing refutes may be a shorter schedule. Graphs of up to 200 tasks have a share of a
//            search that learns why it failed (solvers/graph/learn/learn.h), by what both have
//            gained (solvers/graph/gains.h): it takes and gives schedules, and often alone closes
//            the gap, most of all where data take time, of which bounds know less. Beside it,
//            others of its kind refute lower guesses, for the bound (solvers/graph/lift.h). A
//            dynamic program over ideals (solvers/graph/ideals/ideals.h) takes turns with it, which
//            ends where the graph is narrow.
// Guarantee: 1 where it ends. The bound is proven by the lines of its refutation, of the learning
//            search or of ideals; what is proven without lines, as these are too long, has no
//            certificate, and is not claimed if a proof is asked for.
// Cost:      exponential; up to about fifty tasks it mostly ends.
// Memory:    that of the search and of the bound.
// Reference: see the files that are named above.
#include "solvers/graph/exact.h"

#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "lp/graph/head_tail.h"
#include "solvers/graph/bound/share.h"
#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/bound/tuning.h"
#include "solvers/graph/done.h"
#include "solvers/graph/gains.h"
#include "solvers/graph/learning.h"
#include "solvers/graph/pace.h"
#include "solvers/graph/proof_file.h"
#include "solvers/graph/search.h"
#include "solvers/graph/series/series.h"
#include "solvers/graph/sides.h"
#include "solvers/graph/starts/assign.h"
#include "solvers/graph/tuning.h"

enum { HUNDRED = 100 };

typedef struct exact {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    const duet_graph_proof *proof; // Where a proof is wanted; NULL: nobody asked for one.
    int64_t rounds;

    duet_solution *best; // The best schedule and bound so far.
    int64_t step;

    // The search for schedules.
    duet_graph_search *search;
    duet_graph_pace search_pace;
    int64_t searched_ns; // The time that it has had.
    int64_t first_work;  // That of its first round.
    int64_t beyond;      // Tasks that it placed in the last step beyond its slice.

    // The bound.
    bool bounding;                 // It has begun.
    duet_subproblems *subproblems; // NULL: it has not, or there is no memory for them.
    duet_context bound_context;    // It ends early enough for the search to have its share.
    duet_graph_pace bound_pace;
    int64_t share; // The bound's share in a hundred (solvers/graph/bound/share.h).
    int64_t owed;  // Work that it did beyond its shares.

    duet_learning learning;
    int64_t credit;      // Placed tasks as long as which it may learn, where rounds are counted.
    int64_t granted_ns;  // The time that it was granted in all.
    int64_t credited_ns; // The time of the search for which that was.
    duet_graph_gain learned;
    duet_graph_gain shortened; // What the search for schedules gained.

    duet_graph_work done; // What all have done.
} exact;

static int64_t target(const exact *s)
{
    return duet_context_target(s->context, s->best->lower_bound);
}

// The bound of the graph, if there are subproblems.
static const duet_destructive *whole(const exact *s)
{
    return duet_subproblems_whole(s->subproblems);
}

static bool is_open(const exact *s)
{
    return s->learning.proven == DUET_LEARNING_UNPROVEN && s->best->makespan > target(s);
}

static bool goes_on(const exact *s)
{
    return is_open(s) && !duet_context_stop(s->context);
}

static int64_t gap(const exact *s)
{
    return s->best->makespan - s->best->lower_bound;
}

// What both searches have spent, in seconds that do not depend on the machine if rounds are
// counted.
typedef struct spent {
    double learned;
    double searched;
} spent;

static spent measure(const exact *s)
{
    if (s->rounds > 0) {
        return (spent){duet_graph_gain_seconds(s->learning.work / DUET_GRAPH_PLACING_WORK),
                       duet_graph_gain_seconds(duet_graph_search_work(s->search))};
    }
    return (spent){(double)s->learning.ns * 1e-9, (double)s->searched_ns * 1e-9};
}

static void report(const exact *s)
{
    duet_context_report(s->context, "exact", s->best->lower_bound, s->best->makespan);
}

// --- bounds --------------------------------------------------------------------------------------

// Whether the cheap bounds were offered: what is known may have none, or that of the path alone.
static bool has_cheap_bounds(const exact *s)
{
    const duet_solution *known = s->context->known;
    return known == NULL ||
           (known->bound_name[0] != '\0' && strcmp(known->bound_name, "path") != 0);
}

static duet_code offer_bounds(exact *s, duet_error *error)
{
    if (!has_cheap_bounds(s)) {
        duet_bound bound;
        DUET_TRY(duet_head_tail_bound(s->instance, s->context, &bound, error));
        duet_solution_offer_bound(s->best, &bound);
        duet_bound_release(&bound);
    }
    return duet_graph_offer_chains(s->instance, s->context, s->best, error);
}

// About how long it takes to make the transitive closure, before the first refutation.
static int64_t price_of_bounding(const exact *s)
{
    return (s->best->tasks + s->instance->graph->edges) * DUET_GRAPH_BOUND_BEGIN_NS;
}

// Whether there is time for what nothing interrupts, as long as the search may find more: it may
// take the bound's share of all the time, or of what the search has had.
static bool may_spend(const exact *s, int64_t price)
{
    if (s->rounds > 0 || duet_graph_search_is_exhausted(s->search)) {
        return true;
    }
    int64_t all = s->context->deadline_ns - s->context->start_ns;
    int64_t had = s->searched_ns / (HUNDRED - DUET_GRAPH_FIRST_SHARE);
    return price <= duet_max(all / HUNDRED, had) * DUET_GRAPH_FIRST_SHARE;
}

static duet_code begin_bounding(exact *s, duet_error *error)
{
    s->bounding = true;
    duet_code code =
        duet_subproblems_create(s->instance, &duet_subproblems_usual, &s->bound_context,
                                s->best->lower_bound, &s->subproblems, error);
    return code == DUET_E_LIMIT ? DUET_OK : code; // schedules are searched without it
}

// Stage by stage, if the graph has stages.
static duet_code solve_series(exact *s, duet_error *error)
{
    int64_t before = s->best->makespan;
    duet_code code =
        duet_graph_offer_series(s->instance, s->context, s->proof != NULL, s->best, error);
    return code == DUET_OK && s->best->makespan < before
               ? duet_graph_search_offer(s->search, s->best, error)
               : code;
}

// What refutations have proven becomes the solution's bound, with its proof if that is short.
static duet_code take_bound(exact *s, bool certified, duet_error *error)
{
    duet_bound bound = {.name = "exact"};
    if (s->subproblems == NULL || !duet_destructive_proven(whole(s)) ||
        duet_destructive_lower(whole(s)) < s->best->lower_bound) {
        return DUET_OK;
    }
    duet_code code = DUET_OK;
    if (certified && duet_destructive_length(whole(s)) <= DUET_GRAPH_PROOF_BYTES) {
        code = duet_destructive_certify(whole(s), "exact", &bound, error);
    } else {
        bound.value = duet_destructive_lower(whole(s));
    }
    if (code == DUET_OK) {
        duet_solution_offer_bound(s->best, &bound);
        duet_bound_release(&bound);
    }
    return code;
}

// --- schedules -----------------------------------------------------------------------------------

static duet_code take_schedule(exact *s, duet_error *error)
{
    if (duet_graph_search_best(s->search) >= s->best->makespan) {
        return DUET_OK;
    }
    return duet_graph_search_write(s->search, s->best, error);
}

// Takes the schedule of a turn of the learning search if it is shorter.
static duet_code take_learned(exact *s, duet_error *error)
{
    return duet_learning_give(&s->learning, s->best, s->proof != NULL)
               ? duet_graph_search_offer(s->search, s->best, error)
               : DUET_OK;
}

// A turn of the learning search alone.
static duet_code learn(exact *s, int64_t work, duet_error *error)
{
    int64_t worked = s->learning.work;
    int64_t open = gap(s);
    const spent before = measure(s);
    DUET_TRY(duet_learning_take(&s->learning, s->best, error));
    duet_learning_turn(&s->learning, s->instance, s->context, work);
    int64_t took = (s->learning.work - worked) / DUET_GRAPH_PLACING_WORK;
    s->done.work += took;
    s->done.span += took;
    duet_code code = take_learned(s, error);
    duet_graph_gain_note(&s->learned, measure(s).learned - before.learned, open, gap(s));
    return code;
}

// Whether the search is in its first round. A short time limit divides that into several.
static bool is_first_round(const exact *s)
{
    bool first = s->rounds > 0 ? s->step < DUET_GRAPH_SLICES
                               : duet_graph_search_work(s->search) < s->first_work;
    return first && !duet_graph_search_is_exhausted(s->search);
}

// The share of the bound in this step.
static int64_t share_of(const exact *s)
{
    return is_first_round(s) ? DUET_GRAPH_FIRST_SHARE : s->share;
}

// Whether time is limited, no rounds, and there are threads for several sides at once.
static bool is_timed_beside(const exact *s)
{
    return s->rounds == 0 && s->context->threads > 1 && s->subproblems != NULL;
}

// The learning search's percentage of the search's share, by what both have gained.
static int64_t share_of_learning(const exact *s)
{
    int64_t tasks = s->best->tasks;
    bool costs = s->instance->graph->transfer != NULL;
    int64_t usual = tasks <= DUET_GRAPH_MIDDLE_TASKS ? DUET_GRAPH_LEARN_SHARE : HUNDRED;
    return usual * duet_graph_gain_share(&s->learned, &s->shortened, tasks, costs) / HUNDRED;
}

// Operations of the learning search now; 0: it has not yet saved up for a turn, in time or, if
// nothing may depend on that, in placed tasks. Of small graphs it has more than the search.
static int64_t turn_of_learning(exact *s, int64_t slice)
{
    const duet_learning *l = &s->learning;
    int64_t least = duet_learning_least(s->context, s->rounds > 0);
    if (l->over || (l->search == NULL && !may_spend(s, duet_learning_price(s->instance)))) {
        return 0;
    }
    bool small = s->best->tasks <= DUET_GRAPH_SMALL_TASKS;
    if ((s->step == 0 && small) || (s->rounds == 0 && duet_graph_search_is_exhausted(s->search))) {
        return least;
    }
    int64_t share = share_of_learning(s);
    s->granted_ns += (s->searched_ns - s->credited_ns) / HUNDRED * share;
    s->credited_ns = s->searched_ns;
    if (s->rounds == 0 && l->search != NULL) {
        double speed = (double)duet_learn_work(l->search) / (double)duet_max(l->ns, 1);
        double saved = (double)(s->granted_ns - l->ns);
        return saved * speed >= (double)least ? (int64_t)(saved * speed) : 0;
    }
    s->credit += slice * share / HUNDRED;
    int64_t saved = s->credit * DUET_GRAPH_PLACING_WORK;
    s->credit = saved >= least ? 0 : s->credit;
    return saved >= least ? saved : 0;
}

// Whether a turn comes before the other sides: the first one, which may end all, and wherever they
// go on one after the other and nothing depends on the order.
static bool learns_first(const exact *s)
{
    return s->step == 0 || (s->rounds == 0 && !is_timed_beside(s));
}

// Takes a schedule that the bound's search has met if it is shorter.
static duet_code take_met(exact *s, duet_error *error)
{
    int64_t makespan;
    const duet_leaf_task *place =
        s->subproblems != NULL ? duet_destructive_schedule(whole(s), &makespan) : NULL;
    if (place == NULL || makespan >= s->best->makespan) {
        return DUET_OK;
    }
    bool taken = false;
    duet_code code = duet_starts_assign(s->instance, place, s->best, &taken, error);
    return code == DUET_OK && taken ? duet_graph_search_offer(s->search, s->best, error) : code;
}

// --- steps ---------------------------------------------------------------------------------------

// Whether the bound has as much work as each of the searches, so that none of all waits long for
// another: where rounds are counted, and tasks are many.
static bool keeps_step(const exact *s)
{
    return s->rounds > 0 && s->best->tasks > DUET_GRAPH_STEP_TASKS;
}

// Work on the bound beside a slice of the search. A linear program ends when it ends: what it took
// beyond its share is kept back from the next ones.
static int64_t take_work_beside(exact *s, int64_t slice)
{
    static const double most = 0x1p60;
    double each = s->rounds > 0 ? DUET_GRAPH_BOUND_WORK
                                : duet_graph_pace_ratio(&s->bound_pace, &s->search_pace);
    bool beside = s->rounds == 0 && s->context->threads > 1; // neither waits for the other
    int64_t share = beside ? DUET_SHARE_FIRST : share_of(s);
    double wanted = (double)slice * each / (double)(HUNDRED - share) * (double)share;
    int64_t work = keeps_step(s) ? duet_graph_sides_kept(slice) : (int64_t)duet_min(wanted, most);
    int64_t kept = duet_min(s->owed, work);
    s->owed -= kept;
    return work - kept;
}

// Until when the bound may work by itself, so that the search, which is worth little before its
// annealing is cold, has its share of all time before the deadline.
static int64_t end_of_bounding(const exact *s)
{
    const duet_context *context = s->context;
    if (context->deadline_ns == INT64_MAX || duet_graph_search_is_exhausted(s->search)) {
        return context->deadline_ns;
    }
    int64_t all = context->deadline_ns - context->start_ns;
    int64_t due = all / HUNDRED * (HUNDRED - share_of(s)) - s->searched_ns;
    return context->deadline_ns - duet_max(due, 0);
}

// Notes what the bound did, and what of it is beyond its share.
static void note_bound(exact *s, const duet_graph_sides *now, bool beside)
{
    int64_t worked = duet_subproblems_spent(s->subproblems) - now->spent;
    int64_t due = keeps_step(s) ? duet_graph_sides_kept(now->sliced) : now->work;
    duet_graph_pace_note(&s->bound_pace, worked, now->bounded.ns);
    bool waits = beside && s->rounds == 0;
    s->owed += worked > due && !waits ? worked - due : 0;
}

static duet_code search_and_bound(exact *s, int64_t slice, int64_t turn, duet_error *error)
{
    duet_graph_sides now = {.instance = s->instance,
                            .context = s->context,
                            .plan = {.rounds = 1,
                                     .slice = slice,
                                     .fixed = s->rounds > 0,
                                     .shortest = target(s),
                                     .lower_bound = s->best->lower_bound},
                            .search = s->search,
                            .subproblems = s->subproblems,
                            .bounding = &s->bound_context,
                            .bound_end_ns = end_of_bounding(s),
                            .most_slices =
                                keeps_step(s) ? s->rounds * DUET_GRAPH_SLICES - s->step : 1,
                            .upper = s->best->makespan,
                            .work = s->subproblems != NULL ? take_work_beside(s, slice) : 0,
                            .learning = &s->learning,
                            .turn = turn,
                            .searched = {.why = DUET_ERROR_INIT},
                            .bounded = {.why = DUET_ERROR_INIT}};
    now.spent = now.work > 0 ? duet_subproblems_spent(s->subproblems) : 0;
    const duet_graph_done before = duet_graph_done_so_far(&now);
    if (turn > 0) {
        DUET_TRY(duet_learning_take(&s->learning, s->best, error));
    }
    bool beside = duet_graph_sides_run(&now);
    s->beyond = now.sliced - slice;
    s->step += now.slices - 1;
    duet_graph_pace_note(&s->search_pace, now.sliced, now.searched.ns);
    s->searched_ns += now.searched.ns;
    if (now.work > 0) {
        note_bound(s, &now, beside);
    }
    duet_graph_done_add(&s->done, &now, &before);
    const duet_graph_side *failed = now.searched.code != DUET_OK ? &now.searched : &now.bounded;
    return failed->code == DUET_OK ? DUET_OK
                                   : duet_error_set(error, failed->code, "%s", failed->why.message);
}

// Whether neither side has anything left to try.
static bool is_exhausted(const exact *s)
{
    bool raised =
        s->bounding && (s->subproblems == NULL ||
                        duet_destructive_done(whole(s), s->best->makespan, DUET_PHASE_BRANCHING));
    bool learns = !s->learning.over && s->best->tasks <= DUET_LEARN_TASKS;
    return raised && !learns && duet_graph_search_is_exhausted(s->search);
}

// Takes the schedules and bounds that a step has found, and notes which search has gained what.
static duet_code take_step(exact *s, const spent *before, bool learned, duet_error *error)
{
    const spent now = measure(s);
    int64_t open = gap(s);
    DUET_TRY(take_schedule(s, error));
    duet_graph_gain_note(&s->shortened, now.searched - before->searched, open, gap(s));
    DUET_TRY(take_met(s, error));
    if (learned) {
        open = gap(s);
        DUET_TRY(take_learned(s, error));
        duet_graph_gain_note(&s->learned, now.learned - before->learned, open, gap(s));
    }
    return take_bound(s, false, error);
}

static duet_code solve_step(exact *s, duet_error *error)
{
    if (!s->bounding && may_spend(s, price_of_bounding(s))) {
        DUET_TRY(begin_bounding(s, error));
    }
    int64_t slice = duet_graph_search_next_work(s->search) / DUET_GRAPH_SLICES + 1;
    int64_t makespan = s->best->makespan;
    int64_t bound = s->best->lower_bound;
    const spent before = measure(s);
    duet_code code = DUET_OK;
    int64_t turn = turn_of_learning(s, slice + s->beyond);
    if (turn > 0 && learns_first(s)) {
        code = learn(s, turn, error);
        turn = 0;
    }
    if (code == DUET_OK && goes_on(s)) {
        code = search_and_bound(s, slice, turn, error);
    }
    DUET_THEN(code, take_step(s, &before, turn > 0, error));
    duet_bound_step step = {.shortened = makespan - s->best->makespan,
                            .raised = s->best->lower_bound - bound,
                            .gap = gap(s)};
    bool branches = s->subproblems != NULL && duet_destructive_branches(whole(s));
    int64_t usual = duet_bound_usual_share(s->best->tasks, branches);
    s->share = duet_bound_share(s->share, usual, &step);
    report(s);
    return code;
}

// If the learning search has found the optimum first, without lines, they may still be had: if
// nobody asked for them, in as much time as the optimum took, and a little more.
static duet_code prove_optimum(exact *s, duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t now = duet_clock_ns();
    int64_t deadline = s->context->deadline_ns;
    int64_t enough = now + DUET_GRAPH_PROOF_NS + (now - s->context->start_ns);
    if (s->subproblems != NULL && s->learning.proven == DUET_LEARNING_BY_LINES &&
        !duet_learning_has_proof(&s->learning) && s->best->lower_bound < s->best->makespan) {
        bool timed = s->rounds == 0 && s->proof == NULL;
        s->bound_context.deadline_ns = timed && enough < deadline ? enough : deadline;
        code = duet_subproblems_work(s->subproblems, s->best->makespan, DUET_GRAPH_PROOF_WORK,
                                     DUET_PHASE_BRANCHING, error);
    }
    return code;
}

// The schedules and bounds to begin with. Of a graph in series the first rule is enough before it
// is solved stage by stage, which is more than what all rules could tell.
static duet_code begin(exact *s, duet_error *error)
{
    bool fresh = s->context->known == NULL;
    bool series = duet_graph_is_series(s->instance);
    duet_code code = DUET_OK;
    if (fresh && series) {
        code = duet_graph_offer_first(s->instance, s->context, s->search, s->best, error);
    } else {
        code = duet_graph_begin(s->instance, s->context, s->search, s->best, error);
    }
    DUET_THEN(code, duet_graph_search_write(s->search, s->best, error));
    if (code == DUET_OK && series && goes_on(s)) {
        code = solve_series(s, error);
    }
    if (code == DUET_OK && series && fresh && is_open(s)) {
        code = duet_graph_begin(s->instance, s->context, s->search, s->best, error);
        DUET_THEN(code, duet_graph_search_write(s->search, s->best, error));
    }
    return code;
}

static duet_code solve(exact *s, duet_error *error)
{
    duet_code code = begin(s, error);
    if (code == DUET_OK && goes_on(s)) {
        code = offer_bounds(s, error);
    }
    s->first_work = duet_graph_search_next_work(s->search);
    s->shortened = duet_graph_gain_begin(duet_graph_gain_seconds(s->first_work));
    for (; code == DUET_OK && goes_on(s) && !is_exhausted(s) &&
           (s->rounds == 0 || s->step < s->rounds * DUET_GRAPH_SLICES);
         s->step++) {
        code = solve_step(s, error);
    }
    DUET_THEN(code, prove_optimum(s, error));
    return code;
}

// --- what is claimed -----------------------------------------------------------------------------

static duet_code claim(exact *s, duet_error *error)
{
    duet_solution *best = s->best;
    duet_code code = take_bound(s, true, error);
    DUET_THEN(code, duet_learning_claim(&s->learning, s->best, s->proof != NULL, error));
    best->ratio_void = best->lower_bound < best->makespan;
    best->interrupted = best->ratio_void && duet_context_stop(s->context);
    if (best->ratio_void && !best->interrupted && s->rounds == 0 && is_open(s)) {
        snprintf(best->note, sizeof best->note,
                 "the searches have no more to try on an instance of this size");
    }
    duet_solution_count(best, "moves", duet_graph_search_moves(s->search));
    duet_solution_count(best, "conflicts", s->learning.conflicts);
    duet_solution_count(best, "work", s->done.work / DUET_GRAPH_PLACED_A_MICROSECOND);
    duet_solution_count(best, "span", s->done.span / DUET_GRAPH_PLACED_A_MICROSECOND);
    if (code == DUET_OK && s->proof != NULL) {
        const duet_graph_claim claimed = {.instance = s->instance,
                                          .context = s->context,
                                          .best = best,
                                          .subproblems = &s->subproblems,
                                          .learned = s->learning.certificate.lines};
        code = duet_graph_write_proof(&claimed, s->proof, error);
    }
    return code;
}

duet_code duet_graph_exact(const duet_instance *instance, const duet_context *context,
                           int64_t rounds, const duet_graph_proof *proof, duet_solution *solution,
                           duet_error *error)
{
    exact s = {.instance = instance,
               .context = context,
               .bound_context = *context,
               .proof = proof,
               .rounds = rounds,
               .best = solution,
               .share = duet_bound_usual_share(duet_tasks(instance), false)};
    if (rounds == 0 && context->deadline_ns == INT64_MAX) {
        s.rounds = DUET_GRAPH_ROUNDS;
    }
    duet_code code = duet_solution_hold_placements(solution, error);
    DUET_THEN(code, duet_graph_search_create(instance, context, &s.search, error));
    DUET_THEN(code, solve(&s, error));
    DUET_THEN(code, claim(&s, error));
    duet_learning_free(&s.learning);
    duet_subproblems_free(s.subproblems);
    duet_graph_search_free(s.search);
    return code;
}
