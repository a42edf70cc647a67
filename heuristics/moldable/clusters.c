// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/clusters.h"

#include <string.h>

#include "core/instance/available.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_clusters_create(const duet_graph *graph, int64_t tasks, size_t types,
                               const int64_t *processors, duet_clusters *clusters,
                               duet_error *error)
{
    int64_t largest = 0;
    *clusters = (duet_clusters){.graph = graph, .types = types};
    duet_code code = duet_plan_create((size_t)tasks, &clusters->plan, error);
    for (size_t t = 0; t < types && code == DUET_OK; t++) {
        duet_cluster *cluster = &clusters->cluster[t];
        size_t count = (size_t)processors[t];
        DUET_TRY(duet_memory_check(count, sizeof *cluster->release + 2 * sizeof *cluster->order, 0,
                                   "the processors of a cluster", error));
        cluster->processors = processors[t];
        cluster->release = duet_alloc(count, sizeof *cluster->release, error);
        cluster->order = duet_alloc_raw(count, sizeof *cluster->order, error);
        code = cluster->release == NULL || cluster->order == NULL ? DUET_E_MEMORY : DUET_OK;
        for (size_t p = 0; p < count && code == DUET_OK; p++) {
            cluster->order[p] = (int32_t)p;
        }
        largest = duet_max(processors[t], largest);
    }
    if (code == DUET_OK) {
        clusters->chosen = duet_alloc_raw((size_t)largest, sizeof *clusters->chosen, error);
        code = clusters->chosen == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

void duet_clusters_free(duet_clusters *clusters)
{
    for (size_t t = 0; t < clusters->types; t++) {
        duet_free(clusters->cluster[t].release);
        duet_free(clusters->cluster[t].order);
    }
    duet_free(clusters->chosen);
    duet_plan_free(&clusters->plan);
}

// Processors are released when they stop being busy, in the order of that.
static void await_busy(duet_clusters *clusters, size_t type)
{
    duet_cluster *cluster = &clusters->cluster[type];
    int64_t busy = clusters->available->busy_count[type];
    for (int64_t p = 0; p < busy; p++) {
        cluster->release[p] = clusters->available->busy[type][p];
    }
    // Those that were never busy come first, then the others by insertion.
    int64_t placed = 0;
    for (int64_t p = busy; p < cluster->processors; p++) {
        cluster->order[placed++] = (int32_t)p;
    }
    for (int64_t p = 0; p < busy; p++) {
        int64_t at = placed++;
        for (; at > 0 && cluster->release[cluster->order[at - 1]] > cluster->release[p]; at--) {
            cluster->order[at] = cluster->order[at - 1];
        }
        cluster->order[at] = (int32_t)p;
    }
}

void duet_clusters_heed(duet_clusters *clusters, const duet_instance *instance)
{
    clusters->available = duet_is_available(instance) ? NULL : instance;
    for (size_t t = 0; t < clusters->types && clusters->available != NULL; t++) {
        await_busy(clusters, t);
    }
}

void duet_clusters_clear(duet_clusters *clusters)
{
    duet_plan_clear(&clusters->plan);
    for (size_t t = 0; t < clusters->types; t++) {
        duet_cluster *cluster = &clusters->cluster[t];
        memset(cluster->release, 0, (size_t)cluster->processors * sizeof *cluster->release);
        for (int64_t p = 0; p < cluster->processors; p++) {
            cluster->order[p] = (int32_t)p;
        }
        if (clusters->available != NULL) {
            await_busy(clusters, t);
        }
    }
}

static bool is_same_set(const duet_clusters *clusters, int32_t a, int32_t b)
{
    const duet_planned *one = &clusters->plan.task[a];
    const duet_planned *other = &clusters->plan.task[b];
    return one->type == other->type && one->size == other->size &&
           memcmp(duet_plan_set(&clusters->plan, (size_t)a),
                  duet_plan_set(&clusters->plan, (size_t)b),
                  (size_t)one->size * sizeof(int32_t)) == 0;
}

// When the data of a task are on `size` processors of a type. `same`: a predecessor whose set they
// are; -1: the set is another than those of all predecessors.
static int64_t arrival(const duet_clusters *clusters, int32_t task, size_t type, int64_t size,
                       int32_t same)
{
    const duet_graph *graph = clusters->graph;
    const duet_instance *available = clusters->available;
    int64_t latest = available == NULL || available->release == NULL
                         ? 0
                         : available->release[duet_instance_kind_of(available, task)];
    if (graph == NULL) {
        return latest;
    }
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int32_t before = graph->tail[edge];
        const duet_planned *placed = &clusters->plan.task[before];
        int64_t end = placed->start + placed->time;
        if (same < 0 || (before != same && !is_same_set(clusters, before, same))) {
            end += clusters->move(clusters->platform, edge, (size_t)placed->type, placed->size,
                                  type, size);
        }
        latest = duet_max(latest, end);
    }
    return latest;
}

static duet_trial try_set(const duet_clusters *clusters, int32_t task, int32_t same, int64_t time)
{
    const duet_planned *placed = &clusters->plan.task[same];
    const int32_t *set = duet_plan_set(&clusters->plan, (size_t)same);
    size_t type = (size_t)placed->type;
    int64_t start = arrival(clusters, task, type, placed->size, same);
    for (int32_t p = 0; p < placed->size; p++) {
        start = duet_max(start, clusters->cluster[type].release[set[p]]);
    }
    return (duet_trial){start, start + time, type, placed->size, same};
}

duet_trial duet_clusters_try(const duet_clusters *clusters, int32_t task, size_t type, int64_t size,
                             int64_t time)
{
    const duet_cluster *cluster = &clusters->cluster[type];
    const duet_graph *graph = clusters->graph;
    DUET_ASSERT(1 <= size && size <= cluster->processors);
    int64_t start = duet_max(arrival(clusters, task, type, size, -1),
                             cluster->release[cluster->order[size - 1]]);
    duet_trial best = {start, start + time, type, (int32_t)size, -1};
    int64_t begin = graph == NULL ? 0 : graph->enter_at[task];
    int64_t end = graph == NULL ? 0 : graph->enter_at[task + 1];
    for (int64_t at = begin; at < end; at++) {
        int32_t before = graph->tail[graph->entering[at]];
        const duet_planned *placed = &clusters->plan.task[before];
        if ((size_t)placed->type != type || placed->size != size) {
            continue;
        }
        duet_trial trial = try_set(clusters, task, before, time);
        bool lower = best.same < 0 || before < best.same;
        if (trial.finish < best.finish || (trial.finish == best.finish && lower)) {
            best = trial;
        }
    }
    return best;
}

bool duet_trial_precedes(const duet_trial *a, const duet_trial *b)
{
    if (a->finish != b->finish) {
        return a->finish < b->finish;
    }
    if ((a->same >= 0) != (b->same >= 0)) {
        return a->same >= 0;
    }
    return a->type < b->type;
}

// How many processors of the order are released by a time.
static int64_t count_released(const duet_cluster *cluster, int64_t time)
{
    int64_t low = 0;
    int64_t high = cluster->processors;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (cluster->release[cluster->order[middle]] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Takes a set, in ascending order, out of the order and puts it where its new release belongs.
static void reorder(duet_cluster *cluster, const int32_t *set, int32_t size, int64_t release)
{
    int32_t *order = cluster->order;
    for (int32_t i = 0; i < size; i++) {
        cluster->release[set[i]] = -1; // marks it
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < cluster->processors; i++) {
        if (cluster->release[order[i]] >= 0) {
            order[kept++] = order[i];
        }
    }
    for (int32_t i = 0; i < size; i++) {
        cluster->release[set[i]] = release;
    }
    // From the end: each goes behind all that are released before it, or with it by lower number.
    int64_t to = cluster->processors - 1;
    for (int32_t i = size - 1; i >= 0; to--) {
        int32_t last = kept > 0 ? order[kept - 1] : -1;
        bool behind = last >= 0 && (cluster->release[last] > release ||
                                    (cluster->release[last] == release && last > set[i]));
        order[to] = behind ? order[--kept] : set[i--];
    }
}

duet_code duet_clusters_place(duet_clusters *clusters, int32_t task, const duet_trial *trial,
                              duet_error *error)
{
    duet_cluster *cluster = &clusters->cluster[trial->type];
    size_t bytes = (size_t)trial->size * sizeof *clusters->chosen;
    if (trial->same >= 0) {
        memcpy(clusters->chosen, duet_plan_set(&clusters->plan, (size_t)trial->same), bytes);
    } else {
        int64_t end = count_released(cluster, trial->start);
        DUET_ASSERT(end >= trial->size);
        memcpy(clusters->chosen, cluster->order + end - trial->size, bytes);
        duet_sort_tasks(clusters->chosen, (size_t)trial->size);
    }
    int32_t *set = duet_plan_add(&clusters->plan, (size_t)task, trial->size, error);
    DUET_NEED(set);
    memcpy(set, clusters->chosen, bytes);
    duet_planned *placed = &clusters->plan.task[task];
    placed->start = trial->start;
    placed->time = trial->finish - trial->start;
    placed->type = (int32_t)trial->type;
    reorder(cluster, set, trial->size, trial->finish);
    return DUET_OK;
}
