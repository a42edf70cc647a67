// SPDX-License-Identifier: Apache-2.0
// What the figures about task graphs of Beaumont, Cojean, Eyraud-Dubois, Guermouche and Kumar are
// made of.
#include "bench/papers/beaumont2017/graphs.h"

#include <math.h>

const char *const duet_hp_set_name[DUET_HP_SETS] = {"chol",       "chol-factors", "chol-sirocco",
                                                    "lu-sirocco", "qr-epyc",      "worst"};

size_t duet_hp_find(const duet_paper_study *study, size_t set, int64_t tiles)
{
    size_t c = 0;
    while (c < study->case_count && (study->cases[c].set != set || study->cases[c].n != tiles ||
                                     duet_paper_at(study, c, 0)->bound == 0)) {
        c++;
    }
    return c;
}

double duet_hp_acceleration(const duet_paper_study *study, size_t c, size_t run, size_t type)
{
    const duet_paper_result *result = duet_paper_at(study, c, run);
    return result->makespan < 0 ? 0 : fmax(result->acceleration[type], 0);
}

double duet_hp_idle(const duet_paper_study *study, size_t c, size_t run, size_t type)
{
    const duet_paper_result *result = duet_paper_at(study, c, run);
    return result->makespan < 0 || result->bound == 0 ? -1 : result->idle[type];
}
