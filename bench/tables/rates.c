// SPDX-License-Identifier: Apache-2.0
// The cell rate of the collapsed table against a min-plus triad on as many bytes: values only and
// with decisions, with one thread and with two, in the caches and out of them.
#include <math.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "bench/run/measure.h"
#include "bench/run/triad.h"
#include "bench/tables/tables.h"
#include "core/system/try.h"

typedef struct shape {
    const char *name;
    int64_t n, m, k;
} shape;

// What takes turns.
enum { VALUES_1, DECISIONS_1, TRIAD_1, VALUES_2, TRIAD_2, TURNS };

typedef struct rates {
    double round[TURNS][DUET_BENCH_MAX_ROUNDS];
    double median[TURNS];
    size_t bytes;
} rates;

static duet_code table_rate(const duet_bench_guesses *guesses, int threads, bool allocation,
                            double *rate, size_t *bytes, duet_error *error)
{
    duet_bench_how how = {.form = DUET_TABLE_COLLAPSED,
                          .count = 1,
                          .threads = threads,
                          .allocation = allocation,
                          .least_seconds = 10e-3};
    duet_bench_decided decided;
    duet_code code = duet_bench_decide(guesses, &how, &decided, error);
    *rate = decided.cells / decided.seconds;
    *bytes = decided.bytes;
    return code;
}

static duet_code one_round(const duet_bench_tables *tables, const duet_bench_guesses *guesses,
                           int round, bool two, duet_triad *triads, rates *found, duet_error *error)
{
    size_t with_decisions;
    DUET_TRY(table_rate(guesses, 1, false, &found->round[VALUES_1][round], &found->bytes, error));
    DUET_TRY(
        table_rate(guesses, 1, true, &found->round[DECISIONS_1][round], &with_decisions, error));
    for (int t = 0; t < 2 && round == 0; t++) {
        if (!duet_triad_create(&triads[t], found->bytes, t + 1,
                               tables->quick ? DUET_TRIAD_FEW_CELLS : DUET_TRIAD_CELLS)) {
            return duet_error_set(error, DUET_E_MEMORY, "out of memory for the triad");
        }
    }
    found->round[TRIAD_1][round] = duet_triad_rate(&triads[0]);
    duet_code code = DUET_OK;
    if (two) {
        code = table_rate(guesses, 2, false, &found->round[VALUES_2][round], &found->bytes, error);
        found->round[TRIAD_2][round] = duet_triad_rate(&triads[1]);
    }
    return code;
}

static duet_code measure(const duet_bench_tables *tables, const shape *at, bool two, rates *found,
                         duet_error *error)
{
    duet_bench_guesses guesses;
    duet_code code =
        duet_bench_guesses_create("unif4", at->n, at->m, at->k, tables->seed, &guesses, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_triad triads[2] = {{.cells = NULL}, {.cells = NULL}};
    for (int round = 0; round < tables->rounds && code == DUET_OK; round++) {
        code = one_round(tables, &guesses, round, two, triads, found, error);
    }
    duet_triad_free(&triads[0]);
    duet_triad_free(&triads[1]);
    duet_bench_guesses_free(&guesses);
    for (int i = 0; i < TURNS && code == DUET_OK; i++) {
        found->median[i] =
            i >= VALUES_2 && !two ? 0 : duet_bench_median(found->round[i], tables->rounds);
    }
    return code;
}

static void add_lines(duet_bench_tables *tables, const shape *at, bool two, const rates *found)
{
    static const char gain[] = "gain of 2 threads / the triad's";
    char bytes[32];
    duet_bench_format_bytes((double)found->bytes, bytes);
    const double *rate = found->median;
    duet_bench_add_check(tables, "collapsed / triad", at->name, rate[VALUES_1] / rate[TRIAD_1], 0.8,
                         "%.2f / %.2f Gcell/s, %s, one thread", rate[VALUES_1] * 1e-9,
                         rate[TRIAD_1] * 1e-9, bytes);
    duet_bench_add_check(tables, "with decision bits / triad", at->name,
                         rate[DECISIONS_1] / rate[TRIAD_1], 0.4, "%.2f / %.2f Gcell/s, one thread",
                         rate[DECISIONS_1] * 1e-9, rate[TRIAD_1] * 1e-9);
    if (!two) {
        duet_bench_add_check(tables, gain, at->name, NAN, NAN,
                             "not measured: this process may use one processor only");
        return;
    }
    double reached = rate[VALUES_2] / rate[VALUES_1];
    double possible = rate[TRIAD_2] / rate[TRIAD_1];
    duet_bench_add_check(tables, gain, at->name, reached / possible, 0.85, "%.2f x / %.2f x",
                         reached, possible);
}

duet_code duet_bench_table_rates(duet_bench_tables *tables, duet_error *error)
{
    static const shape shapes[] = {{"in cache", 200, 8, 2}, {"out of cache", 200, 64, 8}};
    static const shape quick[] = {{"in cache", 20, 4, 2}, {"out of cache", 40, 8, 4}};
    bool two = duet_bench_processors() >= 2;
    for (size_t p = 0; p < sizeof shapes / sizeof *shapes; p++) {
        rates found;
        const shape *at = tables->quick ? &quick[p] : &shapes[p];
        DUET_TRY(measure(tables, at, two, &found, error));
        add_lines(tables, at, two, &found);
    }
    return DUET_OK;
}
