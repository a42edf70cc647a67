// SPDX-License-Identifier: Apache-2.0
// Bleuse et al.'s description gives 84,000 instances, its text counts 10,500, and nothing says
// which: we take one in eight, so that each combination of sizes has three or four, and each size
// 105. The optimum comes from `exact` with a limit of rounds instead of time.
#include "bench/papers/bag.h"

#include <inttypes.h>
#include <string.h>

#include "console/print.h"
#include "core/number/minmax.h"

const char *const duet_bag_name[DUET_BAG_ALGORITHMS] = {
    "dual-2", "heft", "accel-published", "dual-4-3", "shelf-3-2", "dualhp", "heteroprio", "exact"};
static const duet_paper_run runs[DUET_BAG_ALGORITHMS] = {
    {"dual-2", ""},    {"heft", ""},   {"accel-published", ""}, {"dual-4-3", ""},
    {"shelf-3-2", ""}, {"dualhp", ""}, {"heteroprio", ""},      {"exact", NULL}};
const char *const duet_bag_family[DUET_BAG_SETS] = {"bleuse", "chol", "lu", "qr"};
const duet_bag_part duet_bag_parts[DUET_BAG_PARTS] = {
    {"table1", false, duet_bleuse2015_print_table1, duet_bleuse2015_write_table1, NULL},
    {"figure3", false, duet_bleuse2015_print_figure3, duet_bleuse2015_write_figure3,
     duet_bleuse2015_draw_figure3},
    {"figure6", true, duet_beaumont2017_print, duet_beaumont2017_write_section,
     duet_beaumont2017_draw}};

bool duet_bag_has_family(size_t set)
{
    for (size_t i = 0; i < duet_family_count(); i++) {
        if (strcmp(duet_family_entry(i)->name, duet_bag_family[set]) == 0) {
            return true;
        }
    }
    return false;
}

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

duet_code duet_bag_make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    return duet_paper_generate(duet_bag_family[c->set], c, c->from, out, error);
}

static bool is_tiled(const duet_paper_case *c)
{
    return c->set != DUET_BAG_BLEUSE;
}

// A command line that makes it.
static void print_case(const duet_paper_case *c, FILE *stream)
{
    duet_cli_print(stream,
                   ", seed %" PRIu64 ": duet generate %s -n %" PRId64 " -m %" PRId64 " -k %" PRId64,
                   c->seed, duet_bag_family[c->set], c->n, c->m, c->k);
    if (!is_tiled(c)) {
        fprintf(stream, " --seed %" PRIu64, c->seed);
    }
    for (const char *at = c->from; *at != '\0';) {
        size_t length = strcspn(at, " ");
        duet_cli_print(stream, " -O %.*s", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

// --- figures -------------------------------------------------------------------------------------

// What a case's deviations are measured from; 0: it was not run, or there is none to trust.
static int64_t base_of(const duet_paper_study *study, size_t c, duet_bag_base base)
{
    const duet_paper_result *search = duet_paper_at(study, c, DUET_BAG_DP);
    if (base == DUET_BAG_FROM_BEST) {
        return search->reference;
    }
    return strcmp(search->status, "fault") == 0 ? 0 : search->bound;
}

void duet_bag_figures_of(const duet_paper_study *study, size_t algorithm, duet_bag_base base,
                         int64_t n, duet_bag_figures *out)
{
    *out = (duet_bag_figures){.ratio = {.largest = {0, 1}}};
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_case *origin = &study->cases[c];
        int64_t makespan = duet_paper_makespan(study, c, algorithm);
        int64_t from = base_of(study, c, base);
        if (origin->set == DUET_BAG_BLEUSE && (n == 0 || origin->n == n) && makespan >= from &&
            from > 0) {
            duet_fraction deviation = {(uint64_t)(makespan - from), (uint64_t)from};
            duet_ratio_statistics_add(&out->ratio, deviation, c);
        }
    }
    out->mean = out->ratio.count == 0 ? 0 : 100 * out->ratio.sum / (double)out->ratio.count;
}

double duet_bag_largest(const duet_bag_figures *figures)
{
    return 100 * (double)figures->ratio.largest.num / (double)figures->ratio.largest.den;
}

duet_bag_count duet_bag_count_of(const duet_paper_study *study, bool tiled)
{
    duet_bag_count count = {0};
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_result *first = duet_paper_at(study, c, 0);
        if (is_tiled(&study->cases[c]) != tiled || first->status[0] == '\0') {
            continue;
        }
        int64_t best = INT64_MAX;
        count.cases++;
        count.proven += first->is_optimum;
        for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
            const duet_paper_result *result = duet_paper_at(study, c, a);
            int64_t makespan = duet_paper_makespan(study, c, a);
            count.faults += strcmp(result->status, "fault") == 0;
            count.failed += result->makespan < 0;
            count.broken += result->respected == 0;
            best = makespan > 0 && makespan < best ? makespan : best;
        }
        if (first->reference > 0 && best < INT64_MAX) {
            double gap = 100 * (double)(best - first->reference) / (double)first->reference;
            count.widest = duet_max(gap, count.widest);
        }
    }
    return count;
}

const char *const duet_bag_label[DUET_BAG_ALGORITHMS] = {
    "DP (dual-2)", "HEFT",   "Accel (as published)", "dual-4-3",
    "shelf-3-2",   "DualHP", "HeteroPrio",           "exact"};

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
    duet_code code = DUET_OK;
    for (size_t i = 0; i < DUET_BAG_PARTS && code == DUET_OK; i++) {
        bool drawn = is_shown(study, i) && duet_bag_parts[i].draw != NULL;
        code = drawn ? duet_bag_parts[i].draw(study, drawing, error) : DUET_OK;
    }
    return code;
}

// The options without which the command would not print the same.
static void write_options(const duet_paper_settings *s, bool tiled, FILE *stream)
{
    if (!tiled) {
        if (s->every != DUET_BAG_EVERY) {
            fprintf(stream, " --every %" PRIu64, s->every);
        }
        if (s->first_seed != 1) {
            fprintf(stream, " --first-seed %" PRIu64, s->first_seed);
        }
        if (s->parts_per_unit != 1) {
            fprintf(stream, " --parts %" PRIu64, s->parts_per_unit);
        }
        if (strcmp(s->round, "none") != 0) {
            duet_cli_print(stream, " --round %s", s->round);
        }
        duet_paper_write_list(" --sizes ", s->size, s->size_count, stream);
    } else {
        if (s->row != NULL) {
            duet_cli_print(stream, " --row %s", s->row);
        }
        duet_paper_write_list(" --tiles ", s->tile, s->tile_count, stream);
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

// A console block; tests/shell/study.sh runs slices of these and compares.
void duet_bag_write_block(const duet_paper_study *study, size_t part, const duet_paper_page *page)
{
    duet_cli_print(page->stream, "```console by-hand measures, for minutes\n$ duet bench papers %s",
                   duet_bag_parts[part].name);
    write_options(study->settings, duet_bag_parts[part].tiled, page->stream);
    fputc('\n', page->stream);
    duet_bag_parts[part].print(study, page->stream);
    fputs("```\n", page->stream);
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
            duet_bag_parts[i].write_section(study, page);
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
