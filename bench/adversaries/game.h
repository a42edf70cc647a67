// SPDX-License-Identifier: Apache-2.0
// Adversaries of online rules: they decide what a task graph looks like while a rule schedules it.
//
// An adversary has a set of tasks, says which are ready at time 0, and, when tasks complete, which
// wait for whom and become ready. It makes two claims: no rule's schedule of the graph that comes
// out is shorter than `least`, and a schedule of that graph, the witness, takes at most `most`.
//
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018.
#ifndef DUET_BENCH_ADVERSARIES_GAME_H
#define DUET_BENCH_ADVERSARIES_GAME_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "heuristics/engine/online.h"

enum { DUET_GAME_MAX_TASKS = 1000000, DUET_GAME_MAX_EDGES = 20000000, DUET_GAME_MAX_KINDS = 4 };

// What the families of graphs are made of.
typedef struct duet_game_params {
    int64_t tau; // the square root of m / k
    int64_t m;   // CPUs, where they are not k tau^2
    int64_t k;
    int64_t n;
} duet_game_params;

// The tasks of a kind have consecutive numbers, kind by kind.
typedef struct duet_game_kind {
    const char *name;
    int64_t count;
    int64_t cpu; // times
    int64_t gpu;
} duet_game_kind;

typedef struct duet_game duet_game;

typedef struct duet_adversary {
    const char *name;
    bool uses_m; // its parameters are m k n, else tau k n
    bool uses_n;
    // The only rule that the first claim is about; NULL: every one.
    const char *against;
    // Sets kinds, processors and claims, and allocates `own`. DUET_E_USAGE: parameters that do not
    // fit; DUET_E_MEMORY.
    duet_code (*create)(duet_game *game, duet_error *error);
    // How many tasks a task waits for, once it is revealed.
    int64_t (*predecessors)(const duet_game *game, int64_t task);
    // Reveals what is ready at time 0.
    void (*start)(duet_game *game);
    // A task has completed: reveals what waits no longer.
    void (*complete)(duet_game *game, int64_t task);
    // Places every revealed task.
    void (*witness)(const duet_game *game, duet_placement *placement);
} duet_adversary;

struct duet_game {
    const duet_adversary *adversary;
    duet_game_params params;
    duet_game_kind kind[DUET_GAME_MAX_KINDS];
    size_t kinds;
    int64_t processors[2];
    int64_t least;
    int64_t most;
    void *own;

    // As the rule sees it: all tasks that there may be, with rows of predecessors that are filled
    // when a task is revealed.
    duet_instance *instance;
    int64_t *joined;                 // predecessors of a task so far
    int64_t *revealed;               // tasks of each kind; they are revealed in order
    const duet_placement *placement; // of the rule
    duet_ready *ready;               // of the engine, while it reveals
    duet_code code;                  // the first error
    duet_error *error;
};

// What came of it.
typedef struct duet_game_result {
    duet_instance *graph;
    duet_solution *schedule; // of the rule
    duet_solution *witness;
} duet_game_result;

extern const duet_adversary duet_adversary_theorem_1;
extern const duet_adversary duet_adversary_theorem_2;
extern const duet_adversary duet_adversary_theorem_3;
extern const duet_adversary duet_adversary_theorem_5;
extern const duet_adversary duet_adversary_theorem_7;
extern const duet_adversary duet_adversary_lemma_3;

// For adversaries: task `after` waits for `before`. All of a task's predecessors are joined before
// it is revealed.
void duet_game_join(duet_game *game, int64_t before, int64_t after);
void duet_game_reveal(duet_game *game, int64_t task);

// Who plays: a rule, and what it finds in duet_list.given, NULL for one of the library.
typedef struct duet_game_player {
    const duet_rule *rule;
    const void *given;
} duet_game_player;

// Plays a rule against an adversary and has both schedules checked. The result is the caller's
// (duet_game_free()), also after an error. DUET_E_USAGE: the parameters; DUET_E_LIMIT: more tasks
// or edges than DUET_GAME_MAX_TASKS or DUET_GAME_MAX_EDGES; DUET_E_INPUT: a schedule is wrong.
duet_code duet_game_play(const duet_adversary *adversary, const duet_game_params *params,
                         const duet_game_player *player, duet_game *game, duet_game_result *result,
                         duet_error *error);
void duet_game_free(duet_game *game, duet_game_result *result);

#endif
