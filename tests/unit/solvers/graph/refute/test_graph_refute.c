// SPDX-License-Identifier: Apache-2.0
// Refutations of guesses for task graphs against exhaustive optima: the optimum is never refuted,
// the bound meets it, every proof is accepted, and what a change makes of it proves nothing wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/run/exhaustive.h"
#include "bench/run/measure.h"
#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/lp.h"
#include "solvers/graph/bound/destructive.h"
#include "solvers/graph/refute/node.h"
#include "tests/support/fixtures.h"

enum {
    GRAPHS = 400,
    FORGED = 200,     // graphs whose proofs are changed
    CHANGES = 40,     // of each
    LONGEST = 1 << 20 // bytes of a proof here
};

static duet_instance *draw(uint64_t seed, duet_random *random)
{
    return duet_test_graph(random, seed, 4, 8, seed % 5 == 0 ? 1 + seed % 3 : 2);
}

// Proofs with lines that only data which take time have.
static int64_t with_gather, with_scatter;

static void open_refuter(duet_refuter *refuter, duet_context *context,
                         const duet_instance *instance)
{
    assert_int_equal(duet_context_init(context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_refuter_create(refuter, instance, context, NULL), DUET_OK);
}

static void check_bound(const duet_instance *instance, const duet_destructive *raise, uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_destructive_certify(raise, "test", &bound, NULL), DUET_OK);
    const char *text = bound.certificate.lines->text;
    if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        fputs(text, stdout);
        duet_fail_instance(instance, "graph-refute", seed, error.message);
    }
    assert_false(
        duet_test_proves(instance, text, bound.certificate.lines->length, bound.value + 1));
    with_gather += strstr(text, "\ngather ") != NULL;
    with_scatter += strstr(text, "\nscatter ") != NULL;
    duet_bound_release(&bound);
}

// Raises the bound of a graph with the optimum as the best known schedule.
static int64_t raise_to(const duet_instance *instance, int64_t optimum, duet_bound_phase last,
                        uint64_t seed)
{
    duet_destructive *raise = NULL;
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_destructive_create(instance, &context, 0, &raise, NULL), DUET_OK);
    while (!duet_destructive_done(raise, optimum, last)) {
        assert_int_equal(duet_destructive_work(raise, optimum, 100000, last, NULL), DUET_OK);
    }
    int64_t lower = duet_destructive_lower(raise);
    if (duet_destructive_proven(raise)) {
        check_bound(instance, raise, seed);
    }
    duet_destructive_free(raise);
    return lower;
}

// Whether any stage refutes a guess within which there is a schedule.
static void refute_truth(const duet_instance *instance, int64_t guess, uint64_t seed)
{
    duet_context context;
    duet_refuter refuter;
    duet_refutation result;
    duet_refute_effort effort = {
        .nodes = 200,
        .strategy = {.program = seed % 3 == 0 ? DUET_AT_NODES : DUET_AT_ROOT,
                     .root_steps = seed % 5 == 0 ? 100 : 0,
                     .node_steps = seed % 5 == 0 ? 20 : 0,
                     .shaving = seed % 4 != 0 ? DUET_AT_NODES : DUET_AT_ROOT,
                     .types = seed % 7 < 4 ? DUET_TYPES_BY_RELAXATION : DUET_TYPES_BY_ROOM,
                     .starts = seed % 2 == 0 ? DUET_STARTS_HALVED : DUET_STARTS_FIRST}};
    open_refuter(&refuter, &context, instance);
    assert_int_equal(duet_refute(&refuter, guess, &effort, &result, NULL), DUET_OK);
    if (result == DUET_REFUTED) {
        duet_fail_instance(instance, "graph-refute", seed, "the optimum is refuted");
    }
    duet_refuter_free(&refuter);
}

// Whether the checker takes the lines of the guess that was refuted; *crosses: there are crossings.
static bool lines_hold(const duet_instance *instance, const duet_refuter *refuter, int64_t guess,
                       bool *crosses)
{
    const duet_proof_writer *lines = &refuter->windows.proof;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fprintf(stream, "duet-proof 1\nbound %lld\ngraph %lld %lld\n%.*send\n", (long long)guess + 1,
            (long long)refuter->network.tasks, (long long)refuter->network.edges,
            (int)lines->length, lines->text);
    fclose(stream);
    bool hold = duet_test_proves(instance, text, length, guess + 1);
    if (!hold) {
        fputs(text, stdout);
    }
    *crosses = strstr(text, " cross ") != NULL;
    free(text);
    return hold;
}

// Cases that a relaxation chooses refute the guess just below the optimum, with a proof.
static void refute_relaxed(const duet_instance *instance, int64_t optimum,
                           const duet_refute_effort *effort, uint64_t seed)
{
    duet_context context;
    duet_refuter refuter;
    duet_refutation result;
    bool crosses;
    open_refuter(&refuter, &context, instance);
    assert_int_equal(duet_refute(&refuter, optimum - 1, effort, &result, NULL), DUET_OK);
    if (result != DUET_REFUTED || !lines_hold(instance, &refuter, optimum - 1, &crosses)) {
        duet_fail_instance(instance, "graph-refute", seed, "the guess below the optimum stands");
    }
    duet_refuter_free(&refuter);
}

static bool has_costs(const duet_instance *instance)
{
    return instance->graph != NULL && instance->graph->transfer != NULL;
}

// What is looked at to choose a case leaves no trace.
static void test_choice(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        duet_context context;
        duet_refuter refuter;
        duet_task_statement what;
        open_refuter(&refuter, &context, instance);
        duet_windows *windows = &refuter.windows;
        duet_windows_reset(windows, duet_exhaustive_optimum(instance));
        size_t size = (size_t)windows->tasks * sizeof *windows->window;
        duet_window *before = malloc(size);
        assert_non_null(before);
        memcpy(before, windows->window, size);
        size_t length = windows->proof.length;
        assert_false(windows->refuted);
        duet_refute_choose(&refuter, &what);
        assert_false(windows->refuted);
        assert_int_equal(windows->depth, 0);
        assert_int_equal(windows->proof.length, length);
        assert_memory_equal(before, windows->window, size);
        free(before);
        duet_refuter_free(&refuter);
        duet_instance_free(instance);
    }
}

static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    int64_t met = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        int64_t optimum = duet_exhaustive_optimum(instance);
        int64_t first = raise_to(instance, optimum, DUET_PHASE_PROPAGATION, seed);
        int64_t last = raise_to(instance, optimum, DUET_PHASE_BRANCHING, seed);
        met += last == optimum;
        if (first > last || last > optimum || (last != optimum && !has_costs(instance))) {
            printf("bounds %lld %lld, optimum %lld\n", (long long)first, (long long)last,
                   (long long)optimum);
            duet_fail_instance(instance, "graph-refute", seed, "the bound misses the optimum");
        }
        refute_truth(instance, optimum, seed);
        if (optimum > 0 && !has_costs(instance)) {
            bool prices = seed % 8 == 0;
            duet_refute_effort effort = {
                .nodes = 100000,
                .strategy = {.program = prices ? DUET_NOWHERE : DUET_AT_NODES,
                             .root_steps = prices ? 100 : 0,
                             .node_steps = prices ? 20 : 0,
                             .types = DUET_TYPES_BY_RELAXATION}};
            refute_relaxed(instance, optimum, &effort, seed);
        }
        duet_instance_free(instance);
    }
    assert_true(met > graphs * 3 / 4); // also where data take time, mostly
    printf("%lld proofs gather, %lld scatter\n", (long long)with_gather, (long long)with_scatter);
    assert_true((with_gather > 0 && with_scatter > 0) || graphs < 100);
}

// --- large graphs where data take time -----------------------------------------------------------

// The lines of a pass are about as many as tasks, and a context that stops ends it.
static void test_gather_large(void **state)
{
    (void)state;
    enum { tasks = 3000, bytes = 80 };
    duet_instance *instance = NULL;
    assert_int_equal(duet_bench_generate("mixed-graph", tasks, 20, 4, 5,
                                         "structure=layered cost=60", &instance, NULL),
                     DUET_OK);
    duet_context context;
    duet_refuter refuter;
    open_refuter(&refuter, &context, instance);
    duet_windows_reset(&refuter.windows, duet_test_makespan(instance, "heft"));
    size_t before = refuter.windows.proof.length;
    assert_true(duet_colocation_narrow(&refuter.colocation));
    assert_true(refuter.windows.proof.length - before < (size_t)tasks * bytes);
    context.deadline_ns = 1; // long over
    duet_windows_reset(&refuter.windows, duet_test_makespan(instance, "heft"));
    assert_false(duet_colocation_narrow(&refuter.colocation));
    duet_refuter_free(&refuter);
    duet_instance_free(instance);
}

// --- programs where data take time ---------------------------------------------------------------

// The largest guess that the program of a graph refutes, its lines taken by the checker. Whether
// any of them has crossings.
static bool refute_by_program(const duet_instance *instance, uint64_t seed)
{
    duet_context context;
    duet_refuter refuter;
    bool any = false;
    int64_t lower = 0;
    int64_t upper = duet_test_makespan(instance, "heft");
    open_refuter(&refuter, &context, instance);
    while (upper - lower > 1) {
        duet_refutation result;
        bool crosses = false;
        int64_t guess = lower + (upper - lower) / 2;
        duet_refute_effort effort = {.strategy = {.program = DUET_AT_ROOT}};
        assert_int_equal(duet_refute(&refuter, guess, &effort, &result, NULL), DUET_OK);
        if (result == DUET_REFUTED && !lines_hold(instance, &refuter, guess, &crosses)) {
            duet_fail_instance(instance, "graph-refute", seed,
                               "the lines of a program do not hold");
        }
        any = any || crosses;
        *(result == DUET_REFUTED ? &lower : &upper) = guess;
    }
    duet_refuter_free(&refuter);
    return any;
}

// Lines of programs on graphs that are too large for an exhaustive optimum.
static void test_crossings(void **state)
{
    (void)state;
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", GRAPHS) / 8;
    uint64_t crossed = 0;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = NULL;
        assert_int_equal(duet_bench_generate("mixed-graph", 0, -1, -1, seed,
                                             "n-min=20 n-max=80 cost=50", &instance, NULL),
                         DUET_OK);
        crossed += refute_by_program(instance, seed);
        duet_instance_free(instance);
    }
    printf("%llu of %llu graphs with crossings\n", (unsigned long long)crossed,
           (unsigned long long)graphs);
    assert_true(crossed > 0 || graphs < 20 || !duet_lp_available());
}

// --- windows of all schedules --------------------------------------------------------------------

enum { MOST_DRAWN = 8, SCHEDULES = 100 };

// A schedule of a graph of a few tasks.
typedef struct drawn_schedule {
    int64_t start[MOST_DRAWN], end[MOST_DRAWN];
    size_t type[MOST_DRAWN];
    int64_t host[MOST_DRAWN];
    int64_t makespan;
} drawn_schedule;

// When all data of a task are there.
static int64_t ready_at(const duet_network *network, const drawn_schedule *s, int32_t task)
{
    const duet_graph *graph = network->graph;
    int64_t ready = 0;
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
        int32_t before = graph->tail[graph->entering[i]];
        bool near = s->type[before] == s->type[task] && s->host[before] == s->host[task];
        bool free = near || graph->transfer == NULL;
        int64_t cost =
            free ? 0 : duet_graph_cost(graph, graph->entering[i], s->type[before], s->type[task]);
        ready = s->end[before] + cost > ready ? s->end[before] + cost : ready;
    }
    return ready;
}

// Tasks in the network's order, each on a random processor; half of the schedules have delays.
static void draw_schedule(const duet_windows *windows, duet_random *random, drawn_schedule *s)
{
    const duet_instance *instance = windows->instance;
    int64_t free_at[DUET_MAX_TYPES][MOST_DRAWN] = {{0}};
    int64_t most_delay = duet_random_between(random, 0, 1) * 5;
    s->makespan = 0;
    for (int64_t i = 0; i < windows->tasks; i++) {
        int32_t j = windows->network->order[i];
        do {
            s->type[j] = (size_t)duet_random_between(random, 0, (int64_t)windows->types - 1);
        } while (!duet_allowed(instance, (size_t)windows->network->kind[j], s->type[j]));
        int64_t hosts = instance->processors[s->type[j]];
        s->host[j] = duet_random_between(random, 0, (hosts < MOST_DRAWN ? hosts : MOST_DRAWN) - 1);
        int64_t *free = &free_at[s->type[j]][s->host[j]];
        int64_t ready = ready_at(windows->network, s, j);
        s->start[j] = (ready > *free ? ready : *free) + duet_random_between(random, 0, most_delay);
        s->end[j] = s->start[j] + duet_windows_time(windows, j, s->type[j]);
        *free = s->end[j];
        s->makespan = s->end[j] > s->makespan ? s->end[j] : s->makespan;
    }
}

static bool is_within(const duet_windows *windows, const drawn_schedule *s)
{
    bool within = true;
    for (int64_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        within = within && s->start[j] >= window->start && s->end[j] >= window->end &&
                 windows->guess - s->start[j] >= window->rest &&
                 windows->guess - s->end[j] >= window->tail &&
                 (window->types >> s->type[j] & 1U) != 0;
    }
    return within;
}

// Without dominance rules no schedule within the guess is outside of the windows, not even one with
// delays, or with twins in another order.
static void test_windows_of_all(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        duet_context context;
        duet_refuter refuter;
        open_refuter(&refuter, &context, instance);
        duet_windows *windows = &refuter.windows;
        duet_windows_disable_dominance(windows);
        drawn_schedule drawn[SCHEDULES];
        int64_t best = INT64_MAX;
        for (int i = 0; i < SCHEDULES; i++) {
            draw_schedule(windows, &random, &drawn[i]);
            best = drawn[i].makespan < best ? drawn[i].makespan : best;
        }
        int64_t guess = best + best * duet_random_between(&random, 0, 15) / 100;
        duet_windows_reset(windows, guess);
        duet_refute_propagate(&refuter, 20, 24);
        duet_refute_shave(&refuter, 3);
        bool within = !windows->refuted;
        for (int i = 0; i < SCHEDULES; i++) {
            within = within && (drawn[i].makespan > guess || is_within(windows, &drawn[i]));
        }
        if (!within) {
            duet_fail_instance(instance, "graph-refute", seed, "a schedule outside of the windows");
        }
        duet_refuter_free(&refuter);
        duet_instance_free(instance);
    }
}

// --- pauses --------------------------------------------------------------------------------------

// Refutes a guess in pieces of so much work, 0 for one piece. Returns the number of pauses among
// steps of prices over time.
static int refute_in_pieces(duet_refuter *refuter, int64_t guess, int64_t work,
                            duet_refutation *result)
{
    duet_refute_effort effort = {
        .nodes = 20,
        .work = work,
        .strategy = {.root_steps = 300, .node_steps = 20, .types = DUET_TYPES_BY_RELAXATION}};
    int pauses = 0;
    assert_int_equal(duet_refute(refuter, guess, &effort, result, NULL), DUET_OK);
    while (*result == DUET_PAUSED) {
        pauses += refuter->status == DUET_REFUTE_PAUSED_AT_ROOT;
        assert_int_equal(duet_refute_on(refuter, work, result, NULL), DUET_OK);
    }
    return pauses;
}

// However often a refutation pauses, among steps of prices over time or between nodes, it comes to
// the same, with the same lines.
static void test_pauses(void **state)
{
    (void)state;
    int pauses = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(100); seed++) {
        duet_random random;
        duet_refuter refuter[2];
        duet_refutation result[2];
        duet_context context;
        duet_instance *instance = draw(seed, &random);
        int64_t guess = duet_exhaustive_optimum(instance) - 1 + (int64_t)(seed % 2);
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(duet_refuter_create(&refuter[i], instance, &context, NULL), DUET_OK);
            pauses += refute_in_pieces(&refuter[i], guess, i, &result[i]);
        }
        const duet_windows *one = &refuter[0].windows;
        const duet_windows *other = &refuter[1].windows;
        if (result[0] != result[1] || one->work != other->work ||
            one->proof.length != other->proof.length ||
            (one->proof.length > 0 &&
             memcmp(one->proof.text, other->proof.text, one->proof.length) != 0)) {
            duet_fail_instance(instance, "graph-refute", seed, "a pause changes what comes of it");
        }
        duet_refuter_free(&refuter[0]);
        duet_refuter_free(&refuter[1]);
        duet_instance_free(instance);
    }
    assert_true(pauses > (int)duet_test_share(100));
}

// --- schedules that the search meets -------------------------------------------------------------

// Where it is not known how short a schedule can be, the search ends at the optimum.
static void test_schedules(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(150); seed++) {
        duet_random random;
        duet_instance *instance = draw(2 * seed, &random); // without costs
        int64_t optimum = duet_exhaustive_optimum(instance);
        int64_t upper = optimum + optimum / 3 + 2;
        int64_t guess;
        duet_destructive *raise = NULL;
        duet_context context;
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        assert_int_equal(duet_destructive_create(instance, &context, 0, &raise, NULL), DUET_OK);
        while (!duet_destructive_done(raise, upper, DUET_PHASE_BRANCHING)) {
            assert_int_equal(
                duet_destructive_work(raise, upper, 1 << 20, DUET_PHASE_BRANCHING, NULL), DUET_OK);
        }
        const duet_leaf_task *place = duet_destructive_schedule(raise, &guess);
        if (duet_destructive_lower(raise) != optimum || place == NULL || guess != optimum) {
            duet_fail_instance(instance, "graph-refute", seed, "the search misses the optimum");
        }
        for (int64_t j = 0; place != NULL && j < duet_tasks(instance); j++) {
            size_t kind = duet_instance_kind_of(instance, j);
            assert_true(duet_allowed(instance, kind, (size_t)place[j].type));
            assert_true(place[j].start + duet_time(instance, kind, (size_t)place[j].type) <= guess);
        }
        duet_destructive_free(raise);
        duet_instance_free(instance);
    }
}

// --- forged proofs -------------------------------------------------------------------------------

typedef struct text {
    char byte[LONGEST];
    size_t length;
} text;

// The proof of a bound, with another bound in its header.
static bool take_proof(text *out, const duet_destructive *raise, int64_t bound)
{
    duet_bound proven;
    assert_int_equal(duet_destructive_certify(raise, "test", &proven, NULL), DUET_OK);
    const char *from = proven.certificate.lines->text;
    size_t length = proven.certificate.lines->length;
    const char *rest = strchr(strchr(from, '\n') + 1, '\n');
    bool fits = length < LONGEST / 2;
    if (fits) {
        out->length = (size_t)snprintf(out->byte, sizeof out->byte, "duet-proof 1\nbound %lld%s",
                                       (long long)bound, rest);
    }
    duet_bound_release(&proven);
    return fits;
}

// Changes a digit, or drops or doubles a line.
static void change_text(text *changed, duet_random *random)
{
    size_t at = (size_t)duet_random_between(random, 0, (int64_t)changed->length - 1);
    int64_t what = duet_random_between(random, 0, 5);
    char *byte = changed->byte;
    if (what > 1) {
        for (; at < changed->length && (byte[at] < '0' || byte[at] > '9'); at++) {
        }
        if (at < changed->length) {
            byte[at] = (char)('0' + duet_random_between(random, 0, 9));
        }
        return;
    }
    size_t first = at;
    size_t end = at;
    for (; first > 0 && byte[first - 1] != '\n'; first--) {
    }
    for (; end < changed->length && byte[end] != '\n'; end++) {
    }
    size_t line = end + 1 - first;
    if (end == changed->length || changed->length + line > LONGEST) {
        return;
    }
    if (what == 0) {
        memmove(byte + first, byte + first + line, changed->length - first - line);
        changed->length -= line;
    } else {
        memmove(byte + first + line, byte + first, changed->length - first);
        changed->length += line;
    }
}

static void forge(const duet_instance *instance, const text *proof, int64_t optimum,
                  duet_random *random, uint64_t seed)
{
    static text changed; // large
    for (int i = 0; i < CHANGES; i++) {
        changed = *proof;
        for (int64_t n = duet_random_between(random, 1, 4); n > 0; n--) {
            change_text(&changed, random);
        }
        if (duet_test_proves(instance, changed.byte, changed.length, optimum + 1)) {
            fwrite(changed.byte, 1, changed.length, stdout);
            duet_fail_instance(instance, "graph-refute", seed, "a forged proof is accepted");
        }
    }
}

static void test_forged(void **state)
{
    (void)state;
    static text proof; // large
    int64_t forged = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(FORGED); seed++) {
        duet_random random;
        duet_destructive *raise = NULL;
        duet_context context;
        duet_instance *instance = draw(seed, &random);
        int64_t optimum = duet_exhaustive_optimum(instance);
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        assert_int_equal(duet_destructive_create(instance, &context, 0, &raise, NULL), DUET_OK);
        assert_int_equal(duet_destructive_work(raise, optimum, 1 << 24, DUET_PHASE_BRANCHING, NULL),
                         DUET_OK);
        if (duet_destructive_proven(raise) && take_proof(&proof, raise, optimum + 1)) {
            forge(instance, &proof, optimum, &random, seed);
            forged++;
        }
        duet_destructive_free(raise);
        duet_instance_free(instance);
    }
    assert_true(forged > (int64_t)duet_test_share(FORGED) / 2);
}

// --- lines ---------------------------------------------------------------------------------------

typedef struct proof_row {
    int bound;
    const char *lines;
    const char *fault; // NULL: the proof holds
} proof_row;

static void check_row(const duet_instance *instance, int edges, const proof_row *row)
{
    char proof[512];
    int length = snprintf(proof, sizeof proof, "duet-proof 1\nbound %d\ngraph 4 %d\n%s", row->bound,
                          edges, row->lines);
    duet_certificate claimed = {.proof = DUET_PROOF_LINES, .lambda = row->bound};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_proof_lines_create(proof, (size_t)length, &claimed.lines, NULL), DUET_OK);
    duet_code code = duet_certificate_check(&claimed, instance, NULL, &error);
    if (row->fault == NULL ? code != DUET_OK
                           : code != DUET_E_INPUT || strstr(error.message, row->fault) == NULL) {
        fail_msg("%s: %s", row->lines, error.message);
    }
    duet_certificate_release(&claimed);
}

// Checks proofs about a graph of four tasks.
static void check_rows(const duet_instance_desc *desc, int64_t optimum, const proof_row *rows,
                       size_t count)
{
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_exhaustive_optimum(instance), optimum);
    for (size_t i = 0; i < count; i++) {
        check_row(instance, (int)desc->edges, &rows[i]);
    }
    duet_instance_free(instance);
}

// Two tasks of (4, 1) and (7, 1) between two of (1, 1) on 5 + 1: four ticks.
static void test_mixing_lines(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 5}, {"gpu", 1}};
    static const int64_t times[] = {1, 1, 4, 1, 7, 1, 1, 1};
    static const duet_edge edges[] = {
        {.from = 0, .to = 1}, {.from = 0, .to = 2}, {.from = 1, .to = 3}, {.from = 2, .to = 3}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .times = times,
                               .edges = 4,
                               .edge = edges};
    static const proof_row rows[] = {
        {4, "path\nlp 0 1 0 1 1 3 1 1 1 1 0 3 mix 1 0 3 1 1 1 1 0 3\nend\n", NULL},
        {5, "path\nlp 0 1 0 1 1 3 1 1 1 1 0 3 mix 1 0 3 1 1 1 1 0 3\nend\n", "no contradiction"},
        {4, "path\nlp 0 0 1 3 1 1 1 1 0 3 mix 1 4 3 1 2 1 1 0 2\nend\n", NULL},
        {4, "path\nlp 0 1 0 1 0 1 1 1 0 3 mix 1 0 4 1 2 1 1 0 2\nend\n", NULL},
        {4, "path\ntimed 1 1 1 1 1 3 0 mix 1 0 3 1 1 1 1 0 3\nend\n", NULL},
        {4, "path\ntimed 1 1 1 1 1 3 0 mix 1 4 3 1 2 1 1 0 2\nend\n", NULL},
        {4, "path\ntimed 1 1 1 1 1 3 0 mix 1 0 4 1 2 1 1 0 2\nend\n", NULL},
        {5, "path\ntimed 1 1 1 1 1 3 0 mix 1 0 3 1 1 1 1 0 3\nend\n", "before the guess"},
        {4, "lp 0 0 0 0 mix 1 0 3 1 1 1 3 0 1\nend\n", "task 3: expected one between 0 and 3"},
        {4, "lp 0 0 0 0 mix 1 0 3 1 1 1 1 2 1\nend\n", "the number of a type below 2"},
        {4, "lp 0 0 0 0 mix 1 0 3 1 1 1 4 0 1\nend\n", "task 4: expected one below 4"},
        {4, "lp 0 0 0 0 mix 1 3 0 1 0 0\nend\n", "from 3 to 0: expected a path"},
        {4, "lp 0 0 0 0 mix 1 2 2 1 0 0\nend\n", "from 2 to 2: expected two tasks"},
        {4, "lp 0 0 0 0 mix 1 4 4 1 0 0\nend\n", "from 4 to 4: expected two tasks"},
        {4, "lp 0 0 0 0 mix 1 5 1 1 0 0\nend\n", "the number of a task below 5"},
        {4, "lp 0 0 0 0 mix 1 0 3 1 0 0\nend\n", "task 0: expected as much flow into it"},
        {9, "lp 0 0 0 0 mix 1 0 3 1 1 2 1 0 4 2 0 3\nend\n",
         "task 1: expected it to add at most 3 ticks to those before"},
        {9, "lp 0 0 0 0 mix 1 0 3 1 1 2 2 0 7 1 0 1\nend\n",
         "task 2: expected it to add at most 6"},
        {9, "lp 0 0 0 0 mix 1 0 3 1 1 2 2 0 6 1 0 1\nend\n",
         "task 1: expected it to add at most 0"},
        {9, "lp 0 0 0 0 mix 1 0 3 1 2 0\nend\n", "expected a path of 2 or more ticks"},
        // What held before more was known holds still.
        {9, "suppose on 1 cpu\nlp 0 0 0 0 mix 1 0 3 1 1 2 1 0 3 2 0 3\nend\n",
         "expected as much flow"},
        {4, "lp 0 0 0 0 max 1 0 3 1 0 0\nend\n", "expected 'mix' or 'cross', found 'max'"},
        {4, "lp 0 0 0 0 mix 1 0 3 1 1 1 1\nend\n", "the number of a type"},
        {4, "lp 0 0 0 0 mix 1 0 3 1152921504606846976 0 0\nend\n", "2^60 or more"},
        {4, "timed 1 1 0 0 mix 1 0 3 1152921504606846975 0 0\nend\n", "2^60 or more"},
    };
    check_rows(&desc, 4, rows, sizeof rows / sizeof *rows);
}

// Tasks of (4, 2), the second after the first, and two of (3, 6) on 1 + 1: six ticks.
static void test_lines(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t times[] = {4, 2, 4, 2, 3, 6, 3, 6};
    static const duet_edge edge = {.from = 0, .to = 1};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .times = times,
                               .edges = 1,
                               .edge = &edge};
    static const proof_row rows[] = {
        {6, "energy 0 0 1 0\nend\n", NULL},
        {7, "energy 0 0 1 0\nend\n", "fits into the interval"},
        {5, "lp 0 0 0 1 0 0 1 0\nend\n", NULL},
        {6, "lp 0 0 0 1 0 0 1 0\nend\n", NULL},
        {7, "lp 0 0 0 1 0 0 1 0\nend\n", "no contradiction"},
        {6, "path\ntwins 2 2 3\nshift 2 2 3\nheads 1 1\ntails 1 0\nenergy 0 0 1 0\nend\n", NULL},
        {6, "ancestors 1 0 0 0 1\ndescendants 0 0 0 0 1\nenergy 0 0 1 0\nend\n", NULL},
        {6, "suppose on 2 gpu\nend\nenergy 0 0 1 0\nend\n", NULL},
        {6, "suppose start-by 2 0\nenergy 0 0 1 0\nend\nenergy 0 0 1 0\nend\n", NULL},
        {6, "end\n", "before the guess is refuted"},
        {6, "", "expected a line of a proof or 'end', found the end of the file"},
        {6, "energy 0 0 1 0\n", "found the end of the file"},
        {6, "energy 0 0 1 0\nend\nend\n", "nothing after 'end'"},
        {6, "energy 0 0 0 1\nend\n", "fits into the interval"},
        {6, "energy 0 0 0 0\nend\n", "prices of the types"},
        {6, "energy 0 0 1152921504606846976 0\nend\n", "prices of the types"},
        {6, "energy 6 0 1 0\nend\n", "expected one within the 5 ticks"},
        {6, "energy 3 3 1 0\nend\n", "expected one within the 5 ticks"},
        {6, "suppose on 2 cpu\nend\n", "not refuted"},
        {6, "suppose on 0 gpu\nenergy 0 0 1 0\nend\nend\n", "before the guess"},
        {6, "suppose on 4 cpu\n", "task 4: expected one below 4"},
        {6, "suppose on 2 tpu\n", "expected 'cpu' or 'gpu', found 'tpu'"},
        {6, "suppose maybe 2 0\n", "expected 'on', 'off'"},
        {6, "twins 2 3 2\n", "expected rising numbers"},
        {6, "twins 2 0 1\n", "expected the same times, predecessors and successors"},
        {6, "twins 2 1 2\n", "expected the same times, predecessors and successors"},
        {6, "suppose on 0 cpu\ntwins 2 2 3\n", "before any supposition"},
        {6, "heads 1 4\n", "task 4: expected one below 4"},
        {6, "heads 2 1\n", "the number of a task"},
        {6, "lp 1 0 1 0 0 0\nend\n", "task 0: expected as much flow into it as out of it"},
        {6, "lp 1 0 1 1 0 1 1 1 1 0\nend\n", "no contradiction"},
        {6, "lp 1 1 1 1 0 1 1 1 1 0\nend\n", "the number of an edge below 1"},
        {6, "lp 0 1 4 1 0 0\nend\n", "the number of a task below 4"},
        {6, "lp 0 0 0 1 6 0 1 0\nend\n", "an interval that is empty"},
        {6, "lp 0 0 0 1 0 0 1152921504606846975 1\nend\n", "2^60 or more"},
        {6, "lp 0 1 0 1152921504606846976 0 0\nend\n", "2^60 or more"},
        {6, "timed 5 1 1 0 0 1 0\nend\n", NULL},
        {7, "timed 6 1 1 0 0 1 0\nend\n", "before the guess is refuted"},
        {6, "timed 2 1 3 0 0 1 0 1 1 0 2 1 0\nend\n", NULL},
        {4, "timed 1 1 1 1 1 2 1 0 2 1 1 2 1\nend\n", NULL},
        {6, "timed 2 1 1 0 3 1 0\nend\n", "cell 3 of type 0: expected a cell below 3"},
        {6, "timed 2 1 1 2 0 1 0\nend\n", "the number of a type below 2"},
        {6, "timed 2 1 0 1 1 1 0 1\nend\n", "the number of an edge below 1"},
        {6, "timed 2 1 0 1 0 1 3 1\nend\n", "edge 0 in cell 3"},
        {6, "timed 0 1 0 0\nend\n", "a width or a unit of 0"},
        {6, "timed 1 0 0 0\nend\n", "a width or a unit of 0"},
        {6, "timed 5 1 1 0 0 1152921504606846975 0\nend\n", "2^60 or more"},
        {6, "timed 5 1152921504606846976 0 1 0 1 0 1\nend\n", "2^60 or more"},
        {6, "timed 5 1 0 1 0 1\nend\n", "the number of a cell"},
        {6, "nonsense\n", "expected a line of a proof or 'end', found nonsense"},
    };
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_exhaustive_optimum(instance), 6);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_row(instance, 1, &rows[i]);
    }
    static const char size[] = "duet-proof 1\nbound 6\ngraph 4 2\nenergy 0 0 1 0\nend\n";
    assert_false(duet_test_proves(instance, size, sizeof size - 1, 6));
    duet_certificate none = {.proof = DUET_PROOF_LINES, .lambda = 6};
    assert_int_equal(duet_certificate_check(&none, instance, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
}

// Three tasks of three ticks before a fourth one, on 2 + 1, where data take ten ticks between any
// two processors: one does it all. The same backward in time; and without costs.
static void test_gather_lines(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t times[] = {3, 3, 3, 3, 3, 3, 3, 3};
    static const int64_t costs[] = {10, 10, 10, 10};
    static const duet_edge join[] = {
        {.from = 0, .to = 3}, {.from = 1, .to = 3}, {.from = 2, .to = 3}};
    static const duet_edge fork[] = {
        {.from = 3, .to = 0}, {.from = 3, .to = 1}, {.from = 3, .to = 2}};
    static const proof_row joined[] = {
        {12, "gather 3 8\nend\n", NULL},
        {12, "gather 3 100\nend\n", NULL},
        {13, "gather 3 8\nend\n", "before the guess is refuted"},
        {13, "gather 3 9\nend\n", "task 3 may be 9 ticks from the start on type 0"},
        {12, "scatter 3 0\nend\n", "task 3 may be 0 ticks from the end on type 0"},
        {12, "scatter 0 2\nend\n", "before the guess is refuted"},
        {12, "scatter 0 3\nend\n", "task 0 may be 3 ticks from the end on type 0"},
        {12, "suppose on 3 gpu\ngather 3 8\nend\nsuppose on 3 cpu\ngather 3 8\nend\nend\n", NULL},
        {12, "suppose on 0 gpu\nheads 1 3\ngather 3 8\nend\nend\n", "before the guess is refuted"},
        {12, "gather 4 8\nend\n", "task 4: expected one below 4"},
        {12, "gather 3\nend\n", "expected a time in ticks"},
    };
    static const proof_row forked[] = {
        {12, "scatter 3 8\nend\n", NULL},
        {13, "scatter 3 9\nend\n", "task 3 may be 9 ticks from the end on type 0"},
    };
    static const proof_row free_of_costs[] = {
        {6, "gather 3 8\nend\n", "data without a time: expected edges with costs"},
        {6, "lp 0 0 0 0 cross 1 0 0 1 1\nend\n", "edge 0 from type 0: expected data"},
    };
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .times = times,
                               .edges = 3,
                               .edge = join,
                               .cost_tables = 1,
                               .costs = costs};
    check_rows(&desc, 12, joined, sizeof joined / sizeof *joined);
    desc.edge = fork;
    check_rows(&desc, 12, forked, sizeof forked / sizeof *forked);
    desc.cost_tables = 0;
    check_rows(&desc, 6, free_of_costs, sizeof free_of_costs / sizeof *free_of_costs);
}

// A task of (1, 5) before one of (5, 1): six ticks on one type, since data between types take ten.
static void test_cross_lines(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t times[] = {1, 5, 0, 0, 0, 0, 5, 1};
    static const int64_t costs[] = {0, 10, 10, 0};
    static const duet_edge edges[] = {{.from = 0, .to = 3}};
    static const proof_row rows[] = {
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 0 10 2\nend\n", NULL},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 2 0 0 10 1 0 0 10 1\nend\n", NULL},
        {7, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 0 10 2\nend\n", "no contradiction"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 1 10 2\nend\n", "no contradiction"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 0 11 2\nend\n",
         "edge 0 from type 0: expected data that take at least 11 ticks"},
        {6, "lp 1 0 5 1 0 5 1 3 5 0 cross 1 0 0 10 2\nend\n", "expected as much flow"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 1 0 10 2\nend\n", "the number of an edge below 1"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 2 10 2\nend\n", "the number of a type below 2"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 0 10 1152921504606846976\nend\n", "2^60 or more"},
        {6, "lp 1 0 3 1 0 5 1 3 5 0 cross 1 0 0 2000000000000000000 2\nend\n", "edge 0 from"},
        {6, "timed 1 1 0 0 cross 1 0 0 10 2\nend\n", "expected 'mix', found 'cross'"},
        // On a type that nothing crosses to any cost may be claimed; it proves no more.
        {6, "suppose off 3 gpu\nlp 1 0 1 1 0 1 1 3 1 0 cross 1 0 0 99 0\nend\nend\n",
         "before the guess is refuted"},
    };
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .times = times,
                               .edges = 1,
                               .edge = edges,
                               .cost_tables = 1,
                               .costs = costs};
    check_rows(&desc, 6, rows, sizeof rows / sizeof *rows);
}

// --- propagators ---------------------------------------------------------------------------------

// The table of propagators is in the order of their calls, and each row says what it is.
static void test_propagators(void **state)
{
    (void)state;
    for (size_t i = 0; i < DUET_PROPAGATORS; i++) {
        const duet_propagator *row = &duet_propagators[i];
        assert_non_null(row->narrow);
        assert_true(row->name != NULL && row->cost != NULL && row->first_tasks >= row->tasks);
        if (i > 0) {
            assert_true(row->when >= row[-1].when);
            assert_true(row->priority < row[-1].priority);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_propagators),    cmocka_unit_test(test_lines),
        cmocka_unit_test(test_mixing_lines),   cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_gather_large),   cmocka_unit_test(test_gather_lines),
        cmocka_unit_test(test_cross_lines),    cmocka_unit_test(test_forged),
        cmocka_unit_test(test_pauses),         cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_choice),         cmocka_unit_test(test_truth),
        cmocka_unit_test(test_windows_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
