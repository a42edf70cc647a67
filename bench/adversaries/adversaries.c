// SPDX-License-Identifier: Apache-2.0
// `duet bench adversaries`: online rules against the adversaries of game.h.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/adversaries/game.h"
#include "bench/bench.h"
#include "bench/run/cells.h"
#include "bench/run/study.h"
#include "console/json.h"
#include "console/options.h"
#include "console/plugin.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"
#include "solvers/custom.h"
#include "solvers/custom_rule.h"

static const duet_adversary *const adversaries[] = {
    &duet_adversary_theorem_1, &duet_adversary_theorem_2, &duet_adversary_theorem_3,
    &duet_adversary_lemma_3,   &duet_adversary_theorem_7, &duet_adversary_theorem_5};
static const char *const adversary_names[] = {"theorem-1", "theorem-2", "theorem-3", "lemma-3",
                                              "theorem-7", "theorem-5", NULL};
enum { ADVERSARIES = sizeof adversaries / sizeof *adversaries };

static const duet_rule *const rules[] = {&duet_rule_eft,    &duet_rule_qa,       &duet_rule_er_ls,
                                         &duet_rule_mixeft, &duet_rule_quickest, &duet_rule_ratio};
static const char *const rule_names[] = {"eft", "qa", "er-ls", "mixeft", "quickest", "ratio", NULL};
enum { RULES = sizeof rules / sizeof *rules, MOST_PLAYERS = RULES + DUET_CLI_MOST_PLUGGED };

typedef struct adversaries_args {
    duet_cli_args shared;
    const char *rules; // -a; NULL: all
    size_t adversary[DUET_CLI_MAX_LIST];
    size_t adversary_count; // 0: all
    duet_game_params params;
    const char *save; // folder; NULL: none
} adversaries_args;

static const duet_cli_option options[] = {
    {"algorithms", 'a', "A,B", DUET_CLI_WORD_SUCH_AS(adversaries_args, rules, rule_names),
     .fallback = "all of them and those of plug-ins", .text = "the online rules to run"},
    {"adversary", 0, "A,B",
     DUET_CLI_INDICES(adversaries_args, adversary, adversary_count, adversary_names),
     .fallback = "all of them", .text = "the adversaries"},
    {"tau", 0, "T", DUET_CLI_WHOLE(adversaries_args, params.tau, 1, 1000), .preset = "6",
     .text = "the square root of CPUs / GPUs; theorem-3 takes the next triangular number below"},
    {"gpus", 'k', "K", DUET_CLI_WHOLE(adversaries_args, params.k, 1, 1000), .preset = "2",
     .text = "GPUs"},
    {"cpus", 'm', "M", DUET_CLI_WHOLE(adversaries_args, params.m, 2, 1000), .preset = "4",
     .text = "CPUs of lemma-3; all others have k tau^2"},
    {"length", 'n', "N", DUET_CLI_WHOLE(adversaries_args, params.n, 1, 100000), .preset = "24",
     .text = "how long the graph is: the larger, the closer the ratio comes to its limit; lemma-3 "
             "takes the next multiple of k m (m - 1)"},
    {"save", 0, "FOLDER", DUET_CLI_PATH(adversaries_args, save),
     .text = "write each graph and its witness to FOLDER, as ADVERSARY-RULE.json and "
             "ADVERSARY-RULE.witness.json"},
    {0}};

static const duet_cli_syntax syntax = {
    "bench adversaries",
    NULL,
    0,
    "Runs online rules against adversaries, which decide what waits for what while the rule runs, "
    "and so force any rule to a makespan of at least the first claim; a schedule of the graph that "
    "comes out, the witness, takes at most the second. Both schedules are checked. Theorem-5 is a "
    "fixed graph, and claims something of qa alone. Exits 1 when a claim does not hold."
    "\vExamples:\n"
    "  duet bench adversaries\n"
    "  duet bench adversaries -a eft,qa --adversary theorem-1 --tau 3 -n 100\n"
    "  duet bench adversaries -a mixeft --json\n",
    {options, duet_cli_plugin_options, duet_cli_output_options, NULL}};

// Who plays; rules of plug-ins are made here.
typedef struct players {
    duet_game_player player[MOST_PLAYERS];
    size_t count;
    duet_rule plugged[DUET_CLI_MOST_PLUGGED];
    size_t plugged_count;
} players;

// The result of one game.
typedef struct row {
    const duet_adversary *adversary;
    const char *rule;
    duet_game_params params;
    int64_t tasks;
    int64_t makespan;
    int64_t witness;
    int64_t least; // the claims
    int64_t most;
} row;

// Whether the first claim is about this rule.
static bool is_claimed(const row *r)
{
    return r->adversary->against == NULL || strcmp(r->adversary->against, r->rule) == 0;
}

static double ratio_of(const row *r)
{
    return (double)r->makespan / (double)r->witness;
}

// Negative where nothing is claimed.
static double claimed_ratio(const row *r)
{
    return is_claimed(r) ? (double)r->least / (double)r->most : -1;
}

static bool holds(const row *r)
{
    return r->witness <= r->most && (!is_claimed(r) || r->makespan >= r->least);
}

static duet_code save_game(const char *folder, const row *r, const duet_game_result *result,
                           duet_error *error)
{
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/%s-%s.witness.json", folder, r->adversary->name, r->rule);
    if (length < 0 || (size_t)length >= sizeof path) {
        return duet_error_set(error, DUET_E_USAGE, "--save: a path that is too long");
    }
    DUET_TRY(duet_write_solution(path, result->graph, result->witness, error));
    snprintf(path, sizeof path, "%s/%s-%s.json", folder, r->adversary->name, r->rule);
    return duet_write_instance(path, "json", result->graph, error);
}

static duet_code play(const adversaries_args *args, size_t adversary,
                      const duet_game_player *player, row *r, duet_error *error)
{
    duet_game game;
    duet_game_result result;
    duet_game_params params = args->params;
    if (adversaries[adversary]->uses_m) {
        int64_t step = params.k * params.m * (params.m - 1);
        params.n = (params.n + step - 1) / step * step;
    }
    duet_code code = duet_game_play(adversaries[adversary], &params, player, &game, &result, error);
    if (code == DUET_OK) {
        *r = (row){.adversary = adversaries[adversary],
                   .rule = player->rule->name,
                   .params = game.params,
                   .tasks = duet_instance_tasks(result.graph),
                   .makespan = duet_solution_makespan(result.schedule),
                   .witness = duet_solution_makespan(result.witness),
                   .least = game.least,
                   .most = game.most};
        code = args->save == NULL ? DUET_OK : save_game(args->save, r, &result, error);
    }
    duet_game_free(&game, &result);
    return code;
}

static void print_rows(const row *rows, size_t count)
{
    duet_cli_table table;
    duet_cells_begin(&table, "llrrrrrrrl",
                     "adversary\talgorithm\ttasks\tmakespan\tat least\twitness\tat most\tratio\t"
                     "claimed\t");
    for (const row *r = rows; r < rows + count; r++) {
        duet_cells_addf(&table, "%s\t%s\t%" PRId64 "\t%" PRId64, r->adversary->name, r->rule,
                        r->tasks, r->makespan);
        duet_cells_add_number(&table, is_claimed(r) ? "%.0f" : "-", (double)r->least);
        duet_cells_addf(&table, "%" PRId64 "\t%" PRId64 "\t%.4f", r->witness, r->most, ratio_of(r));
        duet_cells_add_positive(&table, "%.4f", claimed_ratio(r));
        duet_cli_table_add(&table, holds(r) ? "holds" : "fails");
    }
    duet_cells_end(&table, 0, stdout);
}

static void json_row(const row *r, duet_cli_json *json)
{
    bool uses_m = r->adversary->uses_m;
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_members(json, "adversary:%s algorithm:%s", r->adversary->name, r->rule);
    duet_cli_json_integer(json, uses_m ? "m" : "tau", uses_m ? r->params.m : r->params.tau);
    duet_cli_json_integer(json, "k", r->params.k);
    if (r->adversary->uses_n) {
        duet_cli_json_integer(json, "n", r->params.n);
    }
    duet_cli_json_members(json,
                          "tasks:%" PRId64 " makespan:%" PRId64 " witness:%" PRId64
                          " ratio:%.6f claimed:%.6f holds:%d",
                          r->tasks, r->makespan, r->witness, ratio_of(r), claimed_ratio(r),
                          holds(r));
    duet_cli_json_close(json, '}');
}

// The rule of that name, of `length` bytes; false where there is none.
static bool add_player(players *all, const char *name, size_t length)
{
    for (size_t i = 0; i < RULES; i++) {
        if (strlen(rules[i]->name) == length && memcmp(rules[i]->name, name, length) == 0) {
            all->player[all->count++] = (duet_game_player){rules[i], NULL};
            return true;
        }
    }
    const duet_registry *plugins = duet_cli_plugins();
    for (size_t i = 0; i < duet_registry_count(plugins); i++) {
        const duet_custom *custom = duet_registry_at(plugins, i);
        if (custom->choose != NULL && strlen(custom->name) == length &&
            memcmp(custom->name, name, length) == 0) {
            duet_rule *rule = &all->plugged[all->plugged_count++];
            *rule = duet_custom_rule(custom);
            all->player[all->count++] = (duet_game_player){rule, custom};
            return true;
        }
    }
    return false;
}

static void add_all(players *all)
{
    for (size_t i = 0; i < RULES; i++) {
        (void)add_player(all, rules[i]->name, strlen(rules[i]->name));
    }
    for (size_t i = 0; i < duet_registry_count(duet_cli_plugins()); i++) {
        const char *name = duet_registry_entry(duet_cli_plugins(), i)->name;
        (void)add_player(all, name, strlen(name)); // one that is no online rule does not play
    }
}

static duet_code find_players(const char *list, players *all, duet_error *error)
{
    if (list == NULL) {
        add_all(all);
        return DUET_OK;
    }
    for (const char *at = list; at != NULL;) {
        size_t length = strcspn(at, ",");
        if (all->plugged_count == DUET_CLI_MOST_PLUGGED || all->count == DUET_CLI_MAX_LIST ||
            !add_player(all, at, length)) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "-a: expected at most %d of eft, qa, er-ls, mixeft, quickest, "
                                  "ratio and online rules of plug-ins, got '%.40s'",
                                  (int)DUET_CLI_MAX_LIST, at);
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return DUET_OK;
}

static duet_code play_all(const adversaries_args *args, const players *all, row *rows,
                          size_t *count, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t some = args->adversary_count > 0 ? args->adversary_count : ADVERSARIES;
    for (size_t i = 0; i < some && code == DUET_OK; i++) {
        for (size_t j = 0; j < all->count && code == DUET_OK; j++) {
            size_t adversary = args->adversary_count > 0 ? args->adversary[i] : i;
            code = play(args, adversary, &all->player[j], &rows[*count], error);
            *count += code == DUET_OK;
        }
    }
    return code;
}

static duet_code run(void *input, bool *good, duet_error *error)
{
    const adversaries_args *args = input;
    row rows[DUET_CLI_MAX_LIST * MOST_PLAYERS];
    players all = {.count = 0};
    size_t count = 0;
    DUET_TRY(find_players(args->rules, &all, error));
    duet_code code = play_all(args, &all, rows, &count, error);
    for (size_t i = 0; i < count; i++) {
        *good = *good && holds(&rows[i]);
    }
    duet_cli_json json = {.stream = stdout};
    if (args->shared.json) {
        duet_cli_json_open(&json, NULL, '[');
        for (size_t i = 0; i < count; i++) {
            json_row(&rows[i], &json);
        }
        duet_cli_json_close(&json, ']');
    } else {
        print_rows(rows, count);
    }
    return code;
}

int duet_bench_adversaries(int argc, char **argv)
{
    adversaries_args args = {.save = NULL};
    return duet_study_measure(&syntax, argc, argv, &args, run);
}
