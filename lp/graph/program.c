// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph, by the dual simplex method.
// Method:    a task has a base, the first type where it is allowed, and a share y_t on each other
//            one; it takes p_base + sum y_t (p_t - p_base). Columns: the makespan M, the completion
//            of every task, the shares, and on two types what each edge costs. Rows: a task ends no
//            earlier than each predecessor, its edge's cost and its own time; M is no less than the
//            last completions, and than the work of a type over its processors.
//            The duals are the prices of the types and the flow of a certificate. Rounded, they
//            still are: only what a task lets pass must be raised to what flows in and out.
// Cost:      0.1 s at 800 tasks and 2,000 edges, growing about with the cube.
// Reference: Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", HCW 2015.
#include "lp/graph/program.h"

#include <math.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/tuning.h"
#include "lp/lp.h"

#define NONE SIZE_MAX

enum { BYTES = 2000 }; // of the solver for each row and column

typedef struct program {
    const duet_network *net;
    duet_lp *lp;
    double unit;   // ticks
    int64_t least; // a bound of the makespan that is known

    size_t makespan;
    size_t *end;        // column of each task's completion
    size_t *share;      // the first column of each task's shares; NONE: it has none
    size_t *first_row;  // of each task: the row of what it waits for besides predecessors; or NONE
    size_t *edge_row;   // of each edge
    size_t *charge_row; // two of each edge, from CPU to GPU and back; NONE
    size_t type_row[DUET_MAX_TYPES];
} program;

// --- building ------------------------------------------------------------------------------------

static size_t kind_of(const program *p, int64_t task)
{
    return (size_t)p->net->kind[task];
}

static double time_of(const program *p, size_t kind, size_t type)
{
    return (double)duet_time(p->net->instance, kind, type) / p->unit;
}

static size_t base_type(const duet_instance *instance, size_t kind)
{
    size_t base = 0;
    while (!duet_allowed(instance, kind, base)) {
        base++;
    }
    return base;
}

static bool has_charges(const program *p)
{
    return p->net->graph->transfer != NULL && p->net->instance->types == 2;
}

// The time of a task into a row: sign * time, of which the constant part is returned.
static double add_time(program *p, size_t row, int64_t task, double sign)
{
    const duet_instance *instance = p->net->instance;
    size_t kind = kind_of(p, task);
    size_t base = base_type(instance, kind);
    double own = time_of(p, kind, base);
    size_t column = p->share[task];
    for (size_t t = base + 1; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            double more = time_of(p, kind, t) - own;
            if (more != 0.0) {
                duet_lp_add_entry(p->lp, row, column, sign * more);
            }
            column++;
        }
    }
    return sign * own;
}

static void add_shares(program *p, int64_t task)
{
    const duet_instance *instance = p->net->instance;
    size_t kind = kind_of(p, task);
    size_t count = 0;
    p->share[task] = NONE;
    for (size_t t = base_type(instance, kind) + 1; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            size_t column = duet_lp_add_column(p->lp, 0.0, 1.0, 0.0);
            p->share[task] = count++ == 0 ? column : p->share[task];
        }
    }
    if (count > 1) {
        size_t row = duet_lp_add_row(p->lp, -INFINITY, 1.0);
        for (size_t i = 0; i < count; i++) {
            duet_lp_add_entry(p->lp, row, p->share[task] + i, 1.0);
        }
    }
}

// A row for the time between a task's completion and what it waits for, or `start`: at least its
// own time.
static size_t add_wait(program *p, int64_t task, double start)
{
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    duet_lp_add_entry(p->lp, row, p->end[task], 1.0);
    double own = add_time(p, row, task, -1.0);
    duet_lp_bound_row(p->lp, row, start - own, INFINITY);
    return row;
}

static void add_task(program *p, int64_t task)
{
    const duet_graph *graph = p->net->graph;
    bool is_first = graph->enter_at[task] == graph->enter_at[task + 1];
    bool is_last = graph->leave_at[task] == graph->leave_at[task + 1];
    int64_t start = duet_earliest_start(p->net->instance, kind_of(p, task));
    bool begins = is_first || start > 0;
    p->first_row[task] = begins ? add_wait(p, task, (double)start / p->unit) : NONE;
    if (is_last) {
        size_t row = duet_lp_add_row(p->lp, 0.0, INFINITY);
        duet_lp_add_entry(p->lp, row, p->makespan, 1.0);
        duet_lp_add_entry(p->lp, row, p->end[task], -1.0);
    }
}

// sign * the share of a task on the CPU into a row, of which the constant part is returned.
static double add_cpu_share(program *p, size_t row, int64_t task, double sign)
{
    const duet_instance *instance = p->net->instance;
    if (p->share[task] == NONE) {
        return duet_allowed(instance, kind_of(p, task), 0) ? sign : 0.0;
    }
    duet_lp_add_entry(p->lp, row, p->share[task], -sign);
    return sign;
}

// The charge of an edge is at least `cost` times what more of `from` is on the CPU than of `to`.
static size_t add_charge(program *p, size_t charge, double cost, int64_t from, int64_t to)
{
    if (cost == 0.0) {
        return NONE;
    }
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    duet_lp_add_entry(p->lp, row, charge, 1.0);
    double constant = add_cpu_share(p, row, from, -cost);
    constant += add_cpu_share(p, row, to, cost);
    duet_lp_bound_row(p->lp, row, -constant, INFINITY);
    return row;
}

static void add_edge(program *p, int64_t edge)
{
    const duet_graph *graph = p->net->graph;
    int64_t from = graph->tail[edge];
    int64_t to = graph->head[edge];
    p->edge_row[edge] = add_wait(p, to, 0.0);
    duet_lp_add_entry(p->lp, p->edge_row[edge], p->end[from], -1.0);
    if (has_charges(p)) {
        double there = (double)duet_graph_cost(graph, edge, 0, 1) / p->unit;
        double back = (double)duet_graph_cost(graph, edge, 1, 0) / p->unit;
        size_t charge = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
        duet_lp_add_entry(p->lp, p->edge_row[edge], charge, -1.0);
        p->charge_row[2 * edge] = add_charge(p, charge, there, from, to);
        p->charge_row[2 * edge + 1] = add_charge(p, charge, back, to, from);
    }
}

// processors * M is at least the work of the type, and how long they are busy.
static void add_type(program *p, size_t type)
{
    const duet_instance *instance = p->net->instance;
    double fixed = 0.0;
    for (int64_t i = 0; i < instance->busy_count[type]; i++) {
        fixed += (double)duet_min(instance->busy[type][i], p->least) / p->unit;
    }
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    p->type_row[type] = row;
    duet_lp_add_entry(p->lp, row, p->makespan, (double)instance->processors[type]);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        size_t kind = kind_of(p, j);
        size_t base = base_type(instance, kind);
        if (!duet_allowed(instance, kind, type)) {
            continue;
        }
        double time = time_of(p, kind, type);
        size_t column = p->share[j];
        fixed += base == type ? time : 0.0;
        for (size_t t = base + 1; t < instance->types && time != 0.0; t++) {
            if (duet_allowed(instance, kind, t)) {
                if (base == type || t == type) {
                    duet_lp_add_entry(p->lp, row, column, base == type ? time : -time);
                }
                column++;
            }
        }
    }
    duet_lp_bound_row(p->lp, row, fixed, INFINITY);
}

static void build(program *p)
{
    const duet_instance *instance = p->net->instance;
    int64_t longest = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        longest = duet_max(p->net->shortest[i], longest);
    }
    p->unit = (double)longest;
    p->makespan = duet_lp_add_column(p->lp, 0.0, INFINITY, 1.0);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        p->end[j] = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
        add_shares(p, j);
    }
    for (int64_t j = 0; j < p->net->tasks; j++) {
        add_task(p, j);
    }
    for (int64_t e = 0; e < p->net->edges; e++) {
        add_edge(p, e);
    }
    for (size_t t = 0; t < instance->types; t++) {
        p->type_row[t] = NONE;
        if (instance->processors[t] > 0) {
            add_type(p, t);
        }
    }
}

// --- reading -------------------------------------------------------------------------------------

static int64_t round_dual(const program *p, size_t row, double unit)
{
    double dual = row == NONE ? 0.0 : duet_lp_dual(p->lp, row);
    return dual > 0.0 && dual < 2.0 ? llround(dual * unit) : 0;
}

// The charges times the duals stay below 2^60.
static double choose_unit(const program *p)
{
    const duet_graph *graph = p->net->graph;
    double most = 1.0;
    for (size_t i = 0; i < graph->tables * graph->types * graph->types; i++) {
        most = fmax(most, (double)graph->cost[i]);
    }
    return fmin(DUET_PROGRAM_DUAL_UNIT, 0x1p59 / most);
}

static void read_charge(const program *p, int64_t edge, double unit, duet_dual_flow *dual)
{
    const duet_graph *graph = p->net->graph;
    int64_t there = round_dual(p, p->charge_row[2 * edge], unit);
    int64_t back = round_dual(p, p->charge_row[2 * edge + 1], unit);
    int64_t flow = dual->flow[edge];
    there = duet_min(there, flow);
    back = duet_min(back, flow);
    dual->cross[edge] =
        there * duet_graph_cost(graph, edge, 0, 1) - back * duet_graph_cost(graph, edge, 1, 0);
}

static void read_duals(const program *p, duet_dual_flow *dual)
{
    const duet_instance *instance = p->net->instance;
    double unit = has_charges(p) ? choose_unit(p) : DUET_PROGRAM_DUAL_UNIT;
    for (size_t t = 0; t < instance->types; t++) {
        dual->weight[t] = round_dual(p, p->type_row[t], unit);
    }
    for (int64_t j = 0; j < p->net->tasks; j++) {
        dual->pass[j] = round_dual(p, p->first_row[j], unit);
    }
    for (int64_t e = 0; e < p->net->edges; e++) {
        dual->flow[e] = round_dual(p, p->edge_row[e], unit);
        dual->pass[p->net->graph->head[e]] += dual->flow[e]; // beside what begins there
        if (dual->cross != NULL) {
            read_charge(p, e, unit, dual);
        }
    }
}

// The shares of all types but the last.
static void read_shares(const program *p, double *share)
{
    const duet_instance *instance = p->net->instance;
    size_t width = instance->types - 1;
    for (int64_t j = 0; j < p->net->tasks; j++) {
        size_t base = base_type(instance, kind_of(p, j));
        size_t column = p->share[j];
        double rest = 1.0;
        for (size_t t = 0; t < instance->types; t++) {
            bool has_column = t > base && duet_allowed(instance, kind_of(p, j), t);
            double value = has_column ? duet_lp_value(p->lp, column++) : 0.0;
            rest -= value;
            if (t < width) {
                share[(size_t)j * width + t] = value;
            }
        }
        if (base < width) {
            share[(size_t)j * width + base] = rest;
        }
    }
}

// Offers what the rounded duals prove.
static duet_code offer(const program *p, duet_bound *bound, duet_error *error)
{
    size_t tasks = (size_t)p->net->tasks;
    size_t edges = (size_t)p->net->edges;
    bool charges = has_charges(p);
    int64_t *room = duet_alloc_raw(tasks + (charges ? 2 : 1) * edges, sizeof *room, error);
    DUET_NEED(room);
    duet_dual_flow dual = {
        .pass = room, .flow = room + tasks, .cross = charges ? room + tasks + edges : NULL};
    read_duals(p, &dual);
    duet_code code = DUET_OK;
    duet_fraction value = duet_dual_flow_value(p->net, &dual, true);
    if ((int64_t)duet_fraction_ceil(value) > bound->value) {
        duet_bound found;
        code = duet_dual_flow_bound(p->net, &dual, value, "graph", &found, error);
        if (code == DUET_OK) {
            duet_bound_release(bound);
            *bound = found;
            bound->exact[0] = '\0';
        }
    }
    duet_free(room);
    return code;
}

// --- all of it -----------------------------------------------------------------------------------

bool duet_lp_graph_program_fits(const duet_network *network, bool quick)
{
    int64_t of_edge = network->graph->transfer == NULL ? 1 : 4;
    return duet_lp_available() &&
           network->tasks * (int64_t)(1 + network->instance->types) + of_edge * network->edges <=
               (quick ? DUET_PROGRAM_MOST_QUICK_MEMBERS : DUET_PROGRAM_MOST_MEMBERS);
}

static duet_code solve(program *p, const duet_context *context, duet_bound *bound, bool *optimal,
                       double *share, duet_error *error)
{
    duet_context patient = *context;
    int64_t limit = duet_clock_ns() + DUET_PROGRAM_PATIENCE_NS;
    patient.deadline_ns = duet_min(context->deadline_ns, limit);
    build(p);
    duet_lp_set_dual(p->lp, true);
    duet_code code = duet_lp_attempt(p->lp, &patient, error);
    if (code != DUET_OK || duet_lp_get_status(p->lp) != DUET_LP_OPTIMAL) {
        return code;
    }
    *optimal = true;
    if (share != NULL) {
        read_shares(p, share);
    }
    return offer(p, bound, error);
}

duet_code duet_lp_graph_program_bound(const duet_network *network, const duet_context *context,
                                      duet_bound *bound, bool *optimal, double *share,
                                      duet_error *error)
{
    size_t tasks = (size_t)network->tasks;
    size_t edges = (size_t)network->edges;
    program p = {.net = network};
    *optimal = false;
    DUET_TRY(
        duet_memory_check(tasks + edges, BYTES, context->memory_limit, "a linear program", error));
    size_t *room = duet_alloc_raw(3 * tasks + 3 * edges, sizeof *room, error);
    DUET_NEED(room);
    p.least = bound->value;
    p.end = room;
    p.share = room + tasks;
    p.first_row = room + 2 * tasks;
    p.edge_row = room + 3 * tasks;
    p.charge_row = room + 3 * tasks + edges;
    duet_code code = duet_lp_create(&p.lp, error);
    DUET_THEN(code, solve(&p, context, bound, optimal, share, error));
    duet_lp_free(p.lp);
    duet_free(room);
    return code;
}
