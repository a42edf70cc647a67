// SPDX-License-Identifier: Apache-2.0
#include "report/chart/chart.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/utf8.h"
#include "report/canvas/canvas.h"
#include "report/chart/axis.h"
#include "report/chart/label.h"
#include "report/chart/look.h"

// The sheet without the legend, what is around the plot, and a row of the legend.
enum { WIDTH = 720, HEIGHT = 446, LEFT = 84, RIGHT = 24, TOP = 46, BOTTOM = 62, ROW = 20 };
enum { PLOT = WIDTH - LEFT - RIGHT, SAMPLE = 28, MOST_COLUMNS = 3, TEXT = 256 };
// Least distance of marks on a line, and most series above another that are counted.
enum { MARK_EVERY = 16, MOST_BENEATH = 3 };
enum { MOST_VALUES = 120, SMALL = 11 }; // labels of a chart of counts, and their size

// Points nearer than this hide each other.
static const double NEAR = 2;

static const double LETTERS = 13;
static const double TITLE = 16;
static const double LEAST_TITLE = 9;
// The width of a letter as a part of its size, and how much wider bold letters are.
static const double LETTER_WIDTH = 0.55;
static const double BOLD = 1.18;

static const duet_colour ink = {0.13, 0.13, 0.13};
static const duet_colour grid = {0.82, 0.82, 0.82};
static const duet_colour fine_grid = {0.93, 0.93, 0.93};
static const duet_colour white = {1, 1, 1};

typedef struct plot {
    const duet_chart *chart;
    duet_axis x;
    duet_axis y;
    duet_look look[DUET_CHART_SERIES];
    duet_point *points; // as many as the longest series has
    size_t columns;     // of the legend
    size_t letters;     // of an entry of the legend
    double height;      // without the legend
} plot;

// --- what is drawn -------------------------------------------------------------------------------

static bool has_value(const duet_chart *chart, const duet_chart_series *series, size_t i)
{
    double x = series->x[i];
    double y = series->y[i];
    return isfinite(x) && isfinite(y) && (chart->linear_x || x > 0) && (chart->linear_y || y > 0);
}

typedef struct range {
    double least;
    double most;
} range;

static void widen(range *r, double value)
{
    r->least = fmin(r->least, value);
    r->most = fmax(r->most, value);
}

static void find_ranges(const duet_chart *chart, range *x, range *y)
{
    *x = *y = (range){INFINITY, -INFINITY};
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (has_value(chart, series, i)) {
                widen(x, series->x[i]);
                widen(y, series->y[i]);
            }
        }
    }
    if (x->most < x->least) { // nothing is drawn
        *x = *y = (range){1, 10};
    }
}

static bool is_whole_x(const duet_chart *chart)
{
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (has_value(chart, series, i) && series->x[i] != floor(series->x[i])) {
                return false;
            }
        }
    }
    return true;
}

static duet_axis make_x_axis(const duet_chart *chart, range r)
{
    static const double near_zero = 0.05; // of the largest value: then 0 takes no room to speak of
    if (!chart->linear_x) {
        return duet_axis_logarithmic(r.least, r.most);
    }
    if (chart->counts == DUET_CHART_NO_COUNTS && r.least >= 0 && r.least <= near_zero * r.most) {
        return duet_axis_linear(0, r.least, r.most);
    }
    return is_whole_x(chart) ? duet_axis_whole(r.least, r.most) : duet_axis_around(r.least, r.most);
}

static duet_axis make_y_axis(const duet_chart *chart, range r)
{
    return chart->counts == DUET_CHART_COUNTS ? duet_axis_whole(r.least, r.most)
           : chart->linear_y                  ? duet_axis_around(r.least, r.most)
                                              : duet_axis_logarithmic(r.least, r.most);
}

// --- where it is ---------------------------------------------------------------------------------

// Adds a value to those of which there are `count` in ascending order, unless it is among them or
// they are too many. Returns how many there are, DUET_AXIS_FEW + 1 for too many.
static size_t add_value(double *values, size_t count, double value)
{
    size_t at = 0;
    while (at < count && count <= DUET_AXIS_FEW && values[at] < value) {
        at++;
    }
    if (count > DUET_AXIS_FEW || (at < count && values[at] == value)) {
        return count;
    }
    if (count < DUET_AXIS_FEW) {
        memmove(values + at + 1, values + at, (count - at) * sizeof *values);
        values[at] = value;
    }
    return count + 1;
}

static void set_few_ticks(const duet_chart *chart, duet_axis *axis)
{
    double values[DUET_AXIS_FEW];
    size_t count = 0;
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (has_value(chart, series, i)) {
                count = add_value(values, count, series->x[i]);
            }
        }
    }
    if (count > 0 && count <= DUET_AXIS_FEW) {
        duet_axis_set_ticks(axis, values, count);
    }
}

static void arrange_legend(plot *to)
{
    size_t longest = 1;
    for (size_t s = 0; s < to->chart->count; s++) {
        size_t length = strlen(to->chart->series[s].label);
        longest = duet_max(length, longest);
    }
    double width = SAMPLE + 20 + LETTER_WIDTH * LETTERS * (double)longest;
    double fit = floor(PLOT / width);
    to->columns = fit < 1 ? 1 : fit > MOST_COLUMNS ? MOST_COLUMNS : (size_t)fit;
    to->letters = (size_t)((PLOT / (double)to->columns - SAMPLE - 20) / (LETTER_WIDTH * LETTERS));
}

static double legend_height(const plot *to)
{
    size_t rows = (to->chart->count + to->columns - 1) / to->columns;
    return (double)rows * ROW;
}

// The legend, and what the sheet has for the rest: its width is always the same number of units.
static duet_code find_size(const duet_chart *chart, plot *to, double *scale, duet_error *error)
{
    enum { LEAST_PLOT = 120 };
    to->chart = chart;
    to->height = HEIGHT;
    *scale = 1;
    arrange_legend(to);
    if (chart->width > 0) {
        *scale = chart->width / (double)WIDTH;
        to->height = chart->height / *scale - legend_height(to);
    }
    return to->height >= TOP + BOTTOM + LEAST_PLOT
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE,
                                "a chart of %d by %d pixels has no room: expected at least %d high",
                                chart->width, chart->height,
                                (int)(*scale * (TOP + BOTTOM + LEAST_PLOT + legend_height(to))) +
                                    1);
}

static double at_x(const plot *to, double value)
{
    return LEFT + duet_axis_place(&to->x, value) * PLOT;
}

static double at_y(const plot *to, double value)
{
    return to->height - BOTTOM - duet_axis_place(&to->y, value) * (to->height - TOP - BOTTOM);
}

static bool runs_over(const plot *to, const duet_chart_series *a, const duet_chart_series *b)
{
    size_t near = 0;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        near += has_value(to->chart, a, i) && has_value(to->chart, b, i) &&
                fabs(at_x(to, a->x[i]) - at_x(to, b->x[i])) < NEAR &&
                fabs(at_y(to, a->y[i]) - at_y(to, b->y[i])) < NEAR;
    }
    return 2 * near > a->count;
}

// What series that run where others do are told apart by: the lower one is wider, the upper one
// has dashes.
static void part_series(plot *to)
{
    for (size_t s = 0; s < to->chart->count; s++) {
        size_t others = 0;
        for (size_t o = 0; o < to->chart->count; o++) {
            const duet_chart_series *own = &to->chart->series[s];
            const duet_chart_series *other = &to->chart->series[o];
            others += o < s && runs_over(to, other, own);
            to->look[s].beneath +=
                o > s && to->look[s].beneath < MOST_BENEATH && runs_over(to, own, other);
        }
        duet_look_let_through(to->look, to->chart->count, s, others);
    }
}

static void arrange(const duet_chart *chart, plot *to)
{
    range x;
    range y;
    find_ranges(chart, &x, &y);
    to->x = make_x_axis(chart, x);
    to->y = make_y_axis(chart, y);
    if (!chart->linear_x && chart->kind != DUET_CHART_MARKS) {
        set_few_ticks(chart, &to->x);
    }
    duet_look_assign(chart, to->look);
    part_series(to);
}

// --- drawing -------------------------------------------------------------------------------------

static double text_width(const char *text, double size)
{
    size_t letters = 0;
    for (const char *at = text; *at != '\0'; at++) {
        letters += ((unsigned char)*at & 0xC0) != 0x80;
    }
    return LETTER_WIDTH * size * (double)letters;
}

// A text of the caller's, with what is no plain text as escapes.
static void draw_text(duet_canvas *canvas, const duet_letters *letters, duet_point at,
                      duet_align align, const char *text)
{
    char shown[TEXT];
    duet_utf8_show_text(text, shown, sizeof shown);
    canvas->does->text(canvas, letters, at.x, at.y, align, shown);
}

static void draw_title(duet_canvas *canvas, const char *title)
{
    double room = PLOT + RIGHT - 8;
    double fit = TITLE * room / fmax(room, BOLD * text_width(title, TITLE));
    const duet_letters letters = {fmax(fit, LEAST_TITLE), true, ink};
    draw_text(canvas, &letters, (duet_point){LEFT, 26}, DUET_ALIGN_LEFT, title);
}

static duet_stroke grid_of(const duet_axis_tick *tick)
{
    return (duet_stroke){1, tick->label[0] == '\0' ? fine_grid : grid, 1, DUET_DASH_NONE};
}

static void draw_x_axis(duet_canvas *canvas, const plot *to)
{
    const duet_letters letters = {LETTERS, false, ink};
    double taken = -INFINITY; // where the last label ends
    for (size_t i = 0; i < to->x.ticks; i++) {
        const duet_axis_tick *tick = &to->x.tick[i];
        const duet_stroke stroke = grid_of(tick);
        double x = at_x(to, tick->value);
        double half = text_width(tick->label, LETTERS) / 2;
        canvas->does->line(canvas, &stroke, x, TOP, x, to->height - BOTTOM);
        if (tick->label[0] != '\0' && x - half > taken + 4) {
            draw_text(canvas, &letters, (duet_point){x, to->height - BOTTOM + 18},
                      DUET_ALIGN_CENTRE, tick->label);
            taken = x + half;
        }
    }
    draw_text(canvas, &letters, (duet_point){LEFT + PLOT / 2.0, to->height - BOTTOM + 40},
              DUET_ALIGN_CENTRE, to->chart->x_label);
}

static void draw_y_axis(duet_canvas *canvas, const plot *to)
{
    const duet_letters letters = {LETTERS, false, ink};
    for (size_t i = 0; i < to->y.ticks; i++) {
        const duet_axis_tick *tick = &to->y.tick[i];
        const duet_stroke stroke = grid_of(tick);
        double y = at_y(to, tick->value);
        canvas->does->line(canvas, &stroke, LEFT, y, LEFT + PLOT, y);
        draw_text(canvas, &letters, (duet_point){LEFT - 8, y + 4}, DUET_ALIGN_RIGHT, tick->label);
    }
    draw_text(canvas, &letters, (duet_point){18, (TOP + to->height - BOTTOM) / 2.0},
              DUET_ALIGN_UPWARDS, to->chart->y_label);
}

// Points from `first` on up to a gap, into the plot's. Returns how many.
static size_t collect(const plot *to, const duet_chart_series *series, size_t first)
{
    size_t count = 0;
    for (size_t i = first; i < series->count && has_value(to->chart, series, i); i++) {
        to->points[count++] = (duet_point){at_x(to, series->x[i]), at_y(to, series->y[i])};
    }
    return count;
}

// Whether a point of a series has a mark: one alone always, on a line all unless they are dense.
// Then the marks of the series take turns, so that one does not hide the other's.
static bool has_mark(const plot *to, size_t number, size_t point, bool alone)
{
    size_t every = 1 + to->chart->series[number].count * MARK_EVERY / PLOT;
    switch (to->chart->kind) {
    case DUET_CHART_MARKS:
        return true;
    case DUET_CHART_LINES:
        return alone;
    default:
        return alone || point % every == number % every;
    }
}

// A line that is broken where a value is missing, and marks.
static void draw_series(duet_canvas *canvas, const plot *to, size_t number)
{
    const duet_chart_series *series = &to->chart->series[number];
    const duet_look *look = &to->look[number];
    const duet_stroke stroke = {duet_look_width(look), look->colour, 1, look->dash};
    char title[TEXT];
    canvas->does->group(canvas, duet_utf8_show_text(series->label, title, sizeof title));
    for (size_t i = 0; i < series->count;) {
        size_t count = collect(to, series, i);
        if (count > 1 && to->chart->kind != DUET_CHART_MARKS) {
            canvas->does->path(canvas, &stroke, to->points, count);
        }
        for (size_t p = 0; p < count; p++) {
            if (has_mark(to, number, i + p, count == 1)) {
                duet_look_draw_mark(canvas, look, to->points[p]);
            }
        }
        i += count + 1; // what follows is a gap
    }
    canvas->does->group(canvas, NULL);
}

// "644.5": no more digits than a reader compares.
static void value_text(double value, char text[TEXT])
{
    double size = fabs(value);
    if (size >= 1e7 || (size > 0 && size < 1e-3)) {
        snprintf(text, TEXT, "%.4g", value);
    } else {
        int places = size >= 1000 || value == floor(value) ? 0
                     : size >= 100                         ? 1
                     : size >= 10                          ? 2
                                                           : 3;
        snprintf(text, TEXT, "%.*f", places, value);
    }
}

// Whether a series before has the same value there, so that one label says both.
static bool is_said(const plot *to, size_t number, size_t point)
{
    const duet_chart_series *own = &to->chart->series[number];
    for (size_t s = 0; s < number; s++) {
        const duet_chart_series *other = &to->chart->series[s];
        for (size_t i = 0; i < other->count; i++) {
            if (other->x[i] == own->x[point] && other->y[i] == own->y[point]) {
                return true;
            }
        }
    }
    return false;
}

// Whether a label of that width, centred there above its base line, would cover one of those
// before.
static bool is_taken(const duet_point *taken, size_t count, duet_point at, double width)
{
    for (size_t i = 0; i < count; i++) {
        if (fabs(taken[i].x - at.x) < width && fabs(taken[i].y - at.y) < SMALL) {
            return true;
        }
    }
    return false;
}

// Whether it would cover a mark.
static bool covers_mark(const plot *to, duet_point at, double width)
{
    enum { MARK = 3 };
    for (size_t s = 0; s < to->chart->count; s++) {
        const duet_chart_series *series = &to->chart->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (has_value(to->chart, series, i) &&
                fabs(at_x(to, series->x[i]) - at.x) < width / 2 + MARK &&
                fabs(at_y(to, series->y[i]) - (at.y - SMALL / 2.0)) < SMALL / 2.0 + MARK) {
                return true;
            }
        }
    }
    return false;
}

static bool covers_line(const plot *to, duet_point at, double width)
{
    const duet_rect box = {at.x - width / 2, at.y - SMALL, width, SMALL};
    for (size_t s = 0; s < to->chart->count; s++) {
        const duet_chart_series *series = &to->chart->series[s];
        for (size_t i = 1; i < series->count; i++) {
            if (has_value(to->chart, series, i - 1) && has_value(to->chart, series, i) &&
                duet_label_is_crossed(
                    box, (duet_point){at_x(to, series->x[i - 1]), at_y(to, series->y[i - 1])},
                    (duet_point){at_x(to, series->x[i]), at_y(to, series->y[i])})) {
                return true;
            }
        }
    }
    return false;
}

// Where the label of a mark has room: above and to the right of it, where lines that fall leave
// some, and for the other line of a pair below and to the left; else on another side, or beside
// it, if need be over a line, left of the axis or over another mark, but not over another label.
// False: nowhere.
static bool place_label(const plot *to, const duet_point *taken, size_t count, bool below,
                        double width, duet_point *at)
{
    enum { ASIDE = 12, UP = -7, DOWN = SMALL + 5, SIDES = 4, NOWHERE = 8 };
    const duet_point mark = *at;
    int best = NOWHERE;
    for (int turn = 0; turn < 2 * SIDES; turn++) {
        bool down = below != (turn % 2 == 1);
        bool left = down != (turn / 2 % 2 == 1);
        double aside = turn < SIDES ? ASIDE : width / 2 + 4;
        const duet_point tried = {mark.x + (left ? -aside : aside), mark.y + (down ? DOWN : UP)};
        int cost = is_taken(taken, count, tried, width)
                       ? NOWHERE
                       : 4 * covers_mark(to, tried, width) + 2 * covers_line(to, tried, width) +
                             (tried.x - width / 2 < LEFT);
        if (cost < best) {
            best = cost;
            *at = tried;
        }
    }
    return best < NOWHERE;
}

// Whether the axis says the value as well as a label, as the mark before has it, too.
static bool is_repeated(const plot *to, const duet_chart_series *series, size_t point)
{
    return to->chart->counts == DUET_CHART_COUNTS && point > 0 &&
           series->y[point - 1] == series->y[point];
}

// The values of a chart of counts beside their marks.
static void draw_values(duet_canvas *canvas, const plot *to)
{
    duet_point taken[MOST_VALUES];
    size_t count = 0;
    for (size_t s = 0; s < to->chart->count; s++) {
        const duet_chart_series *series = &to->chart->series[s];
        const duet_letters letters = {SMALL, false, to->look[s].colour};
        for (size_t i = 0; i < series->count && count < MOST_VALUES; i++) {
            char text[TEXT];
            value_text(series->y[i], text);
            if (!has_value(to->chart, series, i) || is_said(to, s, i) ||
                is_repeated(to, series, i)) {
                continue;
            }
            duet_point at = {at_x(to, series->x[i]), at_y(to, series->y[i])};
            if (place_label(to, taken, count, series->dash > 0, text_width(text, SMALL) + 4, &at)) {
                taken[count++] = at;
                canvas->does->text(canvas, &letters, at.x, at.y, DUET_ALIGN_CENTRE, text);
            }
        }
    }
}

static void draw_legend(duet_canvas *canvas, const plot *to)
{
    const duet_letters letters = {LETTERS, false, ink};
    for (size_t s = 0; s < to->chart->count; s++) {
        const duet_look *look = &to->look[s];
        const duet_stroke stroke = {duet_look_width(look), look->colour, 1, look->dash};
        size_t row = s / to->columns;
        double x = LEFT + (double)(s % to->columns) * PLOT / (double)to->columns;
        double y = to->height + (double)row * ROW;
        char label[TEXT];
        if (to->chart->kind != DUET_CHART_MARKS) {
            canvas->does->line(canvas, &stroke, x, y, x + SAMPLE, y);
        }
        if (to->chart->kind != DUET_CHART_LINES) {
            duet_look_draw_mark(canvas, look, (duet_point){x + SAMPLE / 2.0, y});
        }
        duet_utf8_show_text(to->chart->series[s].label, label, duet_min(to->letters + 1, TEXT));
        canvas->does->text(canvas, &letters, x + SAMPLE + 6, y + 4, DUET_ALIGN_LEFT, label);
    }
}

static void draw(duet_canvas *canvas, const void *picture)
{
    const plot *to = picture;
    draw_title(canvas, to->chart->title);
    draw_x_axis(canvas, to);
    draw_y_axis(canvas, to);
    for (size_t s = 0; s < to->chart->count; s++) {
        draw_series(canvas, to, s);
    }
    if (to->chart->counts) {
        draw_values(canvas, to);
    }
    draw_legend(canvas, to);
}

// What a reader who does not see the chart is told.
static void tell(const duet_chart *chart, char *text, size_t size)
{
    char y[TEXT];
    char x[TEXT];
    snprintf(text, size, "%s over %s", duet_utf8_show_text(chart->y_label, y, sizeof y),
             duet_utf8_show_text(chart->x_label, x, sizeof x));
}

static size_t longest_series(const duet_chart *chart)
{
    size_t longest = 1;
    for (size_t s = 0; s < chart->count; s++) {
        longest = duet_max(chart->series[s].count, longest);
    }
    return longest;
}

duet_code duet_chart_write(const char *path, const duet_chart *chart, duet_error *error)
{
    duet_code code = duet_canvas_can_write(path, error);
    plot *to = code == DUET_OK ? duet_alloc(1, sizeof *to, error) : NULL;
    if (to == NULL) {
        return code == DUET_OK ? DUET_E_MEMORY : code;
    }
    to->points = duet_alloc(longest_series(chart), sizeof *to->points, error);
    if (to->points == NULL) {
        duet_free(to);
        return DUET_E_MEMORY;
    }
    double scale;
    code = find_size(chart, to, &scale, error);
    if (code != DUET_OK) {
        duet_free(to->points);
        duet_free(to);
        return code;
    }
    arrange(chart, to);
    char title[TEXT];
    char text[2 * TEXT + 8];
    duet_utf8_show_text(chart->title, title, sizeof title);
    tell(chart, text, sizeof text);
    const duet_canvas_page page = {.width = WIDTH,
                                   .height = to->height + legend_height(to),
                                   .scale = scale,
                                   .sized = chart->width > 0,
                                   .title = title,
                                   .text = text,
                                   .ground = &white,
                                   .draw = draw,
                                   .picture = to};
    code = duet_canvas_write(path, &page, error);
    duet_free(to->points);
    duet_free(to);
    return code;
}
