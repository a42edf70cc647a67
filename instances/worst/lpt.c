// SPDX-License-Identifier: Apache-2.0
// Family worst-lpt: LPT on m identical CPUs reaches its proven ratio 4/3 - 1/(3m).
// Instance:  two tasks each of 2m-1, 2m-2, ..., m+1, and three of m, CPUs only.
// Optimum:   3m: 2m-i with m+i for i = 1 .. m-1 (the longer with the shorter), the three of m
//            together; that is all the work.
// LPT:       the first 2m tasks pair up to 3m - 1 on every CPU; the last one ends at 4m - 1.
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { CPUS = 10 };

static duet_code platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, CPUS, 0);
    if (request->gpus != 0) {
        return duet_error_set(error, DUET_E_USAGE, "-k: expected no GPU, got %" PRId64,
                              request->gpus);
    }
    return duet_worst_least_platform(request, 2, 0, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    int64_t m = request->cpus;
    duet_worst worst = duet_worst_begin(builder, error, "worst-lpt-%" PRId64, m);
    duet_worst_reserve(&worst, m);
    for (int64_t time = 2 * m - 1; time >= m && worst.code == DUET_OK; time--) {
        duet_worst_add(&worst, "t", time, time == m ? 3 : 2, time, DUET_WORST_FORBIDDEN);
    }
    duet_read_claim claim = {.algorithm = "lpt",
                             .limit = "4/3 - 1/(3m)",
                             .source = "Graham, SIAM J. Appl. Math. 17(2), 1969"};
    return duet_worst_end(&worst, &claim, 3 * (duet_int128)m, 4 * (duet_int128)m - 1);
}

const duet_family duet_family_worst_lpt = {{.name = "worst-lpt",
                                            .summary = "lpt on m CPUs without GPUs",
                                            .guarantee = "4/3 - 1/(3m)",
                                            .reference = "Graham, SIAM J. Appl. Math. 17(2), 1969"},
                                           0,
                                           0,
                                           generate,
                                           platform};
