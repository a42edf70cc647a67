// SPDX-License-Identifier: Apache-2.0
// A builder, call by call: the exact instance that comes of what was read. Ticks are the finest
// that the work allows, edges join the tasks that were meant, costs are worked out by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/builder/builder_state.h"
#include "core/instance/moldable.h"
#include "core/number/decimal.h"

static duet_read_time number(const char *text)
{
    duet_read_time time = {.forbidden = strcmp(text, "x") == 0};
    if (!time.forbidden) {
        assert_int_equal(duet_decimal_read(text, strlen(text), &time.value, &time.tail),
                         DUET_DECIMAL_OK);
    }
    return time;
}

// A builder of CPUs and GPUs, four and two.
static duet_builder *begin(void)
{
    duet_builder *builder;
    assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_type(builder, "cpu", 4, 0, 0, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_type(builder, "gpu", 2, 0, 0, NULL), DUET_OK);
    return builder;
}

// One more kind; `gpu`: NULL where it has one time.
static void add(duet_builder *builder, const char *id, int64_t count, const char *cpu,
                const char *gpu)
{
    const duet_read_time times[] = {number(cpu), number(gpu == NULL ? "0" : gpu)};
    const duet_read_kind kind = {.id = id,
                                 .id_length = strlen(id),
                                 .count = count,
                                 .times = times,
                                 .time_count = gpu == NULL ? 1 : 2};
    assert_int_equal(duet_builder_add_kind(builder, &kind, NULL), DUET_OK);
}

static duet_instance *finish(duet_builder *builder)
{
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    if (duet_builder_finish(builder, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_builder_free(builder);
    return instance;
}

static void refused(duet_builder *builder, duet_code code, const char *fragment)
{
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_builder_finish(builder, &instance, &error), code);
    assert_null(instance);
    if (strstr(error.message, fragment) == NULL) {
        fail_msg("'%s' lacks '%s'", error.message, fragment);
    }
    duet_builder_free(builder);
}

static void has_times(const duet_instance *instance, size_t kind, int64_t cpu, int64_t gpu)
{
    assert_int_equal(duet_time(instance, kind, 0), cpu);
    assert_int_equal(duet_time(instance, kind, 1), gpu);
}

// --- ticks ---------------------------------------------------------------------------------------

static void the_tick_is_what_times_need(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    add(builder, "a", 2, "1.5", "0.25");
    add(builder, "b", 1, "x", "7");
    assert_int_equal(duet_builder_kinds(builder), 2);
    assert_int_equal(duet_builder_tasks(builder), 3);
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->decimals, 2);
    has_times(instance, 0, 150, 25);
    has_times(instance, 1, DUET_FORBIDDEN, 700);
    assert_int_equal(duet_count(instance, 0), 2);
    assert_null(instance->notice);
    duet_instance_free(instance);
}

// 4.5 takes 62 bits at 18 places, and 4.7 more than there are: 17 places are the finest. Half a
// tick is rounded up.
static void the_tick_is_the_finest_that_fits(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    add(builder, "a", 1, "4.5", "0.000000000000000001");
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->decimals, 18);
    has_times(instance, 0, INT64_C(4500000000000000000), 1);
    duet_instance_free(instance);
    builder = begin();
    add(builder, "a", 1, "4.7", "0.000000000000000015");
    instance = finish(builder);
    assert_int_equal(instance->decimals, 17);
    has_times(instance, 0, INT64_C(470000000000000000), 2);
    assert_string_equal(instance->notice, "1 of 2 times is rounded to 17 decimal places, the "
                                          "finest that fit; the largest error is 5e-18");
    duet_instance_free(instance);
    builder = begin();
    duet_builder_want_exact(builder);
    add(builder, "a", 1, "4.7", "0.000000000000000015");
    refused(builder, DUET_E_INPUT, "time 2 of task 'a' cannot be exact");
}

static void the_largest_work_is_exact(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    add(builder, "a", 2, "2305843009213693952", "1"); // 2^61
    duet_instance *instance = finish(builder);
    has_times(instance, 0, INT64_C(1) << 61, 1);
    duet_instance_free(instance);
    builder = begin();
    add(builder, "a", 2, "2305843009213693952", "1");
    add(builder, "b", 1, "1", "1");
    refused(builder, DUET_E_INPUT, "too much work");
}

// A claim counts in ticks, and needs processors.
static void claims_are_in_ticks(void **state)
{
    (void)state;
    const duet_read_claim claim = {
        .algorithm = "eft", .optimum = {125, 2}, .makespan = {3, 0}, .refuted = false};
    duet_builder *builder = begin();
    add(builder, "a", 1, "1.5", "3");
    assert_int_equal(duet_builder_set_claim(builder, &claim, NULL), DUET_OK);
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->decimals, 2);
    assert_int_equal(instance->claim->claim.optimum, 125);
    assert_int_equal(instance->claim->claim.makespan, 300);
    duet_instance_free(instance);
    assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
    add(builder, "a", 1, "1.5", "3");
    assert_int_equal(duet_builder_set_claim(builder, &claim, NULL), DUET_OK);
    refused(builder, DUET_E_INPUT, "no platform");
}

// --- names and types -----------------------------------------------------------------------------

static void types_are_found_and_made(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    assert_int_equal(duet_builder_types(builder), 2);
    assert_int_equal(duet_builder_find_type(builder, "gpu"), 1);
    assert_int_equal(duet_builder_find_type(builder, "fpga"), 2);
    assert_string_equal(duet_builder_type_name(builder, 1), "gpu");
    assert_int_equal(duet_builder_set_name(builder, "n", NULL), DUET_OK);
    assert_int_equal(duet_builder_set_time_unit(builder, "ms", NULL), DUET_OK);
    assert_int_equal(duet_builder_default_time_unit(builder, "ms", NULL), DUET_OK);
    assert_int_equal(duet_builder_default_time_unit(builder, "s", NULL), DUET_E_USAGE);
    assert_int_equal(duet_builder_add_notice(builder, "first", NULL), DUET_OK);
    assert_int_equal(duet_builder_add_notice(builder, "second", NULL), DUET_OK);
    duet_instance *instance = finish(builder);
    assert_string_equal(instance->notice, "first; second");
    assert_string_equal(instance->name, "n");
    assert_string_equal(instance->time_unit, "ms");
    assert_true(instance->has_platform);
    duet_instance_free(instance);
    assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
    add(builder, "a", 1, "1", "2");
    instance = finish(builder);
    assert_int_equal(instance->types, 2);
    assert_string_equal(instance->type_names[1], "gpu");
    assert_false(instance->has_platform);
    duet_instance_free(instance);
}

static duet_long_decimal factor(void *user)
{
    duet_long_decimal next = {.tail = DUET_DECIMAL_NO_TAIL};
    next.value = (duet_decimal){++*(int *)user * 4, 0};
    return next;
}

// A CPU takes 4 times as long as a GPU for the first kind, 8 times for the second: whichever time
// the file has.
static void the_other_time_is_made(void **state)
{
    (void)state;
    duet_builder *builder;
    int calls = 0;
    assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_type(builder, "cpu", 3, 0, 0, NULL), DUET_OK);
    add(builder, "a", 1, "10", NULL);
    add(builder, "b", 1, "2", NULL);
    assert_int_equal(duet_builder_add_other_time(builder, factor, &calls, NULL), DUET_OK);
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->decimals, 2);
    has_times(instance, 0, 1000, 250);
    has_times(instance, 1, 200, 25);
    duet_instance_free(instance);
    for (int named = 0; named < 2; named++) {
        calls = 0;
        assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
        if (named) {
            assert_int_equal(duet_builder_add_type(builder, "CUDA", 3, 0, 0, NULL), DUET_OK);
        } else {
            duet_builder_set_gpu_time(builder);
        }
        add(builder, "a", 1, "10", NULL);
        add(builder, "b", 1, "2.5", NULL);
        assert_int_equal(duet_builder_add_other_time(builder, factor, &calls, NULL), DUET_OK);
        instance = finish(builder);
        has_times(instance, 0, 400, 100);
        has_times(instance, 1, 200, 25);
        assert_int_equal(instance->processors[1], named ? 3 : 0);
        duet_instance_free(instance);
    }
}

// --- edges ---------------------------------------------------------------------------------------

static duet_read_end task(const char *id)
{
    return (duet_read_end){.id = id, .length = strlen(id)};
}

static void join(duet_builder *builder, const char *from, const char *to, duet_read_cost_form form,
                 size_t count, const char *const *cost)
{
    duet_read_time values[4];
    for (size_t i = 0; i < count; i++) {
        values[i] = number(cost[i]);
    }
    const duet_read_edge edge = {
        .from = task(from), .to = task(to), .form = form, .cost = values, .cost_count = count};
    assert_int_equal(duet_builder_add_edge(builder, &edge, NULL), DUET_OK);
}

static void has_edge(const duet_instance *instance, int64_t edge, int64_t tail, int64_t head)
{
    assert_int_equal(instance->graph->tail[edge], tail);
    assert_int_equal(instance->graph->head[edge], head);
}

static void edges_find_their_tasks(void **state)
{
    (void)state;
    int64_t found;
    duet_builder *builder = begin();
    add(builder, "a", 3, "1", "1");
    add(builder, "b", 1, "1", "1");
    assert_int_equal(duet_builder_find_task(builder, "a#2", 3, &found, NULL), DUET_OK);
    assert_int_equal(found, 2);
    assert_int_equal(duet_builder_find_task(builder, "a#3", 3, &found, NULL), DUET_OK);
    assert_int_equal(found, -1);
    assert_int_equal(duet_builder_find_task(builder, "a", 1, &found, NULL), DUET_OK);
    assert_int_equal(found, -2);
    join(builder, "a#1", "b", DUET_COST_NONE, 0, NULL);
    join(builder, "b", "c", DUET_COST_NONE, 0, NULL); // not there yet
    const duet_read_edge several = {.from = {.id = "a#0, b", .length = 6, .list = true},
                                    .to = {.task = 5}};
    assert_int_equal(duet_builder_add_edge(builder, &several, NULL), DUET_OK);
    add(builder, "c", 1, "1", "1");
    add(builder, "d", 1, "1", "1");
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->graph->edges, 4);
    has_edge(instance, 0, 1, 3);
    has_edge(instance, 1, 3, 4);
    has_edge(instance, 2, 0, 5);
    has_edge(instance, 3, 3, 5);
    duet_instance_free(instance);
    builder = begin();
    add(builder, "a", 1, "1", "1");
    join(builder, "a", "z", DUET_COST_NONE, 0, NULL);
    refused(builder, DUET_E_INPUT, "z");
    builder = begin();
    add(builder, "a", 1, "1", "1");
    add(builder, "b", 1, "1", "1");
    join(builder, "a", "b", DUET_COST_NONE, 0, NULL);
    join(builder, "b", "a", DUET_COST_NONE, 0, NULL);
    refused(builder, DUET_E_INPUT, "cycle");
}

static void dropped_edges_are_counted(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    duet_builder_drop_edges(builder);
    add(builder, "a", 1, "1", "1");
    add(builder, "b", 1, "1", "1");
    join(builder, "a", "b", DUET_COST_NONE, 0, NULL);
    duet_instance *instance = finish(builder);
    assert_null(instance->graph);
    assert_non_null(instance->notice);
    duet_instance_free(instance);
}

static void costs(const duet_instance *instance, int64_t edge, const int64_t *expected)
{
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(duet_graph_cost(instance->graph, edge, i / 2, i % 2), expected[i]);
    }
}

// One value for all, a table, and data: latency and time per unit of each pair of types.
static void edges_cost_what_was_said(void **state)
{
    (void)state;
    const duet_read_time latency[] = {number("0"), number("1.5"), number("2"), number("0")};
    const duet_read_time per_unit[] = {number("0"), number("0.25"), number("0.5"), number("1")};
    const duet_read_transfer transfer = {
        .latency = latency, .latency_count = 4, .per_unit = per_unit, .per_unit_count = 4};
    duet_builder *builder = begin();
    assert_int_equal(duet_builder_set_transfer(builder, &transfer, NULL), DUET_OK);
    add(builder, "a", 1, "1", "1");
    add(builder, "b", 1, "1", "1");
    add(builder, "c", 1, "1", "1");
    add(builder, "d", 1, "1", "1");
    join(builder, "a", "b", DUET_COST_SAME, 1, (const char *const[]){"0.5"});
    join(builder, "b", "c", DUET_COST_TABLE, 4, (const char *const[]){"0", "1", "2", "3"});
    join(builder, "c", "d", DUET_COST_DATA, 1, (const char *const[]){"3"});
    join(builder, "a", "d", DUET_COST_NONE, 0, NULL);
    const duet_read_time four = number("4");
    const duet_read_edge other = {.form = DUET_COST_SAME, .cost = &four, .cost_count = 1};
    assert_int_equal(duet_builder_change_cost(builder, 3, &other, NULL), DUET_OK);
    duet_instance *instance = finish(builder);
    assert_int_equal(instance->decimals, 2);
    costs(instance, 0, (const int64_t[]){50, 50, 50, 50});
    costs(instance, 1, (const int64_t[]){0, 100, 200, 300});
    costs(instance, 2, (const int64_t[]){0, 225, 350, 300});
    costs(instance, 3, (const int64_t[]){400, 400, 400, 400});
    duet_instance_free(instance);
    builder = begin();
    duet_builder_set_uniform_transfer(builder, &four, &latency[1]);
    add(builder, "a", 1, "1", "1");
    add(builder, "b", 1, "1", "1");
    join(builder, "a", "b", DUET_COST_DATA, 1, (const char *const[]){"3"});
    instance = finish(builder);
    assert_int_equal(instance->decimals, 1);
    costs(instance, 0, (const int64_t[]){85, 85, 85, 85});
    duet_instance_free(instance);
}

// --- moldable tasks ------------------------------------------------------------------------------

// Amdahl's law of 12 units of work at a serial part of a quarter: 3 + 9 / p at speed 1, half of it
// at speed 2, up to the next tick of a tenth. The types come after the kind.
static void laws_are_widened_and_raised(void **state)
{
    (void)state;
    duet_builder *builder;
    const duet_read_time tick = number("0.1");
    const duet_read_time speeds[] = {number("1"), number("2")};
    const duet_read_table law = {.law = true, .work = number("12"), .alpha = number("0.25")};
    const duet_read_kind kind = {.id = "a", .id_length = 1, .count = 1};
    assert_int_equal(duet_builder_create(&builder, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_law_kind(builder, &kind, &law, NULL), DUET_OK);
    const duet_read_table serial = {.law = true, .work = number("24"), .alpha = number("1")};
    const duet_read_kind next = {.id = "b", .id_length = 1, .count = 1};
    assert_int_equal(duet_builder_add_law_kind(builder, &next, &serial, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_type(builder, "cpu", 4, 0, 0, NULL), DUET_OK);
    assert_int_equal(duet_builder_add_type(builder, "gpu", 2, 0, 0, NULL), DUET_OK);
    assert_int_equal(duet_builder_set_tick(builder, &tick, 0, 0, NULL), DUET_OK);
    for (size_t t = 0; t < 2; t++) {
        const duet_read_links links = {.speed = &speeds[t]};
        assert_int_equal(duet_builder_set_links(builder, t, &links, NULL), DUET_OK);
    }
    duet_builder_set_mixed_sets(builder, true);
    duet_instance *instance = finish(builder);
    static const int64_t cpu[] = {120, 75, 60, 53}; // 5.25 is raised
    static const int64_t gpu[] = {60, 38};          // 3.75 is raised
    assert_int_equal(instance->decimals, 1);
    assert_true(instance->mixed_sets);
    for (int64_t p = 1; p <= 4; p++) {
        assert_int_equal(duet_moldable_time(instance, 0, 0, p), cpu[p - 1]);
        assert_true(p > 2 || duet_moldable_time(instance, 0, 1, p) == gpu[p - 1]);
        assert_int_equal(duet_moldable_time(instance, 1, 0, p), 240);
        assert_true(p > 2 || duet_moldable_time(instance, 1, 1, p) == 120);
    }
    duet_instance_free(instance);
}

// A table of times, and data over links: 6 units at a bandwidth of 3 and 2, between types at 1.5,
// after a latency of a tenth and two tenths.
static void tables_and_networks_are_kept(void **state)
{
    (void)state;
    duet_builder *builder = begin();
    const duet_read_time first[] = {number("8"), number("5"), number("4")};
    const duet_read_time one[] = {number("3")};
    const duet_read_table tables[] = {{.time = first, .length = 3}, {.time = one, .length = 1}};
    const duet_read_time times[] = {number("8"), number("3")};
    const duet_read_kind kind = {
        .id = "a", .id_length = 1, .count = 2, .times = times, .time_count = 2};
    assert_int_equal(duet_builder_add_moldable_kind(builder, &kind, tables, NULL), DUET_OK);
    const duet_read_time tick = number("0.1");
    const duet_read_time band[] = {number("3"), number("2"), number("1.5")};
    const duet_read_time late[] = {number("0.1"), number("0.2")};
    assert_int_equal(duet_builder_set_tick(builder, &tick, 0, 0, NULL), DUET_OK);
    for (size_t t = 0; t < 2; t++) {
        const duet_read_links links = {.bandwidth = &band[t]};
        assert_int_equal(duet_builder_set_links(builder, t, &links, NULL), DUET_OK);
    }
    const duet_read_network network = {
        .latency = &late[0], .inter_latency = &late[1], .inter_bandwidth = &band[2]};
    assert_int_equal(duet_builder_set_network(builder, &network, NULL), DUET_OK);
    join(builder, "a#0", "a#1", DUET_COST_DATA, 1, (const char *const[]){"6"});
    duet_instance *instance = finish(builder);
    static const int64_t cpu[] = {80, 50, 40};
    for (int64_t p = 1; p <= 3; p++) {
        assert_int_equal(duet_moldable_time(instance, 0, 0, p), cpu[p - 1]);
    }
    assert_int_equal(duet_moldable_time(instance, 0, 1, 1), 30);
    assert_int_equal(duet_moldable_move(instance, 0, 0, 1, 0, 2), 1 + 20);
    assert_int_equal(duet_moldable_move(instance, 0, 0, 3, 0, 3), 1 + 7);
    assert_int_equal(duet_moldable_move(instance, 0, 0, 1, 1, 1), 2 + 40);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tick_is_what_times_need),
        cmocka_unit_test(the_tick_is_the_finest_that_fits),
        cmocka_unit_test(the_largest_work_is_exact),
        cmocka_unit_test(claims_are_in_ticks),
        cmocka_unit_test(types_are_found_and_made),
        cmocka_unit_test(the_other_time_is_made),
        cmocka_unit_test(edges_find_their_tasks),
        cmocka_unit_test(dropped_edges_are_counted),
        cmocka_unit_test(edges_cost_what_was_said),
        cmocka_unit_test(laws_are_widened_and_raised),
        cmocka_unit_test(tables_and_networks_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
