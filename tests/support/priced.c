// SPDX-License-Identifier: Apache-2.0
#include "tests/support/priced.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/number/minmax.h"
#include "lp/graph/head_tail.h"
#include "tests/support/fixtures.h"

static void *cleared(int64_t count, size_t size)
{
    void *made = calloc((size_t)count + 1, size);
    assert_non_null(made);
    return made;
}

void duet_priced_create(duet_priced *s, duet_instance *instance)
{
    *s = (duet_priced){.instance = instance};
    assert_int_equal(duet_network_create(instance, &s->network, NULL), DUET_OK);
    assert_int_equal(duet_context_init(&s->context, NULL, NULL), DUET_OK);
    int64_t tasks = s->network.tasks;
    s->head = cleared(tasks, sizeof *s->head);
    s->tail = cleared(tasks, sizeof *s->tail);
    s->window = cleared(tasks, sizeof *s->window);
    s->known = cleared(tasks, sizeof *s->known);
    s->line.flow = cleared(s->network.edges, sizeof *s->line.flow);
    duet_network_heads(&s->network, s->head);
    duet_network_tails(&s->network, s->tail);
}

void duet_priced_free(duet_priced *s)
{
    duet_timed_free(s->timed);
    duet_mixing_free(s->mixing);
    free(s->head);
    free(s->tail);
    free(s->window);
    free(s->known);
    free(s->line.flow);
    duet_network_free(&s->network);
    duet_instance_free(s->instance);
}

void duet_priced_draw_small(duet_priced *s, duet_random *random, uint64_t *seed, int least,
                            int most)
{
    enum { few = 60 };
    for (bool found = false; !found;) {
        int64_t longest = 0;
        duet_priced_create(s, duet_test_graph(random, ++*seed, least, most, 2));
        for (size_t i = 0; i < s->instance->kinds * s->instance->types; i++) {
            int64_t time = s->instance->times[i];
            longest = time == DUET_FORBIDDEN ? longest : duet_max(longest, time);
        }
        found = longest <= few && duet_priced_least_guess(s) <= few;
        if (!found) {
            duet_priced_free(s);
        }
    }
}

static int64_t shortest(const duet_priced *s, int64_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->instance->types; t++) {
        size_t kind = (size_t)s->network.kind[task];
        if (duet_allowed(s->instance, kind, t)) {
            least = duet_min(least, duet_time(s->instance, kind, t));
        }
    }
    return least;
}

int64_t duet_priced_least_guess(const duet_priced *s)
{
    int64_t least = 1;
    for (int64_t j = 0; j < s->network.tasks; j++) {
        least = duet_max(least, s->head[j] + shortest(s, j) + s->tail[j]);
    }
    return least;
}

void duet_priced_set_windows(duet_priced *s, int64_t guess)
{
    for (int64_t j = 0; j < s->network.tasks; j++) {
        s->window[j] = (duet_window){.start = s->head[j],
                                     .end = s->head[j] + shortest(s, j),
                                     .rest = s->tail[j] + shortest(s, j),
                                     .tail = s->tail[j]};
        for (size_t t = 0; t < s->instance->types; t++) {
            size_t kind = (size_t)s->network.kind[j];
            if (duet_allowed(s->instance, kind, t) &&
                s->head[j] + duet_time(s->instance, kind, t) + s->tail[j] <= guess) {
                s->window[j].types |= UINT64_C(1) << t;
            }
        }
    }
}

// Has the mixing rows know the windows of a guess.
static void take_guess(duet_priced *s, int64_t guess)
{
    for (int64_t j = 0; j < s->network.tasks; j++) {
        s->known[j] =
            (duet_window){.start = s->head[j], .tail = s->tail[j], .types = s->window[j].types};
    }
    const duet_interval_guess at = {.guess = guess, .window = s->known};
    duet_mixing_update(s->mixing, &at);
}

static uint32_t slowest(const duet_priced *s, int64_t task)
{
    uint32_t type = UINT32_MAX;
    for (uint32_t t = 0; t < s->instance->types; t++) {
        bool may = (s->window[task].types >> t & 1U) != 0;
        if (may && (type == UINT32_MAX ||
                    duet_time(s->instance, (size_t)s->network.kind[task], t) >
                        duet_time(s->instance, (size_t)s->network.kind[task], type))) {
            type = t;
        }
    }
    return type;
}

void duet_priced_add_row(duet_priced *s, duet_random *random, int64_t guess)
{
    duet_priced_set_windows(s, guess);
    assert_int_equal(duet_mixing_create(&s->network, &s->context, &s->mixing, NULL), DUET_OK);
    take_guess(s, guess);
    s->row.from = (int32_t)duet_random_between(random, 0, s->network.tasks - 1);
    s->row.to = (int32_t)duet_random_between(random, -1, s->network.tasks - 1);
    if (s->row.to >= 0 && duet_mixing_between(s->mixing, s->row.from, s->row.to) < 0) {
        s->row.from = DUET_MIXING_OUTSIDE;
    }
    for (int32_t j = 0; j < s->network.tasks && s->row.items < DUET_MIXING_MOST; j++) {
        s->row.item[s->row.items++] = (duet_mixing_item){.task = j, .type = slowest(s, j)};
        s->row.items -= duet_mixing_measure(s->mixing, &s->row) ? 0 : 1;
    }
    assert_true(duet_mixing_measure(s->mixing, &s->row));
    for (size_t t = 0; t < s->instance->types; t++) {
        s->tick[t] = 1;
    }
    s->row_price = 1;
    s->whole = (duet_lp_interval){.price = s->tick};
    s->line.interval = &s->whole;
    s->line.intervals = 1;
    s->line.mixing = &s->row;
    s->line.mixing_price = &s->row_price;
    s->line.mixings = 1;
}

void duet_priced_begin(duet_priced *s, int64_t guess)
{
    duet_priced_set_windows(s, guess);
    if (s->timed == NULL) {
        assert_int_equal(
            duet_timed_create(&s->network, &s->context, guess, &s->line, &s->timed, NULL), DUET_OK);
    }
    s->timed->window = s->window;
    s->timed->watch = (duet_watch){.context = &s->context, .left = DUET_WATCH_UNITS};
    duet_timed_set_grid(s->timed, guess, s->timed->grid_limit);
    duet_timed_set_spans(s->timed);
}

static double draw_price(duet_random *random)
{
    return duet_random_between(random, 0, 2) == 0
               ? 0
               : (double)duet_random_between(random, 1, 1000) / 1000.0;
}

void duet_priced_draw(duet_priced *s, duet_random *random)
{
    duet_timed *timed = s->timed;
    double sum = 0;
    memset(timed->in, 0, 2 * (size_t)timed->tasks * timed->stride * sizeof *timed->in);
    for (size_t e = 0; e < timed->edges; e++) {
        const duet_timed_edge *edge = &timed->edge[e];
        for (size_t k = 0; k < (size_t)timed->cells; k++) {
            float price = (float)draw_price(random);
            timed->price[e * timed->stride + k] = price;
            if ((int32_t)k >= edge->first && (int32_t)k <= edge->last) {
                timed->in[(size_t)edge->head * timed->stride + k] += price;
                timed->out[(size_t)edge->tail * timed->stride + k] += price;
            }
        }
    }
    for (size_t t = 0; t < timed->types; t++) {
        bool any = timed->net->instance->processors[t] > 0;
        for (size_t k = 0; k < (size_t)timed->cells; k++) {
            double weight = any ? 0.01 + draw_price(random) : 0;
            timed->weight[t * timed->stride + k] = weight;
            sum += weight;
        }
    }
    for (size_t i = 0; i < timed->types * timed->stride; i++) {
        timed->weight[i] /= sum;
    }
}

duet_timed_result duet_priced_refute(duet_priced *s, int64_t guess, int steps)
{
    duet_timed_result result;
    const duet_timed_effort effort = {steps, INT64_MAX};
    if (s->mixing != NULL) {
        take_guess(s, guess);
    }
    assert_int_equal(duet_timed_refute(s->timed, guess, s->window, s->mixing, &effort, &s->context,
                                       &result, NULL),
                     DUET_OK);
    size_t count;
    const duet_window_of_task *narrowed = duet_timed_narrowed(s->timed, &count);
    for (size_t i = 0; i < count && result == DUET_TIMED_NARROWED; i++) {
        s->window[narrowed[i].task].types = narrowed[i].window.types;
        s->window[narrowed[i].task].start = narrowed[i].window.start;
        s->window[narrowed[i].task].tail = narrowed[i].window.tail;
    }
    return result;
}

duet_timed_starts duet_priced_starts(const duet_priced *s, const duet_window *window, int64_t task,
                                     size_t type)
{
    if ((window->types >> type & 1U) == 0) {
        return (duet_timed_starts){0, -1};
    }
    int64_t time = duet_time(s->instance, (size_t)s->network.kind[task], type);
    return (duet_timed_starts){duet_max(window->start, window->end - time),
                               s->timed->guess - duet_max(window->rest, window->tail + time)};
}
