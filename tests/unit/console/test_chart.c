// SPDX-License-Identifier: Apache-2.0
// What gnuplot is told, by a program of that name that only repeats it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "console/chart.h"
#include "tests/support/scratch_file.h"

static char folder[] = "/tmp/duet-chart-XXXXXX";

// A gnuplot in a folder that PATH begins with, as a shell script.
static void install_gnuplot(const char *script)
{
    char path[64];
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static int make_folder(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    char longer[4096];
    if (mkdtemp(folder) == NULL || path == NULL) {
        return -1;
    }
    snprintf(longer, sizeof longer, "%s:%s", folder, path);
    return setenv("PATH", longer, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/chart.svg", folder);
    unlink(path);
    return rmdir(folder);
}

static const double x[] = {1, 2, 4};

static duet_code write_chart(const double *y, char *path, size_t size)
{
    duet_chart_series series[] = {{"what's shown", 0, 0, x, y, 3}};
    duet_chart chart = {.title = "t",
                        .x_label = "x",
                        .y_label = "y",
                        .linear_y = true,
                        .series = series,
                        .count = 1};
    snprintf(path, size, "%s/chart.svg", folder);
    return duet_chart_write(path, &chart, NULL);
}

static void a_gap_where_there_is_no_value(void **state)
{
    (void)state;
    const double y[] = {1.5, NAN, 1.25};
    char path[64];
    install_gnuplot("exec cat");
    assert_int_equal(write_chart(y, path, sizeof path), DUET_OK);
    char *text = duet_file_text(path, NULL);
    assert_non_null(strstr(text, "<< EOD\n1 1.5\n2 NaN\n4 1.25\nEOD\n"));
    assert_non_null(strstr(text, "'what''s shown'"));
    free(text);
}

static void no_picture_where_gnuplot_fails(void **state)
{
    (void)state;
    const double y[] = {1, 1, 1};
    char path[64];
    install_gnuplot("echo half; exit 3");
    snprintf(path, sizeof path, "%s/chart.svg", folder);
    unlink(path);
    assert_int_equal(write_chart(y, path, sizeof path), DUET_E_OUTPUT);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_where_there_is_no_value),
                                       cmocka_unit_test(no_picture_where_gnuplot_fails)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
