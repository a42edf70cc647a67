// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shelf_program.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/number/fraction.h"
#include "lp/lp.h"
#include "lp/shelf/shelf.h"

int64_t duet_shelf_time_within(const duet_instance *instance, size_t kind, size_t type,
                               int64_t lambda)
{
    bool usable = duet_allowed(instance, kind, type) && duet_time(instance, kind, type) <= lambda;
    return usable ? duet_time(instance, kind, type) : DUET_FORBIDDEN;
}

bool duet_shelf_is_long(int64_t time, int64_t lambda)
{
    return time != DUET_FORBIDDEN && (duet_int128)2 * time > lambda;
}

double duet_shelf_program_value(const duet_instance *instance, int64_t lambda)
{
    double unit = lambda > 0 ? (double)lambda : 1;
    duet_lp *lp;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    double on_gpu_long = 0; // with everything on the GPUs that may be
    double gpu_work = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t p = duet_shelf_time_within(instance, i, DUET_CPU, lambda);
        int64_t q = duet_shelf_time_within(instance, i, DUET_GPU, lambda);
        double count = (double)duet_count(instance, i);
        if (p == DUET_FORBIDDEN && q == DUET_FORBIDDEN) {
            duet_lp_free(lp);
            return -INFINITY;
        }
        duet_lp_add_column(lp, q == DUET_FORBIDDEN ? count : 0, p == DUET_FORBIDDEN ? 0 : count,
                           p == DUET_FORBIDDEN ? 0 : (double)p / unit);
        on_gpu_long += duet_shelf_is_long(q, lambda) ? count : 0;
        gpu_work += q == DUET_FORBIDDEN ? 0 : (double)q / unit * count;
    }
    double m = (double)instance->processors[DUET_CPU];
    double k = (double)instance->processors[DUET_GPU];
    duet_lp_add_row(lp, -INFINITY, m);
    duet_lp_add_row(lp, on_gpu_long - k, INFINITY);
    duet_lp_add_row(lp, gpu_work - k * (lambda > 0), INFINITY);
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t p = duet_shelf_time_within(instance, i, DUET_CPU, lambda);
        int64_t q = duet_shelf_time_within(instance, i, DUET_GPU, lambda);
        if (duet_shelf_is_long(p, lambda)) {
            duet_lp_add_entry(lp, 0, i, 1);
        }
        if (duet_shelf_is_long(q, lambda)) {
            duet_lp_add_entry(lp, 1, i, 1);
        }
        if (q != DUET_FORBIDDEN) {
            duet_lp_add_entry(lp, 2, i, (double)q / unit);
        }
    }
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_error error = DUET_ERROR_INIT;
    if (duet_lp_solve(lp, false, &context, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    double value =
        duet_lp_get_status(lp) == DUET_LP_OPTIMAL ? duet_lp_objective(lp) * unit : -INFINITY;
    duet_lp_free(lp);
    return value;
}
