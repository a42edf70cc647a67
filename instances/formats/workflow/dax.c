// SPDX-License-Identifier: Apache-2.0
// Workflows as Pegasus describes them in XML (DAX, versions 2.1 to 3.6): jobs with a runtime and
// the files that they use, and the parents of each child. The runtime is an attribute of the job,
// or its profile "runtime", in seconds.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/workflow/workflow.h"
#include "instances/formats/workflow/xml.h"

typedef struct dax_reader {
    duet_xml xml;
    duet_workflow workflow;
    duet_builder *builder;
    size_t adags;
    // Of the open job, and of the open child.
    bool in_job, in_child;
    duet_workflow_task task;
    uint32_t child;
    char key[64]; // of the open profile of a job, "": none
} dax_reader;

static uint32_t find_id(dax_reader *r, const char *id)
{
    uint32_t number = 0;
    duet_xml_then(&r->xml, duet_names_add(&r->workflow.ids, 0, id, &number, r->xml.error));
    return number;
}

// --- attributes ----------------------------------------------------------------------------------

// What the format has beside that says nothing of a schedule.
static bool is_known(const char *name)
{
    static const char *const known[] = {
        "id",         "name",       "runtime",       "file",       "link",     "size",
        "ref",        "version",    "count",         "index",      "jobCount", "fileCount",
        "childCount", "namespace",  "node-label",    "level",      "transfer", "register",
        "type",       "optional",   "temporaryHint", "executable", "key",      "edge-label",
        "dv-name",    "dv-version", "dv-namespace",  "arch",       "os",       "installed",
        "when",       "created"};
    bool found = strncmp(name, "xmlns", strlen("xmlns")) == 0 || strncmp(name, "xsi:", 4) == 0;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = strcmp(name, known[i]) == 0;
    }
    return found;
}

static void pass(dax_reader *r, const char *name, const char *value)
{
    duet_xml *xml = &r->xml;
    const duet_field field = {DUET_FIELD_TASK, name, xml->line, xml->column};
    duet_meaning meaning = duet_field_meaning(name);
    bool guarded = value != NULL && duet_meaning_guarded(meaning);
    duet_xml_then(
        xml, guarded
                 ? duet_field_guard(xml->input->fields, &field, value, xml->input->name, xml->error)
                 : duet_field_pass(xml->input->fields, &field, NULL, xml->input->name, xml->error));
}

static void pass_attributes(dax_reader *r)
{
    for (size_t i = 0; i < r->xml.count && r->xml.code == DUET_OK; i++) {
        const char *name = r->xml.text + r->xml.attribute[i];
        if (!is_known(name)) {
            pass(r, name, r->xml.text + r->xml.value[i]);
        }
    }
}

static void take_runtime(dax_reader *r, const char *text)
{
    duet_xml *xml = &r->xml;
    r->task.timed = xml->code == DUET_OK;
    if (r->task.timed) {
        duet_xml_note(xml,
                      duet_read_time_text(text, strlen(text),
                                          (duet_place){xml->input->name, xml->line, xml->column},
                                          &r->task.time, xml->error));
    }
}

// The attribute of that name, which must be there.
static const char *require(dax_reader *r, const char *element, const char *name)
{
    const char *value = duet_xml_value(&r->xml, name);
    if (value == NULL || value[0] == '\0') {
        duet_xml_fail(&r->xml, "<%s> has no \"%s\", which is expected", element, name);
        return "";
    }
    return value;
}

// --- elements ------------------------------------------------------------------------------------

static void open_job(dax_reader *r)
{
    duet_xml *xml = &r->xml;
    const char *runtime = duet_xml_value(xml, "runtime");
    const char *program = duet_xml_value(xml, "name");
    if (r->in_job) {
        duet_xml_fail(xml, "a job in a job; expected one after the other");
    }
    r->in_job = true;
    r->task = (duet_workflow_task){.line = xml->line, .column = xml->column};
    r->task.id = r->task.name = find_id(r, require(r, "job", "id"));
    if (program != NULL && xml->code == DUET_OK) {
        duet_xml_note(xml, duet_workflow_set_group(&r->workflow, program, &r->task, xml->error));
    }
    if (runtime != NULL) {
        take_runtime(r, runtime);
    }
}

static void open_uses(dax_reader *r)
{
    duet_xml *xml = &r->xml;
    const char *file = duet_xml_value(xml, "file");
    file = file != NULL ? file : require(r, "uses", "name");
    const char *link = duet_xml_value(xml, "link");
    const char *size = duet_xml_value(xml, "size");
    bool input = link != NULL && strcasecmp(link, "input") == 0;
    bool output = link != NULL && strcasecmp(link, "output") == 0;
    uint32_t number = 0;
    duet_decimal bytes = {0, 0};
    if (!r->in_job || xml->code != DUET_OK) {
        return; // of a transformation
    }
    if (size != NULL &&
        (duet_decimal_parse(size, strlen(size), &bytes) != DUET_DECIMAL_OK || bytes.places != 0)) {
        duet_xml_fail(xml, "size \"%.40s\": expected a whole number of bytes", size);
        return;
    }
    duet_xml_note(xml, duet_workflow_find_file(&r->workflow, file, &number, xml->error));
    if (xml->code == DUET_OK && size != NULL) {
        r->workflow.sizes[number] = bytes.mantissa;
        r->workflow.size_name = "size";
    }
    const duet_workflow_link of = {r->workflow.task_count,
                                   input ? DUET_WORKFLOW_INPUT : DUET_WORKFLOW_OUTPUT, number,
                                   xml->line};
    if (xml->code == DUET_OK && (input || output)) {
        duet_xml_note(xml, duet_workflow_add_link(&r->workflow, &of, xml->error));
    }
}

// What a profile says is noted, but for the variables of a job's environment.
static void open_profile(dax_reader *r)
{
    const char *key = duet_xml_value(&r->xml, "key");
    const char *of = duet_xml_value(&r->xml, "namespace");
    bool variable = of != NULL && strcasecmp(of, "env") == 0;
    r->key[0] = '\0';
    if (r->in_job && key != NULL && !variable) {
        snprintf(r->key, sizeof r->key, "%s", key);
    }
}

// A parent of the open child: the links of a workflow are told by the task that has them, and this
// one by the child, which may come later.
static void open_parent(dax_reader *r)
{
    duet_xml *xml = &r->xml;
    const char *ref = require(r, "parent", "ref");
    if (!r->in_child) {
        duet_xml_fail(xml,
                      "a parent of no child; expected <child ref=...><parent ref=.../></child>");
    }
    const duet_workflow_relative of = {r->child, find_id(r, ref), xml->line};
    duet_xml_then(xml, duet_workflow_add_relative(&r->workflow, &of, xml->error));
}

static void open_element(dax_reader *r)
{
    static const char *const silent[] = {"argument",   "filename", "file",     "transformation",
                                         "executable", "invoke",   "stdin",    "stdout",
                                         "stderr",     "pfn",      "metadata", "stdlib"};
    const char *name = duet_xml_name(&r->xml);
    bool passed = false;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        passed = passed || strcmp(name, silent[i]) == 0;
    }
    pass_attributes(r);
    if (strcmp(name, "adag") == 0) {
        const char *title = duet_xml_value(&r->xml, "name");
        r->adags++;
        if (title != NULL && r->xml.code == DUET_OK) {
            duet_xml_note(&r->xml, duet_builder_set_name(r->builder, title, r->xml.error));
        }
    } else if (strcmp(name, "job") == 0 || strcmp(name, "dax") == 0 || strcmp(name, "dag") == 0) {
        open_job(r);
    } else if (strcmp(name, "uses") == 0) {
        open_uses(r);
    } else if (strcmp(name, "profile") == 0) {
        open_profile(r);
    } else if (strcmp(name, "child") == 0) {
        r->in_child = true;
        r->child = find_id(r, require(r, "child", "ref"));
    } else if (strcmp(name, "parent") == 0) {
        open_parent(r);
    } else if (!passed) {
        pass(r, name, NULL);
    }
}

static void close_element(dax_reader *r)
{
    const char *name = duet_xml_name(&r->xml);
    if (r->in_job &&
        (strcmp(name, "job") == 0 || strcmp(name, "dax") == 0 || strcmp(name, "dag") == 0)) {
        r->in_job = false;
        r->task.cores = duet_field_take_cores(r->xml.input->fields);
        duet_xml_then(&r->xml, duet_workflow_add_task(&r->workflow, &r->task, r->xml.error));
    }
    r->in_child = r->in_child && strcmp(name, "child") != 0;
    r->key[0] = '\0';
}

static void take_text(dax_reader *r)
{
    const char *text = duet_xml_name(&r->xml);
    if (strcasecmp(r->key, "runtime") == 0) {
        take_runtime(r, text);
    } else if (r->key[0] != '\0') {
        char value[80];
        snprintf(value, sizeof value, "%s", text);
        pass(r, r->key, value);
    }
}

duet_code duet_read_instance_dax(duet_input *input, duet_builder *builder, duet_error *error)
{
    dax_reader r = {.xml = {.input = input, .error = error}, .builder = builder};
    duet_xml *xml = &r.xml;
    for (duet_xml_next(xml); xml->code == DUET_OK && xml->token != DUET_XML_END;
         duet_xml_next(xml)) {
        if (r.adags == 0 &&
            (xml->token != DUET_XML_OPEN || strcmp(duet_xml_name(xml), "adag") != 0)) {
            duet_xml_fail(xml,
                          "this XML is no workflow of Pegasus (DAX); expected <adag>, or JSON, CSV "
                          "or another format of duet list formats");
        } else if (xml->token == DUET_XML_OPEN) {
            open_element(&r);
        } else if (xml->token == DUET_XML_CLOSE) {
            close_element(&r);
        } else {
            take_text(&r);
        }
    }
    duet_xml_then(xml,
                  duet_workflow_build(&r.workflow, input->name, input->fields, builder, error));
    duet_workflow_free(&r.workflow);
    duet_xml_free(xml);
    return xml->code;
}
