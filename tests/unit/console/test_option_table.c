// SPDX-License-Identifier: Apache-2.0
// A table of options: each type of value goes into its member, presets first; what is out of range
// is refused by the option's name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "console/options.h"

enum { FIRST_MOOD = 1 };

typedef struct input {
    duet_cli_args shared;
    int rounds;
    uint64_t seed;
    bool quick;
    const char *file;
    const char *form;
    int mood;
    int64_t size[DUET_CLI_MAX_LIST];
    size_t size_count;
    int64_t least, most;
    int64_t m[DUET_CLI_MAX_LIST];
    int64_t k[DUET_CLI_MAX_LIST];
    size_t platform_count;
    size_t part[DUET_CLI_MAX_LIST];
    size_t part_count;
    char own[16];
} input;

static bool take_own(void *state, const char *text)
{
    input *in = state;
    return strcmp(text, "bad") == 0 ? duet_cli_usage(&in->shared, "--own: got '%s'", text)
                                    : snprintf(in->own, sizeof in->own, "%s", text) > 0;
}

static const char *const names[] = {"first", "second", "third", NULL};
static const duet_cli_option options[] = {
    {"rounds", 'r', "R", DUET_CLI_WHOLE(input, rounds, 1, 9), .preset = "5", .text = "rounds"},
    {"seed", 0, "S", DUET_CLI_WHOLE(input, seed, 0, UINT64_MAX), .preset = "3",
     .fallback = "0: none", .text = "seed"},
    {"quick", 0, NULL, DUET_CLI_FLAG(input, quick), .text = "quick"},
    {"file", 0, "FILE", DUET_CLI_PATH(input, file), .fallback = "none", .text = "file"},
    {"form", 0, "FORM", DUET_CLI_CHOICE(input, form, names), .text = "form", .alias = "shape"},
    {"mood", 0, "MOOD", DUET_CLI_INDEX(input, mood, names, FIRST_MOOD), .text = "mood"},
    {"size", 'n', "LIST", DUET_CLI_NUMBERS(input, size, size_count, 1, 100), .text = "sizes"},
    {"range", 0, "A:B", DUET_CLI_RANGE(input, least, most, 0, 100), .text = "range"},
    {"platforms", 0, "LIST", DUET_CLI_PLATFORMS(input, m, k, platform_count), .text = "M:K"},
    {"only", 0, "LIST", DUET_CLI_INDICES(input, part, part_count, names), .text = "parts"},
    {"own", 0, "X", DUET_CLI_OWN(take_own), .text = "own"},
    {0}};
static const duet_cli_syntax syntax = {
    "test", "[FILE...]", 2, "A test.", {options, duet_cli_limits_options, NULL}};

// Parses a line of at most 32 words; returns whether it was good. Free with duet_cli_args_free().
static bool parse(const char *line, input *in, int *code)
{
    char text[256];
    char *words[33] = {NULL};
    int count = 0;
    char *rest = NULL;
    snprintf(text, sizeof text, "test %s", line);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    *in = (input){.mood = 0};
    return duet_cli_parse(&syntax, count, words, in, code);
}

static void every_type(void **state)
{
    (void)state;
    input in;
    int code = -1;
    assert_true(
        parse("-r 7 --seed 18446744073709551615 --quick --shape second --mood third -n 1,100 "
              "--range 2:8 --platforms 20:4,64:0 --only third,first --own word -j 3 "
              "--memory 2 -t 1.5 one two",
              &in, &code));
    assert_int_equal(in.rounds, 7);
    assert_true(in.seed == UINT64_MAX && in.quick);
    assert_ptr_equal(in.form, names[1]);
    assert_int_equal(in.mood, FIRST_MOOD + 2);
    assert_true(in.size_count == 2 && in.size[0] == 1 && in.size[1] == 100);
    assert_true(in.least == 2 && in.most == 8);
    assert_true(in.platform_count == 2 && in.m[1] == 64 && in.k[0] == 4 && in.k[1] == 0);
    assert_true(in.part_count == 2 && in.part[0] == 2 && in.part[1] == 0);
    assert_string_equal(in.own, "word");
    assert_true(in.shared.threads == 3 && in.shared.memory == (size_t)2 << 20);
    assert_true(in.shared.seconds > 1.49 && in.shared.seconds < 1.51);
    assert_int_equal(in.shared.file_count, 2);
    duet_cli_args_free(&in.shared);
}

static void presets_come_first(void **state)
{
    (void)state;
    input in;
    int code = -1;
    char help[DUET_CLI_HELP];
    assert_true(parse("", &in, &code));
    assert_true(in.rounds == 5 && in.seed == 3 && !in.quick && in.file == NULL);
    duet_cli_args_free(&in.shared);
    assert_true(parse("--seed=9", &in, &code));
    assert_true(in.rounds == 5 && in.seed == 9);
    duet_cli_args_free(&in.shared);
    assert_string_equal(duet_cli_option_help(&options[0], help), "rounds (default: 5)");
    assert_string_equal(duet_cli_option_help(&options[1], help), "seed (default: 3; 0: none)");
    assert_string_equal(duet_cli_option_help(&options[2], help), "quick");
    assert_string_equal(duet_cli_option_help(&options[3], help), "file (default: none)");
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"-r 0", "-r: expected a whole number from 1 to 9, got '0'"},
        {"--rounds 10", "-r: expected a whole number from 1 to 9, got '10'"},
        {"--form fourth", "--form: expected one of first, second, third; got 'fourth'"},
        {"--range 8:2", "--range: expected a number or a range A:B with A <= B, got '8:2'"},
        {"-n 1,101", "-n: expected a whole number from 1 to 100, got '101'"},
        {"--own bad", "--own: got 'bad'"},
        {"--shape", "--form: expected a value FORM after it"},
        {"--quick=1", "--quick: expected no value, got '1'"},
        {"--s", "--s: several options begin so: --seed, --shape, --size"},
        {"--nothing", "--nothing: unknown option; --help lists those there are"},
        {"one two three", "unexpected argument 'three'"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        input in;
        int code = -1;
        assert_false(parse(lines[i][0], &in, &code));
        assert_int_equal(code, 2);
        assert_string_equal(in.shared.error.message, lines[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(presets_come_first),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
