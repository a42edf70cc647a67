// SPDX-License-Identifier: Apache-2.0
// Checks the proof of a search: reads its items one by one and walks through its tree. Includes no
// solver header: this is what an outsider trusts. Why each node proves what it does:
// docs/theory/certificates.md.
#include "check/proof/proof.h"

#include <duet/check.h>
#include <inttypes.h>
#include <stdio.h>

#include "check/proof/graph/graph.h"
#include "check/proof/moved.h"
#include "check/proof/text.h"
#include "check/proof/tree/subject.h"
#include "check/proof/tree/walk.h"
#include "core/instance/rest.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct proof_level {
    duet_proof_model model;
    duet_proof_tree tree;
} proof_level;

// The first failure stands in `text`, which reads nothing after it.
typedef struct proof_check {
    const duet_instance *instance;
    duet_watch *watch;
    duet_proof_text text;
    proof_level level[2];    // the instance, and below a node `alone` one type of it
    duet_proof_model *model; // of the level under way
    duet_proof_tree *tree;
    bool is_proof;                 // the file says that it is one
    bool is_graph;                 // it is about a task graph: lines instead of a tree
    bool is_moved;                 // and that graph is the moved instance (core/instance/moved.h)
    int64_t bound;                 // of the file
    duet_proof_graph_counts lines; // of a proof about a task graph
    int64_t *numbers;              // of a line: one per class and type
    int64_t inner_vectors;         // of trees below nodes `alone`
    duet_error why;                // what failed in a node or a vector, without a line of the file
} proof_check;

// An item of one name and one number.
static int64_t read_header(proof_check *check, const char *name, const char *what)
{
    char word[DUET_PROOF_MAX_WORD];
    char expected[64];
    snprintf(expected, sizeof expected, "'%s' and %s", name, what);
    duet_proof_text_item(&check->text, word, expected);
    if (!duet_proof_same_word(word, name)) {
        duet_proof_text_fail(&check->text, "expected %s, found %s", expected,
                             word[0] == '\0' ? "the end of the file" : word);
    }
    int64_t number = duet_proof_text_number(&check->text, what);
    duet_proof_text_finish(&check->text);
    return number;
}

// "classes N" makes the model of the claimed bound, with types that "types ..." takes for one, or
// with releases and busy processors, which "released" takes into account; "graph", perhaps behind
// "released", leaves its line to graph/lines.c.
static void read_subject(proof_check *check)
{
    static const char expected[] = "'classes' and the number of classes, or 'graph'";
    duet_proof_text *text = &check->text;
    duet_proof_subject subject = duet_proof_subject_of(check->instance, check->bound - 1);
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_item(text, word, expected);
    check->is_graph = duet_proof_same_word(word, "graph");
    if (check->is_graph) {
        return;
    }
    if (duet_proof_same_word(word, "types")) {
        duet_proof_read_types(text, &subject);
        duet_proof_text_item(text, word, expected);
    } else if (duet_proof_same_word(word, "released")) {
        duet_proof_text_finish(text);
        duet_proof_text_item(text, word, expected);
        check->is_graph = check->is_moved = duet_proof_same_word(word, "graph");
        if (check->is_graph) {
            return;
        }
        if (duet_proof_text_ok(text)) {
            duet_proof_text_place(text, duet_proof_subject_release(&subject, &check->why),
                                  &check->why);
        }
    }
    if (!duet_proof_same_word(word, "classes")) {
        duet_proof_text_fail(text, "expected %s, found %s", expected,
                             word[0] == '\0' ? "the end of the file" : word);
    }
    duet_proof_read_classes(text, &subject, check->model, check->watch);
}

// Reads the headers.
static void read_headers(proof_check *check, int64_t bound)
{
    duet_proof_text *text = &check->text;
    int64_t version = read_header(check, "duet-proof", "its version");
    if (version != 1) {
        duet_proof_text_fail(text, "expected version 1 of the proof, found %" PRId64, version);
    }
    check->is_proof = duet_proof_text_ok(text);
    check->bound = read_header(check, "bound", "the bound in ticks");
    if (check->bound > DUET_MAX_WORK || check->bound < bound) {
        duet_proof_text_fail(text,
                             "a proof of the bound %" PRId64 ": expected one of at least "
                             "%" PRId64 ", and at most 2^62",
                             check->bound, bound);
    }
    if (check->bound > 0) {
        read_subject(check);
    }
}

// "area w0 w1 ...", a weight for each type
static void read_area(proof_check *check, duet_proof_vector *vector)
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
static const int64_t *find_most(proof_check *check, int type)
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
static void read_mode(proof_check *check, duet_price_mode *mode, bool *listed, bool *here)
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
static void read_row_prices(proof_check *check, duet_proof_vector *vector)
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
static void read_limited(proof_check *check, duet_proof_vector *vector,
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
static void read_prices(proof_check *check, duet_proof_vector *vector)
{
    const int64_t *most[DUET_MAX_TYPES] = {NULL};
    read_limited(check, vector, most);
    for (int t = 0; t < check->model->types; t++) {
        duet_free((void *)most[t]);
    }
}

static void read_vector(proof_check *check, bool is_area)
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
static int read_type_number(proof_check *check)
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
static int read_type(proof_check *check)
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
static void read_classes(proof_check *check, duet_proof_node *node)
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
static bool read_more(proof_check *check)
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
static void leave_alone(proof_check *check)
{
    proof_level *outer = &check->level[0];
    proof_level *inner = &check->level[1];
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
static duet_code enter_alone(proof_check *check, int type, int64_t guess)
{
    const duet_proof_state *state = &check->tree->state;
    proof_level *inner = &check->level[1];
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
static void read_alone(proof_check *check)
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
static void read_node(proof_check *check, duet_proof_kind kind)
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

static void read_item(proof_check *check, const char *word)
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

// After the last item: its word is "end", or "" at the end of the file.
static void read_end(proof_check *check, const char *last)
{
    duet_proof_text *text = &check->text;
    char word[DUET_PROOF_MAX_WORD];
    if (last[0] == '\0') {
        duet_proof_text_fail(text, "expected %s, found the end of the file",
                             check->tree->done ? "'end'" : "the next node");
    }
    if (!check->tree->done) {
        duet_proof_text_fail(text,
                             "'end' before all children are there: expected the next node, "
                             "%zu levels below the root",
                             check->tree->depth);
    }
    duet_proof_text_finish(text);
    duet_proof_text_item(text, word, "nothing after 'end'");
    if (word[0] != '\0') {
        duet_proof_text_fail(text, "expected nothing after 'end', found '%s'", word);
    }
}

// "end" at once: a bound of 0 needs no proof.
static void read_nothing(proof_check *check)
{
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_item(&check->text, word, "'end'");
    if (!duet_proof_same_word(word, "end")) {
        duet_proof_text_fail(&check->text, "expected 'end' after a bound of 0, found '%s'", word);
        return;
    }
    check->tree->done = true;
    read_end(check, word);
}

// Vectors and nodes up to "end".
static void read_tree(proof_check *check)
{
    duet_proof_text *text = &check->text;
    char word[DUET_PROOF_MAX_WORD];
    size_t types = (size_t)check->model->types;
    check->numbers = duet_alloc(types * check->model->classes, sizeof *check->numbers, text->error);
    duet_code code =
        check->numbers == NULL
            ? DUET_E_MEMORY
            : duet_proof_tree_init(check->tree, check->model, check->watch->context->memory_limit,
                                   check->watch, text->error);
    if (code != DUET_OK) {
        duet_proof_text_stop(text, code);
        return;
    }
    for (;;) {
        duet_proof_text_item(text, word, "a node, a vector or 'end'");
        if (word[0] == '\0' || duet_proof_same_word(word, "end")) {
            read_end(check, word);
            return;
        }
        read_item(check, word);
    }
}

// The lines of a task graph, or of the moved instance, whose makespans have its source's tick more.
static void read_graph(proof_check *check)
{
    duet_proof_text *text = &check->text;
    duet_moved moved = {.instance = NULL};
    int64_t guess = check->bound - 1;
    const duet_instance *instance = check->instance;
    int64_t sources = check->is_moved ? 1 : 0; // with an edge to each task
    int64_t edges = instance->graph == NULL ? 0 : instance->graph->edges;
    duet_proof_graph_read_size(text, duet_tasks(instance) + sources,
                               edges + sources * duet_tasks(instance));
    if (!duet_proof_text_ok(text)) {
        return; // before the moved instance is made, which takes room
    }
    if (check->is_moved && check->bound >= DUET_MAX_WORK) {
        duet_proof_text_fail(text, "a proof with releases: expected a bound below 2^62");
    } else if (check->is_moved) {
        size_t limit = check->watch->context->memory_limit;
        duet_proof_text_place(text, duet_moved_create(instance, limit, &moved, &check->why),
                              &check->why);
        const char *differs =
            moved.instance == NULL ? NULL : duet_proof_moved_differs(check->instance, &moved);
        if (differs != NULL) {
            duet_proof_text_fail(text, "internal error: the moved instance has other %s", differs);
        }
        instance = moved.instance;
        guess += DUET_MOVED_TICKS;
    }
    if (duet_proof_text_ok(text)) {
        duet_proof_graph_read_proof(text, instance, guess, check->watch, &check->lines);
    }
    duet_moved_free(&moved);
}

static duet_proof_stats count_proof(const proof_check *check)
{
    duet_proof_stats stats = {.is_proof = check->is_proof && !check->text.unreadable,
                              .bound = check->bound,
                              .nodes = check->level[0].tree.nodes,
                              .vectors =
                                  (int64_t)check->level[0].tree.vectors + check->inner_vectors,
                              .depth = check->level[0].tree.deepest};
    if (check->is_graph) { // the root, and a node for every supposition
        stats.nodes = check->lines.suppositions + 1;
        stats.depth = check->lines.depth + 1;
    }
    return stats;
}

// Reads and checks what is open in `check`, and closes it.
static duet_code check_text(proof_check *check, int64_t bound, duet_proof_stats *stats)
{
    check->model = &check->level[0].model;
    check->tree = &check->level[0].tree;
    read_headers(check, bound);
    if (duet_proof_text_ok(&check->text) && check->instance->moldable != NULL) {
        duet_proof_text_fail(&check->text, "a proof about sequential tasks: expected an instance "
                                           "without moldable ones");
    }
    if (duet_proof_text_ok(&check->text) && check->is_graph) {
        read_graph(check);
    } else if (duet_proof_text_ok(&check->text) && check->bound == 0) {
        read_nothing(check);
    } else if (duet_proof_text_ok(&check->text)) {
        read_tree(check);
    }
    // What a stopped check has found counts for nothing.
    duet_code code = check->watch->stopped ? duet_check_stopped(check->watch, check->text.error)
                                           : check->text.code;
    if (stats != NULL) {
        *stats = count_proof(check);
    }
    for (int i = 0; i < 2; i++) {
        duet_proof_tree_free(&check->level[i].tree);
        duet_proof_model_free(&check->level[i].model);
    }
    duet_free(check->numbers);
    duet_proof_text_close(&check->text);
    return code;
}

static duet_code verify_proof(const duet_instance *instance, const char *path, int64_t bound,
                              const duet_params *params, duet_proof_stats *stats, duet_error *error)
{
    duet_context context;
    duet_code code = duet_context_init(&context, params, error);
    if (stats != NULL) {
        *stats = (duet_proof_stats){.is_proof = false};
    }
    if (code != DUET_OK) {
        return code;
    }
    if (instance->moldable != NULL) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "proofs are about sequential tasks, and these are moldable");
    }
    duet_watch watch = {.context = &context};
    proof_check check = {.instance = instance, .watch = &watch};
    duet_proof_text_open(&check.text, path, &watch, error);
    duet_check_default_memory(&context, duet_proof_text_size(&check.text));
    return check_text(&check, bound, stats);
}

duet_code duet_verify_proof(const duet_instance *instance, const char *path, int64_t bound,
                            const duet_params *params, duet_proof_stats *stats, duet_error *error)
{
    if (instance->pins == NULL) {
        return verify_proof(instance, path, bound, params, stats, error);
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    DUET_THEN(code, verify_proof(rest.instance, path, bound - rest.origin, params, stats, error));
    duet_rest_free(&rest);
    return code;
}

duet_code duet_check_lines(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error)
{
    if (certificate->lines == NULL) {
        return duet_error_set(error, DUET_E_INPUT, "certificate: expected lines");
    }
    const duet_proof_lines *lines = certificate->lines;
    proof_check check = {.instance = instance, .watch = watch};
    duet_proof_text_open_memory(&check.text, lines->text, lines->length, watch, error);
    return check_text(&check, certificate->lambda, NULL);
}
