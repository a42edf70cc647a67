// SPDX-License-Identifier: Apache-2.0
// Pictures: formats, bounded size, colours, what is asked of odd schedules.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <duet/report.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "report/palette.h"
#include "report/texts.h"
#include "tests/support/drawn.h"
#include "tests/support/scratch_file.h"

// Of .svg, .png and .pdf, those that this build draws.
#ifdef DUET_WITH_CAIRO
enum { FORMATS = 3 };
#else
enum { FORMATS = 1 };
#endif

static char *path_in(const duet_drawn *f, const char *name, char *path)
{
    snprintf(path, 128, "%s/%s", f->folder, name);
    return path;
}

// Draws into a file, which is read and removed. The caller frees the result.
static char *draw(const duet_drawn *f, const char *name, size_t *size)
{
    char path[128];
    duet_error error = DUET_ERROR_INIT;
    path_in(f, name, path);
    duet_code code = duet_write_gantt(path, f->instance, f->solution, NULL, &error);
    if (code != DUET_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(code, DUET_OK);
    char *text = duet_file_text(path, size);
    assert_int_equal(unlink(path), 0);
    return text;
}

// End of the tag that begins at `at`, outside quotes.
static const char *tag_end(const char *at)
{
    bool quoted = false;
    for (; *at != '\0' && (quoted || *at != '>'); at++) {
        quoted = *at == '"' ? !quoted : quoted;
    }
    assert_int_equal(*at, '>');
    return at;
}

// Elements opened and closed in order, one root. Enough for what cairo writes.
static void assert_well_formed(const char *xml)
{
    char open[64][32];
    size_t depth = 0;
    size_t roots = 0;
    for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at, '<')) {
        const char *end = tag_end(at);
        char name[32] = "";
        sscanf(at + 1 + (at[1] == '/'), "%31[a-zA-Z:]", name);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (at[1] != '?' && at[1] != '!') {
            roots += depth == 0;
            if (end[-1] != '/') {
                assert_true(depth < 64);
                memcpy(open[depth++], name, sizeof name);
            }
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static void test_formats(void **state)
{
    (void)state;
    duet_drawn f;
    duet_drawn_prepare(&f, 2, (const int64_t[]){3, 2}, 4, 5, duet_drawn_kernels);
    size_t size;
    char *svg = draw(&f, "a.svg", &size);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "<svg"));
    char *again = draw(&f, "b.SVG", &size);
    assert_string_equal(svg, again);
    free(svg);
    free(again);
#ifdef DUET_WITH_CAIRO
    char *png = draw(&f, "a.png", &size);
    assert_true(size > 1000);
    assert_memory_equal(png, "\x89PNG\r\n\x1A\n", 8);
    char *pdf = draw(&f, "a.pdf", &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_non_null(strstr(pdf + size - 16, "%%EOF"));
    free(png);
    free(pdf);
#else
    char path[128];
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(
        duet_write_gantt(path_in(&f, "a.png", path), f.instance, f.solution, NULL, &error),
        DUET_E_UNSUPPORTED);
    assert_non_null(strstr(error.message, "DUET_WITH_CAIRO"));
#endif
    duet_drawn_finish(&f);
}

static void test_failures(void **state)
{
    (void)state;
    duet_drawn f;
    duet_drawn_prepare(&f, 2, (const int64_t[]){2, 1}, 4, 1, duet_drawn_kernels);
    char path[128];
    static const char *const unknown[] = {"a.gif", "svg", "a.svg.txt", "-"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_write_gantt(path_in(&f, unknown[i], path), f.instance, f.solution, NULL, &error),
            DUET_E_USAGE);
        assert_non_null(strstr(error.message, ".svg, .png or .pdf"));
    }
    static const char *const endings[] = {"no/such.svg", "no/such.png", "no/such.pdf"};
    for (size_t i = 0; i < FORMATS; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_write_gantt(path_in(&f, endings[i], path), f.instance, f.solution, NULL, &error),
            DUET_E_OUTPUT);
    }
    f.solution->tasks--;
    assert_int_equal(
        duet_write_gantt(path_in(&f, "a.svg", path), f.instance, f.solution, NULL, NULL),
        DUET_E_USAGE);
    f.solution->tasks++;
    duet_drawn_finish(&f);
}

// A device that is always full: the failure comes while writing.
static void test_full_device(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    duet_drawn f;
    duet_drawn_prepare(&f, 2, (const int64_t[]){2, 1}, 4, 50, duet_drawn_kernels);
    static const char *const names[] = {"full.svg", "full.png", "full.pdf"};
    for (size_t i = 0; i < FORMATS; i++) {
        char path[128];
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(symlink("/dev/full", path_in(&f, names[i], path)), 0);
        assert_int_equal(duet_write_gantt(path, f.instance, f.solution, NULL, &error),
                         DUET_E_OUTPUT);
        assert_int_equal(unlink(path), 0);
    }
    duet_drawn_finish(&f);
}

static void test_size_is_bounded(void **state)
{
    (void)state;
    static const int64_t platforms[][2] = {{20, 4}, {64, 8}, {290, 10}, {400, 8}, {100000, 3}};
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        duet_drawn f;
        duet_drawn_prepare(&f, 2, platforms[i], 100000, 1, NULL);
        size_t size;
        char *svg = draw(&f, "a.svg", &size);
        assert_true(size < 4000000);
        assert_well_formed(svg);
        free(svg);
        duet_drawn_finish(&f);
    }
}

static void test_text_is_cleaned(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t size;
        const char *to;
    } cases[] = {{"plain", 16, "plain"},
                 {"", 16, ""},
                 {"a\nb\x7F", 16, "a?b?"},
                 {"\xC3\xA9t\xC3\xA9", 16, "\xC3\xA9t\xC3\xA9"},
                 {"\xC3(\xFF\xED\xA0\x80", 16, "?(????"},
                 {"\xF0\x9F\x98\x80", 16, "\xF0\x9F\x98\x80"},
                 {"longer than this", 8, "long..."},
                 {"abc\xC3\xA9\xC3\xA9\xC3\xA9", 8, "abc..."}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[16];
        duet_clean_text(cases[i].from, SIZE_MAX, out, cases[i].size);
        assert_string_equal(out, cases[i].to);
    }
}

static void test_odd_schedules(void **state)
{
    (void)state;
    static const size_t kinds[] = {0, 1};
    for (size_t i = 0; i < 2; i++) {
        duet_drawn f;
        size_t size;
        duet_drawn_prepare(&f, 2, (const int64_t[]){2, 1}, kinds[i], 1, NULL);
        if (kinds[i] > 0) {
            f.instance->times[0] = 0; // a task that takes no time
            f.solution->makespan = f.solution->lower_bound = 0;
        }
        char *svg = draw(&f, "a.svg", &size);
        assert_well_formed(svg);
        free(svg);
        duet_drawn_finish(&f);
    }
}

// A solution from a file may claim anything; drawing it must not go wrong.
static void test_impossible_schedules(void **state)
{
    (void)state;
    static const duet_placement bad[] = {{0, 0, -1}, {0, 99, 0},        {0, -1, 0},
                                         {-5, 0, 0}, {INT64_MAX, 0, 0}, {INT64_MAX - 100, 0, 0},
                                         {0, 0, 9}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        duet_drawn f;
        size_t size;
        duet_drawn_prepare(&f, 2, (const int64_t[]){2, 1}, 4, 2, duet_drawn_kernels);
        f.solution->placement[3] = bad[i];
        f.solution->lower_bound = i % 2 == 0 ? INT64_MAX : -1;
        f.solution->makespan = i == 0 ? -7 : f.solution->makespan;
        assert_int_equal(
            duet_solution_add_aborted(f.solution, (duet_aborted){99, 0, 1, 0, 0}, NULL), DUET_OK);
        assert_int_equal(duet_solution_add_aborted(f.solution, (duet_aborted){1, 5, 1, 0, 0}, NULL),
                         DUET_OK);
        char *svg = draw(&f, "a.svg", &size);
        assert_well_formed(svg);
        free(svg);
        duet_drawn_finish(&f);
    }
}

static void test_colours_are_stable(void **state)
{
    (void)state;
    duet_colour four[4];
    duet_colour turned[4];
    duet_colour alone[1];
    const char *backwards[] = {"gemm", "syrk", "trsm", "potrf"};
    duet_palette_assign(4, duet_drawn_kernels, four);
    duet_palette_assign(4, backwards, turned);
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(&four[i], &turned[3 - i], sizeof four[i]);
        duet_palette_assign(1, &duet_drawn_kernels[i], alone);
        assert_memory_equal(&four[i], &alone[0], sizeof four[i]);
        for (size_t k = 0; k < i; k++) {
            assert_memory_not_equal(&four[i], &four[k], sizeof four[i]);
        }
    }
    const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    duet_colour all[DUET_PALETTE_SIZE];
    duet_palette_assign(DUET_PALETTE_SIZE, names, all);
    for (size_t i = 0; i < DUET_PALETTE_SIZE; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_memory_not_equal(&all[i], &all[k], sizeof all[i]);
        }
    }
}

// cairo and fontconfig keep what they have read until the process ends, out of sight of a leak
// checker.
DUET_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libcairo\nleak:libfontconfig";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_size_is_bounded),
        cmocka_unit_test(test_text_is_cleaned),
        cmocka_unit_test(test_odd_schedules),
        cmocka_unit_test(test_impossible_schedules),
        cmocka_unit_test(test_colours_are_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
