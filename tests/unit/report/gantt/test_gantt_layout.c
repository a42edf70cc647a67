// SPDX-License-Identifier: Apache-2.0
// What a picture is made of: rows, ticks, boxes, busy time, classes of colours.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <duet/report.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "report/gantt/classes.h"
#include "report/gantt/draw.h"
#include "report/gantt/layout.h"
#include "report/palette.h"
#include "tests/support/drawn.h"

static void lay_out(const duet_drawn *f, duet_intervals *runs, duet_gantt_layout *layout)
{
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_intervals_collect(f->instance, f->solution, runs, &error), DUET_OK);
    const duet_gantt_place place = {1200, 196, 92, 976, 552, false};
    assert_int_equal(
        duet_gantt_layout_create(f->instance, runs, f->solution->makespan, &place, layout, &error),
        DUET_OK);
}

static void test_rows(void **state)
{
    (void)state;
    static const struct {
        int64_t processors[3];
        size_t rows;
        size_t groups;
    } cases[] = {{{1, 0, 0}, 1, 1},        {{2, 1, 0}, 3, 2},    {{20, 4, 1}, 25, 3},
                 {{288, 12, 0}, 300, 2},   {{0, 3, 0}, 3, 1},    {{400, 8, 0}, 48, 2},
                 {{100000, 16, 5}, 41, 3}, {{301, 0, 0}, 31, 1}, {{2147483647, 1, 0}, 44, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_drawn f;
        duet_intervals runs;
        duet_gantt_layout layout;
        // The processors are set only now: filling so many would take long.
        duet_drawn_prepare(&f, 3, (const int64_t[]){1, 1, 1}, 0, 1, NULL);
        assert_int_equal(duet_instance_set_counts(f.instance, 3, cases[i].processors, NULL),
                         DUET_OK);
        lay_out(&f, &runs, &layout);
        assert_int_equal(layout.groups, cases[i].groups);
        assert_int_equal(layout.rows, cases[i].rows);
        int64_t covered = 0;
        for (size_t r = 0; r < layout.rows; r++) {
            covered += layout.row[r].processors;
            assert_true(layout.row[r].height >= 3);
            assert_true(r == 0 ||
                        layout.row[r].y >= layout.row[r - 1].y + layout.row[r - 1].height);
        }
        assert_int_equal(covered,
                         cases[i].processors[0] + cases[i].processors[1] + cases[i].processors[2]);
        assert_true(layout.plot_height < 1100);
        duet_gantt_layout_free(&layout);
        duet_intervals_free(&runs);
        duet_drawn_finish(&f);
    }
}

static void test_round_ticks(void **state)
{
    (void)state;
    duet_gantt_layout layout = {.plot_width = 1000, .horizon = 1};
    static const int64_t cases[][2] = {{1, 1},    {7, 1},      {10, 1},
                                       {11, 2},   {100, 10},   {101, 20},
                                       {400, 50}, {1000, 100}, {123456789, 20000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        layout.horizon = cases[i][0];
        assert_int_equal(duet_gantt_tick_step(&layout, 100), cases[i][1]);
    }
    layout.horizon = INT64_MAX;
    assert_true(duet_gantt_tick_step(&layout, 1000) > 0);
}

// What the boxes and merged columns of a picture say.
static void make_marks(const duet_drawn *f, duet_intervals *runs, duet_gantt_layout *layout,
                       duet_gantt_classes *classes, duet_gantt_marks *marks)
{
    duet_error error = DUET_ERROR_INIT;
    lay_out(f, runs, layout);
    assert_int_equal(duet_gantt_classes_create(f->instance, runs, classes, &error), DUET_OK);
    assert_int_equal(duet_gantt_marks_create(layout, classes, runs, marks, &error), DUET_OK);
}

static void free_marks(duet_intervals *runs, duet_gantt_layout *layout, duet_gantt_classes *classes,
                       duet_gantt_marks *marks)
{
    duet_gantt_marks_free(marks);
    duet_gantt_classes_free(classes);
    duet_gantt_layout_free(layout);
    duet_intervals_free(runs);
}

static void test_every_wide_run_is_a_box(void **state)
{
    (void)state;
    duet_drawn f;
    duet_intervals runs;
    duet_gantt_layout layout;
    duet_gantt_classes classes;
    duet_gantt_marks marks;
    duet_drawn_prepare(&f, 2, (const int64_t[]){3, 2}, 4, 10, duet_drawn_kernels);
    assert_int_equal(duet_solution_add_aborted(f.solution, (duet_aborted){3, 500, 600, 1, 1}, NULL),
                     DUET_OK);
    f.solution->makespan = 600;
    make_marks(&f, &runs, &layout, &classes, &marks);
    assert_int_equal(runs.count, 41);
    int64_t expected = 0;
    for (size_t i = 0; i < runs.count; i++) {
        double width = duet_gantt_x(&layout, runs.interval[i].end) -
                       duet_gantt_x(&layout, runs.interval[i].start);
        expected += width >= 2;
    }
    int64_t boxes = 0;
    int64_t aborted = 0;
    for (size_t i = 0; i < marks.count; i++) {
        const duet_gantt_mark *mark = &marks.mark[i];
        if (mark->task < 0) {
            continue;
        }
        boxes++;
        aborted += mark->aborted;
        const duet_placement *at = &f.solution->placement[mark->task];
        assert_int_equal(classes.of_kind[mark->task / 10], mark->class);
        if (!mark->aborted) {
            assert_int_equal(mark->row, at->type == 0 ? at->processor : 3 + at->processor);
            assert_true(mark->x0 == duet_gantt_x(&layout, at->start));
        }
    }
    assert_int_equal(boxes, expected);
    assert_int_equal(aborted, 1);
    free_marks(&runs, &layout, &classes, &marks);
    duet_drawn_finish(&f);
}

// The coloured area is the busy time, whether drawn task by task, merged or in bundles.
static void test_area_is_busy_time(void **state)
{
    (void)state;
    static const int64_t platforms[][2] = {{3, 2}, {20, 4}, {400, 8}, {5000, 700}};
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        duet_drawn f;
        duet_intervals runs;
        duet_gantt_layout layout;
        duet_gantt_classes classes;
        duet_gantt_marks marks;
        duet_drawn_prepare(&f, 2, platforms[i], 20000, 1, NULL);
        make_marks(&f, &runs, &layout, &classes, &marks);
        double drawn = 0;
        for (size_t k = 0; k < marks.count; k++) {
            const duet_gantt_mark *mark = &marks.mark[k];
            drawn += (mark->x1 - mark->x0) * mark->height / duet_gantt_inner(&layout, mark->row) *
                     mark->level / DUET_GANTT_LEVELS * (double)layout.row[mark->row].processors;
        }
        double busy = 0;
        for (size_t k = 0; k < runs.count; k++) {
            busy += (double)(runs.interval[k].end - runs.interval[k].start);
        }
        busy *= layout.plot_width / (double)layout.horizon;
        // A column that ends under a box is drawn in full.
        assert_true(drawn > 0.97 * busy && drawn < 1.15 * busy);
        free_marks(&runs, &layout, &classes, &marks);
        duet_drawn_finish(&f);
    }
}

static void class_labels(size_t kinds, int64_t each, const char *const *ids,
                         duet_gantt_classes *classes)
{
    duet_drawn f;
    duet_intervals runs;
    duet_drawn_prepare(&f, 2, (const int64_t[]){2, 2}, kinds, each, ids);
    assert_int_equal(duet_intervals_collect(f.instance, f.solution, &runs, NULL), DUET_OK);
    assert_int_equal(duet_gantt_classes_create(f.instance, &runs, classes, NULL), DUET_OK);
    duet_gantt_classes_free(classes);
    duet_intervals_free(&runs);
    duet_drawn_finish(&f);
}

static void test_classes(void **state)
{
    (void)state;
    duet_gantt_classes classes;
    class_labels(4, 10, duet_drawn_kernels, &classes);
    assert_int_equal(classes.count, 4);
    assert_string_equal(classes.list[3].label, "gemm");
    assert_int_equal(classes.list[3].tasks, 10);
    // Every task its own kind: only the times tell them apart.
    class_labels(100, 1, NULL, &classes);
    assert_string_equal(classes.heading, "cpu time / gpu time:");
    assert_true(classes.count >= 4);
    // Ids with indices: by what comes before.
    char text[40][16];
    const char *ids[40];
    for (size_t i = 0; i < 40; i++) {
        snprintf(text[i], sizeof text[i], "%s_%zu_%zu", duet_drawn_kernels[i % 4], i / 8, i % 8);
        ids[i] = text[i];
    }
    class_labels(40, 1, ids, &classes);
    assert_int_equal(classes.count, 4);
    assert_string_equal(classes.list[1].label, "trsm");
    assert_int_equal(classes.list[1].tasks, 10);
    // More names than colours.
    for (size_t i = 0; i < 20; i++) {
        snprintf(text[i], sizeof text[i], "kind-%c", (char)('a' + (char)i));
    }
    class_labels(20, 3, ids, &classes);
    assert_int_equal(classes.count, DUET_PALETTE_SIZE);
    assert_string_equal(classes.list[classes.count - 1].label, "and 9 more kinds");
    assert_int_equal(classes.list[classes.count - 1].tasks, 27);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_round_ticks),
        cmocka_unit_test(test_every_wide_run_is_a_box),
        cmocka_unit_test(test_area_is_busy_time),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
