// SPDX-License-Identifier: Apache-2.0
// Writes the first inputs of the targets whose form no mutation finds by itself: proofs of small
// instances and solutions. $1: the folder of the corpora. Nothing is overwritten.
#include <stdio.h>
#include <string.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/naive_prover.h"

enum { HEAD = 6 }; // bytes that fuzz_proof.c takes before the proof

static void append(const char *from, FILE *to)
{
    FILE *file = fopen(from, "rb");
    fuzz_check(file != NULL, from);
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        fputc(c, to);
    }
    fclose(file);
}

static FILE *create(const char *folder, const char *target, unsigned number)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/seed-%u", folder, target, number);
    FILE *file = fopen(path, "wbx");
    if (file == NULL) {
        perror(path);
    }
    return file;
}

// The plain prover uses all that a proof may hold. On two types, or on other numbers of them.
static void write_naive_proof(const char *folder, unsigned number, bool lists, bool pair)
{
    uint8_t first = pair ? 0 : (uint8_t)(0xf0 + number % 5);
    uint8_t head[HEAD] = {first, 0, (uint8_t)(number >> 8), (uint8_t)number, 1, 0};
    fuzz_input input = {head, HEAD};
    duet_instance *instance = fuzz_typed_instance(&input);
    duet_random random;
    duet_random_seed(&random, number);
    duet_naive_style style = {.most_nodes = 40,
                              .most_vectors = lists ? 12 : 3,
                              .only_covers = !lists && number % 3 == 0,
                              .only_area = !lists && number % 5 == 0,
                              .lists = lists};
    const char *path = fuzz_target(0);
    FILE *out = fopen(path, "wb");
    fuzz_check(out != NULL, path);
    int nodes = duet_instance_tasks(instance) == 0
                    ? 0
                    : duet_naive_proof(out, instance, duet_exhaustive_optimum(instance), &style,
                                       &random, NULL);
    fclose(out);
    FILE *file = nodes > (lists ? 2 : 1) ? create(folder, "proof", number) : NULL;
    if (file != NULL) {
        fwrite(head, 1, HEAD, file);
        append(path, file);
        fclose(file);
    }
    duet_instance_free(instance);
}

static void write_proof(const char *folder, unsigned number)
{
    uint8_t head[HEAD] = {0, 0, (uint8_t)(number >> 8), (uint8_t)number, 1, 0};
    fuzz_input input = {head, HEAD};
    duet_instance *instance = fuzz_instance(&input);
    duet_options *options;
    char assignment[128];
    snprintf(assignment, sizeof assignment, "proof=%s", fuzz_target(0));
    fuzz_check(duet_options_create(&options, NULL) == DUET_OK, "options");
    fuzz_check(duet_options_add(options, assignment, NULL) == DUET_OK, "options");
    duet_params params = DUET_PARAMS_INIT;
    params.options = options;
    duet_solution *solution;
    FILE *file = NULL;
    if (duet_solve(instance, "exact", &params, &solution, NULL) == DUET_OK &&
        (file = create(folder, "proof", number)) != NULL) {
        fwrite(head, 1, HEAD, file);
        append(strchr(assignment, '=') + 1, file);
        fclose(file);
    }
    duet_solution_free(solution);
    duet_options_free(options);
    duet_instance_free(instance);
}

static void write_solution(const char *folder, unsigned number)
{
    duet_instance *instance = fuzz_chosen_instance(number);
    duet_solution *solution;
    const char *name = duet_algorithm_entry(number % duet_algorithm_count())->name;
    FILE *file = NULL;
    if (duet_solve(instance, name, NULL, &solution, NULL) == DUET_OK &&
        (file = create(folder, "solution", number)) != NULL) {
        const char *path = fuzz_target(0);
        fputc((int)(number & 1), file);
        fuzz_check(duet_write_solution(path, instance, solution, NULL) == DUET_OK, "a solution");
        append(path, file);
        fclose(file);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

int main(int argc, char **argv)
{
    enum { PROOFS = 20, NAIVE_PROOFS = 100, LISTS = 240, TYPES = 320, SOLUTIONS = 12 };
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (unsigned i = 0; i < PROOFS; i++) {
        write_proof(argv[1], i);
    }
    for (unsigned i = PROOFS; i < NAIVE_PROOFS; i++) {
        write_naive_proof(argv[1], i, false, true);
    }
    for (unsigned i = NAIVE_PROOFS; i < LISTS; i++) {
        write_naive_proof(argv[1], i, true, true);
    }
    for (unsigned i = LISTS; i < TYPES; i++) {
        write_naive_proof(argv[1], i, i % 2 == 0, false);
    }
    for (unsigned i = 0; i < SOLUTIONS; i++) {
        write_solution(argv[1], i);
    }
    return 0;
}
