// SPDX-License-Identifier: Apache-2.0
// The text of a proof, read line by line through one large buffer.
//
// The reader remembers its first failure. From then on it reads nothing: words are empty, numbers
// are 0, and further failures are not recorded. So a caller reads a whole line and asks once.
#ifndef DUET_CHECK_PROOF_TEXT_H
#define DUET_CHECK_PROOF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <duet/error.h>

#include "check/limits.h"

enum { DUET_PROOF_MAX_WORD = 16 }; // with the final NUL

typedef struct duet_proof_text {
    FILE *stream;      // NULL: all of the text is in memory
    const char *name;  // for messages; borrowed
    duet_watch *watch; // asked at each refill whether to stop; borrowed
    bool owned;        // close the stream at the end
    // Failures:
    duet_code code;    // of the first failure
    duet_error *error; // holds the first failure's message; borrowed, may be NULL
    bool unreadable;   // a read failed
    int fault;         // its errno
    // Position:
    int line;                 // of the next byte, from 1; stays at INT_MAX
    int item_line;            // where the item read last begins
    const unsigned char *at;  // the next byte
    const unsigned char *end; // of what the buffer holds
    size_t more;              // bytes of a text in memory behind that
    unsigned char *buffer;
} duet_proof_text;

// Whether two words are equal. Most differ in their first letter, which a comparison of many bytes
// at once would have to wait for: they have just been written one by one.
static inline bool duet_proof_same_word(const char *word, const char *other)
{
    return word[0] == other[0] && strcmp(word, other) == 0;
}

// Opens `path` ("-": standard input) and remembers `error` for what fails from here on; all are
// borrowed. DUET_E_INPUT, DUET_E_MEMORY. Close it whatever comes back.
duet_code duet_proof_text_open(duet_proof_text *text, const char *path, duet_watch *watch,
                               duet_error *error);
// The same for a text in memory, which is called "certificate" in messages.
void duet_proof_text_open_memory(duet_proof_text *text, const char *bytes, size_t length,
                                 duet_watch *watch, duet_error *error);
void duet_proof_text_close(duet_proof_text *text);
// Bytes of the file that was opened, before anything is read; 0 where that is not known.
size_t duet_proof_text_size(const duet_proof_text *text);

// Whether nothing has failed.
static inline bool duet_proof_text_ok(const duet_proof_text *text)
{
    return text->code == DUET_OK;
}

// The first word of the next line that is neither empty nor a comment: at most
// DUET_PROOF_MAX_WORD - 1 letters and dashes into `word`. "" at the end of the file, which is no
// failure. `what` says for messages what is expected.
void duet_proof_text_item(duet_proof_text *text, char *word, const char *what);
// The next word of the line.
void duet_proof_text_word(duet_proof_text *text, char *word, const char *what);
// The next number of the line: decimal, from 0 to INT64_MAX.
int64_t duet_proof_text_number(duet_proof_text *text, const char *what);
// The next number of the line, which is below `end`; 0 after a failure.
int64_t duet_proof_text_below(duet_proof_text *text, const char *what, int64_t end);
// Whether the line goes on with a word.
bool duet_proof_text_more(duet_proof_text *text);
// Takes the end of the line, before which nothing more may stand.
void duet_proof_text_finish(duet_proof_text *text);

// Records DUET_E_INPUT at the line of the item read last. Returns the code of the first failure.
duet_code duet_proof_text_fail(duet_proof_text *text, const char *format, ...) DUET_PRINTF(2, 3);
// Records what failed elsewhere, at the line of the item read last. Nothing where `code` is
// DUET_OK.
void duet_proof_text_place(duet_proof_text *text, duet_code code, const duet_error *why);
// Records what judging a line came to: `code`, with the message in *why, or that the watch has
// stopped it, for what a stopped check has found counts for nothing.
void duet_proof_text_judge(duet_proof_text *text, const duet_watch *watch, duet_code code,
                           duet_error *why);
// Notes a failure whose message the error record holds already.
duet_code duet_proof_text_stop(duet_proof_text *text, duet_code code);

#endif
