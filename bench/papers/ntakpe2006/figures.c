// SPDX-License-Identifier: Apache-2.0
// Means over the runs of the study, in the order of the cases, so that sums of floating-point
// numbers are the same every time.
#include <math.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"

const char *const duet_ntakpe_label[DUET_NTAKPE_SHOWN] = {"CPA", "HCPA", "S-HCPA", "M-HEFT"};
const int duet_ntakpe_clusters[DUET_NTAKPE_SETS] = {1, 2, 4, 8};
const char *const duet_ntakpe_set_name[DUET_NTAKPE_SETS + 1] = {"1", "2", "4", "8", "all"};
const int duet_ntakpe_factor[DUET_NTAKPE_FACTORS] = {1, 2, 5};
const int64_t duet_ntakpe_size[DUET_NTAKPE_SIZES] = {10, 20, 50};

static const double giga = 1e9;
static const double ticks = 1e6; // per second

static double power_of(const duet_paper_study *study, size_t c, size_t run)
{
    const duet_paper_result *result = duet_paper_at(study, c, run);
    return result->tasks == 0 ? 0 : (double)result->power / (double)result->tasks / giga;
}

static double value_of(const duet_paper_study *study, size_t c, size_t run,
                       duet_ntakpe_metric metric)
{
    double makespan = (double)duet_paper_makespan(study, c, run) / ticks;
    switch (metric) {
    case DUET_NTAKPE_MAKESPAN:
        return makespan;
    case DUET_NTAKPE_PEAK:
        return makespan * (double)duet_paper_at(study, c, run)->peak / giga;
    case DUET_NTAKPE_AVERAGE:
        return makespan * power_of(study, c, run);
    case DUET_NTAKPE_POWER:
        return power_of(study, c, run);
    case DUET_NTAKPE_RATIO:
        return power_of(study, c, run) > 0 ? makespan / power_of(study, c, run) : 0;
    default:
        return duet_paper_ratio(study, c, DUET_NTAKPE_SEQ, run);
    }
}

bool duet_ntakpe_by_clusters(const duet_paper_case *c, size_t set)
{
    return set == DUET_NTAKPE_SETS || c->set == set;
}

bool duet_ntakpe_by_factor(const duet_paper_case *c, size_t factor)
{
    return c->set > 0 && c->x == duet_ntakpe_factor[factor];
}

bool duet_ntakpe_by_size(const duet_paper_case *c, size_t value)
{
    return duet_ntakpe_by_clusters(c, value / DUET_NTAKPE_SIZES) &&
           c->n == duet_ntakpe_size[value % DUET_NTAKPE_SIZES];
}

duet_ntakpe_cases duet_ntakpe_on(const duet_paper_study *study, size_t set)
{
    return (duet_ntakpe_cases){study, duet_ntakpe_by_clusters, set};
}

// Whether a case counts: means are over the same cases for all runs, those with a makespan of each.
static bool counts(const duet_ntakpe_cases *cases, size_t c)
{
    bool whole = cases->filter(&cases->study->cases[c], cases->value);
    for (size_t r = 0; r < DUET_NTAKPE_RUNS && whole; r++) {
        whole = duet_paper_makespan(cases->study, c, r) > 0;
    }
    return whole;
}

size_t duet_ntakpe_count(duet_ntakpe_cases cases)
{
    return duet_ntakpe_compare(cases, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA).cases;
}

double duet_ntakpe_mean(duet_ntakpe_cases cases, size_t run, duet_ntakpe_metric metric)
{
    double sum = 0;
    size_t count = 0;
    for (size_t c = 0; c < cases.study->case_count; c++) {
        if (counts(&cases, c)) {
            sum += value_of(cases.study, c, run, metric);
            count++;
        }
    }
    return count == 0 ? 0 : sum / (double)count;
}

// A geometric mean in the making.
typedef struct product {
    double logarithm;
    size_t count;
} product;

static void multiply(product *p, double over, double under)
{
    if (over > 0 && under > 0) {
        p->logarithm += log(over / under);
        p->count++;
    }
}

static double mean_of(const product *p)
{
    return p->count == 0 ? 0 : exp(p->logarithm / (double)p->count);
}

double duet_ntakpe_quotient(duet_ntakpe_cases cases, duet_ntakpe_run over, duet_ntakpe_run under,
                            duet_ntakpe_metric metric)
{
    product p = {0, 0};
    for (size_t c = 0; c < cases.study->case_count; c++) {
        if (counts(&cases, c)) {
            multiply(&p, value_of(cases.study, c, over, metric),
                     value_of(cases.study, c, under, metric));
        }
    }
    return mean_of(&p);
}

double duet_ntakpe_to_bound(duet_ntakpe_cases cases, duet_ntakpe_run run)
{
    product p = {0, 0};
    for (size_t c = 0; c < cases.study->case_count; c++) {
        if (counts(&cases, c)) {
            multiply(&p, duet_paper_to_bound(cases.study, c, run), 1);
        }
    }
    return mean_of(&p);
}

duet_ntakpe_tally duet_ntakpe_compare(duet_ntakpe_cases cases, duet_ntakpe_run a, duet_ntakpe_run b)
{
    duet_ntakpe_tally tally = {0};
    for (size_t c = 0; c < cases.study->case_count; c++) {
        if (counts(&cases, c)) {
            int64_t first = duet_paper_makespan(cases.study, c, a);
            int64_t second = duet_paper_makespan(cases.study, c, b);
            tally.cases++;
            tally.shorter += first < second;
            tally.equal += first == second;
        }
    }
    return tally;
}
