// SPDX-License-Identifier: Apache-2.0
// Elements and attributes of XML, as much as records of workflows need: no document types, no
// entities but those of XML itself, nothing is fetched. Memory is that of the longest element.
#ifndef DUET_INSTANCES_FORMATS_WORKFLOW_XML_H
#define DUET_INSTANCES_FORMATS_WORKFLOW_XML_H

#include "instances/formats/input.h"

typedef enum duet_xml_token {
    DUET_XML_END,   // of the file
    DUET_XML_OPEN,  // "<name ...>"; an empty element is closed by the next token
    DUET_XML_CLOSE, // "</name>"
    DUET_XML_TEXT   // between them, without blanks at its ends; never empty
} duet_xml_token;

enum { DUET_XML_MOST_ATTRIBUTES = 64, DUET_XML_MOST_TEXT = 1 << 20 };

// The first failure sticks: then every token is DUET_XML_END.
typedef struct duet_xml {
    duet_input *input; // borrowed
    duet_error *error; // borrowed
    duet_code code;

    // The current token.
    duet_xml_token token;
    int line, column;
    char *text;                                 // names, values and texts, each with its final NUL
    size_t name;                                // where the element's name begins, or the text
    size_t count;                               // attributes
    size_t attribute[DUET_XML_MOST_ATTRIBUTES]; // names
    size_t value[DUET_XML_MOST_ATTRIBUTES];

    // Internal.
    size_t used;
    bool empty; // the element that was opened has no content
    size_t depth;
} duet_xml;

void duet_xml_next(duet_xml *xml);
void duet_xml_fail(duet_xml *xml, const char *format, ...) DUET_PRINTF(2, 3);
// Takes over the result of a call that has recorded its failure, if it is one.
void duet_xml_note(duet_xml *xml, duet_code code);
// Makes such a call unless something has failed before.
#define duet_xml_then(xml, call)                                                                   \
    do {                                                                                           \
        if ((xml)->code == DUET_OK) {                                                              \
            duet_xml_note(xml, call);                                                              \
        }                                                                                          \
    } while (0)
void duet_xml_free(duet_xml *xml);

// The name of the current element, or the current text.
static inline const char *duet_xml_name(const duet_xml *xml)
{
    return xml->text + xml->name;
}

// The value of an attribute of the current element; NULL: it has none of that name.
const char *duet_xml_value(const duet_xml *xml, const char *attribute);

#endif
