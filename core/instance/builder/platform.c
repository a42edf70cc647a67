// SPDX-License-Identifier: Apache-2.0
// The platform of an instance that is being built: processor types and their counts.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_builder_add_type(duet_builder *builder, const char *name, int64_t count, int line,
                                int column, duet_error *error)
{
    duet_instance *instance = builder->instance;
    const char *file = builder->file;
    if (instance->types == DUET_MAX_TYPES) {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "too many processor types: expected at most %d", DUET_MAX_TYPES);
    }
    if (name[0] == '\0') {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "empty processor type: expected a name");
    }
    if (count > DUET_MAX_PROCESSORS) {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "processors of type %s: expected at most %" PRId64, name,
                                 DUET_MAX_PROCESSORS);
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (strcmp(instance->type_names[t], name) == 0) {
            return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                     "duplicate processor type '%s': expected distinct names",
                                     name);
        }
    }
    char *copy = duet_copy_string(name, error);
    DUET_NEED(copy);
    instance->type_names[instance->types] = copy;
    instance->processors[instance->types] = duet_max(count, 0);
    builder->counts_known = count >= 0 && (instance->types == 0 || builder->counts_known);
    instance->types++;
    return DUET_OK;
}

void duet_builder_set_count(duet_builder *builder, size_t type, int64_t count, bool first)
{
    builder->instance->processors[type] = duet_max(count, 0);
    builder->counts_known = count >= 0 && (first || builder->counts_known);
}

duet_code duet_builder_add_processor_name(duet_builder *builder, size_t type, const char *name,
                                          int line, int column, duet_error *error)
{
    duet_instance *instance = builder->instance;
    duet_names *names = &instance->names[type];
    size_t count = names->count;
    uint32_t number;
    if (name[0] == '\0') {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                                 "empty name of a processor of type %.60s: expected a name",
                                 instance->type_names[type]);
    }
    if (builder->counts_known && (int64_t)count >= instance->processors[type]) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                                 "more names than processors of type %.60s: expected at most "
                                 "%" PRId64,
                                 instance->type_names[type], instance->processors[type]);
    }
    DUET_TRY(duet_names_add(names, 0, name, &number, error));
    if (number < count) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                                 "two processors of type %.60s are named '%.60s': expected "
                                 "distinct names",
                                 instance->type_names[type], name);
    }
    return DUET_OK;
}

void duet_builder_set_watts(duet_builder *builder, bool idle, duet_decimal watts)
{
    duet_instance *instance = builder->instance;
    instance->watts[idle][instance->types - 1] = watts;
    instance->watts_given[idle]++;
}

size_t duet_builder_types(const duet_builder *builder)
{
    return builder->instance->types;
}

const char *duet_builder_type_name(const duet_builder *builder, size_t type)
{
    return builder->instance->type_names[type];
}

size_t duet_builder_find_type(const duet_builder *builder, const char *name)
{
    const duet_instance *instance = builder->instance;
    size_t type = 0;
    while (type < instance->types && strcmp(instance->type_names[type], name) != 0) {
        type++;
    }
    return type;
}

// Without a platform: CPUs and GPUs, in numbers that are given later.
static duet_code default_platform(duet_builder *builder, duet_error *error)
{
    size_t types = builder->kinds == 0 ? 2 : builder->times_per_kind;
    for (size_t t = 0; t < types; t++) {
        char name[32] = "cpu";
        if (t == 1) {
            snprintf(name, sizeof name, "gpu");
        } else if (t > 1) {
            snprintf(name, sizeof name, "gpu%zu", t);
        }
        DUET_TRY(duet_builder_add_type(builder, name, -1, 0, 0, error));
    }
    return DUET_OK;
}

duet_code duet_builder_check_platform(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (instance->types == 0) {
        return default_platform(builder, error);
    }
    DUET_TRY(duet_builder_widen(builder, instance->types, error));
    if (builder->kinds > 0 && builder->times_per_kind != instance->types) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[0], 0,
                                 "%zu times: expected %zu, one per processor type",
                                 builder->times_per_kind, instance->types);
    }
    int64_t total = 0;
    for (size_t t = 0; t < instance->types; t++) {
        total += instance->processors[t];
    }
    if (builder->counts_known && total == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "the platform has no processors: expected at least one");
    }
    instance->has_platform = builder->counts_known;
    return DUET_OK;
}
