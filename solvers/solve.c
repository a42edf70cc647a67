// SPDX-License-Identifier: Apache-2.0
// Running an algorithm or a bound with everything around it: what the platform must be, what the
// options may be, how much memory it takes, how long it took.
#include <duet/solve.h>

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/cheap_bounds.h"
#include "solvers/registry.h"

static duet_code check_needs(const duet_instance *instance, const duet_entry *entry,
                             duet_error *error)
{
    if ((entry->needs & DUET_NEEDS_TWO_TYPES) != 0 && instance->types != 2) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "%s needs a platform of two types, CPU and GPU: this one has %zu",
                              entry->name, instance->types);
    }
#ifndef DUET_WITH_GLPK
    if ((entry->needs & DUET_NEEDS_GLPK) != 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "%s needs GLPK, and this build has none (-DDUET_WITH_GLPK=ON)",
                              entry->name);
    }
#endif
    return duet_instance_ready(instance, error);
}

// Ratios are proven for a run to the end: an algorithm that stopped before its argument held has
// shown none.
static void set_guarantee(const duet_algorithm *algorithm, const duet_instance *instance,
                          const duet_context *context, duet_solution *solution)
{
    duet_ratio ratio;
    solution->guarantee[0] = '\0';
    if (algorithm->ratio == NULL ||
        !algorithm->ratio(instance->types, instance->processors, context->options, &ratio)) {
        return;
    }
    if (!solution->ratio_void) {
        duet_ratio_format(ratio, solution->guarantee);
    }
}

uint64_t duet_run_memory(const duet_instance *instance)
{
    // Per task: a schedule and a second one to compare with. Per kind: orders, allocation, queues.
    // Per processor that can be of use: pools and events.
    enum { per_task = 2 * sizeof(duet_placement), per_kind = 64, per_processor = 96 };
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    duet_uint128 bytes = (duet_uint128)tasks * per_task;
    bytes += (duet_uint128)instance->kinds * (per_kind + sizeof(int64_t) * instance->types);
    for (size_t t = 0; t < instance->types; t++) {
        uint64_t processors = (uint64_t)instance->processors[t];
        bytes += (duet_uint128)(processors < tasks ? processors : tasks) * per_processor;
    }
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

static duet_code check_memory(const duet_instance *instance, const duet_context *context,
                              duet_error *error)
{
    uint64_t needed = duet_run_memory(instance);
    size_t limit = duet_memory_limit(context->memory_limit);
    if (needed <= limit) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_LIMIT,
                          "a schedule of %lld tasks takes %llu MiB of memory: expected at most %zu "
                          "MiB (--memory, or half of what is free)",
                          (long long)duet_tasks(instance), (unsigned long long)(needed >> 20) + 1,
                          limit >> 20);
}

duet_code duet_run_algorithm(const duet_instance *instance, const duet_algorithm *algorithm,
                             const duet_context *context, duet_solution **out, duet_error *error)
{
    *out = NULL;
    int64_t start = duet_clock_ns();
    const duet_entry *entry = &algorithm->entry;
    duet_code code = duet_options_check(context->options, entry->options, entry->name, error);
    if (code == DUET_OK) {
        code = check_needs(instance, entry, error);
    }
    if (code == DUET_OK) {
        code = check_memory(instance, context, error);
    }
    duet_solution *solution = NULL;
    if (code == DUET_OK) {
        code = duet_solution_create(duet_tasks(instance), &solution, error);
    }
    if (code == DUET_OK) {
        code = algorithm->run(instance, context, solution, error);
    }
    if (code != DUET_OK) {
        duet_solution_free(solution);
        return code;
    }
    duet_solution_settle(solution, instance);
    set_guarantee(algorithm, instance, context, solution);
    snprintf(solution->algorithm, sizeof solution->algorithm, "%s", entry->name);
    solution->seconds = (double)(duet_clock_ns() - start) * 1e-9;
    *out = solution;
    return DUET_OK;
}

duet_code duet_run_bound(const duet_instance *instance, const duet_bound_method *method,
                         const duet_context *context, duet_bound *out, duet_error *error)
{
    duet_code code = check_needs(instance, &method->entry, error);
    return code == DUET_OK ? method->run(instance, context, out, error) : code;
}

static duet_code unknown_name(duet_error *error, const char *what, const char *name,
                              const duet_entry *entry_at(size_t))
{
    char known[400] = "";
    size_t used = 0;
    for (size_t i = 0; entry_at(i) != NULL && used < sizeof known; i++) {
        int more = snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ",
                            entry_at(i)->name);
        used += more > 0 ? (size_t)more : 0;
    }
    return duet_error_set(error, DUET_E_USAGE, "unknown %s '%.40s': expected one of %s", what, name,
                          known);
}

duet_code duet_solve(const duet_instance *instance, const char *algorithm,
                     const duet_params *params, duet_solution **out, duet_error *error)
{
    *out = NULL;
    const char *name = algorithm == NULL ? "auto" : algorithm;
    const duet_algorithm *found = duet_find_algorithm(name);
    if (found == NULL) {
        return unknown_name(error, "algorithm", name, duet_algorithm_entry);
    }
    duet_context context;
    duet_context_init(&context, params);
    duet_code code = duet_run_algorithm(instance, found, &context, out, error);
    if (code != DUET_OK || (*out)->bound_name[0] != '\0') {
        return code;
    }
    // The algorithm proves nothing, but its schedule is worth a proof. Not part of its time.
    code = duet_offer_cheap_bounds(instance, &context, *out, error);
    if (code != DUET_OK) {
        duet_solution_free(*out);
        *out = NULL;
        return code;
    }
    duet_solution_settle(*out, instance);
    return DUET_OK;
}

duet_code duet_compute_bound(const duet_instance *instance, const char *bound,
                             const duet_params *params, duet_bound *out, duet_error *error)
{
    const duet_bound_method *found = duet_find_bound(bound);
    if (found == NULL) {
        return unknown_name(error, "bound", bound, duet_bound_entry);
    }
    duet_context context;
    duet_context_init(&context, params);
    return duet_run_bound(instance, found, &context, out, error);
}
