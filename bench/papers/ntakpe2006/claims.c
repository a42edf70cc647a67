// SPDX-License-Identifier: Apache-2.0
// What section 6 says of its figures 2 to 4, and what our runs say of that.
#include <math.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"

enum { ALL = DUET_NTAKPE_SETS, SINGLE = 0, SEVERAL = 1 };

// A quotient for each number of clusters.
typedef struct by_clusters {
    double of[DUET_NTAKPE_SETS];
    bool any;
} by_clusters;

static by_clusters quotients(const duet_paper_study *study, duet_ntakpe_run over,
                             duet_ntakpe_run under, duet_ntakpe_metric metric)
{
    by_clusters result = {.any = true};
    for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
        result.of[s] = duet_ntakpe_quotient(duet_ntakpe_on(study, s), over, under, metric);
        result.any = result.any && result.of[s] > 0;
    }
    return result;
}

// Whether the values from one number of clusters on never fall.
static bool rises(const by_clusters *values)
{
    for (size_t s = 1; s < DUET_NTAKPE_SETS; s++) {
        if (values->of[s] < values->of[s - 1]) {
            return false;
        }
    }
    return true;
}

static bool above_one(const by_clusters *values, size_t from)
{
    for (size_t s = from; s < DUET_NTAKPE_SETS; s++) {
        if (values->of[s] <= 1) {
            return false;
        }
    }
    return true;
}

// "Slightly" is not defined there.
static bool slightly_above(const by_clusters *values, size_t from)
{
    static const double slightly = 1.25;
    for (size_t s = from; s < DUET_NTAKPE_SETS; s++) {
        if (values->of[s] > slightly) {
            return false;
        }
    }
    return true;
}

static void claim_by_clusters(duet_claims *claims, const by_clusters *values, bool holds,
                              const char *what, const char *held, const char *of_what)
{
    duet_paper_claim(claims, values->any, holds, what, held, "%s %.2f, %.2f, %.2f, %.2f", of_what,
                     values->of[0], values->of[1], values->of[2], values->of[3]);
}

static void claim_cpa(const duet_paper_study *study, duet_claims *claims)
{
    duet_ntakpe_tally single =
        duet_ntakpe_compare(duet_ntakpe_on(study, SINGLE), DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA);
    duet_paper_claim(claims, single.cases > 0, single.equal == single.cases,
                     "one cluster: CPA and HCPA produce similar schedules", "all equal",
                     "equal makespans on %zu of %zu", single.equal, single.cases);
    double mean[DUET_NTAKPE_SHOWN];
    for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
        mean[r] = duet_ntakpe_mean(duet_ntakpe_on(study, ALL), r, DUET_NTAKPE_MAKESPAN);
    }
    duet_paper_claim(claims, mean[0] > 0,
                     mean[DUET_NTAKPE_HCPA] < mean[DUET_NTAKPE_CPA] &&
                         mean[DUET_NTAKPE_S_HCPA] < mean[DUET_NTAKPE_CPA],
                     "HCPA and S-HCPA achieve better makespans than CPA", "both means below CPA's",
                     "means: CPA %.0f s, HCPA %.0f s, S-HCPA %.0f s", mean[DUET_NTAKPE_CPA],
                     mean[DUET_NTAKPE_HCPA], mean[DUET_NTAKPE_S_HCPA]);
    by_clusters q = quotients(study, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, DUET_NTAKPE_MAKESPAN);
    claim_by_clusters(claims, &q, above_one(&q, SEVERAL) && slightly_above(&q, SEVERAL),
                      "more clusters: HCPA's makespans are slightly better than CPA's",
                      "1 < each <= 1.25 from 2 on", "CPA/HCPA");
    q = quotients(study, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, DUET_NTAKPE_PEAK);
    claim_by_clusters(claims, &q, rises(&q), "more clusters: CPA worsens in makespan x peak power",
                      "never falls", "CPA/HCPA");
    q = quotients(study, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, DUET_NTAKPE_AVERAGE);
    claim_by_clusters(claims, &q, rises(&q),
                      "more clusters: CPA worsens in makespan x average power", "never falls",
                      "CPA/HCPA");
    by_clusters gap = {.any = true};
    for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
        gap.of[s] =
            duet_ntakpe_mean(duet_ntakpe_on(study, s), DUET_NTAKPE_HCPA, DUET_NTAKPE_SPEEDUP) -
            duet_ntakpe_mean(duet_ntakpe_on(study, s), DUET_NTAKPE_CPA, DUET_NTAKPE_SPEEDUP);
    }
    gap.any = q.any;
    claim_by_clusters(claims, &gap, rises(&gap),
                      "more clusters: the gap between CPA's speed-up and HCPA's grows",
                      "never falls", "HCPA - CPA");
}

static void claim_m_heft(const duet_paper_study *study, duet_claims *claims)
{
    double heft =
        duet_ntakpe_mean(duet_ntakpe_on(study, ALL), DUET_NTAKPE_M_HEFT, DUET_NTAKPE_MAKESPAN);
    double hcpa =
        duet_ntakpe_mean(duet_ntakpe_on(study, ALL), DUET_NTAKPE_HCPA, DUET_NTAKPE_MAKESPAN);
    double s_hcpa =
        duet_ntakpe_mean(duet_ntakpe_on(study, ALL), DUET_NTAKPE_S_HCPA, DUET_NTAKPE_MAKESPAN);
    // Said of the bars of the whole set of simulations, not of each number of clusters.
    duet_paper_claim(claims, heft > 0, heft < hcpa && heft < s_hcpa,
                     "M-HEFT outperforms our heuristics in completion time",
                     "M-HEFT's mean below both", "means: M-HEFT %.0f s, HCPA %.0f s, S-HCPA %.0f s",
                     heft, hcpa, s_hcpa);
    duet_paper_claim(claims, heft > 0, hcpa >= 1.5 * heft && hcpa <= 2.5 * heft,
                     "M-HEFT is two times faster than HCPA over all experiments",
                     "quotient of means in 1.5 .. 2.5",
                     "means %.0f s and %.0f s; HCPA/M-HEFT %.2f in the geometric mean", heft, hcpa,
                     duet_ntakpe_quotient(duet_ntakpe_on(study, ALL), DUET_NTAKPE_HCPA,
                                          DUET_NTAKPE_M_HEFT, DUET_NTAKPE_MAKESPAN));
    by_clusters power = {.any = heft > 0};
    for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
        power.of[s] = duet_ntakpe_quotient(duet_ntakpe_on(study, s), DUET_NTAKPE_M_HEFT,
                                           DUET_NTAKPE_HCPA, DUET_NTAKPE_POWER);
    }
    double all = duet_ntakpe_quotient(duet_ntakpe_on(study, ALL), DUET_NTAKPE_M_HEFT,
                                      DUET_NTAKPE_HCPA, DUET_NTAKPE_POWER);
    static const double printed = 3.4;
    static const double tolerance = 0.25;
    duet_paper_claim(claims, all > 0, fabs(all - printed) <= tolerance * printed,
                     "the resource consumption of HCPA is 3.4 times better", "in 25 % of 3.4",
                     "M-HEFT/HCPA %.2f, %.2f, %.2f, %.2f; in all %.2f", power.of[0], power.of[1],
                     power.of[2], power.of[3], all);
}

static void claim_heterogeneity(const duet_paper_study *study, duet_claims *claims)
{
    double mean[DUET_NTAKPE_SHOWN][DUET_NTAKPE_FACTORS];
    bool any = true;
    bool falls = true;
    for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
        for (size_t f = 0; f < DUET_NTAKPE_FACTORS; f++) {
            mean[r][f] = duet_ntakpe_mean((duet_ntakpe_cases){study, duet_ntakpe_by_factor, f}, r,
                                          DUET_NTAKPE_MAKESPAN);
            any = any && mean[r][f] > 0;
            falls = falls && (f == 0 || mean[r][f] < mean[r][f - 1]);
        }
    }
    const double *cpa = mean[DUET_NTAKPE_CPA];
    const double *hcpa = mean[DUET_NTAKPE_HCPA];
    const double *heft = mean[DUET_NTAKPE_M_HEFT];
    duet_paper_claim(claims, any, falls, "makespans fall with heterogeneity (1, 2, 5)",
                     "each mean below the one before",
                     "CPA %.0f, %.0f, %.0f s; HCPA %.0f, %.0f, %.0f; M-HEFT %.0f, %.0f, %.0f",
                     cpa[0], cpa[1], cpa[2], hcpa[0], hcpa[1], hcpa[2], heft[0], heft[1], heft[2]);
    duet_ntakpe_tally even = duet_ntakpe_compare(
        (duet_ntakpe_cases){study, duet_ntakpe_by_factor, 0}, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA);
    duet_paper_claim(claims, even.cases > 0, even.equal == even.cases,
                     "clusters of one speed: CPA and HCPA achieve the same makespan", "all equal",
                     "equal on %zu of %zu; CPA/HCPA %.2f", even.equal, even.cases,
                     duet_ntakpe_quotient((duet_ntakpe_cases){study, duet_ntakpe_by_factor, 0},
                                          DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, DUET_NTAKPE_MAKESPAN));
}

static void claim_sufferage(const duet_paper_study *study, duet_claims *claims)
{
    enum { PERCENT = 100, PRINTED = 30, TOLERANCE = 10 };
    double hcpa =
        duet_ntakpe_mean(duet_ntakpe_on(study, ALL), DUET_NTAKPE_HCPA, DUET_NTAKPE_MAKESPAN);
    double s_hcpa =
        duet_ntakpe_mean(duet_ntakpe_on(study, ALL), DUET_NTAKPE_S_HCPA, DUET_NTAKPE_MAKESPAN);
    duet_paper_claim(claims, hcpa > 0, hcpa < s_hcpa, "HCPA is better than S-HCPA in the mean",
                     "mean below", "means %.0f s and %.0f s", hcpa, s_hcpa);
    duet_ntakpe_tally tally =
        duet_ntakpe_compare(duet_ntakpe_on(study, ALL), DUET_NTAKPE_S_HCPA, DUET_NTAKPE_HCPA);
    double cases = tally.cases == 0 ? 1 : (double)tally.cases;
    double better = PERCENT * (double)tally.shorter / cases;
    double equal = PERCENT * (double)tally.equal / cases;
    duet_paper_claim(claims, tally.cases > 0, fabs(better + equal - PRINTED) <= TOLERANCE,
                     "S-HCPA is the same or better for 30 % of the simulations",
                     "sum in 20 .. 40 %", "better %.1f %%, the same %.1f %%", better, equal);
}

void duet_ntakpe_claims(const duet_paper_study *study, duet_claims *claims)
{
    *claims = (duet_claims){.count = 0};
    claim_cpa(study, claims);
    claim_m_heft(study, claims);
    claim_heterogeneity(study, claims);
    claim_sufferage(study, claims);
    duet_paper_limit_claims(study, study->settings->instances < DUET_NTAKPE_SAMPLE, claims);
}
