// SPDX-License-Identifier: Apache-2.0
// One algorithm on one instance as a row of a sweep: running, checking and judging it, and writing
// and reading the row. Times in rows are in the instance's unit, as exact decimals.
#ifndef DUET_BENCH_RUN_RUN_ROW_H
#define DUET_BENCH_RUN_RUN_ROW_H

#include "bench/run/sweep.h"

// What a run is.
typedef struct duet_run_key {
    const char *instance;
    const char *family;
    int64_t n, m, k;
    uint64_t seed;
    const char *algorithm;
    const char *options; // "key=value" separated by spaces; "": none
} duet_run_key;

enum { DUET_RUN_PROVEN = 96 };

// What came of it, in ticks. `status`: optimal, bounded, feasible; failed (no schedule); fault (the
// checker refuses it, or it contradicts another run of the same instance: a bound above a schedule,
// no schedule where there is one).
typedef struct duet_run_result {
    char status[16];
    int64_t makespan;             // -1: none
    int64_t bound;                // 0: none
    int64_t reference;            // what the ratio is to; 0: none
    bool is_optimum;              // the reference, else the best bound of the instance's runs
    bool unreferred;              // what was to find the reference failed, or a schedule refutes it
    bool infeasible;              // it says that no schedule exists; not in the row
    char proven[DUET_RUN_PROVEN]; // the algorithm's proven ratio as text; "": none
    int respected;                // 1 yes; 0 no, by the optimum; -1 nothing is proven, or not known
    double seconds;
    int decimals; // a tick is 10^-decimals of the unit
} duet_run_result;

// Columns of a duet_run_key: all but its options, with other names for m and k.
#define DUET_RUN_KEYS(m_name, k_name)                                                              \
    {"job", .role = DUET_COLUMN_JOB}, {"instance", DUET_KEY_OF(duet_run_key, instance, TEXT)},     \
        {"family", DUET_KEY_OF(duet_run_key, family, TEXT)},                                       \
        {"n", DUET_KEY_OF(duet_run_key, n, INTEGER)},                                              \
        {m_name, DUET_KEY_OF(duet_run_key, m, INTEGER)},                                           \
        {k_name, DUET_KEY_OF(duet_run_key, k, INTEGER)},                                           \
        {"seed", DUET_KEY_OF(duet_run_key, seed, NUMBER)},                                         \
    {                                                                                              \
        "algorithm", DUET_KEY_OF(duet_run_key, algorithm, TEXT)                                    \
    }
// The columns of such a row: keys are those of a duet_run_key, results those of a duet_run_result.
extern const duet_column duet_run_columns[];

// DUET_E_LIMIT where it does not fit a row; names are quoted where CSV wants it.
duet_code duet_run_write_key(const duet_run_key *key, duet_sweep_row *row, duet_error *error);

// Runs the algorithm and has the schedule checked. What goes wrong with the run is its status; only
// lack of memory for the harness itself is an error.
void duet_run(const duet_instance *instance, const char *algorithm, const duet_params *params,
              duet_run_result *result);
// The same; returns the schedule, the caller's; NULL: there is none.
duet_solution *duet_run_keep(const duet_instance *instance, const char *algorithm,
                             const duet_params *params, duet_run_result *result);
// The same of a schedule in a file, which anyone may have made: it claims nothing that counts but a
// certified bound. A file that cannot be read is a fault, as a schedule that is none.
void duet_run_given(const duet_instance *instance, const char *path, duet_run_result *result);
// Finds the reference of the runs on one instance - the optimum where one of them has proven it,
// else the best bound that no schedule refutes - and what it says of each.
void duet_run_refer(const duet_instance *instance, const char *const *algorithms,
                    const duet_options *const *options, duet_run_result *results, size_t count);

// The same of one run, where the optimum is known to lie between `low` and `high`.
void duet_run_refer_to(const duet_instance *instance, const char *algorithm,
                       const duet_options *options, int64_t low, int64_t high,
                       duet_run_result *result);

// Ratios are written with nine decimal places, rounded up.
duet_code duet_run_write_result(const duet_instance *instance, const duet_run_result *result,
                                duet_sweep_row *row, duet_error *error);
// Reads it back, the proven ratio as a decimal; a tick is 10^-decimals of the unit. DUET_E_INPUT.
duet_code duet_run_read_result(const duet_sweep_row *row, int decimals, duet_run_result *result,
                               duet_error *error);

#endif
