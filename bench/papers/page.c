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
static void write_options(const duet_papers_settings *s, const duet_paper *paper, FILE *stream)
{
    if (paper == &duet_bleuse2015) {
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
void duet_papers_write_block(const duet_papers *papers, const duet_paper *paper, size_t part,
                             const duet_papers_page *page)
{
    fprintf(page->stream, "```console by-hand measures, for minutes\n$ duet bench papers %s",
            paper->parts[part].name);
    write_options(&papers->settings, paper, page->stream);
    fputc('\n', page->stream);
    paper->parts[part].print(papers, page->stream);
    fputs("```\n", page->stream);
}

// The chart's file is named as seen from the page's folder.
void duet_papers_write_chart(const duet_papers_page *page, const char *what, const char *title)
{
    if (page->drawing == NULL) {
        return;
    }
    const char *prefix = page->drawing->prefix;
    const char *slash = strrchr(page->path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - page->path) + 1;
    bool inside = folder > 0 && strncmp(page->path, prefix, folder) == 0;
    fprintf(page->stream, "\n![%s](%s-%s.%s)\n", title, inside ? prefix + folder : prefix, what,
            page->drawing->ending);
}

static void write_head(const duet_papers *papers, FILE *stream)
{
    const duet_papers_settings *s = &papers->settings;
    fputs("# Results\n\n"
          "Two papers' experiments on independent tasks run again; [those on task graphs]"
          "(results-graphs.md) have a page of their own.\n"
          "`duet bench papers --results FILE` writes this page; each table is what the command "
          "above it prints,\n"
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

duet_code duet_papers_results(const duet_papers *papers, const char *path,
                              const duet_papers_drawing *drawing, duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_papers_page page = {path, output.stream, drawing};
    write_head(papers, output.stream);
    const duet_paper *paper = NULL;
    const duet_papers_part *part = NULL;
    for (size_t i = 0; (part = duet_papers_next(papers, &i, &paper)) != NULL;) {
        part->write_section(papers, &page);
    }
    code = duet_output_commit(&output, error);
    duet_output_abandon(&output);
    return code;
}
