// SPDX-License-Identifier: Apache-2.0
// Contenders of `duet bench speed`, measured in turns beside a sort.
#include "bench/speed.h"

#include <stdio.h>

#include "bench/run/measure.h"
#include "core/system/assert.h"
#include "core/system/context.h"

duet_code duet_speed_rounds(int64_t tasks, int rounds, duet_speed_turn *turn, const void *state,
                            size_t count, duet_speed_row *rows, duet_error *error)
{
    double sort[DUET_BENCH_MAX_ROUNDS];
    double seconds[DUET_SPEED_CONTENDERS][DUET_BENCH_MAX_ROUNDS];
    duet_code code = DUET_OK;
    DUET_ASSERT(count <= DUET_SPEED_CONTENDERS);
    for (int round = 0; round < rounds && code == DUET_OK; round++) {
        sort[round] = duet_bench_time_qsort((size_t)tasks, (uint64_t)round + 1);
        if (sort[round] < 0) {
            code = duet_error_set(error, DUET_E_MEMORY, "bench speed: out of memory");
        }
        for (size_t c = 0; c < count && code == DUET_OK; c++) {
            int64_t start = duet_clock_ns();
            code = turn(state, c, error);
            seconds[c][round] = duet_bench_since(start);
        }
    }
    double sorting = code == DUET_OK ? duet_bench_median(sort, rounds) : 0;
    for (size_t c = 0; c < count && code == DUET_OK; c++) {
        rows[c].tasks = tasks;
        rows[c].seconds = duet_bench_median(seconds[c], rounds);
        rows[c].sort = sorting;
        snprintf(rows[c].growth, sizeof rows[c].growth, "-");
    }
    return code;
}
