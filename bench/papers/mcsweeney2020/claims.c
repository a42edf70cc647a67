// SPDX-License-Identifier: Apache-2.0
// What McSweeney et al. 2020 say of their runs, and what ours say of that.
#include <math.h>
#include <string.h>

#include "bench/papers/mcsweeney2020/study.h"

enum { SMALL_TILE = 128, LARGE_TILE = 1024 };

// The published makespans against ours.
typedef struct comparison {
    int rows, same, rounded;
    double farthest; // of the others, in percent
} comparison;

static comparison compare(const duet_paper_study *study, size_t run)
{
    comparison result = {0};
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_hoft_row *row = duet_hoft_row_of(&study->cases[c]);
        int64_t makespan = row == NULL ? 0 : duet_paper_makespan(study, c, run);
        if (makespan == 0) {
            continue;
        }
        duet_hoft_match match = duet_hoft_compare(makespan, row->makespan[run]);
        double off = fabs(100 * ((double)makespan / (double)row->makespan[run] - 1));
        result.rows++;
        result.same += match != DUET_HOFT_OTHER;
        result.rounded += match == DUET_HOFT_ROUNDED;
        result.farthest = fmax(result.farthest, off);
    }
    return result;
}

static void claim_published(const duet_paper_study *study, duet_claims *claims)
{
    enum { least = 109, all = DUET_HOFT_ROWS * DUET_HOFT_ALGORITHMS };
    static const double limit = 3.1;
    comparison sum = {0};
    int same[DUET_HOFT_ALGORITHMS];
    for (size_t r = 0; r < DUET_HOFT_ALGORITHMS; r++) {
        comparison here = compare(study, r);
        same[r] = here.same;
        sum.rows += here.rows;
        sum.same += here.same;
        sum.rounded += here.rounded;
        sum.farthest = fmax(sum.farthest, here.farthest);
    }
    bool holds = sum.farthest <= limit && (sum.rows < all || sum.same >= least);
    duet_paper_claim(claims, sum.rows > 0, holds,
                     "160 makespans, published (at least 109 to the last digit, the rest in 3.1 %)",
                     ">= 109 the same, rest in 3.1 %",
                     "%d of %d (HEFT %d, HEFT-WM %d, HOFT %d, HOFT-WM %d; %d but for their "
                     "rounding), the rest within %.2f %%",
                     sum.same, sum.rows, same[0], same[1], same[2], same[3], sum.rounded,
                     sum.farthest);
}

static void claim_selection(const duet_paper_study *study, duet_claims *claims)
{
    int64_t differed = 0;
    int cases = 0;
    int equal = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t wm = duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT_WM);
        if (study->cases[c].set == DUET_HOFT_CHOLESKY && wm > 0) {
            cases++;
            differed += duet_paper_at(study, c, DUET_HOFT_RUN_HOFT)->counted;
            equal += wm == duet_paper_makespan(study, c, DUET_HOFT_RUN_HOFT_WM);
        }
    }
    duet_paper_claim(claims, cases > 0, differed == 0,
                     "HOFT's processor selection never differed from HEFT's on Cholesky", "0",
                     "at %d of all tasks of %d graphs", (int)differed, cases);
    duet_paper_claim(claims, cases > 0, equal == cases,
                     "HOFT-WM is identical to HEFT-WM on Cholesky", "all equal",
                     "on %d of %d graphs", equal, cases);
}

// With costs that are 0 between CPUs and equal otherwise (--costs text), a task that ends first on
// a CPU stays there whatever its successors are: they lose nothing by it. So the selection can only
// move tasks that are slower on a GPU and still end first there. Where the three costs of an edge
// differ it moves others, too.
static void claim_random_selection(const duet_paper_study *study, duet_claims *claims)
{
    int graphs = 0;
    int shorter = 0;
    int64_t moved = 0;
    double gained = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t wm = duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT_WM);
        int64_t hoft = duet_paper_makespan(study, c, DUET_HOFT_RUN_HOFT_WM);
        if (study->cases[c].set != DUET_HOFT_CHOLESKY && wm > 0 && hoft > 0) {
            graphs++;
            shorter += hoft < wm;
            moved += duet_paper_at(study, c, DUET_HOFT_RUN_HOFT_WM)->counted;
            gained += duet_hoft_reduction(study, c, DUET_HOFT_RUN_HOFT_WM) -
                      duet_hoft_reduction(study, c, DUET_HOFT_RUN_HEFT_WM);
        }
    }
    static const double least = 0.5;
    double mean = graphs == 0 ? 0 : gained / graphs;
    duet_paper_claim(claims, graphs > 0, mean >= least,
                     "HOFT-WM improves on HEFT-WM on random graphs (by 0.85 % in the mean)",
                     ">= 0.5 %", "by %.2f %%; shorter on %d of %d; it moved %d tasks in all", mean,
                     shorter, graphs, (int)moved);
}

// Speedups of heft on a platform and tile 128, by size.
typedef struct speedups {
    double first, last, largest;
    int falls;
    bool fell_last;
} speedups;

// `published`: by the makespans that the authors have stored.
static speedups speedups_of(const duet_paper_study *study, size_t platform, bool published)
{
    speedups s = {0};
    for (size_t c = 0; c < study->case_count; c++) {
        double speedup = duet_hoft_speedup(study, c, DUET_HOFT_RUN_HEFT);
        const duet_hoft_row *row = duet_hoft_row_of(&study->cases[c]);
        if (!duet_hoft_is_cholesky(&study->cases[c], platform, SMALL_TILE) || speedup == 0) {
            continue;
        }
        if (published && row != NULL) {
            speedup *= (double)duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT) /
                       (double)row->makespan[DUET_HOFT_RUN_HEFT];
        }
        s.fell_last = speedup < s.last;
        s.falls += s.fell_last;
        s.first = s.first == 0 ? speedup : s.first;
        s.last = speedup;
        s.largest = fmax(speedup, s.largest);
    }
    return s;
}

// As the figure: on several GPUs one fall, the last, and on one less than half of that.
static bool is_figure_1a(speedups several, speedups one)
{
    return several.falls == 1 && several.fell_last && one.largest < several.largest / 2;
}

static void claim_speedup(const duet_paper_study *study, duet_claims *claims)
{
    speedups one = speedups_of(study, DUET_HOFT_SINGLE, false);
    speedups several = speedups_of(study, DUET_HOFT_MULTIPLE, false);
    speedups theirs = speedups_of(study, DUET_HOFT_MULTIPLE, true);
    bool ours = is_figure_1a(several, one);
    bool stored = is_figure_1a(theirs, speedups_of(study, DUET_HOFT_SINGLE, true));
    duet_claims_add(
        claims, stored && !ours ? "of their makespans" : duet_paper_verdict(several.last > 0, ours),
        "figure 1a: with 4 GPUs speedup grows to the largest but one; with 1 it stagnates",
        "28+4: %.2f to %.2f, largest %.2f, stored %.2f, then %.2f; 7+1: %.2f to %.2f",
        several.first, several.last, several.largest, theirs.largest, theirs.last, one.first,
        one.last);
    duet_claims_hold(claims, "a fall at the end, largest 7+1 < half");
    double coarse = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        if (duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_MULTIPLE, LARGE_TILE)) {
            coarse = fmax(coarse, duet_hoft_speedup(study, c, DUET_HOFT_RUN_HEFT));
        }
    }
    duet_paper_claim(claims, coarse > 0, coarse > 4 && coarse < 4.5,
                     "with tile 1024 it reaches just over four on several GPUs", "in 4 .. 4.5",
                     "%.2f", coarse);
}

static void claim_figure_2(const duet_paper_study *study, duet_claims *claims)
{
    int cases = 0;
    int better = 0;
    int single = 0;
    int best = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        int64_t heft = duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT);
        int64_t wm = duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT_WM);
        int64_t hoft = duet_paper_makespan(study, c, DUET_HOFT_RUN_HOFT);
        bool coarse = duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_MULTIPLE, LARGE_TILE);
        bool one = duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_SINGLE, SMALL_TILE) ||
                   duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_SINGLE, LARGE_TILE);
        cases += coarse && heft > 0;
        better += coarse && hoft < heft;
        single += one && heft > 0;
        best += one && hoft <= heft && hoft <= wm;
    }
    duet_paper_claim(claims, cases > 0, better == cases,
                     "figure 2: on several GPUs, tile 1024, HOFT is always better than HEFT", "all",
                     "at %d of %d", better, cases);
    enum { exceptions = 5 };
    duet_paper_claim(claims, single > 0, single - best <= exceptions,
                     "figure 2: on a single GPU HOFT is almost always the best", "all but 5",
                     "at %d of %d", best, single);
}

static void claim_failures(size_t failures[DUET_HOFT_PLATFORMS][DUET_HOFT_ALGORITHMS],
                           duet_claims *claims)
{
    static const double half = 0.5;
    static const double about = 0.2;
    const size_t *one = failures[DUET_HOFT_SINGLE];
    const size_t *several = failures[DUET_HOFT_MULTIPLE];
    bool any = one[DUET_HOFT_RUN_HEFT] > 0 && several[DUET_HOFT_RUN_HEFT] > 0;
    double left = (double)one[DUET_HOFT_RUN_HOFT] / fmax((double)one[DUET_HOFT_RUN_HEFT], 1);
    double right =
        (double)several[DUET_HOFT_RUN_HOFT] / fmax((double)several[DUET_HOFT_RUN_HEFT], 1);
    duet_paper_claim(claims, any, one[DUET_HOFT_RUN_HOFT_WM] < one[DUET_HOFT_RUN_HEFT],
                     "figure 1b: HEFT fails (speedup below 1) for small CCR; HOFT's selection less",
                     "HOFT-WM fewer than HEFT",
                     "single GPU: HEFT %zu, HEFT-WM %zu, HOFT %zu, HOFT-WM %zu",
                     one[DUET_HOFT_RUN_HEFT], one[DUET_HOFT_RUN_HEFT_WM], one[DUET_HOFT_RUN_HOFT],
                     one[DUET_HOFT_RUN_HOFT_WM]);
    duet_paper_claim(claims, any, fabs(left - half) <= about && right > half + about,
                     "its selection halves failures on one GPU, and hardly changes them on several",
                     "0.3 to 0.7; more than 0.7", "HOFT/HEFT %.2f, %.2f", left, right);
}

static void claim_table_1(const duet_paper_study *study, duet_claims *claims)
{
    enum { ROWS = DUET_HOFT_PLATFORMS * DUET_HOFT_ACCELERATIONS, PRINTED = 3 };
    double mean[DUET_HOFT_ALGORITHMS] = {0};
    double of[DUET_HOFT_ALGORITHMS][ROWS];
    size_t graphs = 0;
    size_t failures[DUET_HOFT_PLATFORMS][DUET_HOFT_ALGORITHMS] = {{0}};
    for (size_t r = 0; r < DUET_HOFT_ALGORITHMS; r++) {
        for (size_t i = 0; i < ROWS; i++) {
            size_t platform = i / DUET_HOFT_ACCELERATIONS;
            duet_hoft_table1 row =
                duet_hoft_table1_of(study, platform, i % DUET_HOFT_ACCELERATIONS, r);
            of[r][i] = row.reduction;
            mean[r] += row.reduction / ROWS;
            failures[platform][r] += row.failures;
            graphs += row.graphs;
        }
    }
    int inferior = 0;
    for (size_t i = 0; i < ROWS; i++) {
        inferior += of[DUET_HOFT_RUN_HOFT][i] < of[DUET_HOFT_RUN_HEFT_WM][i];
    }
    duet_paper_claim(
        claims, graphs > 0,
        mean[DUET_HOFT_RUN_HOFT] > 0 && mean[DUET_HOFT_RUN_HOFT_WM] > mean[DUET_HOFT_RUN_HEFT_WM] &&
            mean[DUET_HOFT_RUN_HOFT_WM] > mean[DUET_HOFT_RUN_HOFT],
        "table 1: HOFT is shorter than HEFT in the mean, and HOFT-WM than all",
        "0 < HOFT < HOFT-WM > HEFT-WM", "mean reductions %.1f, HEFT-WM %.1f, HOFT-WM %.1f %%",
        mean[DUET_HOFT_RUN_HOFT], mean[DUET_HOFT_RUN_HEFT_WM], mean[DUET_HOFT_RUN_HOFT_WM]);
    duet_paper_claim(claims, graphs > 0, inferior >= PRINTED,
                     "table 1: HOFT is slightly inferior to HEFT-WM (printed: in 3 of 4 rows)",
                     "at least 3", "in %d of 4", inferior);
    claim_failures(failures, claims);
}

// The CCR of the Cholesky graphs of a tile size on both platforms.
static void claim_ccr(const duet_paper_study *study, int64_t tile, double printed, const char *what,
                      duet_claims *claims)
{
    static const double factor = 2;
    double least = INFINITY;
    double most = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        bool cholesky = duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_SINGLE, tile) ||
                        duet_hoft_is_cholesky(&study->cases[c], DUET_HOFT_MULTIPLE, tile);
        if (cholesky && duet_paper_makespan(study, c, DUET_HOFT_RUN_HEFT) > 0) {
            double ccr = duet_paper_at(study, c, DUET_HOFT_RUN_HEFT)->ccr;
            least = fmin(ccr, least);
            most = fmax(ccr, most);
        }
    }
    duet_paper_claim(claims, most > 0, least >= printed / factor && most <= printed * factor, what,
                     "within a factor of 2", "%.2f to %.2f", most > 0 ? least : 0, most);
}

// The abstract: HOFT can be so much shorter on large Cholesky graphs, and is so on random ones.
static void claim_abstract(const duet_paper_study *study, duet_claims *claims)
{
    enum { MEDIUM = 25 };
    static const double printed[] = {5, 3};
    static const double about = 1.5;
    double sum = 0;
    double least = INFINITY;
    double most = -INFINITY;
    int cholesky = 0;
    int reached = 0;
    int random = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_case *at = &study->cases[c];
        double reduction = duet_hoft_reduction(study, c, DUET_HOFT_RUN_HOFT);
        if (duet_paper_makespan(study, c, DUET_HOFT_RUN_HOFT) == 0) {
            continue;
        }
        if (at->set != DUET_HOFT_CHOLESKY) {
            sum += reduction;
            random++;
        } else if (at->n >= MEDIUM) {
            least = fmin(reduction, least);
            most = fmax(reduction, most);
            reached += reduction >= printed[0];
            cholesky++;
        }
    }
    duet_paper_claim(claims, cholesky > 0, reached > 0,
                     "abstract: HOFT can be 5 % shorter on medium to large Cholesky graphs",
                     ">= 5 % at one, N >= 25", "at %d of %d; %.2f to %.2f %%", reached, cholesky,
                     cholesky > 0 ? least : 0, cholesky > 0 ? most : 0);
    double mean = random > 0 ? sum / random : 0;
    duet_paper_claim(claims, random > 0, fabs(mean - printed[1]) <= about,
                     "abstract: HOFT around 3 % shorter on random graphs", "1.5 to 4.5 %",
                     "%.2f %% in the mean of %d", mean, random);
}

void duet_hoft_claims(const duet_paper_study *study, duet_claims *claims)
{
    memset(claims, 0, sizeof *claims);
    claim_published(study, claims);
    claim_selection(study, claims);
    claim_speedup(study, claims);
    claim_figure_2(study, claims);
    claim_table_1(study, claims);
    claim_random_selection(study, claims);
    claim_ccr(study, SMALL_TILE, 1, "Cholesky graphs of tile 128 have a CCR of about 1", claims);
    claim_ccr(study, LARGE_TILE, 18, "Cholesky graphs of tile 1024 have a CCR of about 18", claims);
    claim_abstract(study, claims);
    duet_paper_limit_claims(study, study->settings->tile_count > 0, claims);
}
