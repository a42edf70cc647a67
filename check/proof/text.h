// SPDX-License-Identifier: Apache-2.0
// The text of a proof, read line by line through one large buffer.
#ifndef DUET_CHECK_PROOF_TEXT_H
#define DUET_CHECK_PROOF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/error.h>

enum { DUET_PROOF_MAX_WORD = 16 }; // with the final NUL

typedef struct duet_proof_text {
    FILE *stream;
    const char *name;         // for messages; borrowed
    bool owned;               // close the stream at the end
    bool failed;              // a read failed
    int fault;                // its errno
    int line;                 // of the next byte, from 1; stays at INT_MAX
    int item_line;            // where the item read last begins
    const unsigned char *at;  // the next byte
    const unsigned char *end; // of what the buffer holds
    unsigned char *buffer;
} duet_proof_text;

// Opens `path` ("-": standard input), borrowed for messages. DUET_E_INPUT, DUET_E_MEMORY. Close it
// whatever comes back.
duet_code duet_proof_text_open(duet_proof_text *text, const char *path, duet_error *error);
void duet_proof_text_close(duet_proof_text *text);

// The first word of the next line that is neither empty nor a comment: at most
// DUET_PROOF_MAX_WORD - 1 letters and dashes into `word`. "" at the end of the file. `what` says
// for messages what is expected.
duet_code duet_proof_text_item(duet_proof_text *text, char *word, const char *what,
                               duet_error *error);
// The next word of the line, or a decimal number of at most INT64_MAX.
duet_code duet_proof_text_word(duet_proof_text *text, char *word, const char *what,
                               duet_error *error);
duet_code duet_proof_text_number(duet_proof_text *text, int64_t *number, const char *what,
                                 duet_error *error);
// Nothing more on the line: takes its end.
// Whether the line goes on with a word.
bool duet_proof_text_more(duet_proof_text *text);
duet_code duet_proof_text_finish(duet_proof_text *text, duet_error *error);

// DUET_E_INPUT at the line of the item read last.
duet_code duet_proof_text_fail(const duet_proof_text *text, duet_error *error, const char *format,
                               ...) DUET_PRINTF(3, 4);
// What failed elsewhere, at the line of the item read last.
duet_code duet_proof_text_place(const duet_proof_text *text, const duet_error *why,
                                duet_error *error);

#endif
