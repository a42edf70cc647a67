// SPDX-License-Identifier: Apache-2.0
// What is drawn in the rows of a picture.
#include "report/gantt/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Marks a picture may have, about: wide boxes cost more of a file than merged columns.
#define MOST_BOXES 30000.0
#define MOST_COLUMNS 80000.0

// Colours a column can have: every class, complete or aborted.
enum { TONES = 2 * DUET_GANTT_MAX_CLASSES };

// One row being cut into columns: processor time, in pixels, by column and tone.
typedef struct canvas {
    const duet_gantt_layout *layout;
    double column; // width in pixels
    double wide;   // intervals at least this wide are boxes
    size_t columns;
    double *time;  // columns x TONES
    double *boxed; // per column: time in boxes, which are drawn on top
    duet_gantt_marks *marks;
} canvas;

static void prepare(canvas *c, const duet_gantt_layout *layout, duet_gantt_marks *marks)
{
    double rows = (double)layout->rows;
    c->layout = layout;
    c->marks = marks;
    c->column = fmax(1, ceil(rows * layout->plot_width / MOST_COLUMNS));
    for (size_t g = 0; g < layout->groups; g++) {
        if (layout->group[g].bundle > 1) {
            c->column = fmax(c->column, 2); // a stack takes several marks per column
        }
    }
    c->wide = fmax(2 * c->column, rows * layout->plot_width / MOST_BOXES);
    c->columns = (size_t)ceil(layout->plot_width / c->column);
}

// Adds the time of one interval to the columns it covers.
static void spread(const canvas *c, double x0, double x1, double *cells, size_t stride)
{
    double from = fmax((x0 - c->layout->plot_x) / c->column, 0);
    double to = fmin((x1 - c->layout->plot_x) / c->column, (double)c->columns);
    for (size_t at = (size_t)from; (double)at < to && at < c->columns; at++) {
        double low = fmax(from, (double)at);
        double high = fmin(to, (double)(at + 1));
        cells[at * stride] += (high - low) * c->column;
    }
}

static duet_code add_mark(canvas *c, duet_gantt_mark mark, duet_error *error)
{
    duet_gantt_marks *marks = c->marks;
    return duet_vec_push(marks->mark, marks->count, error, mark);
}

// Whether a row stands for several processors.
static bool stacked(const duet_gantt_layout *layout, size_t row)
{
    return layout->group[layout->row[row].group].bundle > 1;
}

static duet_code add_interval(canvas *c, const duet_intervals *intervals, size_t which, size_t row,
                              uint8_t class, duet_error *error)
{
    const duet_interval *interval = &intervals->interval[which];
    double x0 = duet_gantt_x(c->layout, interval->start);
    double x1 = duet_gantt_x(c->layout, interval->end);
    const duet_gantt_row *at = &c->layout->row[row];
    if (!stacked(c->layout, row) && x1 - x0 >= c->wide) {
        spread(c, x0, x1, c->boxed, 1);
        return add_mark(c,
                        (duet_gantt_mark){x0, x1, at->y, duet_gantt_inner(c->layout, row), row,
                                          interval->task, which, class, DUET_GANTT_LEVELS,
                                          interval->aborted, 0},
                        error);
    }
    size_t tone = (size_t)2 * class + (interval->aborted ? 1 : 0);
    spread(c, x0, x1, c->time + tone, TONES);
    return DUET_OK;
}

static double column_left(const canvas *c, size_t at)
{
    return c->layout->plot_x + fmin((double)at * c->column, c->layout->plot_width);
}

// The look of one column of a single processor: no task and level 0 where nothing narrow ran in it.
static duet_gantt_mark look_of(const canvas *c, size_t at, size_t row)
{
    const double *time = &c->time[at * TONES];
    size_t best = 0;
    double total = 0;
    for (size_t tone = 0; tone < TONES; tone++) {
        total += time[tone];
        if (time[tone] > time[best]) {
            best = tone;
        }
    }
    double room = c->column - c->boxed[at];
    double share = room > 0 ? fmin(total / room, 1) : 1;
    // Even the shortest interval is visible.
    double level = total > 0 ? fmax(round(share * DUET_GANTT_LEVELS), 1) : 0;
    const duet_gantt_row *place = &c->layout->row[row];
    return (duet_gantt_mark){column_left(c, at),
                             column_left(c, at + 1),
                             place->y,
                             duet_gantt_inner(c->layout, row),
                             row,
                             -1,
                             0,
                             (uint8_t)(best / 2),
                             (uint8_t)level,
                             best % 2 == 1,
                             0};
}

static bool same_look(const duet_gantt_mark *a, const duet_gantt_mark *b)
{
    return a->class == b->class && a->level == b->level && a->aborted == b->aborted;
}

// Turns the columns of a row into marks, neighbours that look alike into one.
static duet_code flush_single(canvas *c, size_t row, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_gantt_mark open = {0};
    for (size_t at = 0; at < c->columns && code == DUET_OK; at++) {
        duet_gantt_mark next = look_of(c, at, row);
        if (open.level > 0 && same_look(&open, &next)) {
            open.x1 = next.x1;
            continue;
        }
        if (open.level > 0) {
            code = add_mark(c, open, error);
        }
        open = next;
    }
    if (open.level > 0 && code == DUET_OK) {
        code = add_mark(c, open, error);
    }
    return code;
}

// The layers of one column of a bundle: layer[tone] with height 0 where nothing of it ran.
static void stack_column(const canvas *c, size_t at, size_t row, duet_gantt_mark *layer)
{
    const duet_gantt_row *place = &c->layout->row[row];
    double inner = duet_gantt_inner(c->layout, row);
    double x0 = column_left(c, at);
    double x1 = column_left(c, at + 1);
    double room = (x1 - x0) * (double)place->processors;
    double below = 0;  // processor time up to this layer
    double bottom = 0; // of the layer, in half pixels: few heights make few and long marks
    for (size_t tone = 0; tone < TONES; tone++) {
        below += c->time[at * TONES + tone];
        double top = room > 0 ? round(fmin(below / room, 1) * inner * 2) : 0;
        layer[tone] = (duet_gantt_mark){.x0 = x0,
                                        .x1 = x1,
                                        .y = place->y + inner - top / 2,
                                        .height = (top - bottom) / 2,
                                        .row = row,
                                        .task = -1,
                                        .class = (uint8_t)(tone / 2),
                                        .level = DUET_GANTT_LEVELS,
                                        .aborted = tone % 2 == 1};
        bottom = top;
    }
}

static duet_code flush_stacked(canvas *c, size_t row, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_gantt_mark open[TONES] = {0};
    for (size_t at = 0; at <= c->columns && code == DUET_OK; at++) {
        duet_gantt_mark next[TONES] = {0};
        if (at < c->columns) {
            stack_column(c, at, row, next);
        }
        for (size_t tone = 0; tone < TONES && code == DUET_OK; tone++) {
            if (next[tone].height == open[tone].height && next[tone].y == open[tone].y) {
                open[tone].x1 = next[tone].x1;
                continue;
            }
            if (open[tone].height > 0) {
                code = add_mark(c, open[tone], error);
            }
            open[tone] = next[tone];
        }
    }
    return code;
}

static duet_code flush_row(canvas *c, size_t row, duet_error *error)
{
    duet_code code =
        stacked(c->layout, row) ? flush_stacked(c, row, error) : flush_single(c, row, error);
    memset(c->time, 0, c->columns * TONES * sizeof *c->time);
    memset(c->boxed, 0, c->columns * sizeof *c->boxed);
    return code;
}

static int compare_marks(const void *left, const void *right)
{
    const duet_gantt_mark *a = left;
    const duet_gantt_mark *b = right;
    int order = (int)(a->task >= 0) - (int)(b->task >= 0);
    order = order != 0 ? order : (int)a->aborted - (int)b->aborted;
    order = order != 0 ? order : (int)a->class - (int)b->class;
    order = order != 0 ? order : (int)a->level - (int)b->level;
    order = order != 0 ? order : (a->height > b->height) - (a->height < b->height);
    order = order != 0 ? order : (a->row > b->row) - (a->row < b->row);
    order = order != 0 ? order : (a->x0 > b->x0) - (a->x0 < b->x0);
    return order != 0 ? order : (a->task > b->task) - (a->task < b->task);
}

// Boxes first, each task's from its first row on, and behind them those of what was given up.
static int compare_rows(const void *left, const void *right)
{
    const duet_gantt_mark *a = left;
    const duet_gantt_mark *b = right;
    int order = (int)(a->task < 0) - (int)(b->task < 0);
    order = order != 0 ? order : (a->task > b->task) - (a->task < b->task);
    order = order != 0 ? order : (int)a->aborted - (int)b->aborted;
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

// Makes one box of those that a task has in neighbouring rows of a type.
static void join_rows(const duet_gantt_layout *layout, duet_gantt_marks *marks)
{
    size_t kept = 0;
    if (marks->count > 0) {
        qsort(marks->mark, marks->count, sizeof *marks->mark, compare_rows);
    }
    for (size_t i = 0; i < marks->count; i++) {
        const duet_gantt_mark *next = &marks->mark[i];
        duet_gantt_mark *last = kept > 0 ? &marks->mark[kept - 1] : NULL;
        bool joins = last != NULL && next->task >= 0 && last->task == next->task &&
                     last->aborted == next->aborted &&
                     next->row == last->row + (size_t)last->beside + 1 &&
                     layout->row[next->row].group == layout->row[last->row].group;
        if (joins) {
            last->height = next->y + next->height - last->y;
            last->beside++;
        } else {
            marks->mark[kept++] = *next;
        }
    }
    marks->count = kept;
}

// Lists the intervals row by row: `order` receives their indices, `first` where each row begins.
static void order_by_row(const duet_gantt_layout *layout, const duet_intervals *intervals,
                         size_t *first, size_t *order)
{
    for (size_t i = 0; i < intervals->count; i++) {
        first[duet_gantt_row_of(layout, intervals->interval[i].type,
                                intervals->interval[i].processor) +
              1]++;
    }
    for (size_t row = 0; row < layout->rows; row++) {
        first[row + 1] += first[row];
    }
    for (size_t i = intervals->count; i-- > 0;) {
        size_t row = duet_gantt_row_of(layout, intervals->interval[i].type,
                                       intervals->interval[i].processor);
        order[--first[row + 1]] = i;
    }
    // Now row r begins at first[r + 1], not at first[r].
    DUET_ASSERT(layout->rows == 0 || first[1] == 0);
}

static duet_code mark_rows(canvas *c, const duet_gantt_classes *classes,
                           const duet_intervals *intervals, const size_t *first,
                           const size_t *order, duet_error *error)
{
    size_t rows = c->layout->rows;
    for (size_t row = 0; row < rows; row++) {
        size_t end = row + 1 < rows ? first[row + 2] : intervals->count;
        for (size_t i = first[row + 1]; i < end; i++) {
            uint8_t class = classes->of_kind[intervals->interval[order[i]].kind];
            DUET_TRY(add_interval(c, intervals, order[i], row, class, error));
        }
        DUET_TRY(flush_row(c, row, error));
    }
    return DUET_OK;
}

duet_code duet_gantt_marks_create(const duet_gantt_layout *layout,
                                  const duet_gantt_classes *classes,
                                  const duet_intervals *intervals, duet_gantt_marks *marks,
                                  duet_error *error)
{
    *marks = (duet_gantt_marks){0, NULL};
    canvas c = {0};
    prepare(&c, layout, marks);
    c.time = duet_alloc(c.columns * TONES, sizeof *c.time, error);
    c.boxed = duet_alloc(c.columns, sizeof *c.boxed, error);
    size_t *first = duet_alloc(layout->rows + 1, sizeof *first, error);
    size_t *order = duet_alloc(intervals->count, sizeof *order, error);
    duet_code code = DUET_E_MEMORY;
    if (c.time != NULL && c.boxed != NULL && first != NULL && order != NULL) {
        order_by_row(layout, intervals, first, order);
        code = mark_rows(&c, classes, intervals, first, order, error);
    }
    if (code == DUET_OK && intervals->moldable) {
        join_rows(layout, marks);
    }
    if (code == DUET_OK && marks->count > 0) {
        qsort(marks->mark, marks->count, sizeof *marks->mark, compare_marks);
    }
    duet_free(c.time);
    duet_free(c.boxed);
    duet_free(first);
    duet_free(order);
    if (code != DUET_OK) {
        duet_gantt_marks_free(marks);
    }
    return code;
}

void duet_gantt_marks_free(duet_gantt_marks *marks)
{
    duet_free(marks->mark);
    *marks = (duet_gantt_marks){0, NULL};
}
