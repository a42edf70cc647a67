// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench ratios` as a sweep: a job is an instance with every algorithm on it, each
// on one thread.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/args.h"
#include "bench/run/exhaustive.h"
#include "bench/run/published.h"
#include "console/bounds.h"
#include "console/paths.h"
#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/try.h"
#include "solvers/features.h"
#include "solvers/registry.h"

// Up to here trying every assignment is the fastest way to the optimum.
enum { FEW_TASKS = 9, FEW_IN_GRAPH = 8, FEW_OF_EXACT = 12 };

// The instance of a job: a file is read once.
static duet_code borrow(const duet_ratios *ratios, size_t job, duet_instance **made,
                        const duet_instance **instance, duet_error *error)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    *made = NULL;
    *instance = group->file;
    if (*instance != NULL) {
        return DUET_OK;
    }
    duet_code code = duet_ratios_instance(ratios, job, made, error);
    *instance = *made;
    return code;
}

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_ratios *ratios = state;
    const duet_ratios_settings *s = &ratios->settings;
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    char name[DUET_RATIOS_NAME];
    duet_run_key key = {.instance = duet_ratios_name(ratios, job, name),
                        .family = group->family,
                        .n = group->n.first,
                        .m = group->m.first,
                        .k = group->k.first,
                        .seed = duet_ratios_seed(ratios, job)};
    duet_code code = DUET_OK;
    if (group->n.last == 0 || duet_ratios_is_drawn(group)) { // made in a moment
        duet_instance *instance = NULL;
        code = duet_ratios_instance(ratios, job, &instance, error);
        if (code != DUET_OK) {
            return code;
        }
        key.n = duet_instance_tasks(instance);
        key.m = duet_instance_type_count(instance, 0);
        key.k = duet_instance_type_count(instance, 1);
        duet_instance_free(instance);
    }
    for (size_t a = 0; a < s->algorithm_count && code == DUET_OK; a++) {
        key.algorithm = s->algorithm[a].name;
        key.options = duet_ratios_option_text(s, a);
        code = duet_run_write_key(&key, &rows[a], error);
    }
    return code;
}

// Whether an algorithm or a bound can say anything of an instance.
static bool is_handled(const duet_ratios_algorithm *algorithm, const duet_instance *instance)
{
    if (algorithm->folder != NULL) {
        return true;
    }
    const duet_entry *entry = algorithm->is_bound
                                  ? &duet_find_bound(algorithm->name)->entry
                                  : &duet_bench_find_algorithm(algorithm->name)->entry;
    return duet_bound_applies(entry, instance) && duet_handles(entry, duet_demand_of(instance));
}

// Raises what the reference says is needed to a bound, where this build has it and it takes the
// instance. Makespans say what is possible.
static bool refer_to_bound(const duet_instance *instance, const char *name,
                           const duet_params *params, duet_ratios_reference *found)
{
    duet_bound *bound = NULL;
    bool any = duet_compute_bound(instance, name, params, &bound, NULL) == DUET_OK;
    if (any) {
        found->low = duet_max(duet_bound_value(bound), found->low);
        found->fault = found->fault || duet_certificate_check(duet_bound_certificate(bound),
                                                              instance, NULL, NULL) != DUET_OK;
    }
    duet_bound_free(bound);
    return any;
}

// Whether trying everything is fast enough for moldable tasks.
static bool is_small_moldable(const duet_instance *instance)
{
    enum { tasks = 5, processors = 6 };
    int64_t count = 0;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        count += duet_instance_type_count(instance, t);
    }
    return duet_instance_tasks(instance) <= tasks && count <= processors;
}

// Rounds of exact. Each takes four times as long as the one before; of moldable tasks eight times,
// where only a limit of time allows more than one.
static unsigned long long rounds_of(const duet_ratios_settings *s, bool moldable)
{
    return moldable && s->seconds <= 0 ? 1 : s->rounds;
}

static duet_code refer_to_exact(const duet_instance *instance, unsigned long long most,
                                duet_params params, duet_ratios_reference *found, duet_error *error)
{
    char rounds[48];
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK) {
        snprintf(rounds, sizeof rounds, "rounds=%llu", most);
        code = duet_options_add(options, rounds, error);
    }
    params.options = options;
    duet_run_result result;
    if (code == DUET_OK) {
        duet_run(instance, "exact", &params, &result);
        found->infeasible = result.infeasible;
        found->fault = strcmp(result.status, "fault") == 0; // no reference, within a limit, is none
        if (result.makespan >= 0 && !found->fault) {
            found->low = result.bound;
            found->high = result.makespan;
        }
    }
    duet_options_free(options);
    return code;
}

// By trying every assignment, by `exact`, or by bounds.
static duet_code refer(const duet_ratios *ratios, const duet_instance *instance,
                       const duet_params *params, duet_ratios_reference *found, duet_error *error)
{
    *found = (duet_ratios_reference){.low = 0, .high = INT64_MAX};
    bool graph = duet_instance_edges(instance) > 0;
    bool moldable = (duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0;
    bool few = duet_instance_tasks(instance) <= (graph ? FEW_IN_GRAPH : FEW_TASKS);
    if (moldable ? is_small_moldable(instance) : few) {
        int64_t optimum = duet_exhaustive_optimum(instance);
        found->infeasible = optimum > DUET_MAX_WORK;
        if (!found->infeasible) {
            found->low = found->high = optimum;
        }
        return DUET_OK;
    }
    duet_code code = DUET_OK;
    if (graph) {
        (void)refer_to_bound(instance, "graph", NULL, found);
    } else if (!moldable || duet_instance_tasks(instance) <= FEW_OF_EXACT) {
        code =
            refer_to_exact(instance, rounds_of(&ratios->settings, moldable), *params, found, error);
    }
    if (code == DUET_OK && moldable && !graph && !found->infeasible && found->low < found->high &&
        !refer_to_bound(instance, "steps", params, found)) {
        (void)refer_to_bound(instance, "prices", params, found);
    }
    return code;
}

void duet_ratios_hold_against(duet_ratios_reference *found, const duet_run_result *results,
                              size_t count)
{
    for (size_t a = 0; a < count; a++) {
        int64_t makespan = results[a].makespan;
        if (makespan >= 0 && makespan < found->high && strcmp(results[a].status, "fault") != 0) {
            found->high = makespan;
        }
    }
    if (found->high < found->low || (found->infeasible && found->high < INT64_MAX)) {
        found->fault = true;
        found->low = 0;
    }
}

// A bound has no schedule: what it says is held against the best one that is known.
static void run_bound(const duet_instance *instance, const char *name, const duet_params *params,
                      duet_run_result *result)
{
    duet_bound *bound = NULL;
    int64_t start = duet_clock_ns();
    *result = (duet_run_result){.status = "failed", .makespan = -1, .respected = -1};
    duet_code code = duet_compute_bound(instance, name, params, &bound, NULL);
    result->seconds = duet_bench_since(start);
    bool faulty = code == DUET_E_INTERNAL || code == DUET_E_USAGE;
    if (code == DUET_OK) {
        const duet_certificate *proof = duet_bound_certificate(bound);
        result->bound = duet_bound_value(bound);
        code = duet_certificate_proof(proof) == DUET_PROOF_NONE
                   ? DUET_OK
                   : duet_certificate_check(proof, instance, NULL, NULL);
        faulty = code != DUET_OK && code != DUET_E_UNSUPPORTED && code != DUET_E_MEMORY;
        duet_bound_free(bound);
        snprintf(result->status, sizeof result->status, "bounded");
    }
    if (faulty) {
        snprintf(result->status, sizeof result->status, "fault");
    }
}

static void refer_bound(const duet_ratios_reference *found, duet_run_result *result)
{
    if (strcmp(result->status, "failed") != 0 && found->high < INT64_MAX) {
        result->makespan = found->high;
        result->reference = result->bound;
        result->is_optimum = found->low == found->high;
        result->respected = result->bound <= found->high;
    }
}

// What is slow runs on every tenth instance alone, and nothing on what it does not handle.
static bool is_skipped(const duet_ratios_algorithm *algorithm, const duet_instance *instance,
                       uint64_t seed)
{
    return (algorithm->is_sparse && seed % 10 != 0) || !is_handled(algorithm, instance);
}

// The schedule of a folder for the instance of a file; one that is not there failed.
static void run_given(const char *folder, const char *file, const duet_instance *instance,
                      duet_run_result *result)
{
    char path[DUET_CLI_PATH_SIZE];
    *result = (duet_run_result){.status = "failed", .makespan = -1, .respected = -1};
    if (duet_cli_find_solution(folder, file, instance, path, sizeof path)) {
        duet_run_given(instance, path, result);
    }
}

static void run_one(const duet_ratios_settings *s, size_t a, const duet_instance *instance,
                    uint64_t seed, duet_params params, duet_run_result *result)
{
    const duet_ratios_algorithm *algorithm = &s->algorithm[a];
    if (is_skipped(algorithm, instance, seed)) {
        *result = (duet_run_result){.status = "skipped", .makespan = -1, .respected = -1};
    } else if (algorithm->is_bound) {
        run_bound(instance, algorithm->name, &params, result);
    } else {
        params.options = duet_ratios_options(s, a);
        duet_run(instance, algorithm->name, &params, result);
    }
}

static duet_code run_on(const duet_ratios *ratios, const duet_instance *instance, size_t job,
                        const duet_cancel *cancel, duet_sweep_row *rows, duet_error *error)
{
    uint64_t seed = duet_ratios_seed(ratios, job);
    const char *file = duet_ratios_group_of(ratios, job)->path;
    const duet_ratios_settings *s = &ratios->settings;
    duet_run_result results[DUET_RATIOS_MAX_ALGORITHMS];
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = s->seconds;
    params.memory_limit = s->memory;
    params.cancel = cancel;
    params.registry = duet_cli_plugins();
    duet_ratios_reference found;
    DUET_TRY(refer(ratios, instance, &params, &found, error));
    for (size_t a = 0; a < s->algorithm_count; a++) {
        if (s->algorithm[a].folder != NULL) {
            run_given(s->algorithm[a].folder, file, instance, &results[a]);
        } else {
            run_one(s, a, instance, seed, params, &results[a]);
        }
    }
    duet_ratios_hold_against(&found, results, s->algorithm_count);
    for (size_t a = 0; a < s->algorithm_count; a++) {
        if (is_skipped(&s->algorithm[a], instance, seed)) {
            // nothing to judge
        } else if (s->algorithm[a].is_bound) {
            refer_bound(&found, &results[a]);
        } else {
            duet_run_refer_to(instance, s->algorithm[a].name, duet_ratios_options(s, a), found.low,
                              found.high, &results[a]);
        }
        results[a].unreferred = found.fault;
        DUET_TRY(duet_run_write_result(instance, &results[a], &rows[a], error));
    }
    return DUET_OK;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const duet_ratios *ratios = state;
    duet_instance *made = NULL;
    const duet_instance *instance = NULL;
    duet_code code = borrow(ratios, job, &made, &instance, error);
    DUET_THEN(code, run_on(ratios, instance, job, cancel, rows, error));
    duet_instance_free(made);
    return code;
}

// Such runs are few: their instance is made once more to see whether it is one for which the ratio
// was published.
static duet_code note_published(duet_ratios *ratios, size_t job, size_t algorithm,
                                const duet_run_result *result, duet_error *error)
{
    duet_instance *made = NULL;
    const duet_instance *instance = NULL;
    if (!duet_ratios_may_refute(ratios, algorithm, result)) {
        return DUET_OK;
    }
    duet_code code = borrow(ratios, job, &made, &instance, error);
    if (code == DUET_OK && duet_bench_all_accelerated(instance)) {
        duet_ratios_note_failure(ratios, job, algorithm, DUET_RATIOS_REFUTED);
    }
    duet_instance_free(made);
    return code;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_ratios *ratios = state;
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    for (size_t a = 0; a < ratios->settings.algorithm_count; a++) {
        duet_run_result result;
        DUET_TRY(duet_run_read_result(&rows[a], group->decimals, &result, error));
        duet_ratios_note(ratios, job, a, &result);
        DUET_TRY(note_published(ratios, job, a, &result, error));
    }
    return DUET_OK;
}

duet_code duet_ratios_run(duet_ratios *ratios, const duet_sweep_plan *plan, duet_error *error)
{
    const duet_ratios_settings *s = &ratios->settings;
    char settings[160];
    int length = snprintf(settings, sizeof settings, "--rounds %llu -t %.9g --memory %zu",
                          (unsigned long long)s->rounds, s->seconds, s->memory >> 20);
    if (s->file_count > 0) { // named alone, a file may have changed
        snprintf(settings + length, sizeof settings - (size_t)length,
                 ", files with the digest %016" PRIx64, ratios->contents);
    }
    const duet_sweep sweep = {.columns = duet_run_columns,
                              .settings = settings,
                              .jobs = ratios->jobs,
                              .rows_per_job = ratios->settings.algorithm_count,
                              .describe = describe,
                              .run = run,
                              .take = take,
                              .state = ratios};
    return duet_sweep_run(&sweep, plan, &ratios->summary, error);
}
