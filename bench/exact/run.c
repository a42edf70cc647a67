// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench exact`: one after the other, every schedule through the independent
// checker, and the claims of different algorithms on one instance against each other.
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/exact/cbc.h"
#include "bench/exact/exact.h"
#include "bench/exact/proofs.h"
#include "bench/run/exhaustive.h"
#include "core/context.h"

// One line on the terminal.
typedef struct ticker {
    const duet_exact_plan *plan;
    const duet_exact_row *row; // running
    size_t done;
    size_t proven;
    bool wanted;
    int64_t shown_ns;
} ticker;

static void show(ticker *t, const duet_progress *report)
{
    static const int64_t period_ns = 100000000;
    int64_t now = duet_clock_ns();
    if (!t->wanted || now - t->shown_ns < period_ns) {
        return;
    }
    t->shown_ns = now;
    char label[96];
    char state[96] = "";
    if (report != NULL && report->best != DUET_FORBIDDEN) {
        char gap[48];
        duet_exact_row reached = {.makespan = report->best, .bound = report->lower_bound};
        snprintf(state, sizeof state, ": gap %s, %.1f s",
                 duet_exact_format_gap(duet_exact_gap(&reached), gap), report->seconds);
    }
    char line[320];
    snprintf(line, sizeof line, "%zu/%zu, %zu proven; %s %s%s", t->done, t->plan->row_count,
             t->proven, t->row->algorithm, duet_exact_label(t->row, label, sizeof label), state);
    fprintf(stderr, "\r%.79s\033[K", line);
    fflush(stderr);
}

static void on_progress(void *user, const duet_progress *report)
{
    show(user, report);
}

static void clear(const ticker *t)
{
    if (t->shown_ns != 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

static void note(duet_exact_row *row, const char *prefix, const char *text)
{
    snprintf(row->note, sizeof row->note, "%s%.160s", prefix, text);
}

// What leaves a run without a schedule and is no fault.
static bool may_fail(duet_code code)
{
    return code == DUET_E_LIMIT || code == DUET_E_MEMORY || code == DUET_E_UNSUPPORTED;
}

static void take_solution(const duet_instance *instance, const duet_solution *solution,
                          duet_exact_row *row)
{
    duet_error fault = DUET_ERROR_INIT;
    row->makespan = duet_solution_makespan(solution);
    row->bound = duet_solution_lower_bound(solution);
    row->outcome =
        duet_solution_status(solution) == DUET_OPTIMAL ? DUET_EXACT_PROVEN : DUET_EXACT_OPEN;
    if (duet_check_solution(instance, solution, NULL, &fault) != DUET_OK) {
        row->faulty = true;
        note(row, "the checker: ", fault.message);
    }
}

// Checking is promised to take a tenth of solving: ten times as much is a fault.
static double proof_limit(const duet_exact_settings *settings)
{
    static const double least = 10;
    return 10 * settings->seconds > least ? 10 * settings->seconds : least;
}

static void run_library(const duet_exact_settings *settings, const duet_instance *instance,
                        const duet_cancel *cancel, ticker *t, duet_exact_row *row)
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = settings->seconds;
    params.threads = settings->threads;
    params.memory_limit = settings->memory;
    params.cancel = cancel;
    if (t->wanted) {
        params.progress = on_progress;
        params.user = t;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_exact_proof proof = {.options = NULL};
    duet_code code = DUET_OK;
    if (settings->proofs && duet_exact_takes_proof(row->algorithm)) {
        code = duet_exact_proof_create(&proof, &error);
        params.options = proof.options;
    }
    duet_solution *solution = NULL;
    int64_t start = duet_clock_ns();
    if (code == DUET_OK) {
        code = duet_solve(instance, row->algorithm, &params, &solution, &error);
    }
    row->seconds = duet_bench_since(start);
    if (code == DUET_OK) {
        take_solution(instance, solution, row);
        if (proof.path[0] != '\0' && !row->faulty && !duet_cancel_requested(cancel)) {
            duet_exact_proof_check(&proof, instance, proof_limit(settings), cancel, row);
        }
    } else {
        row->outcome = DUET_EXACT_FAILED;
        row->faulty = !may_fail(code);
        note(row, "", error.message);
    }
    duet_solution_free(solution);
    duet_exact_proof_free(&proof);
    // Cut short by a signal it says nothing of what the time limit allows.
    if (duet_cancel_requested(cancel) && row->outcome != DUET_EXACT_PROVEN && !row->faulty) {
        row->outcome = DUET_EXACT_NOT_RUN;
    } else if (code == DUET_E_CANCELLED) {
        row->outcome = DUET_EXACT_NOT_RUN;
        row->faulty = false;
    }
}

// CBC, in its own process. It says how it ended; the schedule is measured and checked by us.
static void run_cbc(const duet_exact_settings *settings, const duet_instance *instance,
                    const duet_cancel *cancel, duet_exact_row *row)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cbc_answer answer;
    duet_code code =
        duet_cbc_run(instance, settings->seconds, settings->threads, cancel, &answer, &error);
    row->seconds = answer.seconds;
    row->bound = answer.bound;
    row->outcome = DUET_EXACT_FAILED;
    if (code == DUET_OK && answer.solution != NULL) {
        row->makespan = duet_solution_makespan(answer.solution);
        row->outcome = DUET_EXACT_OPEN;
        double above = (double)row->makespan - answer.objective;
        // Its tolerances may hide a longer schedule behind the objective it claims.
        if (answer.optimal && above < 0.5 + answer.objective * 1e-9) {
            row->outcome = DUET_EXACT_PROVEN;
            row->bound = row->makespan;
        }
        code = duet_check_solution(instance, answer.solution, NULL, &error);
    }
    if (code != DUET_OK) {
        row->outcome = DUET_EXACT_FAILED;
        note(row, "", error.message);
    } else if (row->outcome == DUET_EXACT_FAILED) {
        note(row, "", answer.killed ? "killed: it did not heed its time limit" : "no schedule");
    }
    duet_solution_free(answer.solution);
    if (duet_cancel_requested(cancel)) {
        row->outcome = DUET_EXACT_NOT_RUN;
    }
}

static void start_rows(const duet_exact_plan *plan, size_t c, const duet_instance *instance,
                       duet_exact_row *rows)
{
    const duet_exact_settings *settings = &plan->settings;
    int64_t optimum =
        plan->cases[c].source == DUET_EXACT_SMALL ? duet_exhaustive_optimum(instance) : -1;
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        rows[a] = (duet_exact_row){.origin = &plan->cases[c],
                                   .algorithm = settings->algorithm[a],
                                   .foreign = strcmp(settings->algorithm[a], "cbc") == 0,
                                   .decimals = duet_instance_decimals(instance),
                                   .tasks = duet_instance_tasks(instance),
                                   .kinds = duet_instance_kinds(instance),
                                   .m = duet_instance_type_count(instance, 0),
                                   .k = duet_instance_type_count(instance, 1),
                                   .optimum = optimum,
                                   .proof_bytes = -1};
    }
}

static void run_case(duet_exact_plan *plan, const duet_instance *instance,
                     const duet_cancel *cancel, ticker *t, duet_exact_row *rows)
{
    const duet_exact_settings *settings = &plan->settings;
    for (size_t a = 0; a < settings->algorithm_count && !duet_cancel_requested(cancel); a++) {
        t->row = &rows[a];
        show(t, NULL);
        if (rows[a].foreign) {
            run_cbc(settings, instance, cancel, &rows[a]);
        } else {
            run_library(settings, instance, cancel, t, &rows[a]);
        }
        t->done++;
        t->proven += rows[a].outcome == DUET_EXACT_PROVEN;
    }
    duet_exact_cross_check(rows, settings->algorithm_count);
}

duet_code duet_exact_run(duet_exact_plan *plan, const duet_cancel *cancel, duet_error *error)
{
    ticker t = {.plan = plan, .wanted = !plan->settings.quiet && isatty(STDERR_FILENO)};
    duet_code code = DUET_OK;
    for (size_t c = 0; c < plan->case_count && code == DUET_OK && !duet_cancel_requested(cancel);
         c++) {
        duet_exact_row *rows = &plan->rows[c * plan->settings.algorithm_count];
        duet_instance *instance;
        code = duet_exact_instance(&plan->cases[c], &instance, error);
        if (code == DUET_OK) {
            start_rows(plan, c, instance, rows);
            run_case(plan, instance, cancel, &t, rows);
            duet_instance_free(instance);
        }
    }
    clear(&t);
    plan->interrupted = duet_cancel_requested(cancel);
    return code;
}
