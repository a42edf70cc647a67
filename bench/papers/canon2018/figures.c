// SPDX-License-Identifier: Apache-2.0
// What the figures of RR-9150 are made of: their rules, platforms and sets, and where a run stands.
#include "bench/papers/canon2018/canon2018.h"

const char *const duet_canon_rule_name[DUET_CANON_RULES] = {"eft",   "qa",       "er-ls",
                                                            "ratio", "quickest", "mixeft"};
const int duet_canon_lambda[DUET_CANON_LAMBDAS] = {0, 25, 50, 75, 90, 100, 110, 125, 150, 175, 200};
const duet_canon_platform duet_canon_platforms[DUET_CANON_PLATFORMS] = {
    {10, 1}, {10, 2}, {10, 4}, {10, 5}, {10, 10}, {20, 1}, {20, 2}, {20, 4}, {20, 5}, {20, 10}};
const char *const duet_canon_bind_name[DUET_CANON_BINDS] = {"queue", "idle", "bottom"};

size_t duet_canon_run(duet_canon_bind bind, duet_canon_rule rule)
{
    return 1 + (size_t)bind * DUET_CANON_OF_A_BIND + (size_t)rule;
}

size_t duet_canon_lambda_run(duet_canon_bind bind, size_t lambda)
{
    return lambda + 1 == DUET_CANON_LAMBDAS ? duet_canon_run(bind, DUET_CANON_MIXEFT)
                                            : duet_canon_run(bind, DUET_CANON_RULES) + lambda;
}

double duet_canon_over_heft(const duet_paper_study *study, size_t c, size_t run)
{
    return duet_paper_ratio(study, c, run, DUET_CANON_HEFT);
}

const duet_canon_platform *duet_canon_main_platform(void)
{
    return &duet_canon_platforms[DUET_CANON_MAIN_PLATFORM];
}

bool duet_canon_on_platform(const duet_paper_case *c, size_t platform)
{
    return c->set == DUET_CANON_CHOLESKY && c->m == duet_canon_platforms[platform].m &&
           c->k == duet_canon_platforms[platform].k;
}

bool duet_canon_in_set(const duet_paper_case *c, size_t set)
{
    return c->set == set && c->m == duet_canon_main_platform()->m &&
           c->k == duet_canon_main_platform()->k;
}

bool duet_canon_by_generator(const duet_paper_case *c, size_t generator)
{
    return c->set == DUET_CANON_STG && (size_t)c->x == generator;
}

duet_paper_ratios duet_canon_ratios(const duet_paper_study *study, size_t run,
                                    duet_paper_filter *filter, size_t value)
{
    return duet_paper_ratios_of(study, run, DUET_CANON_HEFT, filter, value);
}
