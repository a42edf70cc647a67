// SPDX-License-Identifier: Apache-2.0
// Building an instance: what every format and every caller must satisfy is checked here and in the
// files beside this one.

#include "core/instance/builder/builder_state.h"
#include "core/instance/unit.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_builder_create(duet_builder **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    (*out)->instance = duet_alloc(1, sizeof *(*out)->instance, error);
    if ((*out)->instance == NULL) {
        duet_free(*out);
        *out = NULL;
        return DUET_E_MEMORY;
    }
    return DUET_OK;
}

void duet_builder_free(duet_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    duet_instance_free(builder->instance);
    duet_free(builder->count);
    duet_free(builder->line);
    duet_free(builder->mantissa);
    duet_free(builder->places);
    duet_free(builder->ids);
    duet_name_index_free(&builder->index);
    duet_free(builder->first_task);
    duet_free(builder->from);
    duet_free(builder->to);
    duet_free(builder->edge_cost);
    duet_free(builder->edge_at);
    duet_free(builder->later);
    duet_builder_free_told(builder);
    duet_free(builder->cores);
    duet_free(builder->release);
    duet_free(builder->deadline);
    duet_free(builder->moment);
    duet_free(builder->priority);
    duet_free(builder->group);
    duet_free(builder->busy);
    duet_builder_free_costs(builder);
    duet_builder_free_moldable(builder);
    duet_free(builder);
}

void duet_builder_set_file(duet_builder *builder, const char *file)
{
    builder->file = file;
}

duet_code duet_builder_default_time_unit(duet_builder *builder, const char *unit, duet_error *error)
{
    const char *own = builder->instance->time_unit;
    duet_unit known;
    if (own == NULL || !duet_unit_find(own, &known)) {
        return duet_builder_set_time_unit(builder, unit, error);
    }
    if (duet_unit_same(own, unit)) {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_USAGE, builder->file, 0, 0,
                             "the times of this file are in \"%.40s\": expected that unit, or none "
                             "beside the file, got \"%.40s\"",
                             own, unit);
}

duet_code duet_builder_take_lengths(duet_builder *builder, duet_error *error)
{
    const char *own = builder->instance->time_unit;
    duet_unit known;
    if (own != NULL && duet_unit_find(own, &known) && !duet_unit_same(own, "s")) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "lengths of time such as 1h are in seconds, and the unit of the "
                                 "file is \"%.40s\"; expected numbers in that unit, or \"s\"",
                                 own);
    }
    return duet_builder_default_time_unit(builder, "s", error);
}

void duet_builder_want_exact(duet_builder *builder)
{
    builder->wants.exact = true;
}

void duet_builder_set_limits(duet_builder *builder, const struct duet_context *limits)
{
    builder->limits = limits;
}

void duet_builder_set_sched(duet_builder *builder, duet_sched_form form)
{
    builder->instance->sched = form;
}

void duet_builder_set_mixed_sets(duet_builder *builder, bool mixed_sets)
{
    builder->instance->mixed_sets = mixed_sets;
}

// Hands the arrays over, cut to size.
static duet_code fill_instance(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (instance->name == NULL && duet_builder_set_name(builder, "unnamed", error) != DUET_OK) {
        return DUET_E_MEMORY;
    }
    if (instance->time_unit == NULL && duet_builder_set_time_unit(builder, "", error) != DUET_OK) {
        return DUET_E_MEMORY;
    }
    instance->first = duet_alloc(builder->kinds + 1, sizeof *instance->first, error);
    DUET_NEED(instance->first);
    for (size_t i = 0; i < builder->kinds; i++) {
        instance->first[i + 1] = instance->first[i] + builder->count[i];
    }
    size_t cells = builder->kinds * builder->times_per_kind;
    if (cells > 0) {
        int64_t *times = duet_resize(builder->mantissa, cells, sizeof *times, NULL);
        builder->mantissa = times == NULL ? builder->mantissa : times;
        size_t *id_at = duet_resize(instance->id_at, builder->kinds, sizeof *id_at, NULL);
        instance->id_at = id_at == NULL ? instance->id_at : id_at;
        char *ids = duet_resize(builder->ids, builder->ids_used, 1, NULL);
        builder->ids = ids == NULL ? builder->ids : ids;
    }
    instance->times = builder->mantissa;
    instance->ids = builder->ids;
    builder->mantissa = NULL;
    builder->ids = NULL;
    instance->kinds = builder->kinds;
    if (builder->moldable == NULL) {
        instance->mixed_sets = false; // without tasks nothing is mixed
    }
    return DUET_OK;
}

// What is checked of the whole, in this order: each needs what those before it have made.
static duet_code (*const checks[])(duet_builder *, duet_error *) = {
    duet_builder_tell_moments,
    duet_builder_check_platform,
    duet_builder_check_busy,
    duet_builder_make_rigid,
    duet_builder_round_digits,
    duet_builder_check_claim,
    duet_builder_check_ids,
    duet_builder_check_tables,
    duet_builder_join_edges,
    duet_builder_scale_times,
    duet_builder_check_work,
    duet_builder_check_graph,
    fill_instance,
    duet_builder_fit_moldable,
    duet_builder_keep_deadlines,
    duet_builder_keep_groups,
    duet_builder_take_told,
};

duet_code duet_builder_finish(duet_builder *builder, duet_instance **out, duet_error *error)
{
    duet_code code = DUET_OK;
    *out = NULL;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && code == DUET_OK; i++) {
        code = checks[i](builder, error);
    }
    if (code == DUET_OK) {
        *out = builder->instance;
        builder->instance = NULL;
    }
    return code;
}
