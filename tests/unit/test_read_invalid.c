// SPDX-License-Identifier: Apache-2.0
// The malformed files of tests/invalid through the library: the code and the message that
// tests/invalid/expected.tsv states. tests/shell/invalid.sh does the same through the command.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/io.h>

#include "core/instance.h"

static int exit_code(duet_code code)
{
    switch (code) {
    case DUET_OK:
        return 0;
    case DUET_E_USAGE:
        return 2;
    case DUET_E_INPUT:
        return 3;
    case DUET_E_INFEASIBLE:
        return 4;
    default:
        return 5;
    }
}

// What the commands bound, solve and verify do with the files, up to any computing.
static duet_code run(char *arguments, duet_error *error)
{
    char *save = NULL;
    char *word[12] = {NULL};
    int words = 0;
    for (char *w = strtok_r(arguments, " ", &save); w != NULL && words < 12;
         w = strtok_r(NULL, " ", &save)) {
        word[words++] = w;
    }
    int64_t counts[DUET_MAX_TYPES] = {-1, -1};
    for (int i = 2; i + 1 < words; i++) {
        if (strcmp(word[i], "-m") == 0 || strcmp(word[i], "-k") == 0) {
            counts[word[i][1] == 'k'] = strtoll(word[i + 1], NULL, 10);
        }
    }
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_code code = duet_read_instance(word[1], &instance, error);
    if (code == DUET_OK && counts[0] >= 0) {
        code = duet_instance_set_counts(instance, 2, counts, error);
    }
    if (code == DUET_OK && strcmp(word[0], "verify") == 0) {
        code = duet_read_solution(word[2], instance, &solution, error);
    }
    if (code == DUET_OK) {
        code = duet_instance_ready(instance, error);
    }
    if (code == DUET_OK && strcmp(word[0], "solve") == 0) {
        code = duet_solution_create(duet_instance_tasks(instance), &solution, error);
    }
    assert_true(code == DUET_OK || strcmp(word[0], "verify") != 0 || solution == NULL);
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

static void test_expected_messages(void **state)
{
    (void)state;
    assert_int_equal(chdir(DUET_SOURCE_DIR "/tests/invalid"), 0);
    FILE *file = fopen("expected.tsv", "r");
    assert_non_null(file);
    char line[1024];
    int rows = 0;
    int wrong = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        char *code_text = strchr(line, '\t');
        assert_non_null(code_text);
        *code_text++ = '\0';
        char *fragment = strchr(code_text, '\t');
        assert_non_null(fragment);
        *fragment++ = '\0';
        char arguments[1024];
        char message[1400];
        duet_error error = DUET_ERROR_INIT;
        snprintf(arguments, sizeof arguments, "%s", line);
        int code = exit_code(run(arguments, &error));
        duet_error_format(&error, message, sizeof message);
        rows++;
        if (code != atoi(code_text) || strstr(message, fragment) == NULL || *fragment == '\0') {
            wrong++;
            print_error("%s: expected %s with \"%s\", got %d with \"%s\"\n", line, code_text,
                        fragment, code, message);
        }
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(rows >= 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
