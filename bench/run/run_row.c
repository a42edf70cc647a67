// SPDX-License-Identifier: Apache-2.0
#include "bench/run/run_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/measure.h"
#include "console/texts.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/try.h"

static void take_solution(const duet_instance *instance, const duet_solution *solution,
                          duet_run_result *result)
{
    const char *status = duet_status_name(duet_solution_status(solution));
    const char *proven = duet_solution_guarantee(solution);
    result->makespan = duet_solution_makespan(solution);
    result->bound = duet_solution_lower_bound(solution);
    if (duet_check_solution(instance, solution, NULL, NULL, NULL) != DUET_OK) {
        status = "fault";
    }
    snprintf(result->status, sizeof result->status, "%s", status);
    snprintf(result->proven, sizeof result->proven, "%s", proven == NULL ? "" : proven);
}

static void set_fault(duet_run_result *result)
{
    snprintf(result->status, sizeof result->status, "fault");
}

duet_solution *duet_run_keep(const duet_instance *instance, const char *algorithm,
                             const duet_params *params, duet_run_result *result)
{
    *result = (duet_run_result){.status = "failed", .makespan = -1, .respected = -1};
    duet_solution *solution = NULL;
    int64_t start = duet_clock_ns();
    duet_code code = duet_solve(instance, algorithm, params, &solution, NULL);
    result->seconds = duet_bench_since(start);
    if (code == DUET_OK) {
        take_solution(instance, solution, result);
    } else if (code == DUET_E_INTERNAL || code == DUET_E_USAGE) {
        set_fault(result);
    }
    result->infeasible = code == DUET_E_INFEASIBLE;
    return solution;
}

void duet_run(const duet_instance *instance, const char *algorithm, const duet_params *params,
              duet_run_result *result)
{
    duet_solution_free(duet_run_keep(instance, algorithm, params, result));
}

void duet_run_given(const duet_instance *instance, const char *path, duet_run_result *result)
{
    *result = (duet_run_result){.status = "fault", .makespan = -1, .respected = -1};
    duet_solution *solution = NULL;
    duet_bound_check check = DUET_BOUND_NONE;
    // Only an instance without a platform would take the file's.
    duet_code code = duet_read_solution(path, NULL, (duet_instance *)instance, &solution, NULL);
    DUET_THEN(code, duet_check_solution(instance, solution, NULL, &check, NULL));
    if (code == DUET_OK) {
        duet_solution_to_ticks(solution, instance);
        bool certified = check == DUET_BOUND_CERTIFIED && duet_solution_lower_bound(solution) > 0;
        result->makespan = duet_solution_makespan(solution);
        result->bound = certified ? duet_solution_lower_bound(solution) : 0;
        result->seconds = duet_solution_seconds(solution);
        bool optimal = certified && result->bound == result->makespan;
        snprintf(result->status, sizeof result->status, "%s",
                 optimal     ? "optimal"
                 : certified ? "bounded"
                             : "feasible");
    }
    duet_solution_free(solution);
}

// `high` is at least the optimum.
static void judge(const duet_instance *instance, const char *algorithm, const duet_options *options,
                  int64_t high, duet_run_result *result)
{
    if (result->makespan < 0 || result->proven[0] == '\0' ||
        (result->reference == 0 && !result->is_optimum)) {
        return;
    }
    result->respected = duet_instance_guarantee_holds(algorithm, instance, options,
                                                      result->makespan, result->reference);
    // The optimum may be longer than the bound; not longer than the best schedule.
    if (result->respected == 0 && !result->is_optimum &&
        duet_instance_guarantee_holds(algorithm, instance, options, result->makespan, high) != 0) {
        result->respected = -1;
    }
}

// Whether a schedule with makespan `high` contradicts it.
static bool is_refuted(const duet_run_result *result, int64_t high)
{
    return high < INT64_MAX &&
           (result->infeasible || (result->makespan >= 0 && result->bound > high));
}

// The shortest makespan that the checker has not refused.
static int64_t best_of(const duet_run_result *results, size_t count)
{
    int64_t best = INT64_MAX;
    for (size_t a = 0; a < count; a++) {
        if (results[a].makespan >= 0 && strcmp(results[a].status, "fault") != 0) {
            best = duet_min(results[a].makespan, best);
        }
    }
    return best;
}

void duet_run_refer(const duet_instance *instance, const char *const *algorithms,
                    const duet_options *const *options, duet_run_result *results, size_t count)
{
    int64_t best = best_of(results, count);
    int64_t bound = 0;
    for (size_t a = 0; a < count; a++) {
        duet_run_result *result = &results[a];
        if (is_refuted(result, best)) {
            set_fault(result);
        } else if (result->makespan >= 0 && strcmp(result->status, "fault") != 0) {
            bound = duet_max(result->bound, bound);
        }
    }
    for (size_t a = 0; a < count; a++) {
        duet_run_result *result = &results[a];
        result->reference = bound;
        result->is_optimum = bound == best;
        judge(instance, algorithms[a], options[a], best, result);
    }
}

void duet_run_refer_to(const duet_instance *instance, const char *algorithm,
                       const duet_options *options, int64_t low, int64_t high,
                       duet_run_result *result)
{
    result->reference = low;
    result->is_optimum = low == high;
    if ((result->makespan >= 0 && result->makespan < low) || is_refuted(result, high)) {
        set_fault(result);
    }
    judge(instance, algorithm, options, high, result);
}

// A whole number of 10^-9, upwards, so that a ratio is never shown as smaller than it is.
static void write_billionths(duet_uint128 value, char *buffer, size_t size)
{
    static const uint64_t billion = 1000000000;
    char whole[40];
    snprintf(buffer, size, "%s.%09u", duet_uint128_format(value / billion, whole),
             (unsigned)(value % billion));
}

static bool is_referred(const void *row)
{
    const duet_run_result *result = row;
    return result->reference > 0 || result->is_optimum;
}

static void write_kind(const void *row, char text[DUET_COLUMN_ROOM])
{
    const duet_run_result *result = row;
    const char *kind = result->is_optimum ? "optimum" : is_referred(row) ? "bound" : "";
    snprintf(text, DUET_COLUMN_ROOM, "%s", result->unreferred ? "fault" : kind);
}

static bool read_kind(void *row, const char *text)
{
    duet_run_result *result = row;
    result->is_optimum = strcmp(text, "optimum") == 0;
    result->unreferred = strcmp(text, "fault") == 0;
    return true;
}

static bool has_ratio(const void *row)
{
    const duet_run_result *result = row;
    return result->makespan >= 0 && result->reference > 0;
}

static void write_ratio(const void *row, char text[DUET_COLUMN_ROOM])
{
    const duet_run_result *result = row;
    duet_uint128 scaled = (duet_uint128)(uint64_t)result->makespan * 1000000000;
    duet_fraction ratio = {scaled, (duet_uint128)(uint64_t)result->reference};
    write_billionths(duet_fraction_ceil(ratio), text, DUET_COLUMN_ROOM);
}

// As a decimal.
static void write_proven(const void *row, char text[DUET_COLUMN_ROOM])
{
    // Sums of roots are off by less than this.
    static const double noise = 1e-6;
    double value = duet_cli_ratio_value(((const duet_run_result *)row)->proven);
    if (value > 0 && value < 1e9) {
        write_billionths((duet_uint128)ceil(value * 1e9 - noise), text, DUET_COLUMN_ROOM);
    }
}

static bool read_proven(void *row, const char *text)
{
    duet_run_result *result = row;
    int length = snprintf(result->proven, sizeof result->proven, "%s", text);
    return length >= 0 && (size_t)length < sizeof result->proven;
}

// From -1: not known, no, yes.
static const char *const respected_names[] = {"", "no", "yes", NULL};

#define TICKS(member)                                                                              \
    DUET_RESULT_OF(duet_run_result, member, TICKS), .decimals = offsetof(duet_run_result, decimals)
#define OWN .role = DUET_COLUMN_RESULT, .type = DUET_COLUMN_OWN

const duet_column duet_run_columns[] = {
    DUET_RUN_KEYS("m", "k"),
    {"options", DUET_KEY_OF(duet_run_key, options, TEXT)},
    {"status", .role = DUET_COLUMN_RESULT, DUET_CHARS_OF(duet_run_result, status)},
    {"makespan", TICKS(makespan), DUET_COLUMN_WHERE(duet_run_result, makespan, 0)},
    {"lower_bound", TICKS(bound), DUET_COLUMN_WHERE(duet_run_result, bound, 1)},
    {"reference", TICKS(reference), .applies = is_referred},
    {"reference_kind", OWN, .write = write_kind, .read = read_kind},
    {"ratio", OWN, .applies = has_ratio, .write = write_ratio},
    {"proven", OWN, .write = write_proven, .read = read_proven},
    {"respected", DUET_RESULT_OF(duet_run_result, respected, NAME), .names = respected_names,
     .least = -1},
    {"seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {"settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

duet_code duet_run_write_key(const duet_run_key *key, duet_sweep_row *row, duet_error *error)
{
    return duet_columns_write(duet_run_columns, DUET_COLUMN_KEY, key, row->keys, sizeof row->keys,
                              error);
}

duet_code duet_run_write_result(const duet_instance *instance, const duet_run_result *result,
                                duet_sweep_row *row, duet_error *error)
{
    duet_run_result shown = *result;
    shown.decimals = duet_instance_decimals(instance);
    row->seconds = result->seconds;
    return duet_columns_write(duet_run_columns, DUET_COLUMN_RESULT, &shown, row->results,
                              sizeof row->results, error);
}

duet_code duet_run_read_result(const duet_sweep_row *row, int decimals, duet_run_result *result,
                               duet_error *error)
{
    *result = (duet_run_result){.makespan = -1, .seconds = row->seconds, .decimals = decimals};
    return duet_columns_read(duet_run_columns, DUET_COLUMN_RESULT, row->results, result, error);
}
