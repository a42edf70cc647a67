// SPDX-License-Identifier: Apache-2.0
// The table of instance families, and what their generators have in common.
#include <duet/generate.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "instances/families/family.h"

static const duet_family *const all_families[] = {
    &duet_family_uniform,
    &duet_family_acc,
    &duet_family_unif2,
    &duet_family_unif4,
    &duet_family_corr,
    &duet_family_bimod,
    &duet_family_chol,
    &duet_family_lu,
    &duet_family_qr,
    &duet_family_bleuse,
    &duet_family_mixed,
    // Task graphs.
    &duet_family_layered,
    &duet_family_daggen,
    &duet_family_series_parallel,
    &duet_family_fork_join,
    &duet_family_chains,
    &duet_family_adhoc,
    &duet_family_mixed_graph,
    // Moldable tasks.
    &duet_family_amdahl,
    &duet_family_downey,
    &duet_family_tables,
    &duet_family_platform_study,
    // Drawn and measured ones above, worst cases below.
    &duet_family_worst_heteroprio_1_1,
    &duet_family_worst_heteroprio_m_1,
    &duet_family_worst_heteroprio,
    &duet_family_worst_heteroprio_graph,
    &duet_family_worst_qa,
    &duet_family_worst_qa_graph,
    &duet_family_worst_er_ls,
    &duet_family_worst_quickest,
    &duet_family_worst_ratio,
    &duet_family_worst_eft,
    &duet_family_worst_heft,
    &duet_family_worst_heft_published,
    &duet_family_worst_lpt,
    &duet_family_worst_dualhp,
    &duet_family_worst_dual_2,
    &duet_family_worst_shelf_3_2,
    &duet_family_worst_dual_4_3,
    &duet_family_worst_accel_published,
};

size_t duet_family_count(void)
{
    return sizeof all_families / sizeof all_families[0];
}

const duet_entry *duet_family_entry(size_t index)
{
    return index < duet_family_count() ? &all_families[index]->entry : NULL;
}

// If no family has the name, the message lists those that are no worst cases: it has no room for
// all.
static const duet_family *find_family(const char *name, duet_error *error)
{
    char known[400] = "";
    size_t used = 0;
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(name);
    for (size_t i = 0; i < duet_family_count(); i++) {
        const char *candidate = all_families[i]->entry.name;
        if (strcmp(candidate, name) == 0) {
            return all_families[i];
        }
        duet_nearest_offer(&nearest, candidate);
        if (all_families[i]->entry.guarantee == NULL) {
            int added = snprintf(known + used, sizeof known - used, "%s, ", candidate);
            used += added > 0 && used + (size_t)added < sizeof known ? (size_t)added : 0;
        }
    }
    duet_error_set(error, DUET_E_USAGE,
                   "unknown family '%.60s'%s: expected one of %sor a worst case, 'duet list "
                   "families' has them",
                   name, duet_nearest_hint(&nearest, hint), known);
    return NULL;
}

// Whether it makes instances of other than two processor types, too.
static bool any_types(const duet_family *family)
{
    return (family->entry.handles & DUET_FEATURE_ANY_TYPES) != 0;
}

static duet_code check_request(const duet_family *family, int64_t n, const duet_options *options,
                               duet_error *error)
{
    const char *name = family->entry.name;
    if (n != 0 && family->maximum == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "size %" PRId64 " of family %s: expected none; what it depends on is "
                              "its platform and options",
                              n, name);
    }
    if (n < 0 || n > family->maximum) {
        char usual[40] = "what is drawn";
        if (family->fallback > 0) {
            snprintf(usual, sizeof usual, "the default of %" PRId64, family->fallback);
        }
        return duet_error_set(error, DUET_E_USAGE,
                              "size %" PRId64 " of family %s: expected 1 to %" PRId64
                              "; without one it is %s",
                              n, name, family->maximum, usual);
    }
    enum { BYTES_PER_TASK = 96 }; // kind, id, two times, with room for growing
    duet_code code = DUET_OK;
    if (n > 1000) {
        code = duet_memory_check((uint64_t)n, BYTES_PER_TASK, 0, "the generated tasks", error);
    }
    return code == DUET_OK ? duet_options_check(options, family->entry.options, name, error) : code;
}

// The request's processors: those given, the family's own where none were.
static duet_code settle_platform(const duet_family *family, duet_family_request *request,
                                 duet_error *error)
{
    enum { CPUS = 20, GPUS = 4 };
    if (request->types != 0 && request->types != 2 && !any_types(family)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%zu processor types: expected two, CPUs and GPUs; 'mixed' has any "
                              "number of them",
                              request->types);
    }
    DUET_TRY(family->platform == NULL ? duet_family_default_platform(request, CPUS, GPUS)
                                      : family->platform(request, error));
    int64_t m = request->cpus;
    int64_t k = request->gpus;
    if ((m < 0 || k < 0 || m > DUET_MAX_PROCESSORS || k > DUET_MAX_PROCESSORS ||
         (request->types == 2 && m + k == 0))) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%" PRId64 " CPUs and %" PRId64
                              " GPUs: expected 0 to 2147483647 of each, and at least one processor",
                              m, k);
    }
    return DUET_OK;
}

static duet_code build(const duet_family *family, duet_family_request *request,
                       duet_builder *builder, duet_instance **out, duet_error *error)
{
    DUET_TRY(settle_platform(family, request, error));
    bool own = (family->entry.handles & DUET_FEATURE_MOLDABLE) != 0;
    if (!own) {
        DUET_TRY(duet_builder_add_type(builder, "cpu", request->cpus, 0, 0, error));
    }
    if (!own) {
        DUET_TRY(duet_builder_add_type(builder, "gpu", request->gpus, 0, 0, error));
    }
    for (size_t t = 2; t < request->types; t++) {
        char name[32];
        snprintf(name, sizeof name, "gpu%zu", t);
        DUET_TRY(duet_builder_add_type(builder, name, request->further[t - 2], 0, 0, error));
    }
    DUET_TRY(family->generate(request, builder, error));
    return duet_builder_finish(builder, out, error);
}

static duet_code check_counts(size_t types, const int64_t *counts, duet_error *error)
{
    if (types == 1 || types > DUET_MAX_TYPES) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%zu processor types: expected 2 to %d, or 0 for the family's own",
                              types, DUET_MAX_TYPES);
    }
    if (types > 0 && counts == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "no processor counts: expected one of each type");
    }
    bool some = types == 0;
    for (size_t t = 0; t < types; t++) {
        if (counts[t] < -1 || counts[t] > DUET_MAX_PROCESSORS) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "%" PRId64 " processors of type %zu: expected 0 to 2147483647, "
                                  "or -1 for the family's own",
                                  counts[t], t);
        }
        some = some || counts[t] != 0;
    }
    return some ? DUET_OK
                : duet_error_set(error, DUET_E_USAGE, "no processors: expected at least one");
}

// Checks what is asked of a family, and says it in its words.
static duet_code make_request(const duet_family *family, const duet_generate_params *params,
                              duet_family_request *request, duet_error *error)
{
    size_t types = params->types;
    DUET_TRY(check_counts(types, params->counts, error));
    DUET_TRY(check_request(family, params->size, params->options, error));
    *request = (duet_family_request){.n = params->size == 0 ? family->fallback : params->size,
                                     .types = types > 0 || any_types(family) ? types : 2,
                                     .cpus = types > 0 ? params->counts[0] : -1,
                                     .gpus = types > 1 ? params->counts[1] : -1,
                                     .seed = params->seed,
                                     .options = params->options,
                                     .table = family->entry.options};
    for (size_t t = 2; t < types; t++) {
        request->further[t - 2] = params->counts[t];
    }
    duet_random_seed(&request->random, params->seed);
    return DUET_OK;
}

duet_code duet_generate(const char *family_name, const duet_generate_params *params,
                        duet_instance **out, duet_error *error)
{
    duet_generate_params known = DUET_GENERATE_PARAMS_INIT;
    duet_family_request request;
    *out = NULL;
    const duet_family *family = find_family(family_name, error);
    DUET_TRY(family == NULL ? DUET_E_USAGE : DUET_OK);
    if (params != NULL) {
        DUET_TRY(duet_struct_take(&known, sizeof known, sizeof known, params,
                                  "duet_generate_params", error));
    }
    DUET_TRY(make_request(family, &known, &request, error));
    duet_error inner = DUET_ERROR_INIT;
    duet_builder *builder = NULL;
    duet_code code = duet_builder_create(&builder, &inner);
    DUET_THEN(code, build(family, &request, builder, out, &inner));
    duet_builder_free(builder);
    if (code == DUET_OK) {
        return DUET_OK;
    }
    if (inner.file[0] != '\0') {
        return duet_error_set_at(error, code, inner.file, inner.line, inner.column, "%s",
                                 inner.message);
    }
    // There is no file: what the builder refuses comes from the caller's request.
    return duet_error_set(error, code == DUET_E_INPUT ? DUET_E_USAGE : code, "family %s: %s",
                          family_name, inner.message);
}
