// SPDX-License-Identifier: Apache-2.0
// Lemma 3: the types are fixed, and only the schedule is online. Theorem 7: the types are chosen
// online, and the schedule may be made afterwards. Lemma 4 is that with n = 1.
#include "bench/adversaries/game.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { CPU, GPU };

// --- lemma 3 -------------------------------------------------------------------------------------

// n tasks of k ticks on a GPU; n of m - 1 ticks on a CPU, which all wait for the last one of the
// first; and one of n ticks on a CPU, which waits for the last one of those.
typedef struct fixed {
    int64_t left[2]; // of the tasks for GPUs, of the short ones for CPUs
    int64_t star[2]; // the one that completed last
} fixed;

static duet_code create_3(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    int64_t m = params->m;
    int64_t k = params->k;
    int64_t n = params->n;
    if (m < 2 || n % (k * m * (m - 1)) != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "lemma-3: expected m of at least 2 and n a multiple of k m (m - 1)");
    }
    fixed *f = duet_alloc(1, sizeof *f, error);
    game->own = f;
    DUET_NEED(f);
    f->left[0] = f->left[1] = n;
    game->processors[CPU] = m;
    game->processors[GPU] = k;
    game->kind[0] = (duet_game_kind){"gpu", n, DUET_FORBIDDEN, k};
    game->kind[1] = (duet_game_kind){"cpu", n, m - 1, DUET_FORBIDDEN};
    game->kind[2] = (duet_game_kind){"last", 1, n, DUET_FORBIDDEN};
    game->kinds = 3;
    game->least = 3 * n - n / m;
    game->most = n + k + m - 1;
    return DUET_OK;
}

static int64_t predecessors_3(const duet_game *game, int64_t task)
{
    int64_t n = game->params.n;
    return task < n ? 0 : task < 2 * n ? 1 : 2;
}

static void start_3(duet_game *game)
{
    for (int64_t i = 0; i < game->params.n; i++) {
        duet_game_reveal(game, i);
    }
}

static void complete_3(duet_game *game, int64_t task)
{
    fixed *f = game->own;
    int64_t n = game->params.n;
    int64_t group = task / n;
    if (group > 1) {
        return;
    }
    f->star[group] = task;
    if (--f->left[group] > 0) {
        return;
    }
    for (int64_t i = n; i < 2 * n && group == 0; i++) {
        duet_game_join(game, f->star[0], i);
        duet_game_reveal(game, i);
    }
    if (group == 1) {
        duet_game_join(game, f->star[0], 2 * n);
        duet_game_join(game, f->star[1], 2 * n);
        duet_game_reveal(game, 2 * n);
    }
}

// Those that others wait for come first; the last task follows on the first CPU, and the other CPUs
// run the other tasks.
static void witness_3(const duet_game *game, duet_placement *placement)
{
    const fixed *f = game->own;
    const duet_game_params *params = &game->params;
    int64_t n = params->n;
    int64_t short_time = params->m - 1;
    int64_t next = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i == f->star[0] ? 0 : next++;
        placement[i] = (duet_placement){at / params->k * params->k, (int32_t)(at % params->k), GPU};
    }
    next = 0;
    for (int64_t i = n; i < 2 * n; i++) {
        if (i == f->star[1]) {
            placement[i] = (duet_placement){params->k, 0, CPU};
        } else {
            int64_t start = params->k + next / short_time * short_time;
            placement[i] = (duet_placement){start, (int32_t)(1 + next % short_time), CPU};
            next++;
        }
    }
    placement[2 * n] = (duet_placement){params->k + short_time, 0, CPU};
}

const duet_adversary duet_adversary_lemma_3 = {.name = "lemma-3",
                                               .uses_m = true,
                                               .uses_n = true,
                                               .speaks_of = DUET_GAME_WAITS,
                                               .create = create_3,
                                               .predecessors = predecessors_3,
                                               .start = start_3,
                                               .complete = complete_3,
                                               .witness = witness_3};

// --- theorem 7 -----------------------------------------------------------------------------------

// Pairs of a task T (tau, 1) and a task E of no time. The next pair waits for T where it went to a
// CPU, else for E. So either a chain is on the CPUs, or much work on the GPUs.
//
// The witness has the opposite types. The chain runs on a GPU, from time 0 on. The others run on
// the CPUs in rounds of tau: the next round begins where this one is full, or where the chain has
// come to its begin.
typedef struct online {
    int64_t pairs; // at most
    int64_t chain; // tasks T on CPUs so far
    int64_t round; // of the witness's CPUs
    int64_t filled;
    duet_placement *witness; // of the tasks T
    int64_t *chain_before;   // tasks T on CPUs before a pair
} online;

static duet_code create_7(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    int64_t tau = params->tau;
    int64_t m = params->k * tau * tau;
    int64_t pairs = params->n * (m + tau);
    if (pairs > DUET_GAME_MAX_TASKS / 2) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "theorem-7: %lld pairs of tasks, expected at most %d",
                              (long long)pairs, (int)DUET_GAME_MAX_TASKS / 2);
    }
    size_t size = sizeof(duet_placement) + sizeof(int64_t);
    online *o = duet_alloc(1, sizeof *o + (size_t)pairs * size, error);
    game->own = o;
    DUET_NEED(o);
    *o = (online){.pairs = pairs, .witness = (duet_placement *)(o + 1)};
    o->chain_before = (int64_t *)(o->witness + pairs);
    game->processors[CPU] = m;
    game->processors[GPU] = params->k;
    game->kind[0] = (duet_game_kind){"T", pairs, tau, 1};
    game->kind[1] = (duet_game_kind){"E", pairs, 0, 0};
    game->kinds = 2;
    game->least = params->n * tau * tau;
    game->most = (params->n + 1) * tau;
    return DUET_OK;
}

static duet_code create_4(duet_game *game, duet_error *error)
{
    game->params.n = 1;
    return create_7(game, error);
}

static int64_t predecessors_7(const duet_game *game, int64_t task)
{
    const online *o = game->own;
    return task % o->pairs > 0;
}

static void start_7(duet_game *game)
{
    const online *o = game->own;
    duet_game_reveal(game, 0);
    duet_game_reveal(game, o->pairs);
}

// Gives task T of a pair its place in the witness. False: the chain or the CPUs are full.
static bool place_pair(duet_game *game, int64_t pair, bool on_cpu)
{
    online *o = game->own;
    int64_t tau = game->params.tau;
    if (on_cpu) {
        o->witness[pair] = (duet_placement){o->chain++, 0, GPU};
    } else {
        o->witness[pair] = (duet_placement){(o->round + 1) * tau, (int32_t)o->filled++, CPU};
    }
    if (o->filled == game->processors[CPU] || o->chain >= (o->round + 1) * tau) {
        o->round++;
        o->filled = 0;
    }
    return o->chain < game->params.n * tau && o->round < game->params.n;
}

static void complete_7(duet_game *game, int64_t task)
{
    online *o = game->own;
    int64_t pair = task % o->pairs;
    bool on_cpu = (size_t)game->placement[pair].type + 1 < duet_game_types(game);
    if (on_cpu != (task == pair)) {
        return; // nobody waits for it
    }
    if (place_pair(game, pair, on_cpu)) {
        o->chain_before[pair + 1] = o->chain;
        duet_game_join(game, task, pair + 1);
        duet_game_join(game, task, o->pairs + pair + 1);
        duet_game_reveal(game, pair + 1);
        duet_game_reveal(game, o->pairs + pair + 1);
    }
}

static void witness_7(const duet_game *game, duet_placement *placement)
{
    const online *o = game->own;
    for (int64_t i = 0; i < game->revealed[0]; i++) {
        placement[i] = o->witness[i];
        placement[o->pairs + i] = (duet_placement){o->chain_before[i], 0, GPU};
    }
}

const duet_adversary duet_adversary_theorem_7 = {.name = "theorem-7",
                                                 .uses_n = true,
                                                 .create = create_7,
                                                 .predecessors = predecessors_7,
                                                 .start = start_7,
                                                 .complete = complete_7,
                                                 .witness = witness_7};

const duet_adversary duet_adversary_lemma_4 = {.name = "lemma-4",
                                               .create = create_4,
                                               .predecessors = predecessors_7,
                                               .start = start_7,
                                               .complete = complete_7,
                                               .witness = witness_7};
