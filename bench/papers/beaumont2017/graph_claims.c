// SPDX-License-Identifier: Apache-2.0
// What Beaumont et al. 2017 say of their figures 7 to 9, and what our runs say of that.
#include <string.h>

#include "bench/papers/beaumont2017/graphs.h"
#include "core/number/minmax.h"

// Between 10 and 30 tiles, where the paper finds the results interesting.
enum { FIRST = 10, LAST = 30 };

typedef struct worst_case {
    double ratio;
    int64_t tiles;
} worst_case;

static worst_case worst_of(const duet_paper_study *study, size_t set, size_t run)
{
    worst_case worst = {0, 0};
    for (size_t c = 0; c < study->case_count; c++) {
        double ratio = duet_paper_to_bound(study, c, run);
        if (study->cases[c].set == set && ratio > worst.ratio) {
            worst = (worst_case){ratio, study->cases[c].n};
        }
    }
    return worst;
}

// From which number of tiles on, up to 30, the run has the shortest makespan of all; 0: nowhere.
static int64_t best_from(const duet_paper_study *study, size_t set, size_t run)
{
    int64_t from = 0;
    for (int64_t n = LAST; n >= FIRST; n--) {
        size_t c = duet_hp_find(study, set, n);
        if (c == study->case_count) {
            continue;
        }
        for (size_t r = 0; r < DUET_HP_RUNS; r++) {
            bool hetero = r == DUET_HP_HETEROPRIO_MIN || r == DUET_HP_HETEROPRIO_AVG;
            if (!hetero && duet_paper_makespan(study, c, r) < duet_paper_makespan(study, c, run)) {
                return from;
            }
        }
        from = n;
    }
    return from;
}

static bool has_set(const duet_paper_study *study, size_t set)
{
    return worst_of(study, set, 0).ratio > 0;
}

// The paper does not give its times, so that what holds with some of ours is not refuted.
static void claim_by_times(duet_claims *claims, int sets, int good, const char *what,
                           const char *held, const char *found)
{
    bool some = good > 0 && good < sets;
    duet_claims_add(claims, some ? "with some times" : duet_paper_verdict(sets > 0, good > 0), what,
                    "%s", found);
    duet_claims_hold(claims, held);
}

static void claim_within_bound(const duet_paper_study *study, duet_claims *claims)
{
    static const double claimed = 1.3;
    char found[160] = "";
    int sets = 0;
    int good = 0;
    for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
        worst_case worst = worst_of(study, set, DUET_HP_HETEROPRIO_MIN);
        if (worst.ratio > 0) {
            duet_bench_append(found, sizeof found, "%s%s %.3f (N = %d)", sets > 0 ? ", " : "",
                              duet_hp_set_name[set], worst.ratio, (int)worst.tiles);
            sets++;
            good += worst.ratio <= claimed;
        }
    }
    claim_by_times(claims, sets, good,
                   "figure 7: HeteroPrio min is always within 30 % of the bound",
                   "every ratio <= 1.3", found);
}

static void claim_always_best(const duet_paper_study *study, duet_claims *claims)
{
    char found[160] = "";
    int sets = 0;
    int good = 0;
    for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
        int64_t from = best_from(study, set, DUET_HP_HETEROPRIO_MIN);
        if (has_set(study, set)) {
            duet_bench_append(found, sizeof found, "%s%s %s N = %d", sets > 0 ? ", " : "",
                              duet_hp_set_name[set], from > 0 ? "from" : "not at",
                              from > 0 ? (int)from : LAST);
            sets++;
            good += from > 0 && from <= FIRST;
        }
    }
    claim_by_times(claims, sets, good,
                   "figure 7: HeteroPrio, min above all, is always best for N from 10 to 30",
                   "every N, none shorter", found);
}

static void claim_ends_are_easy(const duet_paper_study *study, duet_claims *claims)
{
    static const double close_to = 1.1;
    double small = 0;
    double large = 0;
    for (size_t r = 0; r < DUET_HP_RUNS; r++) {
        for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
            size_t first = duet_hp_find(study, set, 4);
            size_t last = duet_hp_find(study, set, DUET_HP_MOST_TILES);
            double at_first = first == study->case_count ? 0 : duet_paper_to_bound(study, first, r);
            double at_last = last == study->case_count ? 0 : duet_paper_to_bound(study, last, r);
            small = duet_max(at_first, small);
            large = duet_max(at_last, large);
        }
    }
    duet_paper_claim(claims, small > 0 && large > 0, small < close_to && large < close_to,
                     "figure 7: small and large N are easy, all come close to the bound (10 %)",
                     "every ratio < 1.1", "at most %.3f at N = 4, %.3f at N = 64", small, large);
}

static void claim_others_are_worse(const duet_paper_study *study, duet_claims *claims)
{
    double least = 0;
    double ours = 0;
    for (size_t r = 0; r < DUET_HP_RUNS; r++) {
        double worst = 0;
        for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
            worst_case here = worst_of(study, set, r);
            worst = duet_max(here.ratio, worst);
        }
        if (r == DUET_HP_HETEROPRIO_MIN) {
            ours = worst;
        } else if (r != DUET_HP_HETEROPRIO_AVG) {
            least = least == 0 || worst < least ? worst : least;
        }
    }
    duet_paper_claim(claims, ours > 0, least > ours,
                     "figure 7: all others are significantly worse in at least one case",
                     "largest ratio of each > ours",
                     "worst of all graphs %.3f; of the others at least %.3f", ours, least);
}

static void claim_ratio(const duet_paper_study *study, duet_claims *claims)
{
    // Two tasks of length 1 one after the other, the third beside them.
    static const double optimum = 2;
    char found[160] = "";
    double last = 0;
    bool grows = true;
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t makespan = duet_paper_makespan(study, c, DUET_HP_HETEROPRIO_MIN);
        if (study->cases[c].set == DUET_HP_WORST && makespan > 0) {
            double ratio = (double)makespan / optimum;
            duet_bench_append(found, sizeof found, "%sH = %d: %.1f", last > 0 ? ", " : "",
                              (int)study->cases[c].n, ratio);
            grows = grows && ratio > last;
            last = ratio;
        }
    }
    static const double independent = 3.415; // 2 + sqrt(2), rounded up
    duet_claims_add(claims,
                    last == 0                     ? "-"
                    : grows && last > independent ? "none on graphs"
                                                  : "not exceeded",
                    "its ratio on independent tasks, at most 2 + sqrt(2)",
                    "on three tasks makespan over optimum, %s", found);
}

// --- figures 8 and 9 -----------------------------------------------------------------------------

// The least and the largest idle time of CPUs in figure 9, of several runs.
static void idle_range(const duet_paper_study *study, size_t c, const duet_hp_run *run,
                       size_t count, double *least, double *most)
{
    *least = 1e9;
    *most = 0;
    for (size_t i = 0; i < count; i++) {
        double idle = duet_hp_idle(study, c, run[i], 0);
        *least = duet_min(idle, *least);
        *most = duet_max(idle, *most);
    }
}

static void claim_idle(const duet_paper_study *study, duet_claims *claims)
{
    static const duet_hp_run hetero[] = {DUET_HP_HETEROPRIO_MIN, DUET_HP_HETEROPRIO_AVG};
    static const duet_hp_run dual[] = {DUET_HP_DUALHP_MIN, DUET_HP_DUALHP_AVG, DUET_HP_DUALHP_FIFO};
    static const duet_hp_run heft[] = {DUET_HP_HEFT_AVG, DUET_HP_HEFT_MIN};
    enum { tiles = 16 };
    size_t c = duet_hp_find(study, DUET_HP_CHOLESKY, tiles);
    if (c == study->case_count) {
        duet_claims_add(claims, "-", "figure 9: DualHP idles the CPUs", "not run");
        return;
    }
    double low[3];
    double high[3];
    idle_range(study, c, hetero, 2, &low[0], &high[0]);
    idle_range(study, c, dual, 3, &low[1], &high[1]);
    idle_range(study, c, heft, 2, &low[2], &high[2]);
    duet_paper_claim(claims, true, low[1] > high[0] && low[1] > high[2],
                     "figure 9: DualHP idles the CPUs, HeteroPrio and HEFT do not",
                     "least of DualHP > all others",
                     "Cholesky, N = 16: DualHP %.2f to %.2f, HeteroPrio %.2f to %.2f, HEFT %.2f to "
                     "%.2f",
                     low[1], high[1], low[0], high[0], low[2], high[2]);
}

static void claim_adequacy(const duet_paper_study *study, duet_claims *claims)
{
    int cases = 0;
    int lower = 0;
    int between = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        double hetero = duet_hp_acceleration(study, c, DUET_HP_HETEROPRIO_MIN, 0);
        double heft = duet_hp_acceleration(study, c, DUET_HP_HEFT_AVG, 0);
        double dual = duet_hp_acceleration(study, c, DUET_HP_DUALHP_MIN, 0);
        bool counts = study->cases[c].set < DUET_HP_FIGURE_SETS && hetero > 0 && heft > 0;
        cases += counts;
        lower += counts && hetero < heft;
        between += counts && dual > hetero && dual < heft;
    }
    duet_paper_claim(claims, cases > 0, 2 * lower > cases,
                     "figure 8: HeteroPrio gives CPUs less accelerated tasks than HEFT, usually",
                     "more than half", "at %d of %d graphs", lower, cases);
    duet_paper_claim(claims, cases > 0, 2 * between > cases,
                     "figure 8: DualHP is somewhat in the middle", "more than half",
                     "at %d of %d graphs", between, cases);
}

void duet_hp_claims(const duet_paper_study *study, duet_claims claims[DUET_HP_CLAIMS])
{
    memset(claims, 0, DUET_HP_CLAIMS * sizeof *claims);
    claim_within_bound(study, &claims[0]);
    claim_always_best(study, &claims[0]);
    claim_ends_are_easy(study, &claims[0]);
    claim_others_are_worse(study, &claims[0]);
    claim_ratio(study, &claims[0]);
    claim_adequacy(study, &claims[1]);
    claim_idle(study, &claims[1]);
    for (size_t i = 0; i < DUET_HP_CLAIMS; i++) {
        duet_paper_limit_claims(study, study->settings->tile_count > 0, &claims[i]);
    }
}
