// SPDX-License-Identifier: Apache-2.0
// Family worst-eft: EFT on m = g k CPUs and k GPUs reaches m/k, and with the second step
// m/k + 2 - 1/k, up to ticks that stand for the paper's epsilon.
// Instance:  with s ticks per unit, phase after phase: k tasks A = (s+1, s), m tasks B = (s, 1).
//            First step: g phases. Second step: g - 1 phases; then, with u = s/k, k - 1 short ones
//            of k tasks (u+1, u) and m tasks (u, 1); then one A and k tasks C = (-, s).
//            On more than two types the tasks take as long on all but the last, so that those are
//            the CPUs: with m of them and k = m_Q the ratio is above sum m_q / m_Q.
// Optimum:   first step s + 1: the A on the CPUs, the B on the GPUs (g^2 <= s + 1 ticks on each);
//            the m > k tasks A do not all fit on GPUs in less. Second step s + e, e = max(k, g
//            (g+k-2)): A one per CPU, the short A k per CPU on the k - 1 others, a C on each GPU,
//            and all B there. In less than s + u the C leave no room on GPUs for an A of either
//            size, so the A fill the CPUs, k short ones ending at s + k, and the B share the GPUs,
//            g (g+k-2) each.
// EFT:       all processors end a phase together, so A would end a tick later on a CPU and goes to
//            a GPU; then B would end a tick later on a GPU and goes to a CPU: no ties. In the end
//            the k tasks C meet one A: the last one ends 2 s later.
// Reference: Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, lemma 2; section 6 for Q types.
#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/try.h"
#include "instances/worst/worst.h"

enum { CPUS = 8, GPUS = 2 };

static const duet_option_spec options[] = {
    DUET_OPTION_TICKS(2, "1000", "ticks of the paper's unit of time divided by k"),
    {"second-step", DUET_OPTION_BOOLEAN, "true", 0, 0, NULL, "",
     "m/k + 2 - 1/k by shorter phases and tasks that only run on GPUs; else m/k"},
    DUET_OPTIONS_END};

typedef struct shape {
    duet_int128 m, k, g, s, u;
} shape;

// The processors of the last type, and those of all others.
static void count_processors(const duet_family_request *request, int64_t *m, int64_t *k)
{
    *m = request->cpus;
    *k = request->gpus;
    for (size_t t = 2; t < request->types; t++) {
        *m += *k;
        *k = request->further[t - 2];
    }
}

static duet_code platform(duet_family_request *request, duet_error *error)
{
    int64_t m;
    int64_t k;
    duet_family_default_platform(request, CPUS, GPUS);
    count_processors(request, &m, &k);
    if (m < 1 || k < 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%" PRId64 " CPUs and %" PRId64 " GPUs: expected at least 1 and 1", m,
                              k);
    }
    if (m % k != 0 || m == k) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%" PRId64 " CPUs and %" PRId64
                              " GPUs: expected a multiple of the GPUs as CPUs, at least two-fold",
                              m, k);
    }
    return DUET_OK;
}

static void add_phases(duet_worst *worst, const shape *c, const char *a, const char *b,
                       duet_int128 phases, duet_int128 unit)
{
    for (int64_t i = 0; i < phases && worst->code == DUET_OK; i++) {
        duet_worst_add(worst, a, i, c->k, unit + 1, unit);
        duet_worst_add(worst, b, i, c->m, unit, 1);
    }
}

// How much longer than s the second step's optimum is.
static duet_int128 excess(const shape *c)
{
    duet_int128 on_gpu = c->g * (c->g + c->k - 2);
    return duet_max(on_gpu, c->k);
}

static duet_code check_ticks(const shape *c, bool second, duet_error *error)
{
    duet_int128 least = second ? excess(c) + 1 : c->g * c->g - 1;
    duet_int128 have = second ? c->u : c->s;
    if (have >= least) {
        return DUET_OK;
    }
    least = second ? least : (least + c->k - 1) / c->k;
    return duet_error_set(error, DUET_E_USAGE,
                          "option ticks is %lld: expected at least %lld on this platform, so that "
                          "short tasks stay short beside the others",
                          (long long)c->u, (long long)least);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    bool second = duet_option_boolean(request->options, request->table, "second-step");
    int64_t m;
    int64_t k;
    count_processors(request, &m, &k);
    shape c = {.m = m, .k = k};
    c.g = c.m / c.k;
    c.u = duet_family_integer(request, "ticks");
    c.s = c.k * c.u;
    DUET_TRY(check_ticks(&c, second, error));
    duet_worst worst = duet_worst_begin(builder, error, "worst-eft-%" PRId64 "-%" PRId64, m, k);
    worst.types = duet_max(request->types, (size_t)2);
    duet_worst_reserve(&worst, 2 * (c.g + c.k));
    duet_read_claim claim = {.algorithm = "eft",
                             .limit = second ? "m/k + 2 - 1/k" : "m/k",
                             .source = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, "
                                       "lemma 2"};
    add_phases(&worst, &c, "A", "B", second ? c.g - 1 : c.g, c.s);
    if (!second) {
        return duet_worst_end(&worst, &claim, c.s + 1, c.g * c.s);
    }
    add_phases(&worst, &c, "short-A", "short-B", c.k - 1, c.u);
    duet_worst_add(&worst, "last-A", -1, 1, c.s + 1, c.s);
    duet_worst_add(&worst, "C", -1, c.k, DUET_WORST_FORBIDDEN, c.s);
    return duet_worst_end(&worst, &claim, c.s + excess(&c), (c.g + 2) * c.s - c.u);
}

const duet_family duet_family_worst_eft = {
    {.name = "worst-eft",
     .summary = "eft on m CPUs and k GPUs, k a divisor of m; or on any types",
     .guarantee = "towards m/k + 2 - 1/k (m/k with second-step=false)",
     .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, lemma 2",
     .handles = DUET_FEATURE_ANY_TYPES,
     .options = options},
    0,
    0,
    generate,
    platform};
