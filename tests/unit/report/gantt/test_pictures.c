// SPDX-License-Identifier: Apache-2.0
// How pictures look: contrasts, texts, what the options of a picture change. tests/shell/look.sh
// looks at them in a browser.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/try.h"
#include "report/gantt/draw.h"
#include "report/gantt/marks.h"
#include "report/intervals.h"
#include "report/page/parts.h"
#include "report/palette.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

// What WCAG 2 asks for: letters, and shapes that mean something.
static const double LETTERS = 4.5;
static const double SHAPES = 3.0;

static void assert_contrast(duet_colour a, duet_colour b, double least, const char *what)
{
    double contrast = duet_colour_contrast(a, b);
    if (contrast < least) {
        fail_msg("%s: contrast %.2f, expected at least %.1f", what, contrast, least);
    }
}

// A colour of tasks in both modes: against idle time and the page, and letters on all that is made
// of it.
static void check_colour(duet_colour colour, const char *what)
{
    for (int mode = 0; mode < 2; mode++) {
        const duet_gantt_theme *theme = duet_gantt_theme_of(mode == 1);
        assert_contrast(colour, theme->idle, SHAPES, what);
        assert_contrast(colour, theme->page, SHAPES, what);
        for (int level = 0; level <= DUET_GANTT_LEVELS; level++) {
            duet_colour mixed =
                duet_colour_mix(theme->idle, colour, (double)level / DUET_GANTT_LEVELS);
            assert_contrast(mixed, duet_colour_letters(mixed), LETTERS, what);
        }
    }
}

static void test_contrast_of_boxes(void **state)
{
    (void)state;
    const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    duet_colour colours[DUET_PALETTE_SIZE];
    duet_palette_assign(DUET_PALETTE_SIZE, names, colours);
    for (size_t i = 0; i < DUET_PALETTE_SIZE; i++) {
        check_colour(colours[i], names[i]);
    }
    check_colour(duet_palette_grey(), "grey");
    check_colour(duet_palette_beside_ramp(0), "beside the ramp");
    check_colour(duet_palette_beside_ramp(1), "beside the ramp");
    for (size_t count = 1; count <= 8; count++) {
        for (size_t i = 0; i < count; i++) {
            check_colour(duet_palette_ramp(i, count), "ramp");
        }
    }
}

static void test_contrast_of_letters(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        const duet_gantt_theme *theme = duet_gantt_theme_of(mode == 1);
        const struct {
            duet_colour colour;
            const char *name;
        } letters[] = {{theme->ink, "ink"},
                       {theme->soft, "soft"},
                       {theme->bound, "bound"},
                       {theme->optimum, "optimum"},
                       {theme->makespan, "makespan"}};
        for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
            assert_contrast(letters[i].colour, theme->page, LETTERS, letters[i].name);
        }
        assert_contrast(theme->lost, theme->idle, SHAPES, "aborted");
    }
    // Known values: black on white, and a pair from the definition's own examples.
    assert_true(duet_colour_contrast((duet_colour){0, 0, 0}, (duet_colour){1, 1, 1}) > 20.99);
    double grey = 0x77 / 255.0;
    double contrast = duet_colour_contrast((duet_colour){grey, grey, grey}, (duet_colour){1, 1, 1});
    assert_true(contrast > 4.47 && contrast < 4.49);
}

static void assert_variable(const char *css, const char *name, duet_colour colour)
{
    char hex[8];
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s: %s;", name, duet_colour_hex(colour, hex));
    if (strstr(css, wanted) == NULL) {
        fail_msg("expected in page.css: %s", wanted);
    }
}

// The page's colours stand in its style sheet; they are those of pictures.
static void test_page_and_picture_agree(void **state)
{
    (void)state;
    const char *css = (const char *)duet_html_style;
    const char *dark = strstr(css, "data-theme=\"dark\"");
    assert_non_null(dark);
    char light[4096];
    snprintf(light, sizeof light, "%.*s", (int)(dark - css), css);
    for (int mode = 0; mode < 2; mode++) {
        const duet_gantt_theme *theme = duet_gantt_theme_of(mode == 1);
        const char *part = mode == 1 ? dark : light;
        assert_variable(part, "--surface", theme->page);
        assert_variable(part, "--idle", theme->idle);
        assert_variable(part, "--ink", theme->ink);
        assert_variable(part, "--muted", theme->soft);
        assert_variable(part, "--bound", theme->bound);
        assert_variable(part, "--end", theme->makespan);
    }
}

// ---- whole pictures

typedef struct fixture {
    duet_instance *instance;
    duet_solution *heft;
    duet_solution *optimum;
    char folder[64];
} fixture;

static duet_solution *solve(const duet_instance *instance, const char *algorithm)
{
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_params params = DUET_PARAMS_INIT;
    assert_int_equal(duet_solve(instance, algorithm, &params, &solution, &error), DUET_OK);
    return solution;
}

static int set_up(void **state)
{
    static fixture f;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_test_generate("worst-heft", 0, -1, -1, 0, NULL, &f.instance, &error),
                     DUET_OK);
    f.heft = solve(f.instance, "heft");
    f.optimum = solve(f.instance, "exact");
    snprintf(f.folder, sizeof f.folder, "/tmp/duet-pictures-XXXXXX");
    assert_non_null(mkdtemp(f.folder));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    duet_solution_free(f->heft);
    duet_solution_free(f->optimum);
    duet_instance_free(f->instance);
    return rmdir(f->folder); // fails where something was left
}

static duet_code draw(const fixture *f, const duet_gantt_options *options, char **svg,
                      duet_error *error)
{
    char path[128];
    snprintf(path, sizeof path, "%s/a.svg", f->folder);
    *svg = NULL;
    DUET_TRY(duet_write_gantt(path, f->instance, f->heft, options, error));
    *svg = duet_file_text(path, NULL);
    assert_int_equal(unlink(path), 0);
    return DUET_OK;
}

static char *drawn(const fixture *f, const duet_gantt_options *options)
{
    duet_error error = DUET_ERROR_INIT;
    char *svg = NULL;
    if (draw(f, options, &svg, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return svg;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void assert_says(const char *svg, const char *part)
{
    if (strstr(svg, part) == NULL) {
        fail_msg("expected in the picture: %s", part);
    }
}

static void test_texts_are_texts(void **state)
{
    const fixture *f = *state;
    char *svg = drawn(f, NULL);
    assert_says(svg, "<title>worst-heft-8</title>");
    assert_says(svg, "<desc>72 tasks, algorithm heft, makespan 2592, lower bound 576 (");
    assert_says(svg, " 4.5 times the claimed optimum 576");
    assert_says(svg, " makespan 2592 ");
    assert_int_equal(count_of(svg, "<title>"), 1 + 72); // the picture's and a task's each
    assert_says(svg, "<title>A0: gpu 0, 0 to 575</title>");
    assert_says(svg, ">A0</text>");
    assert_null(strstr(svg, "<use")); // letters as outlines
    free(svg);
}

// Copies of kinds that share a colour are told apart: no bare number.
static void test_copies_are_told_apart(void **state)
{
    const fixture *f = *state;
    char *svg =
        drawn(f, &(duet_gantt_options){
                     .struct_size = sizeof(duet_gantt_options), .width = 900, .height = 500});
    assert_says(svg, ">B0#0</text>");
    assert_says(svg, ">B1#0</text>");
    for (int copy = 0; copy < 8; copy++) {
        char bare[40];
        snprintf(bare, sizeof bare, "text-anchor=\"middle\">%d</text>", copy);
        assert_null(strstr(svg, bare));
    }
    free(svg);
}

static void test_one_axis_for_two(void **state)
{
    const fixture *f = *state;
    char *svg = drawn(
        f, &(duet_gantt_options){.struct_size = sizeof(duet_gantt_options), .beside = f->optimum});
    assert_int_equal(count_of(svg, ">2400</text>"), 2); // both go to the longer one's end
    assert_says(svg, "algorithm exact ");
    // The best bound that is known is that of both.
    assert_int_equal(count_of(svg, "\xC2\xA0 lower bound 576 ("), 2);
    assert_says(svg, ">makespan = lower bound = claimed optimum 576</text>");
    assert_int_equal(count_of(svg, "<title>"), 1 + 2 * 72);
    // The same task has the same colour in both: two kinds of boxes, in one colour each.
    char first[8] = "";
    for (const char *at = strstr(svg, "<title>A0:"); at != NULL;
         at = strstr(at + 1, "<title>A0:")) {
        const char *group = at;
        while (strncmp(group, "<g fill=\"", 9) != 0) {
            group--;
        }
        if (first[0] == '\0') {
            snprintf(first, sizeof first, "%.7s", group + 9);
        }
        assert_memory_equal(first, group + 9, 7);
    }
    free(svg);
}

static void test_size_title_and_ground(void **state)
{
    const fixture *f = *state;
    char *svg = drawn(f, &(duet_gantt_options){.struct_size = sizeof(duet_gantt_options),
                                               .width = 1280,
                                               .height = 800,
                                               .title = "A <slide>",
                                               .dark = true});
    assert_says(svg, " width=\"1280\" height=\"800\" viewBox=\"0 0 1200 750\"");
    assert_says(svg, "<title>A &lt;slide&gt;</title>");
    assert_says(svg, "height=\"100%\" fill=\"#12161a\"");
    free(svg);
    svg = drawn(
        f, &(duet_gantt_options){.struct_size = sizeof(duet_gantt_options), .transparent = true});
    assert_null(strstr(svg, "height=\"100%\""));
    free(svg);
}

static void test_sizes_that_cannot_be(void **state)
{
    const fixture *f = *state;
    static const int sides[][2] = {{1280, 0},  {0, 800},   {-1, 5},   {100000, 800},
                                   {1280, 60}, {100, 800}, {300, 150}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        duet_error error = DUET_ERROR_INIT;
        char *svg;
        const duet_gantt_options options = {
            .struct_size = sizeof options, .width = sides[i][0], .height = sides[i][1]};
        assert_int_equal(draw(f, &options, &svg, &error), DUET_E_USAGE);
        assert_non_null(strstr(error.message, i < 4 ? "expected" : "at least"));
    }
    duet_error error = DUET_ERROR_INIT;
    char *svg;
    assert_int_equal(draw(f, &(duet_gantt_options){.width = 800}, &svg, &error), DUET_E_USAGE);
}

// In the order of kinds every processor runs the same tasks between the same idle times.
static void test_by_kind(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 50; seed++) {
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = NULL;
        assert_int_equal(duet_test_generate("mixed", 60, 3, 2, seed, NULL, &instance, &error),
                         DUET_OK);
        duet_solution *solution = solve(instance, seed % 2 == 0 ? "heteroprio" : "eft");
        duet_intervals planned;
        duet_intervals shown;
        assert_int_equal(duet_intervals_collect(instance, solution, &planned, NULL), DUET_OK);
        assert_int_equal(duet_intervals_collect(instance, solution, &shown, NULL), DUET_OK);
        duet_intervals_sort(&planned);
        duet_intervals_by_kind(&shown);
        assert_int_equal(planned.count, shown.count);
        for (size_t i = 0; i < shown.count; i++) {
            const duet_interval *at = &shown.interval[i];
            assert_int_equal(at->type, planned.interval[i].type);
            assert_int_equal(at->processor, planned.interval[i].processor);
            bool next = i + 1 < shown.count && at[1].type == at->type &&
                        at[1].processor == at->processor && at[1].start == at->end &&
                        !at->aborted && !at[1].aborted;
            assert_true(!next || at->kind <= at[1].kind);
            if (!at->aborted && duet_solution_place(solution, at->task, &(size_t){0}).type >= 0) {
                int64_t length = at->end - at->start;
                assert_int_equal(length, duet_time(instance, at->kind, (size_t)at->type));
            }
        }
        // Where idle time begins and ends stays as it was.
        for (size_t i = 0; i + 1 < shown.count; i++) {
            const duet_interval *a = &planned.interval[i];
            if (a[1].start != a->end || a[1].processor != a->processor) {
                assert_int_equal(shown.interval[i].end, a->end);
                assert_int_equal(shown.interval[i + 1].start, a[1].start);
            }
        }
        duet_intervals_free(&planned);
        duet_intervals_free(&shown);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// In a task graph another order would be no schedule.
static void test_no_order_of_graphs(void **state)
{
    const fixture *f = *state;
    duet_error error = DUET_ERROR_INIT;
    duet_options *options = NULL;
    fixture graph = *f;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    assert_int_equal(duet_options_add(options, "edges=true", &error), DUET_OK);
    assert_int_equal(duet_test_generate("chol", 4, 2, 1, 0, options, &graph.instance, &error),
                     DUET_OK);
    char *svg;
    const duet_gantt_options by_kind = {.struct_size = sizeof by_kind, .by_kind = true};
    assert_int_equal(draw(&graph, &by_kind, &svg, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "wait for others"));
    duet_options_free(options);
    duet_instance_free(graph.instance);
}

static void test_endings(void **state)
{
    const fixture *f = *state;
    duet_solution *solution = f->heft;
    assert_null(duet_solution_ending(solution));
    solution->interrupted = true;
    static const struct {
        duet_ending ending;
        const char *said;
    } cases[] = {{DUET_ENDED_BY_TIME, "time limit reached"},
                 {DUET_ENDED_BY_LIMIT, "limit reached"},
                 {DUET_ENDED_BY_CALL, "interrupted"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char part[64];
        duet_ending found = DUET_ENDED_BY_TIME;
        solution->ending = cases[i].ending;
        assert_string_equal(duet_solution_ending(solution), cases[i].said);
        assert_true(duet_solution_find_ending(cases[i].said, &found));
        assert_int_equal(found, cases[i].ending);
        char *svg = drawn(f, NULL);
        snprintf(part, sizeof part, "%s</text>", cases[i].said);
        assert_says(svg, part);
        free(svg);
    }
    solution->interrupted = false;
    assert_null(duet_solution_ending(solution));
    solution->ending = DUET_ENDED_BY_GAP;
    assert_string_equal(duet_solution_ending(solution), "gap reached");
    assert_false(duet_solution_find_ending("stopped", &(duet_ending){DUET_ENDED_BY_TIME}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contrast_of_boxes),
                                       cmocka_unit_test(test_contrast_of_letters),
                                       cmocka_unit_test(test_page_and_picture_agree),
                                       cmocka_unit_test(test_texts_are_texts),
                                       cmocka_unit_test(test_copies_are_told_apart),
                                       cmocka_unit_test(test_one_axis_for_two),
                                       cmocka_unit_test(test_size_title_and_ground),
                                       cmocka_unit_test(test_sizes_that_cannot_be),
                                       cmocka_unit_test(test_by_kind),
                                       cmocka_unit_test(test_no_order_of_graphs),
                                       cmocka_unit_test(test_endings)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
