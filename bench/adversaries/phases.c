// SPDX-License-Identifier: Apache-2.0
// Theorems 1, 2, 3 and 8: phases of k tau tasks (tau, 1). The next phase waits for the task of this
// one that completes last. So every phase takes tau, whatever runs where; the witness runs those
// tasks one after another on a GPU and all others on the CPUs.
//
// Where tau = f + r/q is no whole number, a round of theorem 1 has f phases of k f + 1 such tasks,
// and r of as many tasks (tau/q, 1/q); there are ceil(k tau^2) CPUs.
//
// Theorem 2 hides the last ones from a rule that knows bottom levels: every task of phase j
// precedes a task U j, and these are a chain. Theorem 3 also hides them from one that knows how
// much work descends from a task: all other tasks of the phases up to j precede (q + 1 - j) k tau
// tasks V j.
//
// A rule that moves running tasks takes at least half as long. Theorem 8 is theorem 1 on more than
// two types: all but the last are CPUs.
#include "bench/adversaries/game.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { CPU, GPU, LEAST_TAU_3 = 3 };

typedef struct phases {
    int64_t phases;
    int64_t width;    // tasks of a phase
    int64_t large;    // phases of tasks (tau, 1) at the start of a round
    int64_t small;    // phases of tasks (tau/q, 1/q) behind these
    int64_t parts;    // the q of small tasks; 1 without small tasks
    int64_t last;     // of theorem 3: q; else 0
    int64_t gpu[2];   // ticks of a large and a small task on a GPU
    int64_t cpu[2];   // on a CPU
    bool chain;       // there are tasks U
    int64_t *left;    // tasks of a phase that have not completed
    int64_t *star;    // the task of a phase that completed last
    int64_t *chained; // 1 once task U of a phase has completed
} phases;

// The tasks by kind: those of large phases, of small ones, then U, then V.
static int64_t first_u(const phases *p)
{
    return p->phases * p->width;
}

static int64_t round_of(const phases *p, int64_t phase)
{
    return phase / (p->large + p->small);
}

// The place of a phase in its round.
static int64_t turn_of(const phases *p, int64_t phase)
{
    return phase % (p->large + p->small);
}

static int64_t first_of(const phases *p, int64_t phase)
{
    int64_t round = round_of(p, phase);
    int64_t turn = turn_of(p, phase);
    int64_t large = p->small == 0 ? 0 : p->phases / (p->large + p->small) * p->large;
    int64_t before = p->small == 0     ? phase
                     : turn < p->large ? round * p->large + turn
                                       : large + round * p->small + turn - p->large;
    return before * p->width;
}

static int64_t phase_of(const phases *p, int64_t task)
{
    int64_t at = task / p->width;
    int64_t large = p->phases / (p->large + p->small) * p->large;
    if (p->small == 0) {
        return at;
    }
    return at < large ? at / p->large * (p->large + p->small) + at % p->large
                      : (at - large) / p->small * (p->large + p->small) + p->large +
                            (at - large) % p->small;
}

// The first task V of a phase, from 0; there are (last - phase) width of them.
static int64_t first_v(const phases *p, int64_t phase)
{
    return first_u(p) + p->phases + p->width * (phase * p->last - phase * (phase - 1) / 2);
}

static void set_kinds(duet_game *game, const phases *p)
{
    int64_t rounds = p->phases / (p->large + p->small);
    int64_t large = p->small == 0 ? p->phases : rounds * p->large;
    game->kind[game->kinds++] = (duet_game_kind){"T", large * p->width, p->cpu[0], p->gpu[0]};
    if (p->small > 0) {
        game->kind[game->kinds++] =
            (duet_game_kind){"t", rounds * p->small * p->width, p->cpu[1], p->gpu[1]};
    }
    if (p->chain) {
        game->kind[game->kinds++] = (duet_game_kind){"U", p->phases, p->cpu[0], p->gpu[0]};
    }
    if (p->last > 0) {
        int64_t count = p->width * p->last * (p->last + 1) / 2;
        game->kind[game->kinds++] = (duet_game_kind){"V", count, p->cpu[0], p->gpu[0]};
    }
}

// `shape` has the phases, their parts and tasks U and V. Time 1 is parts^2 units, so that tau and
// 1/parts are whole numbers of ticks.
static duet_code create(duet_game *game, const phases *shape, duet_error *error)
{
    size_t count = (size_t)shape->phases;
    if (shape->phases * game->params.k > DUET_GAME_MAX_TASKS) {
        return duet_error_set(error, DUET_E_LIMIT, "%s: expected at most %d tasks",
                              game->adversary->name, (int)DUET_GAME_MAX_TASKS);
    }
    phases *p = duet_alloc(1, sizeof *p + 3 * count * sizeof(int64_t), error);
    game->own = p;
    DUET_NEED(p);
    *p = *shape;
    int64_t parts = p->parts;
    int64_t k = game->params.k;
    int64_t tau = p->large * parts + p->small; // in parts
    p->width = k * p->large + (p->small > 0);
    p->gpu[0] = parts * parts * game->params.unit;
    p->cpu[0] = tau * parts * game->params.unit;
    p->gpu[1] = p->gpu[0] / parts;
    p->cpu[1] = p->cpu[0] / parts;
    p->left = (int64_t *)(p + 1);
    p->star = p->left + count;
    p->chained = p->star + count;
    for (size_t j = 0; j < count; j++) {
        p->left[j] = p->width;
    }
    game->processors[CPU] = (k * tau * tau + parts * parts - 1) / (parts * parts);
    game->processors[GPU] = k;
    set_kinds(game, p);
    return DUET_OK;
}

static duet_code create_1(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    int64_t tau = params->tau * params->over + params->part;
    phases shape = {.large = params->tau, .small = params->part, .parts = params->over};
    shape.phases = params->n * (shape.large + shape.small);
    game->least = params->n * tau * tau * params->unit;
    game->most = (params->n + 1) * tau * params->over * params->unit;
    return create(game, &shape, error);
}

static duet_code create_2(duet_game *game, duet_error *error)
{
    const duet_game_params *params = &game->params;
    phases shape = {
        .phases = params->n * params->tau, .large = params->tau, .parts = 1, .chain = true};
    game->least = params->n * params->tau * params->tau * params->unit;
    game->most = (params->k > 1 ? params->n + 2 : 2 * params->n + 1) * params->tau * params->unit;
    return create(game, &shape, error);
}

// tau is the largest triangular number that is not larger than the one that was given.
static duet_code create_3(duet_game *game, duet_error *error)
{
    int64_t q = 1;
    while ((q + 1) * (q + 2) / 2 <= game->params.tau) {
        q++;
    }
    if (q < 2) {
        return duet_error_set(error, DUET_E_USAGE, "theorem-3: expected tau of at least %d",
                              (int)LEAST_TAU_3);
    }
    int64_t tau = q * (q + 1) / 2;
    game->params.tau = tau;
    phases shape = {.phases = q + 1, .large = tau, .parts = 1, .last = q, .chain = true};
    game->least = (q + 1) * tau * game->params.unit;
    game->most = (2 * tau + q) * game->params.unit;
    return create(game, &shape, error);
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
        return phase_of(p, task) > 0;
    }
    if (task < first_u(p) + p->phases) {
        return p->width + (task > first_u(p));
    }
    return (phase_of_v(p, task) + 1) * (p->width - 1);
}

// --- what a rule may know ------------------------------------------------------------------------

// In times on a GPU. That of the task which the next phase waits for is the same by either way.
static int64_t bottom(const duet_game *game, int64_t task)
{
    const phases *p = game->own;
    if (task < first_u(p)) {
        return (p->phases - phase_of(p, task) + 1) * p->gpu[0];
    }
    int64_t link = task - first_u(p);
    return (link < p->phases ? p->phases - link : 1) * p->gpu[0];
}

// All tasks of the later phases or as many tasks V of this one, those of later ones, and U.
static int64_t descendants(const duet_game *game, int64_t task)
{
    const phases *p = game->own;
    if (task < first_u(p)) {
        int64_t phase = phase_of(p, task);
        int64_t left = p->last - phase;
        return (p->phases - phase + p->width * left * (left + 1) / 2) * p->gpu[0];
    }
    int64_t link = task - first_u(p);
    return (link < p->phases ? p->phases - 1 - link : 0) * p->gpu[0];
}

// --- moves ---------------------------------------------------------------------------------------

static void reveal_phase(duet_game *game, int64_t phase)
{
    const phases *p = game->own;
    int64_t first = first_of(p, phase);
    for (int64_t i = first; i < first + p->width; i++) {
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
    int64_t phase = phase_of(p, task);
    p->star[phase] = task;
    if (--p->left[phase] > 0) {
        return;
    }
    if (phase + 1 < p->phases) {
        reveal_phase(game, phase + 1);
    }
    try_reveal_u(game, phase);
    if (phase < p->last) {
        reveal_v(game, phase);
    }
}

// --- witnesses -----------------------------------------------------------------------------------

// Where a task runs that nobody of the next phase waits for: large ones on a CPU each, small ones
// one after another, as many as one large one.
static duet_placement behind(const phases *p, int64_t phase, int64_t rank, int64_t from)
{
    int64_t turn = turn_of(p, phase);
    int64_t others = p->width - 1;
    if (turn < p->large) {
        return (duet_placement){from, (int32_t)(turn * others + rank), CPU};
    }
    int64_t at = (turn - p->large) * others + rank;
    return (duet_placement){from + at % p->parts * p->cpu[1],
                            (int32_t)(p->large * others + at / p->parts), CPU};
}

// The tasks that others wait for run one after another on the first GPU. A round after those tasks
// of theirs have run the others of its phases run, all at once, on the CPUs.
static void witness_of_phases(const duet_game *game, duet_placement *placement)
{
    const phases *p = game->own;
    int64_t now = 0;
    for (int64_t phase = 0; phase < p->phases; phase++) {
        int64_t first = first_of(p, phase);
        int64_t from = (round_of(p, phase) + 1) * p->cpu[0];
        for (int64_t i = first; i < first + p->width; i++) {
            int64_t rank = i - first - (i > p->star[phase]);
            placement[i] =
                i == p->star[phase] ? (duet_placement){now, 0, GPU} : behind(p, phase, rank, from);
        }
        now += p->gpu[turn_of(p, phase) >= p->large];
    }
    // With a second GPU the chain follows two rounds behind, else at the end.
    bool second = game->params.k > 1;
    int64_t from = (second ? 2 : game->params.n + 1) * p->cpu[0];
    for (int64_t j = 0; j < p->phases && p->chain; j++) {
        placement[first_u(p) + j] = (duet_placement){from + j * p->gpu[0], second, GPU};
    }
}

// The same, but all phases are one round, and the tasks V another one.
static void witness_3(const duet_game *game, duet_placement *placement)
{
    const phases *p = game->own;
    int64_t one = p->gpu[0];
    int64_t alone = p->last * one; // the GPU has run one task of each phase but the last
    int64_t then = alone + p->cpu[0];
    int32_t next = 0;
    for (int64_t i = 0; i < first_u(p); i++) {
        int64_t phase = i / p->width;
        bool star = i == p->star[phase] && phase < p->last;
        placement[i] =
            star ? (duet_placement){phase * one, 0, GPU} : (duet_placement){alone, next, CPU};
        next += !star;
    }
    for (int64_t j = 0; j < p->phases; j++) {
        placement[first_u(p) + j] = (duet_placement){then + j * one, 0, GPU};
    }
    for (int64_t v = first_v(p, 0); v < first_v(p, p->last); v++) {
        placement[v] = (duet_placement){then, (int32_t)(v - first_v(p, 0)), CPU};
    }
}

const duet_adversary duet_adversary_theorem_1 = {.name = "theorem-1",
                                                 .uses_n = true,
                                                 .speaks_of = DUET_GAME_MIGRATES,
                                                 .create = create_1,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_of_phases};

const duet_adversary duet_adversary_theorem_8 = {.name = "theorem-8",
                                                 .uses_n = true,
                                                 .least_types = 3,
                                                 .speaks_of = DUET_GAME_MIGRATES,
                                                 .create = create_1,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_of_phases};

const duet_adversary duet_adversary_theorem_2 = {.name = "theorem-2",
                                                 .uses_n = true,
                                                 .speaks_of = DUET_GAME_MIGRATES,
                                                 .bottom = bottom,
                                                 .create = create_2,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_of_phases};

const duet_adversary duet_adversary_theorem_3 = {.name = "theorem-3",
                                                 .least_tau = LEAST_TAU_3,
                                                 .speaks_of = DUET_GAME_MIGRATES,
                                                 .bottom = bottom,
                                                 .descendants = descendants,
                                                 .create = create_3,
                                                 .predecessors = predecessors,
                                                 .start = start,
                                                 .complete = complete,
                                                 .witness = witness_3};
