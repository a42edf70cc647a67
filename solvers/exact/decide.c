// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/decide.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/allocations.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/modes.h"

typedef struct decision {
    // Inputs.
    duet_exact *exact;
    const duet_exact_effort *effort;

    // The guess.
    duet_classes classes;
    duet_residual state; // all of it
    duet_prices prices;
    int64_t weight[2];
    duet_processor_holding of[2]; // the types

    // The searches, one after the other; its verdict is that of the last.
    duet_search search;
    duet_search_stats stats;
    duet_loads loads;

    // Answers.
    bool by_tree;    // branch and price was tried last
    bool enumerated; // all allocations were gone through
    int64_t refuted; // the largest guess that was
} decision;

static void start_log(decision *d)
{
    duet_exact *s = d->exact;
    duet_log_start(&s->log, &d->classes,
                   s->proving.wanted && !s->proving.alone ? DUET_EXACT_PROOF_BYTES
                                                          : DUET_EXACT_LINES_BYTES);
    s->log.types = s->proving.alone ? 1 : s->log.types;
    d->prices.id = -1;
    duet_loads_clear(&d->loads);
}

// Begins a search of the whole guess, with the limits of the effort.
static void begin_search(decision *d)
{
    duet_exact *s = d->exact;
    start_log(d);
    d->stats = (duet_search_stats){.nodes = 0};
    d->search.limits = (duet_search_limits){
        .nodes = d->effort->nodes, .patterns = d->effort->patterns, .pack_effort = d->effort->pack};
    d->search.log = &s->log;
    d->search.exchanges = !s->proving.wanted;
    DUET_ASSERT(duet_search_is_whole(&d->search));
}

// What a search counted goes to the state.
static void end_search(decision *d)
{
    d->exact->nodes += d->stats.nodes;
    d->exact->patterns += (int64_t)d->stats.patterns;
    d->exact->programs += d->stats.programs;
    DUET_ASSERT(duet_search_is_whole(&d->search));
}

static void set_types(bool of[2], bool cpu, bool gpu)
{
    of[0] = cpu;
    of[1] = gpu;
}

// Covers the whole guess with the prices there are.
static duet_code cover(decision *d, bool complete, duet_error *error)
{
    begin_search(d);
    d->search.limits.complete = complete;
    duet_code code = duet_cover_search(&d->search, &d->prices, error);
    end_search(d);
    return code;
}

// Cover by area: prices are weighted times; those of the patterned type are lowered to what the
// task costs on the other.
static duet_code cover_by_area(decision *d, duet_error *error)
{
    const int64_t limit = INT64_C(1) << 31;
    duet_prices_by_area(&d->classes, d->weight, &d->prices);
    size_t type = duet_exact_patterned_type(&d->classes, d->of);
    for (size_t t = 0; t < 2; t++) {
        if (d->weight[t] >= limit / (d->classes.capacity[t] + 1)) {
            return DUET_OK; // prices of the proof stay below 2^31
        }
    }
    for (size_t c = 0; c < d->classes.count; c++) {
        if (duet_class_fits(&d->classes, c, 0) && duet_class_fits(&d->classes, c, 1)) {
            int64_t other = d->prices.price[1 - type][c];
            int64_t *own = &d->prices.price[type][c];
            *own = duet_min(other, *own);
        }
    }
    d->prices.weight[0] = d->prices.weight[1] = -1;
    set_types(d->search.pooled, type == 0, type == 1);
    return cover(d, true, error);
}

// Duals are sought near the prices of the volume method, where it has some for these classes.
static void pull(const decision *d, duet_configuration *program)
{
    const duet_volume *volume = d->exact->volume;
    const double *limit;
    if (d->exact->outlook == DUET_OUTLOOK_RAISED && volume != NULL &&
        duet_volume_classes(volume)->count == d->classes.count &&
        duet_volume_classes(volume)->valid == d->classes.valid) {
        const double *price = duet_volume_prices(volume, &limit);
        if (price != NULL) {
            duet_configuration_pull(program, price, limit);
        }
    }
}

// Solves the configuration relaxation of the whole guess: for prices, or to refute it alone.
static duet_code solve_program(decision *d, bool prices, duet_configuration_answer *answer,
                               duet_error *error)
{
    duet_exact *s = d->exact;
    duet_configuration *program = NULL;
    duet_code code = duet_configuration_create(&d->classes, &d->state, d->search.divisible,
                                               &s->columns, NULL, &program, error);
    if (code == DUET_OK) {
        pull(d, program);
        code = (prices ? duet_configuration_solve : duet_configuration_refute)(
            program, DUET_DECIDE_PROGRAM_ROUNDS, s->context, &d->prices, answer, error);
        s->programs += answer->iterations;
    }
    duet_configuration_free(program);
    return code;
}

// Chooses the divisible types, and those that cover searches fill by patterns. Returns whether
// there is a relaxation.
static bool choose_modes(decision *d, duet_exact_modes modes)
{
    bool *divisible = d->search.divisible;
    bool *pooled = d->search.pooled;
    duet_exact_choose_divisible(&d->classes, d->of, modes, divisible);
    for (size_t t = 0; t < 2; t++) {
        pooled[t] = !divisible[t] && d->of[t].tasks <= DUET_DECIDE_POOLED_TASKS;
    }
    if (!pooled[0] && !pooled[1]) {
        pooled[duet_exact_patterned_type(&d->classes, d->of)] = true;
    }
    bool any = !(divisible[0] && divisible[1]) && d->classes.count <= DUET_DECIDE_MOST_PRICED &&
               duet_lp_available();
    if (modes == DUET_EXACT_COARSE) {
        d->exact->shape.one_patterned = any && divisible[0] != divisible[1] && pooled[divisible[0]];
    }
    return any;
}

// The guess's relaxation has refuted it.
static duet_code take_refutation(decision *d, const duet_configuration_answer *answer,
                                 duet_error *error)
{
    begin_search(d);
    duet_log_price(d->search.log, &d->prices);
    d->search.verdict = DUET_REFUTED;
    d->refuted = answer->proven;
    return duet_prices_certificate(&d->classes, &d->prices, answer->proven + 1,
                                   &d->exact->certificate, error);
}

// Solves the guess's relaxation, and learns how far it reaches.
static duet_code solve_relaxation(decision *d, duet_exact_modes modes, bool prices,
                                  duet_configuration_answer *answer, duet_error *error)
{
    int64_t *unrefuted = &d->exact->unrefuted[modes];
    *answer = (duet_configuration_answer){.any = false};
    duet_code code = solve_program(d, prices, answer, error);
    if (code == DUET_OK && answer->refuted) {
        return take_refutation(d, answer, error);
    }
    if (code == DUET_OK && answer->finished && d->classes.guess < *unrefuted) {
        *unrefuted = d->classes.guess;
    }
    return code;
}

// The prices of the guess's relaxation. They may refute it; *any: there are some to go on with.
static duet_code relax(decision *d, duet_exact_modes modes, bool *any, duet_error *error)
{
    duet_configuration_answer answer;
    *any = choose_modes(d, modes);
    if (!*any) {
        return DUET_OK;
    }
    duet_code code = solve_relaxation(d, modes, true, &answer, error);
    *any = code == DUET_OK && answer.any;
    return code;
}

// The relaxation, where it may refute the guess, for that alone.
static duet_code refute(decision *d, duet_exact_modes modes, duet_error *error)
{
    duet_configuration_answer answer;
    bool may = d->classes.guess < d->exact->unrefuted[modes] && choose_modes(d, modes);
    return may ? solve_relaxation(d, modes, false, &answer, error) : DUET_OK;
}

// Whether the fine relaxation is worth its time: it may still refute the guess, and the bound is
// weak, or there was time for the rest.
static bool wants_fine(const decision *d)
{
    const duet_exact *s = d->exact;
    return d->classes.guess < s->unrefuted[DUET_EXACT_FINE] &&
           (s->outlook != DUET_OUTLOOK_NEAR || s->fine_lifts ||
            duet_exact_has_few_classes(&d->classes) || d->effort->nodes > DUET_ROUND_NODES) &&
           duet_exact_has_fine(&d->classes, d->of);
}

// The finer relaxation, as far as it may still refute something; the coarse one first, since it
// takes less time.
static duet_code refine(decision *d, duet_error *error)
{
    duet_exact *s = d->exact;
    bool fine = wants_fine(d);
    if (!fine && !d->effort->relaxed) {
        return DUET_OK;
    }
    duet_code code = refute(d, DUET_EXACT_COARSE, error);
    if (code == DUET_OK && d->search.verdict == DUET_OPEN && fine) {
        code = refute(d, DUET_EXACT_FINE, error);
        s->fine_lifts = s->fine_lifts || d->search.verdict == DUET_REFUTED;
    }
    return code;
}

// The modes of covers.
static duet_exact_modes modes_to_search(const decision *d)
{
    return d->exact->fine_lifts || duet_exact_has_few_classes(&d->classes) ? DUET_EXACT_FINE
                                                                           : DUET_EXACT_COARSE;
}

// Nodes of the tree: its programs take longer with more processors and classes.
static int64_t tree_nodes(const decision *d)
{
    double size = ((double)d->classes.processors[0] + (double)d->classes.processors[1]) *
                  (double)d->classes.count;
    int64_t nodes = d->effort->tree;
    return size > DUET_DECIDE_EASY_TREE ? (int64_t)((double)nodes * DUET_DECIDE_EASY_TREE / size)
                                        : nodes;
}

static duet_code search_tree(decision *d, duet_exact_modes modes, duet_error *error)
{
    duet_exact *s = d->exact;
    bool any = choose_modes(d, modes);
    duet_code code = DUET_OK;
    // The relaxation of a guess is of no use beyond one that it could not refute: the tree has its
    // own.
    if (d->classes.guess < s->unrefuted[modes]) {
        code = relax(d, modes, &any, error);
    }
    if (code != DUET_OK || !any || d->search.verdict == DUET_REFUTED) {
        return code;
    }
    duet_tree_stats tree = {0, 0, 0, false};
    begin_search(d);
    d->search.limits.nodes = DUET_DECIDE_LEAF_NODES;
    d->search.limits.complete = true;
    d->search.limits.pool = DUET_DECIDE_POOL;
    code = duet_branch_and_price(&d->search, tree_nodes(d), &tree, error);
    end_search(d);
    s->nodes += tree.nodes;
    s->last.wide = tree.wide;
    return code;
}

// Few classes may need patterns on all types: thousands of tasks leave loads of which the area
// knows nothing.
static duet_code branch_and_price(decision *d, duet_error *error)
{
    duet_code code = search_tree(d, DUET_EXACT_COARSE, error);
    return code == DUET_OK && d->search.verdict == DUET_OPEN &&
                   duet_exact_has_few_classes(&d->classes) &&
                   duet_exact_has_fine(&d->classes, d->of)
               ? search_tree(d, DUET_EXACT_FINE, error)
               : code;
}

// The configuration relaxation: a proof, or prices that leave few patterns.
static duet_code cover_by_prices(decision *d, duet_error *error)
{
    bool any;
    duet_code code = relax(d, modes_to_search(d), &any, error);
    return code == DUET_OK && any && d->search.verdict == DUET_OPEN ? cover(d, false, error) : code;
}

static duet_code enumerate_allocations(decision *d, duet_error *error)
{
    if (d->classes.count > DUET_DECIDE_MOST_ALLOCATED) {
        return DUET_OK;
    }
    duet_allocation_stats stats = {0, 0, false};
    begin_search(d);
    duet_code code = duet_allocation_search(&d->search, d->effort->allocations, &stats, error);
    end_search(d);
    d->enumerated = stats.all && stats.fitting > 0;
    return code;
}

// A way to try a guess.
typedef struct way {
    duet_code (*run)(decision *d, duet_error *error);
    const char *doing; // for the progress line
} way;

// Whether an effort has no use for a way.
static bool is_left_out(const decision *d, const way *w)
{
    if (d->effort->relaxed) {
        return w->run != refine;
    }
    // Without nodes to spend, only what can be packed at once.
    if (d->effort->nodes == 0) {
        return w->run != enumerate_allocations;
    }
    if (w->run == branch_and_price) {
        return d->effort->tree == 0;
    }
    if (w->run != cover_by_prices) {
        return false;
    }
    // Beside trees a cover takes longer than they do, and later searches have one. With few
    // allocations the rest is packing, at which nodes do more than prices.
    bool late = d->effort->nodes > DUET_ROUND_NODES;
    bool later = d->effort->nodes > DUET_DECIDE_ALLOCATION_NODES;
    return (d->effort->tree > 0 && late) || (d->enumerated && later);
}

// Tries the ways one after the other until one answers.
static duet_code decide(decision *d, duet_error *error)
{
    static const way ways[] = {{cover_by_area, "area"},
                               {refine, "prices"},
                               {branch_and_price, "branch and price"},
                               {enumerate_allocations, "allocations"},
                               {cover_by_prices, "prices"}};
    duet_code code = DUET_OK;
    if (d->classes.nowhere != SIZE_MAX) {
        begin_search(d);
        duet_log_nowhere(d->search.log, d->classes.nowhere);
        d->search.verdict = DUET_REFUTED;
    }
    for (size_t i = 0;
         i < sizeof ways / sizeof ways[0] && code == DUET_OK && d->search.verdict == DUET_OPEN;
         i++) {
        if (is_left_out(d, &ways[i])) {
            continue;
        }
        d->exact->doing = ways[i].doing;
        d->by_tree = ways[i].run == branch_and_price;
        code = ways[i].run(d, error);
    }
    return code;
}

static duet_code prepare(decision *d, duet_error *error)
{
    duet_exact *s = d->exact;
    d->search = (duet_search){.classes = &d->classes,
                              .state = &d->state,
                              .context = s->context,
                              .random = &s->random,
                              .store = &s->columns,
                              .loads = &d->loads,
                              .stats = &d->stats,
                              .verdict = DUET_OPEN};
    duet_code code = duet_classes_weights(&d->classes, d->weight, error);
    DUET_THEN(code, duet_configuration_measure(&d->classes, d->weight, d->of, error));
    DUET_THEN(code, duet_prices_create(&d->classes, &d->prices, error));
    return code == DUET_OK ? duet_residual_create(&d->classes, &d->state, error) : code;
}

duet_code duet_exact_decide(duet_exact *s, int64_t guess, const duet_exact_effort *effort,
                            duet_verdict *verdict, int64_t *refuted, duet_error *error)
{
    decision d = {.exact = s, .effort = effort, .refuted = guess, .prices = {.id = -1}};
    *verdict = DUET_OPEN;
    *refuted = guess;
    DUET_TRY(duet_classes_create(s->instance, guess, &d.classes, error));
    s->guesses++;
    duet_code code = prepare(&d, error);
    if (code == DUET_OK && s->searchable) {
        code = decide(&d, error);
    }
    // A search that failed may have left the verdict of a part of it.
    *verdict = code == DUET_OK ? d.search.verdict : DUET_OPEN;
    if (code == DUET_OK && *verdict == DUET_FOUND && d.loads.loads > 0) {
        // A tree's schedule mostly fills the guess, and is easily shortened.
        code = d.by_tree ? duet_incumbent_polish(s, &d.classes, &d.loads, effort->pack, error)
                         : duet_incumbent_offer(s, &d.classes, &d.loads, error);
    }
    s->last.by_tree = d.by_tree;
    *refuted = d.refuted;
    DUET_ASSERT(*verdict != DUET_REFUTED || *refuted >= guess);
    duet_loads_free(&d.loads);
    duet_prices_free(&d.prices);
    duet_residual_free(&d.state);
    duet_classes_free(&d.classes);
    return code;
}
