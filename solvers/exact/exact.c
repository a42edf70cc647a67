// SPDX-License-Identifier: Apache-2.0
// Algorithm: exact.
// Method:    Asks whether there is a schedule within a guess, from the knapsack bound upward: a NO
//            lifts the bound, a YES lowers the best schedule (solvers/exact/rounds.c). Equal tasks
//            are one class. A guess is tried in up to five ways, one after the other until one
//            answers (solvers/exact/decide.c): cover by prices of area; configuration relaxations
//            for a refutation alone, where the bound is weak; branch and price on the types of the
//            tasks (solvers/exact/branch_and_price/), while climbing from the second round on, and
//            in the first where one type alone has patterns; all allocations of the tasks to the
//            types, each two problems on identical processors (solvers/exact/allocations.c); the
//            configuration relaxation (lp/configuration/configuration.h) and a cover by its prices,
//            which a large effort leaves out where the allocations are few. An effort without nodes
//            tries the allocations alone, by packing. The allocation of a schedule that branch and
//            price found is packed anew within smaller guesses (solvers/exact/repack.c). Cover
//            gives one processor after another a load of tasks, and leaves out what prices show to
//            be in no schedule (solvers/exact/cover/). Rounds of climbing and improving, each with
//            a multiple of the effort of the one before; threads take parts of trees and of rounds,
//            with the same result as one (solvers/exact/parts.h, solvers/exact/beside.h). On other
//            than two types solvers/exact/types/types.h has what follows the first schedules.
//            docs/theory/exact.md has the proofs.
// Guarantee: 1 where it ends; before that, the best schedule and the best proven bound. Decisions
//            are taken in integers: floating point proposes prices and orders. The proof of the
//            bound can be written to a file, which check/proof/proof.c checks alone.
// Cost:      exponential in the worst case, about four tasks on each of many processors being the
//            hardest. Nothing is searched beyond 10^7 tasks or 10^6 kinds.
// Memory:    O(n) for five schedules, without which nothing is searched, and what the limits of a
//            round allow: up to about a million patterns or pairs of works, tables of tens of MiB,
//            twice with two threads; proofs of up to 1 GiB, two for each search, only where one is
//            asked for.
// Reference: Gilmore, Gomory, Operations Research 9(6), 1961 (configurations); Kellerer, Pferschy,
//            Pisinger, "Knapsack Problems", Springer 2004 (the knapsack's lists); Knuth, "Dancing
//            links", 2000 (cover); Vanderbeck, Mathematical Programming 86(3), 1999 (dives);
//            Vance et al. 1994 and Barnhart et al. 1998 (branch and price,
//            solvers/exact/branch_and_price/branch_and_price.h); the price argument of the cover
//            and the enumeration of allocations are ours.
#include <stdio.h>
#include <string.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"
#include "heuristics/heuristics.h"
#include "heuristics/improve/improve.h"
#include "heuristics/rules/rules.h"
#include "solvers/cheap_bounds.h"
#include "solvers/exact/decide.h"
#include "solvers/exact/equal_types.h"
#include "solvers/exact/guess_schedule.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/level.h"
#include "solvers/exact/rounds.h"
#include "solvers/exact/types/prove.h"
#include "solvers/exact/types/types.h"
#include "solvers/graph/exact.h"
#include "solvers/moldable/portfolio.h"
#include "solvers/released/released.h"
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

// Why nothing is searched, with the limits of solvers/exact/tuning.h.
static const char too_large[] =
    "more than 10,000,000 tasks or 1,000,000 kinds, or than there is memory for";

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    (void)types;
    (void)counts;
    (void)given;
    *out = (duet_ratio){1, 0, 0, 1};
    return true;
}

typedef duet_exact exact;

// The allocation of the knapsack at the bound; where its lists are too long, those of cores at
// guesses that grow until one is scheduled within them. Cores take long where the slack is large,
// as beside one long task, and a short schedule spares them.
static duet_code first_schedules(exact *s, duet_error *error)
{
    static const duet_allocating best_allocation = {.level = DUET_EXACT_FIRST_EFFORT,
                                                    .fill = DUET_EXACT_FIRST_FILL};
    static const duet_allocating random_core = {.core = true, .level = DUET_EXACT_FIRST_EFFORT};
    duet_knapsack_answer best;
    duet_code code = duet_exact_schedule_guess(s, s->bound.value, &best_allocation, &best, error);
    int64_t guess = s->bound.value;
    s->shape.long_lists = best.exceeded;
    if (code == DUET_OK && best.exceeded) {
        code = duet_incumbent_shorten(s, DUET_IMPROVE_EFFORT, error);
    }
    for (int64_t step = 1;
         best.exceeded && code == DUET_OK && duet_exact_is_open(s) && guess < s->best->makespan;
         step *= DUET_EXACT_FIRST_GROWTH) {
        duet_knapsack_answer ignored;
        for (int i = 0; i < DUET_EXACT_FIRST_TRIES && code == DUET_OK && duet_exact_is_open(s);
             i++) {
            code = duet_exact_schedule_guess(s, guess, &random_core, &ignored, error);
        }
        guess += step;
    }
    return code;
}

// The schedule and the bound that are known.
static duet_code start_from_known(exact *s, const duet_placement *placement, duet_error *error)
{
    const duet_solution *known = s->context->known;
    duet_bound bound = {
        .name = known->bound_name, .value = known->lower_bound, .certificate = known->certificate};
    duet_code code = duet_solution_hold_placements(s->best, error);
    if (code == DUET_OK) {
        memcpy(s->best->placement, placement, (size_t)s->best->tasks * sizeof *placement);
        duet_solution_offer_bound(s->best, &bound);
    }
    return code;
}

// A first bound and a first schedule: those that are known, or the cheap bounds and lpt.
static duet_code start_somewhere(exact *s, duet_error *error)
{
    duet_context defaults = *s->context;
    defaults.options = NULL;
    const duet_solution *known = s->searchable ? s->context->known : NULL;
    const duet_placement *placement = known != NULL ? duet_solution_placements(known) : NULL;
    duet_code code = DUET_OK;
    if (placement != NULL) {
        code = start_from_known(s, placement, error);
    } else {
        code = duet_offer_cheap_bounds(s->instance, s->context, s->best, error);
        code =
            code == DUET_OK ? duet_algorithm_lpt.run(s->instance, &defaults, s->best, error) : code;
    }
    if (code == DUET_OK) {
        s->best->makespan = duet_solution_measure(s->best, s->instance);
        s->bound = (duet_bound){.name = s->best->bound_name,
                                .value = s->best->lower_bound,
                                .certificate = s->best->certificate};
        duet_certificate_retain(&s->bound.certificate);
    }
    return code;
}

// A better bound and better schedules, which take little time. The rounds go on with a schedule of
// few tasks that was annealed as long before.
static duet_code start(exact *s, duet_error *error)
{
    bool pair = s->instance->types == 2; // others have rounds of their own, with annealing
    bool fresh = !duet_incumbent_was_annealed(s);
    duet_code code = DUET_OK;
    if (!duet_exact_is_closed(s)) {
        code = (pair ? duet_knapsack_raise : duet_knapsack_raise_by_weights)(
            s->instance, s->context, s->best->makespan, &s->bound, error);
    }
    if (code == DUET_OK && pair && !duet_exact_is_closed(s)) {
        code = first_schedules(s, error);
    }
    if (code == DUET_OK && fresh) {
        code = duet_incumbent_shorten(s, DUET_IMPROVE_EFFORT, error);
    }
    int64_t moves = s->best->tasks < DUET_EXACT_MOST_MOVES / DUET_EXACT_MOVES
                        ? s->best->tasks * DUET_EXACT_MOVES
                        : DUET_EXACT_MOST_MOVES;
    if (code == DUET_OK && pair && fresh) {
        code = duet_incumbent_anneal(s, moves, error);
    }
    return code == DUET_OK ? duet_exact_level(s, error) : code;
}

// On two types the same guess is decided again.
static duet_code decide_again(exact *s, bool *proven, duet_error *error)
{
    static const duet_exact_effort effort = {.nodes = DUET_EXACT_PROOF_NODES,
                                             .patterns = DUET_EXACT_PROOF_PATTERNS,
                                             .allocations = DUET_EXACT_PROOF_ALLOCATIONS};
    duet_verdict verdict = DUET_OPEN;
    int64_t refuted;
    duet_code code = duet_exact_decide(s, s->bound.value - 1, &effort, &verdict, &refuted, error);
    duet_exact_take_log(s);
    *proven = verdict == DUET_REFUTED;
    return code == DUET_OK && !*proven ? duet_exact_prove_by_area(s, proven, error) : code;
}

// A bound that did not come from a search has a certificate, and then a short proof: the guess is
// refuted again, for which there are some seconds more.
static duet_code prove_simple_bound(exact *s, bool *proven, duet_error *error)
{
    duet_context context = *s->context;
    int64_t deadline = duet_clock_ns() + DUET_EXACT_PROOF_NANOSECONDS;
    context.deadline_ns = duet_max(context.deadline_ns, deadline);
    const duet_context *own = s->context;
    s->context = &context;
    duet_code code = (s->instance->types == 2 ? decide_again : duet_types_prove)(s, proven, error);
    s->context = own;
    return code;
}

// Completes the proof. If there is no proof, *why says the reason.
static duet_code complete_proof(exact *s, const char **why, duet_error *error)
{
    bool proven = true;
    duet_code code = DUET_OK;
    *why = NULL;
    if (s->bound.value == 0) {
        return DUET_OK; // it needs no node
    }
    if (!s->searchable) {
        code = duet_exact_prove_by_area(s, &proven, error);
        *why = proven ? NULL : too_large;
        return code;
    }
    if (s->proof_of != s->bound.value) {
        code = prove_simple_bound(s, &proven, error);
    }
    if (s->proof.out.lost) {
        *why = "it is longer than 1 GiB, or than there is memory for";
    } else if (!proven) {
        *why = "the bound has none as a tree";
    }
    return code;
}

// Makes the proof and writes it into the file that was opened before the search. Where there is
// none, that is the file's failure, and the solution says why.
static duet_code make_proof(exact *s, duet_output *output, duet_error *error)
{
    const char *why;
    duet_code code = complete_proof(s, &why, error);
    if (code == DUET_OK && why != NULL) {
        snprintf(s->best->note, sizeof s->best->note, "no proof was written: %s", why);
        s->best->output_failed = true;
        duet_output_abandon(output);
        return DUET_OK;
    }
    const duet_log_claim claim = {s->bound.value, s->types_line};
    return code == DUET_OK ? duet_log_write(&s->proof, output, &claim, error) : code;
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

// Whether there is memory for five schedules that name each task.
static bool is_searchable(const exact *s)
{
    int64_t tasks = s->best->tasks;
    return tasks <= DUET_EXACT_MOST_TASKS && s->instance->kinds <= DUET_EXACT_MOST_KINDS &&
           (size_t)tasks <=
               s->context->memory_limit / DUET_EXACT_SCHEDULES / sizeof(duet_placement);
}

static bool moldable_ratio(const duet_instance *instance, const duet_options *given,
                           duet_ratio *out)
{
    return ratio(instance->types, instance->processors, given, out);
}

// The work of a search and its span, in about microseconds and at least one.
static void count_work(const exact *s, duet_solution *solution)
{
    enum { MICROSECOND = 1000 };
    duet_counted all = duet_counted_since(s->before);
    duet_solution_count(solution, "work", all.done / MICROSECOND + 1);
    duet_solution_count(solution, "span", all.span / MICROSECOND + 1);
}

// The proof of a search is the certificate where it is short.
static duet_code certify(exact *s, duet_error *error)
{
    const duet_log *log = &s->proof;
    bool searched = s->proof_of == s->bound.value && s->bound.value > 0 &&
                    s->bound.certificate.proof == DUET_PROOF_NONE;
    if (!searched || log->out.lost || log->out.length > DUET_EXACT_LINES_BYTES) {
        return DUET_OK;
    }
    char *text;
    size_t length;
    const duet_log_claim claim = {s->bound.value, s->types_line};
    duet_code code = duet_log_text(log, &claim, &text, &length, error);
    duet_certificate made = {.proof = DUET_PROOF_LINES, .lambda = s->bound.value};
    DUET_THEN(code, duet_proof_lines_create(text, length, &made.lines, error));
    if (code == DUET_OK) {
        s->bound.certificate = made;
    }
    duet_free(text);
    return code;
}

static duet_code search_all(exact *s, duet_error *error)
{
    duet_code code = start(s, error);
    DUET_THEN(code, s->instance->types == 2 ? duet_exact_solve(s, error)
                                            : duet_exact_solve_types(s, error));
    return code == DUET_OK ? certify(s, error) : code;
}

// What is said of a solution once the searches have ended.
static void describe(const exact *s, duet_solution *solution)
{
    duet_solution_offer_bound(solution, &s->bound);
    solution->ratio_void = s->bound.value < solution->makespan;
    // What it may not search at all it leaves by itself: more time would not help.
    solution->interrupted = solution->ratio_void && duet_context_stop(s->context);
    bool near = duet_exact_is_closed(s); // enough, where option gap asks for no more
    if (!near && !s->searchable) {
        snprintf(solution->note, sizeof solution->note, "nothing was searched: %s", too_large);
    } else if (!near && !solution->interrupted && s->most_rounds == 0) {
        snprintf(solution->note, sizeof solution->note,
                 "the searches have no more to try on an instance of this size");
    }
    duet_solution_count(solution, "lengths", s->guesses);
    duet_solution_count(solution, "nodes", s->nodes);
    duet_solution_count(solution, "patterns", s->patterns);
    duet_solution_count(solution, "programs", s->programs);
    count_work(s, solution);
}

// Where memory ended the searches, the schedule and the bound that there were by then stand.
static duet_code conclude(const exact *s, duet_code code, const duet_error *why, duet_error *error)
{
    if (code == DUET_OK || code == DUET_E_MEMORY) {
        describe(s, s->best);
    } else if (error != NULL) {
        *error = *why;
    }
    if (code == DUET_E_MEMORY && s->best->ratio_void) {
        char text[sizeof s->best->note]; // what is longer is cut
        snprintf(s->best->note, sizeof s->best->note, "%s",
                 duet_error_format(why, text, sizeof text));
        s->best->interrupted = true;
    }
    return code == DUET_E_MEMORY ? DUET_OK : code;
}

// Searches independent tasks as they are. `output`: of the proof; NULL where none is asked for.
// `types_line`: which types are one; NULL: none.
static duet_code search(const duet_instance *instance, const duet_context *context,
                        const char *types_line, duet_output *output, duet_solution *solution,
                        duet_error *error)
{
    exact s = {.instance = instance,
               .context = context,
               .best = solution,
               .before = duet_counted_here(),
               .level_seed = context->seed,
               .doing = "exact",
               .unrefuted = {INT64_MAX, INT64_MAX},
               .most_rounds = duet_option_integer(context->options, options, "rounds"),
               .types_line = types_line,
               .proving = {.wanted = output != NULL}};
    s.searchable = is_searchable(&s);
    duet_random_seed(&s.random, context->seed);
    duet_code code = duet_solution_create_blank(solution->tasks, &s.trial, error);
    DUET_THEN(code, start_somewhere(&s, error));
    if (code == DUET_OK) {
        duet_error why = DUET_ERROR_INIT;
        code = search_all(&s, &why);
        code = conclude(&s, code, &why, error);
    }
    if (code == DUET_OK && s.proving.wanted) {
        code = write_proof(&s, output, error);
    }
    duet_exact_free(&s);
    return code;
}

// The same with equal types as one. What is known comes with its own bound, which stays the
// solution's where nothing better is found.
static duet_code search_merged(const duet_equal_types *types, const duet_context *context,
                               duet_output *output, duet_solution *solution, duet_error *error)
{
    char line[DUET_EQUAL_TYPES_LINE];
    duet_equal_types_line(types, line);
    duet_context own = *context;
    duet_solution *known = NULL;
    duet_code code = DUET_OK;
    if (context->known != NULL) {
        code = duet_equal_types_merge(types, context->known, &known, error);
        own.known = known;
    }
    DUET_THEN(code, search(&types->merged, &own, line, output, solution, error));
    DUET_THEN(code, duet_equal_types_restore(types, solution, error));
    if (code == DUET_OK && known != NULL) {
        const duet_bound bound = {.name = context->known->bound_name,
                                  .value = context->known->lower_bound,
                                  .certificate = context->known->certificate};
        duet_solution_offer_bound(solution, &bound);
    }
    duet_solution_free(known);
    return code;
}

// Independent tasks.
static duet_code search_tasks(const duet_instance *instance, const duet_context *context,
                              duet_output *output, duet_solution *solution, duet_error *error)
{
    duet_equal_types types = {.instance = NULL};
    bool merge = false;
    duet_code code = duet_equal_types_create(instance, &types, &merge, error);
    DUET_THEN(code, merge ? search_merged(&types, context, output, solution, error)
                          : search(instance, context, NULL, output, solution, error));
    duet_equal_types_free(&types);
    return code;
}

// The arguments of a search, for its threads.
typedef struct led {
    const duet_instance *instance;
    const duet_context *context;
    duet_output *output;
    duet_solution *solution;
    duet_error *error;
    duet_code code;
} led;

static void lead(void *of)
{
    led *l = of;
    l->code = search_tasks(l->instance, l->context, l->output, l->solution, l->error);
}

static duet_code search_on_threads(const duet_instance *instance, const duet_context *context,
                                   duet_output *output, duet_solution *solution, duet_error *error)
{
    led l = {instance, context, output, solution, error, DUET_OK};
    duet_tasks_lead(context->threads, lead, &l);
    return l.code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    const char *path = duet_option_text(context->options, options, "proof");
    int64_t rounds = duet_option_integer(context->options, options, "rounds");
    bool waits = !duet_is_available(instance);
    bool graph = (duet_instance_features(instance) & DUET_FEATURE_PRECEDENCE) != 0;
    if (waits && instance->moldable != NULL && path[0] == '\0') {
        return duet_released_exact(instance, context, rounds, NULL, solution, error);
    }
    if (instance->moldable != NULL) {
        return path[0] == '\0'
                   ? duet_moldable_exact(instance, context, rounds, solution, error)
                   : duet_error_set(
                         error, DUET_E_UNSUPPORTED,
                         "exact writes no proof of moldable tasks: expected no option proof");
    }
    // Read once: what the threads hold by then shall not decide which search is made.
    duet_context own = *context;
    own.memory_limit = duet_memory_limit(context->memory_limit);
    duet_output output = {.stream = NULL};
    duet_output *proof = path[0] != '\0' ? &output : NULL;
    duet_code code = DUET_OK;
    if (proof != NULL) {
        code = duet_output_open(proof, path, error); // before any work goes into it
    }
    if (code == DUET_OK && waits) {
        code = duet_released_exact(instance, &own, rounds, proof, solution, error);
    } else if (code == DUET_OK) {
        const duet_graph_proof lines = {.output = proof};
        code = graph ? duet_graph_exact(instance, &own, rounds, proof == NULL ? NULL : &lines,
                                        solution, error)
                     : search_on_threads(instance, &own, proof, solution, error);
    }
    duet_output_abandon(&output);
    return code;
}

const duet_algorithm duet_algorithm_exact = {
    .entry = {.name = "exact",
              .summary = "the optimum, or the best schedule and bound within the time",
              .guarantee = "1 where it ends",
              .reference = "configurations: Gilmore, Gomory, Operations Research 9(6), 1961",
              .needs = DUET_NEEDS_NO_MOLDABLE_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_RIGID,
              .options = options},
    .makes_runs = true,
    .ratio = ratio,
    .moldable_ratio = moldable_ratio,
    .run = run,
    .pace = {.searches = true},
};
