// SPDX-License-Identifier: Apache-2.0
// The targets of the exact solver on each named set. Counts and gaps are compared in integers. A
// target is judged only by a run that can tell: the whole set where the target is a number of
// instances, and the time limit of the target.
#include <string.h>

#include "bench/exact/exact.h"

typedef struct judge {
    const duet_exact_plan *plan;
    const char *algorithm;
    duet_claims *targets;
} judge;

// Nothing is judged where not every case has run.
static const char *verdict(const judge *j, bool judged, bool reached)
{
    return !judged || j->plan->summary.interrupted ? "not judged"
           : reached                               ? "ok"
                                                   : DUET_EXACT_MISSED;
}

// What counts as good.
typedef struct goal {
    double seconds;    // proven within
    int64_t largest;   // only cases of at most this size; 0: all
    duet_fraction gap; // or a smaller gap than this in a run of at most `seconds`; 0/1: no
} goal;

static bool is_good(const judge *j, const duet_exact_row *row, const goal *aim)
{
    if (duet_exact_solved_within(row, aim->seconds)) {
        return true;
    }
    return duet_exact_has_schedule(row) && !row->faulty &&
           j->plan->settings.seconds <= aim->seconds &&
           duet_fraction_compare(duet_exact_gap(row), aim->gap) < 0;
}

// For a text.
static double percent(duet_fraction gap)
{
    return 100 * (double)gap.num / (double)gap.den;
}

// How many of how many cases are good.
static size_t count_good(const judge *j, const goal *aim, size_t *of)
{
    size_t good = 0;
    *of = 0;
    for (size_t r = 0; r < j->plan->row_count; r++) {
        const duet_exact_row *row = &j->plan->rows[r];
        if (row->outcome != DUET_EXACT_NOT_RUN && duet_exact_is_algorithm(row, j->algorithm) &&
            (aim->largest == 0 || row->origin.size <= aim->largest)) {
            *of += 1;
            good += is_good(j, row, aim);
        }
    }
    return good;
}

// Whether the run can tell what was reached at the time of the goal: after a longer run nobody
// knows what the gap was then.
static bool tells(const judge *j, const goal *aim)
{
    double limit = j->plan->settings.seconds;
    return aim->gap.num > 0 ? limit == aim->seconds : limit >= aim->seconds;
}

// At least `least` of the whole set, which has `whole` instances.
static void target_number(judge *j, size_t least, size_t whole, goal aim)
{
    size_t of;
    size_t good = count_good(j, &aim, &of);
    bool judged = !j->plan->settings.narrowed && (tells(j, &aim) || good >= least);
    char what[96];
    char gap[40] = "";
    if (aim.gap.num > 0) {
        snprintf(gap, sizeof gap, ", or gap below %g %%", percent(aim.gap));
    }
    snprintf(what, sizeof what, "at least %zu of the %zu proven%s within %g s", least, whole, gap,
             aim.seconds);
    duet_claims_add(j->targets, verdict(j, judged, good >= least), what, "%zu", good);
}

// At least `percent` of them, whatever part of the set was run.
static void target_share(judge *j, unsigned percent, goal aim, const char *what)
{
    size_t of;
    size_t good = count_good(j, &aim, &of);
    bool reached = good * 100 >= of * percent;
    bool judged = of > 0 && (tells(j, &aim) || reached);
    duet_claims_add(j->targets, verdict(j, judged, reached), what, "%zu of %zu", good, of);
}

// The median, or the largest, of the gaps that are open after `seconds`.
static duet_code target_gap(judge *j, double seconds, bool largest, duet_fraction most,
                            duet_error *error)
{
    duet_exact_figures figures;
    duet_code code =
        duet_exact_figures_of(j->plan, duet_exact_is_algorithm, j->algorithm, &figures, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_fraction found = largest ? figures.largest_gap : figures.median_gap;
    bool reached = duet_fraction_compare(found, most) <= 0;
    bool judged =
        !j->plan->settings.narrowed && (j->plan->settings.seconds == seconds || figures.open == 0);
    char what[96];
    char gap[48];
    snprintf(what, sizeof what, "%s gap of the open ones after %g s at most %g %%",
             largest ? "largest" : "median", seconds, percent(most));
    duet_exact_format_gap(found, gap);
    duet_claims_add(j->targets, verdict(j, judged, reached), what, "%s",
                    figures.open == 0 ? "none is open" : gap);
    return DUET_OK;
}

static duet_code judge_main(judge *j, duet_error *error)
{
    target_number(j, 490, 504, (goal){.seconds = 10, .gap = {0, 1}});
    target_share(j, 100, (goal){.seconds = 3, .largest = 50, .gap = {0, 1}},
                 "all of at most 50 tasks proven within 3 s");
    target_number(j, 440, 504, (goal){.seconds = 1, .gap = {0, 1}});
    return target_gap(j, 10, false, (duet_fraction){5, 10000}, error);
}

static duet_code judge_unfamiliar(judge *j, duet_error *error)
{
    target_number(j, 18, 21, (goal){.seconds = 5, .gap = {0, 1}});
    return target_gap(j, 5, true, (duet_fraction){2, 1000}, error);
}

static duet_code judge_mixed(judge *j, duet_error *error)
{
    if (j->plan->settings.types != 2) {
        target_share(j, 90, (goal){.seconds = 10, .gap = {0, 1}},
                     "at least 90 % proven within 10 s");
        return DUET_OK;
    }
    target_share(j, 97, (goal){.seconds = 5, .gap = {0, 1}}, "at least 97 % proven within 5 s");
    duet_code code = target_gap(j, 5, false, (duet_fraction){2, 10000}, error);
    return code == DUET_OK ? target_gap(j, 5, true, (duet_fraction){5, 1000}, error) : code;
}

static duet_code judge_set(judge *j, duet_error *error)
{
    const char *set = j->plan->settings.set->name;
    if (strcmp(set, "main") == 0) {
        return judge_main(j, error);
    }
    if (strcmp(set, "unfamiliar") == 0) {
        return judge_unfamiliar(j, error);
    }
    if (strcmp(set, "mixed") == 0) {
        return judge_mixed(j, error);
    }
    if (strcmp(set, "hard") == 0) {
        target_number(j, 10, 12, (goal){.seconds = 60, .gap = {0, 1}});
    } else if (strcmp(set, "medium") == 0) {
        target_share(j, 100, (goal){.seconds = 1, .gap = {0, 1}}, "all proven within 1 s");
    } else if (strcmp(set, "tiles") == 0) {
        target_share(j, 100, (goal){.seconds = 10, .gap = {1, 10000}},
                     "all proven, or gap below 0.01 %, within 10 s");
    } else if (strcmp(set, "real") == 0) {
        target_share(j, 100, (goal){.seconds = 10, .gap = {1, 100000}},
                     "all proven, or gap below 0.001 %, within 10 s");
    } else if (strcmp(set, "three-types") == 0) {
        target_number(j, 6, 12, (goal){.seconds = 10, .gap = {1, 100000}});
        target_number(j, 10, 12, (goal){.seconds = 10, .gap = {1, 1000}});
    } else if (strcmp(set, "rcmax") == 0) {
        target_number(j, 13, 28, (goal){.seconds = 1, .gap = {0, 1}});
        target_number(j, 19, 28, (goal){.seconds = 10, .gap = {0, 1}});
        target_number(j, 22, 28, (goal){.seconds = 60, .gap = {0, 1}});
    } else if (strcmp(set, "graph-files") == 0) {
        target_share(j, 50, (goal){.seconds = 10, .gap = {1, 100}},
                     "half of them with a gap below 1 % within 10 s");
    } else if (strcmp(set, "graphs") == 0) {
        duet_exact_judge_graphs(j->plan, j->targets);
    } else if (strcmp(set, "small") == 0) {
        target_share(j, 100, (goal){.seconds = j->plan->settings.seconds, .gap = {0, 1}},
                     "all proven, equal to the exhaustive optimum");
    } else {
        target_share(j, 99, (goal){.seconds = 5, .gap = {0, 1}}, "at least 99 % proven within 5 s");
    }
    return DUET_OK;
}

// Every proof is accepted, in less than a tenth of the time of solving where that took over 1 s.
static void target_proofs(judge *j)
{
    size_t proofs = 0;
    size_t accepted = 0;
    size_t slow = 0;
    size_t kept = 0;
    double largest = 0;
    for (size_t r = 0; r < j->plan->row_count; r++) {
        const duet_exact_row *row = &j->plan->rows[r];
        if (!duet_exact_has_schedule(row) || row->proof_bytes < 0 ||
            !duet_exact_is_algorithm(row, j->algorithm)) {
            continue;
        }
        proofs++;
        accepted += !row->faulty;
        if (row->seconds > 1) {
            slow++;
            kept += row->proof_seconds < row->seconds / 10;
            double share = row->proof_seconds / row->seconds;
            largest = share > largest ? share : largest;
        }
    }
    duet_claims_add(j->targets, verdict(j, proofs > 0, accepted == proofs),
                    "all proofs accepted by the checker", "%zu of %zu", accepted, proofs);
    duet_claims_add(j->targets, verdict(j, slow > 0, kept == slow),
                    "checked in less than a tenth of the time of solving, where over 1 s",
                    "%zu of %zu, at most %.2g of it", kept, slow, largest);
}

duet_code duet_exact_judge(const duet_exact_plan *plan, duet_claims *targets, duet_error *error)
{
    judge j = {.plan = plan, .algorithm = plan->settings.algorithm[0], .targets = targets};
    targets->count = 0;
    duet_code code = judge_set(&j, error);
    if (code == DUET_OK && plan->settings.proofs) {
        target_proofs(&j);
    }
    return code;
}
