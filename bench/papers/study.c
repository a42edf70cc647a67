// SPDX-License-Identifier: Apache-2.0
// The runs of a paper as a sweep: a job is an instance with every run on it, each
// on one thread, every schedule checked.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "report/metrics.h"

// --- rows ----------------------------------------------------------------------------------------

#define RESULT(member, kind) DUET_RESULT_OF(duet_paper_result, member, kind)
#define TICKS(member) RESULT(member, TICKS), .decimals = offsetof(duet_paper_result, decimals)
#define SCHEDULED DUET_COLUMN_WHERE(duet_paper_result, makespan, 0)
#define FIGURE(member) RESULT(member, REAL), .format = "%.9g", .places = 9, SCHEDULED

static const duet_column sequential_columns[] = {
    DUET_RUN_KEYS("m", "k"),
    {"options", DUET_KEY_OF(duet_run_key, options, TEXT)},
    {"status", .role = DUET_COLUMN_RESULT, DUET_CHARS_OF(duet_paper_result, status)},
    {"decimals", RESULT(decimals, INT), .most = 18},
    {"tasks", RESULT(tasks, INTEGER)},
    {"makespan", TICKS(makespan), SCHEDULED},
    {"lower_bound", TICKS(bound), DUET_COLUMN_WHERE(duet_paper_result, bound, 1)},
    {"serial", TICKS(serial)},
    {"equivalent_acceleration_cpu", FIGURE(acceleration[0])},
    {"equivalent_acceleration_gpu", FIGURE(acceleration[1])},
    {"normalised_idle_cpu", FIGURE(idle[0])},
    {"normalised_idle_gpu", FIGURE(idle[1])},
    {"ccr", FIGURE(ccr)},
    {"counted", RESULT(counted, INTEGER)},
    {"seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {"settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

static const duet_column *columns_of(const duet_paper *paper)
{
    const duet_column *own = paper->refers ? duet_run_columns : paper->columns;
    return own == NULL ? sequential_columns : own;
}

static const char *options_of(const duet_paper_study *study, size_t run)
{
    const char *own = study->paper->runs[run].options;
    return own == NULL ? study->settings->rounds_option : own;
}

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_paper_study *study = state;
    const duet_paper_case *c = &study->cases[job];
    duet_run_key key = {c->name, study->paper->sets[c->set], c->n, c->m, c->k, c->seed, NULL, NULL};
    for (size_t r = 0; r < study->paper->run_count; r++) {
        key.algorithm = study->paper->runs[r].algorithm;
        key.options = options_of(study, r);
        DUET_TRY(duet_columns_write(columns_of(study->paper), DUET_COLUMN_KEY, &key, rows[r].keys,
                                    sizeof rows[r].keys, error));
    }
    return DUET_OK;
}

// --- one run -------------------------------------------------------------------------------------

static int64_t counter_of(const duet_solution *solution, const char *name)
{
    size_t count = 0;
    const duet_counter *counters = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count && name != NULL; i++) {
        if (strcmp(counters[i].name, name) == 0) {
            return counters[i].value;
        }
    }
    return 0;
}

// Below 0: not defined.
static double figure_of(double value)
{
    return isnan(value) ? -1 : value;
}

static duet_code measure_types(const duet_paper_settings *settings, const duet_instance *instance,
                               const duet_solution *solution, duet_paper_result *result,
                               duet_error *error)
{
    (void)settings;
    duet_metrics metrics;
    DUET_TRY(duet_metrics_create(instance, solution, NULL, &metrics, error));
    result->ccr = figure_of(metrics.ccr);
    for (size_t t = 0; t < 2; t++) {
        result->acceleration[t] = figure_of(metrics.equivalent_acceleration[t]);
        result->idle[t] =
            result->bound == 0 ? -1 : figure_of(metrics.idle[t] / (double)result->bound);
    }
    return DUET_OK;
}

static duet_params params_of(const duet_paper_study *study, size_t run, const duet_cancel *cancel)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = study->settings->seconds;
    params.memory_limit = study->settings->memory;
    params.cancel = cancel;
    params.options = study->options[run];
    return params;
}

static duet_code run_one(const duet_paper_study *study, const duet_instance *instance, size_t run,
                         const duet_cancel *cancel, duet_paper_result *result, double *seconds,
                         duet_error *error)
{
    const duet_paper *paper = study->paper;
    duet_params params = params_of(study, run, cancel);
    duet_run_result found;
    duet_code code = DUET_OK;
    duet_solution *solution = duet_run_keep(instance, paper->runs[run].algorithm, &params, &found);
    *seconds = found.seconds;
    memcpy(result->status, found.status, sizeof result->status);
    if (solution != NULL && strcmp(found.status, "fault") != 0) {
        result->makespan = found.makespan;
        result->counted = counter_of(solution, paper->counter);
        code = (paper->measure == NULL ? measure_types : paper->measure)(study->settings, instance,
                                                                         solution, result, error);
    }
    duet_solution_free(solution);
    return code;
}

// A bound in ticks; 0 if it fails, or its certificate does not hold.
static int64_t bound_of(const duet_instance *instance, const char *name)
{
    duet_bound *bound = NULL;
    int64_t value = 0;
    if (duet_compute_bound(instance, name, NULL, &bound, NULL) == DUET_OK &&
        duet_certificate_check(duet_bound_certificate(bound), instance, NULL, NULL) == DUET_OK) {
        value = duet_bound_value(bound);
    }
    duet_bound_free(bound);
    return value;
}

static int64_t best_bound(const duet_paper *paper, const duet_instance *instance)
{
    int64_t best = 0;
    for (size_t i = 0; paper->bounds != NULL && paper->bounds[i] != NULL; i++) {
        int64_t bound = bound_of(instance, paper->bounds[i]);
        best = duet_max(bound, best);
    }
    return best;
}

// Every run, held against the better of the bounds.
static duet_code run_bounded(const duet_paper_study *study, const duet_instance *instance,
                             const duet_cancel *cancel, duet_sweep_row *rows, duet_error *error)
{
    int64_t bound = best_bound(study->paper, instance);
    int64_t serial = duet_max(duet_metrics_serial(instance), 0);
    duet_code code = DUET_OK;
    for (size_t r = 0; r < study->paper->run_count && code == DUET_OK; r++) {
        duet_paper_result result = {.decimals = duet_instance_decimals(instance),
                                    .tasks = duet_instance_tasks(instance),
                                    .makespan = -1,
                                    .bound = bound,
                                    .serial = serial};
        code = run_one(study, instance, r, cancel, &result, &rows[r].seconds, error);
        if (result.makespan >= 0 && result.makespan < bound && result.mixed == 0) {
            snprintf(result.status, sizeof result.status, "fault");
        }
        DUET_THEN(code, duet_columns_write(columns_of(study->paper), DUET_COLUMN_RESULT, &result,
                                           rows[r].results, sizeof rows[r].results, error));
    }
    return code;
}

// Every run, held against the others.
static duet_code run_referred(const duet_paper_study *study, const duet_instance *instance,
                              const duet_cancel *cancel, duet_sweep_row *rows, duet_error *error)
{
    enum { MOST = 8 };
    size_t count = study->paper->run_count;
    duet_run_result results[MOST];
    const char *algorithms[MOST] = {NULL};
    const duet_options *options[MOST] = {NULL};
    duet_code code = DUET_OK;
    DUET_ASSERT(count <= MOST);
    for (size_t r = 0; r < count; r++) {
        duet_params params = params_of(study, r, cancel);
        algorithms[r] = study->paper->runs[r].algorithm;
        options[r] = study->options[r];
        duet_run(instance, algorithms[r], &params, &results[r]);
    }
    duet_run_refer(instance, algorithms, options, results, count);
    for (size_t r = 0; r < count && code == DUET_OK; r++) {
        code = duet_run_write_result(instance, &results[r], &rows[r], error);
    }
    return code;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const duet_paper_study *study = state;
    duet_instance *instance = NULL;
    duet_code code = study->paper->make(&study->cases[job], &instance, error);
    DUET_THEN(code, (study->paper->refers ? run_referred : run_bounded)(study, instance, cancel,
                                                                        rows, error));
    duet_instance_free(instance);
    return code;
}

static duet_code read_referred(const duet_sweep_row *row, int decimals, duet_paper_result *result,
                               duet_error *error)
{
    duet_run_result found;
    duet_code code = duet_run_read_result(row, decimals, &found, error);
    *result = (duet_paper_result){.makespan = found.makespan,
                                  .bound = found.bound,
                                  .reference = found.reference,
                                  .is_optimum = found.is_optimum,
                                  .respected = (int8_t)found.respected};
    memcpy(result->status, found.status, sizeof result->status);
    return code;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_paper_study *study = state;
    const duet_paper *paper = study->paper;
    for (size_t r = 0; r < paper->run_count; r++) {
        duet_paper_result *result = &study->results[job * paper->run_count + r];
        DUET_TRY(paper->refers ? read_referred(&rows[r], study->cases[job].decimals, result, error)
                               : duet_columns_read(columns_of(paper), DUET_COLUMN_RESULT,
                                                   rows[r].results, result, error));
    }
    return DUET_OK;
}

duet_code duet_paper_study_run(duet_paper_study *study, const duet_sweep_plan *plan,
                               duet_error *error)
{
    const duet_paper_settings *s = study->settings;
    char settings[512];
    if (study->paper->refers) {
        snprintf(settings, sizeof settings,
                 "--rounds %" PRIu64 " -t %.9g --memory %zu --parts %" PRIu64
                 " --round %s --row %.300s",
                 s->rounds, s->seconds, s->memory >> 20, s->parts_per_unit, s->round,
                 s->row == NULL ? "-" : s->row);
    } else {
        snprintf(settings, sizeof settings, "--paper %s -t %.9g --memory %zu", study->paper->name,
                 s->seconds, s->memory >> 20);
    }
    const duet_sweep sweep = {.columns = columns_of(study->paper),
                              .settings = settings,
                              .jobs = study->case_count,
                              .rows_per_job = study->paper->run_count,
                              .describe = describe,
                              .run = run,
                              .take = take,
                              .state = study};
    return duet_sweep_run(&sweep, plan, &study->summary, error);
}

// --- cases ---------------------------------------------------------------------------------------

duet_code duet_paper_add_case(duet_paper_study *study, const duet_paper_case *c, duet_error *error)
{
    return duet_vec_push(study->cases, study->case_count, error, *c);
}

bool duet_paper_is_wanted(const int64_t *list, size_t count, int64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return count == 0;
}

duet_code duet_paper_generate(const char *family, const duet_paper_case *c, const char *text,
                              duet_instance **out, duet_error *error)
{
    return duet_bench_generate(family, c->n, c->m, c->k, c->seed, text, out, error);
}

// Its edges; each costs what its second kernel reads.
static duet_edge *edges_of(const duet_instance *graph, bool costs, duet_error *error)
{
    int64_t edges = duet_instance_edges(graph);
    duet_edge *edge = duet_alloc((size_t)edges, sizeof *edge, error);
    for (int64_t e = 0; e < edges && edge != NULL; e++) {
        edge[e] = duet_instance_edge(graph, e);
        edge[e].cost = costs ? duet_instance_kind_of(graph, edge[e].to) : edge[e].cost;
    }
    return edge;
}

duet_code duet_paper_cholesky(const duet_paper_case *c, const char *name, const char *unit,
                              const int64_t *times, const int64_t *costs, duet_instance **out,
                              duet_error *error)
{
    static const char *const ids[DUET_PAPER_KERNELS] = {"potrf", "trsm", "syrk", "gemm"};
    const duet_type platform[] = {{"cpu", c->m}, {"gpu", c->k}};
    int64_t counts[DUET_PAPER_KERNELS];
    duet_instance *graph = NULL;
    *out = NULL;
    DUET_TRY(duet_paper_generate("chol", c, "edges=true", &graph, error));
    for (size_t i = 0; i < DUET_PAPER_KERNELS; i++) {
        counts[i] = duet_instance_kind_count(graph, i);
    }
    duet_edge *edge = edges_of(graph, costs != NULL, error);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = name,
                               .time_unit = unit,
                               .decimals = 6,
                               .types = 2,
                               .platform = platform,
                               .kinds = DUET_PAPER_KERNELS,
                               .ids = ids,
                               .counts = counts,
                               .times = times,
                               .edges = (size_t)duet_instance_edges(graph),
                               .edge = edge,
                               .cost_tables = costs == NULL ? 0 : DUET_PAPER_KERNELS,
                               .costs = costs};
    duet_code code = edge == NULL ? DUET_E_MEMORY : duet_instance_create(&desc, out, error);
    duet_free(edge);
    duet_instance_free(graph);
    return code;
}

duet_code duet_paper_study_create(const duet_paper *paper, const duet_paper_settings *settings,
                                  duet_paper_study *study, duet_error *error)
{
    *study = (duet_paper_study){.paper = paper, .settings = settings};
    duet_code code = paper->list(study, error);
    study->options = duet_alloc(paper->run_count, sizeof(duet_options *), error);
    size_t count = study->case_count * paper->run_count;
    study->results = duet_alloc(count + 1, sizeof *study->results, error);
    if (code != DUET_OK || study->options == NULL || study->results == NULL) {
        return code != DUET_OK ? code : DUET_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        study->results[i] = (duet_paper_result){.makespan = -1, .respected = -1};
    }
    for (size_t r = 0; r < paper->run_count && code == DUET_OK; r++) {
        code = duet_bench_options(paper->refers ? "" : "bound=none", &study->options[r], error);
        DUET_THEN(code, duet_bench_add_options(options_of(study, r), study->options[r], error));
    }
    return code;
}

void duet_paper_study_free(duet_paper_study *study)
{
    for (size_t r = 0; study->options != NULL && r < study->paper->run_count; r++) {
        duet_options_free(study->options[r]);
    }
    duet_free(study->options);
    duet_free(study->cases);
    duet_free(study->results);
    *study = (duet_paper_study){.cases = NULL};
}

// What a run can be reported for; all but the first are faults.
enum { FAILED, EXCEEDED, FAULT, FAILURES };

static bool is_reported(const duet_paper_result *result, int failure)
{
    static const char *const status[FAILURES] = {[FAILED] = "failed", [FAULT] = "fault"};
    return failure == EXCEEDED ? result->respected == 0
                               : strcmp(result->status, status[failure]) == 0;
}

// Returns whether there is none.
static bool report(const duet_paper_study *study, size_t run, int failure, FILE *stream)
{
    const duet_paper *paper = study->paper;
    const char *of_what[] = {"runs without a schedule", "runs above the proven ratio",
                             paper->refers ? "runs that the checker or another run refutes"
                                           : "runs that the checker or the bound refutes"};
    const duet_paper_case *first = NULL;
    size_t count = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        if (is_reported(duet_paper_at(study, c, run), failure)) {
            first = count++ == 0 ? &study->cases[c] : first;
        }
    }
    if (count == 0) {
        return true;
    }
    const char *algorithm = paper->runs[run].algorithm;
    if (paper->title == NULL) {
        duet_cli_print(stream, "duet: %s: ", algorithm);
    } else {
        duet_cli_print(stream, "duet: %s: %s %s: ", paper->name, algorithm, options_of(study, run));
    }
    duet_cli_print(stream, "%zu %s, the first %s (%" PRId64 ",%" PRId64 ")", count,
                   of_what[failure], first->name, first->m, first->k);
    if (paper->print_case != NULL) {
        paper->print_case(first, stream);
    }
    fputc('\n', stream);
    return false;
}

bool duet_paper_report_failures(const duet_paper_study *study, FILE *stream)
{
    bool good = true;
    for (size_t r = 0; r < study->paper->run_count; r++) {
        for (int failure = 0; failure < FAILURES; failure++) {
            bool none = report(study, r, failure, stream);
            good = good && (none || failure == FAILED);
        }
    }
    return good;
}
