// SPDX-License-Identifier: Apache-2.0
// What the figures and the table of McSweeney, Walton and Zounon are made of.
#include "bench/papers/mcsweeney2020/study.h"

const int64_t duet_hoft_platforms[DUET_HOFT_PLATFORMS][2] = {{7, 1}, {28, 4}};

static bool is_on(const duet_paper_case *c, size_t platform)
{
    return c->m == duet_hoft_platforms[platform][0] && c->k == duet_hoft_platforms[platform][1];
}

bool duet_hoft_is_cholesky(const duet_paper_case *c, size_t platform, int64_t tile)
{
    return c->set == DUET_HOFT_CHOLESKY && is_on(c, platform) && (int64_t)c->x == tile;
}

// Whether a case is on a platform and a random graph of that acceleration.
static bool is_random(const duet_paper_case *c, size_t platform, size_t acceleration)
{
    return c->set >= DUET_HOFT_RANDOM && is_on(c, platform) &&
           (c->set - DUET_HOFT_RANDOM) / DUET_HOFT_CCRS == acceleration;
}

const duet_hoft_row *duet_hoft_row_of(const duet_paper_case *c)
{
    for (size_t i = 0; i < DUET_HOFT_ROWS && c->set == DUET_HOFT_CHOLESKY; i++) {
        const duet_hoft_row *row = &duet_hoft_published[i];
        if (row->cpus == c->m && row->gpus == c->k && row->tiles == c->n &&
            row->tile == (int64_t)c->x) {
            return row;
        }
    }
    return NULL;
}

double duet_hoft_speedup(const duet_paper_study *study, size_t c, size_t run)
{
    int64_t makespan = duet_paper_makespan(study, c, run);
    return makespan == 0 ? 0 : (double)duet_paper_at(study, c, run)->serial / (double)makespan;
}

double duet_hoft_reduction(const duet_paper_study *study, size_t c, size_t run)
{
    double ratio = duet_paper_ratio(study, c, run, DUET_HOFT_RUN_HEFT);
    return ratio == 0 ? 0 : 100 * (1 - ratio);
}

duet_hoft_table1 duet_hoft_table1_of(const duet_paper_study *study, size_t platform,
                                     size_t acceleration, size_t run)
{
    duet_hoft_table1 table = {0};
    for (size_t c = 0; c < study->case_count; c++) {
        if (is_random(&study->cases[c], platform, acceleration) &&
            duet_paper_makespan(study, c, run) > 0) {
            double reduction = duet_hoft_reduction(study, c, run);
            table.graphs++;
            table.reduction += reduction;
            table.better += reduction > 0;
            table.failures += duet_hoft_speedup(study, c, run) < 1;
        }
    }
    if (table.graphs > 0) {
        table.reduction /= (double)table.graphs;
        table.better *= 100 / (double)table.graphs;
    }
    return table;
}
