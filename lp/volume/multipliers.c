// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/multipliers.h"

enum { LANES = 4, STEPS = 60 };

// The question, and what is fixed of it.
typedef struct problem {
    const duet_multiplier_items *items;
    double capacity;
    double number;
} problem;

// The function, along one of the two multipliers, at one point.
typedef struct point {
    double at;
    double value;
    double slope; // of a tangent there
    double tasks; // how many items are taken there
} point;

// At the multipliers r and mu, along r: takes the items whose reduced price is above 0.
static point evaluate(const problem *p, double r, double mu)
{
    const duet_multiplier_items *items = p->items;
    double time[LANES] = {0};
    double price[LANES] = {0};
    double tasks[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= items->count; i += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            double reduced = items->price[i + l] - r * items->time[i + l] - mu;
            double taken = reduced > 0 ? items->most[i + l] : 0;
            time[l] += taken * items->time[i + l];
            price[l] += taken * reduced;
            tasks[l] += taken;
        }
    }
    for (; i < items->count; i++) {
        double reduced = items->price[i] - r * items->time[i] - mu;
        double taken = reduced > 0 ? items->most[i] : 0;
        time[0] += taken * items->time[i];
        price[0] += taken * reduced;
        tasks[0] += taken;
    }
    double used = (time[0] + time[1]) + (time[2] + time[3]);
    double reduced = (price[0] + price[1]) + (price[2] + price[3]);
    return (point){.at = r,
                   .value = reduced + r * p->capacity + mu * p->number,
                   .slope = p->capacity - used,
                   .tasks = (tasks[0] + tasks[1]) + (tasks[2] + tasks[3])};
}

// Where the tangents of two points meet, low->slope < 0 <= high->slope, and their value there.
static double meet(const point *low, const point *high, double *value)
{
    double apart = high->at - low->at;
    double rise = high->value - low->value;
    double step = (high->slope * apart - rise) / (high->slope - low->slope);
    step = step < 0 ? 0 : step > apart ? apart : step;
    *value = low->value + low->slope * step;
    return low->at + step;
}

// Two points around the least one, near `near`. *low comes in at 0, and falls there.
static void bracket(const problem *p, double near, double mu, point *low, point *high)
{
    double width = 0x1p-7;
    *high = evaluate(p, near, mu);
    while (high->slope < 0) {
        *low = *high;
        *high = evaluate(p, high->at * (1 + width), mu);
        width *= 4;
    }
    while (low->at <= 0 && width < 1) {
        point here = evaluate(p, high->at * (1 - width), mu);
        *(here.slope < 0 ? low : high) = here;
        width *= 4;
    }
}

// The least point over r at a fixed mu. Its tasks are as many as fill the capacity, the last of
// them in part.
static point least_over_time(const problem *p, double near, double mu)
{
    const double precise = 1e-9; // relative to the value
    point low = evaluate(p, 0, mu);
    if (low.slope >= 0) {
        return low; // all that is worth anything fits
    }
    point high;
    bracket(p, near > 0 ? near : low.value / p->capacity, mu, &low, &high);
    point best = low.value < high.value ? low : high;
    for (int step = 0; step < STEPS; step++) {
        double below;
        double r = meet(&low, &high, &below);
        if (best.value - below <= precise * best.value || r <= low.at || r >= high.at) {
            break;
        }
        point here = evaluate(p, r, mu);
        best = here.value < best.value ? here : best;
        *(here.slope < 0 ? &low : &high) = here;
    }
    double part = high.slope / (high.slope - low.slope);
    best.tasks = part * low.tasks + (1 - part) * high.tasks;
    return best;
}

// The function along mu, with the best r for it, which is near *r.
static point least_at_number(const problem *p, double mu, double *r)
{
    point inner = least_over_time(p, *r, mu);
    *r = inner.at;
    return (point){mu, inner.value, p->number - inner.tasks, inner.tasks};
}

static double dearest(const duet_multiplier_items *items)
{
    double most = 0;
    for (size_t i = 0; i < items->count; i++) {
        most = items->price[i] > most ? items->price[i] : most;
    }
    return most;
}

// The least value over mu between two points, the first of which falls. From `mu` on; *best is the
// best so far, of the value `least`, and the r to start from.
static void search_number(const problem *p, point low, point high, double mu, double least,
                          duet_knapsack_multipliers *best)
{
    const double coarse = 1e-7; // relative to the value: each step is a search of its own
    double r = best->time;
    for (int step = 0; step < STEPS; step++) {
        point here = least_at_number(p, mu, &r);
        if (here.value < least) {
            least = here.value;
            *best = (duet_knapsack_multipliers){r, mu};
        }
        *(here.slope < 0 ? &low : &high) = here;
        double below;
        mu = meet(&low, &high, &below);
        if (least - below <= coarse * least || mu <= low.at || mu >= high.at) {
            return;
        }
    }
}

double duet_multipliers_of_time(const duet_multiplier_items *items, double capacity,
                                duet_knapsack_multipliers *near)
{
    const problem p = {items, capacity, 0};
    point least = least_over_time(&p, near->time, 0);
    *near = (duet_knapsack_multipliers){least.at, 0};
    return least.tasks;
}

void duet_multipliers_at_most(const duet_multiplier_items *items, double capacity, double number,
                              duet_knapsack_multipliers *near)
{
    const problem p = {items, capacity, number};
    double most = dearest(items); // at this mu nothing is taken
    double mu = near->number > 0 && near->number < most ? near->number : most / 2;
    double r = near->time;
    point low = least_at_number(&p, 0, &r);
    *near = (duet_knapsack_multipliers){r, 0};
    if (low.slope < 0) {
        const point high = {most, most * number, number, 0};
        search_number(&p, low, high, mu, low.value, near);
    }
}

void duet_multipliers_at_least(const duet_multiplier_items *items, double capacity, double number,
                               duet_knapsack_multipliers *near)
{
    const problem p = {items, capacity, number};
    const double far = 64; // beyond, only sets of the shortest items are left
    double least = -far * dearest(items);
    double mu = near->number < 0 && near->number > least ? near->number : -dearest(items) / 8;
    double r = near->time;
    point high = least_at_number(&p, 0, &r);
    *near = (duet_knapsack_multipliers){r, 0};
    point low = high;
    if (high.slope > 0) {
        low = least_at_number(&p, least, &r);
    }
    if (low.value < high.value) {
        *near = (duet_knapsack_multipliers){r, least};
    }
    if (low.slope < 0) {
        search_number(&p, low, high, mu, low.value < high.value ? low.value : high.value, near);
    }
}
