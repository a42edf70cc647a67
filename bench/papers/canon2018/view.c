// SPDX-License-Identifier: Apache-2.0
// Figures 13 to 17 of Canon et al. 2018 as text, JSON and charts.
#include <inttypes.h>
#include <stdio.h>

#include "bench/papers/canon2018/canon2018.h"
#include "console/print.h"

static void print_heads(duet_cli_table *table, const char *align, const char *first)
{
    duet_cells_begin(table, align, first);
    duet_cells_add(table, duet_canon_rule_name, DUET_CANON_RULES);
}

// A row of medians, or of largest ratios.
static void add_row(const duet_paper_study *study, duet_canon_bind bind, const char *name,
                    duet_paper_filter *filter, size_t value, bool largest, duet_cli_table *table)
{
    duet_cli_table_add(table, name);
    for (size_t r = 0; r < DUET_CANON_RULES; r++) {
        duet_paper_ratios ratios =
            duet_canon_ratios(study, duet_canon_run(bind, (duet_canon_rule)r), filter, value);
        duet_cells_add_positive(table, "%.3f", largest ? ratios.largest : ratios.median);
    }
}

// Both.
static void add_summary(const duet_paper_study *study, duet_canon_bind bind, const char *name,
                        duet_paper_filter *filter, size_t value, duet_cli_table *table)
{
    char text[64];
    snprintf(text, sizeof text, "%s, largest", name);
    add_row(study, bind, name, filter, value, false, table);
    add_row(study, bind, text, filter, value, true, table);
}

static bool has_tiles(const duet_paper_case *c, size_t tiles)
{
    return duet_canon_on_platform(c, DUET_CANON_MAIN_PLATFORM) && c->n == (int64_t)tiles;
}

static void print_figure_13(const duet_paper_study *study, FILE *stream)
{
    const duet_paper_settings *s = study->settings;
    duet_cli_table table;
    fputs("Figure 13: makespan over HEFT, Cholesky of N x N tiles, 20 CPUs and 2 GPUs\n\n", stream);
    print_heads(&table, "rrrrrrr", "N");
    for (size_t n = DUET_CANON_LEAST_TILES; n <= DUET_CANON_MOST_TILES; n++) {
        char name[16];
        snprintf(name, sizeof name, "%zu", n);
        if (duet_paper_is_wanted(s->tile, s->tile_count, (int64_t)n)) {
            add_row(study, DUET_CANON_QUEUE, name, has_tiles, n, false, &table);
        }
    }
    add_summary(study, DUET_CANON_QUEUE, "median", duet_canon_on_platform, DUET_CANON_MAIN_PLATFORM,
                &table);
    duet_cells_end(&table, 0, stream);
}

static void print_figure_14(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    if (study->settings->stg == NULL) {
        fputs("\nFigure 14: left out; expected --stg FOLDER with the 180 graphs of 300 tasks of "
              "the Standard Task Graph Set\n",
              stream);
        return;
    }
    fputs("\nFigure 14: makespan over HEFT, Standard Task Graph Set, medians and largest\n\n",
          stream);
    print_heads(&table, "lrrrrrr", "");
    for (size_t g = 0; g < DUET_STG_GENERATORS; g++) {
        add_summary(study, DUET_CANON_QUEUE, duet_stg_generator[g], duet_canon_by_generator, g,
                    &table);
    }
    duet_cells_end(&table, 0, stream);
}

// The mean CPU times of a row of figure 15: a factor of 10^(1/8).
enum { BINS = 12 };

static bool in_bin(const duet_paper_case *c, size_t bin)
{
    size_t index = (size_t)(c->seed - 1) * BINS / 300;
    return c->set == DUET_CANON_ADHOC && index == bin;
}

static void print_figure_15(const duet_paper_study *study, duet_canon_bind bind, FILE *stream)
{
    duet_cli_table table;
    duet_cli_print(
        stream,
        "\nFigure 15: makespan over HEFT, ad hoc graphs, medians by the mean CPU time mu, "
        "bind=%s\n\n",
        duet_canon_bind_name[bind]);
    print_heads(&table, "lrrrrrr", "mu");
    for (size_t bin = 0; bin < BINS; bin++) {
        double low = 0;
        double high = 0;
        for (size_t c = 0; c < study->case_count; c++) {
            double x = study->cases[c].x;
            low = in_bin(&study->cases[c], bin) && low == 0 ? x : low;
            high = in_bin(&study->cases[c], bin) ? x : high;
        }
        char name[32];
        snprintf(name, sizeof name, "%.2f to %.2f", low, high);
        add_row(study, bind, name, in_bin, bin, false, &table);
    }
    add_summary(study, bind, "all", duet_canon_in_set, DUET_CANON_ADHOC, &table);
    duet_cells_end(&table, 0, stream);
}

static void print_figure_16(const duet_paper_study *study, FILE *stream)
{
    static const struct {
        const char *name;
        size_t set;
        duet_canon_bind bind;
    } rows[] = {{"Cholesky", DUET_CANON_CHOLESKY, DUET_CANON_QUEUE},
                {"STG", DUET_CANON_STG, DUET_CANON_QUEUE},
                {"ad hoc, idle", DUET_CANON_ADHOC, DUET_CANON_IDLE},
                {"ad hoc, queue", DUET_CANON_ADHOC, DUET_CANON_QUEUE}};
    enum { ROWS = sizeof rows / sizeof *rows };
    duet_cli_table table;
    fputs("\nFigure 16: mixeft over HEFT by lambda, medians\n\n", stream);
    duet_cells_begin(&table, "rrrrr", "lambda");
    for (size_t i = 0; i < ROWS; i++) {
        duet_cli_table_add(&table, rows[i].name);
    }
    // First and last what it turns from and to.
    for (size_t line = 0; line < DUET_CANON_LAMBDAS + 2; line++) {
        bool first = line == 0;
        bool last = line == DUET_CANON_LAMBDAS + 1;
        if (first || last) {
            duet_cli_table_add(&table, first ? "qa" : "eft");
        } else {
            duet_cells_add_number(&table, "%.2f", duet_canon_lambda[line - 1] / 100.0);
        }
        for (size_t i = 0; i < ROWS; i++) {
            size_t run = first  ? duet_canon_run(rows[i].bind, DUET_CANON_QA)
                         : last ? duet_canon_run(rows[i].bind, DUET_CANON_EFT)
                                : duet_canon_lambda_run(rows[i].bind, line - 1);
            duet_cells_add_positive(
                &table, "%.3f",
                duet_canon_ratios(study, run, duet_canon_in_set, rows[i].set).median);
        }
    }
    duet_cells_end(&table, 0, stream);
}

static void print_figure_17(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    duet_cli_print(stream,
                   "\nFigure 17: makespan over HEFT, Cholesky of %s on ten platforms, medians "
                   "and largest\n\n",
                   study->settings->tile_count > 0 ? "the same tiles" : "2 to 15 tiles");
    print_heads(&table, "lrrrrrr", "");
    for (size_t p = 0; p < DUET_CANON_PLATFORMS; p++) {
        char name[32];
        snprintf(name, sizeof name, "%d+%d", (int)duet_canon_platforms[p].m,
                 (int)duet_canon_platforms[p].k);
        add_summary(study, DUET_CANON_QUEUE, name, duet_canon_on_platform, p, &table);
    }
    duet_cells_end(&table, 0, stream);
}

static const char *const claims_of[DUET_CANON_CLAIMS] = {
    "Figures 13 and 14", "Figures 16 and 17", "Ad hoc graphs with bind=idle",
    "Ad hoc graphs with bind=queue: the chain waits behind independent tasks",
    "Theorems, and the types that rules choose"};

void duet_canon_print(const duet_paper_study *study, FILE *stream)
{
    duet_claims claims[DUET_CANON_CLAIMS];
    print_figure_13(study, stream);
    print_figure_14(study, stream);
    print_figure_15(study, DUET_CANON_IDLE, stream);
    print_figure_15(study, DUET_CANON_QUEUE, stream);
    print_figure_16(study, stream);
    print_figure_17(study, stream);
    duet_canon_claims(study, claims);
    for (size_t i = 0; i < DUET_CANON_CLAIMS; i++) {
        duet_cli_print(stream, "\n%s\n\n", claims_of[i]);
        duet_paper_print_claims(&claims[i], stream);
    }
}

void duet_canon_write_json(const duet_paper_study *study, duet_cli_json *json)
{
    static const char *const lists[DUET_CANON_CLAIMS] = {
        "statements", "statements_figures_16_17", "statements_adhoc_idle", "statements_adhoc_queue",
        "statements_theorems"};
    duet_claims claims[DUET_CANON_CLAIMS];
    duet_cli_json_open(json, "cases", '[');
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_case *origin = &study->cases[c];
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_members(json, "instance:%s m:%" PRId64 " k:%" PRId64, origin->name, origin->m,
                              origin->k);
        for (size_t b = 0; b < DUET_CANON_BINDS; b++) {
            duet_cli_json_open(json, duet_canon_bind_name[b], '{');
            for (size_t r = 0; r < DUET_CANON_RULES; r++) {
                size_t run = duet_canon_run((duet_canon_bind)b, (duet_canon_rule)r);
                double ratio = duet_canon_over_heft(study, c, run);
                duet_cli_json_decimal(json, duet_canon_rule_name[r], ratio > 0 ? ratio : -1, 6);
            }
            duet_cli_json_close(json, '}');
        }
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_canon_claims(study, claims);
    for (size_t i = 0; i < DUET_CANON_CLAIMS; i++) {
        duet_claims_json(&claims[i], lists[i], "statement", json);
    }
}

// The generators side by side, from 1 on.
static double over_generator(const duet_paper_study *study, size_t c, size_t run)
{
    (void)run;
    return 1 + study->cases[c].x;
}

// The rules over heft, on ad hoc graphs.
#define RULES(bind) duet_canon_rule_name, 1 + (bind)*DUET_CANON_OF_A_BIND, DUET_CANON_RULES
#define ADHOC(bind, name)                                                                          \
    {                                                                                              \
        "figure15-" name, "rules over HEFT on ad hoc graphs, " name,                               \
            {.title = "ad hoc graphs, 20 CPUs and 2 GPUs, " name " (RR-9150, figure 15)",          \
             .x_label = "mean CPU time",                                                           \
             .y_label = "makespan / HEFT",                                                         \
             .kind = DUET_CHART_LINES,                                                             \
             .linear_x = true,                                                                     \
             .linear_y = true},                                                                    \
            RULES(bind), duet_canon_in_set, DUET_CANON_ADHOC, NULL, duet_canon_over_heft           \
    }
// One platform of figure 17.
#define PLATFORM(index, name)                                                                      \
    {                                                                                              \
        "figure17-" name, NULL,                                                                    \
            {.title = "Cholesky, " name " CPUs and GPUs (RR-9150, figure 17)",                     \
             .x_label = "tiles of a side",                                                         \
             .y_label = "makespan / HEFT",                                                         \
             .linear_x = true,                                                                     \
             .linear_y = true},                                                                    \
            RULES(DUET_CANON_QUEUE), duet_canon_on_platform, index, NULL, duet_canon_over_heft     \
    }
const duet_paper_chart duet_canon_charts[] = {
    {"figure13",
     "rules over HEFT by the number of tiles",
     {.title = "Cholesky, 20 CPUs and 2 GPUs (RR-9150, figure 13)",
      .x_label = "tiles of a side",
      .y_label = "makespan / HEFT",
      .linear_x = true,
      .linear_y = true},
     RULES(DUET_CANON_QUEUE),
     duet_canon_on_platform,
     DUET_CANON_MAIN_PLATFORM,
     NULL,
     duet_canon_over_heft},
    ADHOC(DUET_CANON_IDLE, "idle"),
    ADHOC(DUET_CANON_QUEUE, "queue"),
    {"figure14",
     NULL,
     {.title = "STG by generator: layrpred, layrprob, samepred, sameprob (RR-9150, figure 14)",
      .x_label = "generator",
      .y_label = "makespan / HEFT",
      .kind = DUET_CHART_MARKS,
      .linear_x = true,
      .linear_y = true},
     RULES(DUET_CANON_QUEUE),
     duet_canon_in_set,
     DUET_CANON_STG,
     over_generator,
     duet_canon_over_heft},
    PLATFORM(0, "10-1"),
    PLATFORM(1, "10-2"),
    PLATFORM(2, "10-4"),
    PLATFORM(3, "10-5"),
    PLATFORM(4, "10-10"),
    PLATFORM(5, "20-1"),
    PLATFORM(6, "20-2"),
    PLATFORM(7, "20-4"),
    PLATFORM(8, "20-5"),
    PLATFORM(9, "20-10"),
    {.what = NULL}};

// The sets of figure 16.
static const struct {
    const char *name;
    duet_canon_bind bind;
    duet_paper_filter *filter;
    size_t value;
} lambda_sets[] = {{"Cholesky", DUET_CANON_QUEUE, duet_canon_on_platform, DUET_CANON_MAIN_PLATFORM},
                   {"STG", DUET_CANON_QUEUE, duet_canon_in_set, DUET_CANON_STG},
                   {"ad hoc", DUET_CANON_QUEUE, duet_canon_in_set, DUET_CANON_ADHOC},
                   {"ad hoc, idle", DUET_CANON_IDLE, duet_canon_in_set, DUET_CANON_ADHOC}};

duet_code duet_canon_draw(const duet_paper_study *study, const duet_drawing *drawing,
                          duet_error *error)
{
    static const double whole = 100;
    static const duet_canon_rule rules[] = {DUET_CANON_QA, DUET_CANON_EFT};
    duet_plot plot = {
        .chart = {.title = "MIXEFT by lambda, 20 CPUs and 2 GPUs (RR-9150, figure 16)",
                  .x_label = "lambda",
                  .y_label = "median of makespan / HEFT",
                  .linear_x = true,
                  .linear_y = true}};
    for (size_t i = 0; i < sizeof lambda_sets / sizeof *lambda_sets; i++) {
        duet_canon_bind bind = lambda_sets[i].bind;
        duet_paper_filter *filter = lambda_sets[i].filter;
        size_t value = lambda_sets[i].value;
        duet_plot_line(&plot, (int)i, 0, "MIXEFT, %s", lambda_sets[i].name);
        for (size_t l = 0; l < DUET_CANON_LAMBDAS; l++) {
            size_t run = duet_canon_lambda_run(bind, l);
            duet_plot_add(&plot, duet_canon_lambda[l] / whole,
                          duet_canon_ratios(study, run, filter, value).median);
        }
        for (size_t r = 0; r < 2; r++) {
            size_t run = duet_canon_run(bind, rules[r]);
            double median = duet_canon_ratios(study, run, filter, value).median;
            duet_plot_line(&plot, (int)i, 1 + (int)r, "%s, %s", r == 0 ? "QA" : "EFT",
                           lambda_sets[i].name);
            duet_plot_add(&plot, 0, median);
            duet_plot_add(&plot, duet_canon_lambda[DUET_CANON_LAMBDAS - 1] / whole, median);
        }
    }
    return duet_plot_draw(&plot, "figure16", drawing, error);
}
