// SPDX-License-Identifier: Apache-2.0
// Tables of kernel times: any bytes give a table or an error, a table that was read can be written
// and read again as the same, and instances are made from it, or an error.
#include <stdio.h>
#include <string.h>

#include "instances/kernels/table.h"
#include "tests/fuzz/fuzz.h"

static duet_code read(const char *path, duet_kernel_table *table)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_kernel_table_open(path, table, &error);
    fuzz_check_error(code, &error);
    return code;
}

static bool same_time(const duet_read_time *a, const duet_read_time *b)
{
    char first[32];
    char second[32];
    return a->forbidden == b->forbidden &&
           (a->forbidden ||
            strcmp(duet_decimal_format(a->value.mantissa, a->value.places, first),
                   duet_decimal_format(b->value.mantissa, b->value.places, second)) == 0);
}

static void check_equal(const duet_kernel_row *a, const duet_kernel_row *b)
{
    fuzz_check(strcmp(a->machine, b->machine) == 0 && strcmp(a->precision, b->precision) == 0,
               "a row's name after a round trip");
    fuzz_check(a->factorisation == b->factorisation && a->kernel == b->kernel && a->tile == b->tile,
               "a row's kernel after a round trip");
    fuzz_check(strcmp(a->unit, b->unit) == 0, "a row's unit after a round trip");
    fuzz_check(same_time(&a->cpu, &b->cpu) && same_time(&a->gpu, &b->gpu),
               "a row's times after a round trip");
    fuzz_check(a->cpu_samples == b->cpu_samples && a->gpu_samples == b->gpu_samples,
               "a row's samples after a round trip");
}

static void round_trip(const duet_kernel_table *table)
{
    const char *path = fuzz_target(1);
    FILE *stream = fopen(path, "wb");
    fuzz_check(stream != NULL, "a file to write");
    duet_kernel_table_write(stream, true, table->rows, table->count);
    fuzz_check(fclose(stream) == 0, "a file that was written");
    duet_kernel_table again;
    fuzz_check(read(path, &again) == DUET_OK, "a table that was written is refused");
    fuzz_check(table->count == again.count, "rows after a round trip");
    for (size_t i = 0; i < table->count; i++) {
        check_equal(&table->rows[i], &again.rows[i]);
    }
    duet_kernel_table_free(&again);
}

static void generate(const char *family, const char *path, const char *row)
{
    char text[DUET_KERNEL_ROW_NAME + 64];
    duet_error error = DUET_ERROR_INIT;
    duet_options *options;
    duet_instance *instance;
    fuzz_check(duet_options_create(&options, NULL) == DUET_OK, "options");
    snprintf(text, sizeof text, "timings=%s", path);
    fuzz_check(duet_options_add(options, text, NULL) == DUET_OK, "options");
    if (row != NULL) {
        snprintf(text, sizeof text, "row=%s", row);
        fuzz_check(duet_options_add(options, text, NULL) == DUET_OK, "options");
    }
    const int64_t counts[] = {2, 1};
    const duet_generate_params params = {sizeof params, 3, 2, counts, 0, options};
    duet_code code = duet_generate(family, &params, &instance, &error);
    fuzz_check_error(code, &error);
    fuzz_check((instance != NULL) == (code == DUET_OK), "an instance beside an error");
    duet_instance_free(instance);
    duet_options_free(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const families[] = {"chol", "lu", "qr"};
    char row[DUET_KERNEL_ROW_NAME];
    duet_kernel_table table;
    const char *path = fuzz_file(0, data, size);
    duet_code code = read(path, &table);
    if (code == DUET_OK) {
        round_trip(&table);
    }
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        generate(families[i], path, NULL);
        if (code == DUET_OK && table.count > 0) {
            generate(families[i], path, duet_kernel_row_name(&table.rows[0], row));
        }
    }
    duet_kernel_table_free(&table);
    return 0;
}
