// SPDX-License-Identifier: Apache-2.0
#include "tests/support/read_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_file.h"

// Reads a file with options "key=value key=value"; NULL: none.
duet_code duet_read_scratch_file(const char *file, const char *settings, duet_instance **out,
                                 duet_error *error)
{
    duet_read_params params = DUET_READ_PARAMS_INIT;
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    char copy[200];
    snprintf(copy, sizeof copy, "%s", settings == NULL ? "" : settings);
    char *rest = NULL;
    for (char *one = strtok_r(copy, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        assert_int_equal(duet_options_add(options, one, NULL), DUET_OK);
    }
    params.options = options;
    duet_code code = duet_read_instance(file, &params, out, error);
    duet_options_free(options);
    return code;
}

duet_instance *duet_read_text_with(const char *text, const char *settings)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_scratch_put(text, strlen(text));
    if (duet_read_scratch_file(duet_scratch_path, settings, &instance, &error) != DUET_OK) {
        fail_msg("line %d: %s, in:\n%s", error.line, error.message, text);
    }
    return instance;
}

duet_instance *duet_read_text(const char *text)
{
    return duet_read_text_with(text, NULL);
}

void duet_expect_refused(const duet_bad_text *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_scratch_put(files[i].text, strlen(files[i].text));
        duet_code code = duet_read_scratch_file(duet_scratch_path, NULL, &instance, &error);
        if (code != DUET_E_INPUT || error.line != files[i].line ||
            strstr(error.message, files[i].message) == NULL) {
            fail_msg("code %d, line %d: %s; expected line %d: %s, in:\n%s", (int)code, error.line,
                     error.message, files[i].line, files[i].message, files[i].text);
        }
        assert_null(instance);
    }
}

// A text cut anywhere is an error or a smaller instance, never a crash.
void duet_cut_anywhere(const char *text)
{
    for (size_t length = 0; length < strlen(text); length++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_scratch_put(text, length);
        duet_code code = duet_read_scratch_file(duet_scratch_path, NULL, &instance, &error);
        assert_true((code == DUET_OK) == (instance != NULL));
        assert_true((code == DUET_OK) == (error.message[0] == '\0'));
        duet_instance_free(instance);
    }
}

void duet_expect_edge(const duet_instance *instance, int64_t edge, int64_t from, int64_t to)
{
    duet_edge found = duet_instance_edge(instance, edge);
    assert_int_equal(found.from, from);
    assert_int_equal(found.to, to);
}

// The time of a kind as text.
void duet_expect_time(const duet_instance *instance, size_t kind, size_t type, const char *time)
{
    char buffer[32];
    assert_true(type < duet_instance_types(instance));
    assert_string_equal(
        duet_instance_format_time(instance, duet_instance_time(instance, kind, type), buffer),
        time);
}
