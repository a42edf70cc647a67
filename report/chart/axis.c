// SPDX-License-Identifier: Apache-2.0
#include "report/chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"

// Room on either side of the values of a logarithmic axis, as a factor.
static const double MARGIN = 1.12;
// How much of a step a linear axis goes on beyond its values, to end at a tick.
static const double MOST_EMPTY = 0.4;
// What a sum of steps may be off by, as a part of one.
static const double TOLERANCE = 1e-9;
enum {
    LEAST_DECADES = 2, // from this many on powers of ten alone have labels
    MOST_MINOR = 5,    // up to this many have finer lines between them
    MOST_LABELS = 8,   // beyond this many some have none
    LEAST_PLAIN = -3,  // the exponents that are not written as such, but "0.001"
    MOST_PLAIN = 4     // up to "10000"
};

static void add_tick(duet_axis *axis, double value, const char *label)
{
    if (axis->ticks < DUET_AXIS_TICKS) {
        duet_axis_tick *tick = &axis->tick[axis->ticks++];
        tick->value = value;
        snprintf(tick->label, sizeof tick->label, "%s", label);
    }
}

// Some six steps of 1, 2 or 5 times a power of ten.
static double step_between(double low, double high)
{
    double rough = (high - low) / 6 * (1 - TOLERANCE);
    double power = pow(10, floor(log10(rough)));
    double times = rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10;
    return times * power;
}

// "0.01" or "10⁶".
static void write_power(int exponent, bool plain, char label[DUET_AXIS_LABEL])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    if (plain) {
        snprintf(label, DUET_AXIS_LABEL, "%g", pow(10, exponent));
        return;
    }
    snprintf(digits, sizeof digits, "%d", exponent);
    size_t used = (size_t)snprintf(label, DUET_AXIS_LABEL, "10");
    for (const char *digit = digits; *digit != '\0'; digit++) {
        used += (size_t)snprintf(label + used, DUET_AXIS_LABEL - used, "%s",
                                 *digit == '-' ? "⁻" : raised[*digit - '0']);
    }
}

// "2.5×10⁷"
static void write_large(double value, char label[DUET_AXIS_LABEL])
{
    char power[DUET_AXIS_LABEL];
    int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value)) + TOLERANCE);
    write_power(exponent, false, power);
    if (value == 0) {
        snprintf(label, DUET_AXIS_LABEL, "0");
    } else {
        snprintf(label, DUET_AXIS_LABEL, "%.6g×%.12s", value / pow(10, exponent), power);
    }
}

// Ticks at multiples of a step, with as many digits behind the point as they need.
static void add_steps(duet_axis *axis, double first, double step)
{
    int places = (int)ceil(-log10(step) - TOLERANCE);
    bool plain = places <= 6 && axis->high < 1e7;
    double last = axis->high + step * TOLERANCE;
    for (int i = 0; i < DUET_AXIS_TICKS && first + i * step <= last; i++) {
        char label[DUET_AXIS_LABEL];
        double value = first + i * step;
        if (plain) {
            snprintf(label, sizeof label, "%.*f", duet_max(places, 0), value);
        } else {
            write_large(value, label);
        }
        add_tick(axis, value, label);
    }
}

duet_axis duet_axis_linear(double low, double least, double most)
{
    duet_axis axis = {.linear = true};
    double below = fmin(low, least);
    double high = most > below ? most : below + 1;
    double step = step_between(below, high);
    axis.low = least < low ? floor(least / step + TOLERANCE) * step : low;
    axis.high = ceil(high / step - TOLERANCE) * step;
    axis.high = axis.high - high > MOST_EMPTY * step ? high : axis.high;
    add_steps(&axis, axis.low, step);
    return axis;
}

duet_axis duet_axis_whole(double least, double most)
{
    enum { FEW = 12 };
    static const double room = 0.04;
    double span = fmax(most - least, 1);
    duet_axis axis = {.linear = true, .low = least - room * span, .high = most + room * span};
    double step = span <= FEW ? 1 : fmax(1, step_between(least, most));
    add_steps(&axis, ceil(least / step - TOLERANCE) * step, step);
    return axis;
}

duet_axis duet_axis_around(double least, double most)
{
    static const double near_zero = 0.25; // of the largest value: then 0 is worth its room
    static const double room = 0.08;
    double span = most > least ? most - least : fmax(fabs(most) * room, 1);
    if (least >= 0 && least <= near_zero * most) {
        return duet_axis_linear(0, least, most + room * span);
    }
    duet_axis axis = {.linear = true, .low = least - room * span, .high = most + room * span};
    double step = step_between(axis.low, axis.high);
    add_steps(&axis, ceil(axis.low / step - TOLERANCE) * step, step);
    return axis;
}

static void add_decades(duet_axis *axis, int first, int last)
{
    bool plain = first >= LEAST_PLAIN && last <= MOST_PLAIN;
    int every = (last - first) / MOST_LABELS + 1;
    for (int e = first - 1; e <= last; e++) {
        double power = pow(10, e);
        char label[DUET_AXIS_LABEL] = "";
        if (e >= first && (e - first) % every == 0) {
            write_power(e, plain, label);
            add_tick(axis, power, label);
        }
        for (int times = 2; times < 10 && last - first <= MOST_MINOR; times++) {
            if (times * power >= axis->low && times * power <= axis->high) {
                add_tick(axis, times * power, "");
            }
        }
    }
}

// 1, 2 and 5 times powers of ten.
static size_t add_fifths(duet_axis *axis)
{
    static const int steps[] = {1, 2, 5};
    int last = (int)floor(log10(axis->high));
    for (int e = (int)floor(log10(axis->low)); e <= last; e++) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            double value = steps[i] * pow(10, e);
            char label[DUET_AXIS_LABEL];
            snprintf(label, sizeof label, "%g", value);
            if (strchr(label, 'e') != NULL) {
                write_large(value, label);
            }
            if (value >= axis->low && value <= axis->high) {
                add_tick(axis, value, label);
            }
        }
    }
    return axis->ticks;
}

duet_axis duet_axis_logarithmic(double least, double most)
{
    enum { fewest = 3 };
    duet_axis axis = {.low = least / MARGIN, .high = most * MARGIN};
    int first = (int)ceil(log10(axis.low) - TOLERANCE);
    int last = (int)floor(log10(axis.high) + TOLERANCE);
    if (last - first >= LEAST_DECADES) {
        add_decades(&axis, first, last);
    } else if (add_fifths(&axis) < fewest) {
        axis.ticks = 0;
        double step = step_between(axis.low, axis.high);
        add_steps(&axis, ceil(axis.low / step) * step, step);
    }
    return axis;
}

void duet_axis_set_ticks(duet_axis *axis, const double *values, size_t count)
{
    axis->ticks = 0;
    for (size_t i = 0; i < count; i++) {
        char label[DUET_AXIS_LABEL];
        snprintf(label, sizeof label, "%.9g", values[i]);
        add_tick(axis, values[i], label);
    }
}

double duet_axis_place(const duet_axis *axis, double value)
{
    return axis->linear ? (value - axis->low) / (axis->high - axis->low)
                        : log(value / axis->low) / log(axis->high / axis->low);
}
