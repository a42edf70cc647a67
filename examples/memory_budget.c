// SPDX-License-Identifier: Apache-2.0
// Memory from the program's own functions: a budget that no solve may exceed. The same tasks once
// with enough of it, once with too little, and once without.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <duet/duet.h>

// Bytes in use and at most in use. Each block says in front of it how long it is.
typedef struct budget {
    size_t limit, used, peak;
} budget;

typedef union head {
    size_t bytes;
    max_align_t align;
} head;

static void *resize(void *user, void *block, size_t bytes)
{
    budget *b = user;
    head *old = block == NULL ? NULL : (head *)block - 1;
    size_t had = old == NULL ? 0 : old->bytes;
    if (bytes > b->limit || b->used - had > b->limit - bytes) {
        return NULL;
    }
    head *fresh = realloc(old, sizeof *fresh + bytes);
    if (fresh == NULL) {
        return NULL;
    }
    b->used = b->used - had + bytes;
    b->peak = b->used > b->peak ? b->used : b->peak;
    fresh->bytes = bytes;
    return fresh + 1;
}

static void *allocate(void *user, size_t bytes)
{
    return resize(user, NULL, bytes);
}

static void release(void *user, void *block)
{
    budget *b = user;
    head *old = (head *)block - 1;
    b->used -= old->bytes;
    free(old);
}

static duet_code solve_within(budget *limit, duet_error *error)
{
    const duet_allocator allocator = {.struct_size = sizeof allocator,
                                      .allocate = allocate,
                                      .resize = resize,
                                      .release = release,
                                      .user = limit};
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1; // or the three functions would have to bear several threads at once
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    const duet_allocator *before = NULL;
    duet_code code = duet_use_allocator(limit == NULL ? NULL : &allocator, &before, error);
    if (code == DUET_OK) {
        const int64_t counts[] = {8, 2};
        const duet_generate_params params = {sizeof params, 200, 2, counts, 1, NULL};
        code = duet_generate("unif2", &params, &instance, error);
    }
    if (code == DUET_OK) {
        code = duet_solve(instance, "dual-4-3", &params, &solution, error);
    }
    duet_use_allocator(before, NULL, error);
    if (code == DUET_OK) {
        printf("makespan %" PRId64 "\n", duet_solution_makespan(solution));
    }
    // Whatever is chosen by now, each goes back to where it came from.
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

int main(void)
{
    budget enough = {.limit = (size_t)64 << 20};
    budget too_little = {.limit = (size_t)16 << 10};
    duet_error error = DUET_ERROR_INIT;
    bool fine = solve_within(&enough, &error) == DUET_OK && enough.peak > 0 && enough.used == 0;
    fine = fine && solve_within(&too_little, &error) == DUET_E_MEMORY && too_little.used == 0;
    printf("within 16 KiB: %s\n", duet_code_name(error.code));
    duet_error_clear(&error);
    fine = solve_within(NULL, &error) == DUET_OK && fine;
    if (!fine) {
        fprintf(stderr, "memory_budget: %s\n", error.message);
    }
    return fine ? 0 : 1;
}
