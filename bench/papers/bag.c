// SPDX-License-Identifier: Apache-2.0
// Bleuse et al.'s description gives 84,000 instances, its text counts 10,500, and nothing says
// which: we take one in eight, so that each combination of sizes has three or four, and each size
// 105. The optimum comes from `exact` with a limit of rounds instead of time.
#include "bench/papers/bag.h"

#include <inttypes.h>
#include <string.h>

#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

static const duet_paper_run runs[DUET_BAG_ALGORITHMS] = {
    {"dual-2", ""},    {"heft", ""},   {"accel-published", ""}, {"dual-4-3", ""},
    {"shelf-3-2", ""}, {"dualhp", ""}, {"heteroprio", ""},      {"exact", NULL}};
const duet_bag_part duet_bag_parts[DUET_BAG_PARTS] = {
    {"table1", false, duet_bleuse2015_print_table1, duet_bleuse2015_write_table1, NULL},
    {"figure3", false, duet_bleuse2015_print_figure3, duet_bleuse2015_write_figure3,
     duet_bleuse2015_draw_figure3},
    {"figure6", true, duet_beaumont2017_print, duet_beaumont2017_write_section,
     duet_beaumont2017_draw}};

static bool is_shown(const duet_paper_study *study, size_t part)
{
    return (study->settings->parts >> part & 1) != 0;
}

static duet_code list(duet_paper_study *study, duet_error *error)
{
    duet_code code = DUET_OK;
    if (is_shown(study, 0) || is_shown(study, 1)) {
        code = duet_bleuse2015_list(study, error);
    }
    if (code == DUET_OK && is_shown(study, 2)) {
        code = duet_beaumont2017_list(study, error);
    }
    if (code == DUET_OK && study->case_count == 0) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "none of these instances is in the sweep: expected sizes of 10, 20, "
                              "... 1000 tasks, 4 to 64 tiles");
    }
    return code;
}

// A command line that makes it.
static void print_case(const duet_paper_case *c, FILE *stream)
{
    duet_cli_print(stream,
                   ", seed %" PRIu64 ": duet generate %s -n %" PRId64 " -m %" PRId64 " -k %" PRId64,
                   c->seed, duet_bag_family[c->set], c->n, c->m, c->k);
    if (!duet_bag_is_tiled(c)) {
        fprintf(stream, " --seed %" PRIu64, c->seed);
    }
    for (const char *at = c->from; *at != '\0';) {
        size_t length = strcspn(at, " ");
        duet_cli_print(stream, " -O %.*s", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

// --- figures -------------------------------------------------------------------------------------

// --- all of it -----------------------------------------------------------------------------------

static void print(const duet_paper_study *study, FILE *stream)
{
    const char *between = "";
    for (size_t i = 0; i < DUET_BAG_PARTS; i++) {
        if (is_shown(study, i)) {
            duet_cli_put_own(stream, between);
            duet_bag_parts[i].print(study, stream);
            between = "\n";
        }
    }
}

static void write_paper(const duet_paper_study *study, bool tiled, duet_cli_json *json)
{
    duet_bag_count count = duet_bag_count_of(study, tiled);
    duet_cli_json_open(json, tiled ? "beaumont2017" : "bleuse2015", '{');
    duet_cli_json_members(json,
                          "instances:%zu proven:%zu widest_gap_percent:%.6f failed_runs:%zu "
                          "faults:%zu ratios_exceeded:%zu",
                          count.cases, count.proven, count.widest, count.failed, count.faults,
                          count.broken);
    (tiled ? duet_beaumont2017_write_json : duet_bleuse2015_write_json)(study, json);
    duet_cli_json_close(json, '}');
}

static void write_json(const duet_paper_study *study, duet_cli_json *json)
{
    if (is_shown(study, 0) || is_shown(study, 1)) {
        write_paper(study, false, json);
    }
    if (is_shown(study, 2)) {
        write_paper(study, true, json);
    }
}

static duet_code draw(const duet_paper_study *study, const duet_drawing *drawing, duet_error *error)
{
    for (size_t i = 0; i < DUET_BAG_PARTS; i++) {
        bool drawn = is_shown(study, i) && duet_bag_parts[i].draw != NULL;
        DUET_TRY(drawn ? duet_bag_parts[i].draw(study, drawing, error) : DUET_OK);
    }
    return DUET_OK;
}

static void write_page(const duet_paper_study *study, const duet_paper_page *page)
{
    FILE *stream = page->stream;
    fputs("# Results\n\n"
          "Two papers' experiments on independent tasks run again; [those on task graphs]"
          "(results-graphs.md) have a page of their own.\n"
          "`duet bench papers --results FILE` writes this page; each table is what the command "
          "above it prints,\n"
          "with standard error left out. ",
          stream);
    duet_cli_put_own(stream,
                     study->settings->seconds > 0
                         ? "The runs had a time limit: what it cut short may come out otherwise "
                           "elsewhere.\n"
                         : "Instances follow from seeds and the optimum is searched for with a "
                           "limit of rounds, not of time,\nso that the numbers are the same on "
                           "every machine (of a build with GLPK) and for any `-j`.\n");
    fputs("Every schedule passed the independent checker; [benchmarks](benchmarks.md#papers) says "
          "what the columns are.\n\n",
          stream);
    fprintf(stream, "%zu instances; digest of all rows without their seconds: `%016" PRIx64 "`.\n",
            study->summary.finished, study->summary.digest);
    for (size_t i = 0; i < DUET_BAG_PARTS; i++) {
        if (is_shown(study, i)) {
            duet_bag_parts[i].write_section(study, &duet_bag_parts[i], page);
        }
    }
}

const duet_paper duet_paper_bag = {.name = "independent tasks",
                                   .runs = runs,
                                   .run_count = DUET_BAG_ALGORITHMS,
                                   .sets = duet_bag_family,
                                   .refers = true,
                                   .list = list,
                                   .make = duet_bag_make,
                                   .print = print,
                                   .write_json = write_json,
                                   .draw = draw,
                                   .write_page = write_page,
                                   .print_case = print_case};
