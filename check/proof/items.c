// SPDX-License-Identifier: Apache-2.0
// Reads the items of a tree's proof, vectors and nodes. Includes no solver header: this is what an
// outsider trusts. Why each node proves what it does: docs/theory/certificates.md.
#include <inttypes.h>

#include "check/proof/proof_state.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// "area w0 w1 ...", a weight for each type
static void read_area(duet_proof_check *check, duet_proof_vector *vector)
{
    duet_proof_text *text = &check->text;
    int64_t weights[DUET_MAX_TYPES];
    for (int t = 0; t < check->model->types; t++) {
        char what[32];
        snprintf(what, sizeof what, "the %s weight", check->model->name[t]);
        weights[t] = duet_proof_text_number(text, what);
    }
    if (duet_proof_text_ok(text)) {
        duet_proof_text_place(
            text, duet_proof_vector_area(vector, check->model, weights, &check->why), &check->why);
    }
}

// Room for how many tasks of each class a set of a type may have in the state under way.
static const int64_t *find_most(duet_proof_check *check, int type)
{
    int64_t *most = duet_alloc(check->model->classes, sizeof *most, check->text.error);
    if (most == NULL) {
        duet_proof_text_stop(&check->text, DUET_E_MEMORY);
        return NULL;
    }
    for (size_t c = 0; c < check->model->classes; c++) {
        int64_t available = duet_proof_available(&check->tree->state, type, c);
        most[c] = duet_max(available, 0);
    }
    return most;
}

// "set", "here", "area" or "listed"
static void read_mode(duet_proof_check *check, duet_price_mode *mode, bool *listed, bool *here)
{
    static const char expected[] = "'set', 'here', 'area' or 'listed'";
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(&check->text, word, expected);
    *mode = duet_proof_same_word(word, "area") ? DUET_PRICE_AREA : DUET_PRICE_SET;
    *listed = duet_proof_same_word(word, "listed");
    *here = duet_proof_same_word(word, "here");
    if (*mode == DUET_PRICE_SET && !*listed && !*here && !duet_proof_same_word(word, "set")) {
        duet_proof_text_fail(&check->text, "expected %s, found '%s'", expected, word);
    }
}

// "counts E p ...", prices of the open branching rows, where the line goes on
static void read_row_prices(duet_proof_check *check, duet_proof_vector *vector)
{
    duet_proof_text *text = &check->text;
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(text, word, "'counts' or the end of the line");
    if (!duet_proof_same_word(word, "counts")) {
        duet_proof_text_fail(text, "expected 'counts' or the end of the line, found '%s'", word);
    }
    int64_t rows = duet_proof_text_number(text, "the number of counts");
    if ((uint64_t)rows > check->tree->rows) {
        duet_proof_text_fail(text,
                             "prices of %" PRId64 " counts: expected at most the %zu that "
                             "are open",
                             rows, check->tree->rows);
    }
    if (!duet_proof_text_ok(text)) {
        return;
    }
    int64_t *prices = duet_alloc((size_t)rows, sizeof *prices, text->error);
    if (prices == NULL) {
        duet_proof_text_stop(text, DUET_E_MEMORY);
        return;
    }
    for (int64_t i = 0; i < rows; i++) {
        prices[i] = duet_proof_text_number(text, "a price for each count");
    }
    if (duet_proof_text_ok(text)) {
        duet_proof_text_place(
            text, duet_proof_vector_rows(vector, prices, (size_t)rows, &check->why), &check->why);
    }
    duet_free(prices);
}

// "MODE M0 MODE M1 ... u0 u1 ...", a price per type for each class
static void read_limited(duet_proof_check *check, duet_proof_vector *vector,
                         const int64_t *most[DUET_MAX_TYPES])
{
    duet_proof_text *text = &check->text;
    duet_price_mode modes[DUET_MAX_TYPES];
    bool listed[DUET_MAX_TYPES];
    int64_t limits[DUET_MAX_TYPES];
    for (int t = 0; t < check->model->types; t++) {
        bool here = false;
        read_mode(check, &modes[t], &listed[t], &here);
        limits[t] = duet_proof_text_number(text, "a limit");
        most[t] = here && duet_proof_text_ok(text) ? find_most(check, t) : NULL;
    }
    size_t types = (size_t)check->model->types;
    for (size_t i = 0; i < types * check->model->classes; i++) {
        check->numbers[i] = duet_proof_text_number(
            text, types == 2 ? "two prices for each class" : "a price per type for each class");
    }
    if (!duet_proof_text_ok(text)) {
        return;
    }
    duet_proof_prices given = {modes, listed, limits, check->numbers, most};
    duet_proof_text_place(
        text, duet_proof_vector_prices(vector, check->model, &given, check->watch, &check->why),
        &check->why);
    if (duet_proof_text_more(text)) {
        read_row_prices(check, vector);
    }
}

// "prices" and what follows
static void read_prices(duet_proof_check *check, duet_proof_vector *vector)
{
    const int64_t *most[DUET_MAX_TYPES] = {NULL};
    read_limited(check, vector, most);
    for (int t = 0; t < check->model->types; t++) {
        duet_free((void *)most[t]);
    }
}

static void read_vector(duet_proof_check *check, bool is_area)
{
    duet_proof_vector vector = {.owned = NULL};
    if (is_area) {
        read_area(check, &vector);
    } else {
        read_prices(check, &vector);
    }
    duet_proof_text_finish(&check->text);
    if (duet_proof_text_ok(&check->text)) {
        duet_proof_text_place(&check->text,
                              duet_proof_tree_add_vector(check->tree, &vector, &check->why),
                              &check->why);
    }
    if (!duet_proof_text_ok(&check->text)) {
        duet_proof_vector_free(&vector);
    }
}

// The number of a type
static int read_type_number(duet_proof_check *check)
{
    int64_t type = duet_proof_text_number(&check->text, "the number of a type");
    if (type >= check->model->types) {
        duet_proof_text_fail(&check->text, "type %" PRId64 ": expected 0 to %d", type,
                             check->model->types - 1);
        return 0;
    }
    return (int)type;
}

// "cpu" or "gpu", or the number of a type where there are not two
static int read_type(duet_proof_check *check)
{
    if (check->model->types != 2) {
        return read_type_number(check);
    }
    static const char expected[] = "'cpu' or 'gpu'";
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(&check->text, word, expected);
    if (duet_proof_same_word(word, "gpu")) {
        return DUET_PROOF_GPU;
    }
    if (!duet_proof_same_word(word, "cpu")) {
        duet_proof_text_fail(&check->text, "expected %s, found '%s'", expected, word);
    }
    return DUET_PROOF_CPU;
}

// "n c1 ... cn"
static void read_classes(duet_proof_check *check, duet_proof_node *node)
{
    int64_t count = duet_proof_text_number(&check->text, "the number of classes");
    if ((uint64_t)count > check->model->classes) {
        duet_proof_text_fail(&check->text, "%" PRId64 " classes: expected at most the %zu", count,
                             check->model->classes);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        check->numbers[i] = duet_proof_text_number(&check->text, "the number of a class");
    }
    node->classes = check->numbers;
    node->class_count = (size_t)count;
}

// What a number of a node's line says, and where it belongs.
static const struct {
    const char *what;
    size_t member; // offset in duet_proof_node
} numbers[] = {
    [DUET_LINE_VECTOR] = {"the number of a vector", offsetof(duet_proof_node, vector)},
    [DUET_LINE_CLASS] = {"the number of a class", offsetof(duet_proof_node, class)},
    [DUET_LINE_TASKS] = {"a number of tasks", offsetof(duet_proof_node, tasks)},
    [DUET_LINE_SPLIT] = {"a number of tasks", offsetof(duet_proof_node, split)},
    [DUET_LINE_PATTERN_SPLIT] = {"a number of patterns", offsetof(duet_proof_node, split)},
    [DUET_LINE_CHILDREN] = {"the number of children", offsetof(duet_proof_node, size)},
    [DUET_LINE_PATTERNS] = {"the number of patterns", offsetof(duet_proof_node, size)},
};

// "more", or nothing
static bool read_more(duet_proof_check *check)
{
    duet_proof_text *text = &check->text;
    if (!duet_proof_text_more(text)) {
        return false;
    }
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(text, word, "'more' or the end of the line");
    if (!duet_proof_same_word(word, "more")) {
        duet_proof_text_fail(text, "expected 'more' or the end of the line, found '%s'", word);
    }
    return true;
}

// The tree of one type's own tasks is complete, if there is one: it proves the node above it.
static void leave_alone(duet_proof_check *check)
{
    duet_proof_level *outer = &check->level[0];
    duet_proof_level *inner = &check->level[1];
    if (check->tree != &inner->tree || !inner->tree.done || !duet_proof_text_ok(&check->text)) {
        return;
    }
    int64_t deepest = (int64_t)outer->tree.depth + 1 + inner->tree.deepest;
    outer->tree.deepest = duet_max(deepest, outer->tree.deepest);
    outer->tree.nodes += inner->tree.nodes;
    check->inner_vectors += (int64_t)inner->tree.vectors;
    duet_proof_tree_free(&inner->tree);
    duet_proof_model_free(&inner->model);
    check->model = &outer->model;
    check->tree = &outer->tree;
    duet_proof_text_place(&check->text, duet_proof_end_alone(check->tree, &check->why),
                          &check->why);
}

// What a type must run in the state under way becomes a question of its own.
static duet_code enter_alone(duet_proof_check *check, int type, int64_t guess)
{
    const duet_proof_state *state = &check->tree->state;
    duet_proof_level *inner = &check->level[1];
    int64_t *tasks = check->numbers;
    for (size_t c = 0; c < check->model->classes; c++) {
        tasks[c] = duet_max(duet_proof_left(&state->residual, c)->on[type].low, 0);
    }
    const duet_proof_alone alone = {.of = check->model,
                                    .type = type,
                                    .guess = guess,
                                    .processors = state->processors[type],
                                    .tasks = tasks};
    duet_code code = duet_proof_begin_alone(check->tree, &check->why);
    DUET_THEN(code, duet_proof_model_alone(&inner->model, &alone, check->watch, &check->why));
    if (code == DUET_OK) {
        code = duet_proof_tree_init(&inner->tree, &inner->model,
                                    check->watch->context->memory_limit, check->watch, &check->why);
        check->model = &inner->model;
        check->tree = &inner->tree;
    }
    return code;
}

// "alone T G"
static void read_alone(duet_proof_check *check)
{
    duet_proof_text *text = &check->text;
    int type = read_type(check);
    int64_t guess = duet_proof_text_number(text, "the makespan that is asked for");
    duet_proof_text_finish(text);
    if (duet_proof_text_ok(text) && check->tree == &check->level[1].tree) {
        duet_proof_text_fail(text, "'alone' below another one: expected another node");
    }
    if (duet_proof_text_ok(text) && check->model->release != NULL) {
        duet_proof_text_fail(text, "'alone' in a proof with releases: expected another node");
    }
    if (duet_proof_text_ok(text) && (guess < check->model->guess || guess >= DUET_MAX_WORK)) {
        duet_proof_text_fail(
            text, "alone within %" PRId64 ": expected at least %" PRId64 ", and less than 2^62",
            guess, check->model->guess);
    }
    if (duet_proof_text_ok(text)) {
        duet_proof_text_place(text, enter_alone(check, type, guess), &check->why);
    }
}

// Reads a node, with its keyword taken, and visits it.
static void read_node(duet_proof_check *check, duet_proof_kind kind)
{
    duet_proof_node node = {.kind = kind};
    const duet_proof_argument *at = duet_proof_arguments(kind);
    for (; *at != DUET_LINE_END; at++) {
        if (*at == DUET_LINE_TYPE) {
            node.type = read_type(check);
        } else if (*at == DUET_LINE_BRANCH_TYPE) {
            node.type = check->model->types == 2 ? DUET_PROOF_CPU : read_type_number(check);
        } else if (*at == DUET_LINE_CLASSES) {
            read_classes(check, &node);
        } else if (*at == DUET_LINE_MORE) {
            node.more_first = read_more(check);
        } else {
            int64_t *number = (int64_t *)(void *)((char *)&node + numbers[*at].member);
            *number = duet_proof_text_number(&check->text, numbers[*at].what);
        }
    }
    duet_proof_text_finish(&check->text);
    if (duet_proof_text_ok(&check->text)) {
        duet_proof_text_place(&check->text, duet_proof_visit(check->tree, &node, &check->why),
                              &check->why);
    }
}

void duet_proof_read_item(duet_proof_check *check, const char *word)
{
    duet_proof_kind kind = duet_proof_find_kind(word);
    if (kind != DUET_NODE_KINDS) {
        read_node(check, kind);
        leave_alone(check);
    } else if (duet_proof_same_word(word, "area") || duet_proof_same_word(word, "prices")) {
        read_vector(check, word[0] == 'a');
    } else if (duet_proof_same_word(word, "alone")) {
        read_alone(check);
    } else {
        duet_proof_text_fail(&check->text, "expected a node, a vector or 'end', found '%s'", word);
    }
}
