// SPDX-License-Identifier: Apache-2.0
#include "cli/verify_report.h"

#include <stdio.h>

#include "cli/commands.h"
#include "console/json.h"
#include "console/print.h"
#include "console/texts.h"
#include "core/number/decimal.h"

bool duet_cli_is_certified(const duet_cli_verdict *result)
{
    return result->bound == DUET_BOUND_CERTIFIED ||
           (result->by_proof == DUET_CLI_PROOF_HOLDS && result->bound != DUET_BOUND_NONE);
}

static bool is_by_table(const duet_solution *solution)
{
    return duet_certificate_proof(duet_solution_certificate(solution)) == DUET_PROOF_TABLE;
}

static const char *check_name(const duet_solution *solution, const duet_cli_verdict *result)
{
    if (duet_cli_is_certified(result)) {
        return "certified";
    }
    switch (result->bound) {
    case DUET_BOUND_DEEP:
        return result->recomputed ? "recomputed" : is_by_table(solution) ? "table" : "unproven";
    case DUET_BOUND_UNPROVEN:
        return "unproven";
    case DUET_BOUND_CERTIFIED:
    case DUET_BOUND_NONE:
        break;
    }
    return "none";
}

static const char *proof_name(const duet_solution *solution)
{
    return duet_proof_name(duet_certificate_proof(duet_solution_certificate(solution)));
}

// A time of the solution, which may be between the ticks of its instance.
static char *format_time(const duet_instance *instance, const duet_solution *solution,
                         int64_t ticks, char *digits)
{
    return duet_decimal_format(
        ticks, duet_instance_decimals(instance) + duet_solution_finer(solution), digits);
}

static char *show_time(const duet_instance *instance, const duet_solution *solution, int64_t ticks,
                       char *text)
{
    return duet_cli_finer_time(instance, duet_solution_finer(solution), ticks, text);
}

// The proof that was given, and what is in it; null if none was given or it does not hold.
static void print_proof_json(duet_cli_json *json, const duet_instance *instance,
                             const duet_cli_verdict *result)
{
    char digits[64];
    if (result->by_proof != DUET_CLI_PROOF_HOLDS) {
        duet_cli_json_string(json, "proof", NULL);
        return;
    }
    duet_cli_json_open(json, "proof", '{');
    duet_cli_json_string(json, "file", result->proof_file);
    duet_cli_json_number(json, "bound",
                         duet_instance_format_time(instance, result->proof.bound, digits));
    duet_cli_json_integer(json, "nodes", result->proof.nodes);
    duet_cli_json_integer(json, "vectors", result->proof.vectors);
    duet_cli_json_integer(json, "depth", result->proof.depth);
    duet_cli_json_close(json, '}');
}

void duet_cli_print_verdict_json(const duet_instance *instance, const duet_solution *solution,
                                 const duet_cli_verdict *result)
{
    char digits[64];
    char fault[1024];
    // A fault of the proof says its line and column in that file.
    snprintf(fault, sizeof fault, "%s", result->fault.message);
    if (result->proof_file != NULL && result->proof.is_proof) {
        duet_error_format(&result->fault, fault, sizeof fault);
    }
    duet_cli_json json = {stdout, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(instance));
    duet_cli_json_string(&json, "algorithm", duet_solution_algorithm(solution));
    duet_cli_json_boolean(&json, "valid", result->code == DUET_OK);
    duet_cli_json_string(&json, "fault", result->code == DUET_OK ? NULL : fault);
    duet_cli_json_integer(&json, "tasks", duet_instance_tasks(instance));
    duet_cli_json_string(&json, "status", duet_status_name(duet_solution_status(solution)));
    duet_cli_json_number(&json, "makespan",
                         format_time(instance, solution, duet_solution_makespan(solution), digits));
    duet_cli_json_number(
        &json, "lower_bound",
        format_time(instance, solution, duet_solution_lower_bound(solution), digits));
    const char *bound = duet_solution_bound_name(solution);
    duet_cli_json_string(&json, "bound", bound[0] == '\0' ? NULL : bound);
    if (result->of_file) {
        duet_cli_json_string(&json, "bound_of", "file");
    }
    duet_cli_json_string(&json, "bound_check",
                         result->code == DUET_OK ? check_name(solution, result) : NULL);
    print_proof_json(&json, instance, result);
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(instance));
    duet_cli_json_close(&json, '}');
}

// What `--deep` computes again.
static const char *recomputed_name(const duet_solution *solution)
{
    return is_by_table(solution) ? "table" : "knapsack";
}

static void print_bound(const duet_instance *instance, const duet_solution *solution,
                        const duet_cli_verdict *result)
{
    char text[DUET_CLI_TEXT];
    if (result->bound == DUET_BOUND_NONE) {
        puts("lower bound  none claimed");
        return;
    }
    bool proven = duet_cli_is_certified(result) || result->recomputed;
    duet_cli_print(stdout, "lower bound  %s%s (%s), ", proven ? "ok: " : "",
                   show_time(instance, solution, duet_solution_lower_bound(solution), text),
                   duet_solution_bound_name(solution));
    if (result->by_proof == DUET_CLI_PROOF_HOLDS) {
        duet_cli_print(stdout, "certified by the proof %s (%lld %s)\n", result->proof_file,
                       (long long)result->proof.nodes, result->proof.nodes == 1 ? "node" : "nodes");
    } else if (result->bound == DUET_BOUND_CERTIFIED) {
        duet_cli_print(stdout, "certified by its %s certificate\n", proof_name(solution));
    } else if (result->recomputed) {
        duet_cli_print(stdout, "by a %s that was computed again\n", recomputed_name(solution));
    } else if (result->bound == DUET_BOUND_DEEP) {
        duet_cli_print(stdout, "%sby a %s that was not computed again (--deep does)\n",
                       is_by_table(solution) ? "" : "not certified: ", recomputed_name(solution));
    } else if ((duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0) {
        puts("not certified: it rests on the algorithm that claims it");
    } else {
        puts(
            "not certified: it rests on the algorithm that claims it; what 'duet solve -a exact -O "
            "proof=FILE' writes, --proof checks");
    }
}

void duet_cli_print_verdict(const duet_instance *instance, const duet_solution *solution,
                            const duet_cli_verdict *result)
{
    char text[DUET_CLI_TEXT];
    size_t aborted = 0;
    duet_solution_aborted(solution, &aborted);
    duet_cli_print(stdout, "schedule     ok: %lld tasks on %s",
                   (long long)duet_instance_tasks(instance),
                   duet_cli_platform(instance, text, sizeof text));
    if (aborted > 0) {
        printf(", %zu runs given up", aborted);
    }
    duet_cli_print(stdout, "\nmakespan     ok: %s\n",
                   show_time(instance, solution, duet_solution_makespan(solution), text));
    print_bound(instance, solution, result);
    if (result->of_file) {
        puts("             of the file alone: what is given besides is in the schedule, not in the "
             "bound");
    }
    bool proven = duet_cli_is_certified(result) || result->recomputed;
    duet_cli_print(stdout, "status       %s: %s\n",
                   duet_solution_status(solution) != DUET_OPTIMAL || proven ? "ok" : "as claimed",
                   duet_status_name(duet_solution_status(solution)));
    duet_cli_print_late(instance, solution);
}
