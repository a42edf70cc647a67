// SPDX-License-Identifier: Apache-2.0
// Any algorithm with any options on small instances of every shape: the schedule passes the
// checker, the bound is below the optimum, the proven ratio holds, and a limit or an unsupported
// platform is said so.
#include <stdio.h>
#include <string.h>

#include "bench/run/exhaustive.h"
#include "tests/fuzz/fuzz.h"

// A value for an option: a choice, a number in or out of its range, or a switch.
static void value_of(fuzz_input *input, const duet_option_spec *spec, char *text, size_t size)
{
    switch (spec->type) {
    case DUET_OPTION_CHOICE: {
        const char *at = spec->choices;
        for (int64_t skip = fuzz_between(input, 0, 7); skip > 0; skip--) {
            const char *bar = strchr(at, '|');
            at = bar == NULL ? spec->choices : bar + 1;
        }
        snprintf(text, size, "%s=%.*s", spec->name, (int)strcspn(at, "|"), at);
        return;
    }
    case DUET_OPTION_BOOLEAN:
        snprintf(text, size, "%s=%s", spec->name,
                 fuzz_between(input, 0, 1) == 0 ? "true" : "false");
        return;
    default:
        snprintf(text, size, "%s=%d", spec->name, (int)fuzz_between(input, -2, 40));
    }
}

// Options that write files are left alone.
static duet_options *options_of(fuzz_input *input, const duet_entry *algorithm)
{
    duet_options *options;
    fuzz_check(duet_options_create(&options, NULL) == DUET_OK, "options");
    for (const duet_option_spec *spec = algorithm->options; spec != NULL && spec->name != NULL;
         spec++) {
        if (spec->type == DUET_OPTION_TEXT || fuzz_between(input, 0, 2) > 0) {
            continue;
        }
        char text[128];
        duet_error error = DUET_ERROR_INIT;
        value_of(input, spec, text, sizeof text);
        fuzz_check_error(duet_options_add(options, text, &error), &error);
    }
    if (fuzz_between(input, 0, 3) == 0) {
        fuzz_check(duet_options_add(options, "improve=true", NULL) == DUET_OK, "improve");
    }
    return options;
}

static void check(const duet_instance *instance, const duet_options *options,
                  const duet_solution *solution, const char *name)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &error);
    fuzz_check(code == DUET_OK, error.message);
    int64_t optimum = duet_instance_tasks(instance) == 0 ? 0 : duet_exhaustive_optimum(instance);
    int64_t makespan = duet_solution_makespan(solution);
    fuzz_check(makespan >= optimum, "a schedule below the optimum");
    fuzz_check(duet_solution_lower_bound(solution) <= optimum, "a bound above the optimum");
    fuzz_check(duet_solution_status(solution) != DUET_OPTIMAL || makespan == optimum,
               "an optimum that is none");
    int64_t counts[2] = {duet_instance_type_count(instance, 0),
                         duet_instance_type_count(instance, 1)};
    fuzz_check(duet_solution_note(solution) != NULL ||
                   duet_guarantee_holds(name, 2, counts, options, makespan, optimum) != 0,
               "a ratio above the proven one");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    duet_instance *instance = fuzz_instance(&input);
    size_t which = (size_t)fuzz_between(&input, 0, (int64_t)duet_algorithm_count() - 1);
    const duet_entry *algorithm = duet_algorithm_entry(which);
    duet_options *options = options_of(&input, algorithm);
    duet_params params = DUET_PARAMS_INIT;
    params.threads = (int)fuzz_between(&input, 1, 2);
    params.memory_limit = (size_t)64 << 20;
    params.seed = fuzz_take(&input, 1);
    params.options = options;
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    duet_code code = duet_solve(instance, algorithm->name, &params, &solution, &error);
    fuzz_check_error(code, &error);
    fuzz_check(code == DUET_OK || code == DUET_E_USAGE || code == DUET_E_UNSUPPORTED ||
                   code == DUET_E_LIMIT,
               error.message);
    if (code == DUET_OK) {
        check(instance, options, solution, algorithm->name);
    }
    duet_solution_free(solution);
    duet_options_free(options);
    duet_instance_free(instance);
    return 0;
}
