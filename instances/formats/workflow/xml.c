// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/workflow/xml.h"

#include <stdarg.h>
#include <string.h>

#include "core/system/error.h"
#include "core/system/memory.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"

void duet_xml_free(duet_xml *xml)
{
    duet_free(xml->text);
    xml->text = NULL;
}

void duet_xml_note(duet_xml *xml, duet_code code)
{
    if (code != DUET_OK && xml->code == DUET_OK) {
        xml->code = code;
        xml->token = DUET_XML_END;
    }
}

void duet_xml_fail(duet_xml *xml, const char *format, ...)
{
    if (xml->code != DUET_OK) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    duet_xml_note(xml, duet_error_vset_at(xml->error, DUET_E_INPUT, xml->input->name, xml->line,
                                          xml->column, format, arguments));
    va_end(arguments);
}

const char *duet_xml_value(const duet_xml *xml, const char *attribute)
{
    for (size_t i = 0; i < xml->count; i++) {
        if (strcmp(xml->text + xml->attribute[i], attribute) == 0) {
            return xml->text + xml->value[i];
        }
    }
    return NULL;
}

// --- bytes ---------------------------------------------------------------------------------------

static void here(duet_xml *xml)
{
    xml->line = xml->input->line;
    xml->column = duet_input_column(xml->input);
}

static int peek(duet_xml *xml)
{
    return xml->code == DUET_OK ? duet_input_peek(xml->input) : -1;
}

static void expected(duet_xml *xml, const char *what)
{
    char found[32];
    here(xml);
    duet_xml_then(xml, duet_input_check(xml->input, xml->error));
    duet_xml_fail(xml, "expected %s, found %s", what, duet_input_describe(peek(xml), found));
}

// Takes the next byte where it is that one.
static bool take(duet_xml *xml, int byte)
{
    bool there = peek(xml) == byte;
    if (there) {
        duet_input_take(xml->input);
    }
    return there;
}

static void want(duet_xml *xml, int byte, const char *what)
{
    if (!take(xml, byte)) {
        expected(xml, what);
    }
}

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void skip_blanks(duet_xml *xml)
{
    while (is_blank(peek(xml))) {
        duet_input_take(xml->input);
    }
}

static void append(duet_xml *xml, int byte)
{
    if (xml->used == DUET_XML_MOST_TEXT) {
        duet_xml_fail(xml, "an element of more than 1 MiB; expected less");
    }
    duet_xml_then(xml, duet_vec_push(xml->text, xml->used, xml->error, (char)byte));
}

// Reads over what ends with that text, whose beginning is taken.
static void skip_to(duet_xml *xml, const char *end)
{
    size_t length = strlen(end);
    char last[4] = "";
    while (memcmp(last, end, length) != 0 && xml->code == DUET_OK) {
        int byte = peek(xml);
        if (byte < 0) {
            expected(xml, end);
            return;
        }
        duet_input_take(xml->input);
        memmove(last, last + 1, length - 1);
        last[length - 1] = (char)byte;
    }
}

// --- parts ---------------------------------------------------------------------------------------

// "amp;" behind '&'.
static void read_entity(duet_xml *xml)
{
    static const struct {
        const char *name;
        char byte;
    } known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    char name[8] = "";
    for (size_t i = 0; i + 1 < sizeof name && peek(xml) > ' ' && peek(xml) != ';'; i++) {
        name[i] = (char)duet_input_next(xml->input);
    }
    want(xml, ';', "an entity of XML such as &amp;");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) {
            append(xml, known[i].byte);
            return;
        }
    }
    duet_xml_fail(
        xml, "the entity &%s;; expected those of XML alone: &amp; &lt; &gt; &quot; &apos;", name);
}

// Text up to one of the bytes `ends`, which stays; where it begins into *at.
static void read_text(duet_xml *xml, const char *ends, size_t *at)
{
    *at = xml->used;
    for (int byte = peek(xml); byte > 0 && strchr(ends, byte) == NULL; byte = peek(xml)) {
        duet_input_take(xml->input);
        if (byte == '&') {
            read_entity(xml);
        } else {
            append(xml, byte);
        }
    }
    size_t length = xml->used - *at;
    if (xml->code == DUET_OK && length > 0 && !duet_utf8_valid(xml->text + *at, length)) {
        duet_xml_fail(xml, "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
    }
    append(xml, '\0');
}

static void read_name(duet_xml *xml, size_t *at)
{
    *at = xml->used;
    for (int byte = peek(xml); byte > ' ' && strchr("/>=<\"'&", byte) == NULL; byte = peek(xml)) {
        duet_input_take(xml->input);
        append(xml, byte);
    }
    if (xml->used == *at) {
        expected(xml, "a name");
    }
    append(xml, '\0');
}

static void read_attribute(duet_xml *xml)
{
    if (xml->count == DUET_XML_MOST_ATTRIBUTES) {
        duet_xml_fail(xml, "too many attributes; expected at most 64");
        return;
    }
    read_name(xml, &xml->attribute[xml->count]);
    skip_blanks(xml);
    want(xml, '=', "'=' and the value of the attribute");
    skip_blanks(xml);
    int quote = peek(xml);
    if (quote != '"' && quote != '\'') {
        expected(xml, "the value of the attribute in quotes");
        return;
    }
    duet_input_take(xml->input);
    read_text(xml, quote == '"' ? "\"<" : "'<", &xml->value[xml->count]);
    want(xml, quote, "the quote that ends the value");
    if (xml->code == DUET_OK &&
        duet_xml_value(xml, xml->text + xml->attribute[xml->count]) != NULL) {
        duet_xml_fail(xml, "attribute \"%.60s\" is given twice; expected once",
                      xml->text + xml->attribute[xml->count]);
    }
    xml->count++;
}

static void read_open(duet_xml *xml)
{
    xml->token = DUET_XML_OPEN;
    read_name(xml, &xml->name);
    skip_blanks(xml);
    while (xml->code == DUET_OK && peek(xml) != '>' && peek(xml) != '/') {
        read_attribute(xml);
        skip_blanks(xml);
    }
    xml->empty = take(xml, '/');
    want(xml, '>', "'>' at the end of the element");
    xml->depth++;
}

static void read_close(duet_xml *xml)
{
    xml->token = DUET_XML_CLOSE;
    read_name(xml, &xml->name);
    skip_blanks(xml);
    want(xml, '>', "'>' at the end of the element");
    if (xml->depth == 0) {
        duet_xml_fail(xml, "</%.60s> closes nothing", duet_xml_name(xml));
    }
    xml->depth -= xml->depth > 0;
}

// What "<" begins; false where it was no element.
static bool read_markup(duet_xml *xml)
{
    if (take(xml, '?')) {
        skip_to(xml, "?>");
        return false;
    }
    if (take(xml, '!')) {
        if (peek(xml) != '-') {
            expected(xml, "elements and comments, without a document type");
            return false;
        }
        skip_to(xml, "-->");
        return false;
    }
    if (take(xml, '/')) {
        read_close(xml);
    } else {
        read_open(xml);
    }
    return true;
}

void duet_xml_next(duet_xml *xml)
{
    if (xml->token == DUET_XML_OPEN && xml->empty && xml->code == DUET_OK) {
        xml->token = DUET_XML_CLOSE; // of the same name
        xml->empty = false;
        xml->depth--;
        return;
    }
    while (xml->code == DUET_OK) {
        xml->used = 0;
        xml->count = 0;
        skip_blanks(xml);
        here(xml);
        if (peek(xml) < 0) {
            break;
        }
        if (take(xml, '<')) {
            if (read_markup(xml)) {
                break;
            }
            continue;
        }
        read_text(xml, "<", &xml->name);
        for (size_t end = xml->used - 1; end > 0 && is_blank(xml->text[end - 1]); end--) {
            xml->text[end - 1] = '\0';
        }
        xml->token = DUET_XML_TEXT;
        return;
    }
    if (xml->code == DUET_OK && peek(xml) < 0 && xml->used == 0) {
        xml->token = DUET_XML_END;
        duet_xml_note(xml, duet_input_check(xml->input, xml->error));
        if (xml->depth > 0) {
            expected(xml, "the elements that are open to be closed");
        }
    }
}
