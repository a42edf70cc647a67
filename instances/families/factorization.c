// SPDX-License-Identifier: Apache-2.0
// Families chol, lu and qr: the kernels of a tiled factorisation of N x N tiles, with measured
// times from the shipped table or the user's own. Independent tasks, or the task graph.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/system/try.h"
#include "instances/families/factorization_graph.h"
#include "instances/families/family.h"
#include "instances/kernels/table.h"

enum { TILES = 10, MAX_TILES = 100000 };

#define TIMINGS_OPTION                                                                             \
    {                                                                                              \
        "timings", DUET_OPTION_TEXT, "", 0, 0, NULL, "",                                           \
            "a file of kernel times in place of the shipped table, as 'duet measure' writes it"    \
    }

#define EDGES_OPTION                                                                               \
    {                                                                                              \
        "edges", DUET_OPTION_BOOLEAN, "false", 0, 0, NULL, "",                                     \
            "the task graph of the factorisation: kernels wait for the tiles that they need"       \
    }

static const duet_option_spec chol_options[] = {
    {"row", DUET_OPTION_TEXT, "sirocco-single-960", 0, 0, NULL, "",
     "kernel timings: MACHINE-PRECISION-TILE of the table, or canon2018-960; not needed where a "
     "file has one row"},
    TIMINGS_OPTION,
    EDGES_OPTION,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static const duet_option_spec lu_options[] = {
    {"row", DUET_OPTION_TEXT, "sirocco-double-960", 0, 0, NULL, "",
     "kernel timings: MACHINE-PRECISION-TILE of the table; not needed where a file has one row"},
    TIMINGS_OPTION,
    EDGES_OPTION,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static const duet_option_spec qr_options[] = {
    {"row", DUET_OPTION_TEXT, "epyc-double-960", 0, 0, NULL, "",
     "kernel timings: MACHINE-PRECISION-TILE of the table, or assumed-960; not needed where a file "
     "has one row"},
    TIMINGS_OPTION,
    EDGES_OPTION,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// The name of the row to take: the user's, the only one of the user's file, or the default.
static duet_code choose_row(const duet_family_request *request, const duet_kernel_table *table,
                            const duet_factorisation *factorisation, char *name, duet_error *error)
{
    bool given = duet_option_given(request->options, "row");
    bool own = duet_option_given(request->options, "timings");
    const char *row = duet_option_text(request->options, request->table, "row");
    char rows[400];
    size_t count = 0;
    duet_kernel_rows(table, factorisation, rows, sizeof rows, &count);
    if (own && count == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, table->file, 0, 0,
                                 "no kernel times of %s: expected lines of that factorisation",
                                 factorisation->name);
    }
    if (own && !given && count > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%.60s has several rows: expected -O row= one of %s", table->file,
                              rows);
    }
    for (size_t i = 0; i < table->count; i++) {
        const duet_kernel_row *candidate = &table->rows[i];
        if (candidate->factorisation == factorisation &&
            ((own && !given) || strcmp(duet_kernel_row_name(candidate, name), row) == 0)) {
            duet_kernel_row_name(candidate, name);
            return DUET_OK;
        }
    }
    return duet_error_set(error, DUET_E_USAGE, "unknown row '%.40s': expected one of %s", row,
                          rows);
}

static duet_code add_kernel(duet_builder *builder, const duet_tile_kernel *kernel, int64_t n,
                            const duet_kernel_row *row, duet_error *error)
{
    if (duet_kernel_count(kernel, n) == 0) {
        return DUET_OK;
    }
    const duet_read_time times[2] = {row->cpu, row->gpu};
    DUET_TRY(duet_builder_set_time_unit(builder, row->unit, error));
    return duet_factorisation_kind(kernel, n, times, builder, error);
}

// Whether one side of a kernel was measured and the other derived from it: the instance says so in
// its name, so that results do.
static bool is_derived(const duet_kernel_table *table, const duet_factorisation *factorisation,
                       const char *row)
{
    bool derived = false;
    for (int i = 0; i < DUET_KERNELS; i++) {
        const duet_kernel_row *found = duet_kernel_find(table, factorisation, i, row);
        derived =
            derived || (found != NULL && (found->cpu_samples == 0) != (found->gpu_samples == 0));
    }
    return derived;
}

static duet_code add_kernels(duet_family_request *request, const duet_kernel_table *table,
                             const duet_factorisation *factorisation, duet_builder *builder,
                             duet_error *error)
{
    char row[DUET_KERNEL_ROW_NAME];
    char name[DUET_KERNEL_ROW_NAME + 64];
    DUET_TRY(choose_row(request, table, factorisation, row, error));
    bool edges = duet_option_boolean(request->options, request->table, "edges");
    snprintf(name, sizeof name, "%s-%" PRId64 "-%s%s%s", factorisation->family, request->n, row,
             is_derived(table, factorisation, row) ? "-derived" : "", edges ? "-edges" : "");
    duet_code code = duet_builder_set_name(builder, name, error);
    for (int i = 0; i < DUET_KERNELS && code == DUET_OK; i++) {
        const duet_tile_kernel *kernel = &factorisation->kernels[i];
        const duet_kernel_row *found = duet_kernel_find(table, factorisation, i, row);
        if (found == NULL) {
            char names[64];
            return duet_error_set_at(
                error, DUET_E_INPUT, table->file, 0, 0,
                "the row %s of %s has no line for %s: expected one for each of %s", row,
                factorisation->name, kernel->name,
                duet_kernel_names(factorisation, names, sizeof names));
        }
        code = add_kernel(builder, kernel, request->n, found, error);
    }
    duet_family_draft draft = {
        .request = request, .builder = builder, .error = error, .code = code};
    if (edges) {
        duet_factorisation_join(factorisation, request->n, &draft);
    }
    return draft.code;
}

static duet_code generate(duet_family_request *request, duet_builder *builder,
                          const duet_factorisation *factorisation, duet_error *error)
{
    const char *path = duet_option_given(request->options, "timings")
                           ? duet_option_text(request->options, request->table, "timings")
                           : NULL;
    duet_kernel_table table;
    duet_code code = duet_kernel_table_open(path, &table, error);
    DUET_THEN(code, add_kernels(request, &table, factorisation, builder, error));
    duet_kernel_table_free(&table);
    return code;
}

static duet_code generate_chol(duet_family_request *request, duet_builder *builder,
                               duet_error *error)
{
    return generate(request, builder, &duet_factorisations[DUET_CHOLESKY], error);
}

static duet_code generate_lu(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return generate(request, builder, &duet_factorisations[DUET_LU], error);
}

static duet_code generate_qr(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return generate(request, builder, &duet_factorisations[DUET_QR], error);
}

const duet_family duet_family_chol = {
    {.name = "chol",
     .summary = "kernels of a tiled Cholesky factorisation of N x N tiles, measured times",
     .reference = "StarPU's performance models; Canon, Marchal, Simon, Vivien 2018; an NVIDIA H200",
     .options = chol_options},
    TILES,
    MAX_TILES,
    generate_chol,
    NULL};

const duet_family duet_family_lu = {
    {.name = "lu",
     .summary = "kernels of a tiled LU factorisation of N x N tiles, measured times",
     .reference = "StarPU's performance models",
     .options = lu_options},
    TILES,
    MAX_TILES,
    generate_lu,
    NULL};

const duet_family duet_family_qr = {
    {.name = "qr",
     .summary = "kernels of a tiled QR factorisation of N x N tiles, measured CPU times, GPU times "
                "derived",
     .reference = "measured by duet measure; acceleration factors of StarPU's performance models",
     .options = qr_options},
    TILES,
    MAX_TILES,
    generate_qr,
    NULL};
