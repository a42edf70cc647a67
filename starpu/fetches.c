// SPDX-License-Identifier: Apache-2.0
// Which data are brought to other nodes, and when.
//
// What a task writes goes to where the plan reads it next once the task has run; what is there
// already when a plan begins to count is asked for some time before the plan reads it. All of it is
// fetched while nothing else is: a link that carries what is needed later delays what is needed
// now.
//
// StarPU moves data of a handle with planned partitions between its parts when one of them is
// asked for, in the order in which it is asked: so nothing is once an application partitions data
// while tasks run. Then data are fetched for tasks that are ready, and for no others.
#include <stdlib.h>
#include <string.h>

#include <starpu_scheduler.h>

#include "starpu/policy_state.h"

// --- behind tasks --------------------------------------------------------------------------------

static int compare_fetches(const void *x, const void *y)
{
    const duet_starpu_fetch *a = x;
    const duet_starpu_fetch *b = y;
    return (a->job > b->job) - (a->job < b->job);
}

static void add_fetches(const duet_starpu_snapshot *s, const duet_starpu_edge *edge, int from,
                        int to, int priority)
{
    unsigned node = starpu_worker_get_memory_node((unsigned)to);
    if (edge->size == 0 || node == starpu_worker_get_memory_node((unsigned)from)) {
        return;
    }
    for (size_t i = s->access_at[edge->from]; i < s->access_at[edge->from + 1]; i++) {
        for (size_t k = s->access_at[edge->to]; k < s->access_at[edge->to + 1]; k++) {
            if (s->access[i].handle == s->access[k].handle && s->access[i].writes &&
                s->access[k].reads) {
                duet_starpu.fetch[duet_starpu.fetches++] =
                    (duet_starpu_fetch){s->job[edge->from], s->access[i].handle, node, priority, 0};
            }
        }
    }
}

static bool plan_behind(const duet_starpu_snapshot *s, const int *worker_of)
{
    size_t most = 0;
    for (size_t i = 0; i < s->edges; i++) {
        most += s->access_at[s->edge[i].from + 1] - s->access_at[s->edge[i].from];
    }
    free(duet_starpu.fetch);
    duet_starpu.fetches = 0;
    duet_starpu.fetch = calloc(most * 2 + 1, sizeof *duet_starpu.fetch);
    if (duet_starpu.fetch == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->edges; i++) {
        add_fetches(s, &s->edge[i], worker_of[s->edge[i].from], worker_of[s->edge[i].to],
                    -duet_starpu.jobs.job[s->job[s->edge[i].to]].rank);
    }
    qsort(duet_starpu.fetch, duet_starpu.fetches, sizeof *duet_starpu.fetch, compare_fetches);
    return true;
}

size_t duet_starpu_fetches_behind(size_t job, duet_starpu_fetch *fetch, size_t most)
{
    size_t low = 0;
    size_t high = duet_starpu.fetches;
    size_t count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (duet_starpu.fetch[middle].job < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < duet_starpu.fetches && duet_starpu.fetch[low].job == job && count < most; low++) {
        bool there = false;
        for (size_t i = 0; i < count; i++) {
            there = there || (fetch[i].handle == duet_starpu.fetch[low].handle &&
                              fetch[i].node == duet_starpu.fetch[low].node);
        }
        if (!there) {
            fetch[count++] = duet_starpu.fetch[low];
        }
    }
    return count;
}

// --- at the beginning of a plan ------------------------------------------------------------------

typedef struct use {
    starpu_data_handle_t handle;
    int32_t rank; // of the task
    size_t job;
    unsigned node;
    bool reads;
    bool writes;
} use;

static int compare_uses(const void *x, const void *y)
{
    const use *a = x;
    const use *b = y;
    uintptr_t p = (uintptr_t)a->handle;
    uintptr_t q = (uintptr_t)b->handle;
    return p != q ? (p > q) - (p < q) : (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_ranks(const void *x, const void *y)
{
    const use *a = x;
    const use *b = y;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

// Data of tasks that have run while the plan was made may be no more, unless another one waits.
static bool is_registered(const use *first, size_t count)
{
    bool waits = false;
    for (size_t i = 0; i < count && !waits; i++) {
        waits = duet_starpu.jobs.job[first[i].job].state == DUET_STARPU_WAITS;
    }
    return waits;
}

static bool is_on(starpu_data_handle_t handle, unsigned node)
{
    int valid = 0;
    starpu_data_query_status(handle, (int)node, NULL, &valid, NULL);
    return valid != 0;
}

static bool has_value(starpu_data_handle_t handle)
{
    bool found = false;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count() && !found; node++) {
        found = is_on(handle, node);
    }
    return found;
}

// Keeps of a piece of data's uses, in their order, the first read on each node of what is there
// before anyone writes it. What main memory has it keeps.
static size_t keep_first(use *first, size_t count, use *kept)
{
    size_t some = 0;
    bool written = !has_value(first->handle);
    bool in_main = is_on(first->handle, STARPU_MAIN_RAM);
    for (size_t i = 0; i < count && !written; i++) {
        bool there = !first[i].reads || (in_main && first[i].node == STARPU_MAIN_RAM);
        for (size_t k = 0; k < some; k++) {
            there = there || kept[k].node == first[i].node;
        }
        if (!there) {
            kept[some++] = first[i];
        }
        written = first[i].writes;
    }
    return some;
}

// How long the main memory takes to send a piece of data to a node, in us.
static double duration(starpu_data_handle_t handle, unsigned node)
{
    double bandwidth =
        node == STARPU_MAIN_RAM ? 0 : starpu_transfer_bandwidth(STARPU_MAIN_RAM, node);
    return bandwidth > 0 ? (double)starpu_data_get_size(handle) / bandwidth : 0;
}

// Data are asked for twice as long before they are read as it takes to send all of them. What is
// asked for earlier is in the way of others, and goes to the wrong node where a new plan comes
// first.
static bool plan_early(const duet_starpu_snapshot *s, const int *worker_of)
{
    size_t uses = s->access_at[s->tasks];
    use *all = calloc(uses + 1, sizeof *all);
    free(duet_starpu.early);
    duet_starpu.early = calloc(uses + 1, sizeof *duet_starpu.early);
    if (all == NULL || duet_starpu.early == NULL) {
        free(all);
        return false;
    }
    for (size_t i = 0; i < s->tasks; i++) {
        int32_t rank = duet_starpu.jobs.job[s->job[i]].rank;
        unsigned node = starpu_worker_get_memory_node((unsigned)worker_of[i]);
        for (size_t k = s->access_at[i]; k < s->access_at[i + 1]; k++) {
            const duet_starpu_access *a = &s->access[k];
            all[k] = (use){a->handle, rank, s->job[i], node, a->reads, a->writes};
        }
    }
    qsort(all, uses, sizeof *all, compare_uses);
    size_t kept = 0;
    for (size_t i = 0, next; i < uses; i = next) {
        next = i;
        while (next < uses && all[next].handle == all[i].handle) {
            next++;
        }
        kept += is_registered(&all[i], next - i) ? keep_first(&all[i], next - i, &all[kept]) : 0;
    }
    qsort(all, kept, sizeof *all, compare_ranks);
    for (size_t i = 0; i < kept; i++) {
        duet_starpu.lead += 2 * duration(all[i].handle, all[i].node);
        duet_starpu.early[duet_starpu.earlies++] =
            (duet_starpu_fetch){all[i].job, all[i].handle, all[i].node, -all[i].rank,
                                duet_starpu.jobs.job[all[i].job].planned_start};
    }
    free(all);
    return true;
}

bool duet_starpu_is_fetch_due(void)
{
    return duet_starpu.early_next < duet_starpu.earlies && !duet_starpu.partitioned &&
           duet_starpu.early[duet_starpu.early_next].at <= starpu_timing_now() + duet_starpu.lead;
}

void duet_starpu_fetch_early(void)
{
    while (duet_starpu_is_fetch_due()) {
        duet_starpu_fetch fetch = duet_starpu.early[duet_starpu.early_next++];
        if (duet_starpu.jobs.job[fetch.job].state != DUET_STARPU_WAITS) {
            continue;
        }
        // Its data stay while it does. Its worker may have looked for it in vain.
        int worker = duet_starpu.jobs.job[fetch.job].worker;
        duet_starpu.held = fetch.job + 1;
        STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
        starpu_data_idle_prefetch_on_node_prio(fetch.handle, fetch.node, 1, fetch.priority);
        STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
        duet_starpu.held = 0;
        if (duet_starpu.jobs.job[fetch.job].state == DUET_STARPU_IS_READY) {
            STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
            starpu_wake_worker_relax_light(worker);
            STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
        }
    }
}

// -------------------------------------------------------------------------------------------------

bool duet_starpu_plan_fetches(const duet_starpu_snapshot *s, const int *worker_of)
{
    duet_starpu.earlies = 0;
    duet_starpu.early_next = 0;
    duet_starpu.fetches = 0;
    duet_starpu.lead = 0;
    return !duet_starpu.settings.prefetch || duet_starpu.partitioned ||
           (plan_behind(s, worker_of) && plan_early(s, worker_of));
}

void duet_starpu_fetches_free(void)
{
    free(duet_starpu.fetch);
    free(duet_starpu.early);
    duet_starpu.fetch = NULL;
    duet_starpu.early = NULL;
}
