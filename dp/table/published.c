// SPDX-License-Identifier: Apache-2.0
// The table as the paper states it: W(j, mu, mu', kappa, kappa', N) is the least work on the CPUs
// over all allocations of the first j tasks with mu large and mu' medium tasks on the CPUs, kappa
// large and kappa' medium ones on the GPUs, and N units of work on the GPUs. One layer per j; mu'
// goes up to 2 (m - mu), kappa' up to 2 (k - kappa). Written to be read: it is the reference of the
// other forms, and the base line of their measurements. (Where the CPUs are rounded instead, read
// GPU for CPU and the other way round.)
//
// Cost: n (m+1)^2 (k+1)^2 (3kn+1) cells; two layers of 8 bytes, and a bit per cell for the
// allocation.
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, CCPE 27(6), 2015, section 3.

#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/table/problem.h"

static const int64_t infinite = INT64_MAX;

// A cell's indices.
typedef struct state {
    int64_t mu, mu2, kappa, kappa2, units;
} state;

typedef struct published {
    int64_t m, k, cap;
    int64_t cells;     // of a layer
    int64_t *previous; // layer j - 1
    int64_t *current;  // layer j
    uint8_t *on_gpu;   // a bit per cell and task; NULL where no allocation is wanted
} published;

// How many pairs (mu, mu') come before those with this mu: the sum of 2 (m - i) + 1 over i < mu.
static int64_t pairs_before(int64_t mu, int64_t m)
{
    return mu * (2 * m + 2 - mu);
}

static int64_t index_of(const published *table, state at)
{
    int64_t cpu = pairs_before(at.mu, table->m) + at.mu2;
    int64_t gpu = pairs_before(at.kappa, table->k) + at.kappa2;
    int64_t gpu_pairs = (table->k + 1) * (table->k + 1);
    return (cpu * gpu_pairs + gpu) * (table->cap + 1) + at.units;
}

static bool exists(state at)
{
    return at.mu >= 0 && at.mu2 >= 0 && at.kappa >= 0 && at.kappa2 >= 0 && at.units >= 0;
}

// Where the first j - 1 tasks stand if task j runs on the CPUs (on the GPUs) and all j stand `at`.
static state before_cpu(state at, const duet_table_item *task)
{
    at.mu -= task->c == 2;
    at.mu2 -= task->c == 1;
    return at;
}

static state before_gpu(state at, const duet_table_item *task)
{
    at.kappa -= task->g == 2;
    at.kappa2 -= task->g == 1;
    at.units -= task->weight;
    return at;
}

// One cell of layer j from layer j - 1; `bit` is the cell's number over all layers.
static void compute(published *table, const duet_table_item *task, state at, int64_t bit)
{
    int64_t best = infinite;
    bool gpu = false;
    state before = before_cpu(at, task);
    if (task->on_v && exists(before)) {
        int64_t work = table->previous[index_of(table, before)];
        best = work == infinite ? infinite : work + task->value;
    }
    before = before_gpu(at, task);
    if (task->on_r && exists(before)) {
        int64_t work = table->previous[index_of(table, before)];
        gpu = work < best;
        best = gpu ? work : best;
    }
    table->current[index_of(table, at)] = best;
    if (table->on_gpu != NULL && gpu) {
        table->on_gpu[bit / 8] = (uint8_t)(table->on_gpu[bit / 8] | 1 << bit % 8);
    }
}

static void compute_layer(published *table, const duet_table_item *task, int64_t j)
{
    int64_t m = table->m;
    int64_t k = table->k;
    state at;
    for (at.mu = 0; at.mu <= m; at.mu++) {
        for (at.mu2 = 0; at.mu2 <= 2 * (m - at.mu); at.mu2++) {
            for (at.kappa = 0; at.kappa <= k; at.kappa++) {
                for (at.kappa2 = 0; at.kappa2 <= 2 * (k - at.kappa); at.kappa2++) {
                    for (at.units = 0; at.units <= table->cap; at.units++) {
                        compute(table, task, at, j * table->cells + index_of(table, at));
                    }
                }
            }
        }
    }
}

// The least work over the last layer, and where; infinite where no allocation is feasible.
static int64_t least(const published *table, state *where)
{
    int64_t best = infinite;
    state at;
    for (at.mu = 0; at.mu <= table->m; at.mu++) {
        for (at.mu2 = 0; at.mu2 <= 2 * (table->m - at.mu); at.mu2++) {
            for (at.kappa = 0; at.kappa <= table->k; at.kappa++) {
                for (at.kappa2 = 0; at.kappa2 <= 2 * (table->k - at.kappa); at.kappa2++) {
                    for (at.units = 0; at.units <= table->cap; at.units++) {
                        int64_t work = table->previous[index_of(table, at)];
                        if (work < best) {
                            best = work;
                            *where = at;
                        }
                    }
                }
            }
        }
    }
    return best;
}

// Follows the decisions back from the last task to the first.
static void trace(const duet_table_problem *problem, const published *table, state at,
                  int64_t *on_r)
{
    int64_t j = problem->tasks;
    for (size_t i = problem->kinds; i-- > 0;) {
        const duet_table_item *item = &problem->items[i];
        for (int64_t copy = 0; copy < item->count; copy++) {
            int64_t bit = --j * table->cells + index_of(table, at);
            bool gpu = (table->on_gpu[bit / 8] >> bit % 8 & 1) != 0;
            on_r[i] += gpu;
            at = gpu ? before_gpu(at, item) : before_cpu(at, item);
        }
    }
}

static duet_code fill(const duet_table_problem *problem, const duet_context *context,
                      published *table, duet_table_answer *answer)
{
    for (int64_t i = 0; i < table->cells; i++) {
        table->previous[i] = infinite;
    }
    table->previous[0] = 0;
    int64_t j = 0;
    for (size_t i = 0; i < problem->kinds; i++) {
        for (int64_t copy = 0; copy < problem->items[i].count; copy++) {
            if (duet_context_stop(context)) {
                answer->stopped = true;
                return DUET_OK;
            }
            compute_layer(table, &problem->items[i], j++);
            int64_t *swap = table->previous;
            table->previous = table->current;
            table->current = swap;
            answer->cells += (uint64_t)table->cells;
        }
    }
    return DUET_OK;
}

static duet_code solve(const duet_table_problem *problem, const duet_context *context,
                       published *table, duet_table_answer *answer, duet_error *error)
{
    fill(problem, context, table, answer);
    if (answer->stopped) {
        return DUET_OK;
    }
    state where = {0, 0, 0, 0, 0};
    answer->work = least(table, &where);
    answer->has_work = answer->work != infinite;
    answer->yes = answer->has_work && answer->work <= problem->limit;
    if (answer->yes && answer->on_gpu != NULL) {
        int64_t *on_r = duet_alloc(problem->kinds, sizeof *on_r, error);
        DUET_NEED(on_r);
        trace(problem, table, where, on_r);
        duet_table_allocate(problem, on_r, answer);
        duet_free(on_r);
    }
    return DUET_OK;
}

duet_code duet_published_measure(const duet_table_problem *problem, bool allocation_wanted,
                                 duet_table_size *size)
{
    duet_uint128 m = (duet_uint128)problem->c_cap / 2 + 1;
    duet_uint128 k = (duet_uint128)problem->g_cap / 2 + 1;
    duet_uint128 tasks = (duet_uint128)problem->tasks;
    *size = (duet_table_size){UINT64_MAX, UINT64_MAX, UINT64_MAX, sizeof(int64_t)};
    duet_uint128 layer; // beyond 2^56 cells nothing fits anywhere
    duet_uint128 pairs;
    if (m > UINT32_MAX || k > UINT32_MAX || __builtin_mul_overflow(m * m, k * k, &pairs) ||
        pairs > UINT64_MAX ||
        __builtin_mul_overflow(pairs, (duet_uint128)problem->cap + 1, &layer) ||
        layer > (duet_uint128)1 << 56 || tasks > (duet_uint128)1 << 40) {
        return DUET_OK;
    }
    duet_uint128 cells = layer * tasks;
    duet_uint128 bytes = 2 * layer * sizeof(int64_t) + (allocation_wanted ? cells / 8 + 1 : 0);
    size->cells = cells > UINT64_MAX ? UINT64_MAX : (uint64_t)cells;
    size->bytes = bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
    size->least = size->bytes;
    return DUET_OK;
}

duet_code duet_published_decide(const duet_table_problem *problem, const duet_context *context,
                                duet_table_answer *answer, duet_error *error)
{
    bool wanted = answer->on_gpu != NULL;
    duet_table_size size;
    duet_published_measure(problem, wanted, &size);
    uint64_t memory = duet_table_memory(context, size.bytes);
    if (size.bytes > memory || size.bytes == UINT64_MAX) {
        return duet_table_refuse("published", size.bytes, memory, error);
    }
    published table = {.m = problem->c_cap / 2, .k = problem->g_cap / 2, .cap = problem->cap};
    table.cells = (table.m + 1) * (table.m + 1) * (table.k + 1) * (table.k + 1) * (table.cap + 1);
    table.previous = duet_alloc((size_t)table.cells, sizeof *table.previous, error);
    table.current = duet_alloc((size_t)table.cells, sizeof *table.current, error);
    bool complete = table.previous != NULL && table.current != NULL;
    if (complete && wanted) {
        table.on_gpu = duet_alloc((size_t)(size.cells / 8 + 1), 1, error);
        complete = table.on_gpu != NULL;
    }
    duet_code code = complete ? solve(problem, context, &table, answer, error) : DUET_E_MEMORY;
    answer->bytes = (size_t)size.bytes;
    duet_free(table.previous);
    duet_free(table.current);
    duet_free(table.on_gpu);
    return code;
}
