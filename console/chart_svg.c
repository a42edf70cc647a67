// SPDX-License-Identifier: Apache-2.0
// Charts on linear axes as SVG, without any other program: text stays text, and every line has a
// title that a browser shows and a screen reader reads.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "console/chart.h"
#include "core/number/minmax.h"
#include "core/system/output.h"
#include "core/system/utf8.h"

enum { WIDTH = 720, HEIGHT = 440, LEFT = 84, RIGHT = 24, TOP = 46, BOTTOM = 56, ROW = 20 };

// Each at least 4.5:1 on white, and told apart with the common colour blindnesses; after the last
// the kind of line tells on.
static const char *const colours[] = {"#0072b2", "#b34700", "#00704d", "#a33e78",
                                      "#6b5300", "#332288", "#000000"};
enum { COLOURS = sizeof colours / sizeof *colours };
static const char *const dashes[] = {"", "7 4", "2 3", "9 3 2 3"};
enum { DASHES = sizeof dashes / sizeof *dashes };

// An axis: values from `low` to `high`, ticks at multiples of `step`.
typedef struct axis {
    double low;
    double high;
    double step;
    int places; // of the ticks' decimals
} axis;

typedef struct plot {
    FILE *stream;
    axis x;
    axis y;
} plot;

static void put_text(FILE *stream, const char *text)
{
    while (*text != '\0') {
        char shown[DUET_SHOWN];
        text += duet_utf8_show((const unsigned char *)text, SIZE_MAX, shown);
        fputs(shown[0] == '<'   ? "&lt;"
              : shown[0] == '>' ? "&gt;"
              : shown[0] == '&' ? "&amp;"
                                : shown,
              stream);
    }
}

// Steps of 1, 2 or 5 times a power of ten, some six of them.
static axis make_axis(double low, double high)
{
    high = high > low ? high : low + 1;
    double rough = (high - low) / 6;
    double power = pow(10, floor(log10(rough)));
    double step = rough <= power ? power : rough <= 2 * power ? 2 * power : 5 * power;
    step = rough > 5 * power ? 10 * power : step;
    int places = (int)ceil(-log10(step) - 1e-9);
    return (axis){low, ceil(high / step - 1e-9) * step, step, duet_max(places, 0)};
}

static void measure(const duet_chart *chart, plot *made)
{
    double x = 0;
    double y = chart->least_y;
    for (size_t s = 0; s < chart->count; s++) {
        for (size_t i = 0; i < chart->series[s].count; i++) {
            x = fmax(x, chart->series[s].x[i]);
            y = isnan(chart->series[s].y[i]) ? y : fmax(y, chart->series[s].y[i]);
        }
    }
    made->x = make_axis(0, x);
    made->y = make_axis(chart->least_y, y);
}

static double place_x(const plot *to, double value)
{
    return LEFT + (value - to->x.low) / (to->x.high - to->x.low) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const plot *to, double value)
{
    return HEIGHT - BOTTOM -
           (value - to->y.low) / (to->y.high - to->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(const plot *to, const duet_chart *chart)
{
    FILE *out = to->stream;
    for (int i = 0; to->x.low + i * to->x.step <= to->x.high * (1 + 1e-9); i++) {
        double value = to->x.low + i * to->x.step;
        fprintf(out,
                "<path class=\"g\" d=\"M%.1f %dV%d\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.*f</text>\n",
                place_x(to, value), TOP, HEIGHT - BOTTOM, place_x(to, value), HEIGHT - BOTTOM + 18,
                to->x.places, value);
    }
    for (int i = 0; to->y.low + i * to->y.step <= to->y.high * (1 + 1e-9); i++) {
        double value = to->y.low + i * to->y.step;
        fprintf(out,
                "<path class=\"g\" d=\"M%d %.1fH%d\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                LEFT, place_y(to, value), WIDTH - RIGHT, LEFT - 8, place_y(to, value) + 4,
                to->y.places, value);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - BOTTOM + 40);
    put_text(out, chart->x_label);
    fprintf(out,
            "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    put_text(out, chart->y_label);
    fputs("</text>\n", out);
}

static void put_stroke(FILE *out, const duet_chart_series *series)
{
    fprintf(out, "stroke=\"%s\" stroke-dasharray=\"%s\"", colours[series->style % COLOURS],
            dashes[series->dash % DASHES]);
}

// A line, broken where a value is missing, and marks at its points.
static void put_series(const plot *to, const duet_chart *chart, const duet_chart_series *series)
{
    FILE *out = to->stream;
    bool open = false;
    fputs("<g><title>", out);
    put_text(out, series->label);
    fputs("</title><path fill=\"none\" stroke-width=\"2\" ", out);
    put_stroke(out, series);
    fputs(" d=\"", out);
    for (size_t i = 0; i < series->count; i++) {
        if (!isnan(series->y[i])) {
            fprintf(out, "%c%.1f %.1f", open ? 'L' : 'M', place_x(to, series->x[i]),
                    place_y(to, series->y[i]));
        }
        open = !isnan(series->y[i]);
    }
    fputs("\"/>", out);
    for (size_t i = 0; i < series->count && !chart->plain; i++) {
        if (!isnan(series->y[i])) {
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>",
                    place_x(to, series->x[i]), place_y(to, series->y[i]),
                    series->dash == 0 ? colours[series->style % COLOURS] : "#ffffff");
        }
    }
    fputs("</g>\n", out);
}

static void put_legend(FILE *out, const duet_chart *chart)
{
    enum { columns = 3, column = (WIDTH - LEFT - RIGHT) / columns };
    for (size_t s = 0; s < chart->count; s++) {
        int x = LEFT + (int)(s % columns) * column;
        int y = HEIGHT + (int)(s / columns) * ROW;
        fprintf(out, "<path fill=\"none\" stroke-width=\"2\" ");
        put_stroke(out, &chart->series[s]);
        fprintf(out, " d=\"M%d %dh28\"/><text x=\"%d\" y=\"%d\">", x, y, x + 34, y + 4);
        put_text(out, chart->series[s].label);
        fputs("</text>\n", out);
    }
}

static void put_chart(FILE *out, const duet_chart *chart)
{
    plot to = {.stream = out};
    int height = HEIGHT + (int)((chart->count + 2) / 3) * ROW;
    measure(chart, &to);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
            WIDTH, height, WIDTH, height);
    put_text(out, chart->title);
    fputs("</title>\n<style>text{font:13px Helvetica,Arial,sans-serif;fill:#222}"
          ".g{stroke:#d0d0d0;stroke-width:1}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          out);
    fprintf(out, "<text x=\"%d\" y=\"26\" style=\"font-size:16px;font-weight:bold\">", LEFT);
    put_text(out, chart->title);
    fputs("</text>\n", out);
    put_axes(&to, chart);
    for (size_t s = 0; s < chart->count; s++) {
        put_series(&to, chart, &chart->series[s]);
    }
    put_legend(out, chart);
    fputs("</svg>\n", out);
}

duet_code duet_chart_draw(const char *path, const duet_chart *chart, duet_error *error)
{
    size_t length = strlen(path);
    bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
    if (!svg || !chart->linear_x || !chart->linear_y || chart->points) {
        return duet_chart_write(path, chart, error);
    }
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code == DUET_OK) {
        put_chart(output.stream, chart);
        code = duet_output_commit(&output, error);
    }
    return code;
}
