// SPDX-License-Identifier: Apache-2.0
// Tables of kernel times: what is read, what is refused and where, what is written, the names of
// rows, the factors taken out of them, the counts and operations of factorisations.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instances/kernels/factor.h"
#include "instances/kernels/table.h"

#define HEADER "machine,factorisation,precision,kernel,tile,unit,cpu,gpu,cpu_samples,gpu_samples\n"
#define SHORT "machine,factorisation,precision,kernel,tile,unit,cpu,gpu\n"

static duet_code read_text(const char *text, size_t length, duet_kernel_table *table,
                           duet_error *error)
{
    *table = (duet_kernel_table){.file = "own.csv"};
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length + 1);
    FILE *stream = fmemopen(copy, length, "rb");
    assert_non_null(stream);
    duet_input *input = NULL;
    assert_int_equal(duet_input_wrap(&input, stream, "own.csv", error), DUET_OK);
    duet_code code = duet_kernel_table_read(input, table, error);
    duet_input_close(input);
    fclose(stream);
    free(copy);
    return code;
}

static duet_kernel_table read_good(const char *text)
{
    duet_kernel_table table;
    duet_error error = DUET_ERROR_INIT;
    if (read_text(text, strlen(text), &table, &error) != DUET_OK) {
        fail_msg("line %d: %s", error.line, error.message);
    }
    return table;
}

static void expect_refused(const char *text, int line, int column, const char *fragment)
{
    duet_kernel_table table;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = read_text(text, strlen(text), &table, &error);
    duet_kernel_table_free(&table);
    if (code != DUET_E_INPUT || error.line != line || error.column != column ||
        strcmp(error.file, "own.csv") != 0 || strstr(error.message, fragment) == NULL) {
        fail_msg("expected %d:%d: %s; got %d:%d: %s (code %d) for\n%s", line, column, fragment,
                 error.line, error.column, error.message, (int)code, text);
    }
}

static void test_valid(void **state)
{
    (void)state;
    duet_kernel_table table = read_good(
        "# a comment, \"with\" anything\n\n" HEADER "box,lu,double,gemm,96,us,12.5,0.125,3,0\r\n"
        "# between\n"
        "box,lu,,getrf,96,ms,1e3,,,\n"
        "\"box\",qr,half, tsmqr ,1000000,us,,4611686018427387904,0,4611686018427387904");
    assert_int_equal(table.count, 3);
    const duet_kernel_row *row = table.rows;
    char name[DUET_KERNEL_ROW_NAME];
    assert_string_equal(duet_kernel_row_name(&row[0], name), "box-double-96");
    assert_int_equal(row[0].line, 4);
    assert_int_equal(row[0].cpu.value.mantissa, 125);
    assert_int_equal(row[0].cpu.value.places, 1);
    assert_int_equal(row[0].gpu.value.places, 3);
    assert_int_equal(row[0].cpu_samples, 3);
    assert_int_equal(row[0].gpu_samples, 0);
    assert_string_equal(duet_kernel_row_name(&row[1], name), "box-96");
    assert_true(row[1].gpu.forbidden && !row[1].cpu.forbidden);
    assert_int_equal(row[1].cpu.value.mantissa, 1000);
    assert_int_equal(row[1].cpu_samples, -1);
    assert_int_equal(row[2].factorisation->id, DUET_QR);
    assert_true(row[2].cpu.forbidden);
    duet_kernel_table_free(&table);
    table = read_good(SHORT "box,cholesky,single,syrk,8,us,2,1");
    assert_int_equal(table.count, 1);
    assert_int_equal(table.rows[0].gpu_samples, -1);
    duet_kernel_table_free(&table);
    table = read_good(SHORT);
    assert_int_equal(table.count, 0);
    duet_kernel_table_free(&table);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("\n", 2, 1, "expected the header machine,");
    expect_refused("# only this\n", 2, 1, "expected the header machine,");
    expect_refused("id,cpu,gpu\na,1,2\n", 1, 1, "expected the header machine,");
    expect_refused("machine,factorisation,precision,kernel,tile,unit,gpu,cpu\n", 1, 1, "header");
    expect_refused("machine,factorisation,precision,kernel,tile,unit,cpu,gpu,samples\n", 1, 1,
                   "header");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1\n", 2, 0, "7 fields; expected 8");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,1,3,3\n", 2, 0, "10 fields; expected 8");
    expect_refused(SHORT ",lu,double,gemm,96,us,1,1\n", 2, 1, "machine \"\": expected a name");
    expect_refused(SHORT "a b,lu,double,gemm,96,us,1,1\n", 2, 1, "machine \"a b\"");
    expect_refused(SHORT "\"a,b\",lu,double,gemm,96,us,1,1\n", 2, 1, "machine \"a,b\"");
    expect_refused(SHORT "box,ldl,double,gemm,96,us,1,1\n", 2, 5,
                   "factorisation \"ldl\": expected cholesky, lu or qr");
    expect_refused(SHORT "box,lu,double precision,gemm,96,us,1,1\n", 2, 8, "precision");
    expect_refused(SHORT "box,lu,double,potrf,96,us,1,1\n", 2, 15,
                   "kernel \"potrf\": expected one of getrf, trsm-ll, trsm-ru, gemm");
    expect_refused(SHORT "box,lu,double,gemm,0,us,1,1\n", 2, 20, "tile \"0\"");
    expect_refused(SHORT "box,lu,double,gemm,9.5,us,1,1\n", 2, 20, "tile \"9.5\"");
    expect_refused(SHORT "box,lu,double,gemm,1000001,us,1,1\n", 2, 20, "from 1 to 1000000");
    expect_refused(SHORT "box,lu,double,gemm,9999999999999999999999999,us,1,1\n", 2, 20, "tile");
    expect_refused(SHORT "box,lu,double,gemm,-5,us,1,1\n", 2, 20, "tile \"-5\"");
    expect_refused(SHORT "box,lu,double,gemm,96,,1,1\n", 2, 23, "unit \"\"");
    expect_refused(SHORT "box,lu,double,gemm,96,us,fast,1\n", 2, 26,
                   "time \"fast\": expected a decimal number");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,nan\n", 2, 28, "time \"nan\"");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,-1\n", 2, 28, "at least 0");
    expect_refused(SHORT "box,lu,double,gemm,96,us,0.0,1\n", 2, 26, "a time above 0");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,0\n", 2, 28, "a time above 0");
    expect_refused(SHORT "box,lu,double,gemm,96,us,,\n", 2, 26, "on the CPU, on the GPU, or both");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1e30,1\n", 2, 26, "at most 2^62");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,1e-19\n", 2, 28, "18 decimal places");
    expect_refused(HEADER "box,lu,double,gemm,96,us,1,1,-1,\n", 2, 30, "cpu_samples \"-1\"");
    expect_refused(HEADER "box,lu,double,gemm,96,us,1,1,,0.5\n", 2, 31, "gpu_samples \"0.5\"");
    expect_refused(SHORT "box,lu,double,gemm,96,us,\"1,1\n", 3, 1, "a closing '\"'");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,1\nbox,lu,double,getrf,96,us,1,1\n"
                         "box,lu,double,gemm,96,us,2,1\n",
                   4, 1, "the kernel gemm of box-double-96 stands in line 2 already");
    // One name, twice: the precision may be part of the machine's name.
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,1\nbox-double,lu,,gemm,96,us,1,1\n", 3, 1,
                   "stands in line 2 already");
    expect_refused(SHORT "box,lu,double,gemm,96,us,1,1\nbox,lu,double,getrf,96,ms,1,1\n", 3, 24,
                   "unit \"ms\": expected us, as in line 2");
}

// 10,000 lines are a table, one more is refused.
static void test_most(void **state)
{
    (void)state;
    enum { LINE = 64 };
    char *text = calloc(DUET_KERNEL_ROWS + 2, LINE);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, SHORT);
    for (int i = 0; i <= DUET_KERNEL_ROWS; i++) {
        used += (size_t)snprintf(text + used, LINE, "box,lu,double,gemm,%d,us,1,1\n", i + 1);
    }
    expect_refused(text, DUET_KERNEL_ROWS + 2, 0, "expected at most 10000");
    text[used - strlen("box,lu,double,gemm,10001,us,1,1\n")] = '\0';
    duet_kernel_table table = read_good(text);
    assert_int_equal(table.count, DUET_KERNEL_ROWS);
    duet_kernel_table_free(&table);
    free(text);
}

static void test_cut_short(void **state)
{
    (void)state;
    static const char text[] = HEADER "box,lu,double,gemm,96,us,1.5,0.25,3,4\n";
    for (size_t length = 1; length < sizeof text - 1; length++) {
        duet_kernel_table table;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = read_text(text, length, &table, &error);
        assert_true(code == DUET_OK || (code == DUET_E_INPUT && error.message[0] != '\0'));
        assert_true(code != DUET_OK || table.count <= 1);
        duet_kernel_table_free(&table);
    }
}

static void test_written(void **state)
{
    (void)state;
    static const char text[] = HEADER "box,lu,double,gemm,96,us,12.5,0.125,3,0\n"
                                      "box,lu,,getrf,96,ms,1000,,,7\n"
                                      "a,qr,single,geqrt,1,s,,0.000000001,,\n";
    duet_kernel_table table = read_good(text);
    char *written = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&written, &size);
    assert_non_null(stream);
    duet_kernel_table_write(stream, true, table.rows, table.count);
    fclose(stream);
    assert_string_equal(written, text);
    free(written);
    duet_kernel_table_free(&table);
}

static void test_shipped(void **state)
{
    (void)state;
    duet_kernel_table table;
    duet_error error = DUET_ERROR_INIT;
    if (duet_kernel_table_open(NULL, &table, &error) != DUET_OK) {
        fail_msg("line %d: %s", error.line, error.message);
    }
    // Under each name all kernels of the factorisation.
    for (size_t i = 0; i < table.count; i++) {
        const duet_kernel_row *row = &table.rows[i];
        char name[DUET_KERNEL_ROW_NAME];
        for (int k = 0; k < DUET_KERNELS; k++) {
            assert_non_null(
                duet_kernel_find(&table, row->factorisation, k, duet_kernel_row_name(row, name)));
        }
        assert_false(row->cpu.forbidden || row->gpu.forbidden);
    }
    char text[400];
    size_t names = 0;
    duet_kernel_rows(&table, &duet_factorisations[DUET_CHOLESKY], text, sizeof text, &names);
    assert_int_equal(names, 22);
    assert_non_null(strstr(text, "attila-single-{320|640|960}, idgraf-single-{320|640|960}, "));
    // Cut where there is no room for more.
    char few[20];
    duet_kernel_rows(&table, &duet_factorisations[DUET_CHOLESKY], few, sizeof few, &names);
    assert_memory_equal(few, "attila-single-{320|", sizeof few - 1);
    duet_kernel_table_free(&table);
}

// The shipped GPU times of QR on epyc are what the head of the file says they are.
static void test_derived(void **state)
{
    (void)state;
    duet_kernel_table table;
    assert_int_equal(duet_kernel_table_open(NULL, &table, NULL), DUET_OK);
    size_t checked = 0;
    for (size_t i = 0; i < table.count; i++) {
        const duet_kernel_row *row = &table.rows[i];
        if (row->factorisation->id != DUET_QR || strcmp(row->machine, "epyc") != 0) {
            continue;
        }
        duet_factor_query query = {"sirocco", row->factorisation, row->kernel, row->precision,
                                   row->tile};
        const duet_kernel_row *factor = NULL;
        assert_int_equal(duet_kernel_factor(&table, &query, &factor, NULL), DUET_OK);
        assert_string_equal(factor->precision, row->precision);
        assert_int_equal(factor->tile, row->tile);
        int64_t cpu = 0;
        int64_t gpu = 0;
        assert_true(duet_decimal_scale(row->cpu.value, 3, &cpu));
        assert_true(duet_decimal_scale(row->gpu.value, 3, &gpu));
        assert_int_equal(gpu, duet_kernel_gpu_time(cpu, duet_kernel_acceleration(factor)));
        assert_int_equal(row->gpu_samples, 0);
        checked++;
    }
    assert_int_equal(checked, 32);
    duet_kernel_table_free(&table);
}

static const duet_kernel_row *factor_of(const duet_kernel_table *table, duet_factorisation_id of,
                                        const char *kernel, const char *source,
                                        const char *precision, int64_t tile)
{
    const duet_factorisation *factorisation = &duet_factorisations[of];
    duet_factor_query query = {source, factorisation, duet_kernel_index(factorisation, kernel),
                               precision, tile};
    const duet_kernel_row *row = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_kernel_factor(table, &query, &row, &error);
    assert_true(code == DUET_OK || (code == DUET_E_USAGE && row == NULL));
    return row;
}

static void test_factors(void **state)
{
    (void)state;
    duet_kernel_table table = read_good(SHORT "a,lu,double,gemm,100,us,100,10\n"
                                              "a,lu,double,gemm,200,us,100,5\n"
                                              "a,lu,single,gemm,130,us,100,4\n"
                                              "b,lu,double,gemm,100,us,100,2\n"
                                              "b,lu,double,getrf,100,us,3,\n"
                                              "b,lu,,trsm-ll,100,us,3,2\n"
                                              "c,qr,double,tsmqr,100,us,9,3\n"
                                              "c,lu,double,gemm,100,us,9,1\n");
    const struct {
        duet_factorisation_id of;
        const char *kernel;
        const char *source;
        const char *precision;
        int64_t tile;
        double factor; // 0: none
    } cases[] = {
        {DUET_LU, "gemm", "a", "double", 149, 10}, // the nearest tile
        {DUET_LU, "gemm", "a", "double", 151, 20}, //
        {DUET_LU, "gemm", "a", "single", 100, 25}, // the precision first
        {DUET_LU, "gemm", "a-double-200", "single", 100, 20},
        {DUET_LU, "gemm", "a-double-300", "double", 300, 0},
        {DUET_LU, "gemm", "b", "single", 960, 50}, // another precision where there is no more
        {DUET_LU, "getrf", "b", "double", 100, 0}, // no GPU time
        {DUET_LU, "trsm-ll", "b-100", "double", 100, 1.5},
        {DUET_CHOLESKY, "gemm", "a", "double", 100, 0}, // no stand-in: it is the same name only
        {DUET_QR, "tsmqr", "a", "double", 100, 10},     // LU stands in
        {DUET_QR, "unmqr", "b", "double", 100, 1.5},    //
        {DUET_QR, "tsqrt", "b", "double", 100, 0},      //
        {DUET_QR, "tsmqr", "c", "double", 100, 3},      // its own before the stand-in
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const duet_kernel_row *row = factor_of(&table, cases[i].of, cases[i].kernel,
                                               cases[i].source, cases[i].precision, cases[i].tile);
        double factor = row == NULL ? 0 : duet_kernel_acceleration(row);
        if (fabs(factor - cases[i].factor) > 1e-12) {
            fail_msg("case %zu: factor %g, expected %g", i, factor, cases[i].factor);
        }
    }
    duet_kernel_table_free(&table);
    assert_int_equal(duet_kernel_gpu_time(1000, 3), 333);
    assert_int_equal(duet_kernel_gpu_time(1000, 1e9), 1);
    assert_int_equal(duet_kernel_gpu_time(INT64_MAX, 1e-9), DUET_MAX_WORK);
}

// The kernels of n x n tiles, one by one as the algorithms run them.
static void count_slowly(duet_factorisation_id id, int64_t n, int64_t *counts)
{
    for (int64_t k = 0; k < n; k++) {
        counts[0]++;
        for (int64_t i = k + 1; i < n; i++) {
            counts[1]++;
            counts[2]++;
            for (int64_t j = k + 1; j < (id == DUET_CHOLESKY ? i : n); j++) {
                counts[3]++;
            }
        }
    }
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
        for (int64_t n = 1; n < 30; n++) {
            int64_t counts[DUET_KERNELS] = {0};
            count_slowly(duet_factorisations[f].id, n, counts);
            for (int k = 0; k < DUET_KERNELS; k++) {
                assert_int_equal(duet_kernel_count(&duet_factorisations[f].kernels[k], n),
                                 counts[k]);
            }
        }
    }
}

// Together the kernels do the operations of the untiled factorisation: N^3 b^3 by 1/3, 2/3, 4/3 and
// lower terms. Cholesky's come out to the last one.
static void test_operations(void **state)
{
    (void)state;
    static const double leading[DUET_FACTORISATIONS] = {1.0 / 3, 2.0 / 3, 4.0 / 3};
    enum { TILE = 10000, TILES = 12 };
    for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
        const duet_factorisation *factorisation = &duet_factorisations[f];
        double sum = 0;
        for (int k = 0; k < DUET_KERNELS; k++) {
            sum += (double)duet_kernel_count(&factorisation->kernels[k], TILES) *
                   duet_kernel_operations(&factorisation->kernels[k], TILE);
        }
        double side = (double)TILE * TILES;
        double wanted = leading[f] * side * side * side;
        assert_true(fabs(sum / wanted - 1) < 1e-3);
        if (factorisation->id == DUET_CHOLESKY) {
            double whole =
                duet_kernel_operations(&factorisation->kernels[0], (int64_t)TILE * TILES);
            assert_true(fabs(sum / whole - 1) < 1e-14);
        }
    }
    assert_true(duet_kernel_operations(&duet_factorisations[DUET_LU].kernels[3], 960) ==
                2.0 * 960 * 960 * 960);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_most),    cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_written), cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_derived), cmocka_unit_test(test_factors),
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
