// SPDX-License-Identifier: Apache-2.0
// Who plays against adversaries: online rules of the library and of plug-ins, heteroprio, and a
// rule that migrates.
#ifndef DUET_BENCH_ADVERSARIES_PLAYERS_H
#define DUET_BENCH_ADVERSARIES_PLAYERS_H

#include "bench/adversaries/game.h"
#include "console/plugin.h"

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
