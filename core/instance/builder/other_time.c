// SPDX-License-Identifier: Apache-2.0
// Files that know one time of each task: the other of a CPU and a GPU is made of it. A CPU takes a
// factor times as long as a GPU, in exact decimals as far as they fit.
#include <string.h>
#include <strings.h>

#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"

void duet_builder_set_gpu_time(duet_builder *builder)
{
    builder->wants.gpu_time = true;
}

// Whether the one time of each kind is a GPU's: the type's name says so, or the reader where the
// file names no type.
static bool is_gpu_time(const duet_builder *builder)
{
    static const char *const names[] = {"gpu", "cuda", "opencl"};
    bool gpu = builder->wants.gpu_time && builder->instance->types == 0;
    const char *name = builder->instance->types == 0 ? "" : builder->instance->type_names[0];
    for (size_t i = 0; i < sizeof names / sizeof *names && !gpu; i++) {
        gpu = strncasecmp(name, names[i], strlen(names[i])) == 0;
    }
    return gpu;
}

// The file's type and the other one, CPUs first. Nobody knows how many there are of the other one.
static duet_code add_type(duet_builder *builder, bool gpu_time, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (instance->types == 0) {
        return DUET_OK; // they get the default names
    }
    duet_code code = duet_builder_add_type(builder, gpu_time ? "cpu" : "gpu", -1, 0, 0, error);
    if (code == DUET_OK && gpu_time) {
        char *name = instance->type_names[0];
        int64_t count = instance->processors[0];
        instance->type_names[0] = instance->type_names[1];
        instance->type_names[1] = name;
        instance->processors[0] = instance->processors[1];
        instance->processors[1] = count;
    }
    if (instance->origin != NULL) {
        instance->origin->worker_rank[0] = 1; // StarPU numbers CPUs last
        instance->origin->worker_rank[1] = 0;
        duet_free(instance->origin->worker); // nobody knows those of the other type
        instance->origin->worker = NULL;
    }
    duet_claim_free(instance->claim); // it is about the platform of the file
    instance->claim = NULL;
    return code;
}

static duet_code too_long(const duet_builder *builder, size_t kind, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                             "time times its factor is too large: expected at most 2^62 ticks; "
                             "expected a smaller factor, or times in a larger unit");
}

// The time of a kind on both types, from the one it has.
static bool make_pair(duet_builder *builder, size_t kind, bool gpu_time, duet_long_decimal factor,
                      duet_long_decimal pair[2])
{
    static const duet_long_decimal zero = {{0, 0}, DUET_DECIMAL_NO_TAIL};
    duet_long_decimal known;
    known.value = duet_builder_time(builder, kind, &known.tail);
    pair[gpu_time ? 1 : 0] = known;
    return gpu_time ? duet_decimal_product_sum(known, factor, zero, &pair[0])
                    : duet_decimal_quotient(known, factor, &pair[1]);
}

duet_code duet_builder_add_other_time(duet_builder *builder, duet_next_factor *next, void *user,
                                      duet_error *error)
{
    size_t kinds = builder->kinds;
    size_t times = kinds > 0 ? builder->times_per_kind : builder->instance->types;
    if (times > 1 || builder->instance->types > 1) {
        return duet_error_set_at(error, DUET_E_USAGE, builder->file, 0, 0,
                                 "option gpu: the file has times for %zu processor types; "
                                 "expected one time of each task",
                                 times);
    }
    bool gpu_time = is_gpu_time(builder);
    int64_t *mantissa = duet_alloc(kinds, 2 * sizeof *mantissa, error);
    uint8_t *places = duet_alloc(kinds, 2 * sizeof *places, error);
    duet_code code = mantissa == NULL || places == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < kinds && code == DUET_OK; i++) {
        duet_long_decimal pair[2];
        if (!make_pair(builder, i, gpu_time, next(user), pair)) {
            code = too_long(builder, i, error);
        }
        for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
            mantissa[2 * i + t] = pair[t].value.mantissa;
            places[2 * i + t] = duet_builder_pack_places(pair[t].value.places, pair[t].tail);
        }
    }
    DUET_THEN(code, add_type(builder, gpu_time, error));
    if (code != DUET_OK) {
        duet_free(mantissa);
        duet_free(places);
        return code;
    }
    duet_free(builder->mantissa);
    duet_free(builder->places);
    builder->mantissa = mantissa;
    builder->places = places;
    builder->times_per_kind = kinds > 0 ? 2 : 0;
    return DUET_OK;
}
