// SPDX-License-Identifier: Apache-2.0
// Families chol and lu: the kernels of a tiled Cholesky or LU factorisation of N x N tiles, with
// measured times from the shipped table. The tasks are taken as independent.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "instances/family.h"
#include "instances/kernel_table.h"

enum { TILES = 10, MAX_TILES = 100000 };

static const duet_option_spec chol_options[] = {
    {"row", DUET_OPTION_TEXT, "sirocco-single-960", 0, 0, NULL, "",
     "kernel timings: MACHINE-PRECISION-TILE of the shipped table, or canon2018-960"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static const duet_option_spec lu_options[] = {
    {"row", DUET_OPTION_TEXT, "sirocco-double-960", 0, 0, NULL, "",
     "kernel timings: MACHINE-PRECISION-TILE of the shipped table"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct kernel_count {
    const char *kernel;
    int64_t count;
} kernel_count;

static duet_code add_kernel(duet_builder *builder, const char *factorisation, const char *row,
                            kernel_count kernel, duet_error *error)
{
    duet_kernel_timing timing;
    if (!duet_kernel_find(factorisation, row, kernel.kernel, &timing)) {
        char rows[400];
        return duet_error_set(error, DUET_E_USAGE, "unknown row '%.40s': expected one of %s", row,
                              duet_kernel_rows(factorisation, rows, sizeof rows));
    }
    if (kernel.count == 0) {
        return DUET_OK;
    }
    duet_read_time times[2] = {{false, timing.cpu}, {false, timing.gpu}};
    duet_code code = duet_builder_set_time_unit(builder, timing.unit, error);
    if (code == DUET_OK) {
        code = duet_builder_add_kind(builder, kernel.kernel, strlen(kernel.kernel), kernel.count,
                                     times, 2, 0, 0, error);
    }
    return code;
}

static duet_code add_kernels(duet_family_request *request, duet_builder *builder,
                             const char *family, const char *factorisation,
                             const kernel_count kernels[4], duet_error *error)
{
    const char *row = duet_option_text(request->options, request->table, "row");
    char name[128];
    snprintf(name, sizeof name, "%s-%" PRId64 "-%.60s", family, request->n, row);
    duet_code code = duet_builder_set_name(builder, name, error);
    for (int i = 0; i < 4 && code == DUET_OK; i++) {
        code = add_kernel(builder, factorisation, row, kernels[i], error);
    }
    return code;
}

static duet_code generate_chol(duet_family_request *request, duet_builder *builder,
                               duet_error *error)
{
    int64_t n = request->n;
    const kernel_count kernels[4] = {{"potrf", n},
                                     {"trsm", n * (n - 1) / 2},
                                     {"syrk", n * (n - 1) / 2},
                                     {"gemm", n * (n - 1) * (n - 2) / 6}};
    return add_kernels(request, builder, "chol", "cholesky", kernels, error);
}

static duet_code generate_lu(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    int64_t n = request->n;
    const kernel_count kernels[4] = {{"getrf", n},
                                     {"trsm-ll", n * (n - 1) / 2},
                                     {"trsm-ru", n * (n - 1) / 2},
                                     {"gemm", n * (n - 1) * (2 * n - 1) / 6}};
    return add_kernels(request, builder, "lu", "lu", kernels, error);
}

const duet_family duet_family_chol = {
    {"chol", "kernels of a tiled Cholesky factorisation of N x N tiles, measured times", NULL,
     "StarPU's performance models; Canon, Marchal, Simon, Vivien 2018", 0, chol_options},
    TILES,
    MAX_TILES,
    generate_chol,
    NULL};

const duet_family duet_family_lu = {
    {"lu", "kernels of a tiled LU factorisation of N x N tiles, measured times", NULL,
     "StarPU's performance models", 0, lu_options},
    TILES,
    MAX_TILES,
    generate_lu,
    NULL};
