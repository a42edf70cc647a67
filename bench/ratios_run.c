// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench ratios` as a sweep: a job is an instance with every algorithm on it, each
// on one thread.
#include <string.h>

#include "bench/ratios.h"
#include "core/context.h"
#include "core/memory.h"
#include "tests/support/exhaustive.h"

// Up to here trying every assignment is the fastest way to the optimum.
enum { FEW_TASKS = 9 };

// The instance of a job: a file is read once.
static duet_code borrow(const duet_ratios *ratios, size_t job, duet_instance **made,
                        const duet_instance **instance, duet_error *error)
{
    const duet_ratios_place *place = duet_ratios_place_of(ratios, job);
    *made = NULL;
    *instance = place->file;
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
    const duet_ratios_place *place = duet_ratios_place_of(ratios, job);
    char name[DUET_RATIOS_NAME];
    duet_run_key key = {.instance = duet_ratios_name(ratios, job, name),
                        .family = place->family,
                        .n = place->n,
                        .m = place->m,
                        .k = place->k,
                        .seed = duet_ratios_seed(ratios, job),
                        .options = s->option_text};
    duet_code code = DUET_OK;
    if (place->m + place->k == 0) { // the seed decides; small, and made in a moment
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
    for (size_t a = 0; a < s->subject_count && code == DUET_OK; a++) {
        key.algorithm = s->subject[a];
        code = duet_run_write_key(&key, &rows[a], error);
    }
    return code;
}

// low <= optimum <= high, by trying every assignment or by `exact`.
static duet_code refer(const duet_ratios *ratios, const duet_instance *instance,
                       const duet_cancel *cancel, int64_t *low, int64_t *high, duet_error *error)
{
    if (duet_instance_tasks(instance) <= FEW_TASKS) {
        *low = *high = duet_exhaustive_optimum(instance);
        if (*low > DUET_MAX_WORK) { // no schedule exists
            *low = 0;
            *high = INT64_MAX;
        }
        return DUET_OK;
    }
    char rounds[48];
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK) {
        snprintf(rounds, sizeof rounds, "rounds=%llu", (unsigned long long)ratios->settings.rounds);
        code = duet_options_add(options, rounds, error);
    }
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = ratios->settings.seconds;
    params.memory_limit = ratios->settings.memory;
    params.cancel = cancel;
    params.options = options;
    duet_run_result result;
    if (code == DUET_OK) {
        duet_run(instance, "exact", &params, &result);
        bool good = result.makespan >= 0 && strcmp(result.status, "fault") != 0;
        *low = good ? result.bound : 0;
        *high = good ? result.makespan : INT64_MAX;
    }
    duet_options_free(options);
    return code;
}

static duet_code run_on(const duet_ratios *ratios, const duet_instance *instance,
                        const duet_cancel *cancel, duet_sweep_row *rows, duet_error *error)
{
    const duet_ratios_settings *s = &ratios->settings;
    duet_run_result results[DUET_RATIOS_MAX_SUBJECTS];
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = s->seconds;
    params.memory_limit = s->memory;
    params.cancel = cancel;
    params.options = s->options;
    int64_t low = 0;
    int64_t high = INT64_MAX;
    duet_code code = refer(ratios, instance, cancel, &low, &high, error);
    for (size_t a = 0; a < s->subject_count && code == DUET_OK; a++) {
        duet_run(instance, s->subject[a], &params, &results[a]);
        bool shorter = results[a].makespan >= low && results[a].makespan < high;
        high = shorter && strcmp(results[a].status, "fault") != 0 ? results[a].makespan : high;
    }
    for (size_t a = 0; a < s->subject_count && code == DUET_OK; a++) {
        duet_run_refer_to(instance, s->subject[a], s->options, low, high, &results[a]);
        code = duet_run_write_result(instance, &results[a], &rows[a], error);
    }
    return code;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const duet_ratios *ratios = state;
    duet_instance *made = NULL;
    const duet_instance *instance = NULL;
    duet_code code = borrow(ratios, job, &made, &instance, error);
    if (code == DUET_OK) {
        code = run_on(ratios, instance, cancel, rows, error);
    }
    duet_instance_free(made);
    return code;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_ratios *ratios = state;
    const duet_ratios_place *place = duet_ratios_place_of(ratios, job);
    duet_code code = DUET_OK;
    for (size_t a = 0; a < ratios->settings.subject_count && code == DUET_OK; a++) {
        duet_run_result result;
        code = duet_run_read_result(&rows[a], place->decimals, &result, error);
        if (code == DUET_OK) {
            duet_ratios_note(ratios, job, a, &result);
        }
    }
    return code;
}

duet_code duet_ratios_run(duet_ratios *ratios, const duet_sweep_plan *plan, duet_error *error)
{
    const duet_sweep sweep = {.key_names = DUET_RUN_KEY_NAMES,
                              .result_names = DUET_RUN_RESULT_NAMES,
                              .jobs = ratios->jobs,
                              .rows_per_job = ratios->settings.subject_count,
                              .describe = describe,
                              .run = run,
                              .take = take,
                              .state = ratios};
    return duet_sweep_run(&sweep, plan, &ratios->summary, error);
}
