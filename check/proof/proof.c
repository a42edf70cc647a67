// SPDX-License-Identifier: Apache-2.0
// Checks the proof of a search: reads its headers, and then the items of its tree or the lines of a
// task graph. Includes no solver header: this is what an outsider trusts.
#include "check/proof/proof.h"

#include <duet/check.h>
#include <inttypes.h>

#include "check/proof/proof_state.h"
#include "core/instance/rest.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// An item of one name and one number.
static int64_t read_header(duet_proof_check *check, const char *name, const char *what)
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
static void read_subject(duet_proof_check *check)
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
static void read_headers(duet_proof_check *check, int64_t bound)
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

// After the last item: its word is "end", or "" at the end of the file.
static void read_end(duet_proof_check *check, const char *last)
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
static void read_nothing(duet_proof_check *check)
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
static void read_tree(duet_proof_check *check)
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
        duet_proof_read_item(check, word);
    }
}

// The lines of a task graph, or of the moved instance, whose makespans have its source's tick more.
static void read_graph(duet_proof_check *check)
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

static duet_proof_stats count_proof(const duet_proof_check *check)
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
static duet_code check_text(duet_proof_check *check, int64_t bound, duet_proof_stats *stats)
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
    duet_proof_check check = {.instance = instance, .watch = &watch};
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
    duet_proof_check check = {.instance = instance, .watch = watch};
    duet_proof_text_open_memory(&check.text, lines->text, lines->length, watch, error);
    return check_text(&check, certificate->lambda, NULL);
}
