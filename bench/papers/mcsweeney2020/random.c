// SPDX-License-Identifier: Apache-2.0
// Random graphs as in section 3.2 of McSweeney et al. 2020.
//
// Method: edges of the Standard Task Graph Set, whose two empty tasks are tasks like the others,
//         1,002 of 1,000; low, high acceleration: mean s = 5 or 50. m CPUs, k GPUs. A CCR is drawn
//         uniformly from the interval.
// Authors: as set_costs() of the authors' program. GPU times are whole numbers of 1 .. 99, CPU
//         times a factor longer, exponential of mean s. The CCR is of totals: compute is the sum
//         over the tasks of (m p + k q) / (m + k), communication the sum over the edges of
//         (m k (c_CG + c_GC) + k (k - 1) c_GG) / (m + k)^2. Each task gets an equal share of what
//         is to be moved and divides it equally among its successors; that is the mean of the three
//         costs of an edge, each exponential and drawn apart. All is drawn again, but for the
//         factors, until the CCR is in the interval.
// Text:   GPU times are uniform in 1 .. 100, factors of the gamma distribution whose mean and
//         deviation are s. The mean of (p + q) / 2 over the tasks, divided by the CCR, is the mean
//         cost of an edge; each costs up to twice that, uniformly, unless both tasks are on CPUs.
// Reference: section 3.2; simulator/Graph.py of the program that study.h names.
#include <string.h>

#include "bench/papers/mcsweeney2020/study.h"
#include "core/number/fixed.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/families/distribution.h"

enum { TYPES = 2, CELLS = TYPES * TYPES, MICRO = 1000000 };

// What is drawn for an instance.
typedef struct drawn {
    int64_t *times;
    double *factor; // of a task
    duet_edge *edge;
    int64_t *costs;
} drawn;

static void drawn_free(drawn *d)
{
    duet_free(d->times);
    duet_free(d->factor);
    duet_free(d->edge);
    duet_free(d->costs);
}

static duet_code drawn_create(size_t tasks, size_t edges, drawn *d, duet_error *error)
{
    *d = (drawn){.times = duet_alloc(tasks, TYPES * sizeof *d->times, error),
                 .factor = duet_alloc(tasks, sizeof *d->factor, error),
                 .edge = duet_alloc(edges, sizeof *d->edge, error),
                 .costs = duet_alloc(edges, CELLS * sizeof *d->costs, error)};
    bool complete = d->times != NULL && d->factor != NULL && d->edge != NULL && d->costs != NULL;
    return complete ? DUET_OK : DUET_E_MEMORY;
}

static void set_edge(const duet_instance *graph, int64_t e, const int64_t *table, drawn *d)
{
    d->edge[e] = duet_instance_edge(graph, e);
    d->edge[e].cost = (size_t)e;
    memcpy(&d->costs[CELLS * e], table, CELLS * sizeof *table);
}

// --- by the paper's words ------------------------------------------------------------------------

// Returns the mean of (p + q) / 2.
static int64_t draw_times(duet_random *random, size_t tasks, double mean, drawn *d)
{
    static const int64_t longest = 100;
    int64_t sum = 0;
    for (size_t j = 0; j < tasks; j++) {
        int64_t gpu = duet_random_between(random, MICRO, longest * MICRO);
        double factor = duet_gamma_quantile(mean, mean, duet_random_unit(random));
        int64_t cpu = (int64_t)((double)gpu * factor) + 1;
        d->times[TYPES * j] = cpu;
        d->times[TYPES * j + 1] = gpu;
        sum += (cpu + gpu) / 2;
    }
    return sum / (int64_t)duet_max(tasks, 1);
}

static void draw_costs(duet_random *random, const duet_instance *graph, double ccr, int64_t mean,
                       drawn *d)
{
    int64_t twice = (int64_t)(2 * (double)mean / ccr);
    for (int64_t e = 0; e < duet_instance_edges(graph); e++) {
        int64_t cost = duet_random_between(random, 0, twice);
        const int64_t table[CELLS] = {0, cost, cost, cost};
        set_edge(graph, e, table, d);
    }
}

static void draw_as_text(duet_random *random, const duet_instance *graph, double mean,
                         const double *interval, drawn *d)
{
    int64_t work = draw_times(random, (size_t)duet_instance_tasks(graph), mean, d);
    double wanted = interval[0] + (interval[1] - interval[0]) * duet_random_unit(random);
    draw_costs(random, graph, wanted, work, d);
}

// --- as the authors' program ---------------------------------------------------------------------

static double exponential(duet_random *random, double mean)
{
    return mean * ((double)duet_fixed_exponential(random) / (double)DUET_FIXED_ONE);
}

// Returns the sum over the tasks of (m p + k q) / (m + k).
static double draw_work(duet_random *random, const duet_paper_case *c, int64_t tasks, drawn *d)
{
    enum { LONGEST = 99 };
    double sum = 0;
    for (int64_t j = 0; j < tasks; j++) {
        int64_t gpu = MICRO * duet_random_between(random, 1, LONGEST);
        int64_t cpu = (int64_t)((double)gpu * d->factor[j]);
        d->times[TYPES * j] = cpu;
        d->times[TYPES * j + 1] = gpu;
        sum += (double)c->m * (double)cpu + (double)c->k * (double)gpu;
    }
    return sum / (double)(c->m + c->k);
}

// How much each cost between two CPUs and GPUs weighs in the total of communication.
static void weigh(const duet_paper_case *c, double weight[CELLS])
{
    double all = (double)(c->m + c->k) * (double)(c->m + c->k);
    weight[0] = 0;
    weight[1] = weight[2] = (double)(c->m * c->k) / all;
    weight[3] = (double)(c->k * (c->k - 1)) / all;
}

// `total`: of communication, as it is to be. Returns what it is.
static double draw_shares(duet_random *random, const duet_paper_case *c, const duet_instance *graph,
                          double total, drawn *d)
{
    double weight[CELLS];
    double sum = 0;
    weigh(c, weight);
    double share = total / (weight[1] + weight[2] + weight[3]) / (double)duet_instance_tasks(graph);
    for (int64_t e = 0; e < duet_instance_edges(graph); e++) {
        size_t successors;
        int64_t table[CELLS] = {0};
        duet_instance_edges_from(graph, duet_instance_edge(graph, e).from, &successors);
        for (size_t i = 1; i < CELLS; i++) {
            table[i] = (int64_t)exponential(random, share / (double)successors);
            sum += weight[i] * (double)table[i];
        }
        set_edge(graph, e, table, d);
    }
    return sum;
}

static void draw_as_authors(duet_random *random, const duet_paper_case *c,
                            const duet_instance *graph, double mean, const double *interval,
                            drawn *d)
{
    enum { MOST_DRAWS = 1000 };
    int64_t tasks = duet_instance_tasks(graph);
    for (int64_t j = 0; j < tasks; j++) {
        d->factor[j] = exponential(random, mean);
    }
    bool within = false;
    for (int i = 0; i < MOST_DRAWS && !within; i++) {
        double wanted = interval[0] + (interval[1] - interval[0]) * duet_random_unit(random);
        double work = draw_work(random, c, tasks, d);
        double moved = draw_shares(random, c, graph, work / wanted, d);
        within = moved <= 0 || (work >= interval[0] * moved && work <= interval[1] * moved);
    }
}

// --- instances -----------------------------------------------------------------------------------

static void add_edge(duet_edge *edge, size_t *count, int64_t from, int64_t to)
{
    if (edge != NULL) {
        edge[*count] = (duet_edge){.from = from, .to = to};
    }
    ++*count;
}

// The edges of a graph of the set with its two empty tasks, which its reader leaves out: the first
// one before all others, the last one after them. Returns how many; `edge` may be NULL.
static size_t edges_with_ends(const duet_instance *read, duet_edge *edge)
{
    int64_t tasks = duet_instance_tasks(read);
    size_t count = 0;
    for (int64_t j = 0; j < tasks; j++) {
        size_t before;
        size_t after;
        duet_instance_edges_to(read, j, &before);
        const int32_t *leaving = duet_instance_edges_from(read, j, &after);
        if (before == 0) {
            add_edge(edge, &count, 0, j + 1);
        }
        for (size_t i = 0; i < after; i++) {
            add_edge(edge, &count, j + 1, duet_instance_edge(read, leaving[i]).to + 1);
        }
        if (after == 0) {
            add_edge(edge, &count, j + 1, tasks + 1);
        }
    }
    return count;
}

// A graph of the set with all of its tasks; its times are left to be drawn.
static duet_code read_graph(const char *path, duet_instance **out, duet_error *error)
{
    const duet_type platform[TYPES] = {{"cpu", 1}, {"gpu", 1}};
    duet_instance *read = NULL;
    DUET_TRY(duet_read_instance(path, NULL, &read, error));
    size_t tasks = (size_t)duet_instance_tasks(read) + 2;
    size_t edges = edges_with_ends(read, NULL);
    duet_edge *edge = duet_alloc(edges, sizeof *edge, error);
    int64_t *times = duet_alloc(tasks, TYPES * sizeof *times, error);
    duet_code code = edge == NULL || times == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        edges_with_ends(read, edge);
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = TYPES,
                                   .platform = platform,
                                   .kinds = tasks,
                                   .times = times,
                                   .edges = edges,
                                   .edge = edge};
        code = duet_instance_create(&desc, out, error);
    }
    duet_free(edge);
    duet_free(times);
    duet_instance_free(read);
    return code;
}

static duet_code build(const duet_paper_case *c, const duet_instance *graph, const drawn *d,
                       duet_instance **out, duet_error *error)
{
    const duet_type platform[TYPES] = {{"cpu", c->m}, {"gpu", c->k}};
    size_t edges = (size_t)duet_instance_edges(graph);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = c->name,
                               .decimals = 6,
                               .types = TYPES,
                               .platform = platform,
                               .kinds = (size_t)duet_instance_tasks(graph),
                               .times = d->times,
                               .edges = edges,
                               .edge = d->edge,
                               .cost_tables = edges,
                               .costs = d->costs};
    return duet_instance_create(&desc, out, error);
}

duet_code duet_hoft_random(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    static const double mean[DUET_HOFT_ACCELERATIONS] = {5, 50};
    // Nothing can be moved at a CCR of 0.
    static const double ccr[DUET_HOFT_CCRS][2] = {{0.1, 10}, {10, 20}, {20, 50}};
    size_t which = c->set - DUET_HOFT_RANDOM;
    const double *interval = ccr[which % DUET_HOFT_CCRS];
    duet_instance *graph = NULL;
    duet_code code = duet_distribution_check(DUET_GAMMA, error);
    DUET_THEN(code, read_graph(c->from, &graph, error));
    if (code != DUET_OK) {
        return code;
    }
    drawn d;
    duet_random random;
    duet_random_seed(&random, c->seed * DUET_HOFT_SETS + c->set);
    code = drawn_create((size_t)duet_instance_tasks(graph), (size_t)duet_instance_edges(graph), &d,
                        error);
    if (code == DUET_OK) {
        double factor = mean[which / DUET_HOFT_CCRS];
        if (c->as_text) {
            draw_as_text(&random, graph, factor, interval, &d);
        } else {
            draw_as_authors(&random, c, graph, factor, interval, &d);
        }
        code = build(c, graph, &d, out, error);
    }
    drawn_free(&d);
    duet_instance_free(graph);
    return code;
}
