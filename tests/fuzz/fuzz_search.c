// SPDX-License-Identifier: Apache-2.0
// The searches inside of `exact`, each by itself, on instances of up to some twenty tasks, at
// guesses around the optimum. What is found is a schedule within the guess, what is refuted has
// none and a proof that the checker accepts, and limits are kept to.
#include <inttypes.h>
#include <stdio.h>

#include "core/system/try.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/allocations.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/dive.h"
#include "solvers/exact/parts.h"
#include "solvers/exact/tuning.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/loads.h"

// One search of one guess.
typedef struct search {
    const duet_instance *instance;
    duet_classes classes;
    duet_context context;
    duet_random random;
    duet_search_limits limits;
    bool divisible[2], pooled[2];
    duet_residual state;      // everything
    duet_column_store *store; // of the searches before, too
    duet_log log;
    bool logged;
    duet_loads loads;
    duet_search_stats stats;
    duet_verdict verdict;
} search;

static void draw_limits(fuzz_input *input, search *s)
{
    static const int64_t nodes[] = {2000, 3, 50, 300, 0, 1, 10, 1000};
    static const size_t patterns[] = {2000, 50, 10, 0, 1, 200, 5, 500};
    s->limits = (duet_search_limits){.nodes = nodes[fuzz_between(input, 0, 7)],
                                     .patterns = patterns[fuzz_between(input, 0, 7)],
                                     .pack_effort = fuzz_between(input, 0, 3),
                                     .complete = fuzz_between(input, 0, 1) == 1};
    s->limits.divided = s->limits.patterns % 2 != 0;
    // At least one type has patterns, and only where it is not divisible.
    int64_t which = fuzz_between(input, 0, 15);
    size_t some = s->classes.processors[0] == 0 ? 1 : s->classes.processors[1] == 0 ? 0 : which & 1;
    s->divisible[some] = false;
    s->pooled[some] = true;
    s->divisible[1 - some] = s->classes.processors[1 - some] == 0 || (which & 2) != 0;
    s->pooled[1 - some] = !s->divisible[1 - some] && (which & 4) == 0;
    size_t room = (which & 8) != 0 ? (size_t)fuzz_between(input, 0, 255) * 16 : (size_t)1 << 24;
    duet_log_start(&s->log, &s->classes, room);
    s->logged = fuzz_between(input, 0, 3) > 0;
    duet_random_seed(&s->random, fuzz_take(input, 1));
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = fuzz_memory(input);
    fuzz_check(duet_context_init(&s->context, &params, NULL) == DUET_OK, "a context");
}

// Where memory is short a search may say so.
static void check_code(const search *s, duet_code code, const duet_error *error)
{
    fuzz_check_error(code, error);
    bool tight = s->context.memory_limit < FUZZ_TIGHT_MEMORY;
    fuzz_check(code == DUET_OK || (tight && (code == DUET_E_LIMIT || code == DUET_E_MEMORY)),
               error->message);
}

// An enumeration of patterns costs nodes beyond the limit, and so does a search within the search,
// of which there is at most one for each processor.
static int64_t most_nodes(const search *s)
{
    enum { LISTS = 1000 };
    int64_t processors = s->classes.processors[0] + s->classes.processors[1];
    return s->limits.nodes + (processors + 1) * (LISTS + (int64_t)s->limits.patterns / 8);
}

static duet_log *log_of(search *s)
{
    return s->logged ? &s->log : NULL;
}

// What the searches are given.
static duet_search asked(search *s)
{
    return (duet_search){.classes = &s->classes,
                         .state = &s->state,
                         .divisible = {s->divisible[0], s->divisible[1]},
                         .pooled = {s->pooled[0], s->pooled[1]},
                         .context = &s->context,
                         .random = &s->random,
                         .store = s->store,
                         .limits = s->limits,
                         .log = log_of(s),
                         .loads = &s->loads,
                         .stats = &s->stats,
                         .verdict = DUET_OPEN};
}

// The prices of the relaxation where there are any, or by area.
static duet_code find_prices(search *s, fuzz_input *input, duet_prices *prices, duet_error *error)
{
    int64_t weight[2];
    duet_code code = duet_classes_weights(&s->classes, weight, error);
    if (code == DUET_OK) {
        duet_prices_by_area(&s->classes, weight, prices);
    }
    if (code != DUET_OK || fuzz_between(input, 0, 3) == 0 || !duet_lp_available()) {
        return code;
    }
    duet_residual state;
    duet_configuration *program = NULL;
    duet_configuration_answer answer = {.any = false};
    code = duet_residual_create(&s->classes, &state, error);
    DUET_THEN(code, duet_configuration_create(&s->classes, &state, s->divisible, s->store, NULL,
                                              &program, error));
    DUET_THEN(code, duet_configuration_solve(program, (int)fuzz_between(input, 1, 100), &s->context,
                                             prices, &answer, error));
    if (code == DUET_OK && !answer.any) {
        duet_prices_by_area(&s->classes, weight, prices);
    }
    duet_configuration_free(program);
    duet_residual_free(&state);
    return code;
}

// The checker takes a step for each class and each unit of a limit: where that is long, the proof
// is not looked at.
static bool is_checked_soon(const duet_prices *prices)
{
    enum { SOON = 1 << 16 };
    bool soon = true;
    for (int t = 0; t < 2; t++) {
        soon = soon && (prices->divisible[t] || prices->limit[t] < SOON);
    }
    return soon;
}

static duet_code search_cover(search *s, fuzz_input *input, duet_error *error)
{
    duet_prices prices = {.id = -1};
    duet_code code = duet_prices_create(&s->classes, &prices, error);
    if (code == DUET_OK) {
        code = find_prices(s, input, &prices, error);
        s->logged = s->logged && is_checked_soon(&prices);
    }
    if (code == DUET_OK) {
        duet_search wanted = asked(s);
        code = duet_cover_search(&wanted, &prices, error);
        s->verdict = wanted.verdict;
    }
    fuzz_check(s->stats.nodes <= most_nodes(s), "cover: more nodes than allowed");
    for (size_t c = 0; c < s->classes.count && code == DUET_OK; c++) {
        fuzz_check(s->state.left[c] == s->classes.tasks[c], "cover: the state is not as it was");
    }
    duet_prices_free(&prices);
    return code;
}

static duet_code search_tree(search *s, fuzz_input *input, duet_error *error)
{
    static const int64_t most[] = {2000, 200, 0, 1, 2, 5, 20, 50};
    int64_t nodes = most[fuzz_between(input, 0, 7)];
    duet_tree_stats tree = {0, 0, 0, false};
    duet_search wanted = asked(s);
    duet_code code = duet_branch_and_price(&wanted, nodes, &tree, error);
    s->verdict = wanted.verdict;
    int64_t full = tree.nodes - tree.pooled + (tree.pooled - tree.decided) / DUET_TREE_POOLED +
                   tree.decided / DUET_TREE_DECIDED;
    // Each part of a tree that was divided ends with a node of its own.
    fuzz_check(full <= nodes + DUET_PARTS, "tree: more nodes than allowed");
    return code;
}

static duet_code search_allocations(search *s, fuzz_input *input, duet_error *error)
{
    int64_t most = fuzz_between(input, 0, 200);
    duet_allocation_stats of = {0, 0, false};
    duet_search wanted = asked(s);
    duet_code code = duet_allocation_search(&wanted, most, &of, error);
    s->verdict = wanted.verdict;
    int64_t some = DUET_ALLOCATIONS_SOME; // of too many some are tried
    fuzz_check(of.fitting <= (most > some ? most : some), "allocations: more than allowed");
    fuzz_check(of.open <= of.fitting, "allocations: more open than there are");
    fuzz_check(of.open == 0 || s->verdict != DUET_REFUTED, "allocations: refuted with one open");
    return code;
}

// A dive finds a schedule within the guess, or says that it does not.
static duet_code search_dive(search *s, fuzz_input *input, duet_error *error)
{
    bool found = false;
    int64_t longest = 0;
    bool bold = fuzz_between(input, 0, 1) == 1;
    duet_search wanted = asked(s);
    duet_code code = duet_dive(&wanted, bold, &found, error);
    if (code == DUET_OK && found) {
        const char *fault = duet_loads_fault(&s->classes, &s->loads, &longest);
        fuzz_check(fault == NULL, fault);
        fuzz_check(longest <= s->classes.guess, "dive: longer than the guess");
    }
    s->verdict = found ? DUET_FOUND : DUET_OPEN;
    return code;
}

static void check_proof(const search *s)
{
    static char text[1 << 22];
    int64_t bound = s->classes.guess + 1;
    int length =
        snprintf(text, sizeof text, "duet-proof 1\nbound %" PRId64 "\nclasses %zu\n%.*send\n",
                 bound, s->classes.count, (int)s->log.out.length, s->log.out.text);
    if ((size_t)length >= sizeof text) {
        return;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_params params = DUET_PARAMS_INIT;
    params.memory_limit = (size_t)256 << 20;
    duet_code code =
        duet_verify_proof(s->instance, fuzz_file(0, (const uint8_t *)text, (size_t)length), bound,
                          &params, NULL, &error);
    fuzz_check(code == DUET_OK, error.message);
}

static void check_verdict(const search *s, int64_t optimum)
{
    int64_t longest;
    if (s->verdict == DUET_FOUND) {
        const char *fault = duet_loads_fault(&s->classes, &s->loads, &longest);
        fuzz_check(fault == NULL, fault);
        fuzz_check(longest <= s->classes.guess, "found, but longer than asked");
        fuzz_check(s->classes.guess >= optimum, "found below the optimum");
    } else if (s->verdict == DUET_REFUTED) {
        fuzz_check(s->classes.guess < optimum, "a guess is refuted that has a schedule");
        if (s->logged && !s->log.out.lost) {
            check_proof(s);
        }
    }
}

static void search_guess(fuzz_input *input, const duet_instance *instance, int64_t optimum,
                         duet_column_store *store)
{
    typedef duet_code method(search *, fuzz_input *, duet_error *);
    static method *const methods[] = {search_allocations, search_cover, search_tree, search_dive};
    enum { WITHOUT_LP = 2, ALL = 4 };
    search s = {.instance = instance, .store = store, .verdict = DUET_OPEN};
    duet_error error = DUET_ERROR_INIT;
    int64_t guess = fuzz_length(input, optimum);
    fuzz_check(duet_classes_create(instance, guess, &s.classes, NULL) == DUET_OK, "classes");
    fuzz_check(s.classes.nowhere == SIZE_MAX || guess < optimum, "a class fits nowhere");
    if (s.classes.nowhere == SIZE_MAX && s.classes.count > 0) {
        int64_t which = fuzz_between(input, 0, (duet_lp_available() ? ALL : WITHOUT_LP) - 1);
        draw_limits(input, &s);
        duet_code code = duet_residual_create(&s.classes, &s.state, &error);
        DUET_THEN(code, methods[which](&s, input, &error));
        check_code(&s, code, &error);
        if (code == DUET_OK) {
            check_verdict(&s, optimum);
        }
    }
    duet_log_free(&s.log);
    duet_loads_free(&s.loads);
    duet_residual_free(&s.state);
    duet_classes_free(&s.classes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    fuzz_input choices;
    int64_t optimum;
    duet_instance *instance = fuzz_larger_instance(&input, &choices, &optimum);
    duet_column_store store = {.columns = 0};
    for (int64_t guesses = fuzz_between(&choices, 1, 3); guesses > 0; guesses--) {
        search_guess(&choices, instance, optimum, &store);
    }
    duet_column_store_free(&store);
    duet_instance_free(instance);
    return 0;
}
