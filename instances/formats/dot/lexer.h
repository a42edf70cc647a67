// SPDX-License-Identifier: Apache-2.0
// Tokens of Graphviz's DOT language, with their lines.
#ifndef DUET_INSTANCES_FORMATS_DOT_LEXER_H
#define DUET_INSTANCES_FORMATS_DOT_LEXER_H

#include <duet/error.h>

#include "instances/formats/input.h"

typedef enum duet_dot_token {
    DUET_DOT_END,   // of the file
    DUET_DOT_WORD,  // a name, a number, a text in quotes or in angle brackets
    DUET_DOT_ARROW, // "->"
    DUET_DOT_LINE,  // "--"
    DUET_DOT_SIGN   // one of { } [ ] ; , : =
} duet_dot_token;

// The first failure sticks: then nothing more is read, and every token is DUET_DOT_END.
typedef struct duet_dot_lexer {
    // Inputs.
    duet_input *input; // borrowed
    duet_error *error; // borrowed
    duet_code code;

    // The current token.
    duet_dot_token token;
    char sign;
    bool quoted; // a word that is no keyword, whatever it is
    int line, column;
    char *text; // of a word; ends in NUL
    size_t length;

    // Internal.
} duet_dot_lexer;

// Reads the next token.
void duet_dot_next(duet_dot_lexer *lexer);
// Whether the current token is that sign.
bool duet_dot_is_sign(const duet_dot_lexer *lexer, char sign);
// Whether the current token is that keyword, in lower or upper case.
bool duet_dot_is_keyword(const duet_dot_lexer *lexer, const char *keyword);
// Fails at the current token.
void duet_dot_fail(duet_dot_lexer *lexer, const char *format, ...) DUET_PRINTF(2, 3);
// Fails at the current token: "expected WHAT, found TOKEN".
void duet_dot_expected(duet_dot_lexer *lexer, const char *what);
// Takes over the result of a call that has recorded its failure, if it is one.
void duet_dot_note(duet_dot_lexer *lexer, duet_code code);
// Makes such a call unless something has failed before.
#define duet_dot_then(lexer, call)                                                                 \
    do {                                                                                           \
        if ((lexer)->code == DUET_OK) {                                                            \
            duet_dot_note(lexer, call);                                                            \
        }                                                                                          \
    } while (0)
void duet_dot_free(duet_dot_lexer *lexer);

#endif
