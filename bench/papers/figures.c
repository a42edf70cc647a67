// SPDX-License-Identifier: Apache-2.0
// Figures over the runs of a paper. Makespans are exact; what is shown of them
// are quotients in floating point.
#include <stdarg.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "core/system/memory.h"
#include "core/system/try.h"

const duet_paper_result *duet_paper_at(const duet_paper_study *study, size_t c, size_t run)
{
    return &study->results[c * study->paper->run_count + run];
}

int64_t duet_paper_makespan(const duet_paper_study *study, size_t c, size_t run)
{
    const duet_paper_result *result = duet_paper_at(study, c, run);
    bool good = result->makespan > 0 && strcmp(result->status, "fault") != 0;
    return good ? result->makespan : 0;
}

double duet_paper_ratio(const duet_paper_study *study, size_t c, size_t a, size_t b)
{
    int64_t over = duet_paper_makespan(study, c, a);
    int64_t under = duet_paper_makespan(study, c, b);
    return over == 0 || under == 0 ? 0 : (double)over / (double)under;
}

double duet_paper_to_bound(const duet_paper_study *study, size_t c, size_t run)
{
    int64_t bound = duet_paper_at(study, c, run)->bound;
    return bound == 0 ? 0 : (double)duet_paper_makespan(study, c, run) / (double)bound;
}

duet_paper_ratios duet_paper_ratios_of(const duet_paper_study *study, size_t a, size_t b,
                                       duet_paper_filter *filter, size_t value)
{
    duet_paper_ratios result = {0};
    double *ratios = duet_alloc(study->case_count + 1, sizeof *ratios, NULL);
    size_t count = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        double ratio = filter(&study->cases[c], value) ? duet_paper_ratio(study, c, a, b) : 0;
        if (ratio > result.largest) {
            result.largest = ratio;
            result.where = c;
        }
        if (ratio > 0 && ratios != NULL) {
            ratios[count++] = ratio;
        }
    }
    result.median = count == 0 ? 0 : duet_bench_median(ratios, (int)count);
    duet_free(ratios);
    return result;
}

static const char no[] = "does not hold";

const char *duet_paper_verdict(bool any, bool holds)
{
    return !any ? "-" : holds ? "holds" : no;
}

void duet_paper_claim(duet_claims *claims, bool any, bool holds, const char *what, const char *held,
                      const char *found, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    duet_claims_add(claims, duet_paper_verdict(any, holds), what, "%s", text);
    duet_claims_hold(claims, held);
}

void duet_paper_limit_claims(const duet_paper_study *study, bool part, duet_claims *claims)
{
    part = part || study->summary.finished < study->summary.jobs;
    for (size_t i = 0; i < claims->count && part; i++) {
        if (!claims->claim[i].by_one && strcmp(claims->claim[i].verdict, no) == 0) {
            claims->claim[i].verdict = "not in this part";
        }
    }
}

void duet_paper_print_claims(const duet_claims *claims, FILE *stream)
{
    duet_claims_print(claims, "the paper says\tthese runs\theld to\t", 0, stream);
}

// Draws a chart of duet_paper.charts.
static duet_code draw(const duet_paper_study *study, const duet_paper_chart *chart,
                      const duet_drawing *drawing, duet_error *error)
{
    duet_plot plot = {.chart = chart->chart};
    for (size_t i = 0; i < chart->count; i++) {
        duet_plot_line(&plot, (int)i, 0, "%s", chart->labels[i]);
        for (size_t c = 0; c < study->case_count; c++) {
            const duet_paper_case *origin = &study->cases[c];
            if (chart->filter(origin, chart->value)) {
                duet_plot_add(&plot,
                              chart->x == NULL ? origin->x : chart->x(study, c, chart->first),
                              chart->y(study, c, chart->first + i));
            }
        }
    }
    return duet_plot_draw(&plot, chart->what, drawing, error);
}

duet_code duet_paper_draw_all(const duet_paper_study *study, const duet_drawing *drawing,
                              duet_error *error)
{
    const duet_paper_chart *chart = study->paper->charts;
    for (; chart != NULL && chart->what != NULL; chart++) {
        DUET_TRY(draw(study, chart, drawing, error));
    }
    return study->paper->draw == NULL ? DUET_OK : study->paper->draw(study, drawing, error);
}
