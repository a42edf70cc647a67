// SPDX-License-Identifier: Apache-2.0
// An algorithm of one's own, run beside the library's: tasks in list order, each on the less loaded
// side of the two, but on the GPUs where it is at least `factor` times as fast there. The library
// checks its schedule, adds a proven bound, and improves it where asked to.
#include <stdio.h>
#include <stdlib.h>

#include <duet/duet.h>

static const duet_option_spec options[] = {{"factor", DUET_OPTION_INTEGER, "4", 1, 1000, NULL, "",
                                            "to a GPU where that is so many times as fast"},
                                           {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// When each processor of each type is free.
typedef struct machine {
    int64_t count[2];
    int64_t *free_at[2];
} machine;

static int64_t least_loaded(const machine *m, size_t type)
{
    int64_t best = 0;
    for (int64_t p = 1; p < m->count[type]; p++) {
        best = m->free_at[type][p] < m->free_at[type][best] ? p : best;
    }
    return best;
}

static size_t choose(const machine *m, const int64_t time[2], int64_t factor)
{
    if (m->count[0] == 0 || m->count[1] == 0) {
        return m->count[0] == 0;
    }
    if (time[0] == DUET_FORBIDDEN || time[1] == DUET_FORBIDDEN) {
        return time[0] == DUET_FORBIDDEN;
    }
    if (time[0] / factor >= time[1]) {
        return 1;
    }
    return m->free_at[1][least_loaded(m, 1)] < m->free_at[0][least_loaded(m, 0)];
}

static duet_code place_all(const duet_instance *instance, duet_work *work, machine *m,
                           duet_error *error)
{
    int64_t factor = duet_work_integer(work, "factor");
    for (int64_t task = 0; task < duet_instance_tasks(instance); task++) {
        size_t kind = duet_instance_kind_of(instance, task);
        const int64_t time[2] = {duet_instance_time(instance, kind, 0),
                                 duet_instance_time(instance, kind, 1)};
        size_t type = choose(m, time, factor);
        int64_t processor = least_loaded(m, type);
        int64_t *at = &m->free_at[type][processor];
        duet_code code = duet_work_place(work, task, type, processor, *at, error);
        if (code != DUET_OK) {
            return code;
        }
        *at += time[type];
    }
    return DUET_OK;
}

static duet_code run(void *user, const duet_instance *instance, duet_work *work, duet_error *error)
{
    (void)user;
    machine m = {.count = {0, 0}};
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2; t++) {
        m.count[t] = duet_instance_type_count(instance, t);
        m.free_at[t] = calloc((size_t)m.count[t] + 1, sizeof *m.free_at[t]);
        if (m.free_at[t] == NULL) {
            code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
        }
    }
    if (code == DUET_OK) {
        code = place_all(instance, work, &m, error);
    }
    free(m.free_at[0]);
    free(m.free_at[1]);
    return code;
}

// Runs an algorithm with an option, NULL for none, and prints what came of it.
static duet_code show(const duet_instance *instance, const duet_registry *registry,
                      const char *algorithm, const char *option, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    duet_options *given = NULL;
    duet_code code = duet_options_create(&given, error);
    if (code == DUET_OK && option != NULL) {
        code = duet_options_add(given, option, error);
    }
    params.options = given;
    duet_solution *solution = NULL;
    if (code == DUET_OK) {
        code = duet_solve(instance, algorithm, &params, &solution, error);
    }
    if (code == DUET_OK) {
        printf("%-9s %-13s makespan %lld, at least %lld\n", algorithm, option == NULL ? "" : option,
               (long long)duet_solution_makespan(solution),
               (long long)duet_solution_lower_bound(solution));
    }
    duet_solution_free(solution);
    duet_options_free(given);
    return code;
}

int main(void)
{
    duet_error error = DUET_ERROR_INIT;
    duet_registry *registry = NULL;
    duet_instance *instance = NULL;
    const duet_custom own = {.struct_size = sizeof own,
                             .name = "sides",
                             .summary = "the less loaded side, or the GPUs where they are faster",
                             .needs = DUET_NEEDS_TWO_TYPES,
                             .options = options,
                             .run = run};
    duet_code code = duet_registry_create(&registry, &error);
    if (code == DUET_OK) {
        code = duet_registry_add(registry, &own, &error);
    }
    if (code == DUET_OK) {
        const int64_t counts[] = {8, 2};
        const duet_generate_params params = {sizeof params, 60, 2, counts, 1, NULL};
        code = duet_generate("corr", &params, &instance, &error);
    }
    const char *const runs[][2] = {{"sides", NULL},
                                   {"sides", "factor=2"},
                                   {"sides", "improve=true"},
                                   {"heft", NULL},
                                   {"exact", NULL}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs && code == DUET_OK; i++) {
        code = show(instance, registry, runs[i][0], runs[i][1], &error);
    }
    if (code != DUET_OK) {
        fprintf(stderr, "custom_algorithm: %s\n", error.message);
    }
    duet_instance_free(instance);
    duet_registry_free(registry);
    return code == DUET_OK ? 0 : 1;
}
