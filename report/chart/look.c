// SPDX-License-Identifier: Apache-2.0
// How the series of a chart are told apart: by colour, kind of line and mark, no two alike.
#include "report/chart/chart.h"

#include "core/system/assert.h"

static const double MARK_SIZE = 3.6; // half of it
static const double LINE_WIDTH = 2;
static const double WIDER = 2;     // what a line and a mark grow by for each series above them
static const double HOLLOW = 0.55; // the white part of a hollow mark

#define COLOUR(red, green, blue)                                                                   \
    {                                                                                              \
        (red) / 255.0, (green) / 255.0, (blue) / 255.0                                             \
    }

// Each has a contrast of at least 4.5:1 on white, and they are told apart with the common colour
// blindnesses.
static const duet_colour colours[] = {COLOUR(0x00, 0x72, 0xb2), COLOUR(0xb3, 0x47, 0x00),
                                      COLOUR(0x00, 0x70, 0x4d), COLOUR(0xa3, 0x3e, 0x78),
                                      COLOUR(0x6b, 0x53, 0x00), COLOUR(0x33, 0x22, 0x88),
                                      COLOUR(0x00, 0x00, 0x00)};
enum { COLOURS = sizeof colours / sizeof *colours };
static const duet_colour white = {1, 1, 1};

typedef struct combination {
    int colour;
    int dash;
    int mark;
} combination;

// The one that a style and a dash ask for.
static combination asked(int style, int dash)
{
    return (combination){style % COLOURS, (dash + style / COLOURS) % DUET_DASHES,
                         style % DUET_MARKS};
}

static bool is_taken(const combination *used, size_t count, combination wanted, bool by_mark)
{
    for (size_t i = 0; i < count; i++) {
        if (used[i].colour == wanted.colour && used[i].dash == wanted.dash &&
            (!by_mark || used[i].mark == wanted.mark)) {
            return true;
        }
    }
    return false;
}

// Another dash where a series before it has this colour and dash, and another mark where all dashes
// are taken.
static combination choose(const combination *used, size_t count, combination wanted)
{
    for (int mark = 0; mark < DUET_MARKS; mark++) {
        for (int dash = 0; dash < DUET_DASHES; dash++) {
            combination tried = {wanted.colour, (wanted.dash + dash) % DUET_DASHES,
                                 (wanted.mark + mark) % DUET_MARKS};
            if (!is_taken(used, count, tried, mark > 0)) {
                return tried;
            }
        }
    }
    return wanted;
}

void duet_look_assign(const duet_chart *chart, duet_look looks[DUET_CHART_SERIES])
{
    combination used[DUET_CHART_SERIES];
    DUET_ASSERT(chart->count <= DUET_CHART_SERIES);
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        used[s] = choose(used, s, asked(series->style, series->dash));
        looks[s] = (duet_look){.colour = colours[used[s].colour],
                               .dash = (duet_dash)used[s].dash,
                               .mark = (duet_mark)used[s].mark,
                               .hollow = used[s].dash > 0};
    }
}

static bool has_dash(const duet_look *looks, size_t count, duet_colour colour, duet_dash dash)
{
    for (size_t s = 0; s < count; s++) {
        const duet_colour own = looks[s].colour;
        if (looks[s].dash == dash && own.r == colour.r && own.g == colour.g && own.b == colour.b) {
            return true;
        }
    }
    return false;
}

void duet_look_let_through(duet_look *looks, size_t count, size_t which, size_t others)
{
    duet_look *look = &looks[which];
    for (int d = others > 1 ? DUET_DASH_DOTS : DUET_DASH_LONG; d < DUET_DASHES; d++) {
        bool wanted = look->dash == DUET_DASH_NONE && others > 0;
        if (wanted && !has_dash(looks, count, look->colour, (duet_dash)d)) {
            look->dash = (duet_dash)d;
            look->hollow = true;
        }
    }
}

double duet_look_width(const duet_look *look)
{
    return LINE_WIDTH + WIDER * (double)look->beneath;
}

// A shape of half this size.
static void draw_shape(duet_canvas *canvas, duet_mark mark, duet_colour fill, duet_point at,
                       double size)
{
    double long_side = 1.3 * size;
    switch (mark) {
    case DUET_MARK_SQUARE:
        canvas->does->rectangle(canvas, fill,
                                (duet_rect){at.x - size, at.y - size, 2 * size, 2 * size}, NULL);
        return;
    case DUET_MARK_TRIANGLE:
    case DUET_MARK_WEDGE: {
        double up = mark == DUET_MARK_TRIANGLE ? long_side : -long_side;
        const duet_point corners[] = {{at.x, at.y - up},
                                      {at.x + long_side, at.y + 0.7 * up},
                                      {at.x - long_side, at.y + 0.7 * up}};
        canvas->does->polygon(canvas, fill, corners, 3);
        return;
    }
    case DUET_MARK_DIAMOND: {
        const duet_point corners[] = {{at.x, at.y - long_side},
                                      {at.x + long_side, at.y},
                                      {at.x, at.y + long_side},
                                      {at.x - long_side, at.y}};
        canvas->does->polygon(canvas, fill, corners, 4);
        return;
    }
    default:
        canvas->does->circle(canvas, fill, at, size);
    }
}

void duet_look_draw_mark(duet_canvas *canvas, const duet_look *look, duet_point at)
{
    double size = MARK_SIZE + WIDER / 2 * (double)look->beneath;
    draw_shape(canvas, look->mark, look->colour, at, size);
    if (look->hollow) {
        draw_shape(canvas, look->mark, white, at, HOLLOW * size);
    }
}
