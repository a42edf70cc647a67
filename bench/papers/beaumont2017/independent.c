// SPDX-License-Identifier: Apache-2.0
// Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list scheduling
// algorithm for task-based runtime systems on multicores and GPUs", IPDPS 2017: the instances of
// its Figure 6, which is a picture without numbers, what it says of its runs, and all of it as
// text, JSON, chart and section of the page of results.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/papers/bag.h"
#include "console/print.h"
#include "core/system/try.h"

enum { LEAST = DUET_BAG_FEWEST_TILES, MOST = DUET_BAG_MOST_TILES };

// "p/q" or "p".
static long double fraction_value(const char *text)
{
    char *end = NULL;
    long double value = strtold(text, &end);
    return *end == '/' ? value / strtold(end + 1, NULL) : value;
}

// Tasks, and the area bound: the few kinds of a factorisation make that a matter of microseconds.
static duet_code measure(duet_paper_case *c, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_bound *bound = NULL;
    DUET_TRY(duet_bag_make(c, &instance, error));
    c->tasks = duet_instance_tasks(instance);
    c->decimals = duet_instance_decimals(instance);
    duet_code code = duet_compute_bound(instance, "area", NULL, &bound, error);
    if (code == DUET_OK) {
        c->area = fraction_value(duet_bound_exact(bound));
    }
    duet_bound_free(bound);
    duet_instance_free(instance);
    return code;
}

duet_code duet_beaumont2017_list(duet_paper_study *study, duet_error *error)
{
    const duet_paper_settings *s = study->settings;
    duet_code code = DUET_OK;
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        for (int64_t n = LEAST; n <= MOST && duet_bag_has_family(f) && code == DUET_OK; n++) {
            if (!duet_paper_is_wanted(s->tile, s->tile_count, n)) {
                continue;
            }
            duet_paper_case c = {
                .set = f, .n = n, .m = DUET_BAG_FIGURE6_CPUS, .k = DUET_BAG_FIGURE6_GPUS};
            snprintf(c.name, sizeof c.name, "%s-%" PRId64, duet_bag_family[f], n);
            if (s->row != NULL) {
                duet_bench_append(c.name, sizeof c.name, "-%s", s->row);
                snprintf(c.from, sizeof c.from, "row=%.120s", s->row);
            }
            code = measure(&c, error);
            DUET_THEN(code, duet_paper_add_case(study, &c, error));
        }
    }
    return code;
}

static const duet_paper_case *find(const duet_paper_study *study, size_t family, int64_t tiles)
{
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_case *origin = &study->cases[c];
        if (origin->set == family && origin->n == tiles &&
            duet_paper_at(study, c, 0)->reference > 0) {
            return origin;
        }
    }
    return NULL;
}

// The first case from `*n` tiles on; NULL: none. *n: what comes after it.
static const duet_paper_case *next(const duet_paper_study *study, size_t family, int64_t *n)
{
    const duet_paper_case *found = NULL;
    while (found == NULL && *n <= MOST) {
        found = find(study, family, (*n)++);
    }
    return found;
}

static size_t index_of(const duet_paper_study *study, const duet_paper_case *c)
{
    return (size_t)(c - study->cases);
}

static double to_area(const duet_paper_study *study, const duet_paper_case *c, size_t algorithm)
{
    int64_t makespan = duet_paper_makespan(study, index_of(study, c), algorithm);
    return makespan == 0 ? 0 : (double)((long double)makespan / c->area);
}

static double to_best(const duet_paper_study *study, const duet_paper_case *c, size_t algorithm)
{
    int64_t makespan = duet_paper_makespan(study, index_of(study, c), algorithm);
    int64_t best = duet_paper_at(study, index_of(study, c), algorithm)->reference;
    return makespan == 0 ? 0 : (double)makespan / (double)best;
}

// "Close to optimal" is not defined there; small values of N are those below 20.
static const double close_to = 1.05;
enum { SMALL = 20 };

// The smallest number of tiles from which on the ratio to the area bound stays within `close_to`;
// 0 where it is not at the end either.
static int64_t close_from(const duet_paper_study *study, size_t family, size_t algorithm)
{
    int64_t from = 0;
    for (int64_t n = MOST; n >= LEAST; n--) {
        const duet_paper_case *c = find(study, family, n);
        double ratio = c == NULL ? 1 : to_area(study, c, algorithm);
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
typedef answer family_test(const duet_paper_study *study, size_t family, size_t algorithm,
                           char why[WHY]);

// A claim over the families that were run: it holds where it does for each of them.
static void claim(const duet_paper_study *study, const char *statement, family_test *test,
                  size_t algorithm, duet_claims *claims)
{
    char found[DUET_BAG_SETS * (WHY + 8)] = "";
    int known = 0;
    int good = 0;
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        char why[WHY];
        answer is = test(study, f, algorithm, why);
        if (is != UNKNOWN) {
            duet_bench_append(found, sizeof found, "%s%s %s", known == 0 ? "" : ", ",
                              duet_bag_family[f], why);
            known++;
            good += is == YES;
        }
    }
    duet_paper_claim(claims, known > 0, good == known, statement, "every family", "%s", found);
}

static answer is_close(const duet_paper_study *study, size_t family, size_t algorithm,
                       char why[WHY])
{
    if (find(study, family, MOST) == NULL) {
        return UNKNOWN;
    }
    int64_t from = close_from(study, family, algorithm);
    snprintf(why, WHY, from > 0 ? "from N = %" PRId64 " on" : "not", from);
    return from > 0 ? YES : NO;
}

// HeteroPrio against DualHP below 20 tiles, in exact times.
static answer is_better_below(const duet_paper_study *study, size_t family, size_t algorithm,
                              char why[WHY])
{
    int shorter = 0;
    int longer = 0;
    int runs = 0;
    const duet_paper_case *c = NULL;
    for (int64_t n = LEAST; (c = next(study, family, &n)) != NULL && c->n < SMALL;) {
        int64_t left = duet_paper_makespan(study, index_of(study, c), algorithm);
        int64_t right = duet_paper_makespan(study, index_of(study, c), DUET_BAG_DUALHP);
        bool both = left > 0 && right > 0;
        shorter += both && left < right;
        longer += both && left > right;
        runs += both;
    }
    snprintf(why, WHY, "better at %d, worse at %d of %d", shorter, longer, runs);
    return runs == 0 ? UNKNOWN : shorter > longer ? YES : NO;
}

static double mean_of(const duet_paper_study *study, size_t family, size_t algorithm)
{
    double sum = 0;
    double count = 0;
    const duet_paper_case *c = NULL;
    for (int64_t n = LEAST; (c = next(study, family, &n)) != NULL;) {
        double ratio = to_area(study, c, algorithm);
        sum += ratio;
        count += ratio > 0;
    }
    return count == 0 ? 0 : sum / count;
}

static answer is_worst(const duet_paper_study *study, size_t family, size_t algorithm,
                       char why[WHY])
{
    double mean = mean_of(study, family, algorithm);
    double other = mean_of(study, family, DUET_BAG_HETEROPRIO);
    double third = mean_of(study, family, DUET_BAG_DUALHP);
    snprintf(why, WHY, "%.3f (others %.3f, %.3f)", mean, other, third);
    return mean <= 0 ? UNKNOWN : mean > other && mean > third ? YES : NO;
}

static void make_claims(const duet_paper_study *study, duet_claims *claims)
{
    claims->count = 0;
    claim(study, "HeteroPrio is close to optimal for many tiles (within 5 %)", is_close,
          DUET_BAG_HETEROPRIO, claims);
    claim(study, "DualHP is, too (within 5 %)", is_close, DUET_BAG_DUALHP, claims);
    claim(study, "HeteroPrio is better than DualHP below 20 tiles", is_better_below,
          DUET_BAG_HETEROPRIO, claims);
    claim(study, "HEFT performs rather poorly (mean ratio)", is_worst, DUET_BAG_HEFT, claims);
    duet_paper_limit_claims(study, study->settings->tile_count > 0, claims);
}

// The paper's three, then ours.
static const duet_bag_algorithm columns[] = {DUET_BAG_HETEROPRIO, DUET_BAG_DUALHP,   DUET_BAG_HEFT,
                                             DUET_BAG_DP,         DUET_BAG_DUAL_4_3, DUET_BAG_SHELF,
                                             DUET_BAG_EXACT};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef double ratio_function(const duet_paper_study *study, const duet_paper_case *c,
                              size_t algorithm);

static void print_ratios(const duet_paper_study *study, size_t family, ratio_function *ratio,
                         FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(&table, "rrrrrrrrr", "N\ttasks");
    for (size_t i = 0; i < COLUMNS; i++) {
        duet_cli_table_add(&table, duet_bag_name[columns[i]]);
    }
    double sum[COLUMNS] = {0};
    size_t count[COLUMNS] = {0};
    size_t cases = 0;
    const duet_paper_case *c = NULL;
    for (int64_t n = LEAST; (c = next(study, family, &n)) != NULL; cases++) {
        bool shown = duet_bag_shows_tiles(study, c->n);
        if (shown) {
            duet_cells_addf(&table, "%" PRId64 "\t%" PRId64, c->n, c->tasks);
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            double value = ratio(study, c, columns[i]);
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

void duet_beaumont2017_print(const duet_paper_study *study, FILE *stream)
{
    duet_claims claims;
    duet_bag_count count = duet_bag_count_of(study, true);
    duet_cli_print(stream,
                   "Beaumont et al. 2017, Figure 6: %d CPUs and %d GPUs, N tiles of a side\n"
                   "kernel timings: %s; optimum proven on %zu of %zu; elsewhere, the best bound "
                   "stands for it (widest gap %.4f %%)\n",
                   DUET_BAG_FIGURE6_CPUS, DUET_BAG_FIGURE6_GPUS,
                   study->settings->row == NULL ? "each family's default" : study->settings->row,
                   count.proven, count.cases, count.widest);
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        if (!duet_bag_has_family(f)) {
            duet_cli_print(stream, "\n%s: this build has no such family\n", duet_bag_family[f]);
            continue;
        }
        duet_cli_print(stream, "\n%s, makespan / area bound\n\n", duet_bag_family[f]);
        print_ratios(study, f, to_area, stream);
        duet_cli_print(stream, "\n%s, makespan / optimum\n\n", duet_bag_family[f]);
        print_ratios(study, f, to_best, stream);
    }
    fputc('\n', stream);
    make_claims(study, &claims);
    duet_paper_print_claims(&claims, stream);
}

// A ratio as JSON has it: null for 0, which stands for none.
static double some(double ratio)
{
    return ratio > 0 ? ratio : -1;
}

void duet_beaumont2017_write_json(const duet_paper_study *study, duet_cli_json *json)
{
    duet_claims claims;
    duet_cli_json_open(json, "runs", '[');
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        const duet_paper_case *c = NULL;
        for (int64_t n = LEAST; (c = next(study, f, &n)) != NULL;) {
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_members(json, "family:%s tiles:%" PRId64 " tasks:%" PRId64,
                                  duet_bag_family[f], c->n, c->tasks);
            for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
                duet_cli_json_object(json, duet_bag_name[a], "to_area:%.9f to_optimum:%.9f",
                                     some(to_area(study, c, a)), some(to_best(study, c, a)));
            }
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
    make_claims(study, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
}

static duet_code draw_family(const duet_paper_study *study, size_t family,
                             const duet_drawing *drawing, duet_error *error)
{
    static const duet_bag_algorithm shown[] = {DUET_BAG_HETEROPRIO, DUET_BAG_HEFT, DUET_BAG_DUALHP,
                                               DUET_BAG_EXACT};
    char title[96];
    char what[32];
    snprintf(title, sizeof title, "%s, 20 CPUs and 4 GPUs (Beaumont et al. 2017, Figure 6)",
             duet_bag_family[family]);
    snprintf(what, sizeof what, "figure6-%s", duet_bag_family[family]);
    duet_plot plot = {.chart = {.title = title,
                                .x_label = "tiles of a side",
                                .y_label = "makespan / area bound",
                                .linear_x = true,
                                .linear_y = true}};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const duet_paper_case *c = NULL;
        duet_plot_line(&plot, (int)i, 0, "%s", duet_bag_label[shown[i]]);
        for (int64_t n = LEAST; (c = next(study, family, &n)) != NULL;) {
            duet_plot_add(&plot, (double)c->n, to_area(study, c, shown[i]));
        }
    }
    return duet_plot_draw(&plot, what, drawing, error);
}

duet_code duet_beaumont2017_draw(const duet_paper_study *study, const duet_drawing *drawing,
                                 duet_error *error)
{
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        DUET_TRY(draw_family(study, f, drawing, error));
    }
    return DUET_OK;
}

void duet_beaumont2017_write_section(const duet_paper_study *study, const duet_bag_part *part,
                                     const duet_paper_page *page)
{
    fputs(
        "\n## Beaumont et al. 2017, Figure 6\n\n"
        "The kernels of tiled factorisations as independent tasks, with measured times of tiles "
        "of 960. The paper prints no numbers and\n"
        "does not give its times; its statements can be held against ours. 5 % stands for its "
        "\"close to optimal\". Of QR the CPU times are\nmeasured, the GPU times derived from them "
        "by the factors of LU kernels (the head of `instances/data/kernel-timings.csv`).\n\n",
        page->stream);
    duet_bag_write_block(study, part, page);
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        if (duet_bag_has_family(f)) {
            char what[32];
            char title[64];
            snprintf(what, sizeof what, "figure6-%s", duet_bag_family[f]);
            snprintf(title, sizeof title, "%s: ratio to the area bound over the tiles",
                     duet_bag_family[f]);
            duet_paper_write_chart(page, what, title);
        }
    }
}
