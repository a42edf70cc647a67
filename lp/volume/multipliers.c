// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/multipliers.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/number/minmax.h"

enum { STEPS = 60 };

// Two numbers that are computed together.
typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(int64_t))));

// The question, and what is fixed of it. Within a box of multipliers most items are taken or not
// whatever the multipliers are, and a pass over the others is enough.
typedef struct problem {
    const duet_multiplier_items *items;
    double capacity;
    double number;
    double least_r, most_r; // the box; empty at first
    double least_mu, most_mu;
    size_t open;               // items that it does not decide, in items->open
    double time, price, tasks; // of those that it takes
} problem;

// The function, along one of the two multipliers, at one point.
typedef struct point {
    double at;
    double value;
    double slope; // of a tangent there
    double tasks; // how many items are taken there
} point;

static problem ask(const duet_multiplier_items *items, double capacity, double number)
{
    return (problem){.items = items, .capacity = capacity, .number = number, .most_r = -1};
}

// A box around multipliers that are near the best ones: one pass, in the place of some later ones.
static void draw_box(problem *p, const duet_knapsack_multipliers *near)
{
    const double around_r = 0x1p-6; // relative
    const double around_mu = 0x1p-4;
    const duet_multiplier_items *items = p->items;
    double wide = around_mu * (near->number < 0 ? -near->number : near->number);
    double *time = items->open;
    double *price = time + items->count;
    double *most = price + items->count;
    p->least_r = near->time * (1 - around_r);
    p->most_r = near->time * (1 + around_r);
    p->least_mu = near->number - wide;
    p->most_mu = near->number + wide;
    p->open = 0;
    p->time = p->price = p->tasks = 0;
    for (size_t i = 0; i < items->count; i++) {
        double dearest = items->price[i] - p->least_r * items->time[i] - p->least_mu;
        double cheapest = items->price[i] - p->most_r * items->time[i] - p->most_mu;
        double taken = cheapest > 0 ? items->most[i] : 0;
        p->time += taken * items->time[i];
        p->price += taken * items->price[i];
        p->tasks += taken;
        time[p->open] = items->time[i];
        price[p->open] = items->price[i];
        most[p->open] = items->most[i];
        p->open += cheapest <= 0 && dearest > 0;
    }
}

static bool is_in_box(const problem *p, double r, double mu)
{
    return p->least_r <= r && r <= p->most_r && p->least_mu <= mu && mu <= p->most_mu;
}

static inline pair load(const double *from)
{
    pair out;
    memcpy(&out, from, sizeof out);
    return out;
}

// What is taken at some multipliers.
typedef struct taking {
    pair time, price, tasks; // each the sum of two
} taking;

// Two items more.
static inline void take_pair(taking *sum, pair time, pair price, pair most, double r, double mu)
{
    pair reduced = price - r * time - mu;
    pair taken = (pair)((reduced > 0) & (pair_mask)most);
    sum->time += taken * time;
    sum->price += taken * reduced;
    sum->tasks += taken;
}

// At the multipliers r and mu, along r: takes the items whose reduced price is above 0.
static point evaluate(const problem *p, double r, double mu)
{
    const bool boxed = is_in_box(p, r, mu);
    const size_t count = boxed ? p->open : p->items->count;
    const double *time = boxed ? p->items->open : p->items->time;
    const double *price = boxed ? p->items->open + p->items->count : p->items->price;
    const double *most = boxed ? p->items->open + 2 * p->items->count : p->items->most;
    taking even = {.time = {0}};
    taking odd = {.time = {0}};
    if (boxed) {
        even = (taking){{p->time}, {p->price - r * p->time - mu * p->tasks}, {p->tasks}};
    }
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        take_pair(&even, load(time + i), load(price + i), load(most + i), r, mu);
        take_pair(&odd, load(time + i + 2), load(price + i + 2), load(most + i + 2), r, mu);
    }
    for (; i < count; i++) {
        take_pair(&even, (pair){time[i]}, (pair){price[i]}, (pair){most[i]}, r, mu);
    }
    even.time += odd.time;
    even.price += odd.price;
    even.tasks += odd.tasks;
    return (point){.at = r,
                   .value = even.price[0] + even.price[1] + r * p->capacity + mu * p->number,
                   .slope = p->capacity - (even.time[0] + even.time[1]),
                   .tasks = even.tasks[0] + even.tasks[1]};
}

// Where the tangents of two points meet, low->slope < 0 <= high->slope, and their value there.
static double meet(const point *low, const point *high, double *value)
{
    double apart = high->at - low->at;
    double rise = high->value - low->value;
    double step = (high->slope * apart - rise) / (high->slope - low->slope);
    step = step < 0 ? 0 : duet_min(step, apart);
    *value = low->value + low->slope * step;
    return low->at + step;
}

// Two points around the least one, near `near`: *low falls. False: the least one is at 0, in *low.
static bool bracket(const problem *p, double near, double mu, point *low, point *high)
{
    double width = 0x1p-7;
    bool falls = false;
    if (near <= 0) {
        *low = evaluate(p, 0, mu);
        if (low->slope >= 0) {
            return false; // all that is worth anything fits
        }
        falls = true;
        near = low->value / p->capacity;
    }
    *high = evaluate(p, near, mu);
    while (high->slope < 0) {
        *low = *high;
        falls = true;
        *high = evaluate(p, high->at * (1 + width), mu);
        width *= 4;
    }
    while (!falls && width < 1) {
        point here = evaluate(p, high->at * (1 - width), mu);
        falls = here.slope < 0;
        *(falls ? low : high) = here;
        width *= 4;
    }
    if (!falls) {
        *low = evaluate(p, 0, mu);
    }
    return low->slope < 0;
}

// The least point over r at a fixed mu. Its tasks are as many as fill the capacity, the last of
// them in part.
static point least_over_time(const problem *p, double near, double mu)
{
    const double precise = 1e-9; // relative to the value
    point low;
    point high;
    if (!bracket(p, near, mu, &low, &high)) {
        return low;
    }
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
        most = duet_max(items->price[i], most);
    }
    return most;
}

// A search for the best mu between two limits.
typedef struct number_search {
    const problem *problem;
    double least_mu, most_mu;
    double value; // the least so far
    double r;     // to start from
    duet_knapsack_multipliers best;
} number_search;

static point try_number(number_search *s, double mu)
{
    double r = s->r;
    point here = least_at_number(s->problem, mu, &r);
    s->r = r > 0 ? r : s->r;
    if (here.value < s->value) {
        s->value = here.value;
        s->best = (duet_knapsack_multipliers){r, mu};
    }
    return here;
}

// Two points around the least one, near mu. False: it is at a limit.
static bool bracket_number(number_search *s, double mu, point *low, point *high)
{
    point here = try_number(s, mu);
    bool falls = here.slope < 0;
    double width = (mu < 0 ? -mu : mu) * 0x1p-6;
    bool found = false;
    *low = *high = here;
    while (!found && s->least_mu < here.at && here.at < s->most_mu) {
        double next = falls ? here.at + width : here.at - width;
        next = next < s->least_mu ? s->least_mu : duet_min(next, s->most_mu);
        here = try_number(s, next);
        *(here.slope < 0 ? low : high) = here;
        found = (here.slope < 0) != falls;
        width *= 4;
    }
    return found;
}

// The best multipliers with a mu between the limits, from `near` on, or from mu where that has
// none.
static void search_number(const problem *p, double least_mu, double most_mu, double mu,
                          duet_knapsack_multipliers *near)
{
    const double coarse = 1e-7; // relative to the value: each step is a search of its own
    bool known = least_mu < near->number && near->number < most_mu;
    number_search s = {
        .problem = p, .least_mu = least_mu, .most_mu = most_mu, .value = INFINITY, .r = near->time};
    point low;
    point high;
    bool found = bracket_number(&s, known ? near->number : mu, &low, &high);
    for (int step = 0; step < STEPS && found; step++) {
        double below;
        double next = meet(&low, &high, &below);
        if (s.value - below <= coarse * s.value || next <= low.at || next >= high.at) {
            break;
        }
        point here = try_number(&s, next);
        *(here.slope < 0 ? &low : &high) = here;
    }
    *near = s.best;
}

double duet_multipliers_of_time(const duet_multiplier_items *items, double capacity,
                                duet_knapsack_multipliers *near)
{
    problem p = ask(items, capacity, 0);
    if (near->time > 0) {
        draw_box(&p, &(duet_knapsack_multipliers){near->time, 0});
    }
    point least = least_over_time(&p, near->time, 0);
    *near = (duet_knapsack_multipliers){least.at, 0};
    return least.tasks;
}

void duet_multipliers_at_most(const duet_multiplier_items *items, double capacity, double number,
                              duet_knapsack_multipliers *near)
{
    problem p = ask(items, capacity, number);
    double most = dearest(items); // at this mu nothing is taken
    if (near->time > 0) {
        draw_box(&p, near);
    }
    search_number(&p, 0, most, most / 2, near);
}

void duet_multipliers_at_least(const duet_multiplier_items *items, double capacity, double number,
                               duet_knapsack_multipliers *near)
{
    problem p = ask(items, capacity, number);
    const double far = 64; // beyond, only sets of the shortest items are left
    double most = dearest(items);
    if (near->time > 0) {
        draw_box(&p, near);
    }
    search_number(&p, -far * most, 0, -most / 8, near);
}
