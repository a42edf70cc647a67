// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench exact` as a sweep: a job is an instance with every algorithm on it, one
// after the other, every schedule through the independent checker, and the claims of different
// algorithms on one instance against each other. A process does one job at a time, so that nothing
// of this sweep is measured beside another run.
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/exact/exact.h"
#include "bench/run/exhaustive.h"
#include "bench/run/progress.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/try.h"

// One line on the terminal. It is that of the process that has it; jobs read the plan alone.
typedef struct ticker {
    const duet_exact_plan *plan;
    const duet_exact_row *row; // running
    size_t done, proven;       // of its job
    bool wanted;
    int64_t shown_ns;
} ticker;

// What the jobs of a sweep share.
typedef struct job_state {
    duet_exact_plan *plan;
    ticker *ticker;
} job_state;

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
    enum { terminal_width = 80 };
    char line[320];
    const duet_exact_plan *plan = t->plan;
    snprintf(line, sizeof line, "%zu/%zu, %zu proven; %s %s%s", plan->done + t->done,
             plan->summary.jobs * plan->settings.algorithm_count, plan->proven + t->proven,
             t->row->algorithm, duet_exact_label(t->row, label, sizeof label), state);
    line[terminal_width - 1] = '\0';
    duet_progress_line(line);
}

static void on_progress(void *user, const duet_progress *report)
{
    show(user, report);
}

static void note(duet_exact_row *row, const char *prefix, const char *text)
{
    snprintf(row->note, sizeof row->note, "%s%.160s", prefix, text);
    for (char *at = row->note; (at = strpbrk(at, "\r\n")) != NULL;) {
        *at = ' '; // a row is a line
    }
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
    size_t counters;
    const duet_counter *counter = duet_solution_counters(solution, &counters);
    for (size_t i = 0; i < counters; i++) {
        row->work = strcmp(counter[i].name, "work") == 0 ? counter[i].value : row->work;
        row->span = strcmp(counter[i].name, "span") == 0 ? counter[i].value : row->span;
    }
    snprintf(row->bound_name, sizeof row->bound_name, "%s", duet_solution_bound_name(solution));
    row->outcome =
        duet_solution_status(solution) == DUET_OPTIMAL ? DUET_EXACT_PROVEN : DUET_EXACT_OPEN;
    if (duet_check_solution(instance, solution, NULL, NULL, &fault) != DUET_OK) {
        row->faulty = true;
        note(row, "the checker: ", fault.message);
    }
}

// The target of checking is a tenth of the time of solving: ten times the latter is a fault.
static double proof_limit(const duet_exact_settings *settings)
{
    static const double least = 10;
    return duet_max(10 * settings->seconds, least);
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
    DUET_THEN(code, duet_solve(instance, row->algorithm, &params, &solution, &error));
    row->seconds = duet_bench_since(start);
    if (code == DUET_OK) {
        take_solution(instance, solution, row);
        if (proof.path[0] != '\0' && !row->faulty) {
            duet_exact_proof_check(&proof, instance, proof_limit(settings), cancel, row);
        }
    } else {
        row->outcome = DUET_EXACT_FAILED;
        row->faulty = !may_fail(code);
        note(row, "", error.message);
    }
    duet_solution_free(solution);
    // Cut short by a signal it says nothing of what the time limit allows, nor its proof.
    bool whole = row->outcome == DUET_EXACT_PROVEN && proof.path[0] == '\0';
    bool cut = duet_cancel_requested(cancel) && !whole && !row->faulty;
    if (cut || code == DUET_E_CANCELLED) {
        row->outcome = DUET_EXACT_NOT_RUN;
        row->faulty = false;
    }
    duet_exact_proof_free(&proof);
}

// "16:4:2"; only their number where there are many types.
static void write_platform(const duet_instance *instance, char *text, size_t size)
{
    enum { MOST_LISTED = 5 };
    size_t types = duet_instance_types(instance);
    if (types > MOST_LISTED) {
        snprintf(text, size, "%zu types", types);
        return;
    }
    text[0] = '\0';
    for (size_t t = 0; t < types; t++) {
        duet_bench_append(text, size, "%s%" PRId64, t == 0 ? "" : ":",
                          duet_instance_type_count(instance, t));
    }
}

// The rows of a job before its runs.
static void start_rows(const duet_exact_plan *plan, size_t job, const duet_instance *instance,
                       duet_exact_row *rows)
{
    const duet_exact_settings *settings = &plan->settings;
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        rows[a] = (duet_exact_row){.settings = settings,
                                   .set = settings->set->name,
                                   .threads = settings->threads,
                                   .origin = plan->cases[job],
                                   .algorithm = settings->algorithm[a],
                                   .optimum = -1,
                                   .work = -1,
                                   .span = -1,
                                   .proof_bytes = -1};
        if (instance != NULL) {
            rows[a].tasks = duet_instance_tasks(instance);
            rows[a].kinds = (int64_t)duet_instance_kinds(instance);
            rows[a].m = duet_instance_type_count(instance, 0);
            rows[a].k = duet_instance_type_count(instance, 1);
            snprintf(rows[a].instance, sizeof rows[a].instance, "%s", duet_instance_name(instance));
            write_platform(instance, rows[a].platform, sizeof rows[a].platform);
            rows[a].decimals = duet_instance_decimals(instance);
        }
    }
}

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_exact_plan *plan = ((const job_state *)state)->plan;
    duet_exact_row started[DUET_EXACT_MAX_ALGORITHMS];
    duet_instance *instance;
    duet_code code = duet_exact_instance(&plan->cases[job], &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    start_rows(plan, job, instance, started);
    duet_instance_free(instance);
    for (size_t a = 0; a < plan->settings.algorithm_count && code == DUET_OK; a++) {
        code = duet_columns_write(duet_exact_columns, DUET_COLUMN_KEY, &started[a], rows[a].keys,
                                  sizeof rows[a].keys, error);
    }
    return code;
}

static void run_case(const duet_exact_plan *plan, const duet_instance *instance,
                     const duet_cancel *cancel, ticker *t, duet_exact_row *rows)
{
    const duet_exact_settings *settings = &plan->settings;
    t->done = t->proven = 0;
    for (size_t a = 0; a < settings->algorithm_count && !duet_cancel_requested(cancel); a++) {
        t->row = &rows[a];
        show(t, NULL);
        run_library(settings, instance, cancel, t, &rows[a]);
        t->done++;
        t->proven += rows[a].outcome == DUET_EXACT_PROVEN;
    }
    duet_exact_cross_check(rows, settings->algorithm_count);
}

static duet_code write_row(const duet_exact_row *from, duet_sweep_row *row, duet_error *error)
{
    row->cut = from->outcome == DUET_EXACT_NOT_RUN;
    row->seconds = from->seconds;
    duet_code code = duet_columns_write(duet_exact_columns, DUET_COLUMN_RESULT, from, row->results,
                                        sizeof row->results, error);
    return code != DUET_OK ? code
                           : duet_columns_write(duet_exact_columns, DUET_COLUMN_TIME, from,
                                                row->times, sizeof row->times, error);
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const job_state *s = state;
    const duet_exact_plan *plan = s->plan;
    duet_exact_row found[DUET_EXACT_MAX_ALGORITHMS];
    duet_instance *instance;
    duet_code code = duet_exact_instance(&plan->cases[job], &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    start_rows(plan, job, instance, found);
    if (plan->cases[job].source == DUET_EXACT_SMALL) {
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t a = 0; a < plan->settings.algorithm_count; a++) {
            found[a].optimum = optimum;
        }
    }
    run_case(plan, instance, cancel, s->ticker, found);
    duet_instance_free(instance);
    for (size_t a = 0; a < plan->settings.algorithm_count && code == DUET_OK; a++) {
        code = write_row(&found[a], &rows[a], error);
    }
    return code;
}

// With --proofs every bound has one that was checked, without it none has: a file holds runs of one
// kind only. Algorithms without proofs are in both.
static duet_code check_proof(const duet_exact_row *row, duet_error *error)
{
    bool there = row->proof_bytes >= 0;
    bool wanted = row->settings->proofs && duet_exact_takes_proof(row->algorithm);
    if (!duet_exact_has_schedule(row) || row->faulty || row->bound == 0 || there == wanted) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INPUT, "the file was made %s --proofs: expected runs %s",
                          there ? "with" : "without", wanted ? "with it" : "without it");
}

static duet_code read_row(const duet_sweep_row *row, duet_exact_row *to, duet_error *error)
{
    to->makespan = -1;
    to->seconds = row->seconds;
    DUET_TRY(duet_columns_read(duet_exact_columns, DUET_COLUMN_KEY, row->keys, to, error));
    DUET_TRY(duet_columns_read(duet_exact_columns, DUET_COLUMN_RESULT, row->results, to, error));
    DUET_TRY(duet_columns_read(duet_exact_columns, DUET_COLUMN_TIME, row->times, to, error));
    if (to->faulty && to->makespan >= 0) {
        to->outcome = DUET_EXACT_OPEN; // the status does not say
    }
    return check_proof(to, error);
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_exact_plan *plan = ((job_state *)state)->plan;
    size_t count = plan->settings.algorithm_count;
    duet_exact_row *taken = &plan->rows[job * count];
    duet_code code = DUET_OK;
    start_rows(plan, job, NULL, taken);
    for (size_t a = 0; a < count && code == DUET_OK; a++) {
        if (!rows[a].cut) {
            code = read_row(&rows[a], &taken[a], error);
            plan->done++;
            plan->proven += taken[a].outcome == DUET_EXACT_PROVEN;
        }
    }
    return code;
}

duet_code duet_exact_run(duet_exact_plan *plan, const duet_sweep_plan *sweep, duet_error *error)
{
    ticker t = {.plan = plan, .wanted = !sweep->quiet && isatty(STDERR_FILENO)};
    job_state state = {.plan = plan, .ticker = &t};
    const duet_sweep described = {.columns = duet_exact_columns,
                                  .jobs = plan->case_count,
                                  .rows_per_job = plan->settings.algorithm_count,
                                  .keeps_cut_jobs = true,
                                  .describe = describe,
                                  .run = run,
                                  .take = take,
                                  .state = &state};
    duet_sweep_plan one_by_one = *sweep;
    one_by_one.threads = 1;
    one_by_one.quiet = true; // the ticker says more
    plan->settings.narrowed = plan->settings.narrowed || sweep->shards > 1;
    duet_code code = duet_sweep_run(&described, &one_by_one, &plan->summary, error);
    if (t.shown_ns != 0) {
        duet_progress_line("");
    }
    return code;
}
