// SPDX-License-Identifier: Apache-2.0
// Colours by acceleration factor or by time. What is decided here is the look of a picture, so
// floating point is good enough.
#include "report/gantt/draw.h"

#include <math.h>
#include <stdio.h>

#include "report/texts.h"

enum { MAX_LIMITS = 6 };

// Steps of a value: class i holds the values in [limit[i-1], limit[i]).
typedef struct steps {
    size_t count; // of limits
    double limit[MAX_LIMITS];
} steps;

typedef double measure(const duet_instance *instance, size_t kind);

static double best_other_time(const duet_instance *instance, size_t kind)
{
    double best = INFINITY;
    for (size_t type = 1; type < instance->types; type++) {
        if (duet_allowed(instance, kind, type)) {
            best = fmin(best, (double)duet_time(instance, kind, type));
        }
    }
    return best;
}

// Infinite where the kind cannot run on the first type, 0 where it can run only there.
static double acceleration(const duet_instance *instance, size_t kind)
{
    if (!duet_allowed(instance, kind, 0)) {
        return INFINITY;
    }
    double first = (double)duet_time(instance, kind, 0);
    double other = best_other_time(instance, kind);
    if (isinf(other)) {
        return 0;
    }
    return other > 0 ? first / other : first > 0 ? 1e9 : 1;
}

// Best time on any type, in the instance's unit.
static double shortest(const duet_instance *instance, size_t kind)
{
    double time = best_other_time(instance, kind);
    if (duet_allowed(instance, kind, 0)) {
        time = fmin(time, (double)duet_time(instance, kind, 0));
    }
    return time / pow(10, instance->decimals);
}

// Smallest and largest finite positive value; false where there are not two different ones.
static bool find_range(const duet_instance *instance, measure *value, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        double v = value(instance, kind);
        if (v > 0 && !isinf(v)) {
            *low = fmin(*low, v);
            *high = fmax(*high, v);
        }
    }
    return *high > *low * 1.05;
}

// The smallest of 1, 2, 5 times a power of ten that is at least `value`.
static double round_up(double value)
{
    double power = pow(10, floor(log10(value)));
    double digit = value / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void add_limit(steps *found, double limit, double low, double high)
{
    if (limit > low && limit <= high && found->count < MAX_LIMITS) {
        found->limit[found->count++] = limit;
    }
}

static steps even_steps(double low, double high)
{
    steps found = {0};
    double step = round_up((high - low) / MAX_LIMITS);
    double first = floor(low / step) + 1;
    for (int i = 0; i <= MAX_LIMITS; i++) {
        add_limit(&found, (first + i) * step, low, high);
    }
    return found;
}

// 1, 2, 5, 10, ...; thinned to powers of ten, of a hundred, ... where those are too many.
static steps growing_steps(double low, double high)
{
    steps found = {0};
    double decades = log10(high / low);
    double from = floor(log10(low));
    if (decades * 3 <= MAX_LIMITS) {
        for (int i = 0; i < 3 * (MAX_LIMITS + 1); i++) {
            static const double digits[] = {1, 2, 5};
            int decade = i / 3;
            add_limit(&found, digits[i % 3] * pow(10, from + decade), low, high);
        }
        return found;
    }
    double stride = ceil(decades / MAX_LIMITS);
    for (int i = 0; i <= MAX_LIMITS + 1; i++) {
        add_limit(&found, pow(10, from + i * stride), low, high);
    }
    return found;
}

static size_t step_of(const steps *found, double value)
{
    size_t step = 0;
    while (step < found->count && value >= found->limit[step]) {
        step++;
    }
    return step;
}

static void label_steps(const steps *found, duet_gantt_classes *classes)
{
    classes->count = found->count + 1;
    for (size_t i = 0; i < classes->count; i++) {
        duet_gantt_class *class = &classes->list[i];
        if (found->count == 0) {
            snprintf(class->label, sizeof class->label, "all tasks");
        } else if (i == 0) {
            snprintf(class->label, sizeof class->label, "below %g", found->limit[0]);
        } else if (i == found->count) {
            snprintf(class->label, sizeof class->label, "%g or more", found->limit[i - 1]);
        } else {
            snprintf(class->label, sizeof class->label, "%g \xE2\x80\x93 %g", found->limit[i - 1],
                     found->limit[i]);
        }
        class->colour = duet_palette_ramp(i, classes->count);
    }
}

// "only cpu", "cannot run on small".
static void forced_label(const char *what, const char *type, char *label)
{
    char clean[64];
    duet_clean_text(type, SIZE_MAX, clean, sizeof clean);
    snprintf(label, DUET_GANTT_LABEL, "%s %s", what, clean);
}

// Two more classes, for kinds that leave no choice between the first type and another.
static void label_forced(const duet_instance *instance, duet_gantt_classes *classes)
{
    duet_gantt_class *first = &classes->list[classes->count++];
    duet_gantt_class *other = &classes->list[classes->count++];
    char *const *names = instance->type_names;
    forced_label("only", names[0], first->label);
    if (instance->types == 2) {
        forced_label("only", names[1], other->label);
    } else {
        forced_label("cannot run on", names[0], other->label);
    }
    first->colour = duet_palette_beside_ramp(0);
    other->colour = duet_palette_beside_ramp(1);
}

static void by_acceleration(const duet_instance *instance, const steps *found,
                            duet_gantt_classes *classes)
{
    char first[24];
    char other[24];
    duet_clean_text(instance->type_names[0], SIZE_MAX, first, sizeof first);
    duet_clean_text(instance->types == 2 ? instance->type_names[1] : "best other", SIZE_MAX, other,
                    sizeof other);
    snprintf(classes->heading, sizeof classes->heading, "%s time / %s time:", first, other);
    label_steps(found, classes);
    size_t forced = classes->count;
    label_forced(instance, classes);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        size_t class = forced + 1;
        if (duet_allowed(instance, kind, 0)) {
            class = isinf(best_other_time(instance, kind))
                        ? forced
                        : step_of(found, acceleration(instance, kind));
        }
        classes->of_kind[kind] = (uint8_t) class;
        classes->list[class].tasks += duet_count(instance, kind);
        classes->list[class].kinds++;
    }
}

static void by_time(const duet_instance *instance, const steps *found, duet_gantt_classes *classes)
{
    char unit[24];
    duet_clean_text(instance->time_unit, SIZE_MAX, unit, sizeof unit);
    if (found->count > 0) {
        snprintf(classes->heading, sizeof classes->heading,
                 "shortest time%s%s:", unit[0] != '\0' ? " in " : "", unit);
    }
    label_steps(found, classes);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        size_t class = step_of(found, shortest(instance, kind));
        classes->of_kind[kind] = (uint8_t) class;
        classes->list[class].tasks += duet_count(instance, kind);
        classes->list[class].kinds++;
    }
}

static steps find_steps(double low, double high)
{
    return high < 8 * low ? even_steps(low, high) : growing_steps(low, high);
}

void duet_gantt_ramp(const duet_instance *instance, duet_gantt_classes *classes)
{
    double low;
    double high;
    steps found = {0};
    if (instance->types > 1 && find_range(instance, acceleration, &low, &high)) {
        found = find_steps(low, high);
        by_acceleration(instance, &found, classes);
        return;
    }
    if (find_range(instance, shortest, &low, &high)) {
        found = find_steps(low, high);
    }
    by_time(instance, &found, classes);
}
