// SPDX-License-Identifier: Apache-2.0
#include "tests/support/proof_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/run/exhaustive.h"
#include "tests/support/proof_file.h"

#define NO DUET_FORBIDDEN

// Three tasks of 6 on one CPU and one GPU: the optimum is 12.
const duet_proof_problem duet_proof_sixes = {1, 1, 1, {3}, {6, 6}, 0};
// Optimum 9: five tasks of 3, 4, 5 on one CPU or two GPUs; c and d only on the GPUs.
const duet_proof_problem duet_proof_mixed = {1, 2, 4, {2, 1, 1, 1}, {5, 4, 9, 8, NO, 5, NO, 7}, 0};
// Nothing runs anywhere within 4 but the first.
const duet_proof_problem duet_proof_longs = {1, 1, 2, {1, 2}, {3, 3, 5, 7}, 0};
// A task that takes no time on the GPU, and two kinds of equal times.
const duet_proof_problem duet_proof_zeros = {1, 1, 4, {5, 1, 1, 1}, {3, 0, 4, 4, 4, 4, 4, 4}, 0};
// No GPU at all.
const duet_proof_problem duet_proof_no_gpu = {2, 0, 2, {3, 2}, {4, 1, 3, 1}, 0};

duet_instance *duet_proof_problem_instance(const duet_proof_problem *p)
{
    const duet_type platform[] = {{"cpu", p->cpus}, {"gpu", p->gpus}, {"npu", p->npus}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = p->npus > 0 ? 3 : 2,
                               .platform = platform,
                               .kinds = p->kinds,
                               .counts = p->counts,
                               .times = p->times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

void duet_check_proof_rows(const duet_proof_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        char place[700];
        int length = snprintf(text, sizeof text, "duet-proof 1\n%s", rows[i].text);
        duet_instance *instance = duet_proof_problem_instance(rows[i].problem);
        duet_error error = DUET_ERROR_INIT;
        duet_proof_stats stats;
        duet_code code = duet_verify_text(instance, text, (size_t)length, 1, &stats, &error);
        duet_error_format(&error, place, sizeof place);
        if (rows[i].fault == NULL) {
            if (code != DUET_OK) {
                fail_msg("row %zu: %s\n%s", i, place, text);
            }
            assert_true(stats.bound <= duet_exhaustive_optimum(instance));
        } else if (code != DUET_E_INPUT || strstr(error.message, rows[i].fault) == NULL) {
            fail_msg("row %zu: expected '%s', got code %d '%s'\n%s", i, rows[i].fault, (int)code,
                     place, text);
        } else if (rows[i].line != error.line) {
            fail_msg("row %zu: expected line %d: %s", i, rows[i].line, place);
        }
        assert_true(stats.is_proof);
        duet_instance_free(instance);
    }
}

// As duet_check_proof_rows(), where the optimum is out of reach.
void duet_check_proof_row(const duet_proof_row *expected, size_t index)
{
    char text[512];
    int length = snprintf(text, sizeof text, "duet-proof 1\n%s", expected->text);
    duet_instance *instance = duet_proof_problem_instance(expected->problem);
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_verify_text(instance, text, (size_t)length, 1, NULL, &error);
    bool as_expected = code == DUET_OK ? expected->fault == NULL
                                       : expected->fault != NULL && error.line == expected->line &&
                                             strstr(error.message, expected->fault) != NULL;
    if (!as_expected) {
        fail_msg("row %zu: line %d: %s", index, error.line, error.message);
    }
    duet_instance_free(instance);
}
