// SPDX-License-Identifier: Apache-2.0
// What a part of `duet bench tables` has measured, beside its limit.
#include "bench/tables/tables.h"

#include <stdarg.h>
#include <stdio.h>

void duet_bench_add_check(duet_bench_tables *tables, const char *what, const char *of, double ratio,
                          double limit, const char *how, ...)
{
    if (tables->count < DUET_BENCH_MAX_CHECKS) {
        tables->count++;
    }
    duet_bench_check *check = &tables->check[tables->count - 1];
    va_list arguments;
    *check = (duet_bench_check){tables->part, what, of, ratio, limit, ""};
    va_start(arguments, how);
    vsnprintf(check->how, sizeof check->how, how, arguments);
    va_end(arguments);
}
