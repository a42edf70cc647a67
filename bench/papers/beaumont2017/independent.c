// SPDX-License-Identifier: Apache-2.0
// Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list scheduling
// algorithm for task-based runtime systems on multicores and GPUs", IPDPS 2017: the instances of
// its Figure 6, which is a picture without numbers, what it says of its runs, and all of it as
// text, JSON, chart and section of the page of results.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"

enum { LEAST = DUET_PAPERS_FEWEST_TILES, MOST = DUET_PAPERS_MOST_TILES };

const char *const duet_papers_family[DUET_PAPERS_FAMILIES] = {"chol", "lu", "qr"};

bool duet_papers_has_family(size_t f)
{
    for (size_t i = 0; i < duet_family_count(); i++) {
        if (strcmp(duet_family_entry(i)->name, duet_papers_family[f]) == 0) {
            return true;
        }
    }
    return false;
}

static void list(duet_papers *papers)
{
    const duet_papers_settings *s = &papers->settings;
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        for (int64_t n = DUET_PAPERS_FEWEST_TILES;
             n <= DUET_PAPERS_MOST_TILES && duet_papers_has_family(f); n++) {
            if (duet_papers_is_wanted(s->tile, s->tile_count, n)) {
                papers->cases[papers->case_count++] =
                    (duet_papers_case){.paper = &duet_beaumont2017,
                                       .family = f,
                                       .n = n,
                                       .m = DUET_PAPERS_FIGURE6_CPUS,
                                       .k = DUET_PAPERS_FIGURE6_GPUS};
            }
        }
    }
}

static const char *family_of(const duet_papers_case *c)
{
    return duet_papers_family[c->family];
}

static void name_case(const duet_papers *papers, const duet_papers_case *c, char *buffer)
{
    const char *row = papers->settings.row;
    snprintf(buffer, DUET_PAPERS_NAME, "%s-%" PRId64 "%s%s", family_of(c), c->n,
             row == NULL ? "" : "-", row == NULL ? "" : row);
}

static duet_code make_options(const duet_papers *papers, duet_options *options, duet_error *error)
{
    char row[128];
    if (papers->settings.row == NULL) {
        return DUET_OK;
    }
    snprintf(row, sizeof row, "row=%s", papers->settings.row);
    return duet_options_add(options, row, error);
}

// The options of `duet generate` that make the instance.
static void print_options(const duet_papers *papers, const duet_papers_case *c, FILE *stream)
{
    (void)c;
    if (papers->settings.row != NULL) {
        fprintf(stream, " -O row=%s", papers->settings.row);
    }
}

// "p/q" or "p".
static long double fraction_value(const char *text)
{
    char *end = NULL;
    long double value = strtold(text, &end);
    return *end == '/' ? value / strtold(end + 1, NULL) : value;
}

// The area bound of a factorisation: its few kinds make that a matter of microseconds.
static duet_code measure(const duet_papers *papers, duet_papers_case *c, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_bound bound;
    duet_code code = duet_papers_instance(papers, c, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    c->tasks = duet_instance_tasks(instance);
    c->decimals = duet_instance_decimals(instance);
    code = duet_compute_bound(instance, "area", NULL, &bound, error);
    if (code == DUET_OK) {
        c->area = fraction_value(bound.exact);
    }
    duet_bound_release(&bound);
    duet_instance_free(instance);
    return code;
}

static const duet_papers_case *find(const duet_papers *papers, size_t family, int64_t tiles)
{
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_case *origin = &papers->cases[c];
        if (origin->paper == &duet_beaumont2017 && origin->family == family && origin->n == tiles &&
            duet_papers_at(papers, c, 0)->reference > 0) {
            return origin;
        }
    }
    return NULL;
}

// The first case from `*n` tiles on; NULL: none. *n: what comes after it.
static const duet_papers_case *next(const duet_papers *papers, size_t family, int64_t *n)
{
    const duet_papers_case *found = NULL;
    while (found == NULL && *n <= MOST) {
        found = find(papers, family, (*n)++);
    }
    return found;
}

static size_t index_of(const duet_papers *papers, const duet_papers_case *c)
{
    return (size_t)(c - papers->cases);
}

static double to_area(const duet_papers *papers, const duet_papers_case *c, size_t algorithm)
{
    int64_t makespan = duet_papers_makespan(papers, index_of(papers, c), algorithm);
    return makespan < 0 ? 0 : (double)((long double)makespan / c->area);
}

static double to_best(const duet_papers *papers, const duet_papers_case *c, size_t algorithm)
{
    int64_t makespan = duet_papers_makespan(papers, index_of(papers, c), algorithm);
    int64_t best = duet_papers_at(papers, index_of(papers, c), algorithm)->reference;
    return makespan < 0 ? 0 : (double)makespan / (double)best;
}

// "Close to optimal" is not defined there; small values of N are those below 20.
static const double close_to = 1.05;
enum { SMALL = 20 };

// The smallest number of tiles from which on the ratio to the area bound stays within `close_to`;
// 0 where it is not at the end either.
static int64_t close_from(const duet_papers *papers, size_t family, size_t algorithm)
{
    int64_t from = 0;
    for (int64_t n = MOST; n >= LEAST; n--) {
        const duet_papers_case *c = find(papers, family, n);
        double ratio = c == NULL ? 1 : to_area(papers, c, algorithm);
        if (ratio <= 0 || ratio > close_to) {
            break;
        }
        from = c == NULL ? from : n;
    }
    return from;
}

// What the runs of a family say of a claim, and why as text.
typedef enum answer { UNKNOWN, NO, YES } answer;
enum { WHY = 64 };
typedef answer family_test(const duet_papers *papers, size_t family, size_t algorithm,
                           char why[WHY]);

// A claim over the families that were run: it holds where it does for each of them.
static void claim(const duet_papers *papers, const char *statement, family_test *test,
                  size_t algorithm, duet_claims *claims)
{
    char found[DUET_PAPERS_FAMILIES * (WHY + 8)] = "";
    int known = 0;
    int good = 0;
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        char why[WHY];
        answer is = test(papers, f, algorithm, why);
        if (is != UNKNOWN) {
            duet_bench_append(found, sizeof found, "%s%s %s", known == 0 ? "" : ", ",
                              duet_papers_family[f], why);
            known++;
            good += is == YES;
        }
    }
    duet_papers_claim(claims, known > 0, good == known, statement, "%s", found);
}

static answer is_close(const duet_papers *papers, size_t family, size_t algorithm, char why[WHY])
{
    if (find(papers, family, MOST) == NULL) {
        return UNKNOWN;
    }
    int64_t from = close_from(papers, family, algorithm);
    snprintf(why, WHY, from > 0 ? "from N = %" PRId64 " on" : "not", from);
    return from > 0 ? YES : NO;
}

// HeteroPrio against DualHP below 20 tiles, in exact times.
static answer is_better_below(const duet_papers *papers, size_t family, size_t algorithm,
                              char why[WHY])
{
    int shorter = 0;
    int longer = 0;
    int runs = 0;
    const duet_papers_case *c = NULL;
    for (int64_t n = LEAST; (c = next(papers, family, &n)) != NULL && c->n < SMALL;) {
        int64_t left = duet_papers_makespan(papers, index_of(papers, c), algorithm);
        int64_t right = duet_papers_makespan(papers, index_of(papers, c), DUET_PAPERS_DUALHP);
        bool both = left >= 0 && right >= 0;
        shorter += both && left < right;
        longer += both && left > right;
        runs += both;
    }
    snprintf(why, WHY, "better at %d, worse at %d of %d", shorter, longer, runs);
    return runs == 0 ? UNKNOWN : shorter > longer ? YES : NO;
}

static double mean_of(const duet_papers *papers, size_t family, size_t algorithm)
{
    double sum = 0;
    double count = 0;
    const duet_papers_case *c = NULL;
    for (int64_t n = LEAST; (c = next(papers, family, &n)) != NULL;) {
        double ratio = to_area(papers, c, algorithm);
        sum += ratio;
        count += ratio > 0;
    }
    return count == 0 ? 0 : sum / count;
}

static answer is_worst(const duet_papers *papers, size_t family, size_t algorithm, char why[WHY])
{
    double mean = mean_of(papers, family, algorithm);
    double other = mean_of(papers, family, DUET_PAPERS_HETEROPRIO);
    double third = mean_of(papers, family, DUET_PAPERS_DUALHP);
    snprintf(why, WHY, "%.3f (others %.3f, %.3f)", mean, other, third);
    return mean <= 0 ? UNKNOWN : mean > other && mean > third ? YES : NO;
}

static void make_claims(const duet_papers *papers, duet_claims *claims)
{
    claims->count = 0;
    claim(papers, "HeteroPrio is close to optimal for many tiles (within 5 %)", is_close,
          DUET_PAPERS_HETEROPRIO, claims);
    claim(papers, "DualHP is, too (within 5 %)", is_close, DUET_PAPERS_DUALHP, claims);
    claim(papers, "HeteroPrio is better than DualHP below 20 tiles", is_better_below,
          DUET_PAPERS_HETEROPRIO, claims);
    claim(papers, "HEFT performs rather poorly (mean ratio)", is_worst, DUET_PAPERS_HEFT, claims);
}

static bool is_shown(const duet_papers *papers, int64_t tiles)
{
    enum { sparse = 8, small = 20 };
    return papers->settings.tile_count > 0 || tiles % sparse == 0 ||
           (tiles <= small && tiles % 2 == 0);
}

// The paper's three, then ours.
static const duet_papers_algorithm columns[] = {
    DUET_PAPERS_HETEROPRIO, DUET_PAPERS_DUALHP, DUET_PAPERS_HEFT, DUET_PAPERS_DP,
    DUET_PAPERS_DUAL_4_3,   DUET_PAPERS_SHELF,  DUET_PAPERS_EXACT};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef double ratio_function(const duet_papers *papers, const duet_papers_case *c,
                              size_t algorithm);

static void print_ratios(const duet_papers *papers, size_t family, ratio_function *ratio,
                         FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(&table, "rrrrrrrrr", "N\ttasks");
    for (size_t i = 0; i < COLUMNS; i++) {
        duet_cli_table_add(&table, duet_papers_name[columns[i]]);
    }
    double sum[COLUMNS] = {0};
    size_t count[COLUMNS] = {0};
    size_t cases = 0;
    const duet_papers_case *c = NULL;
    for (int64_t n = LEAST; (c = next(papers, family, &n)) != NULL; cases++) {
        bool shown = is_shown(papers, c->n);
        if (shown) {
            duet_cells_addf(&table, "%" PRId64 "\t%" PRId64, c->n, c->tasks);
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            double value = ratio(papers, c, columns[i]);
            sum[i] += value;
            count[i] += value > 0;
            if (shown) {
                duet_cells_add_number(&table, value > 0 ? "%.4f" : "-", value);
            }
        }
    }
    duet_cells_addf(&table, "mean\tof %zu", cases);
    for (size_t i = 0; i < COLUMNS; i++) {
        duet_cells_add_number(&table, count[i] > 0 ? "%.4f" : "-", sum[i] / (double)count[i]);
    }
    duet_cells_end(&table, 0, stream);
}

static void print(const duet_papers *papers, FILE *stream)
{
    duet_claims claims;
    duet_papers_count count;
    duet_papers_count_of(papers, &duet_beaumont2017, &count);
    fprintf(stream,
            "Beaumont et al. 2017, Figure 6: %d CPUs and %d GPUs, N tiles of a side\n"
            "kernel timings: %s; optimum proven on %zu of %zu; elsewhere, the best bound "
            "stands for it (widest gap %.4f %%)\n",
            DUET_PAPERS_FIGURE6_CPUS, DUET_PAPERS_FIGURE6_GPUS,
            papers->settings.row == NULL ? "each family's default" : papers->settings.row,
            count.proven, count.cases, count.widest);
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        if (!duet_papers_has_family(f)) {
            fprintf(stream, "\n%s: this build has no such family\n", duet_papers_family[f]);
            continue;
        }
        fprintf(stream, "\n%s, makespan / area bound\n\n", duet_papers_family[f]);
        print_ratios(papers, f, to_area, stream);
        fprintf(stream, "\n%s, makespan / optimum\n\n", duet_papers_family[f]);
        print_ratios(papers, f, to_best, stream);
    }
    fputc('\n', stream);
    make_claims(papers, &claims);
    duet_papers_print_claims(&claims, stream);
}

// Null where there is none.
static double some(double ratio)
{
    return ratio > 0 ? ratio : -1;
}

static void write_json(const duet_papers *papers, duet_cli_json *json)
{
    duet_claims claims;
    duet_cli_json_open(json, "runs", '[');
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        const duet_papers_case *c = NULL;
        for (int64_t n = LEAST; (c = next(papers, f, &n)) != NULL;) {
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_members(json, "family:%s tiles:%" PRId64 " tasks:%" PRId64,
                                  duet_papers_family[f], c->n, c->tasks);
            for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
                duet_cli_json_object(json, duet_papers_name[a], "to_area:%.9f to_optimum:%.9f",
                                     some(to_area(papers, c, a)), some(to_best(papers, c, a)));
            }
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
    make_claims(papers, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
}

static duet_code draw_family(const duet_papers *papers, size_t family,
                             const duet_papers_drawing *drawing, duet_error *error)
{
    static const duet_papers_algorithm shown[] = {DUET_PAPERS_HETEROPRIO, DUET_PAPERS_HEFT,
                                                  DUET_PAPERS_DUALHP, DUET_PAPERS_EXACT};
    duet_papers_lines p = {.shown = shown, .shown_count = sizeof shown / sizeof *shown};
    char title[96];
    char what[32];
    const duet_papers_case *c = NULL;
    for (int64_t n = LEAST; (c = next(papers, family, &n)) != NULL; p.count++) {
        for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
            double ratio = to_area(papers, c, a);
            p.y[a][p.count] = ratio > 0 ? ratio : NAN; // where the run failed
        }
        p.x[p.count] = (double)c->n;
    }
    snprintf(title, sizeof title, "%s, 20 CPUs and 4 GPUs (Beaumont et al. 2017, Figure 6)",
             duet_papers_family[family]);
    snprintf(what, sizeof what, "figure6-%s", duet_papers_family[family]);
    duet_chart chart = {.title = title,
                        .x_label = "tiles of a side",
                        .y_label = "makespan / area bound",
                        .linear_y = true,
                        .least_y = 1};
    return duet_papers_draw(&p, &chart, what, drawing, error);
}

static duet_code draw(const duet_papers *papers, const duet_papers_drawing *drawing,
                      duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES && code == DUET_OK; f++) {
        code = draw_family(papers, f, drawing, error);
    }
    return code;
}

static void write_section(const duet_papers *papers, const duet_papers_page *page)
{
    fputs(
        "\n## Beaumont et al. 2017, Figure 6\n\n"
        "The kernels of tiled factorisations as independent tasks, with measured times of tiles "
        "of 960. The paper prints no numbers and\n"
        "does not give its times; its statements can be held against ours. 5 % stands for its "
        "\"close to optimal\". Of QR the CPU times are\nmeasured, the GPU times derived from them "
        "by the factors of LU kernels (the head of `instances/data/kernel-timings.csv`).\n\n",
        page->stream);
    duet_papers_write_block(papers, &duet_beaumont2017, 0, page);
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        if (duet_papers_has_family(f)) {
            char what[32];
            char title[64];
            snprintf(what, sizeof what, "figure6-%s", duet_papers_family[f]);
            snprintf(title, sizeof title, "%s: ratio to the area bound over the tiles",
                     duet_papers_family[f]);
            duet_papers_write_chart(page, what, title);
        }
    }
}

const duet_paper duet_beaumont2017 = {
    .key = "beaumont2017",
    .options = make_options,
    .list = list,
    .measure = measure,
    .family_of = family_of,
    .name_case = name_case,
    .print_options = print_options,
    .write_json = write_json,
    .parts = {{.name = "figure6", .print = print, .write_section = write_section, .draw = draw}}};
