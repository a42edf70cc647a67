// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_ranks.h"

enum { SCALE = 1 << 20 };

duet_int128 duet_plain_floor(duet_int128 num, duet_int128 den)
{
    return num * SCALE / den;
}

// The mean of a value per type over the processors on which the task may run.
duet_int128 duet_plain_mean(const plain *s, int64_t task, const int64_t *value)
{
    duet_int128 sum = 0;
    duet_int128 all = 0;
    for (size_t t = 0; t < s->types; t++) {
        if (time_of(s, task, t) >= 0) {
            sum += (duet_int128)processors(s, t) * value[t];
            all += processors(s, t);
        }
    }
    return duet_plain_floor(sum, all);
}

duet_int128 duet_plain_mean_time(const plain *s, int64_t task)
{
    int64_t time[TYPES];
    for (size_t t = 0; t < s->types; t++) {
        time[t] = time_of(s, task, t);
    }
    return duet_plain_mean(s, task, time);
}

duet_int128 duet_plain_mean_cost(const plain *s, int64_t edge)
{
    duet_int128 sum = 0;
    duet_int128 all = 0;
    for (size_t a = 0; a < s->types; a++) {
        all += processors(s, a);
        for (size_t b = 0; b < s->types; b++) {
            sum +=
                (duet_int128)processors(s, a) * (processors(s, b) - (a == b)) * cost(s, edge, a, b);
        }
    }
    return duet_plain_floor(sum, all * all);
}

// Weights 1/p and 1/q times p q, as those of a CPU and of a GPU.
static void speeds(const plain *s, int64_t task, duet_int128 *cpu, duet_int128 *gpu)
{
    int64_t p = time_of(s, task, 0);
    int64_t q = time_of(s, task, 1);
    *cpu = p < 0 ? 0 : q < 0 || (p == 0 && q == 0) ? 1 : q;
    *gpu = q < 0 ? 0 : p < 0 || (p == 0 && q == 0) ? 1 : p;
}

duet_int128 duet_plain_weighted_time(const plain *s, int64_t task)
{
    duet_int128 cpu;
    duet_int128 gpu;
    speeds(s, task, &cpu, &gpu);
    cpu *= processors(s, 0);
    gpu *= processors(s, 1);
    return duet_plain_floor((cpu > 0 ? cpu * time_of(s, task, 0) : 0) +
                                (gpu > 0 ? gpu * time_of(s, task, 1) : 0),
                            cpu + gpu);
}

duet_int128 duet_plain_weighted_cost(const plain *s, int64_t edge)
{
    duet_edge e = duet_instance_edge(s->instance, edge);
    duet_int128 m = processors(s, 0);
    duet_int128 k = processors(s, 1);
    duet_int128 c_u;
    duet_int128 g_u;
    duet_int128 c_v;
    duet_int128 g_v;
    speeds(s, e.from, &c_u, &g_u);
    speeds(s, e.to, &c_v, &g_v);
    duet_int128 sum = c_u * c_v * m * (m - 1) * cost(s, edge, 0, 0) +
                      m * k * (c_u * g_v * cost(s, edge, 0, 1) + g_u * c_v * cost(s, edge, 1, 0)) +
                      g_u * g_v * k * (k - 1) * cost(s, edge, 1, 1);
    return duet_plain_floor(sum, (m * c_u + k * g_u) * (m * c_v + k * g_v));
}

duet_int128 duet_plain_least_time(const plain *s, int64_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->types; t++) {
        int64_t time = time_of(s, task, t);
        least = time >= 0 && time < least ? time : least;
    }
    return (duet_int128)least * SCALE;
}

duet_int128 duet_plain_nothing(const plain *s, int64_t which)
{
    (void)s;
    (void)which;
    return 0;
}

// The heaviest way from a task to the end, or from the beginning to it.
duet_int128 duet_plain_way(const plain *s, duet_plain_weight *task_weight,
                           duet_plain_weight *edge_weight, int64_t task, bool up)
{
    duet_int128 heaviest = 0;
    for (int64_t j = 0; j < s->n; j++) {
        int e = up ? s->edge[task][j] : s->edge[j][task];
        if (e >= 0) {
            duet_int128 rest = edge_weight(s, e) + s->rank[j];
            heaviest = rest > heaviest ? rest : heaviest;
        }
    }
    return task_weight(s, task) + heaviest;
}

void duet_plain_rank_upward(plain *s, duet_plain_weight *task_weight,
                            duet_plain_weight *edge_weight)
{
    for (int64_t i = s->n; i-- > 0;) {
        s->rank[s->order[i]] = duet_plain_way(s, task_weight, edge_weight, s->order[i], true);
    }
}
