// SPDX-License-Identifier: Apache-2.0
// Theorem 5: a graph on which qa takes 2 tau + (k - 1) / k times the optimum.
//
// k (k - 1) tasks for GPUs alone of 1 / k; m k tasks (1 / k, 1 / (k tau)), whose acceleration is
// just above tau; a short task for GPUs alone, and behind it one of (tau, 1), whose acceleration is
// just below tau. qa fills the GPUs with all but the last one, which it then puts on a CPU.
#include "bench/adversaries/game.h"

enum { CPU, GPU, PARTS = 1000 };

// The first task of each kind.
typedef struct layout {
    int64_t fill; // after those for GPUs alone
    int64_t gate; // the short one
    int64_t last;
    int64_t unit; // of time
} layout;

static layout layout_of(const duet_game *game)
{
    int64_t k = game->params.k;
    int64_t tau = game->params.tau;
    int64_t gpu_only = k * (k - 1);
    int64_t gate = gpu_only + k * tau * tau * k;
    return (layout){gpu_only, gate, gate + 1, PARTS * k * tau};
}

static duet_code create(duet_game *game, duet_error *error)
{
    (void)error;
    layout l = layout_of(game);
    int64_t k = game->params.k;
    int64_t tau = game->params.tau;
    game->processors[CPU] = k * tau * tau;
    game->processors[GPU] = k;
    if (l.fill > 0) {
        game->kind[game->kinds++] = (duet_game_kind){"gpu", l.fill, DUET_FORBIDDEN, l.unit / k};
    }
    game->kind[game->kinds++] = (duet_game_kind){"fill", l.gate - l.fill, l.unit / k + 1, PARTS};
    game->kind[game->kinds++] = (duet_game_kind){"gate", 1, DUET_FORBIDDEN, k};
    game->kind[game->kinds++] = (duet_game_kind){"last", 1, tau * l.unit, l.unit + k};
    game->least = 2 * tau * l.unit + (k - 1) * (l.unit / k) + k;
    game->most = l.unit + 2 * k;
    return DUET_OK;
}

static int64_t predecessors(const duet_game *game, int64_t task)
{
    return task == layout_of(game).last;
}

static void start(duet_game *game)
{
    for (int64_t i = 0; i <= layout_of(game).gate; i++) {
        duet_game_reveal(game, i);
    }
}

static void complete(duet_game *game, int64_t task)
{
    layout l = layout_of(game);
    if (task == l.gate) {
        duet_game_join(game, l.gate, l.last);
        duet_game_reveal(game, l.last);
    }
}

static void witness(const duet_game *game, duet_placement *placement)
{
    layout l = layout_of(game);
    int64_t k = game->params.k;
    for (int64_t i = 0; i < l.fill; i++) {
        placement[i] = (duet_placement){i % k * (l.unit / k), (int32_t)(1 + i / k), GPU};
    }
    for (int64_t i = l.fill; i < l.gate; i++) {
        int64_t at = i - l.fill;
        placement[i] = (duet_placement){at % k * (l.unit / k + 1), (int32_t)(at / k), CPU};
    }
    placement[l.gate] = (duet_placement){0, 0, GPU};
    placement[l.last] = (duet_placement){k, 0, GPU};
}

const duet_adversary duet_adversary_theorem_5 = {.name = "theorem-5",
                                                 .most_types = 2,
                                                 .against = "qa",
                                                 .speaks_of = DUET_GAME_WAITS,
                                                 .create = create,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness};
