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

#include "console/plugin.h"
#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "heuristics/engine/online.h"

// What a rule does with a task after it is revealed. Each of these may do what those before it do.
typedef enum duet_game_play_of {
    DUET_GAME_BINDS,   // its type is chosen at once
    DUET_GAME_WAITS,   // it waits for an idle processor, or begins anew on another one (spoliation)
    DUET_GAME_MIGRATES // it moves while it runs
} duet_game_play_of;

enum {
    DUET_GAME_MAX_TASKS = 1000000,
    DUET_GAME_MAX_EDGES = 20000000,
    DUET_GAME_MAX_KINDS = 4,
    DUET_GAME_MAX_TYPES = 8
};

// What the families of graphs are made of.
typedef struct duet_game_params {
    int64_t tau; // the square root of m / k, or the whole number below
    int64_t m;   // CPUs, where they are not k tau^2
    int64_t k;
    int64_t n;
    int64_t part; // of theorems 1 and 8: tau = tau + part / over
    int64_t over; // 0: 1
    int64_t unit; // ticks of the smallest time of theorems 1, 2, 3 and 8; 0: 1
    // Of more than two types: how many of the CPUs are of the second type, the third, ...
    int64_t others[DUET_GAME_MAX_TYPES];
    size_t types; // 0: 2
} duet_game_params;

// The tasks of a kind have consecutive numbers, kind by kind.
typedef struct duet_game_kind {
    const char *name;
    int64_t count;
    int64_t cpu; // times
    int64_t gpu;
} duet_game_kind;

typedef struct duet_game duet_game;

// Tasks, their edges and the claims. On more than two types CPUs are all but the last.
typedef struct duet_adversary {
    const char *name;
    bool uses_m; // its parameters are m k n, else tau k n
    bool uses_n;
    size_t least_types; // which it is about; 0: 2
    size_t most_types;  // 0: any number
    int64_t least_tau;
    // The rules that the first claim is about: one alone (NULL: every one), up to such ones, and
    // those that know of every task what is told of it here (NULL: nothing is, and it is not about
    // rules that know that).
    const char *against;
    duet_game_play_of speaks_of;
    int64_t (*bottom)(const duet_game *game, int64_t task);
    int64_t (*descendants)(const duet_game *game, int64_t task);
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
    int64_t processors[2]; // CPUs of all types, GPUs
    int64_t least;         // half of that for rules that migrate
    int64_t most;
    void *own;

    // As the rule sees it: all tasks that there may be, with rows of predecessors that are filled
    // when a task is revealed.
    duet_instance *instance;
    int64_t *joined;                 // predecessors of a task so far
    int64_t *revealed;               // tasks of each kind; they are revealed in order
    const duet_placement *placement; // of the rule
    int64_t *told[2];                // bottom levels, and work of descendants, of the tasks
    duet_ready *ready;               // of the engine, while it reveals
    duet_code code;                  // the first error
    duet_error *error;
};

// What came of it.
typedef struct duet_game_result {
    duet_instance *graph;
    duet_solution *schedule; // of the rule; NULL of one that migrates
    int64_t makespan;        // of the rule
    duet_solution *witness;
} duet_game_result;

extern const duet_adversary duet_adversary_theorem_1;
extern const duet_adversary duet_adversary_theorem_2;
extern const duet_adversary duet_adversary_theorem_3;
extern const duet_adversary duet_adversary_theorem_5;
extern const duet_adversary duet_adversary_theorem_7;
extern const duet_adversary duet_adversary_theorem_8;
extern const duet_adversary duet_adversary_lemma_3;
extern const duet_adversary duet_adversary_lemma_4;

// For adversaries: task `after` waits for `before`. All of a task's predecessors are joined before
// it is revealed.
void duet_game_join(duet_game *game, int64_t before, int64_t after);
void duet_game_reveal(duet_game *game, int64_t task);

// Who plays.
typedef struct duet_game_player {
    const char *name;
    const duet_rule *rule;       // NULL: `play` alone
    const void *given;           // what the rule finds in duet_list.given
    const duet_options *options; // of its algorithm, checked; NULL: none
    enum duet_information knows; // without it, it cannot play
    duet_game_play_of does;
    // Schedules what the source reveals; the placements are what adversaries see. NULL: the rule
    // does. Where it migrates there are no placements, and *makespan is what it takes.
    duet_code (*play)(const duet_instance *instance, const duet_context *context,
                      const duet_task_source *source, duet_solution *solution, int64_t *makespan,
                      duet_error *error);
} duet_game_player;

// Whether an adversary is about a player, on `types` types: else *why says what it is not about.
bool duet_game_is_about(const duet_adversary *adversary, const duet_game_player *player,
                        size_t types, const char **why);

// Types of the platform that plays with these parameters.
static inline size_t duet_game_types(const duet_game *game)
{
    return game->params.types == 0 ? 2 : game->params.types;
}

// heteroprio, and the rule of migrating.c: for duet_game_player.play.
duet_code duet_game_play_heteroprio(const duet_instance *instance, const duet_context *context,
                                    const duet_task_source *source, duet_solution *solution,
                                    int64_t *makespan, duet_error *error);
duet_code duet_game_play_migrating(const duet_instance *instance, const duet_context *context,
                                   const duet_task_source *source, duet_solution *solution,
                                   int64_t *makespan, duet_error *error);

// Plays a rule against an adversary and has both schedules checked. The result is the caller's
// (duet_game_free()), also after an error. DUET_E_USAGE: the parameters; DUET_E_LIMIT: more tasks
// or edges than DUET_GAME_MAX_TASKS or DUET_GAME_MAX_EDGES; DUET_E_INPUT: a schedule is wrong.
duet_code duet_game_play(const duet_adversary *adversary, const duet_game_params *params,
                         const duet_game_player *player, duet_game *game, duet_game_result *result,
                         duet_error *error);
void duet_game_free(duet_game *game, duet_game_result *result);

// players.c
// Those of the library, in order, up to NULL.
extern const char *const duet_player_names[];

enum { DUET_LIBRARY_PLAYERS = 8, DUET_MOST_PLAYERS = DUET_LIBRARY_PLAYERS + DUET_CLI_MOST_PLUGGED };

// Rules of plug-ins are made here.
typedef struct duet_players {
    duet_game_player player[DUET_MOST_PLAYERS];
    size_t count;
    duet_rule plugged[DUET_CLI_MOST_PLUGGED];
    size_t plugged_count;
} duet_players;

// Finds the players of a list of names, separated by commas; NULL: all of the library that take the
// options, and those of plug-ins. `migrates`: the rule that migrates, and no other where there is
// no list. `options` may be NULL, and live as long as the players. DUET_E_USAGE.
duet_code duet_players_find(const char *list, bool migrates, const duet_options *options,
                            duet_players *all, duet_error *error);

#endif
