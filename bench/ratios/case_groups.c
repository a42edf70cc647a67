// SPDX-License-Identifier: Apache-2.0
// The instances of `duet bench ratios`, in groups: those of one group differ in their seed alone.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "console/paths.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static bool is_small(const duet_ratios_group *group)
{
    return duet_ratios_is_small(group->family);
}

static bool is_worst_case(const char *family)
{
    return strncmp(family, "worst-", strlen("worst-")) == 0;
}

// Factorisations and worst cases: the seed changes nothing.
static bool is_fixed(const char *family)
{
    return strcmp(family, "chol") == 0 || strcmp(family, "lu") == 0 || strcmp(family, "qr") == 0 ||
           is_worst_case(family);
}

static duet_code read_file(const duet_ratios_group *group, duet_instance **out, duet_error *error)
{
    duet_code code = duet_read_instance(group->path, NULL, out, error);
    bool given = group->m.first + group->k.first > 0;
    if (code == DUET_OK && given && duet_instance_types(*out) != 2) {
        code = duet_error_set_at(error, DUET_E_UNSUPPORTED, group->path, 0, 0,
                                 "--platforms M:K: expected two processor types, got %zu",
                                 duet_instance_types(*out));
    }
    if (code == DUET_OK && given) {
        const int64_t counts[2] = {group->m.first, group->k.first};
        code = duet_instance_set_counts(*out, 2, counts, error);
    }
    if (code == DUET_OK && !duet_instance_has_platform(*out)) {
        code = duet_error_set_at(error, DUET_E_USAGE, group->path, 0, 0,
                                 "the file has no processor counts: expected --platforms M:K");
    }
    if (code != DUET_OK) {
        duet_instance_free(*out);
        *out = NULL;
    }
    return code;
}

duet_code duet_ratios_instance(const duet_ratios *ratios, size_t job, duet_instance **out,
                               duet_error *error)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    uint64_t seed = duet_ratios_seed(ratios, job);
    *out = NULL;
    if (group->path != NULL) {
        return read_file(group, out, error);
    }
    if (!is_small(group)) {
        const duet_ratios_shape shape = duet_ratios_shape_of(ratios, job);
        return duet_bench_generate(group->family, shape.size, shape.m, shape.k, seed, "", out,
                                   error);
    }
    *out = duet_ratios_make_small(group->family, seed);
    return *out == NULL ? duet_error_set(error, DUET_E_MEMORY, "out of memory") : DUET_OK;
}

static uint64_t mix(uint64_t digest, int64_t value)
{
    static const uint64_t prime = UINT64_C(1099511628211); // FNV-1a
    for (int byte = 0; byte < 8; byte++) {
        digest = (digest ^ ((uint64_t)value >> 8 * byte & 0xff)) * prime;
    }
    return digest;
}

// All of a file's instance that results depend on.
static uint64_t mix_instance(uint64_t digest, const duet_instance *instance)
{
    size_t types = duet_instance_types(instance);
    digest = mix(digest, duet_instance_decimals(instance));
    for (size_t t = 0; t < types; t++) {
        digest = mix(digest, duet_instance_type_count(instance, t));
    }
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        digest = mix(digest, duet_instance_kind_count(instance, i));
        for (size_t t = 0; t < types; t++) {
            digest = mix(digest, duet_instance_time(instance, i, t));
        }
    }
    return digest;
}

// The bytes of a file, where there is one.
static uint64_t mix_file(uint64_t digest, const char *path)
{
    FILE *file = fopen(path, "rb");
    for (int byte = file == NULL ? EOF : fgetc(file); byte != EOF; byte = fgetc(file)) {
        digest = mix(digest, byte);
    }
    if (file != NULL) {
        fclose(file);
    }
    return digest;
}

// What the schedules for an instance are.
static uint64_t mix_solutions(uint64_t digest, const duet_ratios_settings *s, const char *file,
                              const duet_instance *instance)
{
    char path[DUET_CLI_PATH_SIZE];
    for (size_t a = 0; a < s->algorithm_count; a++) {
        const char *folder = s->algorithm[a].folder;
        if (folder != NULL && duet_cli_find_solution(folder, file, instance, path, sizeof path)) {
            digest = mix_file(digest, path);
        }
    }
    return digest;
}

static duet_cli_count just(int64_t count)
{
    return (duet_cli_count){count, count};
}

static duet_code add_group(duet_ratios *ratios, const duet_ratios_group *group, duet_error *error)
{
    DUET_TRY(duet_vec_grow(ratios->groups, ratios->group_count, error));
    duet_ratios_group *added = &ratios->groups[ratios->group_count++];
    *added = *group;
    added->seeded =
        group->path == NULL && (!is_fixed(group->family) || duet_ratios_is_drawn(group));
    added->count = added->seeded ? ratios->settings.instances : 1;
    added->first = ratios->jobs;
    ratios->jobs += added->count;
    // The first instance of a group tells what it asks for in vain, and the number of tasks where
    // they all have as many.
    duet_instance *first = NULL;
    DUET_TRY(duet_ratios_instance(ratios, added->first, &first, error));
    added->decimals = duet_instance_decimals(first);
    if (duet_ratios_is_drawn(added)) {
        added->n = added->size;
    } else if (!is_small(added)) {
        added->n = just(duet_instance_tasks(first));
        added->m = just(duet_instance_type_count(first, 0));
        added->k = just(duet_instance_types(first) > 1 ? duet_instance_type_count(first, 1) : 0);
    }
    if (added->path != NULL) {
        added->file = first;
        ratios->contents = mix_instance(ratios->contents, first);
        ratios->contents = mix_solutions(ratios->contents, &ratios->settings, added->path, first);
    } else {
        duet_instance_free(first);
    }
    return DUET_OK;
}

// On every platform.
static duet_code add_groups(duet_ratios *ratios, duet_ratios_group group, duet_error *error)
{
    const duet_ratios_settings *s = &ratios->settings;
    for (size_t p = 0; p < s->platform_count; p++) {
        group.m = s->m[p];
        group.k = s->k[p];
        DUET_TRY(add_group(ratios, &group, error));
    }
    return DUET_OK;
}

static duet_code add_family(duet_ratios *ratios, const char *family, duet_error *error)
{
    const duet_ratios_settings *s = &ratios->settings;
    bool own_size = is_worst_case(family) && (s->given & DUET_RATIOS_SIZES) == 0;
    duet_ratios_group group = {.family = family};
    if (is_small(&group)) {
        return add_group(ratios, &group, error);
    }
    for (size_t n = 0; n < (own_size ? 1 : s->size_count); n++) {
        group.size = own_size ? just(0) : s->size[n];
        DUET_TRY(add_groups(ratios, group, error));
    }
    return DUET_OK;
}

static duet_code add_file(duet_ratios *ratios, const char *path, duet_error *error)
{
    duet_ratios_group group = {.family = "file", .path = path};
    return ratios->settings.platform_count == 0 ? add_group(ratios, &group, error)
                                                : add_groups(ratios, group, error);
}

static duet_code make_room(duet_ratios *ratios, duet_error *error)
{
    size_t algorithms = ratios->settings.algorithm_count;
    DUET_TRY(duet_memory_check((uint64_t)ratios->jobs * algorithms, sizeof *ratios->ratio, 0,
                               "the ratios of the instances", error));
    ratios->ratio = duet_alloc(ratios->jobs * algorithms, sizeof *ratios->ratio, error);
    ratios->seen = duet_alloc(algorithms * ratios->group_count, sizeof *ratios->seen, error);
    return ratios->ratio == NULL || ratios->seen == NULL ? DUET_E_MEMORY : DUET_OK;
}

duet_code duet_ratios_create(duet_ratios *ratios, duet_error *error)
{
    const duet_ratios_settings *s = &ratios->settings;
    for (size_t f = 0; f < s->family_count; f++) {
        DUET_TRY(add_family(ratios, s->family[f], error));
    }
    for (size_t f = 0; f < s->file_count; f++) {
        DUET_TRY(add_file(ratios, s->file[f], error));
    }
    return make_room(ratios, error);
}

void duet_ratios_free(duet_ratios *ratios)
{
    for (size_t p = 0; p < ratios->group_count; p++) {
        duet_instance_free(ratios->groups[p].file);
    }
    duet_free(ratios->groups);
    duet_free(ratios->ratio);
    duet_free(ratios->seen);
}

char *duet_ratios_name(const duet_ratios *ratios, size_t job, char *buffer)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    uint64_t seed = duet_ratios_seed(ratios, job);
    int64_t size = duet_ratios_shape_of(ratios, job).size;
    if (group->path != NULL) {
        snprintf(buffer, DUET_RATIOS_NAME, "%s", group->path);
    } else if (is_small(group)) {
        snprintf(buffer, DUET_RATIOS_NAME, "%s-%" PRIu64, group->family, seed);
    } else if (group->seeded) {
        snprintf(buffer, DUET_RATIOS_NAME, "%s-%" PRId64 "-%" PRIu64, group->family, size, seed);
    } else if (size > 0) {
        snprintf(buffer, DUET_RATIOS_NAME, "%s-%" PRId64, group->family, size);
    } else {
        snprintf(buffer, DUET_RATIOS_NAME, "%s", group->family);
    }
    return buffer;
}
