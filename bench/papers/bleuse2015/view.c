// SPDX-License-Identifier: Apache-2.0
// Table 1 and Figure 3 of Bleuse et al. 2015: as text, as sections of the page of results, and as a
// chart.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/papers/bag.h"
#include "console/args.h"
#include "console/print.h"
#include "console/table.h"

static void print_heading(const duet_paper_study *study, const char *what, FILE *stream)
{
    const duet_paper_settings *s = study->settings;
    duet_bag_count count = duet_bag_count_of(study, false);
    duet_cli_print(
        stream,
        "%s\n%zu of the whole sweep's %d instances (10, 20, ... 1000 tasks; 1, 2, ... 64 CPUs; "
        "1, 2, 4, 8 GPUs; 30 of each)",
        what, count.cases, DUET_BAG_WHOLE);
    if (s->every > 1) {
        fprintf(stream, ": one in %" PRIu64, s->every);
    }
    duet_cli_print(stream, "%s\nCPU times: ", s->size_count > 0 ? ", of the sizes asked for" : "");
    if (s->parts_per_unit == 1) {
        fputs("whole", stream);
    } else {
        fprintf(stream, "multiples of 1/%" PRIu64, s->parts_per_unit);
    }
    if (strcmp(s->round, "none") == 0) {
        fputs("; GPU times: exactly a 15th or a 35th\n", stream);
    } else {
        duet_cli_print(stream, "; GPU times: likewise, a 15th or a 35th rounded %s\n",
                       strcmp(s->round, "up") == 0 ? "up" : "to nearest");
    }
    fprintf(stream,
            "optimum proven on %zu of %zu; elsewhere, the best bound stands for it (widest "
            "gap %.4f %%)\n\n",
            count.proven, count.cases, count.widest);
}

// The sizes that a table shows: those asked for, else `usual`; 0 ends both, and stands for all.
static const int64_t *shown_sizes(const duet_paper_study *study, const int64_t *usual,
                                  int64_t list[DUET_CLI_MAX_LIST + 1])
{
    const duet_paper_settings *s = study->settings;
    memcpy(list, s->size, s->size_count * sizeof *list);
    list[s->size_count] = 0;
    return s->size_count > 0 ? list : usual;
}

static const duet_bag_printed *find_printed(int64_t n)
{
    for (size_t i = 0; i < DUET_BAG_PRINTED; i++) {
        if (duet_bag_table1[i].n == n) {
            return &duet_bag_table1[i];
        }
    }
    return NULL;
}

// Maximal deviations beside the paper's.
static void print_beside(const duet_paper_study *study, const int64_t *sizes, FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(
        &table, "rrrrrrrr",
        "n\truns\tDP, paper\tdual-2\tHEFT, paper\theft\tAccel, paper\taccel-published");
    bool more = true;
    for (size_t i = 0; more; i++) {
        int64_t n = sizes[i];
        const duet_bag_printed *printed = find_printed(n);
        more = n != 0;
        duet_bag_figures figures;
        duet_bag_figures_of(study, DUET_BAG_DP, DUET_BAG_FROM_SEARCH, n, &figures);
        if (figures.ratio.count == 0) {
            continue;
        }
        duet_cells_add_number(&table, n == 0 ? "all" : "%.0f", (double)n);
        duet_cells_addf(&table, "%zu", figures.ratio.count);
        for (size_t a = 0; a < DUET_BAG_PRINTED_ALGORITHMS; a++) {
            duet_bag_figures_of(study, a, DUET_BAG_FROM_SEARCH, n, &figures);
            if (printed == NULL) {
                duet_cli_table_add(&table, n == 0 ? "" : "-");
            } else {
                duet_cells_add_number(&table, "%.2f", printed->deviation[a]);
            }
            duet_cells_add_number(&table, "%.2f", duet_bag_largest(&figures));
        }
    }
    fputs("Maximal deviation in % from the bound of dual-2's binary search, as in the paper\n\n",
          stream);
    duet_cells_end(&table, 0, stream);
}

// Figures of every algorithm for the sizes of `sizes`, which 0 ends and stands for all.
static void print_sizes(const duet_paper_study *study, duet_bag_base base, bool mean,
                        const int64_t *sizes, FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(&table, "rrrrrrrrr", "n");
    duet_cells_add(&table, duet_bag_name, DUET_BAG_ALGORITHMS);
    bool more = true;
    for (size_t i = 0; more; i++) {
        more = sizes[i] != 0;
        duet_bag_figures figures;
        duet_bag_figures_of(study, DUET_BAG_DP, base, sizes[i], &figures);
        if (figures.ratio.count == 0) {
            continue;
        }
        duet_cells_add_number(&table, sizes[i] == 0 ? "all" : "%.0f", (double)sizes[i]);
        for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
            duet_bag_figures_of(study, a, base, sizes[i], &figures);
            duet_cells_add_number(&table, "%.2f", mean ? figures.mean : duet_bag_largest(&figures));
        }
    }
    duet_cli_print(stream, "%s deviation in %% from %s\n\n", mean ? "Mean" : "Maximal",
                   base == DUET_BAG_FROM_SEARCH ? "the bound of dual-2's binary search"
                                                : "the optimum");
    duet_cells_end(&table, 0, stream);
}

static void print_summary(const duet_paper_study *study, FILE *stream)
{
    // As it is on most of these platforms.
    static const char *const proven[DUET_BAG_ALGORITHMS] = {"100", "-",   "-",        "33.33",
                                                            "50",  "100", "241.42 *", "0"};
    duet_cli_table table;
    duet_cells_begin(&table, "lrrrrrrrrr",
                     "\tproven\tmean\tmaximal\tat n\tm,k\tseed\t> 50 %\t> 100 %\tof");
    for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
        duet_bag_figures figures;
        duet_bag_figures_of(study, a, DUET_BAG_FROM_BEST, 0, &figures);
        if (figures.ratio.count == 0) {
            continue;
        }
        const duet_paper_case *worst = &study->cases[figures.ratio.where];
        duet_cells_addf(&table, "%s\t%s\t%.3f\t%.3f", duet_bag_name[a], proven[a], figures.mean,
                        duet_bag_largest(&figures));
        if (figures.ratio.largest.num > 0) {
            duet_cells_addf(&table, "%" PRId64 "\t%" PRId64 ",%" PRId64 "\t%" PRIu64, worst->n,
                            worst->m, worst->k, worst->seed);
        } else {
            duet_cells_addf(&table, "-\t-\t-");
        }
        duet_cells_addf(&table, "%zu\t%zu\t%zu", figures.ratio.above_half, figures.ratio.above_one,
                        figures.ratio.count);
    }
    fputs("All sizes, deviation in % from the optimum; proven: the deviation that the proven ratio "
          "allows\n(*: 161.80 with one GPU, 61.80 with one CPU beside it)\n\n",
          stream);
    duet_cells_end(&table, 0, stream);
}

void duet_bleuse2015_print_table1(const duet_paper_study *study, FILE *stream)
{
    int64_t usual[DUET_BAG_PRINTED + 1] = {0};
    int64_t list[DUET_CLI_MAX_LIST + 1];
    for (size_t i = 0; i < DUET_BAG_PRINTED; i++) {
        usual[i] = duet_bag_table1[i].n;
    }
    const int64_t *sizes = shown_sizes(study, usual, list);
    duet_claims claims;
    duet_bleuse2015_claims(study, &claims);
    print_heading(study, "Bleuse et al. 2015, Table 1", stream);
    print_beside(study, sizes, stream);
    fputc('\n', stream);
    print_sizes(study, DUET_BAG_FROM_SEARCH, false, sizes, stream);
    fputc('\n', stream);
    print_sizes(study, DUET_BAG_FROM_BEST, false, sizes, stream);
    fputc('\n', stream);
    print_summary(study, stream);
    fputc('\n', stream);
    duet_paper_print_claims(&claims, stream);
}

void duet_bleuse2015_print_figure3(const duet_paper_study *study, FILE *stream)
{
    static const int64_t usual[] = {10,  20,  30,  50,  70,  100, 150,  200, 300,
                                    400, 500, 600, 700, 800, 900, 1000, 0};
    int64_t list[DUET_CLI_MAX_LIST + 1];
    const int64_t *sizes = shown_sizes(study, usual, list);
    print_heading(study, "Bleuse et al. 2015, Figure 3", stream);
    print_sizes(study, DUET_BAG_FROM_SEARCH, true, sizes, stream);
    fputc('\n', stream);
    print_sizes(study, DUET_BAG_FROM_BEST, true, sizes, stream);
}

duet_code duet_bleuse2015_draw_figure3(const duet_paper_study *study, const duet_drawing *drawing,
                                       duet_error *error)
{
    static const duet_bag_algorithm shown[] = {DUET_BAG_DP, DUET_BAG_HEFT, DUET_BAG_ACCEL,
                                               DUET_BAG_DUAL_4_3, DUET_BAG_SHELF};
    duet_plot plot = {
        .chart = {.title = "Mean deviation over all platforms (Bleuse et al. 2015, Figure 3)",
                  .x_label = "tasks",
                  .y_label = "% above the bound of dual-2's search",
                  .linear_x = true}};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        duet_plot_line(&plot, (int)i, 0, "%s", duet_bag_label[shown[i]]);
        for (int64_t n = DUET_BAG_STEP; n <= DUET_BAG_LAST; n += DUET_BAG_STEP) {
            duet_bag_figures all; // every case has a run of exact, with a schedule or without
            duet_bag_figures figures;
            duet_bag_figures_of(study, DUET_BAG_EXACT, DUET_BAG_FROM_SEARCH, n, &all);
            duet_bag_figures_of(study, shown[i], DUET_BAG_FROM_SEARCH, n, &figures);
            if (all.ratio.count > 0) {
                duet_plot_add(&plot, (double)n, figures.mean);
            }
        }
    }
    return duet_plot_draw(&plot, "figure3", drawing, error);
}

void duet_bleuse2015_write_table1(const duet_paper_study *study, const duet_bag_part *part,
                                  const duet_paper_page *page)
{
    FILE *stream = page->stream;
    fputs("\n## Bleuse et al. 2015, Table 1\n\n"
          "Random accelerated tasks: CPU times uniform in 10 .. 100, whole; GPU times a 15th or a "
          "35th of them with equal probability, exactly\n"
          "(family `bleuse`: times are counted in 105ths). The paper describes 10, 20, ... 1000 "
          "tasks, 1, 2, ... 64 CPUs, 1, 2, 4, 8 GPUs and 30\n"
          "instances of each, which are 84,000, but counts 10,500. Here it is one in eight of the "
          "84,000: 105 of each size, three or four of\n"
          "each combination; `--full` runs them all. DP, HEFT and Accel are `dual-2`, `heft` and "
          "`accel-published`; the other columns are ours.\n\n",
          stream);
    duet_bag_write_block(study, part, page);
    fputs(
        "\n`duet generate bleuse -n N -m M -k K --seed SEED | duet solve - -a ALGORITHM` shows the "
        "worst instance of an algorithm again.\n\n"
        "What the paper leaves open, and why its numbers cannot be had from its description:\n\n"
        "- *Which instances.* The twelve sizes it prints are all multiples of 20. With steps of "
        "20, 50 sizes, 7 numbers of CPUs and 30\n"
        "  instances are 10,500, for one number of GPUs, which it does not name.\n"
        "- *Which times.* 12 of the 36 numbers it prints are fractions with a denominator of at "
        "most 30 (6/13, 3/7, 1/2, 7/17, 8/11, ...), where\n"
        "  chance would give one: its lower bounds, and so its GPU times, were small whole "
        "numbers. It does not say how they were rounded; `--round\n"
        "  nearest` and `--round up` try that.\n"
        "- *Which bound.* \"Derived from the binary search of the approximation algorithm\" is "
        "taken as that of `dual-2`, whose NO proves a bound. The NO\n"
        "  of Accel proves none ([theory](theory/dual.md#32-on-all-instances-shelf-3-2)).\n"
        "- *Which list rule.* `dual-2` gives each type its longest tasks first, and `heft` counts "
        "a mean time over all processors.\n",
        stream);
}

void duet_bleuse2015_write_figure3(const duet_paper_study *study, const duet_bag_part *part,
                                   const duet_paper_page *page)
{
    FILE *stream = page->stream;
    fputs("\n## Bleuse et al. 2015, Figure 3\n\n"
          "The same instances, means. The paper prints no numbers here.\n\n",
          stream);
    duet_bag_write_block(study, part, page);
    duet_paper_write_chart(page, "figure3", "mean deviation over the number of tasks");
}
