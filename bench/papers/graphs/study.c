// SPDX-License-Identifier: Apache-2.0
// The runs of a paper about task graphs as a sweep: a job is an instance with every run on it, each
// on one thread, every schedule checked.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/graphs/graphs.h"
#include "bench/run/measure.h"
#include "core/context.h"
#include "core/memory.h"

// --- rows ----------------------------------------------------------------------------------------

static bool has_makespan(const void *row)
{
    return ((const duet_graph_row *)row)->result.makespan >= 0;
}

static bool has_bound(const void *row)
{
    return ((const duet_graph_row *)row)->result.bound > 0;
}

static void write_decimals(const void *row, char text[DUET_COLUMN_ROOM])
{
    snprintf(text, DUET_COLUMN_ROOM, "%d", ((const duet_graph_row *)row)->result.decimals);
}

static bool read_decimals(void *row, const char *text)
{
    enum { most = 18 };
    char *end = NULL;
    long value = strtol(text, &end, 10);
    ((duet_graph_row *)row)->result.decimals = (int)value;
    return end != text && *end == '\0' && value >= 0 && value <= most;
}

#define KEY(member, kind) DUET_KEY_OF(duet_graph_row, member, kind)
#define RESULT(member, kind) DUET_RESULT_OF(duet_graph_row, result.member, kind)
#define TICKS(member) RESULT(member, TICKS), .decimals = offsetof(duet_graph_row, result.decimals)

static const duet_column sequential_columns[] = {
    {"job", .role = DUET_COLUMN_JOB},
    {"instance", KEY(name, TEXT)},
    {"family", KEY(set, TEXT)},
    {"n", KEY(n, INTEGER)},
    {"m", KEY(m, INTEGER)},
    {"k", KEY(k, INTEGER)},
    {"seed", KEY(seed, NUMBER)},
    {"algorithm", KEY(algorithm, TEXT)},
    {"options", KEY(options, TEXT)},
    {"status", .role = DUET_COLUMN_RESULT, DUET_CHARS_OF(duet_graph_row, result.status)},
    {"decimals", .role = DUET_COLUMN_RESULT, .type = DUET_COLUMN_OWN, .write = write_decimals,
     .read = read_decimals},
    {"tasks", RESULT(tasks, INTEGER)},
    {"makespan", TICKS(makespan), .applies = has_makespan},
    {"lower_bound", TICKS(bound), .applies = has_bound},
    {"serial", TICKS(serial)},
    {"work_cpu", TICKS(work[0]), .applies = has_makespan},
    {"work_gpu", TICKS(work[1]), .applies = has_makespan},
    {"cpu_tasks_on_gpu", TICKS(elsewhere[0]), .applies = has_makespan},
    {"gpu_tasks_on_cpu", TICKS(elsewhere[1]), .applies = has_makespan},
    {"counted", RESULT(counted, INTEGER)},
    {"seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {"settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

static const duet_column *columns_of(const duet_graph_study *study)
{
    return study->paper->columns == NULL ? sequential_columns : study->paper->columns;
}

static duet_graph_row key_of(const duet_graph_study *study, size_t job, size_t run)
{
    const duet_graph_case *c = &study->cases[job];
    const duet_graph_run *r = &study->paper->runs[run];
    return (duet_graph_row){.name = c->name,
                            .set = study->paper->sets[c->set],
                            .algorithm = r->algorithm,
                            .options = r->options,
                            .n = c->n,
                            .m = c->m,
                            .k = c->k,
                            .seed = c->seed};
}

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_graph_study *study = state;
    duet_code code = DUET_OK;
    for (size_t r = 0; r < study->paper->run_count && code == DUET_OK; r++) {
        duet_graph_row row = key_of(study, job, r);
        code = duet_columns_write(columns_of(study), DUET_COLUMN_KEY, &row, rows[r].keys,
                                  sizeof rows[r].keys, error);
    }
    return code;
}

// --- one run -------------------------------------------------------------------------------------

// What a task would take on a type; nothing where it may not run.
static int64_t time_or_none(const duet_instance *instance, size_t kind, size_t type)
{
    int64_t time = duet_instance_time(instance, kind, type);
    return time == DUET_FORBIDDEN ? 0 : time;
}

static int64_t serial_time(const duet_instance *instance)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        int64_t sum = 0;
        for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
            sum += duet_instance_kind_count(instance, i) * time_or_none(instance, i, t);
        }
        least = sum < least ? sum : least;
    }
    return least;
}

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

static duet_code measure_types(const duet_graph_settings *settings, const duet_instance *instance,
                               const duet_solution *solution, duet_graph_result *result,
                               duet_error *error)
{
    (void)settings;
    (void)error;
    const duet_placement *placement = duet_solution_placements(solution);
    for (int64_t j = 0; j < result->tasks; j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        size_t type = (size_t)placement[j].type;
        result->work[type] += time_or_none(instance, kind, type);
        result->elsewhere[type] += time_or_none(instance, kind, 1 - type);
    }
    return DUET_OK;
}

static duet_code run_one(const duet_graph_study *study, const duet_instance *instance, size_t run,
                         const duet_cancel *cancel, duet_graph_result *result, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_solution *solution = NULL;
    duet_code measured = DUET_OK;
    params.threads = 1;
    params.time_limit = study->settings->seconds;
    params.memory_limit = study->settings->memory;
    params.cancel = cancel;
    params.options = study->options[run];
    int64_t start = duet_clock_ns();
    duet_code code =
        duet_solve(instance, study->paper->runs[run].algorithm, &params, &solution, NULL);
    result->seconds = duet_bench_since(start);
    if (code == DUET_OK && duet_check_solution(instance, solution, NULL, NULL) == DUET_OK) {
        const char *status = duet_status_name(duet_solution_status(solution));
        snprintf(result->status, sizeof result->status, "%s", status);
        result->makespan = duet_solution_makespan(solution);
        result->counted = counter_of(solution, study->paper->counter);
        measured = (study->paper->measure == NULL ? measure_types : study->paper->measure)(
            study->settings, instance, solution, result, error);
    } else if (code == DUET_OK || code == DUET_E_INTERNAL || code == DUET_E_USAGE) {
        snprintf(result->status, sizeof result->status, "fault");
    }
    duet_solution_free(solution);
    return measured;
}

// A bound in ticks; 0 where there is none, or its certificate does not hold.
static int64_t bound_of(const duet_instance *instance, const char *name)
{
    duet_bound bound = {.name = NULL};
    int64_t value = 0;
    if (duet_compute_bound(instance, name, NULL, &bound, NULL) == DUET_OK &&
        duet_certificate_check(&bound.certificate, instance, NULL) == DUET_OK) {
        value = bound.value;
    }
    duet_bound_release(&bound);
    return value;
}

static int64_t best_bound(const duet_graph_paper *paper, const duet_instance *instance)
{
    int64_t best = 0;
    for (size_t i = 0; paper->bounds != NULL && paper->bounds[i] != NULL; i++) {
        int64_t bound = bound_of(instance, paper->bounds[i]);
        best = bound > best ? bound : best;
    }
    return best;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const duet_graph_study *study = state;
    duet_instance *instance = NULL;
    duet_code code = study->paper->make(&study->cases[job], &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t bound = best_bound(study->paper, instance);
    for (size_t r = 0; r < study->paper->run_count && code == DUET_OK; r++) {
        duet_graph_row row = key_of(study, job, r);
        row.result = (duet_graph_result){.status = "failed",
                                         .decimals = duet_instance_decimals(instance),
                                         .tasks = duet_instance_tasks(instance),
                                         .makespan = -1,
                                         .bound = bound,
                                         .serial = serial_time(instance)};
        code = run_one(study, instance, r, cancel, &row.result, error);
        if (row.result.makespan >= 0 && row.result.makespan < bound && row.result.mixed == 0) {
            snprintf(row.result.status, sizeof row.result.status, "fault");
        }
        rows[r].seconds = row.result.seconds;
        if (code != DUET_OK) {
            break;
        }
        code = duet_columns_write(columns_of(study), DUET_COLUMN_RESULT, &row, rows[r].results,
                                  sizeof rows[r].results, error);
    }
    duet_instance_free(instance);
    return code;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_graph_study *study = state;
    duet_code code = DUET_OK;
    for (size_t r = 0; r < study->paper->run_count && code == DUET_OK; r++) {
        duet_graph_row row = {.result = {.makespan = -1, .seconds = rows[r].seconds}};
        code =
            duet_columns_read(columns_of(study), DUET_COLUMN_RESULT, rows[r].results, &row, error);
        study->results[job * study->paper->run_count + r] = row.result;
    }
    return code;
}

duet_code duet_graph_study_run(duet_graph_study *study, const duet_sweep_plan *plan,
                               duet_error *error)
{
    char settings[128];
    snprintf(settings, sizeof settings, "--paper %s -t %.9g --memory %zu", study->paper->name,
             study->settings->seconds, study->settings->memory >> 20);
    const duet_sweep sweep = {.columns = columns_of(study),
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

duet_code duet_graph_add_case(duet_graph_study *study, const duet_graph_case *c, duet_error *error)
{
    duet_code code = duet_grow(&study->cases, study->case_count, &study->case_capacity,
                               sizeof *study->cases, error);
    if (code == DUET_OK) {
        study->cases[study->case_count++] = *c;
    }
    return code;
}

duet_code duet_graph_generate(const char *family, const duet_graph_case *c, const char *text,
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

duet_code duet_graph_cholesky(const duet_graph_case *c, const char *name, const char *unit,
                              const int64_t *times, const int64_t *costs, duet_instance **out,
                              duet_error *error)
{
    static const char *const ids[DUET_GRAPH_KERNELS] = {"potrf", "trsm", "syrk", "gemm"};
    const duet_type platform[] = {{"cpu", c->m}, {"gpu", c->k}};
    int64_t counts[DUET_GRAPH_KERNELS];
    duet_instance *graph = NULL;
    *out = NULL;
    duet_code code = duet_graph_generate("chol", c, "edges=true", &graph, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < DUET_GRAPH_KERNELS; i++) {
        counts[i] = duet_instance_kind_count(graph, i);
    }
    duet_edge *edge = edges_of(graph, costs != NULL, error);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = name,
                               .time_unit = unit,
                               .decimals = 6,
                               .types = 2,
                               .platform = platform,
                               .kinds = DUET_GRAPH_KERNELS,
                               .ids = ids,
                               .counts = counts,
                               .times = times,
                               .edges = (size_t)duet_instance_edges(graph),
                               .edge = edge,
                               .cost_tables = costs == NULL ? 0 : DUET_GRAPH_KERNELS,
                               .costs = costs};
    code = edge == NULL ? DUET_E_MEMORY : duet_instance_create(&desc, out, error);
    duet_free(edge);
    duet_instance_free(graph);
    return code;
}

duet_code duet_graph_study_create(const duet_graph_paper *paper,
                                  const duet_graph_settings *settings, duet_graph_study *study,
                                  duet_error *error)
{
    *study = (duet_graph_study){.paper = paper, .settings = settings};
    duet_code code = paper->list(study, error);
    study->options = duet_alloc(paper->run_count, sizeof(duet_options *), error);
    size_t count = study->case_count * paper->run_count;
    study->results = duet_alloc(count + 1, sizeof *study->results, error);
    if (code != DUET_OK || study->options == NULL || study->results == NULL) {
        return code != DUET_OK ? code : DUET_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        study->results[i] = (duet_graph_result){.makespan = -1};
    }
    for (size_t r = 0; r < paper->run_count && code == DUET_OK; r++) {
        code = duet_bench_options("bound=none", &study->options[r], error);
        if (code == DUET_OK) {
            code = duet_bench_add_options(paper->runs[r].options, study->options[r], error);
        }
    }
    return code;
}

void duet_graph_study_free(duet_graph_study *study)
{
    for (size_t r = 0; study->options != NULL && r < study->paper->run_count; r++) {
        duet_options_free(study->options[r]);
    }
    duet_free(study->options);
    duet_free(study->cases);
    duet_free(study->results);
    *study = (duet_graph_study){.cases = NULL};
}

bool duet_graph_report_failures(const duet_graph_study *study, FILE *stream)
{
    static const char *const what[] = {"failed", "fault"};
    static const char *const meaning[] = {"runs without a schedule",
                                          "runs that the checker or the bound refutes"};
    bool good = true;
    for (size_t r = 0; r < study->paper->run_count; r++) {
        for (size_t w = 0; w < 2; w++) {
            size_t count = 0;
            size_t first = 0;
            for (size_t c = 0; c < study->case_count; c++) {
                if (strcmp(duet_graph_at(study, c, r)->status, what[w]) == 0) {
                    first = count++ == 0 ? c : first;
                }
            }
            if (count > 0) {
                const duet_graph_case *c = &study->cases[first];
                fprintf(stream, "duet: %s: %s %s: %zu %s, the first %s (%" PRId64 ",%" PRId64 ")\n",
                        study->paper->name, study->paper->runs[r].algorithm,
                        study->paper->runs[r].options, count, meaning[w], c->name, c->m, c->k);
                good = good && w == 0;
            }
        }
    }
    return good;
}
