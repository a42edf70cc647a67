// SPDX-License-Identifier: Apache-2.0
// Files appear whole or not at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/utf8.h"
#include "tests/support/scratch_file.h"

static char folder[] = "/tmp/duet-output-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); // fails if anything was left behind
}

static void path_in(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void commit_replaces(void **state)
{
    (void)state;
    char path[128];
    path_in(path, sizeof path, "a.txt");
    for (int round = 0; round < 2; round++) {
        duet_output output;
        assert_int_equal(duet_output_open(&output, path, NULL), DUET_OK);
        fprintf(output.stream, "round %d", round);
        assert_int_equal(duet_output_commit(&output, NULL), DUET_OK);
    }
    char *text = duet_file_text(path, NULL);
    assert_string_equal(text, "round 1");
    free(text);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true((status.st_mode & 0400) != 0);
    unlink(path);
}

static void abandon_leaves_nothing(void **state)
{
    (void)state;
    char path[128];
    path_in(path, sizeof path, "b.txt");
    duet_output output;
    assert_int_equal(duet_output_open(&output, path, NULL), DUET_OK);
    fprintf(output.stream, "half");
    duet_output_abandon(&output);
    assert_int_not_equal(access(path, F_OK), 0);
    duet_output_abandon(&output); // harmless
}

static void says_why_not(void **state)
{
    (void)state;
    duet_output output;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_output_open(&output, "/no/such/folder/x", &error), DUET_E_OUTPUT);
    assert_non_null(strstr(error.message, "cannot write"));
    duet_error_clear(&error);
    assert_int_equal(duet_output_open(&output, folder, &error), DUET_E_OUTPUT);
    assert_non_null(strstr(error.message, "it is a folder"));
    duet_error_clear(&error);
    assert_int_equal(duet_output_open(&output, "/dev/full", &error), DUET_OK);
    fprintf(output.stream, "x");
    assert_int_equal(duet_output_commit(&output, &error), DUET_E_OUTPUT);
}

// What fails first is told, though the device takes what comes later.
static void first_failure_sticks(void **state)
{
    (void)state;
    char path[128];
    char block[4 * BUFSIZ];
    duet_output output;
    duet_error error = DUET_ERROR_INIT;
    memset(block, 'x', sizeof block);
    path_in(path, sizeof path, "c.txt");
    assert_int_equal(duet_output_open(&output, path, &error), DUET_OK);
    int kept = output.descriptor;
    output.descriptor = open("/dev/full", O_WRONLY);
    fwrite(block, 1, sizeof block, output.stream);
    assert_int_equal(output.why, ENOSPC);
    close(output.descriptor);
    output.descriptor = kept;
    errno = 0;
    assert_int_equal(duet_output_commit(&output, &error), DUET_E_OUTPUT);
    assert_non_null(strstr(error.message, strerror(ENOSPC)));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void links_are_followed(void **state)
{
    (void)state;
    static const char *const links[][3] = {// a link, where it leads, and what that is in the end
                                           {"near", "there", "there"},
                                           {"chain", "near", "there"},
                                           {"none", NULL, "none"}};
    char path[128];
    char end[128];
    char resolved[PATH_MAX];
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        path_in(path, sizeof path, links[i][0]);
        path_in(end, sizeof end, links[i][2]);
        assert_int_equal(links[i][1] == NULL ? 0 : symlink(links[i][1], path), 0);
        assert_true(duet_output_resolve(path, resolved));
        assert_string_equal(resolved, end);
    }
    path_in(path, sizeof path, "away");
    assert_int_equal(symlink("/no/such/file", path), 0);
    assert_true(duet_output_resolve(path, resolved));
    assert_string_equal(resolved, "/no/such/file");
    unlink(path);
    assert_int_equal(symlink("away", path), 0);
    assert_false(duet_output_resolve(path, resolved));
    assert_int_equal(errno, ELOOP);
    unlink(path);
    path_in(path, sizeof path, "near");
    unlink(path);
    path_in(path, sizeof path, "chain");
    unlink(path);
    assert_true(duet_output_folder("a/b/c", resolved));
    assert_string_equal(resolved, "a/b/");
    assert_true(duet_output_folder("c", resolved));
    assert_string_equal(resolved, ".");
    assert_true(duet_output_folder("/c", resolved));
    assert_string_equal(resolved, "/");
}

// Short enough for every file system, and no part of a letter.
static void temporary_names(void **state)
{
    (void)state;
    char name[256];
    for (size_t begin = 0; begin < 2; begin++) {
        memset(name, 'x', begin);
        for (size_t at = begin; at + 2 < sizeof name; at += 2) {
            memcpy(name + at, "\xc3\xa9", 3);
        }
        char *temporary = duet_output_temporary(name, NULL);
        assert_true(strlen(temporary) < 100);
        assert_true(duet_utf8_valid(temporary, strlen(temporary)));
        char *first = duet_copy_string(temporary, NULL);
        duet_output_rename_temporary(temporary);
        assert_int_equal(strlen(temporary), strlen(first));
        assert_string_not_equal(temporary, first);
        duet_free(first);
        duet_free(temporary);
    }
}

static void json_strings(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    duet_output_json_string(stream, "a\"b\\c\n\xc3\xa9");
    fclose(stream);
    assert_string_equal(text, "\"a\\\"b\\\\c\\u000a\xc3\xa9\"");
    free(text);
}

static void errors(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    char text[256];
    duet_error_set_at(&error, DUET_E_INPUT, "f.json", 3, 7, "bad %s", "thing\nhere");
    duet_error_set(&error, DUET_E_LIMIT, "later");
    assert_int_equal(error.code, DUET_E_INPUT); // the first wins
    assert_string_equal(duet_error_format(&error, text, sizeof text),
                        "f.json:3:7: bad thing\\nhere");
    error.column = 0;
    assert_string_equal(duet_error_format(&error, text, sizeof text), "f.json:3: bad thing\\nhere");
    error.line = 0;
    assert_string_equal(duet_error_format(&error, text, sizeof text), "f.json: bad thing\\nhere");
    assert_int_equal(duet_error_set(NULL, DUET_E_LIMIT, "x"), DUET_E_LIMIT);
    for (int code = DUET_OK; code <= DUET_E_INTERNAL; code++) {
        assert_string_not_equal(duet_code_name((duet_code)code), "unknown");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_replaces),    cmocka_unit_test(abandon_leaves_nothing),
        cmocka_unit_test(says_why_not),       cmocka_unit_test(first_failure_sticks),
        cmocka_unit_test(links_are_followed), cmocka_unit_test(temporary_names),
        cmocka_unit_test(json_strings),       cmocka_unit_test(errors)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
