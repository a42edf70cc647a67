// SPDX-License-Identifier: Apache-2.0
// The runs of `duet bench papers` as a sweep: a job is an instance with every algorithm on it, each
// on one thread.
#include <stdio.h>
#include <string.h>

#include "bench/papers/papers.h"

const duet_papers_cell *duet_papers_at(const duet_papers *papers, size_t c, size_t algorithm)
{
    return &papers->cells[c * DUET_PAPERS_ALGORITHMS + algorithm];
}

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_papers *papers = state;
    const duet_papers_case *c = &papers->cases[job];
    char name[DUET_PAPERS_NAME];
    duet_papers_case_name(papers, c, name);
    duet_code code = DUET_OK;
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && code == DUET_OK; a++) {
        duet_run_key key = {name,
                            c->paper->family_of(c),
                            c->n,
                            c->m,
                            c->k,
                            c->seed,
                            duet_papers_name[a],
                            papers->option_text[a]};
        code = duet_run_write_key(&key, &rows[a], error);
    }
    return code;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    const duet_papers *papers = state;
    duet_instance *instance = NULL;
    duet_code code = duet_papers_instance(papers, &papers->cases[job], &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_run_result results[DUET_PAPERS_ALGORITHMS];
    const duet_options *options[DUET_PAPERS_ALGORITHMS];
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_params params = DUET_PARAMS_INIT;
        params.threads = 1;
        params.time_limit = papers->settings.seconds;
        params.memory_limit = papers->settings.memory;
        params.cancel = cancel;
        params.options = options[a] = papers->options[a];
        duet_run(instance, duet_papers_name[a], &params, &results[a]);
    }
    duet_run_refer(instance, duet_papers_name, options, results, DUET_PAPERS_ALGORITHMS);
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && code == DUET_OK; a++) {
        code = duet_run_write_result(instance, &results[a], &rows[a], error);
    }
    duet_instance_free(instance);
    return code;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_papers *papers = state;
    duet_code code = DUET_OK;
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && code == DUET_OK; a++) {
        duet_run_result result;
        code = duet_run_read_result(&rows[a], papers->cases[job].decimals, &result, error);
        papers->cells[job * DUET_PAPERS_ALGORITHMS + a] =
            (duet_papers_cell){.run = true,
                               .makespan = result.makespan,
                               .bound = result.bound,
                               .reference = result.reference,
                               .optimum = result.is_optimum,
                               .fault = strcmp(result.status, "fault") == 0,
                               .respected = (int8_t)result.respected};
    }
    return code;
}

duet_code duet_papers_run(duet_papers *papers, const duet_sweep_plan *plan, duet_error *error)
{
    const duet_papers_settings *s = &papers->settings;
    char settings[512];
    snprintf(settings, sizeof settings,
             "--rounds %llu -t %.9g --memory %zu --parts %llu --round %s --row %.300s",
             (unsigned long long)s->rounds, s->seconds, s->memory >> 20,
             (unsigned long long)s->parts_per_unit, s->round, s->row == NULL ? "-" : s->row);
    const duet_sweep sweep = {.columns = duet_run_columns,
                              .settings = settings,
                              .jobs = papers->case_count,
                              .rows_per_job = DUET_PAPERS_ALGORITHMS,
                              .describe = describe,
                              .run = run,
                              .take = take,
                              .state = papers};
    return duet_sweep_run(&sweep, plan, &papers->summary, error);
}
