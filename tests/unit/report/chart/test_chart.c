// SPDX-License-Identifier: Apache-2.0
// Charts: ticks of the axes, looks of the series, and what an SVG has of both.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "report/chart/axis.h"
#include "report/chart/chart.h"
#include "report/chart/label.h"
#include "report/chart/look.h"
#include "tests/support/scratch_file.h"

static char folder[128];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/duet-chart-XXXXXX", duet_scratch_root());
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

// --- axes ----------------------------------------------------------------------------------------

// The labels, separated by spaces; "|" is a tick without one.
static const char *labels(const duet_axis *axis, char text[1024])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < axis->ticks; i++) {
        const duet_axis_tick *tick = &axis->tick[i];
        assert_true(i == 0 || tick->value > axis->tick[i - 1].value);
        assert_in_range((int)(1000 * duet_axis_place(axis, tick->value) + 0.5), 0, 1000);
        used += (size_t)snprintf(text + used, 1024 - used, "%s%s", i == 0 ? "" : " ",
                                 tick->label[0] == '\0' ? "|" : tick->label);
    }
    return text;
}

static void linear_axes(void **state)
{
    (void)state;
    static const struct {
        double low, least, most;
        const char *labels;
    } rows[] = {
        {0, 1, 6, "0 1 2 3 4 5 6"},
        {0, 3, 97, "0 20 40 60 80 100"},
        {1, 1, 1.3, "1.00 1.05 1.10 1.15 1.20 1.25 1.30"},
        {0, 5e6, 9e8, "0 2×10⁸ 4×10⁸ 6×10⁸ 8×10⁸"},
        {0, 0, 0, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {5, 5, 5, "5.0 5.2 5.4 5.6 5.8 6.0"},
        {0, -3, 4, "-4 -2 0 2 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        duet_axis axis = duet_axis_linear(rows[i].low, rows[i].least, rows[i].most);
        assert_string_equal(labels(&axis, text), rows[i].labels);
        assert_true(axis.low <= rows[i].least && axis.high >= rows[i].most);
    }
}

// What is counted has ticks at whole numbers, and no empty half on its left.
static void axes_of_counts(void **state)
{
    (void)state;
    static const struct {
        double least, most;
        const char *whole, *around;
    } rows[] = {
        {2, 4, "2 3 4", "2.0 2.5 3.0 3.5 4.0"},
        {7, 9, "7 8 9", "7.0 7.5 8.0 8.5 9.0"},
        {1, 1, "1", "0.95 1.00 1.05"},
        {1, 64, "20 40 60", "0 20 40 60"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        duet_axis axis = duet_axis_whole(rows[i].least, rows[i].most);
        assert_string_equal(labels(&axis, text), rows[i].whole);
        assert_true(axis.low < rows[i].least && axis.high > rows[i].most);
        assert_true(rows[i].least - axis.low <= fmax(1, rows[i].most - rows[i].least) / 10);
        axis = duet_axis_around(rows[i].least, rows[i].most);
        assert_string_equal(labels(&axis, text), rows[i].around);
        assert_true(axis.low < rows[i].least && axis.high > rows[i].most);
    }
}

static void logarithmic_axes(void **state)
{
    (void)state;
    static const struct {
        double least, most;
        const char *labels;
    } rows[] = {
        {1, 100, "| 1 | | | | | | | | 10 | | | | | | | | 100"},
        {1e-6, 1e9, "10⁻⁶ 10⁻⁴ 10⁻² 10⁰ 10² 10⁴ 10⁶ 10⁸"},
        {0.02, 0.5, "0.02 0.05 0.1 0.2 0.5"},
        {30, 400, "50 100 200"},
        {12, 17, "12 14 16 18"},
        {7, 7, "6.5 7.0 7.5"},
        {4e8, 1.3e10, "5×10⁸ 1×10⁹ 2×10⁹ 5×10⁹ 1×10¹⁰"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        duet_axis axis = duet_axis_logarithmic(rows[i].least, rows[i].most);
        assert_string_equal(labels(&axis, text), rows[i].labels);
        assert_true(axis.low < rows[i].least && axis.high > rows[i].most);
    }
    duet_axis axis = duet_axis_logarithmic(1, 1e6);
    double third = duet_axis_place(&axis, 1e4) - duet_axis_place(&axis, 1e2);
    assert_true(fabs(third - (duet_axis_place(&axis, 1e2) - duet_axis_place(&axis, 1))) < 1e-12);
    char text[1024];
    duet_axis_set_ticks(&axis, (const double[]){50, 100, 200}, 3);
    assert_string_equal(labels(&axis, text), "50 100 200");
}

// --- looks ---------------------------------------------------------------------------------------

static bool alike(const duet_look *a, const duet_look *b, bool lines)
{
    return a->dash == b->dash && memcmp(&a->colour, &b->colour, sizeof a->colour) == 0 &&
           (lines || a->mark == b->mark);
}

static void no_two_series_look_alike(void **state)
{
    (void)state;
    enum { LINES = 28 }; // as many as colours and kinds of line make
    static const double one = 1;
    duet_chart_series series[DUET_CHART_SERIES];
    duet_look looks[DUET_CHART_SERIES];
    for (int dashes = 1; dashes <= 3; dashes++) {
        for (int s = 0; s < DUET_CHART_SERIES; s++) {
            series[s] = (duet_chart_series){"", s / dashes, s % dashes, &one, &one, 1};
        }
        duet_look_assign(&(duet_chart){.series = series, .count = DUET_CHART_SERIES}, looks);
        for (size_t a = 0; a < DUET_CHART_SERIES; a++) {
            for (size_t b = 0; b < a; b++) {
                assert_false(alike(&looks[a], &looks[b], false));
                assert_false(dashes == 1 && a < LINES && alike(&looks[a], &looks[b], true));
            }
        }
        assert_int_equal(looks[0].dash, DUET_DASH_NONE);
        assert_int_equal(looks[1].dash, dashes == 1 ? DUET_DASH_NONE : DUET_DASH_LONG);
    }
}

// --- files ---------------------------------------------------------------------------------------

// Draws a chart; the file is read and removed. The caller frees the result.
static char *draw(const duet_chart *chart, const char *name, size_t *size)
{
    char path[160];
    duet_error error = DUET_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    duet_code code = duet_chart_write(path, chart, &error);
    if (code != DUET_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(code, DUET_OK);
    char *text = duet_file_text(path, size);
    assert_int_equal(unlink(path), 0);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        count++;
    }
    return count;
}

static const double three[] = {1, 2, 4};

static duet_chart chart_of(const duet_chart_series *series, size_t count)
{
    return (duet_chart){
        .title = "t", .x_label = "across", .y_label = "up", .series = series, .count = count};
}

static void a_series_beneath_another_is_wider(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3};
    const double y[] = {4, 5, 6};
    const double other[] = {4, 7, 8};
    const duet_chart_series series[] = {
        {"beneath", 0, 0, x, y, 3}, {"apart", 1, 0, x, other, 3}, {"above", 2, 0, x, y, 3}};
    duet_chart chart = chart_of(series, 3);
    char *svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "stroke-width=\"4.0\""), 2); // its line, and in the legend
    assert_int_equal(count_of(svg, "stroke-width=\"2.0\""), 4);
    assert_int_equal(count_of(svg, "stroke-dasharray"), 2); // the one above, so that both are seen
    free(svg);
    const duet_colour blue = {0, 0, 1};
    duet_look looks[] = {{.colour = blue}, {.colour = blue, .dash = DUET_DASH_LONG}};
    duet_look_let_through(looks, 2, 0, 1);
    assert_int_equal(looks[0].dash, DUET_DASH_DOTS); // the other kind of line is another series'
}

// An axis begins where the values do, and at 0 only where that is near.
static void linear_axes_begin_at_the_values(void **state)
{
    (void)state;
    const double x[] = {2, 6, 15};
    const double far_x[] = {2, 60, 150};
    const double y[] = {100, 101.5, 103};
    const duet_chart_series series = {"s", 0, 0, x, y, 3};
    const duet_chart_series from_zero = {"s", 0, 0, far_x, far_x, 3};
    duet_chart chart = chart_of(&series, 1);
    chart.linear_x = chart.linear_y = true;
    char *svg = draw(&chart, "c.svg", NULL);
    assert_null(strstr(svg, ">0</text>"));
    assert_non_null(strstr(svg, ">100</text>"));
    free(svg);
    chart.series = &from_zero;
    svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, ">0</text>"), 2);
    free(svg);
}

static void dense_marks_take_turns(void **state)
{
    (void)state;
    enum { POINTS = 100, EVERY = 1 + POINTS * 16 / 612 };
    double x[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = i + 1;
    }
    const duet_chart_series series = {"a", 0, 0, x, x, POINTS};
    duet_chart chart = chart_of(&series, 1);
    char *svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "<circle"), (POINTS + EVERY - 1) / EVERY + 1);
    free(svg);
    chart.kind = DUET_CHART_MARKS; // all that there is to see
    svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "<circle"), POINTS + 1);
    free(svg);
}

static void a_gap_where_there_is_no_value(void **state)
{
    (void)state;
    const double long_x[] = {1, 2, 3, 4, 5, 6};
    const double y[] = {1, 2, 0, 4, NAN, INFINITY};
    const duet_chart_series series = {"s", 0, 0, long_x, y, 6};
    duet_chart chart = chart_of(&series, 1);
    char *svg = draw(&chart, "c.svg", NULL);
    // A line through the first two, marks at three and in the legend.
    assert_int_equal(count_of(svg, "stroke-linejoin"), 1);
    assert_int_equal(count_of(svg, "<circle"), 4);
    free(svg);
    chart.kind = DUET_CHART_LINES; // a point alone has a mark all the same
    svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "stroke-linejoin"), 1);
    assert_int_equal(count_of(svg, "<circle"), 1);
    free(svg);
    chart.linear_y = true; // where 0 is a value
    svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "stroke-linejoin"), 1);
    assert_int_equal(count_of(svg, "<circle"), 0);
    free(svg);
    chart.kind = DUET_CHART_MARKS;
    svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "stroke-linejoin"), 0);
    assert_int_equal(count_of(svg, "<circle"), 5);
    free(svg);
}

static void texts_stay_texts(void **state)
{
    (void)state;
    const duet_chart_series series[] = {{"a < b & \"c\"\n<path>", 0, 0, three, three, 3}};
    duet_chart chart = chart_of(series, 1);
    char *svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "a &lt; b &amp; &quot;c&quot;\\n&lt;path&gt;"),
                     2); // title, legend
    assert_non_null(strstr(svg, ">across</text>"));
    assert_non_null(strstr(svg, "rotate(-90"));
    assert_non_null(strstr(svg, "<desc>up over across</desc>"));
    free(svg);
}

static void nothing_to_draw(void **state)
{
    (void)state;
    const double none[] = {NAN, NAN, NAN};
    const duet_chart_series series = {"s", 0, 0, three, none, 3};
    duet_chart chart = chart_of(&series, 1);
    for (int linear = 0; linear < 2; linear++) {
        chart.linear_x = chart.linear_y = linear == 1;
        for (chart.count = 0; chart.count < 2; chart.count++) {
            char *svg = draw(&chart, "c.svg", NULL);
            assert_null(strstr(svg, "nan"));
            assert_null(strstr(svg, "inf"));
            free(svg);
        }
    }
}

// A size is the sheet's; values of counts stand beside their marks, equal ones once.
static void sizes_and_values(void **state)
{
    (void)state;
    const double counts[] = {2, 3, 4};
    const double makespans[] = {644.5, 501, 433.25};
    const double bounds[] = {640, 501, 400};
    const duet_chart_series series[] = {{"makespan", 0, 0, counts, makespans, 3},
                                        {"lower bound", 0, 1, counts, bounds, 3}};
    duet_chart chart = chart_of(series, 2);
    chart.linear_x = chart.linear_y = true;
    chart.counts = DUET_CHART_COUNTS_X;
    chart.width = 1440;
    chart.height = 900;
    char *svg = draw(&chart, "c.svg", NULL);
    assert_non_null(strstr(svg, "width=\"1440\" height=\"900\" viewBox=\"0 0 720 450\""));
    static const char *const once[] = {">644.5</text>", ">640</text>", ">501</text>",
                                       ">433.2</text>", ">400</text>"};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        assert_true(count_of(svg, once[i]) >= 1);
    }
    assert_int_equal(count_of(svg, ">501</text>"), 1);
    free(svg);
    chart.height = 200;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_chart_write("c.svg", &chart, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "expected at least"));
}

// Of a run of equal counts the first has a label; the axis says the others.
static void equal_counts_are_said_once(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    const double fewest[] = {8, 8, 8, 5, 5, 5};
    const duet_chart_series series[] = {{"fewest", 0, 0, x, fewest, 6}};
    duet_chart chart = chart_of(series, 1);
    chart.linear_x = chart.linear_y = true;
    chart.counts = DUET_CHART_COUNTS;
    char *svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, ">8</text>"), 2); // the axis, and the label
    free(svg);
    chart.counts = DUET_CHART_COUNTS_X;
    svg = draw(&chart, "c.svg", NULL);
    assert_true(count_of(svg, ">8</text>") >= 3);
    free(svg);
}

static void lines_through_labels(void **state)
{
    (void)state;
    const duet_rect box = {10, 20, 30, 10};
    static const struct {
        duet_point a, b;
        bool crossed;
    } rows[] = {
        {{0, 0}, {50, 50}, true},     {{0, 25}, {50, 25}, true},  {{15, 22}, {16, 23}, true},
        {{0, 20}, {50, 20}, false},   {{0, 0}, {50, 15}, false},  {{0, 40}, {50, 31}, false},
        {{25, 0}, {25, 15}, false},   {{25, 0}, {25, 21}, true},  {{0, 25}, {9, 25}, false},
        {{45, 25}, {60, 100}, false}, {{10, 0}, {10, 50}, false}, {{39, 50}, {41, 0}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(duet_label_is_crossed(box, rows[i].a, rows[i].b) == rows[i].crossed);
        assert_true(duet_label_is_crossed(box, rows[i].b, rows[i].a) == rows[i].crossed);
    }
}

// A line that falls into a mark leaves the label of the mark free.
static void labels_keep_off_lines(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4};
    const double y[] = {141.8, 99.75, 95.35, 95.3};
    const duet_chart_series series[] = {{"makespan", 0, 0, x, y, 4}};
    duet_chart chart = chart_of(series, 1);
    chart.linear_x = chart.linear_y = true;
    chart.counts = DUET_CHART_COUNTS_X;
    char *svg = draw(&chart, "c.svg", NULL);
    // Above it and to the right, where labels stand as a rule, the line goes through a letter.
    const char *text = strstr(svg, ">99.75</text>");
    assert_non_null(text);
    while (text > svg && strncmp(text, "<text x=\"", 9) != 0) {
        text--;
    }
    double at = strtod(text + 9, NULL);
    const char *grid = strstr(svg, ">2</text>");
    while (grid > svg && strncmp(grid, "<text x=\"", 9) != 0) {
        grid--;
    }
    assert_true(fabs(at - strtod(grid + 9, NULL) - 12) > 1);
    free(svg);
}

static void many_long_series(void **state)
{
    (void)state;
    duet_chart_series series[DUET_CHART_SERIES];
    char label[600];
    memset(label, 'w', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    for (int s = 0; s < DUET_CHART_SERIES; s++) {
        series[s] = (duet_chart_series){label, s, 0, three, three, 3};
    }
    duet_chart chart = chart_of(series, DUET_CHART_SERIES);
    chart.title = chart.x_label = chart.y_label = label;
    char *svg = draw(&chart, "c.svg", NULL);
    assert_int_equal(count_of(svg, "<g><title>"), DUET_CHART_SERIES);
    free(svg);
}

#ifdef DUET_WITH_CAIRO
static void png_and_pdf(void **state)
{
    (void)state;
    duet_chart_series series[DUET_MARKS];
    for (int s = 0; s < DUET_MARKS; s++) {
        series[s] = (duet_chart_series){"s", s, s, three, three, 3};
    }
    duet_chart chart = chart_of(series, DUET_MARKS);
    size_t size = 0;
    char *png = draw(&chart, "c.png", &size);
    assert_true(size > 1000);
    assert_memory_equal(png, "\x89PNG\r\n\x1A\n", 8);
    free(png);
    char *pdf = draw(&chart, "c.PDF", &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_non_null(strstr(pdf + size - 16, "%%EOF"));
    free(pdf);
}
#else
static void png_and_pdf(void **state)
{
    (void)state;
    const duet_chart_series series = {"s", 0, 0, three, three, 3};
    duet_chart chart = chart_of(&series, 1);
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_chart_write("none/c.png", &chart, &error), DUET_E_UNSUPPORTED);
    assert_non_null(strstr(error.message, "DUET_WITH_CAIRO"));
}
#endif

static void failures(void **state)
{
    (void)state;
    const duet_chart_series series = {"s", 0, 0, three, three, 3};
    duet_chart chart = chart_of(&series, 1);
    char path[160];
    snprintf(path, sizeof path, "%s/none/c.svg", folder);
    assert_int_equal(duet_chart_write(path, &chart, NULL), DUET_E_OUTPUT);
    snprintf(path, sizeof path, "%s/c.gif", folder);
    assert_int_equal(duet_chart_write(path, &chart, NULL), DUET_E_USAGE);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_axes),
        cmocka_unit_test(axes_of_counts),
        cmocka_unit_test(logarithmic_axes),
        cmocka_unit_test(no_two_series_look_alike),
        cmocka_unit_test(a_series_beneath_another_is_wider),
        cmocka_unit_test(linear_axes_begin_at_the_values),
        cmocka_unit_test(dense_marks_take_turns),
        cmocka_unit_test(a_gap_where_there_is_no_value),
        cmocka_unit_test(texts_stay_texts),
        cmocka_unit_test(nothing_to_draw),
        cmocka_unit_test(sizes_and_values),
        cmocka_unit_test(equal_counts_are_said_once),
        cmocka_unit_test(lines_through_labels),
        cmocka_unit_test(labels_keep_off_lines),
        cmocka_unit_test(many_long_series),
        cmocka_unit_test(png_and_pdf),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
