// SPDX-License-Identifier: Apache-2.0
// Pictures: formats, bounded size, rows, colours, what is asked of odd schedules.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <duet/report.h>

#include "core/instance.h"
#include "core/solution.h"
#include "report/clean_text.h"
#include "report/gantt/classes.h"
#include "report/gantt/layout.h"
#include "report/gantt/marks.h"
#include "report/palette.h"
#include "tests/support/scratch_file.h"

typedef struct fixture {
    duet_instance *instance;
    duet_solution *solution;
    char folder[64];
} fixture;

// Of .svg, .png and .pdf, those that this build draws.
#ifdef DUET_WITH_CAIRO
enum { FORMATS = 3 };
#else
enum { FORMATS = 1 };
#endif

static const char *const kernels[] = {"potrf", "trsm", "syrk", "gemm"};

// `kinds` kinds of `each` tasks with times 1 .. 50 ticks on every type, on types a, b, c, ...;
// `ids` as in duet_instance_desc.
static duet_instance *make_instance(size_t types, const int64_t *processors, size_t kinds,
                                    int64_t each, const char *const *ids)
{
    static const char *const names[] = {"cpu", "gpu", "fpga"};
    duet_type platform[3];
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){names[t], processors[t]};
    }
    int64_t *times = calloc(kinds * types + 1, sizeof *times);
    int64_t *counts = calloc(kinds + 1, sizeof *counts);
    assert_non_null(times);
    assert_non_null(counts);
    for (size_t i = 0; i < kinds * types; i++) {
        times[i] = (int64_t)(i * 7919 % 50) + 1;
    }
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = each;
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               "picture <&\"> \xC3\xA9",
                               "ms",
                               1,
                               types,
                               platform,
                               kinds,
                               ids,
                               counts,
                               times,
                               NULL};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    free(times);
    free(counts);
    return instance;
}

// Tasks in turn on all processors, each as early as possible.
static duet_solution *spread_out(const duet_instance *instance)
{
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, &error), DUET_OK);
    int64_t all = 0;
    for (size_t t = 0; t < instance->types; t++) {
        all += instance->processors[t];
    }
    if (all < 1) {
        fail();
        return solution;
    }
    int64_t *free_at = calloc((size_t)all, sizeof *free_at);
    assert_non_null(free_at);
    for (int64_t task = 0; task < duet_tasks(instance); task++) {
        int64_t at = task % all;
        int64_t processor = at;
        size_t type = 0;
        while (processor >= instance->processors[type]) {
            processor -= instance->processors[type++];
        }
        solution->placement[task] =
            (duet_placement){free_at[at], (int32_t)processor, (int32_t)type};
        free_at[at] += duet_time(instance, duet_instance_kind_of(instance, task), type);
    }
    free(free_at);
    snprintf(solution->algorithm, sizeof solution->algorithm, "round-robin");
    solution->makespan = duet_solution_measure(solution, instance);
    solution->lower_bound = solution->makespan / 2;
    solution->status = solution->lower_bound == solution->makespan ? DUET_OPTIMAL : DUET_BOUNDED;
    return solution;
}

static void prepare(fixture *f, size_t types, const int64_t *processors, size_t kinds, int64_t each,
                    const char *const *ids)
{
    f->instance = make_instance(types, processors, kinds, each, ids);
    f->solution = spread_out(f->instance);
    snprintf(f->folder, sizeof f->folder, "/tmp/duet-gantt-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
}

static void finish(fixture *f)
{
    duet_instance_free(f->instance);
    duet_solution_free(f->solution);
    assert_int_equal(rmdir(f->folder), 0); // fails where something was left
}

static char *path_in(const fixture *f, const char *name, char *path)
{
    snprintf(path, 128, "%s/%s", f->folder, name);
    return path;
}

// Draws into a file, which is read and removed. The caller frees the result.
static char *draw(const fixture *f, const char *name, size_t *size)
{
    char path[128];
    duet_error error = DUET_ERROR_INIT;
    path_in(f, name, path);
    duet_code code = duet_write_gantt(path, f->instance, f->solution, &error);
    if (code != DUET_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(code, DUET_OK);
    char *text = duet_file_text(path, size);
    assert_int_equal(unlink(path), 0);
    return text;
}

// End of the tag that begins at `at`, outside quotes.
static const char *tag_end(const char *at)
{
    bool quoted = false;
    for (; *at != '\0' && (quoted || *at != '>'); at++) {
        quoted = *at == '"' ? !quoted : quoted;
    }
    assert_int_equal(*at, '>');
    return at;
}

// Elements opened and closed in order, one root. Enough for what cairo writes.
static void assert_well_formed(const char *xml)
{
    char open[64][32];
    size_t depth = 0;
    size_t roots = 0;
    for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at, '<')) {
        const char *end = tag_end(at);
        char name[32] = "";
        sscanf(at + 1 + (at[1] == '/'), "%31[a-zA-Z:]", name);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (at[1] != '?' && at[1] != '!') {
            roots += depth == 0;
            if (end[-1] != '/') {
                assert_true(depth < 64);
                memcpy(open[depth++], name, sizeof name);
            }
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static void test_formats(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, 2, (const int64_t[]){3, 2}, 4, 5, kernels);
    size_t size;
    char *svg = draw(&f, "a.svg", &size);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "<svg"));
    char *again = draw(&f, "b.SVG", &size);
    assert_string_equal(svg, again);
    free(svg);
    free(again);
#ifdef DUET_WITH_CAIRO
    char *png = draw(&f, "a.png", &size);
    assert_true(size > 1000);
    assert_memory_equal(png, "\x89PNG\r\n\x1A\n", 8);
    char *pdf = draw(&f, "a.pdf", &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_non_null(strstr(pdf + size - 16, "%%EOF"));
    free(png);
    free(pdf);
#else
    char path[128];
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_write_gantt(path_in(&f, "a.png", path), f.instance, f.solution, &error),
                     DUET_E_UNSUPPORTED);
    assert_non_null(strstr(error.message, "DUET_WITH_CAIRO"));
#endif
    finish(&f);
}

static void test_failures(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, 2, (const int64_t[]){2, 1}, 4, 1, kernels);
    char path[128];
    static const char *const unknown[] = {"a.gif", "svg", "a.svg.txt", "-"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_write_gantt(path_in(&f, unknown[i], path), f.instance, f.solution, &error),
            DUET_E_USAGE);
        assert_non_null(strstr(error.message, ".svg, .png or .pdf"));
    }
    static const char *const endings[] = {"no/such.svg", "no/such.png", "no/such.pdf"};
    for (size_t i = 0; i < FORMATS; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_write_gantt(path_in(&f, endings[i], path), f.instance, f.solution, &error),
            DUET_E_OUTPUT);
    }
    f.solution->tasks--;
    assert_int_equal(duet_write_gantt(path_in(&f, "a.svg", path), f.instance, f.solution, NULL),
                     DUET_E_USAGE);
    f.solution->tasks++;
    finish(&f);
}

// A device that is always full: the failure comes while writing.
static void test_full_device(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    fixture f;
    prepare(&f, 2, (const int64_t[]){2, 1}, 4, 50, kernels);
    static const char *const names[] = {"full.svg", "full.png", "full.pdf"};
    for (size_t i = 0; i < FORMATS; i++) {
        char path[128];
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(symlink("/dev/full", path_in(&f, names[i], path)), 0);
        assert_int_equal(duet_write_gantt(path, f.instance, f.solution, &error), DUET_E_OUTPUT);
        assert_int_equal(unlink(path), 0);
    }
    finish(&f);
}

static void test_size_is_bounded(void **state)
{
    (void)state;
    static const int64_t platforms[][2] = {{20, 4}, {64, 8}, {290, 10}, {400, 8}, {100000, 3}};
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        fixture f;
        prepare(&f, 2, platforms[i], 100000, 1, NULL);
        size_t size;
        char *svg = draw(&f, "a.svg", &size);
        assert_true(size < 4000000);
        assert_well_formed(svg);
        free(svg);
        finish(&f);
    }
}

static void lay_out(const fixture *f, duet_intervals *runs, duet_gantt_layout *layout)
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
        fixture f;
        duet_intervals runs;
        duet_gantt_layout layout;
        // The processors are set only now: filling so many would take long.
        prepare(&f, 3, (const int64_t[]){1, 1, 1}, 0, 1, NULL);
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
        finish(&f);
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
static void make_marks(const fixture *f, duet_intervals *runs, duet_gantt_layout *layout,
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
    fixture f;
    duet_intervals runs;
    duet_gantt_layout layout;
    duet_gantt_classes classes;
    duet_gantt_marks marks;
    prepare(&f, 2, (const int64_t[]){3, 2}, 4, 10, kernels);
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
    finish(&f);
}

// The coloured area is the busy time, whether drawn task by task, merged or in bundles.
static void test_area_is_busy_time(void **state)
{
    (void)state;
    static const int64_t platforms[][2] = {{3, 2}, {20, 4}, {400, 8}, {5000, 700}};
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        fixture f;
        duet_intervals runs;
        duet_gantt_layout layout;
        duet_gantt_classes classes;
        duet_gantt_marks marks;
        prepare(&f, 2, platforms[i], 20000, 1, NULL);
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
        finish(&f);
    }
}

static void class_labels(size_t kinds, int64_t each, const char *const *ids,
                         duet_gantt_classes *classes)
{
    fixture f;
    duet_intervals runs;
    prepare(&f, 2, (const int64_t[]){2, 2}, kinds, each, ids);
    assert_int_equal(duet_intervals_collect(f.instance, f.solution, &runs, NULL), DUET_OK);
    assert_int_equal(duet_gantt_classes_create(f.instance, &runs, classes, NULL), DUET_OK);
    duet_gantt_classes_free(classes);
    duet_intervals_free(&runs);
    finish(&f);
}

static void test_classes(void **state)
{
    (void)state;
    duet_gantt_classes classes;
    class_labels(4, 10, kernels, &classes);
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
        snprintf(text[i], sizeof text[i], "%s_%zu_%zu", kernels[i % 4], i / 8, i % 8);
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

static void test_text_is_cleaned(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t size;
        const char *to;
    } cases[] = {{"plain", 16, "plain"},
                 {"", 16, ""},
                 {"a\nb\x7F", 16, "a?b?"},
                 {"\xC3\xA9t\xC3\xA9", 16, "\xC3\xA9t\xC3\xA9"},
                 {"\xC3(\xFF\xED\xA0\x80", 16, "?(????"},
                 {"\xF0\x9F\x98\x80", 16, "\xF0\x9F\x98\x80"},
                 {"longer than this", 8, "long..."},
                 {"abc\xC3\xA9\xC3\xA9\xC3\xA9", 8, "abc..."}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[16];
        duet_clean_text(cases[i].from, SIZE_MAX, out, cases[i].size);
        assert_string_equal(out, cases[i].to);
    }
}

static void test_odd_schedules(void **state)
{
    (void)state;
    static const size_t kinds[] = {0, 1};
    for (size_t i = 0; i < 2; i++) {
        fixture f;
        size_t size;
        prepare(&f, 2, (const int64_t[]){2, 1}, kinds[i], 1, NULL);
        if (kinds[i] > 0) {
            f.instance->times[0] = 0; // a task that takes no time
            f.solution->makespan = f.solution->lower_bound = 0;
        }
        char *svg = draw(&f, "a.svg", &size);
        assert_well_formed(svg);
        free(svg);
        finish(&f);
    }
}

// A solution from a file may claim anything; drawing it must not go wrong.
static void test_impossible_schedules(void **state)
{
    (void)state;
    static const duet_placement bad[] = {{0, 0, -1}, {0, 99, 0},        {0, -1, 0},
                                         {-5, 0, 0}, {INT64_MAX, 0, 0}, {INT64_MAX - 100, 0, 0},
                                         {0, 0, 9}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fixture f;
        size_t size;
        prepare(&f, 2, (const int64_t[]){2, 1}, 4, 2, kernels);
        f.solution->placement[3] = bad[i];
        f.solution->lower_bound = i % 2 == 0 ? INT64_MAX : -1;
        f.solution->makespan = i == 0 ? -7 : f.solution->makespan;
        assert_int_equal(
            duet_solution_add_aborted(f.solution, (duet_aborted){99, 0, 1, 0, 0}, NULL), DUET_OK);
        assert_int_equal(duet_solution_add_aborted(f.solution, (duet_aborted){1, 5, 1, 0, 0}, NULL),
                         DUET_OK);
        char *svg = draw(&f, "a.svg", &size);
        assert_well_formed(svg);
        free(svg);
        finish(&f);
    }
}

static void test_colours_are_stable(void **state)
{
    (void)state;
    duet_shades four[4];
    duet_shades turned[4];
    duet_shades alone[1];
    const char *backwards[] = {"gemm", "syrk", "trsm", "potrf"};
    duet_palette_assign(4, kernels, four);
    duet_palette_assign(4, backwards, turned);
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(&four[i], &turned[3 - i], sizeof four[i]);
        duet_palette_assign(1, &kernels[i], alone);
        assert_memory_equal(&four[i], &alone[0], sizeof four[i]);
        for (size_t k = 0; k < i; k++) {
            assert_memory_not_equal(&four[i], &four[k], sizeof four[i]);
        }
    }
    const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    duet_shades all[DUET_PALETTE_SIZE];
    duet_palette_assign(DUET_PALETTE_SIZE, names, all);
    for (size_t i = 0; i < DUET_PALETTE_SIZE; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_memory_not_equal(&all[i].light, &all[k].light, sizeof all[i].light);
            assert_memory_not_equal(&all[i].dark, &all[k].dark, sizeof all[i].dark);
        }
    }
}

// fontconfig keeps what it has read until the process ends, out of a leak checker's sight.
DUET_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_size_is_bounded),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_round_ticks),
        cmocka_unit_test(test_every_wide_run_is_a_box),
        cmocka_unit_test(test_area_is_busy_time),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_text_is_cleaned),
        cmocka_unit_test(test_odd_schedules),
        cmocka_unit_test(test_impossible_schedules),
        cmocka_unit_test(test_colours_are_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
