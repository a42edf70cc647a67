// SPDX-License-Identifier: Apache-2.0
// Adversaries of online rules: over all parameters, both claims hold for every rule, and the
// schedules of rule and witness pass the checker.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/adversaries/game.h"
#include "heuristics/rules/rules.h"

static const duet_adversary *const adversaries[] = {
    &duet_adversary_theorem_1, &duet_adversary_theorem_2, &duet_adversary_theorem_3,
    &duet_adversary_lemma_3,   &duet_adversary_theorem_7, &duet_adversary_theorem_5};
enum { ADVERSARIES = sizeof adversaries / sizeof *adversaries };

static const duet_rule *const rules[] = {&duet_rule_eft,    &duet_rule_qa,       &duet_rule_er_ls,
                                         &duet_rule_mixeft, &duet_rule_quickest, &duet_rule_ratio};
enum { RULES = sizeof rules / sizeof *rules };
static const duet_game_player eft = {&duet_rule_eft, NULL};

static void play(const duet_adversary *adversary, duet_game_params params, const duet_rule *rule)
{
    duet_game game;
    duet_game_result result;
    duet_error error = DUET_ERROR_INIT;
    const duet_game_player player = {rule, NULL};
    if (duet_game_play(adversary, &params, &player, &game, &result, &error) != DUET_OK) {
        fail_msg("%s, %s, tau %d, m %d, k %d, n %d: %s", adversary->name, rule->name,
                 (int)params.tau, (int)params.m, (int)params.k, (int)params.n, error.message);
    }
    int64_t makespan = duet_solution_makespan(result.schedule);
    int64_t witness = duet_solution_makespan(result.witness);
    bool claimed = adversary->against == NULL || strcmp(adversary->against, rule->name) == 0;
    if (witness > game.most || (claimed && makespan < game.least)) {
        fail_msg("%s, %s, tau %d, m %d, k %d, n %d: makespan %lld, witness %lld, claimed %lld and "
                 "%lld",
                 adversary->name, rule->name, (int)params.tau, (int)params.m, (int)params.k,
                 (int)params.n, (long long)makespan, (long long)witness, (long long)game.least,
                 (long long)game.most);
    }
    // Of a fixed graph, to the tick.
    if (adversary->against != NULL && claimed) {
        assert_int_equal(makespan, game.least);
    }
    duet_game_free(&game, &result);
}

static void claims(void **state)
{
    (void)state;
    for (int64_t tau = 1; tau <= 6; tau++) {
        for (int64_t k = 1; k <= 3; k++) {
            for (int64_t n = 1; n <= 4; n++) {
                for (size_t i = 0; i < ADVERSARIES * RULES; i++) {
                    const duet_adversary *adversary = adversaries[i / RULES];
                    duet_game_params params = {.tau = tau, .m = 1 + tau, .k = k, .n = n};
                    params.n *= adversary->uses_m ? k * params.m * (params.m - 1) : 1;
                    if (adversary != &duet_adversary_theorem_3 || tau >= 3) {
                        play(adversary, params, rules[i % RULES]);
                    }
                }
            }
        }
    }
}

// Longer graphs bring the claimed ratio towards its limit.
static void limits(void **state)
{
    (void)state;
    duet_game game;
    duet_game_result result;
    const duet_game_params params = {.tau = 3, .m = 3, .k = 2, .n = 1200};
    for (size_t i = 0; i < ADVERSARIES; i++) {
        assert_int_equal(duet_game_play(adversaries[i], &params, &eft, &game, &result, NULL),
                         DUET_OK);
        double ratio = (double)game.least / (double)game.most;
        const double limit[] = {3, 3, 9.0 / 8, 3 - 1.0 / 3, 3, 6.5};
        assert_true(ratio <= limit[i] && ratio > 0.99 * limit[i]);
        duet_game_free(&game, &result);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const duet_adversary *adversary;
        duet_game_params params;
        duet_code code;
    } cases[] = {{&duet_adversary_theorem_3, {2, 0, 1, 1}, DUET_E_USAGE},
                 {&duet_adversary_lemma_3, {1, 3, 2, 13}, DUET_E_USAGE},
                 {&duet_adversary_lemma_3, {1, 1, 2, 12}, DUET_E_USAGE},
                 {&duet_adversary_theorem_1, {1000, 0, 1000, 1000}, DUET_E_LIMIT},
                 {&duet_adversary_theorem_3, {820, 0, 20, 1}, DUET_E_LIMIT},
                 {&duet_adversary_theorem_7, {1000, 0, 1000, 1000}, DUET_E_LIMIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_game game;
        duet_game_result result;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_game_play(cases[i].adversary, &cases[i].params, &eft, &game, &result, &error),
            cases[i].code);
        assert_non_null(strstr(error.message, cases[i].adversary->name));
        duet_game_free(&game, &result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(claims), cmocka_unit_test(limits),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
