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

// What a task of a class adds to a pattern of a type. The duals of branching rows are in it and may
// make it negative.
static double task_dual(const duet_configuration *c, size_t class, size_t type)
{
    double price = 0;
    if (c->row[class].any != SIZE_MAX) {
        price += fmax(0, duet_lp_dual(c->lp, c->row[class].any));
    }
    if (c->row[class].on[type] != SIZE_MAX) {
        price += fmax(0, duet_lp_dual(c->lp, c->row[class].on[type]));
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        if (c->branching_row[k].type == type &&
            duet_branching_row_has(c->classes, &c->branching_row[k], class)) {
            price += c->smoothing.last.row[k];
        }
    }
    return price;
}

void duet_duals_read(duet_configuration *c)
{
    c->factor = duet_lp_objective(c->lp);
    for (size_t k = 0; k < c->branching_rows; k++) {
        double dual = duet_lp_dual(c->lp, c->branching_lp_row[k]);
        c->smoothing.last.row[k] = c->branching_row[k].at_least ? fmax(0, dual) : fmin(0, dual);
    }
    for (size_t t = 0; t < 2; t++) {
        double dual = duet_lp_dual(c->lp, c->processor_row[t]);
        c->smoothing.last.processor[t] = dual < 0 ? -dual : 0;
        for (size_t i = 0; i < c->classes->count; i++) {
            // A class that cannot go to the type contributes to no branching row there.
            bool closed = duet_residual_most(c->state, i, t) == 0;
            c->smoothing.last.task[t][i] = closed ? 0 : task_dual(c, i, t);
        }
    }
}

void duet_duals_smooth(duet_configuration *c, double share)
{
    for (size_t t = 0; t < 2; t++) {
        c->smoothing.dual.processor[t] =
            share * c->smoothing.center.processor[t] + (1 - share) * c->smoothing.last.processor[t];
        for (size_t i = 0; i < c->classes->count; i++) {
            c->smoothing.dual.task[t][i] = fmax(0, share * c->smoothing.center.task[t][i] +
                                                       (1 - share) * c->smoothing.last.task[t][i]);
        }
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->smoothing.dual.row[k] =
            share * c->smoothing.center.row[k] + (1 - share) * c->smoothing.last.row[k];
    }
}

void duet_duals_center(duet_configuration *c)
{
    c->smoothing.centered = true;
    for (size_t t = 0; t < 2; t++) {
        c->smoothing.center.processor[t] = c->smoothing.dual.processor[t];
        memcpy(c->smoothing.center.task[t], c->smoothing.dual.task[t],
               c->classes->count * sizeof *c->smoothing.center.task[t]);
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->smoothing.center.row[k] = c->smoothing.dual.row[k];
    }
}

void duet_configuration_pull(duet_configuration *c, const double *price, const double *limit)
{
    for (size_t t = 0; t < 2; t++) {
        c->smoothing.center.processor[t] = limit[t];
        for (size_t i = 0; i < c->classes->count; i++) {
            bool closed = duet_residual_most(c->state, i, t) == 0;
            c->smoothing.center.task[t][i] = closed ? 0 : price[i];
        }
    }
    c->smoothing.centered = true;
}
