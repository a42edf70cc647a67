// SPDX-License-Identifier: Apache-2.0
// Dual prices of the master program and their smoothing.
//
// Method:    the duals to price with lie between those of the last master program and the center,
//            the best ones so far, since the last ones alone oscillate.
// Reference: Wentges, "Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming",
//            International Transactions in Operational Research 4(2), 1997.
#include <math.h>
#include <string.h>

#include "lp/configuration/configuration_state.h"

// What branching rows add to the price of a task; it may be negative.
static double rows_dual(const duet_configuration *c, size_t type, size_t class)
{
    double price = 0;
    if (c->lasts) {
        return duet_generation_count_dual(c, type, class);
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        const duet_branching_row *row = &c->branching_row[k];
        if (row->type == type && duet_branching_row_has(c->classes, row, class)) {
            price += row->at_least ? c->smoothing.last.row[k] : -c->smoothing.last.row[k];
        }
    }
    return price;
}

// What a task of a class adds to a pattern of a type. Where the program lasts, the row of a pair
// limits it from both sides, and below 0 is as good as 0.
static double task_dual(const duet_configuration *c, size_t type, size_t class)
{
    size_t own = c->pair_row[pair_of(c, type, class)];
    double all = c->class_row[class] != SIZE_MAX ? duet_lp_dual(c->lp, c->class_row[class]) : 0;
    double here = own != SIZE_MAX ? duet_lp_dual(c->lp, own) : 0;
    double rows = rows_dual(c, type, class);
    return c->lasts ? fmax(0, all + here + rows) : fmax(0, all) + fmax(0, here) + rows;
}

void duet_duals_read(duet_configuration *c)
{
    c->factor = duet_lp_objective(c->lp);
    for (size_t k = 0; k < c->branching_rows; k++) {
        size_t row = c->branching_lp_row[k];
        double dual = row != SIZE_MAX ? duet_lp_dual(c->lp, row) : 0;
        bool more = !c->lasts && c->branching_row[k].at_least;
        c->smoothing.last.row[k] = fmax(0, more ? dual : -dual);
    }
    for (size_t t = 0; t < c->types; t++) {
        double dual = fmax(0, -duet_lp_dual(c->lp, c->processor_row[t]));
        int64_t most = c->classes->capacity[t];
        c->smoothing.last.processor[t] = c->divisible[t] && c->capacity[t] < most
                                             ? dual * (double)c->capacity[t] / (double)most
                                             : dual;
        for (size_t i = 0; i < c->count; i++) {
            // A class that cannot go to the type contributes to no branching row there.
            bool closed = !c->lasts && duet_residual_most(c->state, i, t) == 0;
            c->smoothing.last.task[pair_of(c, t, i)] = closed ? 0 : task_dual(c, t, i);
        }
    }
}

void duet_duals_smooth(duet_configuration *c, double share)
{
    const duals *last = &c->smoothing.last;
    const duals *center = &c->smoothing.center;
    duals *dual = &c->smoothing.dual;
    for (size_t t = 0; t < c->types; t++) {
        dual->processor[t] = share * center->processor[t] + (1 - share) * last->processor[t];
    }
    for (size_t p = 0; p < c->types * c->count; p++) {
        dual->task[p] = fmax(0, share * center->task[p] + (1 - share) * last->task[p]);
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        dual->row[k] = share * center->row[k] + (1 - share) * last->row[k];
    }
}

void duet_duals_center(duet_configuration *c)
{
    const duals *dual = &c->smoothing.dual;
    duals *center = &c->smoothing.center;
    c->smoothing.centered = true;
    memcpy(center->processor, dual->processor, c->types * sizeof *dual->processor);
    memcpy(center->task, dual->task, c->types * c->count * sizeof *dual->task);
    for (size_t k = 0; k < c->branching_rows; k++) {
        center->row[k] = dual->row[k];
    }
}

bool duet_duals_are_above(const duet_configuration *c, size_t type, const duet_pricing_part *part,
                          size_t parts)
{
    double price = 0;
    for (size_t p = 0; p < parts; p++) {
        price += c->smoothing.last.task[pair_of(c, type, part[p].class)] * (double)part[p].tasks;
    }
    return price > c->smoothing.last.processor[type] * (1 + 1e-7) + 1e-10;
}

void duet_configuration_pull(duet_configuration *c, const double *price, const double *limit)
{
    for (size_t t = 0; t < c->types; t++) {
        c->smoothing.center.processor[t] = limit[t];
        for (size_t i = 0; i < c->count; i++) {
            bool closed = !c->lasts && duet_residual_most(c->state, i, t) == 0;
            c->smoothing.center.task[pair_of(c, t, i)] = closed ? 0 : price[i];
        }
    }
    c->smoothing.centered = true;
}
