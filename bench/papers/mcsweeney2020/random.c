// SPDX-License-Identifier: Apache-2.0
// Random graphs as in section 3.2 of McSweeney et al. 2020.
//
// Method: edges of the Standard Task Graph Set. GPU times are uniform in 1..100, CPU times a factor
// longer, drawn from the gamma distribution whose mean and deviation are both 5 or both 50. The
// mean of (p + q) / 2 over the tasks, divided by a CCR drawn uniformly from the interval, is the
// mean cost of an edge; each edge costs up to twice that, uniformly, unless both tasks are on CPUs.
// The paper does not say how it drew costs.
#include <string.h>

#include "bench/papers/mcsweeney2020/study.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "instances/families/distribution.h"

enum { TYPES = 2, CELLS = TYPES * TYPES, MICRO = 1000000 };

// What is drawn for an instance.
typedef struct drawn {
    int64_t *times;
    duet_edge *edge;
    int64_t *costs;
} drawn;

static void drawn_free(drawn *d)
{
    duet_free(d->times);
    duet_free(d->edge);
    duet_free(d->costs);
}

static duet_code drawn_create(size_t tasks, size_t edges, drawn *d, duet_error *error)
{
    *d = (drawn){.times = duet_alloc(tasks, TYPES * sizeof *d->times, error),
                 .edge = duet_alloc(edges, sizeof *d->edge, error),
                 .costs = duet_alloc(edges, CELLS * sizeof *d->costs, error)};
    return d->times != NULL && d->edge != NULL && d->costs != NULL ? DUET_OK : DUET_E_MEMORY;
}

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
    return sum / (int64_t)tasks;
}

static void draw_costs(duet_random *random, const duet_instance *graph, double ccr, int64_t mean,
                       drawn *d)
{
    int64_t twice = (int64_t)(2 * (double)mean / ccr);
    for (int64_t e = 0; e < duet_instance_edges(graph); e++) {
        int64_t cost = duet_random_between(random, 0, twice);
        const int64_t table[CELLS] = {0, cost, cost, cost};
        d->edge[e] = duet_instance_edge(graph, e);
        d->edge[e].cost = (size_t)e;
        memcpy(&d->costs[CELLS * e], table, sizeof table);
    }
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
    static const double ccr[DUET_HOFT_CCRS][2] = {{0.1, 10}, {10, 20}, {20, 50}};
    size_t which = c->set - DUET_HOFT_RANDOM;
    const double *interval = ccr[which % DUET_HOFT_CCRS];
    duet_instance *graph = NULL;
    duet_code code = duet_distribution_check(DUET_GAMMA, error);
    code = code == DUET_OK ? duet_read_instance(c->from, NULL, &graph, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    drawn d;
    duet_random random;
    size_t tasks = (size_t)duet_instance_tasks(graph);
    duet_random_seed(&random, c->seed * DUET_HOFT_SETS + c->set);
    code = drawn_create(tasks, (size_t)duet_instance_edges(graph), &d, error);
    if (code == DUET_OK) {
        int64_t work = draw_times(&random, tasks, mean[which / DUET_HOFT_CCRS], &d);
        double wanted = interval[0] + (interval[1] - interval[0]) * duet_random_unit(&random);
        draw_costs(&random, graph, wanted, work, &d);
        code = build(c, graph, &d, out, error);
    }
    drawn_free(&d);
    duet_instance_free(graph);
    return code;
}
