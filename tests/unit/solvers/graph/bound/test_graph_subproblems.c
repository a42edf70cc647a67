// SPDX-License-Identifier: Apache-2.0
// Parts of task graphs: what a few tasks before, or behind, another one take at least, against all
// orders of these; that it is proven of the whole graph, and that a change proves nothing wrong;
// and the bound of the whole graph that comes of it, against exhaustive optima.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <duet/generate.h>

#include "bench/run/exhaustive.h"
#include "core/instance/part.h"
#include "core/number/random.h"
#include "solvers/graph/bound/subproblem.h"
#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/propagate/reachable.h"
#include "tests/support/fixtures.h"

enum {
    GRAPHS = 400,
    LAYERED = 40,
    CHANGES = 20,      // of a proof
    MOST_MEMBERS = 5,  // of a part
    LONGEST = 1 << 18, // bytes of a proof
    ENOUGH = 1 << 24   // operations for a part
};

static duet_instance *draw(uint64_t seed, duet_random *random)
{
    return duet_test_graph(random, seed, 4, 8, seed % 5 == 0 ? 1 + seed % 3 : 2);
}

static bool has_costs(const duet_instance *instance)
{
    return instance->graph != NULL && instance->graph->transfer != NULL;
}

// --- all orders of the members -------------------------------------------------------------------

typedef struct orders {
    const duet_subproblem *part;
    bool done[MOST_MEMBERS];
    int64_t end[MOST_MEMBERS];
    int64_t free_at[3][MOST_MEMBERS]; // of each type as many processors as there are members
    int64_t best;
} orders;

// When the members before one have ended, and it is released.
static int64_t ready(const orders *o, int64_t member)
{
    const duet_graph *graph = o->part->instance->graph;
    int64_t time = o->part->start == NULL ? 0 : o->part->start[member];
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        if (graph->head[e] == member) {
            int64_t end = o->done[graph->tail[e]] ? o->end[graph->tail[e]] : INT64_MAX;
            time = end > time ? end : time;
        }
    }
    return time;
}

// Every order, and every type of each, as early as it goes: one of them is best.
static void try_orders(orders *o, int64_t placed, int64_t length)
{
    const duet_instance *instance = o->part->instance;
    int64_t count = o->part->choice.count;
    if (placed == count && length < o->best) {
        o->best = length;
    }
    for (int64_t j = 0; j < count; j++) {
        int64_t begin = o->done[j] ? INT64_MAX : ready(o, j);
        for (size_t t = 0; begin < INT64_MAX && t < instance->types; t++) {
            int64_t *first = &o->free_at[t][0];
            for (int64_t p = 1; p < count && p < instance->processors[t]; p++) {
                first = o->free_at[t][p] < *first ? &o->free_at[t][p] : first;
            }
            if (duet_allowed(instance, (size_t)j, t)) {
                int64_t before = *first;
                int64_t end = (before > begin ? before : begin) + duet_time(instance, (size_t)j, t);
                int64_t all = end + (o->part->tail == NULL ? 0 : o->part->tail[j]);
                *first = o->end[j] = end;
                o->done[j] = true;
                try_orders(o, placed + 1, all > length ? all : length);
                o->done[j] = false;
                *first = before;
            }
        }
    }
}

static int64_t shortest_part(const duet_subproblem *part)
{
    orders o = {.part = part, .best = INT64_MAX};
    try_orders(&o, 0, 0);
    return o.best;
}

// --- parts ---------------------------------------------------------------------------------------

// Some of the tasks before one, or behind it.
static int64_t draw_members(const duet_reachable *all, int64_t tasks, int32_t task,
                            duet_random *random, int32_t *member)
{
    int64_t count = 0;
    for (int32_t j = 0; j < tasks && count < MOST_MEMBERS; j++) {
        bool among = false;
        for (int64_t i = all->at[task]; i < all->at[task + 1]; i++) {
            among = among || all->task[i] == j;
        }
        if (among && duet_random_between(random, 0, 3) > 0) {
            member[count++] = j;
        }
    }
    return count;
}

// A proof about the whole graph that rests on one part, with a bound in its header: its text.
static char *write_proof(const duet_windows *known, const duet_subproblem *part, int64_t bound,
                         size_t *length)
{
    char *text = NULL;
    duet_proof_writer line = {.limit = LONGEST};
    assert_true(duet_subproblem_write(part, &line));
    FILE *stream = open_memstream(&text, length);
    assert_non_null(stream);
    fprintf(stream, "duet-proof 1\nbound %lld\ngraph %lld %lld\npath\n%.*spath\nend\n",
            (long long)bound, (long long)known->tasks, (long long)known->network->edges,
            (int)line.length, line.text);
    fclose(stream);
    duet_proof_writer_free(&line);
    return text;
}

// Changes of digits never prove a bound above the optimum.
static void forge(const duet_instance *instance, const char *text, size_t length, int64_t bound,
                  duet_random *random, uint64_t seed)
{
    char *changed = malloc(length);
    assert_non_null(changed);
    for (int i = 0; i < CHANGES; i++) {
        memcpy(changed, text, length);
        for (int64_t n = duet_random_between(random, 0, 3); n > 0; n--) {
            size_t at = (size_t)duet_random_between(random, 0, (int64_t)length - 1);
            for (; at < length && (changed[at] < '0' || changed[at] > '9'); at++) {
            }
            if (at < length) {
                changed[at] = (char)('0' + duet_random_between(random, 0, 9));
            }
        }
        if (duet_test_proves(instance, changed, length, bound)) {
            fwrite(changed, 1, length, stdout);
            duet_fail_instance(instance, "graph-parts", seed, "a forged proof is accepted");
        }
    }
    free(changed);
}

// What a part shows is its shortest length where data take no time, never more, and raises the
// bound of the whole graph. Whether it raised its own.
static bool check_part(const duet_windows *known, const duet_subproblem_choice *choice,
                       int64_t optimum, const duet_context *context, duet_random *random,
                       uint64_t seed)
{
    const duet_instance *instance = known->instance;
    duet_subproblem part;
    size_t length = 0;
    assert_int_equal(duet_subproblem_create(&part, known, choice, 0, context, NULL), DUET_OK);
    int64_t shortest = shortest_part(&part);
    assert_true(part.upper >= shortest);
    part.upper += 2;
    assert_int_equal(duet_subproblem_work(&part, ENOUGH, NULL), DUET_OK);
    int64_t lower = duet_destructive_lower(part.bound);
    bool costs = part.instance->graph != NULL && part.instance->graph->transfer != NULL;
    if (lower != shortest && !costs) {
        printf("a part of %lld, %s %d: %lld, expected %lld\n", (long long)choice->count,
               choice->before ? "before" : "behind", choice->task, (long long)lower,
               (long long)shortest);
        duet_fail_instance(instance, "graph-parts", seed, "the length of a part is wrong");
    }
    bool raised = duet_destructive_proven(part.bound);
    if (raised) {
        const duet_window *window = &known->window[choice->task];
        int64_t bound = lower + window->shortest + (choice->before ? window->tail : window->start);
        char *text = write_proof(known, &part, bound, &length);
        if (!duet_test_proves(instance, text, length, bound)) {
            fwrite(text, 1, length, stdout);
            duet_fail_instance(instance, "graph-parts", seed, "the proof of a part is refused");
        }
        free(text);
        text = write_proof(known, &part, optimum + 1, &length);
        forge(instance, text, length, optimum + 1, random, seed);
        free(text);
    }
    duet_subproblem_free(&part);
    return raised;
}

static void test_parts(void **state)
{
    (void)state;
    int64_t raised = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(GRAPHS); seed++) {
        duet_random random;
        duet_network network;
        duet_windows known;
        duet_reachable all[2] = {{NULL, NULL}, {NULL, NULL}};
        duet_context context;
        int32_t member[MOST_MEMBERS];
        duet_instance *instance = draw(seed, &random);
        int64_t optimum = duet_exhaustive_optimum(instance);
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        assert_int_equal(duet_network_create(instance, &network, NULL), DUET_OK);
        assert_int_equal(duet_windows_create(&known, &network, &context, NULL), DUET_OK);
        assert_int_equal(duet_reachable_create(&network, &all[1], &all[0], NULL), DUET_OK);
        duet_windows_reset(&known, DUET_MAX_WORK / 2);
        for (int32_t j = 0; j < network.tasks; j++) {
            duet_subproblem_choice choice = {.task = j, .before = (seed + (uint64_t)j) % 2 == 0};
            choice.member = member;
            choice.count = draw_members(&all[choice.before], network.tasks, j, &random, member);
            if (choice.count > 0) {
                raised += check_part(&known, &choice, optimum, &context, &random, seed);
            }
        }
        duet_reachable_free(&all[0]);
        duet_reachable_free(&all[1]);
        duet_windows_free(&known);
        duet_network_free(&network);
        duet_instance_free(instance);
    }
    assert_true(raised > (int64_t)duet_test_share(GRAPHS));
}

// --- lines by hand -------------------------------------------------------------------------------

// A task that takes no time before two in a row of 10 ticks, and a last one of 1, on one CPU and
// one GPU alike.
static duet_instance *chain(void)
{
    const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    const int64_t times[] = {0, 0, 10, 10, 10, 10, 1, 1};
    const duet_edge edge[] = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}};
    duet_instance *instance = NULL;
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .times = times,
                               .edges = 3,
                               .edge = edge};
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static bool accepts(const duet_instance *instance, int64_t bound, const char *lines)
{
    char text[400];
    int length = snprintf(text, sizeof text, "duet-proof 1\nbound %lld\ngraph 4 3\n%s",
                          (long long)bound, lines);
    return duet_test_proves(instance, text, (size_t)length, bound);
}

static void test_lines(void **state)
{
    (void)state;
    duet_instance *instance = chain();
    // A part that refutes 19 refutes the guess of 20; without lines it does not, nor does one that
    // stands.
    assert_true(accepts(instance, 21, "before 3 19 2 1 0 2 0\npath\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 19 2 1 0 2 0\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 20 2 1 0 2 0\npath\nend\nend\n"));
    assert_true(accepts(instance, 21, "behind 0 20 3 1 0 2 0 3 0\npath\nend\nend\n"));
    assert_false(accepts(instance, 22, "behind 0 21 3 1 0 2 0 3 0\npath\nend\nend\n"));
    // What is given must be known.
    assert_true(accepts(instance, 21, "heads 2 1 2\nbefore 3 19 1 2 10\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 19 1 2 10\nend\nend\n"));
    assert_false(accepts(instance, 21, "heads 2 1 2\nbefore 3 20 1 2 11\nend\nend\n"));
    // Members rise and are before the task; there is one.
    assert_false(accepts(instance, 21, "before 3 19 2 2 0 1 0\npath\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 19 2 1 0 1 0\npath\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 1 20 2 1 0 2 0\npath\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 0 0\nend\nend\n"));
    assert_false(accepts(instance, 21, "before 3 19 5 0 0 1 0 2 0 3 0 3 0\npath\nend\nend\n"));
    // No parts and no twins in a part; it ends.
    assert_false(
        accepts(instance, 21, "before 3 19 2 1 0 2 0\nbefore 1 9 1 0 0\nend\npath\nend\nend\n"));
    assert_false(accepts(instance, 21,
                         "before 3 19 2 1 0 2 0\ntwins 1 0\ntwins 2 0 1\npath\n"
                         "end\nend\n"));
    assert_false(accepts(instance, 21, "before 3 19 2 1 0 2 0\npath\n"));
    // What a part shows under a supposition is undone with it.
    assert_true(accepts(instance, 21,
                        "suppose start-after 1 0\nheads 1 2\nbefore 3 20 2 1 1 2 11\n"
                        "end\nend\npath\nend\n"));
    assert_false(accepts(instance, 22,
                         "suppose start-after 1 0\nheads 1 2\nbefore 3 20 2 1 1 2 11\n"
                         "end\nend\npath\nend\n"));
    // In a refuted state anything may be given, but a part is refuted by its own lines.
    assert_true(accepts(instance, 12, "path\nbefore 3 5 1 2 500\nend\nend\n"));
    assert_false(accepts(instance, 12, "path\nbefore 3 50 1 2 0\nend\nend\n"));
    assert_true(accepts(instance, 12, "path\nancestors 3 20 0 1 0\nenergy 20 0 1 0\nend\n"));
    // A length is below 2^62.
    assert_false(accepts(instance, 21,
                         "behind 0 4611686018427387904 1 3 0\nsuppose end-by 0 0\n"
                         "end\nend\npath\nend\n"));
    duet_instance_free(instance);
}

// --- whole graphs --------------------------------------------------------------------------------

static const duet_subproblems_plan small_parts = {
    .least_graph = 1, .most_graph = 100, .least_size = 1, .first_size = 5, .first_work = 100000};

// The bound that parts and the whole graph come to, with its proof. Whether parts are in that.
static bool check_whole(const duet_instance *instance, int64_t optimum, uint64_t seed)
{
    duet_subproblems *parts = NULL;
    duet_context context;
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    bool rests = false;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_subproblems_create(instance, &small_parts, &context, 0, &parts, NULL),
                     DUET_OK);
    const duet_destructive *whole = duet_subproblems_whole(parts);
    while (!duet_destructive_done(whole, optimum, DUET_PHASE_BRANCHING)) {
        assert_int_equal(duet_subproblems_work(parts, optimum, 2000, DUET_PHASE_BRANCHING, NULL),
                         DUET_OK);
    }
    int64_t lower = duet_destructive_lower(whole);
    if (lower > optimum || (lower != optimum && !has_costs(instance))) {
        printf("bound %lld, optimum %lld\n", (long long)lower, (long long)optimum);
        duet_fail_instance(instance, "graph-parts", seed, "the bound misses the optimum");
    }
    if (duet_destructive_proven(whole)) {
        assert_int_equal(duet_destructive_certify(whole, "test", &bound, NULL), DUET_OK);
        const char *text = bound.certificate.lines->text;
        if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
            fputs(text, stdout);
            duet_fail_instance(instance, "graph-parts", seed, error.message);
        }
        rests = strstr(text, "\nbefore ") != NULL || strstr(text, "\nbehind ") != NULL;
        duet_bound_release(&bound);
    }
    duet_subproblems_free(parts);
    return rests;
}

static void test_whole(void **state)
{
    (void)state;
    int64_t resting = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(GRAPHS); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        resting += check_whole(instance, duet_exhaustive_optimum(instance), seed);
        duet_instance_free(instance);
    }
    assert_true(resting > 0 || duet_test_share(GRAPHS) < GRAPHS); // few may have none
}

// Graphs of layers, whose optimum is proven without parts.
static void test_layers(void **state)
{
    (void)state;
    int64_t resting = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(LAYERED); seed++) {
        duet_instance *instance = NULL;
        assert_int_equal(duet_test_generate("layered", 20, 2, 1, seed, NULL, &instance, NULL),
                         DUET_OK);
        duet_solution *solution = duet_test_solve(instance, "exact", "rounds=1", NULL);
        int64_t optimum = duet_solution_makespan(solution);
        if (duet_solution_lower_bound(solution) == optimum) {
            resting += check_whole(instance, optimum, seed);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(resting > 0 || duet_test_share(LAYERED) < LAYERED); // few may have none
}

// --- parts of instances --------------------------------------------------------------------------

static void test_instances(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(GRAPHS); seed++) {
        duet_random random;
        duet_instance *part = NULL;
        int32_t member[8];
        int64_t count = 0;
        duet_instance *instance = draw(seed, &random);
        for (int32_t j = 0; j < duet_tasks(instance); j++) {
            if (duet_random_between(&random, 0, 1) == 1) {
                member[count++] = j;
            }
        }
        assert_int_equal(duet_instance_part(instance, member, count, &part, NULL), DUET_OK);
        assert_int_equal(duet_tasks(part), count);
        for (int64_t i = 0; i < count; i++) {
            size_t kind = duet_instance_kind_of(instance, member[i]);
            for (size_t t = 0; t < instance->types; t++) {
                assert_int_equal(part->processors[t], instance->processors[t]);
                assert_int_equal(duet_time(part, (size_t)i, t), duet_time(instance, kind, t));
            }
        }
        int64_t edges = 0;
        for (int64_t e = 0; instance->graph != NULL && e < instance->graph->edges; e++) {
            bool tail = false;
            bool head = false;
            for (int64_t i = 0; i < count; i++) {
                tail = tail || member[i] == instance->graph->tail[e];
                head = head || member[i] == instance->graph->head[e];
            }
            edges += tail && head;
        }
        assert_int_equal(part->graph == NULL ? 0 : part->graph->edges, edges);
        for (int64_t e = 0; e < edges; e++) {
            bool found = false;
            for (int64_t f = 0; f < instance->graph->edges; f++) {
                found = found || (instance->graph->tail[f] == member[part->graph->tail[e]] &&
                                  instance->graph->head[f] == member[part->graph->head[e]]);
            }
            assert_true(found);
        }
        duet_instance_free(part);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instances), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_whole),
        cmocka_unit_test(test_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
