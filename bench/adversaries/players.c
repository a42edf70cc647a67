// SPDX-License-Identifier: Apache-2.0
// Who plays against adversaries: online rules of the library and of plug-ins, heteroprio, and a
// rule that migrates.
#include "bench/adversaries/game.h"

#include <string.h>

#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/rules/heteroprio_graph.h"
#include "heuristics/rules/rules.h"
#include "solvers/custom.h"
#include "solvers/custom_rule.h"
#include "solvers/registry.h"

static const char migrating_name[] = "migrating";
const char *const duet_player_names[] = {
    "eft", "qa", "er-ls", "mixeft", "quickest", "ratio", "heteroprio", migrating_name, NULL};
static const duet_game_player library[DUET_LIBRARY_PLAYERS] = {
    {.name = "eft", .rule = &duet_rule_eft},
    {.name = "qa", .rule = &duet_rule_qa},
    {.name = "er-ls", .rule = &duet_rule_er_ls},
    {.name = "mixeft", .rule = &duet_rule_mixeft},
    {.name = "quickest", .rule = &duet_rule_quickest},
    {.name = "ratio", .rule = &duet_rule_ratio},
    {.name = "heteroprio", .does = DUET_GAME_WAITS, .play = duet_game_play_heteroprio},
    {.name = migrating_name, .does = DUET_GAME_MIGRATES, .play = duet_game_play_migrating}};

duet_code duet_game_play_heteroprio(const duet_instance *instance, const duet_context *context,
                                    const duet_task_source *source, duet_solution *solution,
                                    int64_t *makespan, duet_error *error)
{
    const duet_option_spec *table = duet_find_algorithm("heteroprio")->entry.options;
    const duet_heteroprio_choices choices = {
        .ties = (duet_heteroprio_ties)duet_option_choice(context->options, table, "ties"),
        .keeps = !duet_option_boolean(context->options, table, "spoliation"),
        .source = source};
    (void)makespan; // that of the schedule
    return duet_heteroprio_graph(instance, context, &choices, solution, error);
}

// Whether a player of the library takes the options. It then knows and does what they say.
static duet_code set_options(duet_game_player *player, const duet_options *options,
                             duet_error *error)
{
    const duet_option_spec *online = duet_online_options;
    if (options == NULL) {
        return DUET_OK;
    }
    const duet_algorithm *row = duet_find_algorithm(player->name);
    DUET_TRY(
        duet_options_check(options, row == NULL ? NULL : row->entry.options, player->name, error));
    player->options = options;
    if (player->rule != NULL && duet_option_choice(options, online, "bind") != 0) {
        player->does = DUET_GAME_WAITS;
    }
    if (player->rule != NULL && duet_option_choice(options, online, "order") != 0) {
        player->knows = DUET_SEES_BOTTOM;
    }
    return DUET_OK;
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool add_plugged(duet_players *all, const char *name, size_t length)
{
    const duet_registry *plugins = duet_cli_plugins();
    for (size_t i = 0; i < duet_registry_count(plugins); i++) {
        const duet_custom *custom = duet_registry_at(plugins, i);
        if (custom->choose != NULL && is_name(custom->name, name, length)) {
            duet_rule *rule = &all->plugged[all->plugged_count++];
            *rule = duet_custom_rule(custom);
            all->player[all->count++] = (duet_game_player){
                .name = custom->name, .rule = rule, .given = custom, .knows = rule->information};
            return true;
        }
    }
    return false;
}

// Adds the player of that name, of `length` bytes. *found: there is one.
static duet_code add(duet_players *all, const char *name, size_t length,
                     const duet_options *options, bool *found, duet_error *error)
{
    for (size_t i = 0; i < DUET_LIBRARY_PLAYERS; i++) {
        if (is_name(library[i].name, name, length)) {
            *found = true;
            all->player[all->count] = library[i];
            return set_options(&all->player[all->count++], options, error);
        }
    }
    *found = options == NULL && add_plugged(all, name, length);
    return DUET_OK;
}

// Those that do not take the options stay out, unless that leaves nobody.
static duet_code add_all(duet_players *all, bool migrates, const duet_options *options,
                         duet_error *error)
{
    duet_error first = DUET_ERROR_INIT;
    duet_code refused = DUET_OK;
    bool found = false;
    for (size_t i = 0; i < DUET_LIBRARY_PLAYERS; i++) {
        if ((library[i].does == DUET_GAME_MIGRATES) == migrates) {
            duet_code code = add(all, library[i].name, strlen(library[i].name), options, &found,
                                 refused == DUET_OK ? &first : NULL);
            all->count -= code != DUET_OK;
            refused = refused == DUET_OK ? code : refused;
        }
    }
    for (size_t i = 0; i < duet_registry_count(duet_cli_plugins()) && !migrates; i++) {
        const char *name = duet_registry_entry(duet_cli_plugins(), i)->name;
        found = options == NULL && add_plugged(all, name, strlen(name));
    }
    return all->count == 0 ? duet_error_set(error, refused, "%s", first.message) : DUET_OK;
}

duet_code duet_players_find(const char *list, bool migrates, const duet_options *options,
                            duet_players *all, duet_error *error)
{
    if (list == NULL) {
        return add_all(all, migrates, options, error);
    }
    for (const char *at = list; at != NULL;) {
        size_t length = strcspn(at, ",");
        bool found = false;
        if (all->plugged_count < DUET_CLI_MOST_PLUGGED && all->count < DUET_MOST_PLAYERS) {
            DUET_TRY(add(all, at, length, options, &found, error));
        }
        if (!found) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "-a: expected at most %d of eft, qa, er-ls, mixeft, quickest, "
                                  "ratio, heteroprio, migrating and online rules of plug-ins, got "
                                  "'%.40s'",
                                  (int)DUET_MOST_PLAYERS, at);
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return DUET_OK;
}
