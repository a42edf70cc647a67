// SPDX-License-Identifier: Apache-2.0
#include "bench/run/run_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/measure.h"
#include "bench/run/sweep_row.h"
#include "console/common.h"
#include "core/context.h"
#include "core/decimal.h"
#include "core/fraction.h"

static duet_code check_length(int length, size_t size, duet_error *error)
{
    return length >= 0 && (size_t)length < size
               ? DUET_OK
               : duet_error_set(error, DUET_E_LIMIT, "a row of the sweep is too long");
}

duet_code duet_run_write_key(const duet_run_key *key, duet_sweep_row *row, duet_error *error)
{
    const int64_t numbers[] = {key->n, key->m, key->k};
    char text[32];
    duet_sweep_fields keys = {.text = row->keys, .size = sizeof row->keys};
    duet_sweep_add_field(&keys, key->instance);
    duet_sweep_add_field(&keys, key->family);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(text, sizeof text, "%" PRId64, numbers[i]);
        duet_sweep_add_field(&keys, text);
    }
    snprintf(text, sizeof text, "%" PRIu64, key->seed);
    duet_sweep_add_field(&keys, text);
    duet_sweep_add_field(&keys, key->algorithm);
    duet_sweep_add_field(&keys, key->options);
    return keys.failed ? duet_error_set(error, DUET_E_LIMIT,
                                        "%.100s: the name does not fit a row, or has a line break",
                                        key->instance)
                       : DUET_OK;
}

static void take_solution(const duet_instance *instance, const duet_solution *solution,
                          duet_run_result *result)
{
    const char *status = duet_status_name(duet_solution_status(solution));
    const char *proven = duet_solution_guarantee(solution);
    result->makespan = duet_solution_makespan(solution);
    result->bound = duet_solution_lower_bound(solution);
    if (duet_check_solution(instance, solution, NULL, NULL) != DUET_OK) {
        status = "fault";
    }
    snprintf(result->status, sizeof result->status, "%s", status);
    snprintf(result->proven, sizeof result->proven, "%s", proven == NULL ? "" : proven);
}

static void set_fault(duet_run_result *result)
{
    snprintf(result->status, sizeof result->status, "fault");
}

void duet_run(const duet_instance *instance, const char *algorithm, const duet_params *params,
              duet_run_result *result)
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
    duet_solution_free(solution);
}

// `high` is at least the optimum.
static void judge(const duet_instance *instance, const char *algorithm, const duet_options *options,
                  int64_t high, duet_run_result *result)
{
    int64_t counts[DUET_MAX_TYPES];
    size_t types = duet_instance_types(instance);
    for (size_t t = 0; t < types; t++) {
        counts[t] = duet_instance_type_count(instance, t);
    }
    if (result->makespan < 0 || result->proven[0] == '\0' ||
        (result->reference == 0 && !result->is_optimum)) {
        return;
    }
    result->respected = duet_guarantee_holds(algorithm, types, counts, options, result->makespan,
                                             result->reference);
    // The optimum may be longer than the bound; not longer than the best schedule.
    if (result->respected == 0 && !result->is_optimum &&
        duet_guarantee_holds(algorithm, types, counts, options, result->makespan, high) != 0) {
        result->respected = -1;
    }
}

// Whether a schedule of length `high` contradicts it.
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
            best = results[a].makespan < best ? results[a].makespan : best;
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
            bound = result->bound > bound ? result->bound : bound;
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

// The proven ratio as a decimal.
static void write_proven(const duet_run_result *result, char *buffer, size_t size)
{
    // Sums of roots are off by less than this.
    static const double noise = 1e-6;
    double value = duet_cli_ratio_value(result->proven);
    if (value > 0 && value < 1e9) {
        write_billionths((duet_uint128)ceil(value * 1e9 - noise), buffer, size);
    }
}

duet_code duet_run_write_result(const duet_instance *instance, const duet_run_result *result,
                                duet_sweep_row *row, duet_error *error)
{
    static const char *const respected[] = {"", "no", "yes"};
    char makespan[32] = "";
    char bound[32] = "";
    char reference[32] = "";
    char ratio[64] = "";
    char proven[64] = "";
    if (result->makespan >= 0) {
        duet_instance_format_time(instance, result->makespan, makespan);
    }
    if (result->bound > 0) {
        duet_instance_format_time(instance, result->bound, bound);
    }
    bool referred = result->reference > 0 || result->is_optimum;
    if (referred) {
        duet_instance_format_time(instance, result->reference, reference);
    }
    if (result->makespan >= 0 && result->reference > 0) {
        duet_uint128 scaled = (duet_uint128)(uint64_t)result->makespan * 1000000000;
        write_billionths(
            duet_fraction_ceil((duet_fraction){scaled, (duet_uint128)(uint64_t)result->reference}),
            ratio, sizeof ratio);
    }
    write_proven(result, proven, sizeof proven);
    const char *kind = result->is_optimum ? "optimum" : referred ? "bound" : "";
    row->seconds = result->seconds;
    int length =
        snprintf(row->results, sizeof row->results, "%s,%s,%s,%s,%s,%s,%s,%s", result->status,
                 makespan, bound, reference, result->unreferred ? "fault" : kind, ratio, proven,
                 respected[result->respected + 1]);
    return check_length(length, sizeof row->results, error);
}

enum { STATUS, MAKESPAN, BOUND, REFERENCE, KIND, RATIO, PROVEN, RESPECTED, FIELDS };

// Cuts a row of fields that need no quotes; false unless there are FIELDS of them.
static bool cut(char *text, char *field[FIELDS])
{
    size_t count = 0;
    for (char *at = text; at != NULL && count < FIELDS; count++) {
        field[count] = at;
        at = strchr(at, ',');
        if (at != NULL) {
            *at++ = '\0';
        }
        if (count + 1 == FIELDS && at != NULL) {
            return false;
        }
    }
    return count == FIELDS;
}

static bool read_time(const char *text, int decimals, int64_t missing, int64_t *ticks)
{
    duet_decimal value;
    *ticks = missing;
    return text[0] == '\0' || (duet_decimal_parse(text, strlen(text), &value) == DUET_DECIMAL_OK &&
                               duet_decimal_scale(value, decimals, ticks));
}

duet_code duet_run_read_result(const duet_sweep_row *row, int decimals, duet_run_result *result,
                               duet_error *error)
{
    char text[DUET_SWEEP_RESULTS];
    char *field[FIELDS];
    snprintf(text, sizeof text, "%s", row->results);
    *result = (duet_run_result){.seconds = row->seconds};
    if (!cut(text, field) || !read_time(field[MAKESPAN], decimals, -1, &result->makespan) ||
        !read_time(field[BOUND], decimals, 0, &result->bound) ||
        !read_time(field[REFERENCE], decimals, 0, &result->reference) ||
        strlen(field[STATUS]) >= sizeof result->status ||
        strlen(field[PROVEN]) >= sizeof result->proven) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the results '%.200s' are none of this sweep: expected %s",
                              row->results, DUET_RUN_RESULT_NAMES);
    }
    memcpy(result->status, field[STATUS], strlen(field[STATUS]) + 1);
    memcpy(result->proven, field[PROVEN], strlen(field[PROVEN]) + 1);
    result->is_optimum = strcmp(field[KIND], "optimum") == 0;
    result->unreferred = strcmp(field[KIND], "fault") == 0;
    result->respected =
        strcmp(field[RESPECTED], "yes") == 0 ? 1 : (strcmp(field[RESPECTED], "no") == 0 ? 0 : -1);
    return DUET_OK;
}
