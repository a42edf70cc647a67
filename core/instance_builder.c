// SPDX-License-Identifier: Apache-2.0
// Building an instance: what every format and every caller must satisfy is checked here.
#include "core/instance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/fraction.h"
#include "core/memory.h"
#include "core/struct_size.h"

struct duet_builder {
    duet_instance *instance; // filled as we go; kinds and first[] only at the end
    const char *file;
    bool counts_known;
    size_t kinds;
    size_t times_per_kind; // of the first kind; 0 before it
    int64_t *count;
    size_t count_capacity;
    int32_t *line;
    size_t line_capacity;
    size_t id_capacity;
    int64_t *mantissa; // kinds x times_per_kind; DUET_FORBIDDEN where it cannot run
    size_t mantissa_capacity;
    int8_t *places;
    size_t places_capacity;
    char *ids;
    size_t ids_used;
    size_t ids_capacity;
    int claim_line;
    int claim_column;
    int claim_places; // decimal places of its times
};

duet_code duet_builder_create(duet_builder **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    if (*out == NULL) {
        return DUET_E_MEMORY;
    }
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
    duet_free(builder);
}

void duet_builder_set_file(duet_builder *builder, const char *file)
{
    builder->file = file;
}

static duet_code replace_string(char **target, const char *text, duet_error *error)
{
    char *copy = duet_copy_string(text, error);
    if (copy == NULL) {
        return DUET_E_MEMORY;
    }
    duet_free(*target);
    *target = copy;
    return DUET_OK;
}

duet_code duet_builder_set_name(duet_builder *builder, const char *name, duet_error *error)
{
    return replace_string(&builder->instance->name, name, error);
}

duet_code duet_builder_set_time_unit(duet_builder *builder, const char *unit, duet_error *error)
{
    return replace_string(&builder->instance->time_unit, unit, error);
}

duet_code duet_builder_set_notice(duet_builder *builder, const char *notice, duet_error *error)
{
    return replace_string(&builder->instance->notice, notice, error);
}

void duet_builder_set_origin(duet_builder *builder, duet_origin *origin)
{
    duet_origin_free(builder->instance->origin);
    builder->instance->origin = origin;
}

duet_code duet_builder_set_claim(duet_builder *builder, const duet_read_claim *claim,
                                 duet_error *error)
{
    duet_claim_free(builder->instance->claim);
    builder->claim_line = claim->line;
    builder->claim_column = claim->column;
    duet_read_claim placed = *claim;
    placed.file = builder->file;
    return duet_claim_create(&placed, &builder->instance->claim, &builder->claim_places, error);
}

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
    if (copy == NULL) {
        return DUET_E_MEMORY;
    }
    instance->type_names[instance->types] = copy;
    instance->processors[instance->types] = count < 0 ? 0 : count;
    builder->counts_known = count >= 0 && (instance->types == 0 || builder->counts_known);
    instance->types++;
    return DUET_OK;
}

static duet_code check_kind(const duet_builder *builder, const char *id, size_t id_length,
                            int64_t count, const duet_read_time *times, size_t time_count, int line,
                            int column, duet_error *error)
{
    const char *file = builder->file;
    size_t expected = builder->instance->types;
    const char *why = "one per processor type";
    if (expected == 0 && builder->kinds > 0) {
        expected = builder->times_per_kind;
        why = "as for the first task";
    }
    if (id_length == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "empty task id: expected a name");
    }
    if (time_count == 0 || time_count > DUET_MAX_TYPES ||
        (expected != 0 && time_count != expected)) {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "%zu times: expected %zu, %s", time_count,
                                 expected == 0 ? (size_t)1 : expected, why);
    }
    if (count < 1 || count > DUET_MAX_WORK) {
        return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                                 "task '%.*s': count %" PRId64
                                 ": expected a whole number of at least 1",
                                 (int)(id_length < 60 ? id_length : 60), id, count);
    }
    bool somewhere = false;
    for (size_t t = 0; t < time_count; t++) {
        somewhere = somewhere || !times[t].forbidden;
    }
    if (!somewhere) {
        return duet_error_set_at(error, DUET_E_INFEASIBLE, file, line, column,
                                 "task '%.*s' is forbidden on every processor type: expected a "
                                 "time on at least one",
                                 (int)(id_length < 60 ? id_length : 60), id);
    }
    return DUET_OK;
}

static duet_code grow_for_kind(duet_builder *builder, size_t id_length, size_t time_count,
                               duet_error *error)
{
    duet_instance *instance = builder->instance;
    size_t n = builder->kinds;
    duet_code code =
        duet_grow(&builder->count, n, &builder->count_capacity, sizeof *builder->count, error);
    if (code == DUET_OK) {
        code = duet_grow(&builder->line, n, &builder->line_capacity, sizeof *builder->line, error);
    }
    if (code == DUET_OK) {
        code =
            duet_grow(&instance->id_at, n, &builder->id_capacity, sizeof *instance->id_at, error);
    }
    for (size_t last = (n + 1) * time_count - 1;
         code == DUET_OK && last >= builder->mantissa_capacity;) {
        code = duet_grow(&builder->mantissa, builder->mantissa_capacity,
                         &builder->mantissa_capacity, sizeof *builder->mantissa, error);
    }
    for (size_t last = (n + 1) * time_count - 1;
         code == DUET_OK && last >= builder->places_capacity;) {
        code = duet_grow(&builder->places, builder->places_capacity, &builder->places_capacity,
                         sizeof *builder->places, error);
    }
    for (size_t last = builder->ids_used + id_length;
         code == DUET_OK && last >= builder->ids_capacity;) {
        code = duet_grow(&builder->ids, builder->ids_capacity, &builder->ids_capacity, 1, error);
    }
    return code;
}

duet_code duet_builder_add_kind(duet_builder *builder, const char *id, size_t id_length,
                                int64_t count, const duet_read_time *times, size_t time_count,
                                int line, int column, duet_error *error)
{
    duet_code code =
        check_kind(builder, id, id_length, count, times, time_count, line, column, error);
    if (code == DUET_OK) {
        code = grow_for_kind(builder, id_length, time_count, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    size_t n = builder->kinds++;
    builder->times_per_kind = time_count;
    builder->count[n] = count;
    builder->line[n] = line;
    builder->instance->id_at[n] = builder->ids_used;
    memcpy(builder->ids + builder->ids_used, id, id_length);
    builder->ids[builder->ids_used + id_length] = '\0';
    builder->ids_used += id_length + 1;
    for (size_t t = 0; t < time_count; t++) {
        size_t at = n * time_count + t;
        builder->mantissa[at] = times[t].forbidden ? DUET_FORBIDDEN : times[t].value.mantissa;
        builder->places[at] = (int8_t)(times[t].forbidden ? 0 : times[t].value.places);
    }
    return DUET_OK;
}

size_t duet_builder_kinds(const duet_builder *builder)
{
    return builder->kinds;
}

// --- duplicate ids ---------------------------------------------------------------------------

// An open-addressing table of kind indices, keyed by id.
typedef struct id_table {
    size_t *slot; // kind + 1, or 0
    size_t mask;
} id_table;

static uint64_t hash_bytes(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static const char *id_of(const duet_builder *builder, size_t kind)
{
    return builder->ids + builder->instance->id_at[kind];
}

// The slot of an id: its kind's, or the empty one where it would go.
static size_t *find_slot(const duet_builder *builder, const id_table *table, const char *id,
                         size_t length)
{
    for (size_t at = (size_t)hash_bytes(id, length) & table->mask;; at = (at + 1) & table->mask) {
        size_t *slot = &table->slot[at];
        if (*slot == 0) {
            return slot;
        }
        const char *known = id_of(builder, *slot - 1);
        if (strncmp(known, id, length) == 0 && known[length] == '\0') {
            return slot;
        }
    }
}

// "a#7" is also task 7 of a kind "a" of more than 7 tasks.
static bool names_task_of_other_kind(const duet_builder *builder, const id_table *table,
                                     const char *id)
{
    const char *hash = strrchr(id, '#');
    if (hash == NULL || hash == id || hash[1] == '\0' || (hash[1] == '0' && hash[2] != '\0')) {
        return false;
    }
    int64_t number = 0;
    for (const char *c = hash + 1; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || number > (INT64_MAX - 9) / 10) {
            return false;
        }
        number = number * 10 + (*c - '0');
    }
    size_t *slot = find_slot(builder, table, id, (size_t)(hash - id));
    return *slot != 0 && builder->count[*slot - 1] > 1 && number < builder->count[*slot - 1];
}

static duet_code duplicate(const duet_builder *builder, size_t kind, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                             "duplicate task id '%s': expected every task to have its own",
                             id_of(builder, kind));
}

static duet_code check_ids(const duet_builder *builder, duet_error *error)
{
    id_table table = {NULL, 0};
    size_t slots = 16;
    while (slots < builder->kinds * 2) {
        slots *= 2;
    }
    table.mask = slots - 1;
    table.slot = duet_alloc(slots, sizeof *table.slot, error);
    if (table.slot == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = DUET_OK;
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        size_t *slot = find_slot(builder, &table, id_of(builder, i), strlen(id_of(builder, i)));
        if (*slot != 0) {
            code = duplicate(builder, i, error);
        }
        *slot = i + 1;
    }
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        if (builder->count[i] == 1 &&
            names_task_of_other_kind(builder, &table, id_of(builder, i))) {
            code = duplicate(builder, i, error);
        }
    }
    duet_free(table.slot);
    return code;
}

// --- finishing ---------------------------------------------------------------------------------

static duet_code default_platform(duet_builder *builder, duet_error *error)
{
    size_t types = builder->kinds == 0 ? 2 : builder->times_per_kind;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < types && code == DUET_OK; t++) {
        char name[32] = "cpu";
        if (t == 1) {
            snprintf(name, sizeof name, "gpu");
        } else if (t > 1) {
            snprintf(name, sizeof name, "gpu%zu", t);
        }
        code = duet_builder_add_type(builder, name, -1, 0, 0, error);
    }
    return code;
}

// A claim is about one platform.
static duet_code check_claim(const duet_builder *builder, duet_error *error)
{
    if (builder->instance->claim == NULL || builder->instance->has_platform) {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->claim_line,
                             builder->claim_column,
                             "a claim about no platform: expected one with processor counts");
}

static duet_code check_platform(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (instance->types == 0) {
        return default_platform(builder, error);
    }
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

// Turns mantissas into ticks of the common scale, in place.
static duet_code scale_times(duet_builder *builder, duet_error *error)
{
    size_t cells = builder->kinds * builder->times_per_kind;
    int decimals = builder->instance->claim == NULL ? 0 : builder->claim_places;
    for (size_t i = 0; i < cells; i++) {
        decimals = builder->places[i] > decimals ? builder->places[i] : decimals;
    }
    for (size_t i = 0; i < cells; i++) {
        duet_decimal value = {builder->mantissa[i], builder->places[i]};
        if (value.mantissa != DUET_FORBIDDEN &&
            !duet_decimal_scale(value, decimals, &builder->mantissa[i])) {
            return duet_error_set_at(
                error, DUET_E_INPUT, builder->file, builder->line[i / builder->times_per_kind], 0,
                "time too large: expected at most 2^62 ticks of 10^-%d", decimals);
        }
    }
    builder->instance->decimals = decimals;
    if (builder->instance->claim != NULL &&
        !duet_claim_scale(builder->instance->claim, builder->claim_places, decimals)) {
        return duet_error_set_at(
            error, DUET_E_INPUT, builder->file, builder->claim_line, builder->claim_column,
            "claimed times too large: expected at most 2^62 ticks of 10^-%d", decimals);
    }
    return DUET_OK;
}

// The longest allowed times of all tasks must add up to at most DUET_MAX_WORK.
static duet_code check_work(const duet_builder *builder, duet_error *error)
{
    duet_uint128 work = 0;
    duet_uint128 tasks = 0;
    for (size_t i = 0; i < builder->kinds; i++) {
        int64_t longest = 0;
        for (size_t t = 0; t < builder->times_per_kind; t++) {
            int64_t time = builder->mantissa[i * builder->times_per_kind + t];
            longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
        }
        work += (duet_uint128)longest * (duet_uint128)builder->count[i];
        tasks += (uint64_t)builder->count[i];
        if (work > (duet_uint128)DUET_MAX_WORK || tasks > (duet_uint128)DUET_MAX_WORK) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[i], 0,
                                     "too much %s: expected at most 2^62 %s in total",
                                     work > (duet_uint128)DUET_MAX_WORK ? "work" : "to do",
                                     work > (duet_uint128)DUET_MAX_WORK ? "ticks" : "tasks");
        }
    }
    return DUET_OK;
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
    if (instance->first == NULL) {
        return DUET_E_MEMORY;
    }
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
    return DUET_OK;
}

duet_code duet_builder_finish(duet_builder *builder, duet_instance **out, duet_error *error)
{
    *out = NULL;
    duet_code code = check_platform(builder, error);
    if (code == DUET_OK) {
        code = check_claim(builder, error);
    }
    if (code == DUET_OK) {
        code = check_ids(builder, error);
    }
    if (code == DUET_OK) {
        code = scale_times(builder, error);
    }
    if (code == DUET_OK) {
        code = check_work(builder, error);
    }
    if (code == DUET_OK) {
        code = fill_instance(builder, error);
    }
    if (code == DUET_OK) {
        *out = builder->instance;
        builder->instance = NULL;
    }
    return code;
}

// --- from arrays -------------------------------------------------------------------------------

static duet_code add_described_kinds(duet_builder *builder, const duet_instance_desc *desc,
                                     duet_error *error)
{
    duet_read_time times[DUET_MAX_TYPES];
    duet_code code = DUET_OK;
    for (size_t i = 0; i < desc->kinds && code == DUET_OK; i++) {
        for (size_t t = 0; t < desc->types; t++) {
            int64_t time = desc->times[i * desc->types + t];
            if (time < 0 || (time > DUET_MAX_WORK && time != DUET_FORBIDDEN)) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "kind %zu: time %" PRId64 ": expected 0 to 2^62 ticks", i,
                                      time);
            }
            times[t] = (duet_read_time){time == DUET_FORBIDDEN, {time, 0}};
        }
        char number[32];
        snprintf(number, sizeof number, "t%zu", i);
        const char *id = desc->ids == NULL ? number : desc->ids[i];
        code = duet_builder_add_kind(builder, id, strlen(id),
                                     desc->counts == NULL ? 1 : desc->counts[i], times, desc->types,
                                     0, 0, error);
    }
    return code;
}

static duet_code describe(duet_builder *builder, const duet_instance_desc *desc, duet_error *error)
{
    if (desc->types < 1 || desc->types > DUET_MAX_TYPES || desc->decimals < 0 ||
        desc->decimals > DUET_MAX_DECIMALS) {
        return duet_error_set(error, DUET_E_INPUT,
                              "expected 1 to %d processor types and 0 to %d decimals",
                              DUET_MAX_TYPES, DUET_MAX_DECIMALS);
    }
    duet_code code = DUET_OK;
    if (desc->name != NULL) {
        code = duet_builder_set_name(builder, desc->name, error);
    }
    if (code == DUET_OK && desc->time_unit != NULL) {
        code = duet_builder_set_time_unit(builder, desc->time_unit, error);
    }
    for (size_t t = 0; t < desc->types && code == DUET_OK; t++) {
        if (desc->platform[t].count < 0) {
            return duet_error_set(error, DUET_E_INPUT, "processors of type %s: expected at least 0",
                                  desc->platform[t].name);
        }
        code = duet_builder_add_type(builder, desc->platform[t].name, desc->platform[t].count, 0, 0,
                                     error);
    }
    if (code == DUET_OK && desc->claim != NULL) {
        const duet_claim *claim = desc->claim;
        duet_read_claim read = {.algorithm = claim->algorithm,
                                .options = claim->options,
                                .limit = claim->limit,
                                .source = claim->source,
                                .optimum = {claim->optimum, 0},
                                .makespan = {claim->makespan, 0},
                                .refuted = claim->refuted};
        code = duet_builder_set_claim(builder, &read, error);
    }
    return code == DUET_OK ? add_described_kinds(builder, desc, error) : code;
}

duet_code duet_instance_create(const duet_instance_desc *desc, duet_instance **out,
                               duet_error *error)
{
    *out = NULL;
    duet_instance_desc known = {.struct_size = sizeof known};
    duet_builder *builder;
    duet_code code =
        duet_struct_take(&known, sizeof known, DUET_SIZE_UNTIL(duet_instance_desc, claim), desc,
                         "duet_instance_desc", error);
    if (code == DUET_OK) {
        code = duet_builder_create(&builder, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    code = describe(builder, &known, error);
    if (code == DUET_OK) {
        code = duet_builder_finish(builder, out, error);
    }
    if (code == DUET_OK) {
        (*out)->decimals = known.decimals;
    }
    duet_builder_free(builder);
    return code;
}
