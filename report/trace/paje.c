// SPDX-License-Identifier: Apache-2.0
// The Pajé trace format (Schnorr, "Paje trace file format", version 1.2.5), which ViTE and pj_dump
// read: a container per processor type and, inside, one per processor; the state of a processor is
// the kind it runs, "idle" or "aborted". An edge of a task graph is a link from the processor where
// the one task ends to the one where the other starts. Times stay in the instance's unit, exactly.
#include <stdlib.h>

#include "core/instance/clock.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/palette.h"
#include "report/texts.h"
#include "report/trace/trace.h"

static const char definitions[] = "%EventDef PajeDefineContainerType 0\n"
                                  "%       Alias string\n"
                                  "%       Type string\n"
                                  "%       Name string\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeDefineStateType 1\n"
                                  "%       Alias string\n"
                                  "%       Type string\n"
                                  "%       Name string\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeDefineEntityValue 2\n"
                                  "%       Alias string\n"
                                  "%       Type string\n"
                                  "%       Name string\n"
                                  "%       Color color\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeCreateContainer 3\n"
                                  "%       Time date\n"
                                  "%       Alias string\n"
                                  "%       Type string\n"
                                  "%       Container string\n"
                                  "%       Name string\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeDestroyContainer 4\n"
                                  "%       Time date\n"
                                  "%       Type string\n"
                                  "%       Name string\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeSetState 5\n"
                                  "%       Time date\n"
                                  "%       Type string\n"
                                  "%       Container string\n"
                                  "%       Value string\n"
                                  "%       Task string\n"
                                  "%EndEventDef\n";

static const char link_definitions[] = "%EventDef PajeDefineLinkType 6\n"
                                       "%       Alias string\n"
                                       "%       Type string\n"
                                       "%       StartContainerType string\n"
                                       "%       EndContainerType string\n"
                                       "%       Name string\n"
                                       "%EndEventDef\n"
                                       "%EventDef PajeStartLink 7\n"
                                       "%       Time date\n"
                                       "%       Type string\n"
                                       "%       Container string\n"
                                       "%       StartContainer string\n"
                                       "%       Value string\n"
                                       "%       Key string\n"
                                       "%EndEventDef\n"
                                       "%EventDef PajeEndLink 8\n"
                                       "%       Time date\n"
                                       "%       Type string\n"
                                       "%       Container string\n"
                                       "%       EndContainer string\n"
                                       "%       Value string\n"
                                       "%       Key string\n"
                                       "%EndEventDef\n";

enum {
    DEFINE_CONTAINER,
    DEFINE_STATE,
    DEFINE_VALUE,
    CREATE,
    DESTROY,
    SET_STATE,
    DEFINE_LINK,
    START_LINK,
    END_LINK
};

// What happens at an instant, in the order in which it is told there.
typedef enum change_kind { STARTS, ENDS, LINK_STARTS, LINK_ENDS } change_kind;

typedef struct change {
    int64_t time;
    int64_t at; // index into the sorted intervals, or edge
    change_kind kind;
} change;

// The format has no escapes: what would end a string or a line is replaced.
static void put_string(FILE *stream, const char *text)
{
    char room[DUET_CLEAN_CHARACTER];
    fputc('"', stream);
    while (*text != '\0') {
        const char *shown = duet_clean_character(&text, room);
        fputs(shown[0] == '"' ? "'" : shown, stream);
    }
    fputc('"', stream);
}

static void put_value(FILE *stream, const char *alias, const char *name, duet_colour colour)
{
    fprintf(stream, "%d %s S ", DEFINE_VALUE, alias);
    put_string(stream, name);
    fprintf(stream, " \"%.3f %.3f %.3f\"\n", colour.r, colour.g, colour.b);
}

static void put_types(FILE *stream, const duet_instance *instance)
{
    fprintf(stream, "%d M 0 \"machine\"\n", DEFINE_CONTAINER);
    fprintf(stream, "%d T M \"processor type\"\n", DEFINE_CONTAINER);
    fprintf(stream, "%d P T \"processor\"\n", DEFINE_CONTAINER);
    fprintf(stream, "%d S P \"state\"\n", DEFINE_STATE);
    put_value(stream, "i", "idle", (duet_colour){0.92, 0.93, 0.94});
    put_value(stream, "a", "aborted", (duet_colour){0.75, 0.0, 0.1});
    duet_colour colours[DUET_PALETTE_SIZE];
    const char *names[DUET_PALETTE_SIZE];
    bool few = instance->kinds <= DUET_PALETTE_SIZE;
    for (size_t kind = 0; few && kind < instance->kinds; kind++) {
        names[kind] = duet_instance_kind_id(instance, kind);
    }
    if (few) {
        duet_palette_assign(instance->kinds, names, colours);
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        char alias[32];
        const char *name = duet_instance_kind_id(instance, kind);
        snprintf(alias, sizeof alias, "k%zu", kind);
        put_value(stream, alias, name, few ? colours[kind] : duet_palette_colour(name));
    }
}

static void put_processor(FILE *stream, const duet_instance *instance, size_t type,
                          int64_t processor)
{
    char name[512];
    char number[32];
    const char *own = duet_processor_name(instance, type, processor);
    snprintf(number, sizeof number, "%lld", (long long)processor);
    snprintf(name, sizeof name, "%.250s %.250s", instance->type_names[type],
             own == NULL ? number : own);
    fprintf(stream, "%d 0 t%zup%lld P t%zu ", CREATE, type, (long long)processor, type);
    put_string(stream, name);
    fputc('\n', stream);
    fprintf(stream, "%d 0 S t%zup%lld i \"\"\n", SET_STATE, type, (long long)processor);
}

static void put_containers(FILE *stream, const duet_instance *instance,
                           const duet_intervals *intervals)
{
    fprintf(stream, "%d 0 m M 0 ", CREATE);
    put_string(stream, instance->name);
    fputc('\n', stream);
    for (size_t type = 0; type < instance->types; type++) {
        fprintf(stream, "%d 0 t%zu T m ", CREATE, type);
        put_string(stream, instance->type_names[type]);
        fputc('\n', stream);
    }
    duet_trace_processors(instance, intervals, put_processor, stream);
}

// Links after intervals, an edge's own in order: both may be at one instant.
static int compare_changes(const void *left, const void *right)
{
    const change *a = left;
    const change *b = right;
    bool link_a = a->kind >= LINK_STARTS;
    bool link_b = b->kind >= LINK_STARTS;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    if (link_a != link_b) {
        return link_a ? 1 : -1;
    }
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return (int)a->kind - (int)b->kind;
}

static bool followed_at_once(const duet_intervals *intervals, size_t at)
{
    const duet_interval *interval = &intervals->interval[at];
    const duet_interval *next = interval + 1;
    return at + 1 < intervals->count && next->type == interval->type &&
           next->processor == interval->processor && next->start <= interval->end;
}

// What is drawn.
typedef struct paje {
    FILE *stream;
    const duet_instance *instance;
    const duet_solution *solution;
    const duet_intervals *intervals;
} paje;

static size_t list_changes(const paje *p, change *changes)
{
    const duet_intervals *intervals = p->intervals;
    const duet_graph *graph = p->instance->graph;
    size_t count = 0;
    size_t near = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        changes[count++] = (change){intervals->interval[i].start, (int64_t)i, STARTS};
        if (!followed_at_once(intervals, i)) {
            changes[count++] = (change){intervals->interval[i].end, (int64_t)i, ENDS};
        }
    }
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        duet_placement head = duet_solution_place(p->solution, graph->head[e], &near);
        changes[count++] =
            (change){duet_solution_end(p->solution, p->instance, graph->tail[e]), e, LINK_STARTS};
        changes[count++] = (change){head.start, e, LINK_ENDS};
    }
    qsort(changes, count, sizeof(change), compare_changes);
    return count;
}

static void put_state(const paje *p, const change *at)
{
    char text[32];
    const duet_interval *interval = &p->intervals->interval[at->at];
    fprintf(p->stream, "%d %s S t%dp%d ", SET_STATE,
            duet_instance_format_time(p->instance, at->time, text), (int)interval->type,
            (int)interval->processor);
    if (at->kind == ENDS) {
        fputs("i \"\"\n", p->stream);
        return;
    }
    if (interval->aborted) {
        fputs("a ", p->stream);
    } else {
        fprintf(p->stream, "k%zu ", interval->kind);
    }
    char id[256];
    duet_instance_task_id(p->instance, interval->task, id, sizeof id);
    put_string(p->stream, id);
    fputc('\n', p->stream);
}

static void put_link(const paje *p, const change *at)
{
    char text[32];
    const duet_graph *graph = p->instance->graph;
    bool starts = at->kind == LINK_STARTS;
    size_t near = 0;
    int32_t task = starts ? graph->tail[at->at] : graph->head[at->at];
    duet_placement placed = duet_solution_place(p->solution, task, &near);
    fprintf(p->stream, "%d %s L m t%dp%d \"edge\" \"e%lld\"\n", starts ? START_LINK : END_LINK,
            duet_instance_format_time(p->instance, at->time, text), (int)placed.type,
            (int)placed.processor, (long long)at->at);
}

static void put_comment(FILE *stream, const char *name, const char *text)
{
    char room[DUET_CLEAN_CHARACTER];
    fprintf(stream, "# %s: ", name);
    while (*text != '\0') {
        fputs(duet_clean_character(&text, room), stream);
    }
    fputc('\n', stream);
}

static void put_comments(FILE *stream, const duet_instance *instance, const duet_solution *solution)
{
    char text[32];
    put_comment(stream, "instance", instance->name);
    put_comment(stream, "algorithm", solution->algorithm);
    put_comment(stream, "time unit", instance->time_unit);
    if (duet_clock_is_known(instance)) {
        char clock[DUET_CLOCK_TEXT];
        put_comment(stream, "start", duet_clock_format(instance, 0, clock));
        put_comment(stream, "end", duet_clock_format(instance, solution->makespan, clock));
    }
    put_comment(stream, "makespan", duet_instance_format_time(instance, solution->makespan, text));
    put_comment(stream, "lower bound",
                duet_instance_format_time(instance, solution->lower_bound, text));
}

duet_code duet_trace_paje(FILE *stream, const duet_instance *instance,
                          const duet_solution *solution, const duet_intervals *intervals,
                          duet_error *error)
{
    const paje p = {stream, instance, solution, intervals};
    bool graph = instance->graph != NULL;
    size_t count = intervals->count + (graph ? (size_t)instance->graph->edges : 0);
    DUET_TRY(duet_memory_check(count, 2 * sizeof(change), 0, "trace events", error));
    change *changes = duet_alloc(count, 2 * sizeof(change), error);
    DUET_NEED(changes);
    fputs(definitions, stream);
    fputs(graph ? link_definitions : "", stream);
    put_comments(stream, instance, solution);
    put_types(stream, instance);
    if (graph) {
        fprintf(stream, "%d L M P P \"edge\"\n", DEFINE_LINK);
    }
    put_containers(stream, instance, intervals);
    count = list_changes(&p, changes);
    for (size_t i = 0; i < count; i++) {
        if (changes[i].kind >= LINK_STARTS) {
            put_link(&p, &changes[i]);
        } else {
            put_state(&p, &changes[i]);
        }
    }
    duet_free(changes);
    // Destroying the root ends everything in it.
    char text[32];
    int64_t end = duet_max(intervals->end, solution->makespan);
    fprintf(stream, "%d %s M m\n", DESTROY, duet_instance_format_time(instance, end, text));
    return DUET_OK;
}
