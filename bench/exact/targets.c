// SPDX-License-Identifier: Apache-2.0
// The targets of the exact solver on each named set. Counts and gaps are compared in integers. A
// target is judged only by a run that can tell: the whole set where the target is a number of
// instances, and the time limit of the target.
#include <string.h>

#include "bench/exact/exact.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

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
    duet_fraction gap; // a smaller gap in a run of at most `seconds` is good too; 0/1: none is
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

// What is promised of a set.
typedef enum target_kind {
    NUMBER, // at least a number of the whole set, which has `whole` instances
    SHARE,  // at least a percentage of them, whatever part of the set was run
    MEDIAN, // the median of the gaps that are open at the time is at most `gap`
    LARGEST // the largest of these gaps is
} target_kind;
typedef struct target {
    const char *set;
    target_kind kind;
    size_t least, whole;
    goal aim;         // seconds of 0: the run's limit
    const char *what; // of a SHARE
} target;

static const char other_mixed[] = "mixed, not of two types";
static const target promised[] = {
    {"main", NUMBER, 490, 504, {10, 0, {0, 1}}, NULL},
    {"main", SHARE, 100, 0, {3, 50, {0, 1}}, "all of at most 50 tasks proven within 3 s"},
    {"main", NUMBER, 440, 504, {1, 0, {0, 1}}, NULL},
    {"main", MEDIAN, 0, 0, {10, 0, {5, 10000}}, NULL},
    {"hard", NUMBER, 10, 12, {60, 0, {0, 1}}, NULL},
    {"medium", SHARE, 100, 0, {1, 0, {0, 1}}, "all proven within 1 s"},
    {"tiles", SHARE, 100, 0, {10, 0, {1, 10000}}, "all proven, or gap below 0.01 %, within 10 s"},
    {"real", SHARE, 100, 0, {10, 0, {1, 100000}}, "all proven, or gap below 0.001 %, within 10 s"},
    {"unfamiliar", NUMBER, 18, 21, {5, 0, {0, 1}}, NULL},
    {"unfamiliar", LARGEST, 0, 0, {5, 0, {2, 1000}}, NULL},
    {"three-types", NUMBER, 6, 12, {10, 0, {1, 100000}}, NULL},
    {"three-types", NUMBER, 10, 12, {10, 0, {1, 1000}}, NULL},
    {"rcmax", NUMBER, 13, 28, {1, 0, {0, 1}}, NULL},
    {"rcmax", NUMBER, 19, 28, {10, 0, {0, 1}}, NULL},
    {"rcmax", NUMBER, 22, 28, {60, 0, {0, 1}}, NULL},
    {"mixed", SHARE, 97, 0, {5, 0, {0, 1}}, "at least 97 % proven within 5 s"},
    {"mixed", MEDIAN, 0, 0, {5, 0, {2, 10000}}, NULL},
    {"mixed", LARGEST, 0, 0, {5, 0, {5, 1000}}, NULL},
    {other_mixed, SHARE, 90, 0, {10, 0, {0, 1}}, "at least 90 % proven within 10 s"},
    {"identical", SHARE, 99, 0, {5, 0, {0, 1}}, "at least 99 % proven within 5 s"},
    {"pair", SHARE, 99, 0, {5, 0, {0, 1}}, "at least 99 % proven within 5 s"},
    {"graph-files",
     SHARE,
     50,
     0,
     {10, 0, {1, 100}},
     "half of them with a gap below 1 % within 10 s"},
    {"graphs-costs", NUMBER, 68, 72, {2, 0, {0, 1}}, NULL},
    {"graphs-small", SHARE, 97, 0, {5, 0, {0, 1}}, "at least 97 % proven within 5 s"},
    {"graphs-small", SHARE, 99, 0, {20, 0, {0, 1}}, "at least 99 % proven within 20 s"},
    {"small", SHARE, 100, 0, {0, 0, {0, 1}}, "all proven, equal to the exhaustive optimum"},
};

static void judge_number(judge *j, const target *t)
{
    size_t of;
    size_t good = count_good(j, &t->aim, &of);
    bool judged = !j->plan->settings.narrowed && (tells(j, &t->aim) || good >= t->least);
    char what[96];
    char gap[40] = "";
    if (t->aim.gap.num > 0) {
        snprintf(gap, sizeof gap, ", or gap below %g %%", percent(t->aim.gap));
    }
    snprintf(what, sizeof what, "at least %zu of the %zu proven%s within %g s", t->least, t->whole,
             gap, t->aim.seconds);
    duet_claims_add(j->targets, verdict(j, judged, good >= t->least), what, "%zu", good);
}

static void judge_share(judge *j, const target *t)
{
    size_t of;
    goal aim = t->aim;
    aim.seconds = aim.seconds > 0 ? aim.seconds : j->plan->settings.seconds;
    size_t good = count_good(j, &aim, &of);
    bool reached = good * 100 >= of * t->least;
    bool judged = of > 0 && (tells(j, &aim) || reached);
    duet_claims_add(j->targets, verdict(j, judged, reached), t->what, "%zu of %zu", good, of);
}

static duet_code judge_gap(judge *j, const target *t, duet_error *error)
{
    duet_exact_figures figures;
    DUET_TRY(
        duet_exact_figures_of(j->plan, duet_exact_is_algorithm, j->algorithm, &figures, error));
    duet_fraction found = t->kind == LARGEST ? figures.largest_gap : figures.median_gap;
    bool reached = duet_fraction_compare(found, t->aim.gap) <= 0;
    bool in_time = j->plan->settings.seconds == t->aim.seconds || figures.open == 0;
    char what[96];
    char gap[48];
    snprintf(what, sizeof what, "%s gap of the open ones after %g s at most %g %%",
             t->kind == LARGEST ? "largest" : "median", t->aim.seconds, percent(t->aim.gap));
    duet_exact_format_gap(found, gap);
    duet_claims_add(j->targets, verdict(j, !j->plan->settings.narrowed && in_time, reached), what,
                    "%s", figures.open == 0 ? "none is open" : gap);
    return DUET_OK;
}

static duet_code judge_set(judge *j, duet_error *error)
{
    const duet_exact_settings *s = &j->plan->settings;
    const char *set =
        s->set->source == DUET_EXACT_MIXED && s->types != 2 ? other_mixed : s->set->name;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < sizeof promised / sizeof *promised && code == DUET_OK; i++) {
        if (strcmp(promised[i].set, set) != 0) {
            continue;
        }
        switch (promised[i].kind) {
        case NUMBER:
            judge_number(j, &promised[i]);
            break;
        case SHARE:
            judge_share(j, &promised[i]);
            break;
        default:
            code = judge_gap(j, &promised[i], error);
        }
    }
    return code;
}

// --- task graphs -------------------------------------------------------------------------------

// Gaps of some sizes of one family on one platform, judged by the runs on these that are there,
// where the time limit is the promise's own.
typedef struct promise {
    const char *family;
    int64_t m, k;
    int64_t from, to; // sizes
    double seconds;
    duet_fraction gap; // at most
} promise;

static const promise promises[] = {
    {"chol", 20, 4, 4, 8, 1, {3, 1000}},
    {"chol", 20, 4, 10, 20, 10, {60, 1000}},
    {"chol", 20, 4, 10, 20, 60, {45, 1000}},
    {"chol", 20, 4, 24, 24, 60, {25, 1000}},
    {"chol", 20, 4, 32, 32, 10, {10, 1000}},
    {"chol", 20, 4, 48, 48, 10, {5, 1000}},
    {"chol", 20, 4, 64, 64, 10, {25, 10000}},
    {"chol", 28, 4, 64, 64, 10, {33, 10000}},
    {"chol", 7, 1, 5, 5, 10, {0, 1}},
    {"chol", 7, 1, 6, 6, 10, {15, 1000}},
    {"chol", 7, 1, 4, 64, 10, {80, 1000}},
    {"chol", 20, 2, 8, 8, 10, {50, 1000}},
    {"chol", 20, 2, 4, 64, 10, {80, 1000}},
    {"chol", 28, 4, 4, 64, 10, {80, 1000}},
    {"lu", 20, 4, 4, 15, 1, {3, 1000}},
    {"lu", 20, 4, 20, 24, 60, {80, 1000}},
    {"lu", 20, 4, 32, 32, 60, {50, 1000}},
    {"qr", 20, 4, 8, 15, 10, {70, 1000}},
    {"qr", 20, 4, 20, 64, 10, {25, 1000}},
    {"layered", 7, 1, 10, 30, 10, {20, 1000}},
    {"narrow", 7, 1, 10, 30, 10, {20, 1000}},
    {"hopper-double-960", 15, 1, 10, 10, 10, {15, 1000}},
    {"hopper-double-960", 15, 1, 20, 20, 10, {33, 1000}},
    {"hopper-double-960", 15, 1, 40, 40, 10, {25, 1000}},
};
enum { PROMISES = sizeof promises / sizeof *promises };

static bool is_about(const promise *p, const duet_exact_row *row)
{
    const duet_exact_case *origin = &row->origin;
    return origin->m == p->m && origin->k == p->k && origin->size >= p->from &&
           origin->size <= p->to && strcmp(origin->name, p->family) == 0;
}

// The largest gap of the first algorithm's runs that a promise is about; how many these are.
static duet_fraction largest_gap(const duet_exact_plan *plan, const promise *p, size_t *runs)
{
    duet_fraction largest = {0, 1};
    *runs = 0;
    for (size_t r = 0; r < plan->row_count; r += plan->settings.algorithm_count) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome == DUET_EXACT_NOT_RUN || !is_about(p, row)) {
            continue;
        }
        bool has = duet_exact_has_schedule(row) && !row->faulty;
        duet_fraction gap = has ? duet_exact_gap(row) : (duet_fraction){1, 0};
        largest = duet_fraction_compare(gap, largest) > 0 ? gap : largest;
        *runs += 1;
    }
    return largest;
}

static void judge_promise(const judge *j, const promise *p)
{
    size_t runs;
    duet_fraction largest = largest_gap(j->plan, p, &runs);
    char what[192];
    char gap[48];
    if (runs == 0 || j->plan->settings.seconds != p->seconds) {
        return;
    }
    bool kept = duet_fraction_compare(largest, p->gap) <= 0;
    char sizes[48];
    snprintf(sizes, sizeof sizes, p->from == p->to ? "%lld" : "%lld to %lld", (long long)p->from,
             (long long)p->to);
    snprintf(what, sizeof what, "%s %s on (%lld,%lld): gap at most %g %% in %g s", p->family, sizes,
             (long long)p->m, (long long)p->k, percent(p->gap), p->seconds);
    duet_claims_add(j->targets, verdict(j, true, kept), what, "%s",
                    duet_exact_format_gap(largest, gap));
}

static void judge_graphs(const judge *j)
{
    for (size_t i = 0; i < PROMISES; i++) {
        judge_promise(j, &promises[i]);
    }
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
        bool none = row->proof_bytes < 0 || (row->proof_bytes == 0 && !row->faulty);
        if (!duet_exact_has_schedule(row) || none || !duet_exact_is_algorithm(row, j->algorithm)) {
            continue;
        }
        proofs++;
        accepted += !row->faulty;
        if (row->seconds > 1) {
            slow++;
            kept += row->proof_seconds < row->seconds / 10;
            double share = row->proof_seconds / row->seconds;
            largest = duet_max(share, largest);
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
    if (plan->settings.set->source == DUET_EXACT_GRAPH) {
        judge_graphs(&j);
    }
    if (code == DUET_OK && plan->settings.proofs) {
        target_proofs(&j);
    }
    return code;
}
