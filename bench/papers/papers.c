// SPDX-License-Identifier: Apache-2.0
// `duet bench papers`: tables and figures of papers, run again and shown beside what they print:
// one sweep for each paper that was asked for, one after the other, then all that is shown.
//
// Method: every instance is given to the papers' algorithms, each on one thread; every schedule
// passes the independent checker. What decides is no clock but limits of rounds, so that every
// number is the same on every machine.
#include "bench/papers/papers.h"

#include <inttypes.h>
#include <string.h>

#include "bench/bench.h"
#include "console/paths.h"
#include "console/print.h"
#include "core/system/output.h"
#include "core/system/try.h"

// As the names of --paper in args.c; the last is what is run without it.
static const duet_paper *const papers[DUET_PAPERS] = {
    &duet_paper_canon2018,  &duet_paper_beaumont2017, &duet_paper_mcsweeney2020,
    &duet_paper_bleuse2015, &duet_paper_ntakpe2006,   &duet_paper_ntakpe2006_simulated,
    &duet_paper_bag};

static duet_code prepare(void *state, duet_error *error)
{
    duet_papers_args *args = state;
    DUET_TRY(duet_cli_check_target(args->results, error));
    DUET_TRY(duet_drawing_check(&args->drawing, error));
    for (size_t i = 0; i < args->paper_count; i++) {
        DUET_TRY(duet_paper_study_create(papers[args->paper[i]], &args->settings, &args->study[i],
                                         error));
    }
    return DUET_OK;
}

// The name of a study's rows and object; of independent tasks two papers share one.
static const char *name_of(const duet_paper *paper)
{
    return paper->title == NULL ? "independent" : paper->name;
}

// Each paper has rows of its own: those of the first go to the file, of the others to one beside it
// with their name in its own.
static const char *csv_of(const char *csv, const duet_paper *paper, char *path, size_t size)
{
    const char *slash = strrchr(csv, '/');
    const char *point = strrchr(slash == NULL ? csv : slash, '.');
    const char *end = point == NULL ? csv + strlen(csv) : point;
    snprintf(path, size, "%.*s-%s%s", (int)(end - csv), csv, name_of(paper), end);
    return path;
}

static duet_code run(void *state, const duet_sweep_plan *plan, duet_sweep_summary **summary,
                     duet_error *error)
{
    duet_papers_args *args = state;
    duet_code code = DUET_OK;
    bool interrupted = false;
    for (size_t i = 0; i < args->paper_count && code == DUET_OK && !interrupted; i++) {
        duet_sweep_plan own = *plan;
        char path[DUET_CLI_PATH_SIZE];
        if (i > 0 && plan->csv != NULL) {
            own.csv = csv_of(plan->csv, papers[args->paper[i]], path, sizeof path);
        }
        code = duet_paper_study_run(&args->study[i], &own, error);
        *summary = &args->study[i].summary;
        interrupted = args->study[i].summary.interrupted;
    }
    return code;
}

static void print_json(const duet_papers_args *args, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    for (size_t i = 0; i < args->paper_count; i++) {
        const duet_paper_study *study = &args->study[i];
        bool on_graphs = study->paper->title != NULL;
        bool named = on_graphs || args->paper_count > 1;
        char digest[32];
        snprintf(digest, sizeof digest, "%016" PRIx64, study->summary.digest);
        if (named) {
            duet_cli_json_open(&json, name_of(study->paper), '{');
        }
        if (on_graphs) {
            duet_cli_json_integer(&json, "instances", (int64_t)study->summary.finished);
        } else {
            duet_cli_json_integer(&json, "every", (int64_t)study->settings->every);
        }
        duet_cli_json_members(&json, "interrupted:%d digest:%s", study->summary.interrupted,
                              digest);
        study->paper->write_json(study, &json);
        if (named) {
            duet_cli_json_close(&json, '}');
        }
    }
    duet_cli_json_close(&json, '}');
}

static void print_text(const duet_papers_args *args, FILE *stream)
{
    for (size_t i = 0; i < args->paper_count; i++) {
        const duet_paper_study *study = &args->study[i];
        if (study->paper->title != NULL) {
            duet_cli_print(stream, i == 0 ? "%s\n\n" : "\n%s\n\n", study->paper->title);
        }
        study->paper->print(study, stream);
    }
}

static duet_code draw(const duet_papers_args *args, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < args->paper_count; i++) {
        DUET_THEN(code, duet_paper_draw_all(&args->study[i], &args->drawing, error));
    }
    return code;
}

static void write_section(const duet_papers_args *args, const duet_paper_study *study,
                          const duet_paper_page *page)
{
    const duet_paper_settings *s = study->settings;
    duet_cli_print(page->stream, "\n## %s\n\n", study->paper->title);
    duet_cli_put_own(page->stream, study->paper->about);
    fputc('\n', page->stream);
    duet_cli_print(page->stream,
                   "%zu instances, %zu runs; digest `%016" PRIx64 "`.\n\n"
                   "```console by-hand %s\n"
                   "$ duet bench papers --paper %s",
                   study->summary.finished, study->summary.finished * study->paper->run_count,
                   study->summary.digest,
                   s->stg == NULL ? "measures, for minutes"
                                  : "needs the graphs of the Standard Task Graph Set",
                   study->paper->name);
    duet_paper_write_list(" --tiles ", s->tile, s->tile_count, page->stream);
    if (study->paper->print_options != NULL) {
        study->paper->print_options(s, page->stream);
    }
    bool with_stg = s->stg != NULL && study->paper->stg != NULL;
    duet_cli_print(page->stream, "%s%s\n", with_stg ? " --stg " : "",
                   with_stg ? study->paper->stg : "");
    study->paper->print(study, page->stream);
    fputs("```\n", page->stream);
    const duet_paper_chart *chart = args->drawing.prefix == NULL ? NULL : study->paper->charts;
    for (; chart != NULL && chart->what != NULL; chart++) {
        if (chart->picture != NULL) {
            duet_paper_write_chart(page, chart->what, chart->picture);
        }
    }
    const duet_paper_picture *picture =
        args->drawing.prefix == NULL ? NULL : study->paper->pictures;
    for (; picture != NULL && picture->what != NULL; picture++) {
        duet_paper_write_chart(page, picture->what, picture->title);
    }
}

static void write_head(const duet_papers_args *args, FILE *stream)
{
    bool moldable = true;
    for (size_t i = 0; i < args->paper_count; i++) {
        moldable = moldable && papers[args->paper[i]]->moldable;
    }
    duet_cli_put_own(
        stream, moldable
                    ? "# Results on moldable tasks\n\n"
                      "A paper about graphs of moldable tasks, run again: [those on independent "
                      "tasks](results.md) and\n[on graphs of sequential tasks]"
                      "(results-graphs.md) have pages of their own.\n"
                    : "# Results on task graphs\n\n"
                      "Papers about task graphs, run again: [those on independent tasks]"
                      "(results.md) have a page of their own.\n");
    fputs("`duet bench papers --paper NAME --results FILE` writes this page; each block is what "
          "the command above it prints.\nEvery schedule passed the independent checker, every "
          "bound its own, and no number depends on the machine.\n*holds* is a statement that "
          "these runs bear out, within what the column *held to* says; *with some times* is one "
          "that\nholds with some of the sets of times that we have, where the paper does not give "
          "its own.\n",
          stream);
}

static duet_code write_page(const duet_papers_args *args, const duet_drawing *drawing,
                            duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, args->results, error));
    duet_paper_page page = {args->results, output.stream, drawing};
    if (args->study[0].paper->write_page != NULL) {
        args->study[0].paper->write_page(&args->study[0], &page);
    } else {
        write_head(args, output.stream);
        for (size_t i = 0; i < args->paper_count; i++) {
            write_section(args, &args->study[i], &page);
        }
    }
    duet_code code = duet_output_commit(&output, error);
    duet_output_abandon(&output);
    return code;
}

static duet_code report(void *state, const duet_sweep_plan *plan, bool *good, duet_error *error)
{
    const duet_papers_args *args = state;
    duet_code code = DUET_OK;
    bool interrupted = false;
    for (size_t i = 0; i < args->paper_count; i++) {
        const duet_sweep_summary *summary = &args->study[i].summary;
        interrupted = interrupted || summary->interrupted;
        if (!plan->quiet || summary->interrupted) {
            const duet_paper *paper = args->study[i].paper;
            duet_cli_print(
                stderr, "duet: %s%s%s%zu of %zu instances, %.1f s, digest %016" PRIx64 "\n",
                summary->interrupted ? "interrupted: these are the results so far: " : "",
                paper->title == NULL ? "" : paper->name, paper->title == NULL ? "" : ": ",
                summary->finished, summary->jobs, summary->seconds, summary->digest);
        }
    }
    if (args->sweep.shared.json) {
        print_json(args, stdout);
    } else if (!duet_study_prints_rows(plan)) {
        print_text(args, stdout);
    }
    if (args->drawing.prefix != NULL) {
        code = draw(args, error);
    }
    if (code == DUET_OK && args->results != NULL && !interrupted) {
        code = write_page(args, args->drawing.prefix != NULL ? &args->drawing : NULL, error);
    }
    for (size_t i = 0; i < args->paper_count && code == DUET_OK; i++) {
        *good = duet_paper_report_failures(&args->study[i], stderr) && *good;
    }
    return code;
}

int duet_bench_papers(int argc, char **argv)
{
    static const duet_study study = {prepare, run, report};
    duet_papers_args args = {0};
    int exit_code = 0;
    if (duet_study_parse(&duet_papers_syntax, argc, argv, &args, duet_papers_args_complete,
                         &exit_code)) {
        exit_code = duet_study_run(&study, &args.sweep, &args);
    }
    for (size_t i = 0; i < DUET_PAPERS; i++) {
        if (args.study[i].paper != NULL) {
            duet_paper_study_free(&args.study[i]);
        }
    }
    duet_cli_args_free(&args.sweep.shared);
    return exit_code;
}
