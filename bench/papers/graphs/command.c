// SPDX-License-Identifier: Apache-2.0
// One sweep for each paper that was asked for, one after the other, then all that is shown.
#include "bench/papers/graphs/command.h"

#include <inttypes.h>

#include "bench/run/args.h"
#include "console/paths.h"
#include "core/output.h"

const duet_graph_paper *const duet_graph_papers[DUET_GRAPH_PAPERS] = {
    &duet_graphs_canon2018, &duet_graphs_beaumont2017, &duet_graphs_mcsweeney2020,
    &duet_graphs_ntakpe2006, &duet_graphs_ntakpe2006_simulated};

static duet_code prepare(void *state, duet_error *error)
{
    duet_papers_args *args = state;
    duet_code code = args->results == NULL ? DUET_OK : duet_cli_check_target(args->results, error);
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_bench_check_prefix(args->chart, error);
    }
    for (size_t i = 0; i < args->graph_paper_count && code == DUET_OK; i++) {
        code = duet_graph_study_create(duet_graph_papers[args->graph_paper[i]],
                                       &args->graph_settings, &args->graph_study[i], error);
    }
    return code;
}

static duet_code run(void *state, const duet_sweep_plan *plan, duet_sweep_summary **summary,
                     duet_error *error)
{
    duet_papers_args *args = state;
    duet_code code = DUET_OK;
    bool interrupted = false;
    for (size_t i = 0; i < args->graph_paper_count && code == DUET_OK && !interrupted; i++) {
        code = duet_graph_study_run(&args->graph_study[i], plan, error);
        *summary = &args->graph_study[i].summary;
        interrupted = args->graph_study[i].summary.interrupted;
    }
    return code;
}

static void print_json(const duet_papers_args *args, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    for (size_t i = 0; i < args->graph_paper_count; i++) {
        const duet_graph_study *study = &args->graph_study[i];
        char digest[32];
        snprintf(digest, sizeof digest, "%016" PRIx64, study->summary.digest);
        duet_cli_json_open(&json, study->paper->name, '{');
        duet_cli_json_members(&json, "instances:%zu interrupted:%d digest:%s",
                              study->summary.finished, study->summary.interrupted, digest);
        study->paper->write_json(study, &json);
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, '}');
}

static void print_text(const duet_papers_args *args, FILE *stream)
{
    for (size_t i = 0; i < args->graph_paper_count; i++) {
        const duet_graph_study *study = &args->graph_study[i];
        fprintf(stream, "%s%s\n\n", i == 0 ? "" : "\n", study->paper->title);
        study->paper->print(study, stream);
    }
}

// A chart that cannot be drawn for want of gnuplot is a note, not a failure.
static duet_code draw(const duet_papers_args *args, const duet_papers_drawing *drawing, bool *drawn,
                      duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < args->graph_paper_count && code == DUET_OK; i++) {
        const duet_graph_study *study = &args->graph_study[i];
        code = study->paper->draw == NULL ? DUET_OK : study->paper->draw(study, drawing, error);
    }
    *drawn = code == DUET_OK;
    return duet_chart_excuse_gnuplot(code, error);
}

static void write_section(const duet_papers_args *args, const duet_graph_study *study,
                          const duet_papers_page *page)
{
    const duet_graph_settings *s = study->settings;
    fprintf(page->stream, "\n## %s\n\n%s\n", study->paper->title, study->paper->about);
    fprintf(page->stream,
            "%zu instances, %zu runs; digest `%016" PRIx64 "`.\n\n"
            "```console by-hand %s\n"
            "$ duet bench papers --paper %s",
            study->summary.finished, study->summary.finished * study->paper->run_count,
            study->summary.digest,
            s->stg == NULL ? "measures, for minutes"
                           : "needs the graphs of the Standard Task Graph Set",
            study->paper->name);
    for (size_t i = 0; i < s->tile_count; i++) {
        fprintf(page->stream, "%s%" PRId64, i == 0 ? " --tiles " : ",", s->tile[i]);
    }
    if (study->paper->print_options != NULL) {
        study->paper->print_options(s, page->stream);
    }
    fprintf(page->stream, "%s\n", s->stg == NULL ? "" : " --stg stg/300");
    study->paper->print(study, page->stream);
    fputs("```\n", page->stream);
    if (args->chart != NULL && study->paper->write_charts != NULL) {
        study->paper->write_charts(study, page);
    }
}

static void write_head(const duet_papers_args *args, FILE *stream)
{
    bool moldable = true;
    for (size_t i = 0; i < args->graph_paper_count; i++) {
        moldable = moldable && duet_graph_papers[args->graph_paper[i]]->moldable;
    }
    fputs(moldable ? "# Results on moldable tasks\n\n"
                     "A paper about graphs of moldable tasks, run again: [those on independent "
                     "tasks](results.md) and\n[on graphs of sequential tasks]"
                     "(results-graphs.md) have pages of their own.\n"
                   : "# Results on task graphs\n\n"
                     "Papers about task graphs, run again: [those on independent tasks]"
                     "(results.md) have a page of their own.\n",
          stream);
    fputs("`duet bench papers --paper NAME --results FILE` writes this page; each block is what "
          "the command above it prints.\nEvery schedule passed the independent checker, every "
          "bound its own, and no number depends on the machine.\n*holds* is a statement that "
          "these runs bear out; else the middle column has what contradicts it.\n",
          stream);
}

static duet_code write_page(const duet_papers_args *args, const duet_papers_drawing *drawing,
                            duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, args->results, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_papers_page page = {args->results, output.stream, drawing};
    write_head(args, output.stream);
    for (size_t i = 0; i < args->graph_paper_count; i++) {
        write_section(args, &args->graph_study[i], &page);
    }
    code = duet_output_commit(&output, error);
    duet_output_abandon(&output);
    return code;
}

static duet_code report(void *state, const duet_sweep_plan *plan, bool *good, duet_error *error)
{
    const duet_papers_args *args = state;
    const duet_papers_drawing drawing = {args->chart, args->ending};
    duet_code code = DUET_OK;
    bool drawn = false;
    bool interrupted = false;
    for (size_t i = 0; i < args->graph_paper_count; i++) {
        const duet_sweep_summary *summary = &args->graph_study[i].summary;
        interrupted = interrupted || summary->interrupted;
        if (!plan->quiet || summary->interrupted) {
            fprintf(stderr, "duet: %s%s: %zu of %zu instances, %.1f s, digest %016" PRIx64 "\n",
                    summary->interrupted ? "interrupted: these are the results so far: " : "",
                    args->graph_study[i].paper->name, summary->finished, summary->jobs,
                    summary->seconds, summary->digest);
        }
    }
    if (args->sweep.shared.json) {
        print_json(args, stdout);
    } else if (!duet_study_prints_rows(plan)) {
        print_text(args, stdout);
    }
    if (args->chart != NULL) {
        code = draw(args, &drawing, &drawn, error);
    }
    if (code == DUET_OK && args->results != NULL && !interrupted) {
        code = write_page(args, drawn ? &drawing : NULL, error);
    }
    for (size_t i = 0; i < args->graph_paper_count && code == DUET_OK; i++) {
        *good = duet_graph_report_failures(&args->graph_study[i], stderr) && *good;
    }
    return code;
}

const duet_study duet_graph_papers_study = {prepare, run, report};

void duet_graph_papers_free(duet_papers_args *args)
{
    for (size_t i = 0; i < DUET_GRAPH_PAPERS; i++) {
        if (args->graph_study[i].paper != NULL) {
            duet_graph_study_free(&args->graph_study[i]);
        }
    }
}
