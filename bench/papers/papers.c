// SPDX-License-Identifier: Apache-2.0
// `duet bench papers`: tables and figures of the papers, run again and shown beside what they
// print.
//
// Method: every instance is given to the papers' algorithms and to ours, each on one thread; every
// schedule passes the independent checker. Bleuse et al.'s description gives 84,000 instances, its
// text counts 10,500, and nothing says which: we take one in eight, so that each combination of
// sizes has three or four, and each size 105. The optimum comes from `exact` with a limit of rounds
// instead of time, which makes every number the same on every machine.
#include <inttypes.h>

#include "bench/bench.h"
#include "bench/papers/args.h"
#include "bench/papers/graphs/command.h"
#include "bench/run/args.h"
#include "bench/run/study.h"
#include "console/paths.h"

static void print_text(const duet_papers *papers, FILE *stream)
{
    const char *between = "";
    const duet_paper *paper = NULL;
    const duet_papers_part *part = NULL;
    for (size_t i = 0; (part = duet_papers_next(papers, &i, &paper)) != NULL; between = "\n") {
        fputs(between, stream);
        part->print(papers, stream);
    }
}

static void write_paper(const duet_papers *papers, const duet_paper *paper, duet_cli_json *json)
{
    duet_papers_count count;
    duet_papers_count_of(papers, paper, &count);
    duet_cli_json_open(json, paper->key, '{');
    duet_cli_json_members(json,
                          "instances:%zu proven:%zu widest_gap_percent:%.6f failed_runs:%zu "
                          "faults:%zu ratios_exceeded:%zu",
                          count.cases, count.proven, count.widest, count.failed, count.faults,
                          count.broken);
    paper->write_json(papers, json);
    duet_cli_json_close(json, '}');
}

static void print_json(const duet_papers *papers, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    char digest[32];
    const duet_paper *paper = NULL;
    const duet_paper *last = NULL;
    snprintf(digest, sizeof digest, "%016" PRIx64, papers->summary.digest);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_integer(&json, "every", (int64_t)papers->settings.every);
    duet_cli_json_members(&json, "interrupted:%d digest:%s", papers->summary.interrupted, digest);
    for (size_t i = 0; duet_papers_next(papers, &i, &paper) != NULL; last = paper) {
        if (paper != last) {
            write_paper(papers, paper, &json);
        }
    }
    duet_cli_json_close(&json, '}');
}

// A chart that cannot be drawn for want of gnuplot is a note, not a failure.
static duet_code draw(const duet_papers *papers, const duet_papers_drawing *drawing, bool *drawn,
                      duet_error *error)
{
    duet_code code = DUET_OK;
    const duet_paper *paper = NULL;
    const duet_papers_part *part = NULL;
    for (size_t i = 0; code == DUET_OK && (part = duet_papers_next(papers, &i, &paper)) != NULL;) {
        code = part->draw == NULL ? DUET_OK : part->draw(papers, drawing, error);
    }
    *drawn = code == DUET_OK;
    return duet_chart_excuse_gnuplot(code, error);
}

static duet_code prepare(void *state, duet_error *error)
{
    duet_papers_args *args = state;
    duet_code code = args->results == NULL ? DUET_OK : duet_cli_check_target(args->results, error);
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_bench_check_prefix(args->chart, error);
    }
    return code == DUET_OK ? duet_papers_create(&args->papers, error) : code;
}

static duet_code run(void *state, const duet_sweep_plan *plan, duet_sweep_summary **summary,
                     duet_error *error)
{
    duet_papers *papers = &((duet_papers_args *)state)->papers;
    *summary = &papers->summary;
    return duet_papers_run(papers, plan, error);
}

static duet_code report(void *state, const duet_sweep_plan *plan, bool *good, duet_error *error)
{
    const duet_papers_args *args = state;
    const duet_papers *papers = &args->papers;
    const duet_sweep_summary *summary = &papers->summary;
    const duet_papers_drawing drawing = {args->chart, args->ending};
    duet_code code = DUET_OK;
    bool drawn = false;
    if (!plan->quiet || summary->interrupted) {
        fprintf(stderr, "duet: %s%zu of %zu instances, %.1f s, digest %016" PRIx64 "\n",
                summary->interrupted ? "interrupted: these are the results so far: " : "",
                summary->finished, summary->jobs, summary->seconds, summary->digest);
    }
    if (args->sweep.shared.json) {
        print_json(papers, stdout);
    } else if (!duet_study_prints_rows(plan)) {
        print_text(papers, stdout);
    }
    if (args->chart != NULL) {
        code = draw(papers, &drawing, &drawn, error);
    }
    if (code == DUET_OK && args->results != NULL && !summary->interrupted) {
        code = duet_papers_results(papers, args->results, drawn ? &drawing : NULL, error);
    }
    *good = code != DUET_OK || duet_papers_report_failures(papers, stderr);
    return code;
}

int duet_bench_papers(int argc, char **argv)
{
    static const duet_study study = {prepare, run, report};
    duet_papers_args args = {0};
    int exit_code = 0;
    if (duet_study_parse(&duet_papers_syntax, argc, argv, &args, duet_papers_args_complete,
                         &exit_code)) {
        exit_code = duet_study_run(args.graph_paper_count > 0 ? &duet_graph_papers_study : &study,
                                   &args.sweep, &args);
    }
    duet_graph_papers_free(&args);
    duet_papers_free(&args.papers);
    duet_cli_args_free(&args.sweep.shared);
    return exit_code;
}
