// SPDX-License-Identifier: Apache-2.0
#include "bench/run_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "core/context.h"
#include "core/decimal.h"

static duet_code check_length(int length, size_t size, duet_error *error)
{
    return length >= 0 && (size_t)length < size
               ? DUET_OK
               : duet_error_set(error, DUET_E_LIMIT, "a row of the sweep is too long");
}

duet_code duet_run_write_key(const duet_run_key *key, duet_sweep_row *row, duet_error *error)
{
    int length =
        snprintf(row->keys, sizeof row->keys,
                 "%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%s,%s", key->instance,
                 key->family, key->n, key->m, key->k, key->seed, key->algorithm, key->options);
    return check_length(length, sizeof row->keys, error);
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
        snprintf(result->status, sizeof result->status, "fault");
    }
    duet_solution_free(solution);
}

static void judge(const duet_instance *instance, const char *algorithm, const duet_options *options,
                  duet_run_result *result)
{
    int64_t counts[DUET_MAX_TYPES];
    size_t types = duet_instance_types(instance);
    for (size_t t = 0; t < types; t++) {
        counts[t] = duet_instance_type_count(instance, t);
    }
    if (result->makespan < 0 || result->proven[0] == '\0' || result->reference == 0) {
        return;
    }
    result->respected = duet_guarantee_holds(algorithm, types, counts, options, result->makespan,
                                             result->reference);
    if (result->respected == 0 && !result->is_optimum) {
        result->respected = -1; // the optimum may be longer than the bound
    }
}

void duet_run_refer(const duet_instance *instance, const char *const *algorithms,
                    const duet_options *const *options, duet_run_result *results, size_t count)
{
    int64_t best = INT64_MAX;
    int64_t bound = 0;
    for (size_t a = 0; a < count; a++) {
        if (results[a].makespan >= 0 && strcmp(results[a].status, "fault") != 0) {
            best = results[a].makespan < best ? results[a].makespan : best;
            bound = results[a].bound > bound ? results[a].bound : bound;
        }
    }
    for (size_t a = 0; a < count; a++) {
        duet_run_result *result = &results[a];
        if (result->makespan >= 0 && result->bound > best) {
            snprintf(result->status, sizeof result->status, "fault");
        }
        result->reference = bound > best ? best : bound;
        result->is_optimum = bound >= best;
        judge(instance, algorithms[a], options[a], result);
    }
}

duet_code duet_run_write_result(const duet_instance *instance, const duet_run_result *result,
                                duet_sweep_row *row, duet_error *error)
{
    static const char *const respected[] = {"", "no", "yes"};
    char makespan[32] = "";
    char bound[32] = "";
    char reference[32] = "";
    char ratio[32] = "";
    if (result->makespan >= 0) {
        duet_instance_format_time(instance, result->makespan, makespan);
    }
    if (result->bound > 0) {
        duet_instance_format_time(instance, result->bound, bound);
    }
    if (result->reference > 0) {
        duet_instance_format_time(instance, result->reference, reference);
    }
    if (result->makespan >= 0 && result->reference > 0) {
        snprintf(ratio, sizeof ratio, "%.9f", (double)result->makespan / (double)result->reference);
    }
    const char *kind = result->is_optimum ? "optimum" : "bound";
    row->seconds = result->seconds;
    int length =
        snprintf(row->results, sizeof row->results, "%s,%s,%s,%s,%s,%s,%s,%s", result->status,
                 makespan, bound, reference, result->reference > 0 ? kind : "", ratio,
                 result->proven, respected[result->respected + 1]);
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
    result->respected =
        strcmp(field[RESPECTED], "yes") == 0 ? 1 : (strcmp(field[RESPECTED], "no") == 0 ? 0 : -1);
    return DUET_OK;
}
