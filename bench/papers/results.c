// SPDX-License-Identifier: Apache-2.0
// All of `duet bench papers` as a page of Markdown: each table is what the command above it prints.
// What is said of the papers themselves follows from what they print, not from the runs.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "core/output.h"

static void write_list(const char *option, const int64_t *list, size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%" PRId64, i == 0 ? option : ",", list[i]);
    }
}

// The options without which the command would not print the same.
static void write_options(const duet_papers_settings *s, unsigned part, FILE *stream)
{
    if ((part & DUET_PAPERS_BLEUSE) != 0) {
        if (s->every != DUET_PAPERS_EVERY) {
            fprintf(stream, " --every %" PRIu64, s->every);
        }
        if (s->first_seed != 1) {
            fprintf(stream, " --first-seed %" PRIu64, s->first_seed);
        }
        if (s->parts_per_unit != 1) {
            fprintf(stream, " --parts %" PRIu64, s->parts_per_unit);
        }
        if (strcmp(s->round, "none") != 0) {
            fprintf(stream, " --round %s", s->round);
        }
        write_list(" --sizes ", s->size, s->size_count, stream);
    } else {
        if (s->row != NULL) {
            fprintf(stream, " --row %s", s->row);
        }
        write_list(" --tiles ", s->tile, s->tile_count, stream);
    }
    if (s->rounds != 1) {
        fprintf(stream, " --rounds %" PRIu64, s->rounds);
    }
    if (s->seconds > 0) {
        fprintf(stream, " -t %g", s->seconds);
    }
    if (s->memory_given) {
        fprintf(stream, " --memory %zu", s->memory >> 20);
    }
}

// A console block; tests/shell/papers.sh runs slices of these and compares.
static void write_block(const duet_papers *papers, const char *name, unsigned part,
                        void (*print)(const duet_papers *papers, FILE *stream), FILE *stream)
{
    fprintf(stream, "```console by-hand measures, for minutes\n$ duet bench papers %s", name);
    write_options(&papers->settings, part, stream);
    fputc('\n', stream);
    print(papers, stream);
    fputs("```\n", stream);
}

// The chart's file as seen from the page's folder.
static void write_chart(const char *path, const char *prefix, const char *ending, const char *what,
                        const char *title, FILE *stream)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    bool inside = folder > 0 && strncmp(path, prefix, folder) == 0;
    fprintf(stream, "\n![%s](%s-%s.%s)\n", title, inside ? prefix + folder : prefix, what, ending);
}

static void write_head(const duet_papers *papers, FILE *stream)
{
    const duet_papers_settings *s = &papers->settings;
    fputs("# Results\n\n"
          "Two papers' experiments run again. `duet bench papers --results FILE` writes this page; "
          "each table is what the command above it prints,\n"
          "with standard error left out. ",
          stream);
    fputs(s->seconds > 0 ? "The runs had a time limit: what it cut short may come out otherwise "
                           "elsewhere.\n"
                         : "Instances follow from seeds and the optimum is searched for with a "
                           "limit of rounds, not of time,\nso that the numbers are the same on "
                           "every machine (of a build with GLPK) and for any `-j`.\n",
          stream);
    fputs("Every schedule passed the independent checker; [benchmarks](benchmarks.md#papers) says "
          "what the columns are.\n\n",
          stream);
    fprintf(stream, "%zu instances; digest of all rows without their seconds: `%016" PRIx64 "`.\n",
            papers->summary.finished, papers->summary.digest);
}

static void write_table1(const duet_papers *papers, FILE *stream)
{
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
    write_block(papers, "table1", DUET_PAPERS_TABLE1, duet_papers_print_table1, stream);
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
        "  of Accel proves none ([theory](theory.md#32-on-all-instances-shelf-3-2)).\n"
        "- *Which list rule.* `dual-2` gives each type its longest tasks first, and `heft` counts "
        "a mean time over all processors.\n",
        stream);
}

static void write_figure3(const duet_papers *papers, const char *path, const char *prefix,
                          const char *ending, FILE *stream)
{
    fputs("\n## Bleuse et al. 2015, Figure 3\n\n"
          "The same instances, means. The paper prints no numbers here.\n\n",
          stream);
    write_block(papers, "figure3", DUET_PAPERS_FIGURE3, duet_papers_print_figure3, stream);
    if (prefix != NULL) {
        write_chart(path, prefix, ending, "figure3", "mean deviation over the number of tasks",
                    stream);
    }
}

static void write_figure6(const duet_papers *papers, const char *path, const char *prefix,
                          const char *ending, FILE *stream)
{
    fputs(
        "\n## Beaumont et al. 2017, Figure 6\n\n"
        "The kernels of tiled factorisations as independent tasks, with measured times of tiles "
        "of 960. The paper prints no numbers and\n"
        "does not give its times; its statements can be held against ours. 5 % stands for its "
        "\"close to optimal\". Of QR the CPU times are\nmeasured, the GPU times derived from them "
        "by the factors of LU kernels (the head of `instances/data/kernel-timings.csv`).\n\n",
        stream);
    write_block(papers, "figure6", DUET_PAPERS_FIGURE6, duet_papers_print_figure6, stream);
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES && prefix != NULL; f++) {
        if (duet_papers_has_family(f)) {
            char what[32];
            char title[64];
            snprintf(what, sizeof what, "figure6-%s", duet_papers_family[f]);
            snprintf(title, sizeof title, "%s: ratio to the area bound over the tiles",
                     duet_papers_family[f]);
            write_chart(path, prefix, ending, what, title, stream);
        }
    }
}

duet_code duet_papers_results(const duet_papers *papers, const char *path, const char *prefix,
                              const char *ending, duet_error *error)
{
    unsigned parts = papers->settings.parts;
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code != DUET_OK) {
        return code;
    }
    write_head(papers, output.stream);
    if ((parts & DUET_PAPERS_TABLE1) != 0) {
        write_table1(papers, output.stream);
    }
    if ((parts & DUET_PAPERS_FIGURE3) != 0) {
        write_figure3(papers, path, prefix, ending, output.stream);
    }
    if ((parts & DUET_PAPERS_FIGURE6) != 0) {
        write_figure6(papers, path, prefix, ending, output.stream);
    }
    code = duet_output_commit(&output, error);
    duet_output_abandon(&output);
    return code;
}
