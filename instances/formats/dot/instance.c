// SPDX-License-Identifier: Apache-2.0
// Instances in Graphviz's DOT language: a node is a task and its attributes are its times, an edge
// may have a cost.
//
//     digraph { platform="cpu=20,gpu=4"; a [cpu=3, gpu=1]; b [cpu=2]; a -> b [cost=2] }
//
// "cost" is the same between any two processors, "costs" a table row by row ("0 3; 3 3"), "data"
// or daggen's "size" an amount of data that costs what -O latency= and per-unit= say, else nothing.
// The graph's attributes "platform" and "time_unit" may be missing. Subgraphs only group.
#include <string.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/dot/lexer.h"
#include "instances/formats/dot/values.h"
#include "instances/formats/edge_costs.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

enum { MAX_DEPTH = 256, MAX_COSTS = DUET_MAX_TYPES * DUET_MAX_TYPES };

// Some of the nodes that were mentioned.
typedef struct node_set {
    size_t first, count; // in `mentioned`
} node_set;

// An edge that has a weight.
typedef struct weighted_edge {
    size_t edge;
    duet_read_time weight;
    int line;
} weighted_edge;

typedef struct dot_reader {
    duet_dot_lexer lexer;
    duet_builder *builder;
    duet_dot_values values;
    bool strict;       // an edge may stand twice, and is one
    duet_names joined; // edges, where it is
    size_t depth;      // of subgraphs
    char *name;        // of the statement or the attribute that is read
    // The nodes that the open statements and subgraphs mention, one after another.
    size_t *mentioned;
    size_t mentioned_count;
    size_t *seen; // per node: the last set that it was put in
    size_t seen_count;
    size_t sets;
    // The ends of the open edge statements, "a -> b -> c".
    node_set *ends;
    size_t end_count;
    // What the edges of a statement cost.
    duet_read_cost_form form;
    duet_read_time *costs;
    size_t cost_count;
    duet_negative_cost negative; // of the statement
    bool has_weight;
    duet_read_time weight; // likewise
    int weight_line;
    // Edges with weights, which are costs where the weights of nodes are times.
    weighted_edge *weighted;
    size_t weighted_count;
    size_t edges; // that were added
} dot_reader;

// Takes the current word and keeps it in `name`.
static void take_name(dot_reader *r)
{
    duet_dot_note(&r->lexer, duet_vec_reserve(r->name, r->lexer.length + 1, r->lexer.error));
    if (r->lexer.code == DUET_OK) {
        memcpy(r->name, r->lexer.text, r->lexer.length + 1);
    }
    duet_dot_next(&r->lexer);
}

// Takes a sign where there is one.
static bool take_sign(dot_reader *r, char sign)
{
    bool there = duet_dot_is_sign(&r->lexer, sign);
    if (there) {
        duet_dot_next(&r->lexer);
    }
    return there;
}

// --- attributes ----------------------------------------------------------------------------------

typedef enum attribute_owner { OF_GRAPH, OF_DEFAULTS, OF_NODE, OF_EDGE } attribute_owner;

// Whether the attribute turns an arrow for the eye alone, as "dir=back" does.
static bool is_drawn_back(const dot_reader *r)
{
    return r->lexer.code == DUET_OK && strcmp(r->name, "dir") == 0 &&
           strcmp(r->lexer.text, "back") == 0;
}

// Puts the attribute whose name is kept into the ledger, unless it says how Graphviz draws.
static void pass(dot_reader *r, duet_field_owner owner, const char *why)
{
    duet_dot_lexer *lexer = &r->lexer;
    const duet_field field = {owner, r->name, lexer->line, lexer->column};
    bool size = owner == DUET_FIELD_GRAPH_ATTRIBUTE && strcmp(r->name, "size") == 0;
    bool back = is_drawn_back(r);
    why = back ? "a -> b says that a comes first, however the edge is drawn" : why;
    if (lexer->code == DUET_OK && !size && (back || !duet_dot_draws(r->name))) {
        duet_dot_note(lexer, duet_field_pass(lexer->input->fields, &field, why, lexer->input->name,
                                             lexer->error));
    }
}

static void take_graph_attribute(dot_reader *r)
{
    if (strcmp(r->name, "platform") == 0) {
        duet_dot_take_platform(&r->values);
    } else if (strcmp(r->name, "time_unit") == 0) {
        duet_dot_note(&r->lexer,
                      duet_builder_set_time_unit(r->builder, r->lexer.text, r->lexer.error));
    } else {
        pass(r, DUET_FIELD_GRAPH_ATTRIBUTE, NULL);
    }
}

// The numbers of a text, with blanks, commas or semicolons between them.
static void take_costs(dot_reader *r)
{
    static const char between[] = " \t\n,;";
    duet_dot_lexer *lexer = &r->lexer;
    const duet_place place = {lexer->input->name, lexer->line, lexer->column};
    r->cost_count = 0;
    for (const char *at = lexer->text + strspn(lexer->text, between);
         *at != '\0' && lexer->code == DUET_OK; at += strspn(at, between)) {
        size_t length = strcspn(at, between);
        if (r->cost_count == MAX_COSTS) {
            duet_dot_fail(lexer, "too many costs; expected at most %d", MAX_COSTS);
            return;
        }
        duet_dot_note(lexer, duet_vec_grow(r->costs, r->cost_count, lexer->error));
        duet_dot_then(lexer, duet_read_cost_text(at, length, place, &r->costs[r->cost_count++],
                                                 &r->negative, lexer->error));
        at += length;
    }
}

// The cost by a name that means nothing here: what looks like one goes into the ledger with how to
// read it.
static void take_other_attribute(dot_reader *r)
{
    duet_dot_lexer *lexer = &r->lexer;
    if (strcmp(r->name, "weight") != 0) {
        bool amount = duet_field_is_amount(r->name);
        pass(r, DUET_FIELD_EDGE_ATTRIBUTE, amount ? DUET_FIELD_AMOUNT_NAME : DUET_FIELD_COST_NAME);
        return;
    }
    r->has_weight = duet_decimal_read(lexer->text, lexer->length, &r->weight.value,
                                      &r->weight.tail) == DUET_DECIMAL_OK;
    r->weight_line = lexer->line;
    if (!r->has_weight) {
        pass(r, DUET_FIELD_EDGE_ATTRIBUTE, "it is no number of at least 0");
    }
}

static void take_edge_attribute(dot_reader *r)
{
    static const struct {
        const char *name;
        duet_read_cost_form form;
    } known[] = {{"cost", DUET_COST_SAME},
                 {"costs", DUET_COST_TABLE},
                 {"data", DUET_COST_DATA},
                 {"size", DUET_COST_DATA}};
    const duet_csv_pick *pick = duet_field_pick(r->lexer.input->fields, r->name);
    if (pick == NULL && duet_field_is_ignored(r->lexer.input->fields, r->name)) {
        pass(r, DUET_FIELD_EDGE_ATTRIBUTE, NULL);
        return;
    }
    const char *name = pick == NULL ? r->name : pick->name;
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(name, known[i].name) != 0) {
        i++;
    }
    if (i == sizeof known / sizeof *known) {
        take_other_attribute(r);
        return;
    }
    if (strcmp(name, "size") == 0 && strcmp(r->lexer.text, "-1") == 0) {
        return; // SimGrid's edge without data
    }
    const duet_field_uses *fields = r->lexer.input->fields;
    if (known[i].form == DUET_COST_DATA && strcmp(r->lexer.text, "0") != 0 &&
        (fields == NULL || !fields->transfer)) {
        pass(r, DUET_FIELD_EDGE_ATTRIBUTE, DUET_FIELD_DATA_USE);
    }
    if (r->form != DUET_COST_NONE) {
        duet_dot_fail(&r->lexer, "a second cost of this edge; expected cost, costs, data or size "
                                 "alone");
    }
    r->form = known[i].form;
    take_costs(r);
    if (r->lexer.code == DUET_OK && r->form != DUET_COST_TABLE && r->cost_count != 1) {
        duet_dot_expected(&r->lexer, "one number");
    }
}

// Times of all nodes and costs of all edges at once would hide in one line of many.
static void refuse_default(dot_reader *r)
{
    bool cost = strcmp(r->name, "cost") == 0 || strcmp(r->name, "costs") == 0 ||
                strcmp(r->name, "data") == 0 || strcmp(r->name, "size") == 0;
    bool time = strcmp(r->name, "cpu") == 0 || strcmp(r->name, "gpu") == 0;
    if (cost || time) {
        duet_dot_fail(&r->lexer, "a %s for all that follow; expected it at each %s",
                      cost ? "cost" : "time", cost ? "edge" : "node");
    }
    pass(r, DUET_FIELD_GRAPH_ATTRIBUTE, "a value for all that follow is not read");
}

// "[name=value, ...] [...]", none or several.
static void read_attributes(dot_reader *r, attribute_owner owner, size_t node)
{
    duet_dot_lexer *lexer = &r->lexer;
    while (take_sign(r, '[')) {
        while (lexer->code == DUET_OK && !duet_dot_is_sign(lexer, ']')) {
            if (lexer->token != DUET_DOT_WORD) {
                duet_dot_expected(lexer, "the name of an attribute or ']'");
                return;
            }
            take_name(r);
            if (!take_sign(r, '=') || lexer->token != DUET_DOT_WORD) {
                duet_dot_expected(lexer, "\"=\" and the value of the attribute");
            }
            if (lexer->code != DUET_OK) {
                return;
            }
            if (owner == OF_GRAPH) {
                take_graph_attribute(r);
            } else if (owner == OF_NODE) {
                duet_dot_take_value(&r->values, node, r->name);
            } else if (owner == OF_EDGE) {
                take_edge_attribute(r);
            } else {
                refuse_default(r);
            }
            duet_dot_next(lexer);
            (void)(take_sign(r, ',') || take_sign(r, ';'));
        }
        duet_dot_next(lexer);
    }
}

// --- nodes and subgraphs -------------------------------------------------------------------------

static void mention(dot_reader *r, size_t node)
{
    duet_dot_lexer *lexer = &r->lexer;
    if (lexer->code != DUET_OK) {
        return;
    }
    duet_dot_note(lexer, duet_vec_push(r->mentioned, r->mentioned_count, lexer->error, node));
}

// The node of that name, whose port was read: the current token is what follows.
static node_set read_node(dot_reader *r, int line)
{
    node_set set = {r->mentioned_count, 1};
    size_t node = duet_dot_find_node(&r->values, r->name, line);
    for (int part = 0; part < 2 && take_sign(r, ':'); part++) {
        if (r->lexer.token != DUET_DOT_WORD) {
            duet_dot_expected(&r->lexer, "a port");
        }
        duet_dot_next(&r->lexer);
    }
    mention(r, node);
    return set;
}

// Each node of a subgraph counts once.
static node_set make_set(dot_reader *r, size_t first)
{
    duet_dot_lexer *lexer = &r->lexer;
    size_t nodes = r->values.names.count;
    node_set set = {first, 0};
    duet_dot_then(lexer, duet_vec_reserve(r->seen, nodes, lexer->error));
    if (lexer->code != DUET_OK) {
        return set;
    }
    for (; r->seen_count < nodes; r->seen_count++) {
        r->seen[r->seen_count] = 0;
    }
    r->sets++;
    for (size_t i = first; i < r->mentioned_count; i++) {
        size_t node = r->mentioned[i];
        if (r->seen[node] != r->sets) {
            r->seen[node] = r->sets;
            r->mentioned[first + set.count++] = node;
        }
    }
    r->mentioned_count = first + set.count;
    return set;
}

static void read_statement(dot_reader *r);

// Up to the '}' that ends them, whose '{' is taken.
static void read_statements(dot_reader *r)
{
    while (r->lexer.code == DUET_OK && !duet_dot_is_sign(&r->lexer, '}')) {
        read_statement(r);
        (void)take_sign(r, ';');
        if (r->depth == 0) {
            r->mentioned_count = 0;
        }
    }
}

// "subgraph name { ... }" or "{ ... }".
static node_set read_subgraph(dot_reader *r) // NOLINT(misc-no-recursion): bounded by MAX_DEPTH
{
    size_t first = r->mentioned_count;
    if (duet_dot_is_keyword(&r->lexer, "subgraph")) {
        duet_dot_next(&r->lexer);
        if (r->lexer.token == DUET_DOT_WORD) {
            duet_dot_next(&r->lexer);
        }
    }
    if (!duet_dot_is_sign(&r->lexer, '{')) {
        duet_dot_expected(&r->lexer, "'{'");
    }
    if (r->depth == MAX_DEPTH) {
        duet_dot_fail(&r->lexer, "subgraphs too deep; expected at most %d", MAX_DEPTH);
    }
    if (r->lexer.code == DUET_OK) {
        duet_dot_next(&r->lexer);
        r->depth++;
        read_statements(r);
        r->depth--;
        duet_dot_next(&r->lexer);
    }
    return make_set(r, first);
}

// --- edges ---------------------------------------------------------------------------------------

// Whether this edge, of a strict graph, is there already; its number.
static bool is_repeated(dot_reader *r, size_t from, size_t to, uint32_t *number)
{
    char text[64];
    size_t before = r->joined.count;
    snprintf(text, sizeof text, "%zu %zu", from, to);
    duet_dot_note(&r->lexer, duet_names_add(&r->joined, 0, text, number, r->lexer.error));
    return r->lexer.code == DUET_OK && *number < before;
}

// Keeps the weight of an edge until it is known whether it is a cost.
static void keep_weight(dot_reader *r, size_t edge)
{
    duet_dot_lexer *lexer = &r->lexer;
    if (lexer->code != DUET_OK || !r->has_weight || r->form != DUET_COST_NONE) {
        return;
    }
    duet_dot_note(lexer, duet_vec_push(r->weighted, r->weighted_count, lexer->error,
                                       (weighted_edge){edge, r->weight, r->weight_line}));
}

static void add_edge(dot_reader *r, size_t from, size_t to, int line)
{
    uint32_t number = 0;
    bool repeated = r->strict && is_repeated(r, from, to, &number);
    if (r->lexer.code != DUET_OK) {
        return;
    }
    if (r->negative.text[0] != '\0') {
        duet_dot_note(&r->lexer, duet_refuse_negative_cost(&r->negative, r->lexer.input->name,
                                                           duet_names_text(&r->values.names, from),
                                                           duet_names_text(&r->values.names, to),
                                                           r->lexer.error));
        return;
    }
    const duet_read_edge edge = {.from = {.task = (int64_t)from},
                                 .to = {.task = (int64_t)to},
                                 .form = r->form,
                                 .cost = r->costs,
                                 .cost_count = r->cost_count,
                                 .line = line};
    if (!repeated) {
        number = (uint32_t)r->edges++;
        duet_dot_note(&r->lexer, duet_builder_add_edge(r->builder, &edge, r->lexer.error));
    } else if (r->form != DUET_COST_NONE) { // of what is said of an edge twice the last counts
        duet_dot_note(&r->lexer,
                      duet_builder_change_cost(r->builder, number, &edge, r->lexer.error));
    }
    keep_weight(r, number);
}

// Makes costs of the weights, or puts them into the ledger.
static void settle_weights(dot_reader *r)
{
    duet_dot_lexer *lexer = &r->lexer;
    for (size_t i = 0; i < r->weighted_count && lexer->code == DUET_OK; i++) {
        const weighted_edge *weighted = &r->weighted[i];
        const duet_read_edge edge = {.form = DUET_COST_SAME,
                                     .cost = &weighted->weight,
                                     .cost_count = 1,
                                     .line = weighted->line};
        const duet_field field = {DUET_FIELD_EDGE_ATTRIBUTE, "weight", weighted->line, 0};
        duet_dot_note(
            lexer, r->values.weights
                       ? duet_builder_change_cost(r->builder, weighted->edge, &edge, lexer->error)
                       : duet_field_pass(lexer->input->fields, &field,
                                         "to Graphviz it says how to draw; where it is "
                                         "a cost, --columns cost=weight says so",
                                         lexer->input->name, lexer->error));
    }
}

static void add_edges(dot_reader *r, size_t first_end, int line)
{
    for (size_t i = first_end; i + 1 < r->end_count; i++) {
        duet_uint128 pairs = (duet_uint128)r->ends[i].count * r->ends[i + 1].count;
        duet_dot_then(&r->lexer,
                      duet_builder_announce_edges(r->builder, pairs, line, 0, r->lexer.error));
        for (size_t a = 0; a < r->ends[i].count; a++) {
            for (size_t b = 0; b < r->ends[i + 1].count && r->lexer.code == DUET_OK; b++) {
                add_edge(r, r->mentioned[r->ends[i].first + a],
                         r->mentioned[r->ends[i + 1].first + b], line);
            }
        }
    }
}

// The nodes of a list, "a, b", of which the first has been named.
static node_set read_nodes(dot_reader *r, int line)
{
    duet_dot_lexer *lexer = &r->lexer;
    node_set set = read_node(r, line);
    while (lexer->code == DUET_OK && take_sign(r, ',')) {
        if (lexer->token != DUET_DOT_WORD) {
            duet_dot_expected(lexer, "a node behind ','");
            break;
        }
        int at = lexer->line;
        take_name(r);
        set.count += lexer->code == DUET_OK ? read_node(r, at).count : 0;
    }
    return set;
}

static void keep_end(dot_reader *r, node_set end)
{
    duet_dot_lexer *lexer = &r->lexer;
    duet_dot_then(lexer, duet_vec_push(r->ends, r->end_count, lexer->error, end));
}

// What follows the first end.
static void read_edges(dot_reader *r, node_set end) // NOLINT(misc-no-recursion)
{
    duet_dot_lexer *lexer = &r->lexer;
    size_t first = r->end_count;
    int line = lexer->line;
    keep_end(r, end);
    while (lexer->token == DUET_DOT_ARROW) {
        duet_dot_next(lexer);
        if (duet_dot_is_sign(lexer, '{') || duet_dot_is_keyword(lexer, "subgraph")) {
            keep_end(r, read_subgraph(r));
        } else if (lexer->token == DUET_DOT_WORD) {
            int at = lexer->line;
            take_name(r);
            keep_end(r, read_nodes(r, at));
        } else {
            duet_dot_expected(lexer, "a node behind '->'");
        }
    }
    r->form = DUET_COST_NONE;
    r->cost_count = 0;
    r->negative = (duet_negative_cost){.text = ""};
    r->has_weight = false;
    read_attributes(r, OF_EDGE, 0);
    add_edges(r, first, line);
    r->end_count = first;
}

// --- statements ----------------------------------------------------------------------------------

// "name = value", "name [...]" or "name -> ...".
static void read_named(dot_reader *r) // NOLINT(misc-no-recursion)
{
    duet_dot_lexer *lexer = &r->lexer;
    int line = lexer->line;
    take_name(r);
    if (take_sign(r, '=')) {
        if (lexer->token != DUET_DOT_WORD) {
            duet_dot_expected(lexer, "the value of the attribute");
        } else if (r->depth == 0) {
            take_graph_attribute(r);
        } else {
            pass(r, DUET_FIELD_GRAPH_ATTRIBUTE, "it is one of a subgraph, which only groups");
        }
        duet_dot_next(lexer);
        return;
    }
    node_set set = lexer->code == DUET_OK ? read_nodes(r, line) : (node_set){0, 0};
    if (lexer->token == DUET_DOT_ARROW) {
        read_edges(r, set);
    } else if (set.count > 1 && duet_dot_is_sign(lexer, '[')) {
        duet_dot_fail(lexer, "attributes of several nodes; expected them behind each node");
    } else if (lexer->code == DUET_OK) {
        read_attributes(r, OF_NODE, r->mentioned[set.first]);
    }
}

static void read_statement(dot_reader *r) // NOLINT(misc-no-recursion)
{
    duet_dot_lexer *lexer = &r->lexer;
    if (duet_dot_is_keyword(lexer, "graph")) {
        duet_dot_next(lexer);
        read_attributes(r, r->depth == 0 ? OF_GRAPH : OF_DEFAULTS, 0);
    } else if (duet_dot_is_keyword(lexer, "node") || duet_dot_is_keyword(lexer, "edge")) {
        duet_dot_next(lexer);
        read_attributes(r, OF_DEFAULTS, 0);
    } else if (duet_dot_is_sign(lexer, '{') || duet_dot_is_keyword(lexer, "subgraph")) {
        node_set set = read_subgraph(r);
        if (lexer->token == DUET_DOT_ARROW) {
            read_edges(r, set);
        }
    } else if (lexer->token == DUET_DOT_WORD) {
        read_named(r);
    } else if (!take_sign(r, ';')) {
        duet_dot_expected(lexer, "a node, an edge or '}'");
    }
    if (lexer->token == DUET_DOT_LINE) {
        duet_dot_fail(lexer,
                      "an edge without a direction; expected \"->\" between the task that comes "
                      "first and the one that waits for it");
    }
}

static void read_graph(dot_reader *r)
{
    duet_dot_lexer *lexer = &r->lexer;
    duet_dot_next(lexer);
    r->strict = duet_dot_is_keyword(lexer, "strict");
    if (r->strict) {
        duet_dot_next(lexer);
    }
    if (duet_dot_is_keyword(lexer, "graph")) {
        duet_dot_fail(lexer, "an undirected graph, whose edges do not say what comes first; "
                             "expected digraph { a -> b }");
    }
    if (!duet_dot_is_keyword(lexer, "digraph")) {
        duet_dot_expected(lexer, "a directed graph, digraph { ... }");
    }
    duet_dot_next(lexer);
    if (lexer->token == DUET_DOT_WORD) {
        duet_dot_next(lexer);
    }
    if (!take_sign(r, '{')) {
        duet_dot_expected(lexer, "'{'");
    }
    read_statements(r);
    duet_dot_next(lexer);
    if (lexer->token != DUET_DOT_END) {
        duet_dot_expected(lexer, "the end of the file behind the graph's '}'");
    }
}

duet_code duet_read_instance_dot(duet_input *input, duet_builder *builder, duet_error *error)
{
    static const duet_read_transfer free_data = {.line = 0};
    dot_reader r = {.lexer = {.input = input, .error = error}, .builder = builder};
    r.values.lexer = &r.lexer;
    r.values.builder = builder;
    duet_dot_note(&r.lexer, duet_builder_set_transfer(builder, &free_data, error));
    read_graph(&r);
    duet_dot_build(&r.values);
    settle_weights(&r);
    duet_dot_then(&r.lexer, duet_field_check_picks(input->fields, input->name, error));
    duet_dot_free_values(&r.values);
    duet_dot_free(&r.lexer);
    duet_names_free(&r.joined);
    duet_free(r.name);
    duet_free(r.mentioned);
    duet_free(r.seen);
    duet_free(r.ends);
    duet_free(r.costs);
    duet_free(r.weighted);
    return r.lexer.code;
}
