// SPDX-License-Identifier: Apache-2.0
// Work between two looks at whether to stop: what a search or a bound does without looking is work
// that comes on top of any time limit. Every algorithm and every bound runs on instances of every
// kind until it has done so much work, and is then stopped. The work is the CPU time of its thread,
// in steps of a loop that is timed beside it: no clock on a wall, and no speed of a machine,
// decides.
//
// DUET_TEST_LOOKS=row names one row to run alone, DUET_TEST_STEPS=n the work after which it is
// stopped, DUET_TEST_LONG_LOOKS=1 says where looks are far apart.
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "check/proof/tree/vector.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "tests/support/fixtures.h"

// The linker leads every look here (--wrap).
bool __real_duet_context_stop(const duet_context *context);
bool __wrap_duet_context_stop(const duet_context *context);

static duet_cancel *cancel; // of the run; NULL: none runs
static int64_t began;       // CPU time, when the run began,
static int64_t last;        // at its last look,
static int64_t enough;      // and that after which it is stopped
static int64_t longest;     // between two looks
static int64_t looks;
static const void *last_look;     // where it was
static const void *longest_at[2]; // the two

static int64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void look(const void *from)
{
    int64_t now = cpu_ns();
    looks++;
    if (now - last > longest) {
        longest = now - last;
        longest_at[0] = last_look;
        longest_at[1] = from;
    }
    if (now - began > enough) {
        duet_cancel_request(cancel);
    }
    last = cpu_ns();
    last_look = from;
}

bool __wrap_duet_context_stop(const duet_context *context)
{
    if (cancel != NULL) {
        look(__builtin_return_address(0));
    }
    return __real_duet_context_stop(context);
}

// --- the unit ------------------------------------------------------------------------------------

// A step of a loop whose results need each other.
static double step_ns(void)
{
    enum { STEPS = 20000000 };
    volatile uint64_t seed = 88172645463325252;
    uint64_t x = seed;
    int64_t start = cpu_ns();
    for (int i = 0; i < STEPS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    seed = x;
    return (double)(cpu_ns() - start) / STEPS;
}

// --- instances -----------------------------------------------------------------------------------

typedef struct sample {
    const char *what;
    const char *family; // NULL: drawn here
    int64_t size;
    size_t types;
    int64_t processors[3];
    const char *options[3];
    duet_instance *(*draw)(const struct sample *s, duet_random *random);
} sample;

static duet_instance *create(const duet_instance_desc *desc)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_instance_create(desc, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return instance;
}

static const duet_type *platform_of(const sample *s)
{
    static duet_type platform[3] = {{"cpu", 1}, {"gpu", 1}, {"fpga", 1}};
    for (size_t t = 0; t < s->types; t++) {
        platform[t].count = s->processors[t];
    }
    return platform;
}

// Times without any order between the types.
static int64_t *draw_times(const sample *s, int64_t kinds, duet_random *random)
{
    int64_t *times = calloc((size_t)kinds * s->types, sizeof *times);
    assert_non_null(times);
    for (size_t i = 0; i < (size_t)kinds * s->types; i++) {
        times[i] = duet_random_between(random, 1000, 20000);
    }
    return times;
}

static duet_instance *unrelated(const sample *s, duet_random *random)
{
    int64_t *times = draw_times(s, s->size, random);
    duet_instance *instance =
        create(&(duet_instance_desc){.struct_size = sizeof(duet_instance_desc),
                                     .types = s->types,
                                     .platform = platform_of(s),
                                     .kinds = (size_t)s->size,
                                     .times = times});
    free(times);
    return instance;
}

// A few kinds of which there are many tasks.
static duet_instance *many_equal(const sample *s, duet_random *random)
{
    enum { KINDS = 24 };
    int64_t *times = draw_times(s, KINDS, random);
    int64_t counts[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        counts[i] = duet_random_between(random, 1, 2 * s->size / KINDS);
    }
    duet_instance *instance =
        create(&(duet_instance_desc){.struct_size = sizeof(duet_instance_desc),
                                     .types = s->types,
                                     .platform = platform_of(s),
                                     .kinds = KINDS,
                                     .counts = counts,
                                     .times = times});
    free(times);
    return instance;
}

// Half of the tasks before one, which is before the other half; all data take time.
static duet_instance *star(const sample *s, duet_random *random)
{
    const int64_t costs[4] = {0, 40, 60, 0};
    int64_t *times = draw_times(s, s->size, random);
    duet_edge *edges = calloc((size_t)s->size, sizeof *edges);
    assert_non_null(edges);
    for (int64_t j = 1; j < s->size; j++) {
        edges[j - 1] = j % 2 == 0 ? (duet_edge){j, 0, 0} : (duet_edge){0, j, 0};
    }
    duet_instance *instance =
        create(&(duet_instance_desc){.struct_size = sizeof(duet_instance_desc),
                                     .types = 2,
                                     .platform = platform_of(s),
                                     .kinds = (size_t)s->size,
                                     .times = times,
                                     .edges = (size_t)s->size - 1,
                                     .edge = edges,
                                     .cost_tables = 1,
                                     .costs = costs});
    free(edges);
    free(times);
    return instance;
}

static const sample samples[] = {
    {"distinct tasks", "uniform", 4000, 2, {20, 4}, {NULL}, NULL},
    {"many distinct tasks", "uniform", 60000, 2, {20, 4}, {NULL}, NULL},
    {"long times", "uniform", 300, 2, {20, 4}, {"cpu-max=1000000000", "gpu-max=100000000"}, NULL},
    {"three types", NULL, 1500, 3, {10, 6, 4}, {NULL}, unrelated},
    {"one type", NULL, 3000, 1, {16}, {NULL}, unrelated},
    {"many tasks on three types", NULL, 40000, 3, {10, 6, 4}, {NULL}, unrelated},
    {"kernels", "chol", 60, 2, {20, 4}, {NULL}, NULL},
    {"equal tasks", NULL, 300000, 2, {20, 4}, {NULL}, many_equal},
    {"equal tasks on three types", NULL, 30000, 3, {20, 4, 3}, {NULL}, many_equal},
    {"a small graph", "layered", 60, 2, {6, 2}, {"cost=0"}, NULL},
    {"a graph with costs", "layered", 2000, 2, {20, 4}, {"cost=100"}, NULL},
    {"a large graph", "daggen", 30000, 2, {20, 4}, {"cost=0"}, NULL},
    {"chains", "chains", 4000, 2, {20, 4}, {"cost=20"}, NULL},
    {"a star", NULL, 50000, 2, {20, 4}, {NULL}, star},
    {"a small star", NULL, 3000, 2, {20, 4}, {NULL}, star},
    {"moldable tasks", "amdahl", 600, 2, {200, 40}, {NULL}, NULL},
    {"moldable tables", "tables", 200, 2, {32, 8}, {NULL}, NULL},
    {"a graph of moldable tasks", "platform", 200, 0, {0}, {NULL}, NULL},
};

static duet_instance *make(const sample *s)
{
    duet_error error = DUET_ERROR_INIT;
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    if (s->draw != NULL) {
        duet_random random;
        duet_random_seed(&random, 1);
        return s->draw(s, &random);
    }
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    for (size_t i = 0; i < 3 && s->options[i] != NULL; i++) {
        assert_int_equal(duet_options_add(options, s->options[i], &error), DUET_OK);
    }
    if (duet_generate(s->family,
                      &(duet_generate_params){sizeof(duet_generate_params), s->size, s->types,
                                              s->processors, 1, options},
                      &instance, &error) != DUET_OK) {
        fail_msg("%s: %s", s->what, error.message);
    }
    duet_options_free(options);
    return instance;
}

// --- runs ----------------------------------------------------------------------------------------

static double unit;
static int64_t runs;
static int faults;

static duet_params begin(int64_t ns)
{
    duet_params params = DUET_PARAMS_INIT;
    cancel = duet_cancel_create();
    assert_non_null(cancel);
    params.threads = 1;
    params.cancel = cancel;
    looks = longest = 0;
    last_look = NULL;
    enough = ns;
    began = last = cpu_ns();
    return params;
}

// Says what was found in the run that ends.
static void end(const sample *s, const char *row, int64_t most)
{
    look(NULL);
    duet_cancel_free(cancel);
    cancel = NULL;
    runs++;
    int64_t apart = (int64_t)((double)longest / unit);
    if (getenv("DUET_TEST_LONG_LOOKS") != NULL && apart > most / 4) {
        printf("%s, %s: %" PRId64 " steps (%.1f ms of %.0f, %" PRId64 " looks) %p %p\n", row,
               s->what, apart, (double)longest * 1e-6, (double)(cpu_ns() - began) * 1e-6, looks,
               longest_at[0], longest_at[1]);
        fflush(stdout);
    }
    if (apart > most) {
        printf("%s, %s: %" PRId64 " steps between two looks, expected at most %" PRId64 "\n", row,
               s->what, apart, most);
        faults++;
    }
}

static bool is_asked_for(const char *row)
{
    const char *only = getenv("DUET_TEST_LOOKS");
    return only == NULL || strcmp(only, row) == 0;
}

enum { MOST = 100000000 }; // steps
static int64_t steps;      // after which a run is stopped

static void algorithms(const sample *s, const duet_instance *instance)
{
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        const char *name = duet_algorithm_entry(a)->name;
        if (!is_asked_for(name)) {
            continue;
        }
        duet_solution *solution = NULL;
        duet_params params = begin((int64_t)((double)steps * unit));
        duet_code code = duet_solve(instance, name, &params, &solution, NULL);
        end(s, name, MOST);
        (void)code;
        duet_solution_free(solution);
    }
}

static void bounds(const sample *s, const duet_instance *instance)
{
    for (size_t b = 0; b < duet_bound_count(); b++) {
        const char *name = duet_bound_entry(b)->name;
        if (!is_asked_for(name)) {
            continue;
        }
        duet_bound bound = {.value = 0};
        duet_params params = begin((int64_t)((double)steps * unit));
        (void)duet_test_bound(instance, name, &params, &bound, NULL);
        end(s, name, MOST);
        duet_bound_release(&bound);
    }
}

// --- the checker ---------------------------------------------------------------------------------

// Certificates that a few bytes make dear to check. None holds, or none is known to.
typedef struct dear {
    const char *what;
    duet_instance *instance;
    duet_certificate certificate;
    bool endless; // it takes more work than a run is given
} dear;

static const duet_proof_lines *lines_of(const char *head, const char *line, int times)
{
    size_t room = strlen(head) + strlen(line) * (size_t)times + 8;
    char *text = malloc(room);
    const duet_proof_lines *lines = NULL;
    assert_non_null(text);
    size_t length = (size_t)snprintf(text, room, "%s", head);
    for (int i = 0; i < times; i++) {
        length += (size_t)snprintf(text + length, room - length, "%s", line);
    }
    length += (size_t)snprintf(text + length, room - length, "end\n");
    assert_int_equal(duet_proof_lines_create(text, length, &lines, NULL), DUET_OK);
    free(text);
    return lines;
}

// Two tasks, one after the other, and prices over time with a cell for every tick.
static dear many_cells(void)
{
    const sample two = {.types = 2, .processors = {1, 1}};
    const int64_t times[] = {1500000, 1500000, 1500000, 1500000};
    const duet_edge edge = {0, 1, 0};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = platform_of(&two),
                                     .kinds = 2,
                                     .times = times,
                                     .edges = 1,
                                     .edge = &edge};
    return (dear){.what = "prices over time",
                  .instance = create(&desc),
                  .certificate = {.proof = DUET_PROOF_LINES,
                                  .lambda = 3000000,
                                  .lines = lines_of("duet-proof 1\nbound 3000000\ngraph 2 1\n",
                                                    "timed 1 1 0 0\n", 200)},
                  .endless = true};
}

// A task with many predecessors, whose data take time, asked again and again.
static dear many_edges(const char *what, const char *line, bool endless)
{
    const sample s = {.size = 40000, .types = 2, .processors = {20, 4}};
    duet_random random;
    duet_random_seed(&random, 1);
    char head[100];
    snprintf(head, sizeof head, "duet-proof 1\nbound 100000000\ngraph %d %d\n", (int)s.size,
             (int)s.size - 1);
    return (dear){.what = what,
                  .instance = star(&s, &random),
                  .certificate = {.proof = DUET_PROOF_LINES,
                                  .lambda = 100000000,
                                  .lines = lines_of(head, line, 4000)},
                  .endless = endless};
}

// Tasks that must be divided between two types: the list of pairs of works is long.
static dear long_knapsack(void)
{
    const sample s = {.size = 400, .types = 2, .processors = {1, 1}};
    duet_random random;
    duet_random_seed(&random, 1);
    return (dear){
        .what = "a knapsack of works",
        .instance = unrelated(&s, &random),
        .certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = 2000000, .weight = {1, 1}}};
}

static void check(dear *d)
{
    const sample s = {.what = d->what};
    duet_params params = begin((int64_t)((double)steps * unit));
    duet_code code = duet_certificate_check(&d->certificate, d->instance, &params, NULL);
    end(&s, "the checker", MOST);
    printf("%s: %s, %.0f million steps, at most %.1f between two looks\n", d->what,
           duet_code_name(code), (double)(last - began) / unit * 1e-6,
           (double)longest / unit * 1e-6);
    if (code == DUET_OK || (d->endless && code != DUET_E_CANCELLED)) {
        fail_msg("%s: %s", d->what, duet_code_name(code));
    }
    duet_certificate_release(&d->certificate);
    duet_instance_free(d->instance);
}

// The table behind prices of sets, which is asked where the core of the knapsack is too large.
static void check_table(void)
{
    enum { TASKS = 400 };
    const sample s = {
        .what = "a knapsack of prices", .size = TASKS, .types = 2, .processors = {1, 1}};
    duet_random random;
    duet_random_seed(&random, 1);
    duet_instance *instance = unrelated(&s, &random);
    duet_proof_model model;
    int64_t price[TASKS];
    int64_t time;
    duet_params params = begin((int64_t)((double)steps * unit));
    duet_context context;
    assert_int_equal(duet_context_init(&context, &params, NULL), DUET_OK);
    context.memory_limit = (size_t)1 << 30;
    duet_watch watch = {.context = &context};
    assert_int_equal(duet_proof_model_init(&model, instance, 1000000, &watch, NULL), DUET_OK);
    for (size_t c = 0; c < model.classes; c++) {
        price[c] = duet_random_between(&random, 10000, 11000);
    }
    duet_code code =
        duet_proof_dense_knapsack(&model, 0, price, INT64_C(1) << 22, &watch, &time, NULL);
    end(&s, "the checker", MOST);
    assert_int_equal(code, DUET_E_CANCELLED);
    duet_proof_model_free(&model);
    duet_instance_free(instance);
}

static void every_line(void **state)
{
    (void)state;
    unit = step_ns();
    steps = duet_test_number("DUET_TEST_STEPS", 40000000);
    faults = 0;
    dear all[] = {many_cells(),
                  many_edges("paths", "path\n", true),
                  many_edges("shifts", "shift 3 0 1 2\n", false),
                  many_edges("energy", "suppose start-by 0 1\nenergy 0 0 1 1\n", false),
                  many_edges("ancestors", "ancestors 0 0 0 1 1\n", true),
                  many_edges("data", "gather 0 0\n", false),
                  long_knapsack()};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check(&all[i]);
    }
    check_table();
    assert_int_equal(faults, 0);
}

// --- searches and bounds -------------------------------------------------------------------------

static void every_row(void **state)
{
    (void)state;
    unit = step_ns();
    steps = duet_test_number("DUET_TEST_STEPS", 40000000);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        duet_instance *instance = make(&samples[i]);
        algorithms(&samples[i], instance);
        bounds(&samples[i], instance);
        duet_instance_free(instance);
    }
    printf("%" PRId64 " runs, a step of %.2f ns\n", runs, unit);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line), cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
