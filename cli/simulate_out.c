// SPDX-License-Identifier: Apache-2.0
// What duet simulate tells: text, JSON, a row per run, and a chart.
#include "cli/simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "console/json.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"
#include "core/instance/clock.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "report/chart/chart.h"
#include "report/gantt/clock_axis.h"

// Of makespans, in ticks, and of their ratios to the lower bound of the same run.
enum { MEAN, MEDIAN, Q90, Q99, LARGEST, FIGURES };
static const int percents[FIGURES] = {0, 50, 90, 99, 100};
static const char *const keys[FIGURES] = {"mean", "median", "q90", "q99", "max"};
static const char *const names[FIGURES] = {"mean", "median", "90 %", "99 %", "largest"};

typedef struct distribution {
    double mean;
    int64_t makespan[FIGURES];
    double ratio[FIGURES]; // negative where a bound is 0
} distribution;

// The index of the smallest of `count` sorted values that `percent` percent of all do not exceed.
static size_t rank_of(size_t count, int percent)
{
    size_t rank = (count * (size_t)percent + 99) / 100;
    return rank > 0 ? rank - 1 : 0;
}

// Of no time at all a schedule cannot be longer.
static double ratio_of(const duet_cli_simulated *run)
{
    if (run->lower_bound > 0) {
        return (double)run->makespan / (double)run->lower_bound;
    }
    return run->makespan == 0 ? 1 : INFINITY;
}

static duet_code measure(const duet_cli_simulation *s, distribution *d, duet_error *error)
{
    double *ratio = duet_alloc(s->runs, sizeof *ratio, error);
    int64_t *makespan = duet_alloc(s->runs, sizeof *makespan, error);
    duet_code code = ratio == NULL || makespan == NULL ? DUET_E_MEMORY : DUET_OK;
    double ratio_sum = 0;
    for (size_t i = 0; i < s->runs && code == DUET_OK; i++) {
        ratio[i] = ratio_of(&s->run[i]);
        makespan[i] = s->run[i].makespan;
        d->mean += (double)makespan[i] / (double)s->runs;
        ratio_sum += ratio[i];
    }
    if (code == DUET_OK) {
        duet_sort_doubles(ratio, s->runs);
        duet_sort_ticks(makespan, s->runs);
        d->ratio[MEAN] = ratio_sum / (double)s->runs;
        for (int f = MEDIAN; f < FIGURES; f++) {
            d->ratio[f] = ratio[rank_of(s->runs, percents[f])];
            d->makespan[f] = makespan[rank_of(s->runs, percents[f])];
        }
        d->makespan[MEAN] = (int64_t)floor(d->mean + 0.5);
    }
    duet_free(ratio);
    duet_free(makespan);
    return code;
}

// What planning again gains: the mean of the plan that is kept, and how often it was made.
typedef struct gain {
    double kept, plans;
} gain;

static gain measure_gain(const duet_cli_simulation *s)
{
    gain g = {0, 0};
    for (size_t i = 0; i < s->runs; i++) {
        g.kept += (double)s->run[i].kept / (double)s->runs;
        g.plans += (double)s->run[i].plans / (double)s->runs;
    }
    return g;
}

static int64_t count_lost(const duet_cli_simulation *s)
{
    int64_t lost = 0;
    for (size_t i = 0; i < s->runs; i++) {
        lost += s->run[i].lost;
    }
    return lost;
}

// --- text ----------------------------------------------------------------------------------------

static void print_texts(const char *name, const duet_cli_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        duet_cli_print(stdout, "%-13s%s\n", i == 0 ? name : "", texts->text[i]);
    }
}

static const char *ratio_text(double ratio, char *buffer, size_t size)
{
    snprintf(buffer, size, isfinite(ratio) ? "%.4f" : "-", ratio);
    return buffer;
}

static void print_head(const duet_cli_simulation *s)
{
    char text[DUET_CLI_TEXT];
    duet_cli_print(stdout, "instance     %s: %s\n", duet_instance_name(s->instance),
                   duet_cli_size(s->instance, text));
    duet_cli_print(stdout, "platform     %s\n", duet_cli_platform(s->instance, text, sizeof text));
    if (s->keep == NULL) {
        duet_cli_print(stdout, "rule         %s\n", s->by);
    } else {
        duet_cli_print(stdout, "plan         %s%s, its %s kept\n", s->from_file ? "" : "of ", s->by,
                       s->keep);
    }
    if (s->replan != NULL) {
        duet_cli_print(stdout, "replanned    by %s, %s%s\n", s->replan,
                       s->every == NULL ? "where a task does not end as planned" : "every ",
                       s->every == NULL ? "" : s->every);
    }
    print_texts("noise", &s->noise);
    print_texts("slow", &s->slow);
    print_texts("fail", &s->fail);
    if (s->runs < s->asked) {
        printf("runs         %zu of %zu, seed %" PRIu64 "\n", s->runs, s->asked, s->seed);
    } else {
        printf("runs         %zu, seed %" PRIu64 "\n", s->runs, s->seed);
    }
    duet_cli_print(stdout, "planned      %s\n", duet_cli_time(s->instance, s->planned, text));
}

static void print_figures(const duet_cli_simulation *s, const distribution *d)
{
    char text[DUET_CLI_TEXT];
    duet_cli_table table;
    bool clock = duet_clock_is_known(s->instance);
    duet_cli_table_init(&table, clock ? "lrrrl" : "lrrr");
    duet_cli_table_add(&table, "real");
    duet_cli_table_add(&table, "makespan");
    duet_cli_table_add(&table, "of planned");
    duet_cli_table_add(&table, "of lower bound");
    if (clock) {
        duet_cli_table_add(&table, "ends at");
    }
    for (int f = 0; f < FIGURES; f++) {
        double planned = s->planned > 0 ? (double)d->makespan[f] / (double)s->planned : INFINITY;
        duet_cli_table_add(&table, names[f]);
        duet_cli_table_add(&table, duet_cli_time(s->instance, d->makespan[f], text));
        duet_cli_table_add(&table, ratio_text(planned, text, sizeof text));
        duet_cli_table_add(&table, ratio_text(d->ratio[f], text, sizeof text));
        if (clock) {
            char at[DUET_CLOCK_TEXT];
            duet_cli_table_add(&table, duet_clock_tell(s->instance, d->makespan[f], at));
        }
    }
    duet_cli_table_print(&table, 0, stdout);
    duet_cli_table_free(&table);
}

duet_code duet_cli_simulation_print(const duet_cli_simulation *simulation, duet_error *error)
{
    const duet_cli_simulation *s = simulation;
    distribution d = {.mean = 0};
    char text[DUET_CLI_TEXT];
    DUET_TRY(measure(s, &d, error));
    print_head(s);
    print_figures(s, &d);
    if (s->replan != NULL) {
        gain g = measure_gain(s);
        duet_cli_print(stdout, "kept         %s in the mean: planning again gains %.2f %%\n",
                       duet_cli_time(s->instance, (int64_t)floor(g.kept + 0.5), text),
                       g.kept > 0 ? 100 * (g.kept - d.mean) / g.kept : 0);
        printf("plans        %.1f in the mean\n", g.plans);
    }
    int64_t lost = count_lost(s);
    if (lost > 0) {
        printf("given up     %.1f runs of tasks in the mean\n", (double)lost / (double)s->runs);
    }
    return DUET_OK;
}

// --- for programs --------------------------------------------------------------------------------

static void json_texts(duet_cli_json *json, const char *key, const duet_cli_texts *texts)
{
    duet_cli_json_open(json, key, '[');
    for (size_t i = 0; i < texts->count; i++) {
        duet_cli_json_string(json, NULL, texts->text[i]);
    }
    duet_cli_json_close(json, ']');
}

// What planning again brought.
static void json_replan(duet_cli_json *json, const duet_cli_simulation *s)
{
    char digits[64];
    gain g = measure_gain(s);
    duet_cli_json_open(json, "replan", '{');
    duet_cli_json_string(json, "algorithm", s->replan);
    if (s->every == NULL) {
        duet_cli_json_string(json, "every", NULL);
    } else {
        duet_cli_json_number(json, "every", s->every);
    }
    duet_cli_json_number(
        json, "kept_mean",
        duet_instance_format_time(s->instance, (int64_t)floor(g.kept + 0.5), digits));
    duet_cli_json_decimal(json, "plans_mean", g.plans, 3);
    duet_cli_json_close(json, '}');
}

duet_code duet_cli_simulation_json(const duet_cli_simulation *simulation, duet_error *error)
{
    const duet_cli_simulation *s = simulation;
    distribution d = {.mean = 0};
    char digits[64];
    DUET_TRY(measure(s, &d, error));
    duet_cli_json json = {stdout, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(s->instance));
    duet_cli_json_string(&json, "algorithm", s->from_file ? NULL : s->by);
    duet_cli_json_string(&json, "solution", s->from_file ? s->by : NULL);
    duet_cli_json_string(&json, "keep", s->keep);
    json_texts(&json, "noise", &s->noise);
    json_texts(&json, "slow", &s->slow);
    json_texts(&json, "fail", &s->fail);
    duet_cli_json_integer(&json, "runs", (int64_t)s->runs);
    duet_cli_json_integer(&json, "asked", (int64_t)s->asked);
    duet_cli_json_integer(&json, "seed", (int64_t)s->seed);
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(s->instance));
    duet_cli_json_number(&json, "planned",
                         duet_instance_format_time(s->instance, s->planned, digits));
    duet_cli_json_open(&json, "makespan", '{');
    for (int f = 0; f < FIGURES; f++) {
        duet_cli_json_number(&json, keys[f],
                             duet_instance_format_time(s->instance, d.makespan[f], digits));
    }
    duet_cli_json_close(&json, '}');
    duet_cli_json_open(&json, "ratio", '{');
    for (int f = 0; f < FIGURES; f++) {
        duet_cli_json_decimal(&json, keys[f], d.ratio[f], 9);
    }
    duet_cli_json_close(&json, '}');
    duet_cli_json_integer(&json, "given_up", count_lost(s));
    if (s->replan != NULL) {
        json_replan(&json, s);
    }
    duet_cli_json_close(&json, '}');
    return DUET_OK;
}

duet_code duet_cli_simulation_csv(const duet_cli_simulation *simulation, const char *path,
                                  duet_error *error)
{
    const duet_cli_simulation *s = simulation;
    duet_output output;
    char makespan[32];
    char bound[32];
    DUET_TRY(duet_output_open(&output, path, error));
    duet_cli_print(output.stream, "run,makespan,lower_bound,ratio,given_up%s\n",
                   s->replan == NULL ? "" : ",kept,plans");
    for (size_t i = 0; i < s->runs; i++) {
        const duet_cli_simulated *run = &s->run[i];
        double ratio = ratio_of(run);
        duet_cli_print(output.stream, "%zu,%s,%s,", i,
                       duet_instance_format_time(s->instance, run->makespan, makespan),
                       duet_instance_format_time(s->instance, run->lower_bound, bound));
        if (isfinite(ratio)) {
            fprintf(output.stream, "%.9f", ratio);
        }
        fprintf(output.stream, ",%" PRId64, run->lost);
        if (s->replan != NULL) {
            duet_cli_print(output.stream, ",%s,%lld",
                           duet_instance_format_time(s->instance, run->kept, makespan),
                           (long long)run->plans);
        }
        fputs("\n", output.stream);
    }
    duet_code code = duet_output_commit(&output, error);
    duet_output_abandon(&output);
    return code;
}

// --- chart ---------------------------------------------------------------------------------------

// In the unit of the axis, which the planned makespan chooses.
static double in_units(const duet_cli_simulation *s, int64_t ticks)
{
    int places =
        duet_instance_decimals(s->instance) + duet_gantt_axis_shift(s->instance, s->planned);
    return (double)ticks / pow(10, places);
}

static duet_code draw(const duet_cli_simulation *s, const double *share, const double *real,
                      const double *bound, const char *path, const duet_cli_chart *look,
                      duet_error *error)
{
    double planned = in_units(s, s->planned);
    const double ends[] = {0, 100};
    const double flat[] = {planned, planned};
    const duet_chart_series series[] = {
        {"real makespan", 0, 0, share, real, s->runs},
        {"planned makespan", 2, 2, ends, flat, 2},
        {"lower bound of the real times", 1, 1, share, bound, s->runs}};
    char title[200];
    char label[100];
    const char *unit = duet_gantt_axis_unit(s->instance, s->planned);
    snprintf(title, sizeof title, "%.80s, %.80s", duet_instance_name(s->instance), s->by);
    snprintf(label, sizeof label, "at most%s%.60s%s", unit[0] == '\0' ? "" : " (", unit,
             unit[0] == '\0' ? "" : ")");
    const duet_chart chart = {.title = look->title != NULL ? look->title : title,
                              .width = look->width,
                              .height = look->height,
                              .x_label = "share of runs (%)",
                              .y_label = label,
                              .kind = DUET_CHART_LINES,
                              .linear_x = true,
                              .linear_y = true,
                              .series = series,
                              .count = sizeof series / sizeof *series};
    return duet_chart_write(path, &chart, error);
}

duet_code duet_cli_simulation_chart(const duet_cli_simulation *simulation, const char *path,
                                    const duet_cli_chart *look, duet_error *error)
{
    const duet_cli_simulation *s = simulation;
    double *room = duet_alloc(3 * s->runs, sizeof *room, error);
    DUET_NEED(room);
    double *real = room + s->runs;
    double *bound = real + s->runs;
    for (size_t i = 0; i < s->runs; i++) {
        room[i] = 100.0 * (double)(i + 1) / (double)s->runs;
        real[i] = in_units(s, s->run[i].makespan);
        bound[i] = in_units(s, s->run[i].lower_bound);
    }
    duet_sort_doubles(real, s->runs);
    duet_sort_doubles(bound, s->runs);
    duet_code code = draw(s, room, real, bound, path, look, error);
    duet_free(room);
    return code;
}
