// SPDX-License-Identifier: Apache-2.0
// Checks the proof of a search: reads its items one by one and walks through its tree. Includes no
// solver header: this is what an outsider trusts. Why each node proves what it does:
// docs/theory.md.
#include <duet/check.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/proof/text.h"
#include "check/proof/tree.h"
#include "core/memory.h"

typedef struct proof_check {
    const duet_instance *instance;
    const duet_context *context;
    duet_proof_text text;
    duet_proof_model model;
    duet_proof_tree tree;
    int64_t bound;   // of the file
    int64_t *prices; // of a line: two per class
    duet_error why;  // without a place in the file
} proof_check;

// Passes on what failed in a node or a vector, with the place of its line.
static duet_code place(proof_check *check, duet_code code, duet_error *error)
{
    if (code != DUET_OK) {
        duet_proof_text_place(&check->text, &check->why, error);
    }
    return code;
}

// An item of one name and one number.
static duet_code read_header(proof_check *check, const char *name, const char *what,
                             int64_t *number, duet_error *error)
{
    char word[DUET_PROOF_MAX_WORD];
    char expected[64];
    snprintf(expected, sizeof expected, "'%s' and %s", name, what);
    duet_code code = duet_proof_text_item(&check->text, word, expected, error);
    if (code == DUET_OK && strcmp(word, name) != 0) {
        return duet_proof_text_fail(&check->text, error, "expected %s, found %s", expected,
                                    word[0] == '\0' ? "the end of the file" : word);
    }
    code = code == DUET_OK ? duet_proof_text_number(&check->text, number, what, error) : code;
    return code == DUET_OK ? duet_proof_text_finish(&check->text, error) : code;
}

static duet_code read_headers(proof_check *check, int64_t bound, bool *is_proof, duet_error *error)
{
    int64_t version = 0;
    int64_t classes = 0;
    duet_code code = read_header(check, "duet-proof", "its version", &version, error);
    if (code == DUET_OK && version != 1) {
        return duet_proof_text_fail(&check->text, error,
                                    "expected version 1 of the proof, found %" PRId64, version);
    }
    *is_proof = code == DUET_OK;
    code = code == DUET_OK ? read_header(check, "bound", "the bound in ticks", &check->bound, error)
                           : code;
    if (code != DUET_OK) {
        return code;
    }
    if (check->bound < 1 || check->bound > DUET_MAX_WORK || check->bound < bound) {
        return duet_proof_text_fail(&check->text, error,
                                    "a proof of the bound %" PRId64 ": expected one of at least "
                                    "%" PRId64 ", and at most 2^62",
                                    check->bound, bound > 1 ? bound : 1);
    }
    code = read_header(check, "classes", "the number of classes", &classes, error);
    if (code == DUET_OK) {
        code = place(
            check,
            duet_proof_model_init(&check->model, check->instance, check->bound - 1, &check->why),
            error);
    }
    if (code == DUET_OK && (uint64_t)classes != check->model.classes) {
        return duet_proof_text_fail(&check->text, error,
                                    "%" PRId64 " classes: expected %zu, as the instance has within "
                                    "%" PRId64 " ticks",
                                    classes, check->model.classes, check->bound - 1);
    }
    return code;
}

// "area wC wG"
static duet_code read_area(proof_check *check, duet_proof_vector *vector, duet_error *error)
{
    int64_t weights[DUET_PROOF_TYPES] = {0};
    duet_code code = duet_proof_text_number(&check->text, &weights[0], "the CPU weight", error);
    if (code == DUET_OK) {
        code = duet_proof_text_number(&check->text, &weights[1], "the GPU weight", error);
    }
    if (code == DUET_OK) {
        code = place(check, duet_proof_vector_area(vector, &check->model, weights, &check->why),
                     error);
    }
    return code;
}

// "prices set|area|listed MC set|area|listed MG uC uG ...", a pair for each class
static duet_code read_prices(proof_check *check, duet_proof_vector *vector, duet_error *error)
{
    duet_price_mode modes[DUET_PROOF_TYPES] = {DUET_PRICE_SET, DUET_PRICE_SET};
    bool listed[DUET_PROOF_TYPES] = {false, false};
    int64_t limits[DUET_PROOF_TYPES] = {0};
    duet_code code = DUET_OK;
    for (int t = 0; t < DUET_PROOF_TYPES && code == DUET_OK; t++) {
        char mode[DUET_PROOF_MAX_WORD];
        code = duet_proof_text_word(&check->text, mode, "'set', 'area' or 'listed'", error);
        if (code == DUET_OK && strcmp(mode, "area") == 0) {
            modes[t] = DUET_PRICE_AREA;
        } else if (code == DUET_OK && strcmp(mode, "listed") == 0) {
            listed[t] = true;
        } else if (code == DUET_OK && strcmp(mode, "set") != 0) {
            return duet_proof_text_fail(&check->text, error,
                                        "expected 'set', 'area' or 'listed', found '%s'", mode);
        }
        if (code == DUET_OK) {
            code = duet_proof_text_number(&check->text, &limits[t], "a limit", error);
        }
    }
    for (size_t i = 0; i < 2 * check->model.classes && code == DUET_OK; i++) {
        code = duet_proof_text_number(&check->text, &check->prices[i], "two prices for each class",
                                      error);
    }
    if (code == DUET_OK) {
        code = place(check,
                     duet_proof_vector_prices(vector, &check->model, modes, listed, limits,
                                              check->prices, check->context, &check->why),
                     error);
    }
    return code;
}

// "counts E p ...", prices of the open counts, where the line goes on
static duet_code read_count_prices(proof_check *check, duet_proof_vector *vector, duet_error *error)
{
    char word[DUET_PROOF_MAX_WORD];
    int64_t counts = 0;
    duet_code code =
        duet_proof_text_word(&check->text, word, "'counts' or the end of the line", error);
    if (code == DUET_OK && strcmp(word, "counts") != 0) {
        return duet_proof_text_fail(&check->text, error,
                                    "expected 'counts' or the end of the line, found '%s'", word);
    }
    if (code == DUET_OK) {
        code = duet_proof_text_number(&check->text, &counts, "the number of counts", error);
    }
    if (code == DUET_OK && (uint64_t)counts > check->tree.counts) {
        return duet_proof_text_fail(&check->text, error,
                                    "prices of %" PRId64 " counts: expected at most the %zu that "
                                    "are open",
                                    counts, check->tree.counts);
    }
    int64_t *prices = code == DUET_OK ? duet_alloc((size_t)counts, sizeof *prices, error) : NULL;
    if (prices == NULL) {
        return code == DUET_OK ? DUET_E_MEMORY : code;
    }
    for (int64_t i = 0; i < counts && code == DUET_OK; i++) {
        code = duet_proof_text_number(&check->text, &prices[i], "a price for each count", error);
    }
    if (code == DUET_OK) {
        code = place(check, duet_proof_vector_count(vector, prices, (size_t)counts, &check->why),
                     error);
    }
    duet_free(prices);
    return code;
}

static duet_code read_vector(proof_check *check, bool is_area, duet_error *error)
{
    duet_proof_vector vector = {.owned = NULL};
    duet_code code =
        is_area ? read_area(check, &vector, error) : read_prices(check, &vector, error);
    if (code == DUET_OK && !is_area && duet_proof_text_more(&check->text)) {
        code = read_count_prices(check, &vector, error);
    }
    code = code == DUET_OK ? duet_proof_text_finish(&check->text, error) : code;
    if (code == DUET_OK) {
        code = place(check, duet_proof_tree_add_vector(&check->tree, &vector, &check->why), error);
    }
    if (code != DUET_OK) {
        duet_proof_vector_free(&vector);
    }
    return code;
}

// "nowhere c", "price v", "knapsack v", "branch c a", with the word taken
static duet_code read_simple(proof_check *check, const char *word, bool *known, duet_error *error)
{
    duet_proof_text *text = &check->text;
    int64_t first = 0;
    int64_t second = 0;
    bool price = strcmp(word, "price") == 0;
    bool branch = strcmp(word, "branch") == 0;
    bool knapsack = strcmp(word, "knapsack") == 0;
    *known = price || branch || knapsack || strcmp(word, "nowhere") == 0;
    if (!*known) {
        return DUET_OK;
    }
    duet_code code = duet_proof_text_number(
        text, &first, price || knapsack ? "the number of a vector" : "the number of a class",
        error);
    if (code == DUET_OK && branch) {
        code = duet_proof_text_number(text, &second, "a number of tasks", error);
    }
    code = code == DUET_OK ? duet_proof_text_finish(text, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    duet_proof_tree *tree = &check->tree;
    return place(check,
                 price      ? duet_proof_price(tree, first, &check->why)
                 : branch   ? duet_proof_branch(tree, first, second, &check->why)
                 : knapsack ? duet_proof_divide(tree, first, &check->why)
                            : duet_proof_nowhere(tree, first, &check->why),
                 error);
}

// "cpu" or "gpu"
static duet_code read_type(proof_check *check, int *type, duet_error *error)
{
    char word[DUET_PROOF_MAX_WORD] = "";
    duet_code code = duet_proof_text_word(&check->text, word, "'cpu' or 'gpu'", error);
    *type = strcmp(word, "gpu") == 0 ? DUET_PROOF_GPU : DUET_PROOF_CPU;
    if (code == DUET_OK && *type == DUET_PROOF_CPU && strcmp(word, "cpu") != 0) {
        return duet_proof_text_fail(&check->text, error, "expected 'cpu' or 'gpu', found '%s'",
                                    word);
    }
    return code;
}

// "v T", with which covers and lists begin
static duet_code read_priced_type(proof_check *check, int64_t *vector, int *type, duet_error *error)
{
    duet_code code = duet_proof_text_number(&check->text, vector, "the number of a vector", error);
    return code == DUET_OK ? read_type(check, type, error) : code;
}

// "count T h a n c ...", with the word taken
static duet_code read_count(proof_check *check, duet_error *error)
{
    static const char *const what[] = {"a number of tasks", "a number of patterns",
                                       "the number of classes"};
    duet_proof_text *text = &check->text;
    int type = DUET_PROOF_CPU;
    int64_t number[3] = {0};
    duet_code code = read_type(check, &type, error);
    for (int i = 0; i < 3 && code == DUET_OK; i++) {
        code = duet_proof_text_number(text, &number[i], what[i], error);
    }
    if (code == DUET_OK && (uint64_t)number[2] > check->model.classes) {
        return duet_proof_text_fail(text, error, "%" PRId64 " classes: expected at most the %zu",
                                    number[2], check->model.classes);
    }
    for (int64_t i = 0; i < number[2] && code == DUET_OK; i++) {
        code = duet_proof_text_number(text, &check->prices[i], "the number of a class", error);
    }
    code = code == DUET_OK ? duet_proof_text_finish(text, error) : code;
    return code == DUET_OK
               ? place(check,
                       duet_proof_count_patterns(&check->tree, type, number[0], number[1],
                                                 check->prices, (size_t)number[2], &check->why),
                       error)
               : code;
}

// "list v T N", with the word taken
static duet_code read_list(proof_check *check, duet_error *error)
{
    duet_proof_text *text = &check->text;
    int64_t vector = 0;
    int64_t patterns = 0;
    int type = DUET_PROOF_CPU;
    duet_code code = read_priced_type(check, &vector, &type, error);
    if (code == DUET_OK) {
        code = duet_proof_text_number(text, &patterns, "the number of patterns", error);
    }
    code = code == DUET_OK ? duet_proof_text_finish(text, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    return place(check, duet_proof_list(&check->tree, vector, type, patterns, &check->why), error);
}

// "cover v T c N", with the word taken
static duet_code read_cover(proof_check *check, duet_error *error)
{
    duet_proof_text *text = &check->text;
    int64_t vector = 0;
    int64_t class = 0;
    int64_t children = 0;
    int type = DUET_PROOF_CPU;
    duet_code code = read_priced_type(check, &vector, &type, error);
    if (code == DUET_OK) {
        code = duet_proof_text_number(text, &class, "the number of a class", error);
    }
    if (code == DUET_OK) {
        code = duet_proof_text_number(text, &children, "the number of children", error);
    }
    code = code == DUET_OK ? duet_proof_text_finish(text, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    return place(check, duet_proof_cover(&check->tree, vector, type, class, children, &check->why),
                 error);
}

// Vectors and nodes up to "end".
static duet_code read_items(proof_check *check, duet_error *error)
{
    char word[DUET_PROOF_MAX_WORD];
    duet_code code = DUET_OK;
    while (code == DUET_OK) {
        code = duet_proof_text_item(&check->text, word, "a node, a vector or 'end'", error);
        if (code != DUET_OK || word[0] == '\0' || strcmp(word, "end") == 0) {
            break;
        }
        bool known = true;
        if (strcmp(word, "cover") == 0) {
            code = read_cover(check, error);
        } else if (strcmp(word, "list") == 0) {
            code = read_list(check, error);
        } else if (strcmp(word, "count") == 0) {
            code = read_count(check, error);
        } else if (strcmp(word, "area") == 0 || strcmp(word, "prices") == 0) {
            code = read_vector(check, word[0] == 'a', error);
        } else {
            code = read_simple(check, word, &known, error);
        }
        if (!known) {
            return duet_proof_text_fail(&check->text, error,
                                        "expected a node, a vector or 'end', found '%s'", word);
        }
    }
    if (code == DUET_OK && word[0] == '\0') {
        return duet_proof_text_fail(&check->text, error, "expected %s, found the end of the file",
                                    check->tree.done ? "'end'" : "the next node");
    }
    if (code == DUET_OK && !check->tree.done) {
        return duet_proof_text_fail(&check->text, error,
                                    "'end' before all children are there: expected the next node, "
                                    "%zu levels below the root",
                                    check->tree.depth);
    }
    code = code == DUET_OK ? duet_proof_text_finish(&check->text, error) : code;
    code = code == DUET_OK ? duet_proof_text_item(&check->text, word, "nothing after 'end'", error)
                           : code;
    if (code == DUET_OK && word[0] != '\0') {
        return duet_proof_text_fail(&check->text, error, "expected nothing after 'end', found '%s'",
                                    word);
    }
    return code;
}

static duet_code read_tree(proof_check *check, duet_error *error)
{
    check->prices = duet_alloc(2 * check->model.classes, sizeof *check->prices, error);
    if (check->prices == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_proof_tree_init(&check->tree, &check->model, check->context, error);
    return code == DUET_OK ? read_items(check, error) : code;
}

duet_code duet_verify_proof(const duet_instance *instance, const char *path, int64_t bound,
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
    proof_check check = {.instance = instance, .context = &context};
    bool is_proof = false;
    code = duet_proof_text_open(&check.text, path, error);
    if (code == DUET_OK) {
        code = read_headers(&check, bound, &is_proof, error);
    }
    if (code == DUET_OK) {
        code = read_tree(&check, error);
    }
    if (stats != NULL) {
        *stats = (duet_proof_stats){.is_proof = is_proof && !check.text.failed,
                                    .bound = check.bound,
                                    .nodes = check.tree.nodes,
                                    .vectors = (int64_t)check.tree.vectors,
                                    .depth = check.tree.deepest};
    }
    duet_proof_tree_free(&check.tree);
    duet_proof_model_free(&check.model);
    duet_free(check.prices);
    duet_proof_text_close(&check.text);
    return code;
}
