// SPDX-License-Identifier: Apache-2.0
// Theorems 1, 2 and 3: phases of k tau tasks (tau, 1). The next phase waits for the task of this
// one that completes last. So every phase takes tau, whatever runs where; the witness runs those
// tasks one after another on a GPU and all others on the CPUs.
//
// Theorem 2 hides them from a rule that knows bottom levels: every task of phase j precedes a task
// U j, and these are a chain. Theorem 3 also hides them from one that knows how much work descends
// from a task: all other tasks of the phases up to j precede (q + 1 - j) k tau tasks V j.
#include "bench/adversaries/game.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { CPU, GPU };

typedef struct phases {
    int64_t phases;
    int64_t width;    // tasks of a phase
    int64_t q;        // of theorem 3; else 0
    bool chain;       // there are tasks U
    int64_t *left;    // tasks of a phase that have not completed
    int64_t *star;    // the task of a phase that completed last
    int64_t *chained; // 1 once task U of a phase has completed
} phases;

// The tasks by kind: those of all phases, then U, then V.
static int64_t first_u(const phases *p)
{
    return p->phases * p->width;
}

// The first task V of a phase, from 0; there are (q - phase) width of them.
static int64_t first_v(const phases *p, int64_t phase)
{
    return first_u(p) + p->phases + p->width * (phase * p->q - phase * (phase - 1) / 2);
}

static duet_code create(duet_game *game, int64_t count, int64_t q, bool chain, duet_error *error)
{
    int64_t tau = game->params.tau;
    int64_t width = game->params.k * tau;
    phases *p = duet_alloc(1, sizeof *p + 3 * (size_t)count * sizeof(int64_t), error);
    game->own = p;
    DUET_NEED(p);
    int64_t *state = (int64_t *)(p + 1);
    *p = (phases){.phases = count,
                  .width = width,
                  .q = q,
                  .chain = chain,
                  .left = state,
                  .star = state + count,
                  .chained = state + 2 * count};
    for (int64_t j = 0; j < count; j++) {
        p->left[j] = width;
    }
    game->processors[CPU] = width * tau;
    game->processors[GPU] = game->params.k;
    game->kind[0] = (duet_game_kind){"T", count * width, tau, 1};
    game->kind[1] = (duet_game_kind){"U", chain ? count : 0, tau, 1};
    game->kind[2] = (duet_game_kind){"V", width * q * (q + 1) / 2, tau, 1};
    game->kinds = q > 0 ? 3 : chain ? 2 : 1;
    game->least = count * tau;
    return DUET_OK;
}

static duet_code create_1(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    game->most = (params->n + 1) * params->tau;
    return create(game, params->n * params->tau, 0, false, error);
}

static duet_code create_2(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    game->most = (params->k > 1 ? params->n + 2 : 2 * params->n + 1) * params->tau;
    return create(game, params->n * params->tau, 0, true, error);
}

// tau is the largest triangular number that is not larger than the one that was given.
static duet_code create_3(duet_game *game, duet_error *error)
{
    int64_t q = 1;
    while ((q + 1) * (q + 2) / 2 <= game->params.tau) {
        q++;
    }
    if (q < 2) {
        return duet_error_set(error, DUET_E_USAGE, "theorem-3: expected tau of at least 3");
    }
    game->params.tau = q * (q + 1) / 2;
    game->most = 2 * game->params.tau + q;
    return create(game, q + 1, q, true, error);
}

// The phase that a task V is for.
static int64_t phase_of_v(const phases *p, int64_t task)
{
    int64_t phase = 0;
    while (task >= first_v(p, phase + 1)) {
        phase++;
    }
    return phase;
}

static int64_t predecessors(const duet_game *game, int64_t task)
{
    const phases *p = game->own;
    if (task < first_u(p)) {
        return task >= p->width;
    }
    if (task < first_u(p) + p->phases) {
        return p->width + (task > first_u(p));
    }
    return (phase_of_v(p, task) + 1) * (p->width - 1);
}

static void reveal_phase(duet_game *game, int64_t phase)
{
    const phases *p = game->own;
    for (int64_t i = phase * p->width; i < (phase + 1) * p->width; i++) {
        if (phase > 0) {
            duet_game_join(game, p->star[phase - 1], i);
        }
        duet_game_reveal(game, i);
    }
}

// Task U of a phase waits for the phase, and for the one before it.
static void try_reveal_u(duet_game *game, int64_t phase)
{
    const phases *p = game->own;
    bool ready = p->chain && phase < p->phases && p->left[phase] == 0;
    if (!ready || (phase > 0 && p->chained[phase - 1] == 0)) {
        return;
    }
    for (int64_t i = phase * p->width; i < (phase + 1) * p->width; i++) {
        duet_game_join(game, i, first_u(p) + phase);
    }
    if (phase > 0) {
        duet_game_join(game, first_u(p) + phase - 1, first_u(p) + phase);
    }
    duet_game_reveal(game, first_u(p) + phase);
}

static void reveal_v(duet_game *game, int64_t phase)
{
    const phases *p = game->own;
    for (int64_t v = first_v(p, phase); v < first_v(p, phase + 1); v++) {
        for (int64_t i = 0; i < (phase + 1) * p->width; i++) {
            if (i != p->star[i / p->width]) {
                duet_game_join(game, i, v);
            }
        }
        duet_game_reveal(game, v);
    }
}

static void start(duet_game *game)
{
    reveal_phase(game, 0);
}

static void complete(duet_game *game, int64_t task)
{
    phases *p = game->own;
    if (task >= first_u(p)) {
        int64_t phase = task - first_u(p);
        if (phase < p->phases) {
            p->chained[phase] = 1;
            try_reveal_u(game, phase + 1);
        }
        return;
    }
    int64_t phase = task / p->width;
    p->star[phase] = task;
    if (--p->left[phase] > 0) {
        return;
    }
    if (phase + 1 < p->phases) {
        reveal_phase(game, phase + 1);
    }
    try_reveal_u(game, phase);
    if (phase < p->q) {
        reveal_v(game, phase);
    }
}

// The tasks that others wait for run one after another on the first GPU. tau phases after those
// tasks of theirs have run the others of these phases run, all at once, on the CPUs.
static void witness_of_phases(const duet_game *game, duet_placement *placement)
{
    const phases *p = game->own;
    int64_t tau = game->params.tau;
    for (int64_t i = 0; i < first_u(p); i++) {
        int64_t phase = i / p->width;
        placement[i] = (duet_placement){(phase / tau + 1) * tau,
                                        (int32_t)(i - phase / tau * tau * p->width), CPU};
        if (i == p->star[phase]) {
            placement[i] = (duet_placement){phase, 0, GPU};
        }
    }
    // With a second GPU the chain follows two rounds behind, else at the end.
    bool second = game->params.k > 1;
    int64_t from = second ? 2 * tau : (game->params.n + 1) * tau;
    for (int64_t j = 0; j < p->phases && p->chain; j++) {
        placement[first_u(p) + j] = (duet_placement){from + j, second, GPU};
    }
}

// The same, but all phases are one round, and the tasks V another one.
static void witness_3(const duet_game *game, duet_placement *placement)
{
    const phases *p = game->own;
    int64_t tau = game->params.tau;
    int32_t next = 0;
    for (int64_t i = 0; i < first_u(p); i++) {
        int64_t phase = i / p->width;
        bool star = i == p->star[phase] && phase < p->q;
        placement[i] = star ? (duet_placement){phase, 0, GPU} : (duet_placement){p->q, next, CPU};
        next += !star;
    }
    for (int64_t j = 0; j < p->phases; j++) {
        placement[first_u(p) + j] = (duet_placement){p->q + tau + j, 0, GPU};
    }
    for (int64_t v = first_v(p, 0); v < first_v(p, p->q); v++) {
        placement[v] = (duet_placement){p->q + tau, (int32_t)(v - first_v(p, 0)), CPU};
    }
}

const duet_adversary duet_adversary_theorem_1 = {.name = "theorem-1",
                                                 .uses_n = true,
                                                 .create = create_1,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_of_phases};

const duet_adversary duet_adversary_theorem_2 = {.name = "theorem-2",
                                                 .uses_n = true,
                                                 .create = create_2,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_of_phases};

const duet_adversary duet_adversary_theorem_3 = {.name = "theorem-3",
                                                 .create = create_3,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_3};
