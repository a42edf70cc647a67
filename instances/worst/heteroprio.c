// SPDX-License-Identifier: Apache-2.0
// Family worst-heteroprio: HeteroPrio on n = 6t GPUs and n^2 CPUs reaches (n-1)/(n+r) + r/3, where
// n/r + 2n - 1 = n r/3; t is the size. 2 + 2/sqrt 3 = 3.1547 in the limit.
// Instance:  in units of s ticks, as in the paper, with x = (n-1) w:
//              T1  n tasks (n, Q1);
//              T2  for each of 2t, 2t+1, ..., 3t-1, 4t-1, 4t-2, ..., 3t six tasks of that GPU time,
//                  and one of n; about r n/3 on a CPU;
//              T3  n^2 (n-1) tasks (w, w);  T4  n (n-1) tasks (v, w), v/w about r.
// Optimum:   n: T2 fills the GPUs (2t+i with 4t-i, three 2t, two 3t, n alone), T1 runs on n CPUs,
//            and each other CPU has one T4 and n T3, which take v + n w <= n. The T2 of n takes
//            that long anywhere.
// HeteroPrio: CPUs run T3 until x, GPUs T4 until x - 1; then the GPUs take T1, the CPUs T2. From
//            x - 1 + Q1 on the GPUs spoliate T2, latest completion first, in the order above, which
//            keeps them busy for n - 1 more; moving the T2 of n would gain nothing; it ends on its
//            CPU.
// The paper leaves ties open: here acceleration factors fall strictly (T4, T1, T2, T3), T2's groups
// end one tick apart on the CPUs, and the GPUs' n last T4 take a tick less. CPU time P of the last
// T2 is the largest integer that meets what the proof needs:
//              P + 1 <= Q1 + (2n-1) s         (not spoliated)
//              (P + 2t) Q1 < 2t s * n s       (T1 more accelerated than every T2)
// and then w the largest with v Q1 > w n s, v + n w <= n s.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 14.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { SIZE = 1, MAX_SIZE = 1000 };

static const duet_option_spec options[] = {
    DUET_OPTION_TICKS(100, "1000", "ticks of the paper's unit of time"), DUET_OPTIONS_END};

typedef struct constants {
    duet_int128 t, n, s, p, q1, v, w;
} constants;

static duet_code platform(duet_family_request *request, duet_error *error)
{
    int64_t gpus = 6 * request->n;
    return duet_worst_fixed_platform(request, gpus * gpus, gpus, error);
}

static duet_int128 t1_on_gpu(const constants *c, duet_int128 p)
{
    return p + 1 - (2 * c->n - 1) * c->s;
}

// P by bisection, then w downward from its limit without rounding.
static constants solve(int64_t t, int64_t ticks)
{
    constants c = {.t = t, .n = 6 * (duet_int128)t, .s = ticks};
    duet_int128 unit = c.n * c.s;
    duet_int128 low = (2 * c.n - 1) * c.s; // T1 would take 1 tick
    duet_int128 high = 4 * unit;           // (4n)(2n+1) > 2t n
    while (high - low > 1) {
        duet_int128 middle = low + (high - low) / 2;
        bool fits = (middle + 2 * c.t) * t1_on_gpu(&c, middle) < 2 * c.t * c.s * unit;
        *(fits ? &low : &high) = middle;
    }
    c.p = low;
    c.q1 = t1_on_gpu(&c, low);
    c.w = unit * c.q1 / (c.n * c.q1 + unit) + 1;
    do {
        c.w--;
        c.v = c.w * unit / c.q1 + 1;
    } while (c.v + c.n * c.w > unit);
    return c;
}

static void add_t2(duet_worst *worst, const constants *c)
{
    for (int64_t group = 0; group < 2 * c->t; group++) {
        duet_int128 gpu = group < c->t ? 2 * c->t + group : 5 * c->t - 1 - group;
        duet_worst_add(worst, "T2-", group, 6, c->p + 2 * c->t - group, gpu * c->s);
    }
    duet_worst_add(worst, "T2-last", -1, 1, c->p, c->n * c->s);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    constants c = solve(request->n, duet_family_integer(request, "ticks"));
    duet_worst worst = duet_worst_begin(builder, error, "worst-heteroprio-%" PRId64, request->n);
    duet_worst_add(&worst, "T1", -1, c.n, c.n * c.s, c.q1);
    add_t2(&worst, &c);
    duet_worst_add(&worst, "T3", -1, c.n * c.n * (c.n - 1), c.w, c.w);
    duet_worst_add(&worst, "T4", -1, c.n * (c.n - 2), c.v, c.w);
    duet_worst_add(&worst, "T4-short", -1, c.n, c.v, c.w - 1);
    duet_read_claim claim = {.algorithm = "heteroprio",
                             .limit = "2+2/sqrt(3)",
                             .source = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 14"};
    return duet_worst_end(&worst, &claim, c.n * c.s, (c.n - 1) * c.w + c.p);
}

const duet_family duet_family_worst_heteroprio = {
    {.name = "worst-heteroprio",
     .summary = "heteroprio on 6 N GPUs and 36 N^2 CPUs",
     .guarantee = "(n-1)/(n+r) + r/3, n = 6 N, r from n/r + 2n - 1 = n r/3, towards 2+2/sqrt(3)",
     .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 14",
     .options = options},
    SIZE,
    MAX_SIZE,
    generate,
    platform};
