// SPDX-License-Identifier: Apache-2.0
// Counts: branching on how many processors hold patterns of a kind, or on how many tasks of some
// classes they hold together. Includes no solver header: this is what an outsider trusts.
#include "check/proof/tree.h"

#include <inttypes.h>

#include "core/memory.h"

duet_int128 duet_proof_relief(const duet_proof_tree *tree, const duet_proof_vector *vector)
{
    duet_int128 relief = 0;
    for (size_t i = 0; i < vector->counts; i++) {
        duet_int128 part = (duet_int128)vector->count[i] * tree->count[i].bound;
        relief += tree->count[i].at_least ? -part : part;
    }
    return relief;
}

bool duet_proof_counts_tasks(const duet_proof_tree *tree, const duet_proof_vector *vector)
{
    for (size_t i = 0; i < vector->counts; i++) {
        if (vector->count[i] > 0 && !vector->listed[tree->count[i].type]) {
            return true;
        }
    }
    return false;
}

// What a task of a class has to fetch on a type: where at most so many are allowed, the price of
// that too; where at least so many are there, the price less.
static duet_int128 counted_price(const duet_proof_tree *tree, const duet_proof_vector *vector,
                                 int type, size_t class)
{
    duet_int128 price = (duet_int128)vector->factor[type] * vector->price[type][class];
    for (size_t i = 0; i < vector->counts; i++) {
        const duet_proof_count *count = &tree->count[i];
        if (count->type == type && !vector->listed[type] && count->has[class]) {
            price += count->at_least ? -vector->count[i] : vector->count[i];
        }
    }
    return price;
}

duet_int128 duet_proof_counted_need(const duet_proof_tree *tree, const duet_proof_vector *vector)
{
    duet_int128 need = 0;
    for (size_t c = 0; c < tree->model->classes; c++) {
        const duet_proof_left *left = &tree->state.left[c];
        duet_int128 cpu = counted_price(tree, vector, DUET_PROOF_CPU, c);
        duet_int128 gpu = counted_price(tree, vector, DUET_PROOF_GPU, c);
        duet_int128 low = cpu * left->low + gpu * (left->count - left->low);
        duet_int128 high = cpu * left->high + gpu * (left->count - left->high);
        need += low < high ? low : high;
    }
    return need;
}

void duet_proof_count_enter(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    duet_proof_count *count = &tree->count[tree->counts - 1];
    count->at_least = frame->next > 0;
    count->bound = frame->split + (count->at_least ? 1 : 0);
}

void duet_proof_count_leave(duet_proof_tree *tree)
{
    duet_free(tree->count[--tree->counts].has);
}

// Opens the count; its bound is that of the child.
static duet_code add_count(duet_proof_tree *tree, int type, int64_t tasks, const int64_t *classes,
                           size_t count, duet_error *error)
{
    duet_code code =
        duet_grow(&tree->count, tree->counts, &tree->count_capacity, sizeof *tree->count, error);
    bool *has = code == DUET_OK ? duet_alloc(tree->model->classes, sizeof *has, error) : NULL;
    if (has == NULL) {
        return DUET_E_MEMORY;
    }
    tree->count[tree->counts++] =
        (duet_proof_count){.type = type, .tasks = tasks, .has = has, .covers = tree->covers};
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        code = duet_proof_check_class(tree, classes[i], error);
        if (code == DUET_OK) {
            has[classes[i]] = true;
        }
    }
    return code;
}

duet_code duet_proof_count_patterns(duet_proof_tree *tree, int type, int64_t tasks, int64_t split,
                                    const int64_t *classes, size_t count, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    if (code == DUET_OK && split > DUET_MAX_WORK) {
        code = duet_error_set(error, DUET_E_INPUT, "count at %" PRId64 ": expected at most 2^62",
                              split);
    }
    if (code == DUET_OK && tree->counts + 1 > tree->memory_limit / 8 / (tree->model->classes + 1)) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "%zu counts below each other take more than the %zu MiB of memory",
                              tree->counts + 1, tree->memory_limit >> 20);
    }
    code = code == DUET_OK ? add_count(tree, type, tasks, classes, count, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    duet_proof_frame frame = {.is_count = true, .type = type, .split = split, .children = 2};
    return duet_proof_open(tree, &frame, error);
}
