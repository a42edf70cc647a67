// SPDX-License-Identifier: Apache-2.0
// `duet bench adversaries`: online rules against the adversaries of game.h.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/adversaries/game.h"
#include "bench/bench.h"
#include "bench/run/columns.h"
#include "bench/run/study.h"
#include "console/json.h"
#include "console/options.h"
#include "console/print.h"
#include "core/system/try.h"

static const duet_adversary *const adversaries[] = {
    &duet_adversary_theorem_1, &duet_adversary_theorem_2, &duet_adversary_theorem_3,
    &duet_adversary_lemma_3,   &duet_adversary_theorem_7, &duet_adversary_theorem_5,
    &duet_adversary_theorem_8, &duet_adversary_lemma_4};
static const char *const adversary_names[] = {"theorem-1", "theorem-2", "theorem-3",
                                              "lemma-3",   "theorem-7", "theorem-5",
                                              "theorem-8", "lemma-4",   NULL};
enum {
    ADVERSARIES = sizeof adversaries / sizeof *adversaries,
    MOST_TAU = 1000,
    MOST_TAU_PLACES = 3,
    FINE = 60 // ticks of a task's time on a GPU where it migrates
};

typedef struct adversaries_args {
    duet_cli_args shared;
    const char *rules; // -a; NULL: all
    size_t adversary[DUET_CLI_MAX_LIST];
    size_t adversary_count; // 0: all
    duet_game_params params;
    int64_t small[DUET_CLI_MAX_LIST]; // -k
    size_t small_count;
    bool migration;
    const char *save; // folder; NULL: none
} adversaries_args;

static bool take_tau(void *input, const char *text)
{
    adversaries_args *args = input;
    duet_decimal tau;
    int64_t over = 1;
    if (duet_decimal_parse(text, strlen(text), &tau) != DUET_DECIMAL_OK ||
        tau.places > MOST_TAU_PLACES) {
        tau = (duet_decimal){0, 0};
    }
    for (int i = 0; i < tau.places; i++) {
        over *= 10;
    }
    args->params.tau = tau.mantissa / over;
    args->params.part = tau.mantissa % over;
    args->params.over = over;
    if (args->params.tau < 1 || tau.mantissa > MOST_TAU * over) {
        return duet_cli_usage(&args->shared,
                              "--tau: expected a number from 1 to %d with at most %d decimal "
                              "places, got '%s'",
                              (int)MOST_TAU, (int)MOST_TAU_PLACES, text);
    }
    for (int64_t p = 2; p <= 5; p += 3) { // in lowest terms
        while (args->params.over % p == 0 && args->params.part % p == 0) {
            args->params.over /= p;
            args->params.part /= p;
        }
    }
    return true;
}

static bool take_option(void *input, const char *text)
{
    adversaries_args *args = input;
    return duet_cli_take_setting(&args->shared, text);
}

static const duet_cli_option options[] = {
    {"algorithms", 'a', "A,B", DUET_CLI_WORD_SUCH_AS(adversaries_args, rules, duet_player_names),
     .fallback = "all of them but migrating, and those of plug-ins",
     .text = "the online rules to run; heteroprio begins tasks anew elsewhere, and migrating moves "
             "them while they run"},
    {"adversary", 0, "A,B",
     DUET_CLI_INDICES(adversaries_args, adversary, adversary_count, adversary_names),
     .fallback = "all of them", .text = "the adversaries"},
    {"tau", 0, "T", DUET_CLI_OWN(take_tau), .fallback = "6",
     .text =
         "the square root of CPUs / GPUs, such as 2.5; all but theorem-1 and theorem-8 take the "
         "whole number below, theorem-3 the next triangular number below"},
    {"gpus", 'k', "K,...", DUET_CLI_NUMBERS(adversaries_args, small, small_count, 1, 1000),
     .fallback = "2; theorem-8: 2,1",
     .text = "GPUs; several numbers: the processors of the second type, the third, ..., of which "
             "the last are the GPUs and all others CPUs"},
    {"cpus", 'm', "M", DUET_CLI_WHOLE(adversaries_args, params.m, 2, 1000), .preset = "4",
     .text = "CPUs of lemma-3; all others have k tau^2"},
    {"length", 'n', "N", DUET_CLI_WHOLE(adversaries_args, params.n, 1, 100000), .preset = "24",
     .text = "how long the graph is: the larger, the closer the ratio comes to its limit; lemma-3 "
             "takes the next multiple of k m (m - 1)"},
    {"migration", 0, NULL, DUET_CLI_FLAG(adversaries_args, migration),
     .text =
         "a rule that moves tasks while they run, of which half is claimed; without -a no other "
         "one plays"},
    {"option", 'O', "KEY=VALUE", DUET_CLI_OWN(take_option),
     .text =
         "an option of the rules: order=bottom for one that knows bottom levels; see 'duet list "
         "-v'. Without -a those play that have it"},
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
    "fixed graph, and claims something of qa alone: others escape it. An adversary plays against "
    "the rules that its theorem speaks of, and says which it does not. Exits 1 when a claim does "
    "not hold."
    "\vExamples:\n"
    "  duet bench adversaries\n"
    "  duet bench adversaries -a eft,qa --adversary theorem-1 --tau 2.5 -n 100\n"
    "  duet bench adversaries -k 2,1\n"
    "  duet bench adversaries -O order=bottom --adversary theorem-2,theorem-3\n"
    "  duet bench adversaries --migration --json\n",
    {options, duet_cli_plugin_options, duet_cli_output_options, NULL}};

// The result of one game.
typedef struct row {
    const duet_adversary *adversary;
    const char *rule;
    const char *why_not; // it was not played; NULL: it was
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
    return r->why_not != NULL ||
           (r->witness <= r->most && (!is_claimed(r) || r->makespan >= r->least));
}

// A rule of which nothing is claimed may take less.
static const char *outcome_of(const row *r)
{
    bool escapes = !is_claimed(r) && r->makespan < r->least;
    return !holds(r) ? "fails" : escapes ? "escapes" : "holds";
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

static duet_game_params params_of(const adversaries_args *args, const duet_adversary *adversary,
                                  const duet_game_player *player)
{
    duet_game_params params = args->params;
    const int64_t usual[] = {2, 1};
    size_t count = args->small_count > 0 ? args->small_count : 1 + (adversary->least_types > 2);
    const int64_t *small = args->small_count > 0 ? args->small : usual;
    params.types = count + 1;
    params.k = small[count - 1];
    memcpy(params.others, small, (count - 1) * sizeof *small);
    params.unit = player->does == DUET_GAME_MIGRATES ? FINE : 1;
    if (adversary->uses_m) {
        int64_t step = params.k * params.m * (params.m - 1);
        params.n = (params.n + step - 1) / step * step;
    }
    return params;
}

static duet_code play(const adversaries_args *args, const duet_adversary *adversary,
                      const duet_game_player *player, row *r, duet_error *error)
{
    duet_game game;
    duet_game_result result;
    duet_game_params params = params_of(args, adversary, player);
    *r = (row){.adversary = adversary, .rule = player->name, .params = params};
    if (!duet_game_is_about(adversary, player, params.types, &r->why_not)) {
        return DUET_OK;
    }
    duet_code code = duet_game_play(adversary, &params, player, &game, &result, error);
    if (code == DUET_E_USAGE && args->adversary_count == 0) { // nobody has asked for this one
        r->why_not = "it needs more CPUs than processors of the other types";
        code = DUET_OK;
    } else if (code == DUET_OK) {
        r->params = game.params;
        r->tasks = duet_instance_tasks(result.graph);
        r->makespan = result.makespan;
        r->witness = duet_solution_makespan(result.witness);
        r->least = game.least;
        r->most = game.most;
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
        if (r->why_not != NULL) {
            continue;
        }
        duet_cells_addf(&table, "%s\t%s\t%" PRId64 "\t%" PRId64, r->adversary->name, r->rule,
                        r->tasks, r->makespan);
        duet_cells_add_number(&table, is_claimed(r) ? "%.0f" : "-", (double)r->least);
        duet_cells_addf(&table, "%" PRId64 "\t%" PRId64 "\t%.4f", r->witness, r->most, ratio_of(r));
        duet_cells_add_positive(&table, "%.4f", claimed_ratio(r));
        duet_cli_table_add(&table, outcome_of(r));
    }
    duet_cells_end(&table, 0, stdout);
    for (const row *r = rows; r < rows + count; r++) {
        if (r->why_not != NULL) {
            duet_cli_print(stdout, "%s: not against %s: %s\n", r->adversary->name, r->rule,
                           r->why_not);
        }
    }
}

static void json_row(const row *r, duet_cli_json *json)
{
    bool uses_m = r->adversary->uses_m;
    const duet_game_params *params = &r->params;
    bool is_whole = params->part == 0 || r->adversary->speaks_of != DUET_GAME_MIGRATES;
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_members(json, "adversary:%s algorithm:%s", r->adversary->name, r->rule);
    if (uses_m || is_whole) {
        duet_cli_json_integer(json, uses_m ? "m" : "tau", uses_m ? params->m : params->tau);
    } else {
        double tau = (double)params->tau + (double)params->part / (double)params->over;
        duet_cli_json_decimal(json, "tau", tau, MOST_TAU_PLACES);
    }
    duet_cli_json_integer(json, "k", params->k);
    if (r->adversary->uses_n) {
        duet_cli_json_integer(json, "n", params->n);
    }
    duet_cli_json_members(json,
                          "tasks:%" PRId64 " makespan:%" PRId64 " witness:%" PRId64
                          " ratio:%.6f claimed:%.6f holds:%d types:%" PRId64,
                          r->tasks, r->makespan, r->witness, ratio_of(r), claimed_ratio(r),
                          holds(r), (int64_t)params->types);
    duet_cli_json_close(json, '}');
}

// Adversaries that nobody has named play where platform and tau are as they need.
static bool plays(const adversaries_args *args, const duet_adversary *adversary)
{
    size_t types = args->small_count > 0 ? args->small_count + 1 : 2 + (adversary->least_types > 2);
    return types >= adversary->least_types && args->params.tau >= adversary->least_tau &&
           (adversary->most_types == 0 || types <= adversary->most_types);
}

static duet_code play_all(const adversaries_args *args, const duet_players *all, row *rows,
                          size_t *count, duet_error *error)
{
    duet_code code = DUET_OK;
    bool named = args->adversary_count > 0;
    size_t some = named ? args->adversary_count : ADVERSARIES;
    for (size_t i = 0; i < some && code == DUET_OK; i++) {
        const duet_adversary *adversary = adversaries[named ? args->adversary[i] : i];
        for (size_t j = 0; j < all->count && code == DUET_OK && (named || plays(args, adversary));
             j++) {
            code = play(args, adversary, &all->player[j], &rows[*count], error);
            *count += code == DUET_OK;
        }
    }
    return code;
}

static duet_code find_players(const adversaries_args *args, duet_players *all, duet_error *error)
{
    static const char migrating[] = "migrating";
    if (args->small_count >= DUET_GAME_MAX_TYPES) {
        return duet_error_set(error, DUET_E_USAGE, "-k: expected at most %d numbers",
                              (int)DUET_GAME_MAX_TYPES - 1);
    }
    const duet_options *given = args->shared.options;
    DUET_TRY(duet_players_find(args->rules, args->migration, given, all, error));
    return args->migration && args->rules != NULL
               ? duet_players_find(migrating, true, NULL, all, error)
               : DUET_OK;
}

static duet_code run(void *input, bool *good, duet_error *error)
{
    const adversaries_args *args = input;
    row rows[DUET_CLI_MAX_LIST * DUET_MOST_PLAYERS];
    duet_players all = {.count = 0};
    size_t count = 0;
    DUET_TRY(find_players(args, &all, error));
    duet_code code = play_all(args, &all, rows, &count, error);
    for (size_t i = 0; i < count; i++) {
        *good = *good && holds(&rows[i]);
    }
    duet_cli_json json = {.stream = stdout};
    if (args->shared.json) {
        duet_cli_json_open(&json, NULL, '[');
        for (size_t i = 0; i < count; i++) {
            if (rows[i].why_not == NULL) {
                json_row(&rows[i], &json);
            }
        }
        duet_cli_json_close(&json, ']');
    } else {
        print_rows(rows, count);
    }
    return code;
}

int duet_bench_adversaries(int argc, char **argv)
{
    adversaries_args args = {.params = {.tau = 6, .over = 1}};
    return duet_study_measure(&syntax, argc, argv, &args, run);
}
