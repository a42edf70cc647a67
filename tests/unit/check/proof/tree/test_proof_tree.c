// SPDX-License-Identifier: Apache-2.0
// What the walk through a proof keeps, looked at from inside: pools are made, used and given up
// within their half of the memory, pricings within their quarter, idle ones first; what is known of
// a vector is right, is found again, and is noted once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "check/proof/tree/nodes.h"
#include "check/proof/tree/walk.h"
#include "tests/support/fixtures.h"

enum { MAX_KINDS = 24, VECTORS = 2 };

typedef struct fixture {
    duet_instance *instance;
    duet_proof_model model;
    duet_proof_tree tree;
} fixture;

// Kinds of `count` tasks on CPUs, and on GPUs where `both`; vectors by area.
static void open_fixture(fixture *f, size_t kinds, const int64_t *times, int64_t count, bool both,
                         int64_t cpus, int64_t gpus, int64_t length, int vectors)
{
    int64_t counts[MAX_KINDS];
    int64_t pairs[2 * MAX_KINDS];
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = count;
        pairs[2 * i] = times[i];
        pairs[2 * i + 1] = both ? times[i] : DUET_FORBIDDEN;
    }
    const duet_type platform[] = {{"cpu", cpus}, {"gpu", gpus}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = pairs};
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    assert_int_equal(duet_proof_model_init(&f->model, f->instance, length, duet_test_watch(), NULL),
                     DUET_OK);
    assert_int_equal(f->model.classes, kinds);
    assert_int_equal(
        duet_proof_tree_init(&f->tree, &f->model, (size_t)1 << 30, duet_test_watch(), NULL),
        DUET_OK);
    for (int v = 0; v < vectors; v++) {
        duet_proof_vector vector;
        const int64_t weights[] = {v + 1, v + 1};
        assert_int_equal(duet_proof_vector_area(&vector, &f->model, weights, NULL), DUET_OK);
        assert_int_equal(duet_proof_tree_add_vector(&f->tree, &vector, NULL), DUET_OK);
    }
}

static void close_fixture(fixture *f)
{
    duet_proof_tree_free(&f->tree);
    duet_proof_model_free(&f->model);
    duet_instance_free(f->instance);
}

static duet_code visit_price(duet_proof_tree *tree, int64_t vector, duet_error *error)
{
    const duet_proof_node node = {.kind = DUET_NODE_PRICE, .vector = vector};
    return duet_proof_visit(tree, &node, error);
}

static duet_code visit_branch(duet_proof_tree *tree, int64_t class, int64_t split,
                              duet_error *error)
{
    const duet_proof_node node = {.kind = DUET_NODE_BRANCH, .class = class, .split = split};
    return duet_proof_visit(tree, &node, error);
}

static duet_code visit_cover(duet_proof_tree *tree, int64_t vector, int type, int64_t class,
                             int64_t children, duet_error *error)
{
    const duet_proof_node node = {
        .kind = DUET_NODE_COVER, .vector = vector, .type = type, .class = class, .size = children};
    return duet_proof_visit(tree, &node, error);
}

static duet_code visit_list(duet_proof_tree *tree, int64_t vector, int type, int64_t patterns,
                            duet_error *error)
{
    const duet_proof_node node = {
        .kind = DUET_NODE_LIST, .vector = vector, .type = type, .size = patterns};
    return duet_proof_visit(tree, &node, error);
}

// A count of the tasks of some classes on CPUs: at most one, or at least two.
static duet_code visit_count(duet_proof_tree *tree, const int64_t *classes, size_t count,
                             duet_error *error)
{
    const duet_proof_node node = {.kind = DUET_NODE_COUNT,
                                  .type = DUET_PROOF_CPU,
                                  .split = 1,
                                  .classes = classes,
                                  .class_count = count};
    return duet_proof_visit(tree, &node, error);
}

// Supply less demand by a vector, worked out from nothing.
static duet_int128 slack_of(const duet_proof_tree *tree, size_t vector)
{
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    return duet_proof_supply(prices, tree->state.processors) -
           duet_proof_demand(prices, tree->model, &tree->state.residual);
}

static void check_books(duet_proof_tree *tree)
{
    size_t pricings = 0;
    size_t pools = 0;
    for (size_t v = 0; v < tree->vectors; v++) {
        for (int t = 0; t < tree->model->types; t++) {
            const duet_proof_pricing *pricing = tree->priced[v].covering[t].pricing;
            pricings += pricing == NULL ? 0 : pricing->bytes;
        }
        assert_true(duet_proof_slack(tree, v) == slack_of(tree, v));
    }
    for (size_t d = 0; d < tree->depth; d++) {
        pools += tree->frame[d].cover.made == NULL ? 0 : tree->frame[d].cover.made->bytes;
    }
    size_t items = 0;
    for (size_t i = 0; i < tree->children; i++) {
        assert_int_equal(tree->child[i].first, items);
        items += tree->child[i].length;
    }
    assert_int_equal(tree->items, items);
    assert_int_equal(tree->pricing_bytes, pricings);
    assert_int_equal(tree->pool_bytes, pools);
    assert_true(pools <= tree->memory_limit / 2);
}

// Tasks of which two fit on a processor and three do not, one of each class: how many patterns hold
// the first that is left, by counting.
static int64_t count_children(const duet_proof_tree *tree, size_t vector, size_t class)
{
    const duet_proof_model *model = tree->model;
    int64_t children = 0;
    int64_t factor = tree->priced[vector].vector.factor[DUET_PROOF_CPU];
    duet_int128 slack = slack_of(tree, vector);
    for (size_t c = class; c < model->classes; c++) {
        int64_t time = model->time[DUET_PROOF_CPU][class];
        time += c == class ? 0 : model->time[DUET_PROOF_CPU][c];
        children += duet_proof_left(&tree->state.residual, c)->count > 0 &&
                            tree->state.processors[DUET_PROOF_CPU] > 0 &&
                            (duet_int128)factor * (model->guess - time) <= slack
                        ? 1
                        : 0;
    }
    return children;
}

// What a walk has seen of pools.
typedef struct pools_seen {
    size_t most;     // bytes
    size_t narrowed; // made from another pool
    size_t picked;   // covers with children from a pool
} pools_seen;

// Two of 24 tasks fit on each of eleven processors.
static void open_pairs(fixture *f)
{
    enum { TASKS = 24, PROCESSORS = 11, LENGTH = 10000 };
    int64_t times[TASKS];
    for (size_t i = 0; i < TASKS; i++) {
        times[i] = 4001 + 7 * (int64_t)i;
    }
    open_fixture(f, TASKS, times, 1, false, PROCESSORS, 1, LENGTH, VECTORS);
}

// The next node: a leaf where there is one, else a cover.
static void go_on(duet_proof_tree *tree, size_t vector)
{
    size_t class = 0;
    while (duet_proof_left(&tree->state.residual, class)->count == 0) {
        class ++;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_code code = slack_of(tree, vector) < 0
                         ? visit_price(tree, (int64_t)vector, &error)
                         : visit_cover(tree, (int64_t)vector, DUET_PROOF_CPU, (int64_t) class,
                                       count_children(tree, vector, class), &error);
    if (code != DUET_OK) {
        fail_msg("node %d: %s", (int)tree->nodes, error.message);
    }
    check_books(tree);
}

// Covers by one vector and the other until so many nodes are there.
static pools_seen walk(size_t memory_limit, int64_t nodes)
{
    fixture f;
    open_pairs(&f);
    duet_proof_tree *tree = &f.tree;
    tree->memory_limit = memory_limit;
    pools_seen seen = {0};
    while (!tree->done && tree->nodes < nodes) {
        go_on(tree, tree->depth % VECTORS);
        seen.most = tree->pool_bytes > seen.most ? tree->pool_bytes : seen.most;
        for (size_t d = 0; d < tree->depth; d++) {
            const duet_proof_frame *frame = &tree->frame[d];
            seen.narrowed += frame->cover.made != NULL && frame->cover.made->parent != NULL ? 1 : 0;
            seen.picked += frame->cover.pool != NULL ? 1 : 0;
        }
    }
    close_fixture(&f);
    return seen;
}

static void pools_keep_to_their_half(void **state)
{
    (void)state;
    enum { NODES = 1000 };
    pools_seen free_walk = walk((size_t)1 << 30, NODES);
    printf("pools of at most %zu bytes\n", free_walk.most);
    assert_true(free_walk.most > 0 && free_walk.narrowed > 0 && free_walk.picked > 0);
    // What they take when they may take all is a limit that changes nothing; a byte less does.
    pools_seen just = walk(2 * free_walk.most, NODES);
    assert_int_equal(just.most, free_walk.most);
    assert_int_equal(just.narrowed, free_walk.narrowed);
    assert_int_equal(just.picked, free_walk.picked);
    pools_seen less = walk(2 * free_walk.most - 2, NODES);
    assert_true(less.most < free_walk.most && less.picked > 0);
    // Where only small ones fit most covers list their own children.
    pools_seen small = walk(20000, NODES);
    assert_true(small.most > 0 && small.picked < free_walk.picked / 2);
}

// A pool is tried once the covers below have taken the work that was waited for, and tried again
// later where it takes too many steps.
static void pools_are_waited_for(void **state)
{
    (void)state;
    fixture f;
    for (uint64_t missing = 0; missing < 2; missing++) {
        open_pairs(&f);
        duet_proof_frame *root = NULL;
        for (int nodes = 0; nodes < 5; nodes++) { // ever deeper
            go_on(&f.tree, 0);
            root = &f.tree.frame[0];
            root->cover.patience = UINT64_MAX;
        }
        uint64_t done = f.tree.work - root->cover.work;
        root->cover.patience = done + missing;
        go_on(&f.tree, 0);
        assert_int_equal(f.tree.frame[0].cover.made != NULL, missing == 0);
        close_fixture(&f);
    }
    open_pairs(&f);
    go_on(&f.tree, 0);
    f.tree.frame[0].cover.patience = 0;
    uint64_t done = f.tree.work - f.tree.frame[0].cover.work;
    assert_true(done < 32); // 8 steps each, and some, are too few for 300 patterns
    go_on(&f.tree, 0);
    assert_null(f.tree.frame[0].cover.made);
    assert_int_equal(f.tree.priced[0].covering[DUET_PROOF_CPU].first, 0);
    assert_int_equal(f.tree.frame[0].cover.patience, 4 * done);
    close_fixture(&f);
}

// The pricing of a vector on the CPUs.
static const duet_proof_pricing *pricing_of(const duet_proof_tree *tree, size_t vector)
{
    return tree->priced[vector].covering[DUET_PROOF_CPU].pricing;
}

// Opens a cover by vector 0 with five children; four of them are covers by the other vectors, which
// have none. The memory limit holds from the last of them on.
static void walk_pricings(fixture *f, size_t memory_limit)
{
    static const int64_t times[] = {20, 70, 71, 72, 73, 74};
    open_fixture(f, 6, times, 1, false, 4, 0, 100, 5);
    f->tree.memory_limit = (size_t)1 << 30;
    assert_int_equal(visit_cover(&f->tree, 0, DUET_PROOF_CPU, 0, 5, NULL), DUET_OK);
    for (int64_t v = 1; v < 5; v++) {
        f->tree.memory_limit = v == 4 ? memory_limit : f->tree.memory_limit;
        assert_int_equal(visit_cover(&f->tree, v, DUET_PROOF_CPU, 1, 0, NULL), DUET_OK);
    }
    assert_int_equal(f->tree.depth, 1);
    check_books(&f->tree);
}

static void idle_pricings_go_first(void **state)
{
    (void)state;
    fixture f;
    walk_pricings(&f, (size_t)1 << 30);
    size_t bytes = pricing_of(&f.tree, 0)->bytes;
    close_fixture(&f);
    // Room for five, and for not quite five: the last that no open cover uses goes.
    for (size_t missing = 0; missing < 2; missing++) {
        walk_pricings(&f, 4 * (5 * bytes - missing));
        for (size_t v = 0; v < 5; v++) {
            assert_int_equal(pricing_of(&f.tree, v) == NULL, missing == 1 && v == 3);
        }
        close_fixture(&f);
    }
    // Room for less than one: all go but the newest. What went is made again when it is needed.
    walk_pricings(&f, 4 * bytes);
    for (size_t v = 0; v < 5; v++) {
        assert_int_equal(pricing_of(&f.tree, v) == NULL, v < 4);
    }
    assert_int_equal(visit_cover(&f.tree, 0, DUET_PROOF_CPU, 2, 0, NULL), DUET_OK);
    assert_non_null(pricing_of(&f.tree, 0));
    assert_true(f.tree.done);
    close_fixture(&f);
}

static const duet_proof_known *find_known(const duet_proof_frame *frame, size_t vector)
{
    for (int i = 0; i < DUET_PROOF_KNOWN; i++) {
        if (frame->known[i].key == vector + 1) {
            return &frame->known[i];
        }
    }
    return NULL;
}

// Branches to a depth without a question.
static void descend(duet_proof_tree *tree, size_t depth)
{
    while (tree->depth < depth) {
        size_t class = tree->depth % 2;
        const duet_proof_range *cpus =
            &duet_proof_left(&tree->state.residual, class)->on[DUET_PROOF_CPU];
        assert_int_equal(visit_branch(tree, (int64_t) class, (cpus->low + cpus->high) / 2, NULL),
                         DUET_OK);
    }
}

static void known_demands(void **state)
{
    (void)state;
    enum { REACH = 8, DEPTH = 12 };
    static const int64_t times[] = {3, 5};
    for (size_t depth = 0; depth <= DEPTH; depth++) {
        fixture f;
        open_fixture(&f, 2, times, 1 << 20, true, 2, 1, 100, 1);
        descend(&f.tree, depth);
        duet_int128 slack = slack_of(&f.tree, 0);
        for (int again = 0; again < 3; again++) {
            assert_true(duet_proof_slack(&f.tree, 0) == slack);
        }
        // Noted once for the deepest node, and once as far up as it was looked for.
        size_t far = depth < REACH ? 0 : depth - REACH;
        for (size_t d = 0; d < depth; d++) {
            bool noted = d == far || d + 1 == depth;
            assert_int_equal(f.tree.frame[d].turn, noted ? 1 : 0);
            assert_int_equal(find_known(&f.tree.frame[d], 0) != NULL, noted);
        }
        // A node below finds it there, notes it for itself, and nowhere else.
        if (depth > 0) {
            descend(&f.tree, depth + 2);
            assert_true(duet_proof_slack(&f.tree, 0) == slack_of(&f.tree, 0));
            assert_int_equal(f.tree.frame[depth + 1].turn, 1);
            assert_int_equal(f.tree.frame[depth].turn, 0);
            assert_int_equal(f.tree.frame[depth - 1].turn, 1);
        }
        close_fixture(&f);
    }
}

// Two counts below each other, in memory for one or for both.
static void counts_keep_within_memory(void **state)
{
    (void)state;
    static const int64_t times[] = {3, 5};
    static const int64_t classes[] = {0, 1};
    for (size_t room = 0; room <= 2; room++) {
        fixture f;
        open_fixture(&f, 2, times, 4, true, 2, 1, 100, 1);
        f.tree.memory_limit = room * 8 * (2 + 1); // a byte a class, and one, eight times
        for (size_t open = 1; open <= 2; open++) {
            duet_error error = DUET_ERROR_INIT;
            duet_code code = visit_count(&f.tree, classes, 2, &error);
            assert_int_equal(code, open <= room ? DUET_OK : DUET_E_LIMIT);
            assert_true(code == DUET_OK ||
                        strstr(error.message, "counts below each other") != NULL);
            if (code != DUET_OK) {
                break;
            }
        }
        close_fixture(&f);
    }
}

// A list of fifteen patterns of a task each, in memory for so many and for fewer.
static void lists_keep_within_memory(void **state)
{
    (void)state;
    enum { KINDS = 15 };
    int64_t times[KINDS];
    for (int i = 0; i < KINDS; i++) {
        times[i] = 60 + i; // two are longer than the capacity
    }
    for (size_t room = KINDS - 5; room <= KINDS; room++) {
        fixture f;
        open_fixture(&f, KINDS, times, 1, false, KINDS, 1, 100, 1);
        f.tree.memory_limit = 8 * sizeof(duet_proof_pattern) * room;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = visit_list(&f.tree, 0, DUET_PROOF_CPU, KINDS, &error);
        assert_int_equal(code, room == KINDS ? DUET_OK : DUET_E_LIMIT);
        assert_true(code == DUET_OK || strstr(error.message, "a list has more patterns") != NULL);
        close_fixture(&f);
        open_fixture(&f, KINDS, times, 1, false, KINDS, 1, 100, 1);
        f.tree.memory_limit = 8 * sizeof(duet_proof_pattern) * room;
        code = visit_list(&f.tree, 0, DUET_PROOF_CPU, 5, &error); // which fits, and is wrong
        assert_int_equal(code, DUET_E_INPUT);
        close_fixture(&f);
    }
}

// The same list below itself, in memory for what is left of both and for a byte less.
static void narrowed_lists_keep_within_memory(void **state)
{
    (void)state;
    enum { KINDS = 15 };
    int64_t times[KINDS];
    for (int i = 0; i < KINDS; i++) {
        times[i] = 60 + i;
    }
    for (size_t missing = 0; missing < 2; missing++) {
        fixture f;
        open_fixture(&f, KINDS, times, 1, false, KINDS, 1, 100, 1);
        f.tree.memory_limit = (size_t)1 << 20;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(visit_list(&f.tree, 0, DUET_PROOF_CPU, KINDS, &error), DUET_OK);
        f.tree.memory_limit = (size_t)4 * 2 * KINDS * sizeof(uint32_t) - missing;
        duet_code code = visit_list(&f.tree, 0, DUET_PROOF_CPU, KINDS, &error);
        assert_int_equal(code, missing == 0 ? DUET_OK : DUET_E_LIMIT);
        assert_true(code == DUET_OK || strstr(error.message, "lists below each other") != NULL);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pools_keep_to_their_half),
                                       cmocka_unit_test(pools_are_waited_for),
                                       cmocka_unit_test(idle_pricings_go_first),
                                       cmocka_unit_test(known_demands),
                                       cmocka_unit_test(counts_keep_within_memory),
                                       cmocka_unit_test(lists_keep_within_memory),
                                       cmocka_unit_test(narrowed_lists_keep_within_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
