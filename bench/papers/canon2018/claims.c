// SPDX-License-Identifier: Apache-2.0
// What RR-9150 says of its figures 13 to 17, and what our runs say of that.
#include <math.h>

#include "bench/papers/canon2018/canon2018.h"
#include "core/number/minmax.h"

static const duet_canon_rule rivals[] = {DUET_CANON_QA, DUET_CANON_ER_LS, DUET_CANON_RATIO,
                                         DUET_CANON_QUICKEST};
enum { RIVALS = sizeof rivals / sizeof *rivals };

static double median_of(const duet_paper_study *study, size_t run, duet_paper_filter *filter,
                        size_t value)
{
    return duet_canon_ratios(study, run, filter, value).median;
}

// --- Cholesky ------------------------------------------------------------------------------------

// Of the cases on a platform: at how many no rule is shorter than eft.
typedef struct tally {
    int cases, good;
} tally;

static tally eft_is_best(const duet_paper_study *study, duet_canon_bind bind, size_t platform)
{
    tally count = {0, 0};
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t eft = duet_paper_makespan(study, c, duet_canon_run(bind, DUET_CANON_EFT));
        bool best = true;
        if (!duet_canon_on_platform(&study->cases[c], platform) || eft == 0) {
            continue;
        }
        for (size_t i = 0; i < RIVALS; i++) {
            int64_t rival = duet_paper_makespan(study, c, duet_canon_run(bind, rivals[i]));
            best = best && rival >= eft;
        }
        count.cases++;
        count.good += best;
    }
    return count;
}

static tally mixeft_is_eft(const duet_paper_study *study, duet_canon_bind bind)
{
    tally count = {0, 0};
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t eft = duet_paper_makespan(study, c, duet_canon_run(bind, DUET_CANON_EFT));
        int64_t mixeft = duet_paper_makespan(study, c, duet_canon_run(bind, DUET_CANON_MIXEFT));
        count.cases += eft > 0;
        count.good += eft > 0 && eft == mixeft;
    }
    return count;
}

static void claim_figure_13(const duet_paper_study *study, duet_claims *claims)
{
    tally best = eft_is_best(study, DUET_CANON_QUEUE, DUET_CANON_MAIN_PLATFORM);
    duet_paper_claim(claims, best.cases > 0, best.good == best.cases,
                     "figure 13: EFT is always the best strategy on Cholesky", "all",
                     "best at %d of %d; at most %.3f over HEFT", best.good, best.cases,
                     duet_canon_ratios(study, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_EFT),
                                       duet_canon_on_platform, DUET_CANON_MAIN_PLATFORM)
                         .largest);
    double quickest = median_of(study, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_QUICKEST),
                                duet_canon_on_platform, DUET_CANON_MAIN_PLATFORM);
    double ratio = median_of(study, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_RATIO),
                             duet_canon_on_platform, DUET_CANON_MAIN_PLATFORM);
    double small = 0;
    double large = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        enum { many = 15, few = 5 };
        double lead =
            duet_paper_ratio(study, c, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_QUICKEST),
                             duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_RATIO));
        bool here = duet_canon_on_platform(&study->cases[c], DUET_CANON_MAIN_PLATFORM);
        small = here && study->cases[c].n == few ? lead : small;
        large = here && study->cases[c].n == many ? lead : large;
    }
    duet_paper_claim(claims, small > 0 && large > 0, small < 1 && large > 1,
                     "figure 13: QUICKEST is efficient on small graphs, worse than RATIO on large",
                     "< 1 at N = 5, > 1 at N = 15",
                     "over RATIO %.3f at N = 5, %.3f at N = 15 (medians over HEFT %.2f, %.2f)",
                     small, large, quickest, ratio);
}

// Over all platforms: where eft is best, and the worst that it is over heft.
typedef struct summary {
    tally best;
    double worst;
    size_t platform;
} summary;

static summary over_platforms(const duet_paper_study *study, duet_canon_bind bind)
{
    summary all = {{0, 0}, 0, 0};
    for (size_t p = 0; p < DUET_CANON_PLATFORMS; p++) {
        tally here = eft_is_best(study, bind, p);
        double largest = duet_canon_ratios(study, duet_canon_run(bind, DUET_CANON_EFT),
                                           duet_canon_on_platform, p)
                             .largest;
        all.best.cases += here.cases;
        all.best.good += here.good;
        all.platform = largest > all.worst ? p : all.platform;
        all.worst = duet_max(largest, all.worst);
    }
    return all;
}

static void claim_figure_17(const duet_paper_study *study, duet_canon_bind bind, const char *best,
                            const char *most, duet_claims *claims)
{
    static const double limit = 1.2;
    summary all = over_platforms(study, bind);
    const duet_canon_platform *at = &duet_canon_platforms[all.platform];
    duet_paper_claim(claims, all.best.cases > 0, all.best.good == all.best.cases, best, "all",
                     "at %d of %d", all.best.good, all.best.cases);
    duet_paper_claim(claims, all.worst > 0, all.worst <= limit, most, "<= 1.2",
                     "at most %.3f, on %d+%d", all.worst, (int)at->m, (int)at->k);
}

// --- Standard Task Graph Set ---------------------------------------------------------------------

// How far qa and er-ls are above the better of heft and eft, in medians.
static double qa_gap(const duet_paper_study *study, size_t generator)
{
    double gap = 0;
    for (size_t i = 0; i < 2; i++) {
        gap += median_of(study, duet_canon_run(DUET_CANON_QUEUE, rivals[i]),
                         duet_canon_by_generator, generator);
    }
    return gap / 2;
}

static void claim_figure_14(const duet_paper_study *study, duet_claims *claims)
{
    double gap[DUET_STG_GENERATORS];
    bool most = true;
    for (size_t g = 0; g < DUET_STG_GENERATORS; g++) {
        gap[g] = qa_gap(study, g);
        most = most && gap[g] <= gap[0];
    }
    duet_paper_claim(
        claims, gap[0] > 0, most,
        "figure 14: layrpred has the largest gap between QA, ER-LS and HEFT, EFT",
        "largest of the four",
        "medians over HEFT: %.2f layrpred, %.2f layrprob, %.2f samepred, %.2f sameprob", gap[0],
        gap[1], gap[2], gap[3]);
    tally ratio = {0, 0};
    for (size_t c = 0; c < study->case_count; c++) {
        double lead = duet_paper_ratio(study, c, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_RATIO),
                                       duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_QUICKEST));
        bool counts = duet_canon_by_generator(&study->cases[c], 0) && lead > 0;
        ratio.cases += counts;
        ratio.good += counts && lead < 1;
    }
    duet_paper_claim(claims, ratio.cases > 0, 2 * ratio.good > ratio.cases,
                     "figure 14: RATIO is often better than QUICKEST on layrpred", "more than half",
                     "at %d of %d", ratio.good, ratio.cases);
    double quickest = median_of(study, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_QUICKEST),
                                duet_canon_by_generator, DUET_STG_GENERATORS - 1);
    double other = median_of(study, duet_canon_run(DUET_CANON_QUEUE, DUET_CANON_RATIO),
                             duet_canon_by_generator, DUET_STG_GENERATORS - 1);
    duet_paper_claim(claims, quickest > 0, quickest < other,
                     "figure 14: QUICKEST performs well on sameprob, opposite to layrpred",
                     "lower than RATIO's", "medians over HEFT: %.2f, RATIO %.2f", quickest, other);
}

// --- ad hoc --------------------------------------------------------------------------------------

// The largest ratio to heft of a rule on ad hoc graphs, and at what mean CPU time.
typedef struct peak {
    double ratio, mean;
} peak;

static peak peak_of(const duet_paper_study *study, duet_canon_bind bind, duet_canon_rule rule)
{
    duet_paper_ratios ratios =
        duet_canon_ratios(study, duet_canon_run(bind, rule), duet_canon_in_set, DUET_CANON_ADHOC);
    peak result = {ratios.largest, ratios.largest > 0 ? study->cases[ratios.where].x : 0};
    return result;
}

// The largest median of qa, er-ls, ratio and quickest at the extreme means: below 0.6, above 16.
static double at_extremes(const duet_paper_study *study, duet_canon_bind bind)
{
    static const double low = 0.6;
    static const double high = 16;
    double worst = 0;
    for (size_t i = 0; i < RIVALS; i++) {
        for (size_t c = 0; c < study->case_count; c++) {
            const duet_paper_case *origin = &study->cases[c];
            double ratio = duet_canon_over_heft(study, c, duet_canon_run(bind, rivals[i]));
            bool extreme = origin->set == DUET_CANON_ADHOC && (origin->x < low || origin->x > high);
            worst = extreme && ratio > worst ? ratio : worst;
        }
    }
    return worst;
}

static bool is_near(double value, double wanted, double factor)
{
    return value > wanted / factor && value < wanted * factor;
}

static void claim_figure_15(const duet_paper_study *study, duet_canon_bind bind,
                            duet_claims *claims)
{
    const double ratio = (double)duet_canon_platforms[DUET_CANON_MAIN_PLATFORM].m /
                         (double)duet_canon_platforms[DUET_CANON_MAIN_PLATFORM].k;
    peak eft = peak_of(study, bind, DUET_CANON_EFT);
    peak qa = peak_of(study, bind, DUET_CANON_QA);
    peak er_ls = peak_of(study, bind, DUET_CANON_ER_LS);
    peak quickest = peak_of(study, bind, DUET_CANON_QUICKEST);
    peak by_ratio = peak_of(study, bind, DUET_CANON_RATIO);
    double extremes = at_extremes(study, bind);
    static const double good = 1.1; // for "performs well", "almost always the best"
    bool any = eft.ratio > 0;
    duet_paper_claim(claims, any, eft.ratio < good, "figure 15: EFT is almost always the best",
                     "<= 1.1", "at most %.2f over HEFT, at mu %.2f", eft.ratio, eft.mean);
    duet_paper_claim(
        claims, any, is_near(qa.ratio, sqrt(ratio), 1.1) && is_near(qa.mean, sqrt(ratio), 1.5),
        "figure 15: QA and ER-LS are worst, sqrt(m/k) = 3.2, at mu near sqrt(m/k)",
        "QA in 10 % of 3.2, mu in a factor 1.5", "QA %.2f at mu %.2f, ER-LS %.2f at %.2f", qa.ratio,
        qa.mean, er_ls.ratio, er_ls.mean);
    duet_paper_claim(claims, any,
                     quickest.ratio > ratio / 2 && quickest.mean > 1 && quickest.mean < 2,
                     "figure 15: QUICKEST is almost m/k = 10 times worse at mu slightly above 1",
                     "> 5, mu in 1 .. 2", "%.2f at mu %.2f", quickest.ratio, quickest.mean);
    duet_paper_claim(claims, any,
                     by_ratio.ratio > ratio / 2 && by_ratio.mean < ratio &&
                         by_ratio.mean > ratio / 2,
                     "figure 15: RATIO is poor at mu slightly below m/k", "> 5, mu in 5 .. 10",
                     "%.2f at mu %.2f", by_ratio.ratio, by_ratio.mean);
    duet_paper_claim(claims, any, extremes < good, "figure 15: at extreme mu all perform well",
                     "<= 1.1", "at most %.2f over HEFT for mu < 0.6 and mu > 16", extremes);
}

// --- mixeft --------------------------------------------------------------------------------------

// The least lambda from which on the median of mixeft is that of eft; hundredths, 0: none.
static int turns_at(const duet_paper_study *study, duet_canon_bind bind, size_t set)
{
    static const double same = 1.001;
    double eft = median_of(study, duet_canon_run(bind, DUET_CANON_EFT), duet_canon_in_set, set);
    int from = 0;
    for (size_t i = DUET_CANON_LAMBDAS; i-- > 0;) {
        double here = median_of(study, duet_canon_lambda_run(bind, i), duet_canon_in_set, set);
        if (here > same * eft || eft <= 0) {
            break;
        }
        from = duet_canon_lambda[i];
    }
    return from;
}

// The largest relative difference between mixeft with a lambda below 1 and qa, in medians.
static double off_qa(const duet_paper_study *study, duet_canon_bind bind, size_t set)
{
    double most = 0;
    double qa = median_of(study, duet_canon_run(bind, DUET_CANON_QA), duet_canon_in_set, set);
    for (size_t i = 0; duet_canon_lambda[i] < 100 && qa > 0; i++) {
        double here = median_of(study, duet_canon_lambda_run(bind, i), duet_canon_in_set, set);
        most = fmax(most, fabs(here / qa - 1));
    }
    return most;
}

static void claim_figure_16(const duet_paper_study *study, duet_claims *claims)
{
    static const double same = 0.02;
    tally equal = mixeft_is_eft(study, DUET_CANON_QUEUE);
    tally idle = mixeft_is_eft(study, DUET_CANON_IDLE);
    duet_paper_claim(claims, equal.cases > 0, equal.good == equal.cases,
                     "MIXEFT with lambda 2 performs exactly as EFT", "all equal", "on %d of %d",
                     equal.good, equal.cases);
    duet_paper_claim(claims, idle.cases > 0, idle.good == idle.cases, "the same with bind=idle",
                     "all equal", "on %d of %d", idle.good, idle.cases);
    double off[DUET_CANON_SETS];
    int turn[DUET_CANON_SETS];
    bool like_qa = true;
    bool any = true;
    for (size_t set = 0; set < DUET_CANON_SETS; set++) {
        off[set] = off_qa(study, DUET_CANON_QUEUE, set);
        turn[set] = turns_at(study, DUET_CANON_QUEUE, set);
        like_qa = like_qa && off[set] < same;
        any = any && turn[set] > 0;
    }
    duet_paper_claim(claims, equal.cases > 0, like_qa,
                     "figure 16: MIXEFT behaves like QA when lambda is below 1", "within 2 %",
                     "medians off by %.1f %% on Cholesky, %.1f %% on STG, %.1f %% on ad hoc",
                     100 * off[0], 100 * off[1], 100 * off[2]);
    duet_paper_claim(claims, any, turn[0] < turn[1] && turn[0] < turn[2],
                     "figure 16: it turns to EFT at a lower lambda on Cholesky", "lower than both",
                     "from %.2f on Cholesky, %.2f on STG, %.2f on ad hoc", turn[0] / 100.0,
                     turn[1] / 100.0, turn[2] / 100.0);
}

void duet_canon_claims(const duet_paper_study *study, duet_claims claims[DUET_CANON_CLAIMS])
{
    for (size_t i = 0; i < DUET_CANON_CLAIMS; i++) {
        claims[i].count = 0;
    }
    claim_figure_13(study, &claims[0]);
    claim_figure_14(study, &claims[0]);
    claim_figure_16(study, &claims[1]);
    claim_figure_17(study, DUET_CANON_QUEUE, "figure 17: EFT is always the best online heuristic",
                    "figure 17: its ratio to HEFT is never more than 1.2", &claims[1]);
    claim_figure_17(study, DUET_CANON_BOTTOM, "the same with order=bottom: EFT is always the best",
                    "the same with order=bottom: never more than 1.2", &claims[1]);
    claim_figure_15(study, DUET_CANON_IDLE, &claims[2]);
    claim_figure_15(study, DUET_CANON_QUEUE, &claims[3]);
    for (size_t i = 0; i < 4; i++) {
        duet_paper_limit_claims(study, study->settings->tile_count > 0, &claims[i]);
    }
    duet_canon_theorems(&claims[4]);
}
