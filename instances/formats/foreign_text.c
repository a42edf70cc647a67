// SPDX-License-Identifier: Apache-2.0
// Text in formats of other programs that are not read: what it is by its first lines, and the
// command that makes of it a format that is.
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/system/shell_word.h"
#include "instances/formats/foreign.h"

// A line, without blanks around it, and what is behind it.
typedef struct text_line {
    const char *at;
    size_t length;
    size_t indent;
    const char *next;
    const char *begin; // of the text that was searched for it
    const char *end;   // of that text
} text_line;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The first line from `at` on that is neither empty nor a comment; an empty one at the end.
static text_line take_line(const char *at, const char *end)
{
    text_line line = {.next = at, .begin = at, .end = end};
    do {
        line.at = line.next;
        const char *stop = memchr(line.at, '\n', (size_t)(end - line.at));
        stop = stop == NULL ? end : stop;
        line.next = stop + (stop < end);
        line.indent = 0;
        while (line.at < stop && is_blank(*line.at)) {
            line.at++;
            line.indent++;
        }
        line.length = (size_t)(stop - line.at);
        while (line.length > 0 && is_blank(line.at[line.length - 1])) {
            line.length--;
        }
    } while (line.next < end && (line.length == 0 || *line.at == '#'));
    return line;
}

static bool begins(const text_line *line, const char *word)
{
    size_t length = strlen(word);
    return line->length >= length && strncasecmp(line->at, word, length) == 0;
}

static bool has(const text_line *line, const char *what)
{
    size_t length = strlen(what);
    for (size_t i = 0; i + length <= line->length; i++) {
        if (memcmp(line->at + i, what, length) == 0) {
            return true;
        }
    }
    return false;
}

// "name: value" or "name:", with a name of letters, digits, '_' and '-'.
static bool is_member(const text_line *line)
{
    size_t length = 0;
    while (length < line->length &&
           (strchr("_-", line->at[length]) != NULL ||
            (line->at[length] >= '0' && line->at[length] <= '9') ||
            ((line->at[length] | 0x20) >= 'a' && (line->at[length] | 0x20) <= 'z'))) {
        length++;
    }
    return length > 0 && length < line->length && line->at[length] == ':' &&
           (length + 1 == line->length || line->at[length + 1] == ' ');
}

// Whether a number is what stands behind the name of a member.
static bool has_number(const text_line *member)
{
    const char *value = memchr(member->at, ':', member->length);
    size_t left = member->length - (size_t)(value - member->at);
    return left > 2 && strchr("0123456789.-", value[2]) != NULL;
}

// A workflow of Pegasus 5.
static bool is_pegasus(const text_line *first, const text_line *second)
{
    return (begins(first, "x-pegasus:") || begins(first, "pegasus:")) && is_member(second);
}

// "---", "- name: a", "name: x" with the like below, or "tasks:" with an indented line or an item
// below.
static bool is_yaml(const text_line *first, const text_line *second)
{
    if (begins(first, "%YAML") || (first->length == 3 && begins(first, "---"))) {
        return true;
    }
    bool members = is_member(first) && is_member(second) && *first->at >= 'a';
    if (members && (second->at[second->length - 1] == ':' || !has_number(first))) {
        return true; // records have capitals, and a task "a:" of typed-task text has numbers
    }
    if (first->length > 2 && begins(first, "- ")) {
        const char *colon = memchr(first->at, ':', first->length);
        return colon != NULL && (colon + 1 == first->at + first->length || is_blank(colon[1]));
    }
    return first->length > 1 && first->at[first->length - 1] == ':' && !has(first, " ") &&
           !has(first, ",") && (second->indent > 0 || begins(second, "- "));
}

// "[tasks]" or "[[tasks]]", and "name = value" below.
static bool is_toml(const text_line *first, const text_line *second)
{
    return begins(first, "[") && first->at[first->length - 1] == ']' && !has(first, ",") &&
           has(second, "=");
}

// "; Version: 2.2", where a header would have several semicolons, or columns below.
static bool is_swf(const text_line *first, const text_line *second)
{
    bool comment = begins(first, ";") && memchr(first->at + 1, ';', first->length - 1) == NULL;
    bool more = begins(second, ";") && memchr(second->at + 1, ';', second->length - 1) == NULL;
    return comment && (more || (!has(second, ";") && has(second, " ")));
}

static bool is_graphml(const text_line *first, const text_line *second)
{
    return begins(first, "<") && (has(first, "<graphml") || has(second, "<graphml"));
}

// "0\t1204\t...\tfoo.o\t1a2b" behind a comment that says what it is.
static bool is_ninja(const text_line *first, const text_line *second)
{
    static const char comment[] = "# ninja log v";
    (void)second;
    return has(first, "\t") && first->begin + strlen(comment) < first->at &&
           memcmp(first->begin, comment, strlen(comment)) == 0;
}

static bool is_gexf(const text_line *first, const text_line *second)
{
    return begins(first, "<") && (has(first, "<gexf") || has(second, "<gexf"));
}

// Whether a line is of bars, dashes and such alone, as those under a header of Markdown.
static bool is_rule(const text_line *line)
{
    size_t dashes = 0;
    for (size_t i = 0; i < line->length; i++) {
        if (strchr("|+-: ", line->at[i]) == NULL) {
            return false;
        }
        dashes += line->at[i] == '-';
    }
    return dashes >= 3;
}

// "| id | cpu |" with "|----|-----|" below, or "+----+-----+" above it.
static bool is_drawn_table(const text_line *first, const text_line *second)
{
    return (has(first, "|") && is_rule(second) && !is_rule(first)) ||
           (begins(first, "+-") && is_rule(first) && begins(second, "|"));
}

// "graph [", also on two lines.
static bool is_gml(const text_line *first, const text_line *second)
{
    size_t at = begins(first, "graph") ? strlen("graph") : first->length + 1;
    while (at < first->length && is_blank(first->at[at])) {
        at++;
    }
    return (at < first->length && first->at[at] == '[') ||
           (at == first->length && begins(second, "[")) ||
           (begins(first, "Creator") && begins(second, "graph"));
}

static bool is_edges(const text_line *first, const text_line *second)
{
    bool others = has(first, "{") || has(second, "{") || begins(first, "@") || begins(first, "<") ||
                  begins(first, "graph") || begins(first, "flowchart") || has(first, ";") ||
                  has(first, "\t");
    bool arrow = has(first, " -> ") || (has(first, "->") && !has(first, " "));
    return !others && arrow && !has(first, ",");
}

static bool is_project(const text_line *first, const text_line *second)
{
    return begins(first, "<") && (has(first, "schemas.microsoft.com/project") ||
                                  has(second, "schemas.microsoft.com/project"));
}

static bool is_drawn(const text_line *first, const text_line *second)
{
    if (first->length == 3 && begins(first, "---")) { // a head in YAML, as Snakemake writes it
        text_line line = *second;
        while (line.next < line.end && !(line.length == 3 && begins(&line, "---"))) {
            line = take_line(line.next, line.end);
        }
        line = take_line(line.next, line.end);
        return begins(&line, "flowchart ") || begins(&line, "graph ");
    }
    return begins(first, "@start") || begins(first, "flowchart ") ||
           (begins(first, "graph ") && first->length == 8 && first->at[7] > '9') ||
           (begins(first, "gantt") && first->length == 5);
}

// What a program says beside the graph that it writes.
static bool is_below(const text_line *first, const text_line *second)
{
    return !begins(first, "/") && !has(first, "graph") &&
           (begins(second, "digraph ") || begins(second, "strict digraph "));
}

static bool is_psplib(const text_line *first, const text_line *second)
{
    return begins(first, "****") && has(second, "basedata");
}

// {"response": {"task": {...}, ...}}, on one line or several.
static bool is_luigi(const text_line *first, const text_line *second)
{
    static const char member[] = "\"response\"";
    return begins(first, member) || (begins(first, "{") && has(first, member)) ||
           (first->length == 1 && begins(first, "{") && begins(second, member));
}

typedef struct foreign_text {
    bool (*is)(const text_line *first, const text_line *second);
    const char *what;
    const char *expected;
    const char *command; // that writes it of standard input; "": none does
    const char *with;    // behind it: the options that it takes
} foreign_text;

#define PYTHON(imports, value)                                                                     \
    "python3 -c 'import json, sys, " imports "; json.dump(" value ", sys.stdout, default=str)'"

// The tasks of a workflow of Pegasus, and what waits for what; sizes of files are left out.
#define PEGASUS                                                                                    \
    "{\"time_unit\": \"s\", \"tasks\": [{\"id\": j[\"id\"], \"group\": j.get(\"name\"), **{k: v "  \
    "for k, v "                                                                                    \
    "in j.get(\"profiles\", {}).get(\"pegasus\", {}).items() if k in (\"runtime\", \"cores\")}} "  \
    "for j "                                                                                       \
    "in w[\"jobs\"]], \"edges\": [[d[\"id\"], c] for d in w.get(\"jobDependencies\", []) for c "   \
    "in "                                                                                          \
    "d[\"children\"]]}"

// The tasks that Luigi's scheduler has run, with what each waited for.
#define LUIGI                                                                                      \
    "python3 -c 'import json, sys; r = {i: t for i, t in "                                         \
    "json.load(sys.stdin)[\"response\"].items() "                                                  \
    "if t.get(\"time_running\")}; json.dump({\"time_unit\": \"s\", \"tasks\": [{\"id\": i, "       \
    "\"group\": t.get(\"name\"), \"runtime\": t[\"last_updated\"] - t[\"time_running\"], "         \
    "\"after\": [d for d in t.get(\"deps\", []) if d in r]} for i, t in r.items()]}, sys.stdout)'"

static const foreign_text texts[] = {
    {is_luigi, "what Luigi's scheduler says of its tasks", "JSON", LUIGI, ", of those that ran"},
    {is_drawn, "a drawing in PlantUML or Mermaid", "DOT, digraph { a -> b }", "", ""},
    {is_pegasus, "a workflow of Pegasus 5", "JSON",
     PYTHON("yaml; w = yaml.safe_load(sys.stdin)", PEGASUS), ""},
    {is_yaml, "YAML", "JSON", PYTHON("yaml", "yaml.safe_load(sys.stdin)"), ""},
    {is_toml, "TOML", "JSON", PYTHON("tomllib", "tomllib.load(sys.stdin.buffer)"), ""},
    {is_graphml, "GraphML", "JSON",
     PYTHON("networkx as nx", "nx.node_link_data(nx.read_graphml(sys.stdin.buffer))"), ""},
    {is_ninja, "a log of ninja", "CSV",
     "awk -F \"\\t\" '!/^#/ {if (!n++) print \"id,cpu\"; print \"\\\"\" $4 \"\\\",\" $2 - $1}'",
     ", with --unit ms"},
    {is_gexf, "GEXF", "JSON",
     PYTHON("networkx as nx", "nx.node_link_data(nx.read_gexf(sys.stdin.buffer))"), ""},
    {is_drawn_table, "a table that is drawn with bars and dashes", "CSV",
     "sed -E \"/^[-+|: ]*$/d; s/^ *[|] *| *[|] *$//g; s/ *[|] */|/g\"", ""},
    {is_gml, "GML", "JSON",
     PYTHON("networkx as nx", "nx.node_link_data(nx.parse_gml(sys.stdin.read(), label=None))"), ""},
    {is_swf, "a workload in the Standard Workload Format", "CSV",
     "awk 'BEGIN {print \"id,release,cpu,cores\"} !/^ *(;|$)/ && $4 >= 0 {print $1 \",\" $2 \",\" "
     "$4 \",\" ($5 > 0 ? $5 : $8)}'",
     ", with --unit s"},
    {is_edges, "a list of edges", "DOT", "(echo \"digraph {\"; cat; echo \"}\")", ""},
    {is_project, "a plan of Microsoft Project",
     "CSV: save it as such, with ID, Name, Duration and Predecessors", "", ""},
    {is_below, "a graph in DOT below other text", "DOT", "sed -n \"/digraph/,\\$p\"", ""},
    {is_psplib, "a project of PSPLIB, whose tasks need several resources, which Duet does not know",
     "tasks that run on one type of processors each, as CSV or JSON", "", ""},
};

bool duet_input_is_piped(const duet_input *input)
{
    return strcmp(input->name, "-") == 0 || strcmp(input->name, "standard input") == 0;
}

duet_code duet_refuse_foreign_text(duet_input *input, duet_error *error)
{
    duet_input_fill(input, DUET_INPUT_LINE);
    const char *begin = (const char *)input->buffer + input->at;
    const char *end = (const char *)input->buffer + input->filled;
    text_line first = take_line(begin, end);
    text_line second = take_line(first.next, end);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const foreign_text *text = &texts[i];
        if (!text->is(&first, &second)) {
            continue;
        }
        bool piped = duet_input_is_piped(input);
        bool made = text->command[0] != '\0';
        char path[DUET_SHELL_WORD];
        return duet_error_set_at(
            error, DUET_E_INPUT, input->name, 1, 1, "the file is %s; expected %s%s%s%s%s%s%s",
            text->what, text->expected, made ? ": " : "", text->command, made && !piped ? " <" : "",
            made && !piped ? duet_shell_path(input->name, path) : "",
            made ? " writes it, and - reads it from standard input" : "", text->with);
    }
    return DUET_OK;
}
