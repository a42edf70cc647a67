// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench exact` for programs: CSV and JSON. Times of tasks are in ticks.
#include <inttypes.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "console/csv.h"
#include "console/json.h"

static const char *outcome_name(const duet_exact_row *row)
{
    if (row->faulty) {
        return "fault";
    }
    switch (row->outcome) {
    case DUET_EXACT_PROVEN:
        return "optimal";
    case DUET_EXACT_OPEN:
        return "bounded";
    default:
        return "failed";
    }
}

static bool has_schedule(const duet_exact_row *row)
{
    return row->outcome == DUET_EXACT_OPEN || row->outcome == DUET_EXACT_PROVEN;
}

// As a fraction; negative where it is unknown.
static double gap_of(const duet_exact_row *row)
{
    duet_fraction gap = duet_exact_gap(row);
    return !has_schedule(row) || gap.den == 0 ? -1.0 : (double)gap.num / (double)gap.den;
}

static void csv_row(const duet_exact_plan *plan, const duet_exact_row *row, FILE *stream)
{
    const duet_exact_case *origin = row->origin;
    fprintf(stream, "%s,", plan->settings.set->name);
    duet_cli_csv_field(origin->name, stream);
    fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRId64 ",%zu,%d,%s,%d,%g",
            origin->size, row->m, row->k, origin->seed, row->tasks, row->kinds, row->decimals,
            row->algorithm, plan->settings.threads, plan->settings.seconds);
    fprintf(stream, ",%s,", outcome_name(row));
    if (has_schedule(row)) {
        fprintf(stream, "%" PRId64 ",%" PRId64 ",", row->makespan, row->bound);
    } else {
        fputs(",,", stream);
    }
    if (gap_of(row) >= 0) {
        fprintf(stream, "%.3e", gap_of(row));
    }
    fputc(',', stream);
    if (row->optimum >= 0) {
        fprintf(stream, "%" PRId64, row->optimum);
    }
    fprintf(stream, ",%.6f,", row->seconds);
    if (row->proof_bytes >= 0) {
        fprintf(stream, "%" PRId64 ",%" PRId64 ",%.6f,", row->proof_bytes, row->proof_nodes,
                row->proof_seconds);
    } else {
        fputs(",,,", stream);
    }
    duet_cli_csv_field(row->note, stream);
    fputc('\n', stream);
}

void duet_exact_csv(const duet_exact_plan *plan, FILE *stream)
{
    fputs("set,name,size,m,k,seed,tasks,kinds,decimals,algorithm,threads,limit,status,makespan,"
          "bound,gap,optimum,seconds,proof_bytes,proof_nodes,proof_seconds,note\n",
          stream);
    for (size_t r = 0; r < plan->row_count; r++) {
        if (plan->rows[r].outcome != DUET_EXACT_NOT_RUN) {
            csv_row(plan, &plan->rows[r], stream);
        }
    }
}

static void json_row(const duet_exact_row *row, duet_cli_json *json)
{
    const duet_exact_case *origin = row->origin;
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "name", origin->name);
    duet_cli_json_integer(json, "size", origin->size);
    duet_cli_json_integer(json, "m", row->m);
    duet_cli_json_integer(json, "k", row->k);
    duet_cli_json_integer(json, "seed", (int64_t)origin->seed);
    duet_cli_json_integer(json, "tasks", row->tasks);
    duet_cli_json_integer(json, "kinds", (int64_t)row->kinds);
    duet_cli_json_integer(json, "decimals", row->decimals);
    duet_cli_json_string(json, "algorithm", row->algorithm);
    duet_cli_json_string(json, "status", outcome_name(row));
    if (has_schedule(row)) {
        duet_cli_json_integer(json, "makespan", row->makespan);
        duet_cli_json_integer(json, "bound", row->bound);
        duet_cli_json_decimal(json, "gap", gap_of(row), 9);
    }
    if (row->optimum >= 0) {
        duet_cli_json_integer(json, "optimum", row->optimum);
    }
    duet_cli_json_decimal(json, "seconds", row->seconds, 6);
    if (row->proof_bytes >= 0) {
        duet_cli_json_integer(json, "proof_bytes", row->proof_bytes);
        duet_cli_json_integer(json, "proof_nodes", row->proof_nodes);
        duet_cli_json_decimal(json, "proof_seconds", row->proof_seconds, 6);
    }
    duet_cli_json_string(json, "note", row->note[0] == '\0' ? NULL : row->note);
    duet_cli_json_close(json, '}');
}

static duet_code json_algorithm(const duet_exact_plan *plan, const char *name, duet_cli_json *json,
                                duet_error *error)
{
    double limits[DUET_EXACT_MAX_LIMITS];
    size_t limit_count = duet_exact_limits(plan->settings.seconds, limits);
    duet_exact_tally tally;
    duet_code code = duet_exact_count(plan->rows, plan->row_count, duet_exact_is_algorithm, name,
                                      limits, limit_count, &tally, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "algorithm", name);
    duet_cli_json_integer(json, "runs", (int64_t)tally.runs);
    duet_cli_json_open(json, "proven_within", '[');
    for (size_t i = 0; i < limit_count; i++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_decimal(json, "seconds", limits[i], 3);
        duet_cli_json_integer(json, "runs", (int64_t)tally.within[i]);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_integer(json, "proven", (int64_t)tally.proven);
    duet_cli_json_integer(json, "open", (int64_t)tally.open);
    duet_cli_json_integer(json, "failed", (int64_t)tally.failed);
    bool known = tally.open > 0 && tally.median_gap.den > 0;
    duet_cli_json_decimal(json, "median_gap",
                          known ? (double)tally.median_gap.num / (double)tally.median_gap.den : -1,
                          9);
    duet_cli_json_close(json, '}');
    return DUET_OK;
}

duet_code duet_exact_json(const duet_exact_plan *plan, const duet_exact_target *promises,
                          size_t promise_count, FILE *stream, duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    duet_cli_json json = {stream, 0, true};
    duet_code code = DUET_OK;
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "set", settings->set->name);
    duet_cli_json_boolean(&json, "narrowed", settings->narrowed);
    duet_cli_json_boolean(&json, "interrupted", plan->interrupted);
    duet_cli_json_decimal(&json, "limit", settings->seconds, 3);
    duet_cli_json_integer(&json, "threads", settings->threads);
    duet_cli_json_open(&json, "algorithms", '[');
    for (size_t a = 0; a < settings->algorithm_count && code == DUET_OK; a++) {
        code = json_algorithm(plan, settings->algorithm[a], &json, error);
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_open(&json, "promises", '[');
    for (size_t i = 0; i < promise_count; i++) {
        duet_cli_json_open(&json, NULL, '{');
        duet_cli_json_string(&json, "promise", promises[i].what);
        duet_cli_json_string(&json, "found", promises[i].found);
        duet_cli_json_string(&json, "verdict", duet_exact_verdict_name(promises[i].verdict));
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_open(&json, "runs", '[');
    for (size_t r = 0; r < plan->row_count; r++) {
        if (plan->rows[r].outcome != DUET_EXACT_NOT_RUN) {
            json_row(&plan->rows[r], &json);
        }
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
    return code;
}
