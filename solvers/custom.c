// SPDX-License-Identifier: Apache-2.0
// Algorithms of the caller's own: the registry that holds them, the row that duet_solve() runs, and
// what their functions may call (duet_work_*).
#include "solvers/custom.h"

#include <duet/registry.h>

#include <string.h>

#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/custom_rule.h"
#include "solvers/custom_work.h"

typedef struct registry_row {
    duet_custom custom;
    duet_entry entry;
} registry_row;

struct duet_registry {
    registry_row *row;
    size_t count;
};

duet_code duet_registry_create(duet_registry **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_custom_free_texts(duet_custom *row)
{
    const char *const texts[] = {row->name, row->summary, row->reference};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        void *text;
        memcpy(&text, &texts[i], sizeof text);
        duet_free(text);
    }
}

void duet_registry_free(duet_registry *registry)
{
    for (size_t i = 0; registry != NULL && i < registry->count; i++) {
        duet_custom_free_texts(&registry->row[i].custom);
    }
    if (registry != NULL) {
        duet_free(registry->row);
    }
    duet_free(registry);
}

duet_code duet_registry_keep(duet_registry *registry, const duet_custom *custom, duet_error *error)
{
    DUET_TRY(duet_vec_grow(registry->row, registry->count, error));
    registry->row[registry->count++] = (registry_row){*custom, duet_custom_row(custom).entry};
    return DUET_OK;
}

const duet_custom *duet_registry_at(const duet_registry *registry, size_t index)
{
    return registry != NULL && index < registry->count ? &registry->row[index].custom : NULL;
}

size_t duet_registry_count(const duet_registry *registry)
{
    return registry == NULL ? 0 : registry->count;
}

const duet_entry *duet_registry_entry(const duet_registry *registry, size_t index)
{
    return index < duet_registry_count(registry) ? &registry->row[index].entry : NULL;
}

const duet_custom *duet_registry_find(const duet_registry *registry, const char *name)
{
    for (size_t i = 0; registry != NULL && i < registry->count; i++) {
        if (strcmp(registry->row[i].custom.name, name) == 0) {
            return &registry->row[i].custom;
        }
    }
    return NULL;
}

// Names a task that the function has placed nowhere. What follows relies on every task's placement.
static duet_code check_placed(const duet_custom *custom, const duet_instance *instance,
                              const duet_solution *solution, duet_error *error)
{
    for (int64_t task = 0; task < solution->tasks; task++) {
        if (solution->placement[task].type < 0) {
            char id[64];
            duet_instance_task_id(instance, task, id, sizeof id);
            return duet_error_set(error, DUET_E_USAGE, "algorithm '%s' placed task '%s' nowhere",
                                  custom->name, id);
        }
    }
    return DUET_OK;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    const duet_custom *custom = context->custom;
    duet_work work = {.instance = instance, .context = context, .solution = solution};
    duet_code code = custom->run(custom->user, instance, &work, error);
    duet_free(work.free_at);
    if (code < DUET_OK || code > DUET_E_INTERNAL) {
        return duet_error_set(error, DUET_E_USAGE, "algorithm '%s' returned %d, which is no code",
                              custom->name, (int)code);
    }
    if (code != DUET_OK && (error == NULL || error->code != code)) {
        return duet_error_set(error, code, "algorithm '%s' failed", custom->name);
    }
    return code == DUET_OK ? check_placed(custom, instance, solution, error) : code;
}

duet_algorithm duet_custom_row(const duet_custom *custom)
{
    return (duet_algorithm){.entry = {.name = custom->name,
                                      .summary = custom->summary,
                                      .reference = custom->reference,
                                      .needs = custom->needs,
                                      .options = custom->options,
                                      .handles = custom->handles},
                            .run = custom->choose != NULL ? duet_custom_rule_run : run,
                            .online = custom->choose != NULL};
}

duet_code duet_work_place(duet_work *work, int64_t task, size_t type, int64_t processor,
                          int64_t start, duet_error *error)
{
    DUET_TRY(duet_work_check(work, task, type, processor, start, error));
    work->solution->placement[task] =
        (duet_placement){.start = start, .processor = (int32_t)processor, .type = (int32_t)type};
    duet_work_occupy(work, task);
    return DUET_OK;
}

duet_code duet_work_offer_bound(duet_work *work, const char *name,
                                const duet_certificate *certificate, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(certificate, work->instance, NULL, &fault);
    if (code != DUET_OK) {
        return duet_error_set(error, code == DUET_E_INPUT ? DUET_E_USAGE : code, "%s",
                              fault.message);
    }
    const duet_bound bound = {
        .name = name, .value = certificate->lambda, .certificate = *certificate};
    duet_solution_offer_bound(work->solution, &bound);
    return DUET_OK;
}

bool duet_work_stop(const duet_work *work)
{
    return duet_context_stop(work->context);
}

void duet_work_report(const duet_work *work, const char *phase, int64_t lower_bound, int64_t best)
{
    duet_context_report(work->context, phase, lower_bound, best);
}

int duet_work_threads(const duet_work *work)
{
    return work->context->threads;
}

uint64_t duet_work_seed(const duet_work *work)
{
    return work->context->seed;
}

int64_t duet_work_integer(const duet_work *work, const char *option)
{
    const duet_context *context = work->context;
    return duet_option_integer(context->options, context->custom->options, option);
}

int64_t duet_work_decimal(const duet_work *work, const char *option)
{
    const duet_context *context = work->context;
    return duet_option_thousandths(context->options, context->custom->options, option);
}

bool duet_work_boolean(const duet_work *work, const char *option)
{
    const duet_context *context = work->context;
    return duet_option_boolean(context->options, context->custom->options, option);
}

int duet_work_choice(const duet_work *work, const char *option)
{
    const duet_context *context = work->context;
    return duet_option_choice(context->options, context->custom->options, option);
}

const char *duet_work_text(const duet_work *work, const char *option)
{
    const duet_context *context = work->context;
    for (const duet_option_spec *spec = context->custom->options;
         spec != NULL && spec->name != NULL; spec++) {
        if (strcmp(spec->name, option) == 0) {
            return duet_option_text(context->options, context->custom->options, option);
        }
    }
    return NULL;
}
