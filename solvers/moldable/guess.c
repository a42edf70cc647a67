// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/guess.h"

#include "core/options.h"
#include "core/system/try.h"

const duet_option_spec duet_guess_options[] = {DUET_OPTION_GUESS, {.name = NULL}};

duet_used_types duet_find_used_types(const duet_instance *instance)
{
    duet_used_types used = {SIZE_MAX, SIZE_MAX, 0};
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->processors[t] == 0) {
            continue;
        }
        if (used.count == 0) {
            used.first = t;
        } else if (used.count == 1) {
            used.second = t;
        }
        used.count++;
    }
    return used;
}

duet_code duet_require_monotone(const duet_instance *instance, const char *algorithm, size_t type,
                                duet_error *error)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_time_table table = duet_table_of(instance, i, type);
        if (duet_has_gaps(table)) {
            return duet_error_set(
                error, DUET_E_UNSUPPORTED,
                "%s needs monotone tables: task '%s' may not run on all numbers of "
                "processors of type %s; moldable-2 takes any tables",
                algorithm, duet_instance_kind_id(instance, i), instance->type_names[type]);
        }
        for (int64_t p = 2; p <= table.sizes && !table.by_law; p++) {
            bool longer = duet_time_at(table, p) > duet_time_at(table, p - 1);
            if (longer || duet_area_at(table, p) < duet_area_at(table, p - 1)) {
                return duet_error_set(
                    error, DUET_E_UNSUPPORTED,
                    "%s needs monotone tables: task '%s' on %lld processors of type %s has %s than "
                    "on %lld; moldable-2 takes any tables",
                    algorithm, duet_instance_kind_id(instance, i), (long long)p,
                    instance->type_names[type], longer ? "a longer time" : "a smaller area",
                    (long long)p - 1);
            }
        }
    }
    return DUET_OK;
}

// The one guess of option `guess`.
static duet_code ask_once(const duet_instance *instance, const duet_context *context,
                          const duet_dual *dual, int64_t guess, duet_solution *solution,
                          duet_error *error)
{
    duet_answer answer = {.yes = false};
    DUET_TRY(dual->guess(dual->state, guess, &answer, error));
    if (answer.stopped) {
        return duet_context_stop_error(context, error);
    }
    if (!answer.yes) {
        char digits[32];
        duet_instance_format_time(instance, guess, digits);
        return duet_error_set(error, DUET_E_INFEASIBLE,
                              "%s: no schedule ends by %s (option guess): expected a longer guess",
                              dual->name, digits);
    }
    solution->ratio_void = true; // it is proven of the least guess with YES
    duet_solution_count(solution, "lambda", guess);
    return dual->build(dual->state, solution, error);
}

duet_code duet_moldable_dual(const duet_instance *instance, const duet_context *context,
                             const duet_dual *dual, duet_priced priced, duet_solution *solution,
                             duet_error *error)
{
    int64_t guess = duet_option_integer(context->options, duet_guess_options, "guess");
    duet_bound bound;
    DUET_TRY(duet_moldable_bound(instance, priced, context, &bound, error));
    if (guess == 0) {
        return duet_dual_run(instance, context, dual, &bound, solution, error);
    }
    duet_solution_offer_bound(solution, &bound);
    return ask_once(instance, context, dual, guess, solution, error);
}
