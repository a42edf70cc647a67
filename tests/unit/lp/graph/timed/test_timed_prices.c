// SPDX-License-Identifier: Apache-2.0
// The parts of the time-indexed Lagrangian, each against its definition by plain sums over all
// ticks, starts and paths: which edges have prices, what a grid keeps of them, where each task is
// cheapest, what a line is worth and what it leaves of the windows.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "tests/support/fixtures.h"
#include "tests/support/priced.h"

enum { GRAPHS = 120 };

// --- which edges have prices ---------------------------------------------------------------------

// Whether a path of at least two edges leads along with an edge.
static bool is_implied(const duet_graph *graph, int64_t tasks, int64_t edge)
{
    bool *reached = calloc((size_t)tasks, sizeof *reached);
    assert_non_null(reached);
    for (int64_t pass = 0; pass < tasks; pass++) {
        for (int64_t e = 0; e < graph->edges; e++) {
            bool begins = graph->tail[e] == graph->tail[edge] && e != edge;
            reached[graph->head[e]] |= begins || reached[graph->tail[e]];
        }
    }
    // The edge itself is left out at its tail only: no other edge leaves from there to its head.
    bool implied = reached[graph->head[edge]];
    free(reached);
    return implied;
}

static void edges_that_no_path_implies_have_prices(void **state)
{
    (void)state;
    long implied = 0;
    long priced = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_random random;
        duet_priced s;
        duet_priced_create(&s, duet_test_graph(&random, seed, 3, 9, 2));
        const duet_graph *graph = s.network.graph;
        int64_t carries = graph->edges > 0 ? duet_random_between(&random, 0, graph->edges - 1) : 0;
        s.line.flow[carries] = 1;
        duet_priced_begin(&s, 100);
        for (int64_t e = 0; e < graph->edges; e++) {
            bool needed = !is_implied(graph, s.network.tasks, e);
            long found = 0;
            for (size_t i = 0; i < s.timed->edges; i++) {
                const duet_timed_edge *edge = &s.timed->edge[i];
                found += edge->edge == e;
                assert_int_equal(edge->tail, graph->tail[edge->edge]);
                assert_int_equal(edge->head, graph->head[edge->edge]);
            }
            assert_int_equal(found, needed || e == carries);
            implied += !needed;
            priced += needed;
        }
        duet_priced_free(&s);
    }
    assert_true(implied > GRAPHS / 4 && priced > implied);
}

// --- the grid ------------------------------------------------------------------------------------

// Two tasks in a chain, on two CPUs and one GPU.
static duet_instance *chain_of_two(void)
{
    static const int64_t times[] = {10, 4, 8, 6};
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const duet_edge edge[] = {{0, 1, 0}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 2,
                                     .times = times,
                                     .edges = 1,
                                     .edge = edge};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// Two CPUs cost 3 a tick from 10 to 30 and the GPU 4 from 20 to 40, which is 120 + 80 together; the
// edge's flow is 5.
static void a_line_gives_the_first_prices(void **state)
{
    (void)state;
    duet_priced s;
    int64_t cpu[] = {3, 0};
    int64_t gpu[] = {0, 4};
    duet_lp_interval interval[] = {{10, 10, cpu}, {20, 0, gpu}};
    duet_priced_create(&s, chain_of_two());
    s.line.interval = interval;
    s.line.intervals = 2;
    s.line.flow[0] = 5;
    duet_priced_begin(&s, 40);
    const duet_timed *timed = s.timed;
    assert_int_equal(timed->cells, 8); // at most nine: four a task and one
    assert_int_equal(timed->width, 5);
    for (int32_t k = 0; k < timed->cells; k++) {
        int64_t begin = k * timed->width;
        double on_cpu = begin >= 10 && begin < 30 ? 2 * 3 * 5 / 200.0 : 0;
        double on_gpu = begin >= 20 ? 1 * 4 * 5 / 200.0 : 0;
        assert_true(fabs(timed->weight[k] - on_cpu) < 1e-12);
        assert_true(fabs(timed->weight[timed->stride + (size_t)k] - on_gpu) < 1e-12);
        assert_true(fabs((double)timed->price[k] - 5 * 5 / 200.0) < 1e-7);
    }
    duet_priced_free(&s);
}

// What a new cell has of the prices of the old ones, which are spread evenly over each.
static double share_of_cell(const double *old, int32_t old_cells, double old_width, double begin,
                            double end)
{
    double sum = 0;
    for (int32_t k = 0; k < old_cells; k++) {
        double from = (double)k * old_width;
        double to = k + 1 < old_cells ? from + old_width : 1;
        double part = fmin(to, end) - fmax(from, begin);
        sum += part > 0 ? old[k] * part / (to - from) : 0;
    }
    return sum;
}

static void prices_stay_on_another_grid(void **state)
{
    (void)state;
    long carried = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_random random;
        duet_priced s;
        duet_priced_create(&s, duet_test_graph(&random, seed, 4, 9, 2));
        duet_priced_begin(&s, duet_random_between(&random, 40, 4000));
        duet_timed *timed = s.timed;
        duet_priced_draw(&s, &random);
        int32_t cells = timed->cells;
        double width = (double)timed->width / (double)timed->guess;
        double old[DUET_TIMED_MOST_CELLS];
        double weight[2 * DUET_TIMED_MOST_CELLS];
        size_t e = timed->edges > 0
                       ? (size_t)duet_random_between(&random, 0, (int64_t)timed->edges - 1)
                       : 0;
        for (int32_t k = 0; k < cells; k++) {
            old[k] = timed->edges > 0 ? timed->price[e * timed->stride + (size_t)k] : 0;
            weight[k] = timed->weight[k];
            weight[DUET_TIMED_MOST_CELLS + k] = timed->weight[timed->stride + (size_t)k];
        }
        duet_timed_set_grid(timed, duet_random_between(&random, 40, 4000),
                            (size_t)duet_random_between(&random, 3, 40));
        carried += timed->cells != cells;
        for (int32_t k = 0; k < timed->cells && timed->cells != cells; k++) {
            double begin = (double)(k * timed->width) / (double)timed->guess;
            double end = begin + (double)duet_timed_length(timed, k) / (double)timed->guess;
            for (size_t t = 0; t < 2; t++) {
                double has = timed->weight[t * timed->stride + (size_t)k];
                assert_true(fabs(has - share_of_cell(weight + t * DUET_TIMED_MOST_CELLS, cells,
                                                     width, begin, end)) < 1e-9);
            }
            double has = timed->edges > 0 ? timed->price[e * timed->stride + (size_t)k] : 0;
            assert_true(fabs(has - share_of_cell(old, cells, width, begin, end)) < 1e-5);
        }
        duet_priced_free(&s);
    }
    assert_true(carried > GRAPHS / 2);
}

// Cells of a task are those in which it may start, run or end; cells of an edge those in which its
// head may have started and its tail may not have ended.
static void spans_have_every_cell_that_matters(void **state)
{
    (void)state;
    long edges = 0;
    uint64_t seed = 0;
    for (int i = 0; i < GRAPHS; i++) {
        duet_random random;
        duet_priced s;
        duet_priced_draw_small(&s, &random, &seed, 3, 9);
        duet_priced_begin(&s, duet_priced_least_guess(&s) + duet_random_between(&random, 0, 30));
        const duet_timed *timed = s.timed;
        for (int64_t j = 0; j < s.network.tasks; j++) {
            const duet_window *window = &s.window[j];
            int64_t last = timed->guess - window->tail - 1;
            assert_int_equal(timed->span[j].first,
                             duet_min(window->start, timed->guess - 1) / timed->width);
            assert_int_equal(timed->span[j].last, duet_max(last, 0) / timed->width);
        }
        for (size_t e = 0; e < timed->edges; e++) {
            int64_t from = s.window[timed->edge[e].head].start;
            int64_t to = timed->guess - s.window[timed->edge[e].tail].tail;
            for (int64_t tick = from; tick < to; tick++) {
                assert_true(tick / timed->width >= timed->edge[e].first &&
                            tick / timed->width <= timed->edge[e].last);
            }
            edges += from < to;
            assert_true(from >= to || (timed->edge[e].first == from / timed->width &&
                                       timed->edge[e].last == (to - 1) / timed->width));
        }
        duet_priced_free(&s);
    }
    assert_true(edges > GRAPHS);
}

// --- places --------------------------------------------------------------------------------------

// The price of an array of cells from a time on, or before it.
static double price_from(const duet_timed *timed, const float *cell, int64_t time)
{
    double sum = 0;
    for (int64_t tick = time; tick < timed->guess; tick++) {
        int64_t k = tick / timed->width;
        sum += cell[k] / (double)duet_timed_length(timed, k);
    }
    return sum;
}

static double processor_price(const duet_timed *timed, size_t type, int64_t start, int64_t end)
{
    double sum = 0;
    for (int64_t tick = start; tick < end; tick++) {
        int64_t k = tick / timed->width;
        sum += timed->weight[type * timed->stride + (size_t)k] /
               (double)duet_timed_length(timed, k) / (double)timed->net->instance->processors[type];
    }
    return sum;
}

static double cost_at(const duet_timed *timed, int64_t task, size_t type, int64_t start)
{
    int64_t end = start + duet_timed_time(timed, task, type);
    size_t row = (size_t)task * timed->stride;
    return processor_price(timed, type, start, end) + price_from(timed, timed->in + row, start) -
           price_from(timed, timed->out + row, end);
}

static void places_are_the_cheapest(void **state)
{
    (void)state;
    uint64_t seed = 0;
    for (int i = 0; i < GRAPHS / 2; i++) {
        duet_random random;
        duet_priced s;
        duet_priced_draw_small(&s, &random, &seed, 3, 7);
        duet_priced_begin(&s, duet_priced_least_guess(&s) + duet_random_between(&random, 0, 40));
        duet_priced_draw(&s, &random);
        double sum = duet_timed_place_all(s.timed);
        double expected = 0;
        for (int64_t j = 0; j < s.network.tasks; j++) {
            double least = 1e300;
            for (size_t t = 0; t < 2; t++) {
                duet_timed_starts starts = duet_timed_starts_of(s.timed, j, t);
                for (int64_t start = starts.lo; start <= starts.hi; start++) {
                    least = fmin(least, cost_at(s.timed, j, t, start));
                }
            }
            const duet_timed_place *place = &s.timed->place[j];
            assert_true(fabs(cost_at(s.timed, j, (size_t)place->type, place->start) - least) <
                        1e-6);
            expected += least;
        }
        assert_true(fabs(sum - expected) < 1e-6);
        duet_priced_free(&s);
    }
}

// --- the line ------------------------------------------------------------------------------------

// What mixing rows add to a task's place.
static int64_t rows_cost(const duet_priced *s, int64_t task, int64_t start, int64_t end)
{
    const duet_timed_line *line = duet_timed_line_of(s->timed);
    int64_t cost = 0;
    for (size_t r = 0; r < line->mixings; r++) {
        const duet_mixing_row *row = &line->mixing[r];
        int64_t price = line->mixing_price[r];
        cost += (row->from == task ? price * end : 0) - (row->to == task ? price * start : 0);
        for (int32_t i = 0; i < row->items; i++) {
            const duet_mixing_item *item = &row->item[i];
            bool longer = end - start >= duet_timed_time(s->timed, item->task, item->type);
            cost += item->task == task && longer ? price * item->more : 0;
        }
    }
    return cost;
}

// What mixing rows add whatever the places.
static duet_int128 rows_fixed(const duet_priced *s)
{
    const duet_timed_line *line = duet_timed_line_of(s->timed);
    duet_int128 fixed = 0;
    for (size_t r = 0; r < line->mixings; r++) {
        int64_t to = line->mixing[r].to == DUET_MIXING_OUTSIDE ? s->timed->guess : 0;
        fixed += (duet_int128)line->mixing_price[r] * (line->mixing[r].length - to);
    }
    return fixed;
}

// What a task's place costs by a line of integers, tick by tick.
static int64_t line_cost(const duet_priced *s, int64_t task, size_t type, int64_t start)
{
    const duet_timed_line *line = duet_timed_line_of(s->timed);
    const duet_graph *graph = s->network.graph;
    int64_t guess = s->timed->guess;
    int64_t end = start + duet_timed_time(s->timed, task, type);
    int64_t cost = rows_cost(s, task, start, end);
    for (int64_t tick = start; tick < end; tick++) {
        cost += line->tick[type * line->cells + (size_t)(tick / line->width)];
    }
    for (size_t i = 0; i < line->entries; i++) {
        const duet_timed_entry *entry = &line->entry[i];
        int64_t to = duet_min((entry->cell + 1) * line->width, guess);
        int64_t since_start = to - duet_max(start, entry->cell * line->width);
        int64_t since_end = to - duet_max(end, entry->cell * line->width);
        int64_t price = entry->price * line->unit;
        cost += graph->head[entry->edge] == task ? price * duet_max(since_start, 0) : 0;
        cost -= graph->tail[entry->edge] == task ? price * duet_max(since_end, 0) : 0;
    }
    return cost;
}

static int64_t least_cost(const duet_priced *s, const duet_window *window, int64_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->timed->types; t++) {
        duet_timed_starts starts = duet_priced_starts(s, &window[task], task, t);
        for (int64_t start = starts.lo; start <= starts.hi; start++) {
            least = duet_min(least, line_cost(s, task, t, start));
        }
    }
    return least;
}

// What all processors cost beyond what all tasks cost at least.
static duet_int128 line_slack(const duet_priced *s, const duet_window *window)
{
    const duet_timed_line *line = duet_timed_line_of(s->timed);
    duet_int128 slack = -rows_fixed(s);
    for (size_t t = 0; t < s->timed->types; t++) {
        for (int64_t tick = 0; tick < s->timed->guess; tick++) {
            slack += (duet_int128)line->tick[t * line->cells + (size_t)(tick / line->width)] *
                     s->network.instance->processors[t];
        }
    }
    for (int64_t j = 0; j < s->network.tasks; j++) {
        slack -= least_cost(s, window, j);
    }
    return slack;
}

// The windows are what is left at a cost of at most that slack above the cheapest.
static void check_windows(const duet_priced *s, const duet_window *before, duet_int128 slack)
{
    for (int64_t j = 0; j < s->network.tasks; j++) {
        duet_int128 most = slack + least_cost(s, before, j);
        duet_window left = {.start = INT64_MAX, .tail = INT64_MAX};
        for (size_t t = 0; t < s->timed->types; t++) {
            duet_timed_starts starts = duet_priced_starts(s, &before[j], j, t);
            for (int64_t start = starts.lo; start <= starts.hi; start++) {
                if (line_cost(s, j, t, start) <= most) {
                    int64_t end = start + duet_timed_time(s->timed, j, t);
                    left.start = duet_min(left.start, start);
                    left.tail = duet_min(left.tail, s->timed->guess - end);
                    left.types |= UINT64_C(1) << t;
                }
            }
        }
        assert_int_equal(s->window[j].types, left.types);
        assert_int_equal(s->window[j].start, duet_max(left.start, before[j].start));
        assert_int_equal(s->window[j].tail, duet_max(left.tail, before[j].tail));
    }
}

static void a_line_is_worth_its_plain_sum(void **state)
{
    (void)state;
    long count[4] = {0};
    long rows = 0;
    uint64_t seed = 0;
    for (int i = 0; i < 5 * GRAPHS; i++) {
        duet_random random;
        duet_priced s;
        duet_timed_result result;
        duet_priced_draw_small(&s, &random, &seed, 3, 7);
        int64_t optimum = duet_exhaustive_optimum(s.network.instance);
        int64_t least = duet_priced_least_guess(&s);
        int64_t guess = duet_max(least, i % 3 > 0 ? optimum - 1 : optimum);
        if (i % 4 < 2) {
            duet_priced_add_row(&s, &random, guess);
        }
        duet_priced_begin(&s, guess);
        assert_int_equal(duet_timed_has_rows(s.timed), i % 4 < 2);
        duet_window *before = calloc((size_t)s.network.tasks, sizeof *before);
        assert_non_null(before);
        memcpy(before, s.window, (size_t)s.network.tasks * sizeof *before);
        result = duet_priced_refute(&s, s.timed->guess, i % 3 == 0 ? 0 : 200);
        duet_int128 slack = line_slack(&s, before);
        rows += duet_timed_has_rows(s.timed) && duet_timed_line_of(s.timed)->mixing_price[0] > 0;
        assert_int_equal(result == DUET_TIMED_REFUTED, slack < 0);
        assert_true(s.timed->guess < optimum || result != DUET_TIMED_REFUTED);
        if (slack >= 0) {
            check_windows(&s, before, slack);
        }
        count[result]++;
        free(before);
        duet_priced_free(&s);
    }
    printf("%ld unchanged, %ld narrowed, %ld refuted, %ld with a row\n", count[DUET_TIMED_NOTHING],
           count[DUET_TIMED_NARROWED], count[DUET_TIMED_REFUTED], rows);
    assert_true(rows > GRAPHS);
    assert_true(count[DUET_TIMED_NARROWED] > GRAPHS / 4 && count[DUET_TIMED_REFUTED] > GRAPHS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_that_no_path_implies_have_prices),
        cmocka_unit_test(a_line_gives_the_first_prices),
        cmocka_unit_test(prices_stay_on_another_grid),
        cmocka_unit_test(spans_have_every_cell_that_matters),
        cmocka_unit_test(places_are_the_cheapest),
        cmocka_unit_test(a_line_is_worth_its_plain_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
