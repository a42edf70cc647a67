// SPDX-License-Identifier: Apache-2.0
// gnuplot reads its script from standard input and writes the picture to standard output: no names
// are quoted, no shell is involved, and the picture appears whole or not at all. It writes to a
// pipe, so that a full disk is seen here, whatever gnuplot makes of one.
#define _GNU_SOURCE // environ, pipe2()
#include "console/chart.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/output.h"
#include "core/system/utf8.h"

// Okabe and Ito's palette: told apart with every common colour blindness; yellow is too pale on
// white.
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof colours / sizeof *colours };

// gnuplot's numbers of marks that differ in shape, not only in fill.
static const int marks[] = {7, 5, 9, 11, 13, 15, 6};
enum { MARKS = sizeof marks / sizeof *marks };

static const char *terminal_for(const char *path)
{
    static const struct {
        const char *ending;
        const char *terminal;
    } terminals[] = {
        {".svg", "svg size 640,420 dynamic font 'Helvetica,13' background 'white'"},
        {".pdf", "pdfcairo size 12cm,8cm font 'Helvetica,9'"},
        {".png", "pngcairo size 1280,840 font 'Helvetica,20'"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        if (length > 4 && strcmp(path + length - 4, terminals[i].ending) == 0) {
            return terminals[i].terminal;
        }
    }
    return NULL;
}

// A text in gnuplot's single quotes, where the quote itself is special, and the end of the line,
// which would begin another command.
static void write_quoted(FILE *stream, const char *text)
{
    fputc('\'', stream);
    while (*text != '\0') {
        char shown[DUET_SHOWN];
        text += duet_utf8_show((const unsigned char *)text, SIZE_MAX, shown);
        fputs(shown[0] == '\'' ? "''" : shown, stream);
    }
    fputc('\'', stream);
}

static void write_label(FILE *stream, const char *what, const char *text)
{
    fprintf(stream, "set %s ", what);
    write_quoted(stream, text);
    fputs(" noenhanced offset 0,0.3\n", stream);
}

// Ticks at the values themselves where they are few: 50, 100, 200 says more than 10^2.
static void write_x_axis(FILE *stream, const duet_chart *chart)
{
    enum { few = 8 };
    static const double margin = 1.12;
    double tick[few];
    size_t ticks = 0;
    double low = 0;
    double high = 0;
    for (size_t s = 0; s < chart->count; s++) {
        for (size_t i = 0; i < chart->series[s].count; i++) {
            double x = chart->series[s].x[i];
            low = low == 0 || x < low ? x : low;
            high = duet_max(x, high);
            size_t known = 0;
            while (known < ticks && known < few && tick[known] != x) {
                known++;
            }
            if (known == ticks && ticks < few) {
                tick[ticks] = x;
            }
            ticks += known == ticks;
        }
    }
    if (chart->linear_x) {
        fprintf(stream, "set xrange [0:%.9g]\n", high);
        return;
    }
    fprintf(stream, "set xrange [%.9g:%.9g]\n", low / margin, high * margin);
    if (ticks == 0 || ticks > few || chart->points) {
        return;
    }
    fputs("set xtics (", stream);
    for (size_t t = 0; t < ticks; t++) {
        fprintf(stream, "%s%.9g", t == 0 ? "" : ", ", tick[t]);
    }
    fputs(")\n", stream);
}

static void write_scales(FILE *stream, const duet_chart *chart)
{
    static const char *const axes[2][2] = {{"xy", "y"}, {"x", NULL}};
    const char *logarithmic = axes[chart->linear_y][chart->linear_x];
    if (logarithmic != NULL) {
        fprintf(stream, "set logscale %s\n", logarithmic);
    }
    if (chart->linear_y) {
        fprintf(stream, "set yrange [%.9g:*]\n", chart->least_y);
    } else {
        fputs("set format y '10^{%L}'\n", stream);
    }
}

static void write_script(FILE *stream, const char *terminal, const duet_chart *chart)
{
    fprintf(stream, "set terminal %s\n", terminal);
    write_scales(stream, chart);
    fputs("set border 3\nset tics nomirror\n"
          "set grid xtics ytics lt 1 lw 0.5 lc rgb '#c8c8c8'\n"
          "set key outside center bottom vertical maxrows 3 reverse Left noenhanced samplen 3\n",
          stream);
    write_x_axis(stream, chart);
    write_label(stream, "title", chart->title);
    write_label(stream, "xlabel", chart->x_label);
    write_label(stream, "ylabel", chart->y_label);
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        fprintf(stream, "$s%zu << EOD\n", s);
        for (size_t i = 0; i < series->count; i++) {
            if (isnan(series->y[i])) {
                fprintf(stream, "%.9g NaN\n", series->x[i]);
            } else {
                fprintf(stream, "%.9g %.9g\n", series->x[i], series->y[i]);
            }
        }
        fputs("EOD\n", stream);
    }
    fputs("plot ", stream);
    for (size_t s = 0; s < chart->count; s++) {
        const duet_chart_series *series = &chart->series[s];
        fprintf(stream, "%s$s%zu with %s lw 2 ps 0.8 pt %d dt %d lc rgb '%s' title ",
                s == 0 ? "" : ", ", s,
                chart->points  ? "points"
                : chart->plain ? "lines"
                               : "linespoints",
                marks[series->style % MARKS], 1 + series->dash, colours[series->style % COLOURS]);
        write_quoted(stream, series->label);
    }
    fputc('\n', stream);
}

// Half a script would be half a picture.
static duet_code flush_script(FILE *script, duet_error *error)
{
    errno = 0;
    if (fflush(script) != 0 || ferror(script) != 0 || fseek(script, 0, SEEK_SET) != 0) {
        return duet_error_set(error, DUET_E_OUTPUT, "cannot write a temporary file: %s",
                              errno != 0 ? strerror(errno) : "an earlier write failed");
    }
    return DUET_OK;
}

static duet_code missing(duet_error *error)
{
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "charts need gnuplot, and there is none in the PATH; '--chart F.svg' of "
                          "solve, bound, compare and simulate needs none");
}

static duet_code cannot_run(const char *path, int why, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot run gnuplot: %s",
                             strerror(why));
}

static int start_gnuplot(int script, int picture, pid_t *child)
{
    char name[] = "gnuplot";
    char *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    int fault = posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

// All that comes out of the pipe. What cannot be written is for duet_output_commit() to say.
static void take_picture(int pipe, FILE *stream)
{
    char block[4096];
    ssize_t got;
    while ((got = read(pipe, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        fwrite(block, 1, got > 0 ? (size_t)got : 0, stream);
    }
}

static duet_code run_gnuplot(int script, FILE *picture, const char *path, duet_error *error)
{
    int ends[2];
    pid_t child = -1;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return cannot_run(path, errno, error);
    }
    int fault = start_gnuplot(script, ends[1], &child);
    close(ends[1]);
    if (fault == 0) {
        take_picture(ends[0], picture);
    }
    close(ends[0]);
    int status = 0;
    if (fault == ENOENT) {
        return missing(error);
    }
    if (fault != 0 || waitpid(child, &status, 0) != child) {
        return cannot_run(path, fault != 0 ? fault : errno, error);
    }
    // A C library without the error from posix_spawnp() reports it so.
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return missing(error);
    }
    if (status != 0) {
        return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                 "gnuplot failed (its message is above)");
    }
    return DUET_OK;
}

duet_code duet_chart_write(const char *path, const duet_chart *chart, duet_error *error)
{
    const char *terminal = terminal_for(path);
    if (terminal == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: expected a chart's name to end in .svg, .pdf or .png", path);
    }
    FILE *script = tmpfile();
    if (script == NULL) {
        return duet_error_set(error, DUET_E_OUTPUT, "cannot make a temporary file: %s",
                              strerror(errno));
    }
    write_script(script, terminal, chart);
    duet_output output;
    duet_code code = flush_script(script, error);
    code = code == DUET_OK ? duet_output_open(&output, path, error) : code;
    if (code == DUET_OK) {
        code = run_gnuplot(fileno(script), output.stream, path, error);
        if (code == DUET_OK) {
            code = duet_output_commit(&output, error);
        }
        duet_output_abandon(&output);
    }
    fclose(script);
    return code;
}

duet_code duet_chart_excuse_gnuplot(duet_code code, duet_error *error)
{
    if (code != DUET_E_UNSUPPORTED) {
        return code;
    }
    duet_cli_print(stderr, "duet: note: %s\n", error->message);
    duet_error_clear(error);
    return DUET_OK;
}
