// SPDX-License-Identifier: Apache-2.0
// One length: the ways to refute it or to find a schedule, the cheap ones first.
#include "solvers/exact/search.h"

#include "core/memory.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/allocations.h"
#include "solvers/exact/branch_and_price.h"
#include "solvers/exact/dive.h"

enum {
    AREA_TASKS = 6, // per processor: beyond it a type is priced by area
    FEW_CLASSES = 16,
    FEW_AREA_TASKS = 20000,
    POOLED_TASKS = 40,     // per processor: beyond it a type's patterns are not listed
    SPLIT_CLASSES = 4000,  // beyond it sides are not enumerated
    MIXED_NODES = 20000,   // an effort beyond it goes to the deals alone where they are few
    PRICED_CLASSES = 3000, // beyond it no linear program is solved
    PROGRAM_ROUNDS = 1000,
};

typedef struct decision {
    duet_exact *exact;
    const duet_exact_effort *effort;
    duet_classes classes;
    duet_prices prices;
    int64_t weight[2];
    double tasks[2]; // per processor, about
    bool treed;      // the last that was tried was the tree on types
    bool dealt;      // all deals of the tasks to the types were gone through
    bool relaxed;    // the relaxation alone refuted it
    duet_loads loads;
    duet_verdict verdict;
    int64_t refuted; // the longest length that was
} decision;

static void start_log(decision *d)
{
    enum { gigabyte = 1 << 30 };
    duet_exact *s = d->exact;
    duet_log_start(&s->log, &d->classes, s->proof_wanted ? gigabyte : 0);
    d->prices.id = -1;
    d->loads.loads = 0;
    d->loads.parts = 0;
}

static duet_log *log_of(decision *d)
{
    return d->exact->proof_wanted ? &d->exact->log : NULL;
}

static duet_cover_limits limits_of(const decision *d)
{
    return (duet_cover_limits){
        .nodes = d->effort->nodes, .patterns = d->effort->patterns, .pack_effort = d->effort->pack};
}

static void count(decision *d, const duet_cover_stats *stats)
{
    d->exact->nodes += stats->nodes;
    d->exact->patterns += (int64_t)stats->patterns;
}

// Searches the whole length with the prices there are.
static duet_code search(decision *d, const bool pooled[2], bool complete, duet_error *error)
{
    duet_exact *s = d->exact;
    duet_residual state;
    duet_cover_limits limits = limits_of(d);
    limits.complete = complete;
    duet_cover_stats stats = {0, 0};
    duet_code code = duet_residual_create(&d->classes, &state, error);
    if (code != DUET_OK) {
        return code;
    }
    start_log(d);
    code = duet_cover_search(&d->classes, &state, &d->prices, pooled, &limits, &s->random,
                             s->context, log_of(d), &d->loads, &stats, &d->verdict, error);
    count(d, &stats);
    duet_residual_free(&state);
    return code;
}

// Few classes make few patterns, however many tasks a processor has.
static double area_tasks(const decision *d)
{
    return d->classes.count <= FEW_CLASSES ? FEW_AREA_TASKS : AREA_TASKS;
}

// The type that is covered by patterns when the other is priced by area: fewer tasks per processor
// make fewer patterns.
static size_t patterned_type(const decision *d)
{
    if (d->classes.processors[0] == 0 || d->classes.processors[1] == 0) {
        return d->classes.processors[0] == 0;
    }
    return d->tasks[0] > d->tasks[1] && d->tasks[1] > 0;
}

// Prices by area alone: those of the patterned type are lowered to what the task costs on the
// other.
static duet_code by_area(decision *d, duet_error *error)
{
    const int64_t limit = INT64_C(1) << 31;
    duet_prices_by_area(&d->classes, d->weight, &d->prices);
    bool area[2];
    duet_code code =
        duet_configuration_modes(&d->classes, d->weight, area_tasks(d), area, d->tasks, error);
    if (code != DUET_OK) {
        return code;
    }
    size_t type = patterned_type(d);
    for (size_t t = 0; t < 2; t++) {
        if (d->weight[t] >= limit / (d->classes.capacity[t] + 1)) {
            return DUET_OK; // prices of the proof stay below 2^31
        }
    }
    for (size_t c = 0; c < d->classes.count; c++) {
        if (duet_class_fits(&d->classes, c, 0) && duet_class_fits(&d->classes, c, 1)) {
            int64_t other = d->prices.price[1 - type][c];
            int64_t *own = &d->prices.price[type][c];
            *own = other < *own ? other : *own;
        }
    }
    d->prices.weight[0] = d->prices.weight[1] = -1;
    const bool pooled[2] = {type == 0, type == 1};
    return search(d, pooled, true, error);
}

// Prices of an earlier effort at the same length.
static bool recall(decision *d, bool pooled[2])
{
    duet_exact *s = d->exact;
    for (size_t i = 0; i < DUET_EXACT_CACHE; i++) {
        const duet_exact_cached *entry = &s->cache[i];
        if (entry->used && entry->guess == d->classes.guess) {
            duet_prices_copy(&d->classes, &entry->prices, &d->prices);
            pooled[0] = entry->pooled[0];
            pooled[1] = entry->pooled[1];
            return true;
        }
    }
    return false;
}

static duet_code keep(decision *d, const bool pooled[2], duet_error *error)
{
    duet_exact_cached *entry = &d->exact->cache[d->exact->cached++ % DUET_EXACT_CACHE];
    duet_prices_free(&entry->prices);
    entry->used = false;
    duet_code code = duet_prices_create(&d->classes, &entry->prices, error);
    if (code == DUET_OK) {
        duet_prices_copy(&d->classes, &d->prices, &entry->prices);
        entry->guess = d->classes.guess;
        entry->pooled[0] = pooled[0];
        entry->pooled[1] = pooled[1];
        entry->used = true;
    }
    return code;
}

// Solves the configuration relaxation of the whole length.
static duet_code solve_program(decision *d, const bool area[2], duet_configuration_answer *answer,
                               duet_error *error)
{
    duet_exact *s = d->exact;
    duet_residual state;
    duet_configuration *program = NULL;
    duet_code code = duet_residual_create(&d->classes, &state, error);
    if (code == DUET_OK) {
        code = duet_configuration_create(&d->classes, &state, area, &s->columns, NULL, &program,
                                         error);
    }
    if (code == DUET_OK) {
        code = duet_configuration_solve(program, PROGRAM_ROUNDS, s->context, &d->prices, answer,
                                        error);
        s->programs += answer->iterations;
    }
    duet_configuration_free(program);
    duet_residual_free(&state);
    return code;
}

// Everything, less what area alone cuts off.
static duet_code begin_by_area(decision *d, duet_residual *state, duet_error *error)
{
    duet_prices area;
    duet_code code = duet_residual_create(&d->classes, state, error);
    if (code != DUET_OK) {
        return code;
    }
    code = duet_prices_create(&d->classes, &area, error);
    if (code == DUET_OK) {
        duet_prices_by_area(&d->classes, d->weight, &area);
        duet_int128 slack = duet_residual_slack(&d->classes, state, &area);
        for (size_t c = 0; c < d->classes.count && slack >= 0; c++) {
            duet_int128 slope = (duet_int128)area.price[0][c] - area.price[1][c];
            duet_residual_fix(state, c, slope, slack, &state->low[c], &state->high[c]);
        }
    }
    duet_prices_free(&area);
    return code;
}

// Dives for a schedule; one that is too long is improved all the same.
static duet_code by_dives(decision *d, const bool pooled[2], duet_error *error)
{
    duet_exact *s = d->exact;
    // A processor of very many tasks is filled at the end: its pattern would leave too little
    // choice.
    const bool area[2] = {!pooled[0], !pooled[1]};
    duet_cover_limits limits = limits_of(d);
    duet_residual from;
    duet_code code = begin_by_area(d, &from, error);
    for (int64_t i = 0; i < d->effort->dives && code == DUET_OK && d->verdict == DUET_OPEN &&
                        !duet_context_stop(s->context);
         i++) {
        duet_cover_stats stats = {0, 0};
        bool found = false;
        s->dives++;
        code = duet_dive(&d->classes, &from, area, pooled, &s->columns, s->dives > 1, &limits,
                         &s->random, s->context, &d->loads, &s->programs, &stats, &found, error);
        count(d, &stats);
        if (found) {
            d->verdict = DUET_FOUND;
        } else if (code == DUET_OK) {
            code = duet_exact_polish(s, &d->classes, &d->loads, d->effort->pack, error);
            d->verdict = s->best->makespan <= d->classes.guess ? DUET_FOUND : DUET_OPEN;
            d->loads.loads = d->loads.parts = 0;
        }
    }
    duet_residual_free(&from);
    return code;
}

// Which types are priced by area, and which have patterns. *any: there is a relaxation.
static duet_code choose_modes(decision *d, bool area[2], bool pooled[2], bool *any,
                              duet_error *error)
{
    duet_code code =
        duet_configuration_modes(&d->classes, d->weight, area_tasks(d), area, d->tasks, error);
    for (size_t t = 0; t < 2; t++) {
        pooled[t] = !area[t] && d->tasks[t] <= POOLED_TASKS;
    }
    if (!pooled[0] && !pooled[1]) {
        pooled[patterned_type(d)] = true;
    }
    *any = code == DUET_OK && !(area[0] && area[1]) && d->classes.count <= PRICED_CLASSES &&
           duet_lp_available();
    d->exact->one_sided = *any && area[0] != area[1] && pooled[area[0]];
    return code;
}

// The prices of the length's relaxation, solved now or earlier. They may refute it; *any: there are
// some to go on with.
static duet_code relax(decision *d, bool area[2], bool pooled[2], bool *any, duet_error *error)
{
    duet_code code = choose_modes(d, area, pooled, any, error);
    if (code != DUET_OK || !*any) {
        return code;
    }
    *any = recall(d, pooled);
    if (*any) {
        return DUET_OK;
    }
    duet_configuration_answer answer = {.any = false};
    code = solve_program(d, area, &answer, error);
    if (code == DUET_OK && answer.refuted) {
        start_log(d);
        duet_log_price(log_of(d), &d->prices);
        d->verdict = DUET_REFUTED;
        d->refuted = answer.proven;
        d->relaxed = true;
        return duet_prices_certificate(&d->classes, &d->prices, answer.proven + 1,
                                       &d->exact->certificate, error);
    }
    *any = code == DUET_OK && answer.any;
    if (code == DUET_OK && answer.settled && d->classes.guess < d->exact->unrefuted) {
        d->exact->unrefuted = d->classes.guess;
    }
    return *any ? keep(d, pooled, error) : code;
}

// Nodes of the tree: its programs take longer with more processors and classes.
static int64_t side_nodes(const decision *d)
{
    const double easy = 3000;
    double size = ((double)d->classes.processors[0] + (double)d->classes.processors[1]) *
                  (double)d->classes.count;
    int64_t nodes = d->effort->tree;
    return size > easy ? (int64_t)((double)nodes * easy / size) : nodes;
}

// Branch and price on the types of the tasks.
static duet_code by_sides(decision *d, duet_error *error)
{
    enum { leaf_nodes = 2000, listed = 500000 };
    duet_exact *s = d->exact;
    bool area[2];
    bool pooled[2];
    bool any;
    // The relaxation of a length is of no use beyond one that it could not refute: the tree has its
    // own.
    duet_code code = d->classes.guess >= d->exact->unrefuted
                         ? choose_modes(d, area, pooled, &any, error)
                         : relax(d, area, pooled, &any, error);
    if (code != DUET_OK || !any || d->verdict == DUET_REFUTED) {
        return code;
    }
    duet_cover_limits limits = {leaf_nodes, d->effort->patterns, d->effort->pack, true, listed};
    duet_cover_stats stats = {0, 0};
    duet_tree_stats tree = {0, 0, 0, 0, false};
    start_log(d);
    code = duet_branch_and_price(&d->classes, area, pooled, &s->columns, side_nodes(d), &limits,
                                 &s->random, s->context, log_of(d), &d->loads, &stats, &tree,
                                 &d->verdict, error);
    count(d, &stats);
    s->nodes += tree.nodes;
    s->programs += tree.programs;
    s->wide = tree.wide;
    return code;
}

// Where the relaxation refuted the last length, it may do so again, which spares the packing.
static duet_code by_relaxation(decision *d, duet_error *error)
{
    bool area[2];
    bool pooled[2];
    bool any;
    bool may = d->exact->relaxed && d->classes.guess < d->exact->unrefuted;
    return may ? relax(d, area, pooled, &any, error) : DUET_OK;
}

// The configuration relaxation: a proof, or prices that leave few patterns.
static duet_code by_prices(decision *d, duet_error *error)
{
    bool area[2];
    bool pooled[2];
    bool any;
    duet_code code = relax(d, area, pooled, &any, error);
    if (code == DUET_OK && any && d->effort->dives > 0) {
        code = by_dives(d, pooled, error);
    }
    return code == DUET_OK && any && d->verdict == DUET_OPEN ? search(d, pooled, false, error)
                                                             : code;
}

static duet_code by_splits(decision *d, duet_error *error)
{
    duet_exact *s = d->exact;
    if (d->classes.count > SPLIT_CLASSES) {
        return DUET_OK;
    }
    duet_cover_limits limits = limits_of(d);
    duet_cover_stats stats = {0, 0};
    duet_allocation_stats splits = {0, 0, false};
    start_log(d);
    duet_code code =
        duet_allocation_search(&d->classes, d->effort->splits, &limits, &s->random, s->context,
                               log_of(d), &d->loads, &stats, &splits, &d->verdict, error);
    count(d, &stats);
    d->dealt = splits.all && splits.splits > 0;
    return code;
}

static duet_code decide(decision *d, duet_error *error)
{
    typedef duet_code method(decision *, duet_error *);
    static method *const methods[] = {by_area, by_sides, by_relaxation, by_splits, by_prices};
    static const char *const names[] = {"area", "sides", "prices", "splits", "prices"};
    duet_code code = DUET_OK;
    if (d->classes.nowhere != SIZE_MAX) {
        start_log(d);
        duet_log_nowhere(log_of(d), d->classes.nowhere);
        d->verdict = DUET_REFUTED;
    }
    const size_t ways = sizeof methods / sizeof methods[0];
    for (size_t i = 0; i < ways && code == DUET_OK && d->verdict == DUET_OPEN; i++) {
        // Without nodes to spend, only what can be packed at once.
        if (methods[i] != by_splits && d->effort->nodes == 0) {
            continue;
        }
        // With few deals the rest is packing, at which nodes do more than prices.
        if (methods[i] == by_prices && d->dealt && d->effort->nodes > MIXED_NODES) {
            break;
        }
        if (methods[i] == by_sides && d->effort->tree == 0) {
            continue;
        }
        d->exact->doing = names[i];
        d->treed = methods[i] == by_sides;
        code = methods[i](d, error);
    }
    return code;
}

duet_code duet_exact_decide(duet_exact *s, int64_t guess, const duet_exact_effort *effort,
                            duet_verdict *verdict, int64_t *refuted, duet_error *error)
{
    decision d = {
        .exact = s, .effort = effort, .verdict = DUET_OPEN, .refuted = guess, .prices = {.id = -1}};
    *verdict = DUET_OPEN;
    *refuted = guess;
    duet_code code = duet_classes_create(s->instance, guess, &d.classes, error);
    if (code != DUET_OK) {
        return code;
    }
    s->guesses++;
    code = duet_classes_weights(&d.classes, d.weight, error);
    if (code == DUET_OK) {
        code = duet_prices_create(&d.classes, &d.prices, error);
    }
    if (code == DUET_OK && s->searchable) {
        code = decide(&d, error);
    }
    if (code == DUET_OK && d.verdict == DUET_FOUND && d.loads.loads > 0) {
        // A tree's schedule mostly fills the length, and is easily shortened.
        code = d.treed ? duet_exact_polish(s, &d.classes, &d.loads, effort->pack, error)
                       : duet_exact_offer(s, &d.classes, &d.loads, error);
    }
    s->treed = d.treed;
    s->relaxed = effort->nodes > 0 ? d.relaxed : s->relaxed;
    *verdict = d.verdict;
    *refuted = d.refuted;
    duet_loads_free(&d.loads);
    duet_prices_free(&d.prices);
    duet_classes_free(&d.classes);
    return code;
}
