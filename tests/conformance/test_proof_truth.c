// SPDX-License-Identifier: Apache-2.0
// The checker of proofs against truth: thousands of random instances with their exhaustive optimum.
// A proof of the optimum by the naive prover is accepted; a claim above it never is, whoever lies
// about it, and whatever is changed in a proof.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "tests/support/fixtures.h"
#include "tests/support/naive_prover.h"
#include "tests/support/proof_file.h"

static uint64_t instances(uint64_t usual)
{
    // Of as many as test_truth takes, 10,000 where nothing is said.
    uint64_t wanted = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 10000) * usual / 10000 + 1;
    return wanted < usual ? wanted : usual;
}

static duet_naive_style draw_style(duet_random *random)
{
    int kind = (int)duet_random_between(random, 0, 8);
    return (duet_naive_style){.most_nodes = 3000,
                              .most_vectors =
                                  (int)duet_random_between(random, 1, kind > 5 ? 60 : 5),
                              .lists = kind > 5,
                              .only_covers = kind == 0,
                              .only_area = kind == 1};
}

// A random instance with its optimum; the random numbers after it are the caller's to use.
static duet_instance *draw(duet_random *random, uint64_t seed, int64_t *optimum)
{
    duet_shape shape = {.min_tasks = 0,
                        .max_tasks = 7,
                        .min_processors = seed % 4 == 0 ? 0 : 1,
                        .max_processors = 3,
                        .types = seed % 3 > 0 ? 2 : 1 + (seed / 3) % 5};
    shape.max_processors = shape.types > 3 ? 2 : 3;
    duet_random_seed(random, seed);
    duet_instance *instance = duet_random_instance(random, &shape);
    assert_non_null(instance);
    *optimum = duet_exhaustive_optimum(instance);
    return instance;
}

// The text of a proof, owned by the caller; NULL where the prover gave up.
static char *write_proof(const duet_instance *instance, int64_t bound,
                         const duet_naive_style *style, duet_random *random, int *nodes, int *lies)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    *nodes = duet_naive_proof(stream, instance, bound, style, random, lies);
    fclose(stream);
    if (*nodes == 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void keep_and_fail(const char *text, uint64_t seed, const char *why)
{
    FILE *file = fopen("/tmp/duet-proof-failed", "wb");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
    fail_msg("seed %" PRIu64 ": %s; the proof is in /tmp/duet-proof-failed", seed, why);
}

static void proves_the_optimum(void **state)
{
    (void)state;
    uint64_t begin = duet_test_seed();
    uint64_t end = begin + instances(3000);
    long proofs = 0;
    long lists = 0;
    long counts = 0;
    long nodes_of_all = 0;
    for (uint64_t seed = begin; seed < end; seed++) {
        duet_random random;
        int64_t optimum;
        duet_instance *instance = draw(&random, seed, &optimum);
        duet_naive_style style = draw_style(&random);
        int nodes = 0;
        char *text = write_proof(instance, optimum, &style, &random, &nodes, NULL);
        if (text != NULL) {
            duet_error error = DUET_ERROR_INIT;
            duet_proof_stats stats;
            if (duet_verify_text(instance, text, strlen(text), optimum, &stats, &error) !=
                DUET_OK) {
                char line[700];
                keep_and_fail(text, seed, duet_error_format(&error, line, sizeof line));
            }
            assert_int_equal(stats.nodes, nodes);
            assert_int_equal(stats.bound, optimum);
            assert_true(stats.is_proof && stats.depth >= 1 && stats.depth <= nodes);
            if (duet_verify_text(instance, text, strlen(text), optimum + 1, NULL, NULL) !=
                DUET_E_INPUT) {
                keep_and_fail(text, seed, "taken for a proof of more than it says");
            }
            proofs++;
            lists += strstr(text, "\nlist ") != NULL;
            counts += strstr(text, "\ncount ") != NULL;
            nodes_of_all += nodes;
        }
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld proofs accepted, %ld nodes; %ld with lists, %ld with counts\n", proofs,
           nodes_of_all, lists, counts);
    assert_true(proofs > (long)(end - begin) / 2);
    long enough = (long)(end - begin) / 100;
    assert_true(enough == 0 || (lists > enough && counts > enough));
}

// Claims above the optimum: the prover cannot close all leaves, and lies about the others.
static void refuses_lies(void **state)
{
    (void)state;
    uint64_t begin = duet_test_seed();
    uint64_t end = begin + instances(3000);
    long refused = 0;
    for (uint64_t seed = begin; seed < end; seed++) {
        duet_random random;
        int64_t optimum;
        duet_instance *instance = draw(&random, seed, &optimum);
        duet_naive_style style = draw_style(&random);
        style.lie = true;
        int nodes = 0;
        int lies = 0;
        int64_t above = optimum + 1 + (seed % 3 == 0 ? optimum / 4 : 0);
        char *text = write_proof(instance, above, &style, &random, &nodes, &lies);
        if (text != NULL) {
            duet_error error = DUET_ERROR_INIT;
            assert_true(lies > 0);
            if (duet_verify_text(instance, text, strlen(text), above, NULL, &error) !=
                DUET_E_INPUT) {
                keep_and_fail(text, seed, "accepted above the optimum");
            }
            assert_true(error.line > 0);
            refused++;
        }
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld lies refused\n", refused);
    assert_true(refused > (long)(end - begin) / 2);
}

// Replaces the number at `at`; the rest of the text follows. Owned by the caller.
static char *replace_number(const char *text, size_t at, const char *digits)
{
    size_t old = strspn(text + at, "0123456789");
    size_t size = strlen(text) + strlen(digits) + 1;
    char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)at, text, digits, text + at + old);
    return changed;
}

// Where the numbers of a text begin, but for those in comments. Owned by the caller.
static size_t *find_numbers(const char *text, size_t *count)
{
    size_t *numbers = malloc(strlen(text) * sizeof *numbers);
    assert_non_null(numbers);
    *count = 0;
    for (size_t i = strlen("# written by the tests\n"); text[i] != '\0'; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        bool before = text[i - 1] >= '0' && text[i - 1] <= '9';
        if (digit && !before) {
            numbers[(*count)++] = i;
        }
    }
    return numbers;
}

static void draw_digits(duet_random *random, const char *old, char *digits, size_t size)
{
    int64_t value = strtoll(old, NULL, 10);
    switch (duet_random_between(random, 0, 5)) {
    case 0:
        value++;
        break;
    case 1:
        value += value > 0 ? -1 : 2;
        break;
    case 2:
        value = duet_random_between(random, 0, 9);
        break;
    case 3:
        value = duet_random_between(random, 0, INT64_C(1) << duet_random_between(random, 1, 62));
        break;
    case 4:
        snprintf(digits, size, "-%" PRId64, value + 1);
        return;
    default:
        snprintf(digits, size, "9%019" PRId64 "%" PRId64, value % 1000000, value);
        return;
    }
    snprintf(digits, size, "%" PRId64, value);
}

// Whatever number is changed, no claim above the optimum is accepted.
static void changed_numbers(void **state)
{
    (void)state;
    uint64_t begin = duet_test_seed();
    uint64_t end = begin + instances(1200);
    long refused = 0;
    long accepted = 0;
    for (uint64_t seed = begin; seed < end; seed++) {
        duet_random random;
        int64_t optimum;
        duet_instance *instance = draw(&random, seed, &optimum);
        duet_naive_style style = draw_style(&random);
        style.lie = seed % 2 == 0;
        int nodes = 0;
        char *text =
            write_proof(instance, optimum + (seed % 2 == 0), &style, &random, &nodes, NULL);
        size_t count = 0;
        size_t *numbers = text == NULL ? NULL : find_numbers(text, &count);
        for (int round = 0; round < 12 && count > 0; round++) {
            char digits[64];
            size_t at = numbers[duet_random_between(&random, 0, (int64_t)count - 1)];
            draw_digits(&random, text + at, digits, sizeof digits);
            char *changed = replace_number(text, at, digits);
            duet_proof_stats stats;
            duet_code code = duet_verify_text(instance, changed, strlen(changed), 1, &stats, NULL);
            if (code == DUET_OK && stats.bound > optimum) {
                keep_and_fail(changed, seed, "a changed proof is accepted above the optimum");
            }
            accepted += code == DUET_OK;
            refused += code != DUET_OK;
            free(changed);
        }
        free(numbers);
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld changed proofs refused, %ld still true\n", refused, accepted);
    assert_true(refused > accepted);
}

// The n-th line that begins with a word, or NULL.
static char *find_line(char *text, const char *word, int nth)
{
    for (char *at = text; at != NULL && *at != '\0';) {
        if (strncmp(at, word, strlen(word)) == 0 && nth-- == 0) {
            return at;
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    return NULL;
}

// The word of a line after `skip` others.
static const char *find_word(const char *line, int skip)
{
    while (skip-- > 0) {
        line += strcspn(line, " \n");
        line += strspn(line, " ");
    }
    return line;
}

// Adds to the number that is such a word.
static char *add_to(const char *text, const char *line, int skip, int64_t change)
{
    const char *at = find_word(line, skip);
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, (int64_t)strtoll(at, NULL, 10) + change);
    return replace_number(text, (size_t)(at - text), digits);
}

static void must_refuse(const duet_instance *instance, char *changed, uint64_t seed,
                        const char *why)
{
    duet_error error = DUET_ERROR_INIT;
    if (duet_verify_text(instance, changed, strlen(changed), 1, NULL, &error) != DUET_E_INPUT) {
        keep_and_fail(changed, seed, why);
    }
    free(changed);
}

// What can never be right: another number of children, patterns or classes, a leaf too many or too
// few, no end, a bound above the optimum, a limit below what a set of tasks fetches.
static void changes_that_matter(void **state)
{
    (void)state;
    uint64_t begin = duet_test_seed();
    uint64_t end = begin + instances(1500);
    long covers = 0;
    long lists = 0;
    long sets = 0;
    for (uint64_t seed = begin; seed < end; seed++) {
        duet_random random;
        int64_t optimum;
        duet_instance *instance = draw(&random, seed, &optimum);
        duet_naive_style style = draw_style(&random);
        int nodes = 0;
        char *text = write_proof(instance, optimum, &style, &random, &nodes, NULL);
        if (text != NULL) {
            must_refuse(instance, add_to(text, find_line(text, "bound ", 0), 1, 1), seed,
                        "a bound above the optimum");
            must_refuse(instance, add_to(text, find_line(text, "classes ", 0), 1, 1), seed,
                        "another number of classes");
            char *line = find_line(text, "cover ", (int)duet_random_between(&random, 0, 3));
            if (line != NULL) {
                covers++;
                must_refuse(instance, add_to(text, line, 4, 1), seed, "one child more");
                if (strtoll(find_word(line, 4), NULL, 10) > 0) {
                    must_refuse(instance, add_to(text, line, 4, -1), seed, "one child less");
                }
            }
            line = find_line(text, "list ", (int)(seed % 3));
            if (line != NULL) {
                lists++;
                must_refuse(instance, add_to(text, line, 3, 1), seed, "one pattern more");
                if (strtoll(find_word(line, 3), NULL, 10) > 0) {
                    must_refuse(instance, add_to(text, line, 3, -1), seed, "one pattern less");
                }
            }
            line = find_line(text, "prices set ", 0);
            if (line != NULL && strncmp(line, "prices set 0 ", 13) != 0) {
                sets++;
                must_refuse(instance, add_to(text, line, 2, -3), seed, "a limit too low");
            }
            line = find_line(text, "price ", 0);
            line = line == NULL ? find_line(text, "knapsack ", 0) : line;
            if (line != NULL) {
                size_t length = strcspn(line, "\n") + 1;
                char *twice = malloc(strlen(text) + length + 1);
                assert_non_null(twice);
                sprintf(twice, "%.*s%s", (int)(line - text + (ptrdiff_t)length), text, line);
                must_refuse(instance, twice, seed, "a leaf twice");
                char *less = strdup(text);
                memmove(less + (line - text), line + length, strlen(line + length) + 1);
                must_refuse(instance, less, seed, "a leaf less");
            }
            must_refuse(instance, strndup(text, strlen(text) - 4), seed, "no end");
        }
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld covers, %ld lists, %ld limits\n", covers, lists, sets);
    // All kinds of line came up, but where the sanitizers' builds draw very few instances.
    long enough = (long)(end - begin) / 100;
    assert_true(enough == 0 || (covers > enough && lists > enough && sets > enough));
}

// Bytes changed, lines moved, pieces missing: never a crash, never a false claim.
static void garbage(void **state)
{
    (void)state;
    uint64_t begin = duet_test_seed();
    uint64_t end = begin + instances(2500);
    long accepted = 0;
    for (uint64_t seed = begin; seed < end; seed++) {
        duet_random random;
        int64_t optimum;
        duet_instance *instance = draw(&random, seed, &optimum);
        duet_naive_style style = draw_style(&random);
        style.most_nodes = 300;
        style.lie = seed % 2 == 0;
        int nodes = 0;
        char *text = write_proof(instance, optimum + 1, &style, &random, &nodes, NULL);
        if (text == NULL) {
            text = write_proof(instance, optimum, &style, &random, &nodes, NULL);
        }
        size_t length = text == NULL ? 0 : strlen(text);
        for (int round = 0; round < 3 && length > 60; round++) {
            size_t at = (size_t)duet_random_between(&random, 24, (int64_t)length - 2);
            size_t other = (size_t)duet_random_between(&random, 24, (int64_t)length - 2);
            switch (duet_random_between(&random, 0, 3)) {
            case 0:
                text[at] = (char)duet_random_next(&random);
                break;
            case 1:
                text[at] = "\n 0123456789#abcdefghi-"[duet_random_between(&random, 0, 22)];
                break;
            case 2: { // a piece elsewhere
                size_t low = at < other ? at : other;
                size_t high = at < other ? other : at;
                memmove(text + low, text + high, length - high);
                length -= high - low;
                break;
            }
            default:
                length = at;
                break;
            }
            duet_proof_stats stats;
            duet_code code = duet_verify_text(instance, text, length, 1, &stats, NULL);
            accepted += code == DUET_OK;
            if (code == DUET_OK && stats.bound > optimum) {
                keep_and_fail(text, seed, "garbage is accepted above the optimum");
            }
        }
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld still true\n", accepted);
}

// Twelve tasks, and no leaf but covers: hundreds of thousands of nodes, so that pools are made, and
// narrowed. A wrong number of children is found wherever it is.
static void large_trees(void **state)
{
    (void)state;
    long nodes_of_all = 0;
    uint64_t begin = duet_test_seed();
    for (uint64_t seed = begin; seed < begin + (instances(10000) < 10000 ? 1 : 4); seed++) {
        duet_random random;
        int64_t times[24];
        duet_random_seed(&random, seed);
        for (size_t i = 0; i < 24; i++) {
            times[i] = duet_random_between(&random, 8, 30);
        }
        const duet_type platform[] = {{"cpu", 3}, {"gpu", 3}};
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = 2,
                                   .platform = platform,
                                   .kinds = 12,
                                   .times = times};
        duet_instance *instance;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_naive_style style = {
            .most_nodes = 1000000, .most_vectors = seed % 2 == 0 ? 1 : 3, .only_covers = true};
        int nodes = 0;
        char *text = write_proof(instance, optimum, &style, &random, &nodes, NULL);
        if (text != NULL) {
            duet_error error = DUET_ERROR_INIT;
            if (duet_verify_text(instance, text, strlen(text), optimum, NULL, &error) != DUET_OK) {
                keep_and_fail(text, seed, error.message);
            }
            nodes_of_all += nodes;
            for (int round = 0; round < 6; round++) {
                int64_t at = duet_random_between(&random, 0, (int64_t)strlen(text) - 1);
                char *line = find_line(strchr(text + at, '\n'), "cover ", 0);
                if (line != NULL) {
                    must_refuse(instance, add_to(text, line, 4, round % 2 == 0 ? 1 : -1), seed,
                                "another number of children");
                }
            }
        }
        free(text);
        duet_instance_free(instance);
    }
    printf("%ld nodes\n", nodes_of_all);
    assert_true(nodes_of_all > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proves_the_optimum),
                                       cmocka_unit_test(refuses_lies),
                                       cmocka_unit_test(changed_numbers),
                                       cmocka_unit_test(changes_that_matter),
                                       cmocka_unit_test(garbage),
                                       cmocka_unit_test(large_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
