// SPDX-License-Identifier: Apache-2.0
// The line of integers of the interval program: duals are rounded, what that breaks of the flow is
// mended by alpha or beta, which may both grow freely, and the sum is taken exactly.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

static int64_t round_dual(double dual)
{
    return dual > 0.0 && dual < 1024.0 ? llround(dual * DUET_INTERVAL_DUAL_UNIT) : 0;
}

// --- rounding ------------------------------------------------------------------------------------

static void clear_line(duet_interval_program *p)
{
    memset(p->line.flow, 0, (size_t)p->net->edges * sizeof *p->line.flow);
    memset(p->line.alpha, 0, (size_t)p->net->tasks * sizeof *p->line.alpha);
    memset(p->line.beta, 0, (size_t)p->net->tasks * sizeof *p->line.beta);
    if (p->line.transfer_price != NULL) {
        size_t transfers = (size_t)p->net->edges * p->types;
        memset(p->line.transfer_price, 0, transfers * sizeof *p->line.transfer_price);
    }
    p->line.intervals = 0;
    p->line.mixings = 0;
}

// Room for an interval of every row.
static duet_code reserve_intervals(duet_interval_program *p, duet_error *error)
{
    if (p->rows <= p->line_capacity) {
        return DUET_OK;
    }
    size_t room = 2 * p->rows;
    duet_lp_interval *interval = duet_alloc(room, sizeof *interval, error);
    int64_t *prices = duet_alloc(room * p->types, sizeof *prices, error);
    if (interval == NULL || prices == NULL) {
        duet_free(interval);
        duet_free(prices);
        return DUET_E_MEMORY;
    }
    duet_free(p->line.interval);
    duet_free(p->prices);
    p->line.interval = interval;
    p->prices = prices;
    p->line_capacity = room;
    for (size_t i = 0; i < room; i++) {
        interval[i].price = prices + i * p->types;
    }
    return DUET_OK;
}

// And for all mixing rows.
static duet_code reserve_mixing(duet_interval_program *p, duet_error *error)
{
    duet_code code = duet_reserve(&p->line.mixing, p->mixes, &p->line_mixing_capacity,
                                  sizeof *p->line.mixing, error);
    return code == DUET_OK ? duet_reserve(&p->line.mixing_price, p->mixes, &p->line_price_capacity,
                                          sizeof *p->line.mixing_price, error)
                           : code;
}

// The interval of a row; the types share it.
static duet_lp_interval *find_interval(duet_interval_program *p, const duet_interval_row *row)
{
    for (size_t i = 0; i < p->line.intervals; i++) {
        duet_lp_interval *interval = &p->line.interval[i];
        if (interval->after == row->after && interval->before == row->before) {
            return interval;
        }
    }
    duet_lp_interval *interval = &p->line.interval[p->line.intervals++];
    interval->after = row->after;
    interval->before = row->before;
    memset(interval->price, 0, p->types * sizeof *interval->price);
    return interval;
}

static void take_row(duet_interval_program *p, const duet_interval_guess *guess,
                     const duet_interval_row *row)
{
    if (row->kind == DUET_INTERVAL_WORK) {
        double machines = (double)p->net->instance->processors[row->type];
        int64_t price = round_dual(row->dual / machines);
        if (price > 0) {
            find_interval(p, row)->price[row->type] += price;
        }
        return;
    }
    if (row->kind == DUET_INTERVAL_MIX) {
        int64_t price = round_dual(row->dual);
        if (price > 0) {
            p->line.mixing_price[p->line.mixings] = price;
            p->line.mixing[p->line.mixings++] = p->mix[row->at];
        }
        return;
    }
    if (row->kind == DUET_INTERVAL_TRANSFER) {
        size_t at = (size_t)row->at * p->types + row->type;
        p->line.transfer_price[at] = round_dual(row->dual);
        p->line.transfer[at] = duet_interval_transfer(p->net, guess, row->at, row->type);
        return;
    }
    int64_t *value = row->kind == DUET_INTERVAL_EDGE ? p->line.flow : p->line.beta;
    value[row->at] = round_dual(row->dual);
}

// What flows along an edge, with the prices of its inter-type transfers.
static duet_int128 flow_along(const duet_interval_line *line, int32_t edge, size_t types)
{
    duet_int128 flow = line->flow[edge];
    for (size_t t = 0; line->transfer_price != NULL && t < types; t++) {
        flow += line->transfer_price[(size_t)edge * types + t];
    }
    return flow;
}

// What flows in is what flows out, at every task: alpha makes up what is missing on one side, beta
// on the other.
static void conserve(duet_interval_program *p)
{
    const duet_graph *graph = p->net->graph;
    for (int64_t j = 0; j < p->net->tasks; j++) {
        int64_t more = p->line.beta[j];
        for (int64_t at = graph->leave_at[j]; at < graph->leave_at[j + 1]; at++) {
            more += (int64_t)flow_along(&p->line, graph->leaving[at], p->types);
        }
        for (int64_t at = graph->enter_at[j]; at < graph->enter_at[j + 1]; at++) {
            more -= (int64_t)flow_along(&p->line, graph->entering[at], p->types);
        }
        for (size_t i = 0; i < p->line.mixings; i++) {
            int64_t price = p->line.mixing_price[i];
            more += p->line.mixing[i].from == j ? price : 0;
            more -= p->line.mixing[i].to == j ? price : 0;
        }
        p->line.alpha[j] = duet_max(more, 0);
        p->line.beta[j] -= duet_min(more, 0);
    }
}

void duet_interval_line_of_task(duet_interval_program *program, int64_t task)
{
    clear_line(program);
    program->line.alpha[task] = 1;
    program->line.beta[task] = 1;
}

int64_t duet_interval_transfer(const duet_network *network, const duet_interval_guess *guess,
                               int64_t edge, size_t type)
{
    const duet_graph *graph = network->graph;
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < network->instance->types; t++) {
        if (t != type && (guess->window[graph->head[edge]].types >> t & 1U) != 0) {
            int64_t cost = duet_graph_cost(graph, edge, type, t);
            least = duet_min(cost, least);
        }
    }
    return least == INT64_MAX ? 0 : least;
}

// --- its value -----------------------------------------------------------------------------------

// A sum of products that notes when it leaves 128 bits.
typedef struct exact_sum {
    duet_int128 value;
    bool fits;
} exact_sum;

static void add_product(exact_sum *sum, duet_int128 a, duet_int128 b)
{
    duet_int128 product;
    if (__builtin_mul_overflow(a, b, &product) ||
        __builtin_add_overflow(sum->value, product, &sum->value)) {
        sum->fits = false;
    }
}

// F of a task; `fits` falls where flow is not conserved, or negative.
static duet_int128 flow_through(const duet_network *net, const duet_interval_line *line,
                                int64_t task, bool *fits)
{
    const duet_graph *graph = net->graph;
    duet_int128 in = line->alpha[task];
    duet_int128 out = line->beta[task];
    *fits = *fits && in >= 0 && out >= 0;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        *fits = *fits && line->flow[graph->entering[at]] >= 0;
        in += flow_along(line, graph->entering[at], net->instance->types);
    }
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        out += flow_along(line, graph->leaving[at], net->instance->types);
    }
    for (size_t i = 0; i < line->mixings; i++) {
        in += line->mixing[i].to == task ? line->mixing_price[i] : 0;
        out += line->mixing[i].from == task ? line->mixing_price[i] : 0;
    }
    *fits = *fits && in == out;
    return in;
}

// What mixing rows ask of a task that takes so long.
static void add_longer(const duet_network *net, const duet_interval_line *line, int64_t task,
                       int64_t time, exact_sum *sum)
{
    for (size_t i = 0; i < line->mixings; i++) {
        for (int32_t k = 0; k < line->mixing[i].items; k++) {
            const duet_mixing_item *item = &line->mixing[i].item[k];
            if (item->task == task &&
                duet_time(net->instance, (size_t)net->kind[task], item->type) <= time) {
                add_product(sum, line->mixing_price[i], item->more);
            }
        }
    }
}

// What inter-type transfers ask of a task on a type: of its leaving edges, less of its entering
// ones.
static void add_transfers(const duet_network *net, const duet_interval_line *line, int64_t task,
                          size_t type, exact_sum *sum)
{
    const duet_graph *graph = net->graph;
    size_t types = net->instance->types;
    if (line->transfer_price == NULL) {
        return;
    }
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        size_t at = (size_t)graph->leaving[i] * types + type;
        add_product(sum, line->transfer_price[at], line->transfer[at]);
    }
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
        size_t at = (size_t)graph->entering[i] * types + type;
        add_product(sum, line->transfer_price[at], -line->transfer[at]);
    }
}

// Whether no inter-type transfer has a negative price, or takes longer than it must.
static bool transfers_hold(const duet_network *net, const duet_interval_guess *guess,
                           const duet_interval_line *line)
{
    size_t types = net->instance->types;
    for (size_t at = 0; line->transfer_price != NULL && at < (size_t)net->edges * types; at++) {
        int64_t price = line->transfer_price[at];
        int64_t edge = (int64_t)(at / types);
        if (price < 0 || (price > 0 && line->transfer[at] >
                                           duet_interval_transfer(net, guess, edge, at % types))) {
            return false;
        }
    }
    return true;
}

// The least of F p + the priced overlaps + what mixing rows ask for over the types on which the
// task fits; over all that are left where it fits on none.
static duet_int128 least_cost(const duet_network *net, const duet_interval_guess *guess,
                              const duet_interval_line *line, int64_t task, exact_sum *sum)
{
    duet_int128 least = 0;
    bool found = false;
    bool fitting = false; // what was found fits
    duet_int128 through = flow_through(net, line, task, &sum->fits);
    for (size_t t = 0; t < net->instance->types; t++) {
        bool fits = duet_interval_may_run(net, guess, task, t);
        if ((guess->window[task].types >> t & 1U) == 0 || (fitting && !fits)) {
            continue;
        }
        int64_t time = duet_time(net->instance, (size_t)net->kind[task], t);
        exact_sum cost = {.fits = true};
        add_product(&cost, through, time);
        for (size_t i = 0; i < line->intervals; i++) {
            const duet_lp_interval *interval = &line->interval[i];
            if (interval->price[t] > 0) {
                add_product(&cost, interval->price[t],
                            duet_interval_overlap(guess->guess, interval, guess->window[task].start,
                                                  guess->window[task].tail, time));
            }
        }
        add_longer(net, line, task, time, &cost);
        add_transfers(net, line, task, t, &cost);
        sum->fits = sum->fits && cost.fits;
        least = !found || fits != fitting || cost.value < least ? cost.value : least;
        found = true;
        fitting = fits;
    }
    return least;
}

static void add_task(const duet_network *net, const duet_interval_guess *guess,
                     const duet_interval_line *line, int64_t task, exact_sum *sum)
{
    add_product(sum, least_cost(net, guess, line, task, sum), 1);
    add_product(sum, line->alpha[task], guess->window[task].start);
    add_product(sum, line->beta[task], (duet_int128)guess->window[task].tail - guess->guess);
}

duet_int128 duet_interval_excess(const duet_network *network, const duet_interval_guess *guess,
                                 const duet_interval_line *line, bool *fits)
{
    exact_sum sum = {.fits = true};
    for (int64_t j = 0; j < network->tasks; j++) {
        add_task(network, guess, line, j, &sum);
    }
    for (size_t i = 0; i < line->intervals; i++) {
        const duet_lp_interval *interval = &line->interval[i];
        duet_int128 room = (duet_int128)guess->guess - interval->after - interval->before;
        sum.fits = sum.fits && interval->after >= 0 && interval->before >= 0 && room >= 0;
        for (size_t t = 0; t < network->instance->types; t++) {
            sum.fits = sum.fits && interval->price[t] >= 0;
            add_product(&sum, -room,
                        (duet_int128)interval->price[t] * network->instance->processors[t]);
        }
    }
    for (size_t i = 0; i < line->mixings; i++) {
        const duet_mixing_row *row = &line->mixing[i];
        int64_t guess_part = row->to == DUET_MIXING_OUTSIDE ? guess->guess : 0;
        sum.fits = sum.fits && line->mixing_price[i] >= 0;
        add_product(&sum, line->mixing_price[i], (duet_int128)row->length - guess_part);
    }
    *fits = sum.fits && transfers_hold(network, guess, line);
    return sum.value;
}

duet_code duet_interval_judge(duet_interval_program *program, const duet_interval_guess *guess,
                              bool *refuted, duet_error *error)
{
    bool fits = false;
    clear_line(program);
    duet_code code = reserve_intervals(program, error);
    if (code == DUET_OK) {
        code = reserve_mixing(program, error);
    }
    for (size_t r = 0; r < program->rows && code == DUET_OK; r++) {
        take_row(program, guess, &program->row[r]);
    }
    *refuted = false;
    if (code == DUET_OK) {
        conserve(program);
        duet_int128 excess = duet_interval_excess(program->net, guess, &program->line, &fits);
        *refuted = fits && excess > 0;
    }
    return code;
}
