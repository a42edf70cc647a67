// SPDX-License-Identifier: Apache-2.0
// Algorithm: exact.
// Method:    Asks whether there is a schedule within a length, from the knapsack bound upward: a NO
//            lifts the bound, a YES lowers the best schedule (exact/rounds.c). Equal tasks are one
//            class. A length is tried in five ways (exact/decide.c): cover by prices of area;
//            branch and price on the types of the tasks (exact/branch_and_price.c), from the second
//            round on or where one type alone has patterns; the deals of the tasks to the types,
//            each two problems on identical processors (exact/allocations.c); dives into the
//            configuration program (lp/configuration/configuration.h, exact/dive.c), and cover by
//            its prices. The deal of a schedule that a tree found is packed anew within shorter
//            lengths (exact/repack.c). Cover gives one processor after another a load of tasks, and
//            leaves out what prices show to be in no schedule (exact/cover.c). Rounds of climbing
//            and improving, each with a multiple of the effort of the one before; two threads share
//            a round, with the same result as one. docs/theory.md, "Exact", has the proofs.
// Guarantee: 1 where it ends; before that, the best schedule and the best proven bound. Decisions
//            are taken in integers: floating point proposes prices and orders. The proof of the
//            bound can be written to a file, which check/proof/proof.c checks alone.
// Cost:      exponential in the worst case, about four tasks on each of many processors being the
//            hardest. Nothing is searched beyond 10^7 tasks or 10^6 kinds.
// Memory:    O(n) for four schedules, without which nothing is searched, and what the limits of a
//            round allow: lists of up to about a million patterns or pairs of works, tables of tens
//            of MiB, twice with two threads; proofs of up to 1 GiB, two for each search, only where
//            one is asked for.
// Reference: Gilmore, Gomory, Operations Research 9(6), 1961 (configurations); Kellerer, Pferschy,
//            Pisinger, "Knapsack Problems", Springer 2004 (the knapsack's lists); Knuth, "Dancing
//            links", 2000 (cover); Vanderbeck, Mathematical Programming 86(3), 1999 (dives);
//            Vance et al. 1994 and Barnhart et al. 1998 (branch and price,
//            exact/branch_and_price.h); the price argument of the cover and the deals are ours.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/options.h"
#include "core/output.h"
#include "dp/knapsack/knapsack.h"
#include "heuristics/heuristics.h"
#include "heuristics/improve/improve.h"
#include "heuristics/rules/guarantee.h"
#include "solvers/cheap_bounds.h"
#include "solvers/exact/search.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "proof",
     .type = DUET_OPTION_TEXT,
     .fallback = "",
     .unit = "file",
     .text = "write the proof of the bound here (duet verify --proof checks it)"},
    {.name = "rounds",
     .type = DUET_OPTION_INTEGER,
     .fallback = "0",
     .maximum = 1000,
     .unit = "",
     .text = "end after so many rounds of growing effort (0: no such limit); unlike a time limit "
             "it gives the same answer on every machine"},
    {.name = NULL}};

// Why nothing is searched, with the limits of exact.h.
static const char too_large[] =
    "more than 10,000,000 tasks or 1,000,000 kinds, or than there is memory for";

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    (void)counts;
    (void)given;
    *out = (duet_ratio){1, 0, 0, 1};
    return types == 2;
}

typedef duet_exact exact;

// Deals the loads of a schedule out as placements. Tasks that take no time somewhere go there.
static duet_code place(const duet_instance *instance, const duet_classes *classes,
                       const duet_loads *loads, duet_solution *solution, duet_error *error)
{
    // The kinds of each class in order: first[class], then next[kind]; used[kind] tasks are dealt.
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
            int32_t type = duet_allowed(instance, i, 0) && duet_time(instance, i, 0) == 0 ? 0 : 1;
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                solution->placement[j] = (duet_placement){0, 0, type};
            }
        }
        int32_t processor[2] = {0, 0};
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
// of a search ends the call, and does not take the best schedule's place.
static duet_code check_loads(const duet_classes *classes, const duet_loads *loads,
                             duet_error *error)
{
    int64_t used[2] = {0, 0};
    int64_t *left = duet_alloc(classes->count, sizeof *left, error);
    if (left == NULL) {
        return DUET_E_MEMORY;
    }
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
    whole = whole && used[0] <= classes->processors[0] && used[1] <= classes->processors[1];
    duet_free(left);
    return whole ? DUET_OK
                 : duet_error_set(error, DUET_E_INTERNAL,
                                  "exact: what a search found is no schedule");
}

// The schedule of the loads, in s->trial.
static duet_code place_trial(exact *s, const duet_classes *classes, const duet_loads *loads,
                             duet_error *error)
{
    duet_code code = check_loads(classes, loads, error);
    if (code == DUET_OK) {
        code = duet_solution_hold_placements(s->trial, error);
    }
    if (code == DUET_OK) {
        code = place(s->instance, classes, loads, s->trial, error);
    }
    if (code == DUET_OK) {
        s->trial->makespan = duet_solution_measure(s->trial, s->instance);
    }
    return code;
}

static void take_trial(exact *s)
{
    if (s->trial->makespan < s->best->makespan) {
        duet_solution_swap_schedules(s->best, s->trial);
    }
}

// Takes the schedule of the loads where it is better than the best.
duet_code duet_exact_offer(exact *s, const duet_classes *classes, const duet_loads *loads,
                           duet_error *error)
{
    duet_code code = place_trial(s, classes, loads, error);
    if (code == DUET_OK) {
        take_trial(s);
    }
    return code;
}

// Deals pairs of processors of a schedule anew, whatever their types. Where there is no memory for
// that, the schedule stays as it is.
static duet_code shorten_schedule(exact *s, int64_t effort, duet_solution *schedule,
                                  duet_error *error)
{
    duet_context context = *s->context;
    context.seed = duet_random_next(&s->random);
    duet_improved improved;
    duet_code code =
        duet_improve(s->instance, &context, s->bound.value, effort, schedule, &improved, error);
    return code == DUET_E_LIMIT ? DUET_OK : code;
}

duet_code duet_exact_polish(exact *s, const duet_classes *classes, const duet_loads *loads,
                            int64_t effort, duet_error *error)
{
    duet_code code = place_trial(s, classes, loads, error);
    if (code == DUET_OK) {
        code = shorten_schedule(s, effort, s->trial, error);
    }
    if (code == DUET_OK) {
        take_trial(s);
    }
    return code;
}

// The schedule of a deal of the classes to the types, levelled.
static duet_code schedule_deal(exact *s, const duet_classes *classes, const int64_t *on_cpu,
                               int64_t effort, duet_error *error)
{
    duet_residual state;
    duet_loads loads = {.loads = 0};
    duet_code code = duet_residual_create(classes, &state, error);
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        state.low[c] = state.high[c] = on_cpu[c];
    }
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_cover_level(classes, &state, t, s->bound.value, effort, &s->random, s->context,
                                &loads, error);
    }
    if (code == DUET_OK) {
        code = duet_exact_offer(s, classes, &loads, error);
    }
    duet_loads_free(&loads);
    duet_residual_free(&state);
    return code;
}

// A deal for a length, scheduled: the best one of the knapsack, or one of a random core.
static duet_code schedule_guess(exact *s, int64_t guess, bool core, bool *exceeded,
                                duet_error *error)
{
    enum { effort = 500 };
    duet_classes classes;
    int64_t weight[2];
    duet_knapsack_answer answer = {.fits = false};
    *exceeded = false;
    if (!s->searchable) {
        return DUET_OK;
    }
    duet_code code = duet_classes_create(s->instance, guess, &classes, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t *on_cpu = duet_alloc(classes.count, sizeof *on_cpu, error);
    code = on_cpu == NULL ? DUET_E_MEMORY : duet_classes_weights(&classes, weight, error);
    if (code == DUET_OK) {
        code = core ? duet_knapsack_core(&classes, weight, &s->random, on_cpu, &answer, error)
                    : duet_knapsack_decide(&classes, weight, on_cpu, &answer, error);
    }
    if (code == DUET_OK && answer.fits) {
        code = schedule_deal(s, &classes, on_cpu, effort, error);
    }
    *exceeded = answer.exceeded;
    duet_free(on_cpu);
    duet_classes_free(&classes);
    return code;
}

bool duet_exact_is_open(const duet_exact *s)
{
    return s->bound.value < s->best->makespan && !duet_context_stop(s->context);
}

// The deal of the knapsack at the bound; where its lists are too long, deals of cores at lengths
// that grow until one is scheduled within them.
static duet_code first_schedules(exact *s, duet_error *error)
{
    enum { tries = 6 };
    bool exceeded = false;
    duet_code code = schedule_guess(s, s->bound.value, false, &exceeded, error);
    int64_t guess = s->bound.value;
    for (int64_t step = 1;
         exceeded && code == DUET_OK && duet_exact_is_open(s) && guess < s->best->makespan;
         step *= 4) {
        bool ignored;
        for (int i = 0; i < tries && code == DUET_OK && duet_exact_is_open(s); i++) {
            code = schedule_guess(s, guess, true, &ignored, error);
        }
        guess += step;
    }
    return code;
}

duet_code duet_exact_shorten(exact *s, int64_t effort, duet_error *error)
{
    bool wanted = s->searchable && duet_exact_is_open(s);
    return wanted ? shorten_schedule(s, effort, s->best, error) : DUET_OK;
}

static duet_code start(exact *s, duet_error *error)
{
    duet_context defaults = *s->context;
    defaults.options = NULL;
    duet_code code = duet_offer_cheap_bounds(s->instance, s->context, s->best, error);
    if (code == DUET_OK) {
        code = duet_algorithm_lpt.run(s->instance, &defaults, s->best, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    s->best->makespan = duet_solution_measure(s->best, s->instance);
    s->bound = (duet_bound){.name = s->best->bound_name,
                            .value = s->best->lower_bound,
                            .certificate = s->best->certificate};
    duet_price_list_retain(s->bound.certificate.prices);
    if (s->bound.value < s->best->makespan) {
        code = duet_knapsack_raise(s->instance, s->context, s->best->makespan, &s->bound, error);
    }
    if (code == DUET_OK && s->bound.value < s->best->makespan) {
        code = first_schedules(s, error);
    }
    return code == DUET_OK ? duet_exact_shorten(s, DUET_IMPROVE_EFFORT, error) : code;
}

// A bound that did not come from a search has a certificate, and then a short proof: the same
// length decided again, for which there are some seconds more.
static duet_code prove_simple_bound(exact *s, bool *proven, duet_error *error)
{
    static const duet_exact_effort effort = {
        .nodes = 100000, .patterns = 100000, .splits = 100, .pack = 0};
    static const int64_t nanoseconds = INT64_C(3000000000);
    duet_context context = *s->context;
    int64_t deadline = duet_clock_ns() + nanoseconds;
    context.deadline_ns = context.deadline_ns > deadline ? context.deadline_ns : deadline;
    const duet_context *own = s->context;
    s->context = &context;
    duet_verdict verdict = DUET_OPEN;
    int64_t refuted;
    duet_code code = duet_exact_decide(s, s->bound.value - 1, &effort, &verdict, &refuted, error);
    s->context = own;
    duet_log proof = s->proof;
    s->proof = s->log;
    s->log = proof;
    *proven = verdict == DUET_REFUTED;
    return code;
}

// Completes the proof. Where there is none, *why says so.
static duet_code complete_proof(exact *s, const char **why, duet_error *error)
{
    bool proven = true;
    duet_code code = DUET_OK;
    *why = NULL;
    if (s->bound.value == 0) {
        *why = "a bound of 0 needs none";
        return DUET_OK;
    }
    if (!s->searchable) {
        *why = too_large;
        return DUET_OK;
    }
    if (s->simple) {
        code = prove_simple_bound(s, &proven, error);
    }
    if (s->proof.lost) {
        *why = "it is longer than 1 GiB, or than there is memory for";
    } else if (!proven) {
        *why = "the bound has none as a tree";
    }
    return code;
}

// Makes the proof and writes it into the file that was opened before the search. Where there is
// none, the solution says so.
static duet_code make_proof(exact *s, duet_output *output, duet_error *error)
{
    const char *why;
    duet_code code = complete_proof(s, &why, error);
    if (code == DUET_OK && why != NULL) {
        snprintf(s->best->note, sizeof s->best->note, "no proof was written: %s", why);
        duet_output_abandon(output);
        return DUET_OK;
    }
    return code == DUET_OK ? duet_log_write(&s->proof, output, s->bound.value, error) : code;
}

// What fails here, a full disk above all, comes after the search: its schedule is not lost for
// that.
static duet_code write_proof(exact *s, duet_output *output, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = make_proof(s, output, &why);
    if (code == DUET_E_OUTPUT || code == DUET_E_MEMORY || code == DUET_E_LIMIT) {
        char text[sizeof s->best->note - 32]; // what is longer is cut
        snprintf(s->best->note, sizeof s->best->note, "no proof was written: %s",
                 duet_error_format(&why, text, sizeof text));
        s->best->output_failed = true;
        return DUET_OK;
    }
    if (code != DUET_OK && error != NULL) {
        *error = why;
    }
    return code;
}

void duet_exact_free(duet_exact *s)
{
    duet_solution_free(s->trial);
    for (size_t i = 0; i < DUET_EXACT_CACHE; i++) {
        duet_prices_free(&s->cache[i].prices);
    }
    duet_bound_release(&s->bound);
    duet_price_list_release(s->certificate.prices);
    duet_column_store_free(&s->columns);
    duet_log_free(&s->log);
    duet_log_free(&s->proof);
}

// Whether there is memory for four schedules that name each task.
static bool is_searchable(const exact *s)
{
    enum { schedules = 4 };
    int64_t tasks = s->best->tasks;
    return tasks <= DUET_EXACT_MOST_TASKS && s->instance->kinds <= DUET_EXACT_MOST_KINDS &&
           (size_t)tasks <= s->context->memory_limit / schedules / sizeof(duet_placement);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    const char *path = duet_option_text(context->options, options, "proof");
    // Read once: what the threads hold by then shall not decide which search is made.
    duet_context own = *context;
    own.memory_limit = duet_memory_limit(context->memory_limit);
    exact s = {.instance = instance,
               .context = &own,
               .best = solution,
               .simple = true,
               .doing = "exact",
               .unrefuted = INT64_MAX,
               .most_rounds = duet_option_integer(context->options, options, "rounds"),
               .proof_wanted = path[0] != '\0'};
    s.searchable = is_searchable(&s);
    duet_random_seed(&s.random, context->seed);
    duet_output output = {.stream = NULL};
    duet_code code = duet_solution_create_blank(solution->tasks, &s.trial, error);
    if (code == DUET_OK && s.proof_wanted) {
        code = duet_output_open(&output, path, error); // before any work goes into it
    }
    if (code == DUET_OK) {
        code = start(&s, error);
    }
    if (code == DUET_OK) {
        code = duet_exact_solve(&s, error);
    }
    if (code == DUET_OK) {
        duet_solution_offer_bound(solution, &s.bound);
        solution->ratio_void = s.bound.value < solution->makespan;
        // What it may not search at all it leaves by itself: more time would not help.
        solution->interrupted = solution->ratio_void && duet_context_stop(context);
        if (solution->ratio_void && !s.searchable) {
            snprintf(solution->note, sizeof solution->note, "nothing was searched: %s", too_large);
        }
        duet_solution_count(solution, "lengths", s.guesses);
        duet_solution_count(solution, "nodes", s.nodes);
        duet_solution_count(solution, "patterns", s.patterns);
        duet_solution_count(solution, "programs", s.programs);
    }
    if (code == DUET_OK && s.proof_wanted) {
        code = write_proof(&s, &output, error);
    }
    duet_output_abandon(&output);
    duet_exact_free(&s);
    return code;
}

const duet_algorithm duet_algorithm_exact = {
    .entry = {.name = "exact",
              .summary = "the optimum, or the best schedule and bound within the time",
              .guarantee = "1 where it ends",
              .reference = "configurations: Gilmore, Gomory, Operations Research 9(6), 1961",
              .options = options},
    .makes_runs = true,
    .ratio = ratio,
    .run = run,
};
