// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/foreign.h"

#include <string.h>

#include "core/system/shell_word.h"

// What files begin with, and what to do about them; %s is the file.
typedef struct beginning {
    const char *bytes;
    size_t length;
    const char *what;
    const char *unpack; // of packed files: the command
} beginning;

static duet_code refuse_packed(const duet_input *input, const beginning *is, duet_error *error)
{
    const char *why = input->not_unpacked;
    char path[DUET_SHELL_WORD];
    bool piped = duet_input_is_piped(input);
    return duet_error_set_at(error, DUET_E_INPUT, input->name, 1, 1,
                             "the file is packed by %s%s%s; expected text: %s%s%s writes it, "
                             "and - reads it from standard input",
                             is->what, why[0] == '\0' ? "" : ", and ", why, is->unpack,
                             piped ? "" : " ", piped ? "" : duet_shell_path(input->name, path));
}

// What iconv calls it where the file begins as UTF-16 without a mark does; NULL: it is something
// else.
static const char *utf16_of(const unsigned char *next, size_t left)
{
    if (left < 4 || (next[0] == 0) != (next[2] == 0) || (next[1] == 0) != (next[3] == 0) ||
        (next[0] == 0) == (next[1] == 0)) {
        return NULL;
    }
    return next[0] == 0 ? "UTF-16BE" : "UTF-16LE";
}

static duet_code refuse_utf16(const duet_input *input, const char *utf16, duet_error *error)
{
    bool piped = duet_input_is_piped(input);
    char path[DUET_SHELL_WORD];
    return duet_error_set_at(
        error, DUET_E_INPUT, input->name, 1, 1,
        "the file is UTF-16 without a mark; expected UTF-8: save it as \"CSV UTF-8\", or iconv "
        "-f %s -t UTF-8%s%s writes it, and - reads it from standard input",
        utf16, piped ? "" : " ", piped ? "" : duet_shell_path(input->name, path));
}

#define SHEET "a spreadsheet; expected CSV: save the sheet as \"CSV UTF-8\", or "
#define PANDAS(read)                                                                               \
    "python3 -c 'import io, pandas, sys; pandas." read                                             \
    "(io.BytesIO(sys.stdin.buffer.read())).to_csv(sys.stdout, index=False)' <"

// Whether a zip archive begins with the files of a spreadsheet (.xlsx, .ods).
static bool is_office(const char *next, size_t left)
{
    static const char *const names[] = {"[Content_Types]", "_rels/", "docProps/", "xl/",
                                        "mimetype"};
    enum { NAME = 30 }; // where the first name begins
    bool office = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        office = office || (left >= NAME + length && memcmp(next + NAME, names[i], length) == 0);
    }
    return office;
}

// What no text is; without a command, or with one that reads the file behind it.
static duet_code refuse_other(const duet_input *input, const beginning *is, duet_error *error)
{
    if (is->unpack == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, 1, 1, "the file is %s",
                                 is->what);
    }
    bool piped = duet_input_is_piped(input);
    bool reads = is->unpack[strlen(is->unpack) - 1] == '<';
    int length = (int)strlen(is->unpack) - (reads && piped ? 2 : 0);
    char path[DUET_SHELL_WORD];
    return duet_error_set_at(error, DUET_E_INPUT, input->name, 1, 1,
                             "the file is %s%.*s%s%s writes it, and - reads it from standard input",
                             is->what, length, is->unpack, piped || reads ? "" : " ",
                             piped ? "" : duet_shell_path(input->name, path));
}

duet_code duet_refuse_foreign(duet_input *input, duet_error *error)
{
    static const beginning packed[] = {{"\x1f\x8b", 2, "gzip", "gzip -dc"},
                                       {"\xfd"
                                        "7zXZ",
                                        5, "xz", "xz -dc"},
                                       {"\x28\xb5\x2f\xfd", 4, "zstd", "zstd -dc"},
                                       {"BZh", 3, "bzip2", "bzip2 -dc"}};
    static const beginning others[] = {
        {"PK\x03\x04", 4, "a zip archive; expected text: ", "unzip -p"},
        {"\xd0\xcf\x11\xe0", 4, SHEET, PANDAS("read_excel")},
        {"PAR1", 4, "a Parquet table; expected CSV: ", PANDAS("read_parquet")},
        {"%PDF", 4, "a PDF; expected a table (CSV), JSON or another format of duet list formats",
         NULL}};
    static const beginning sheet = {"PK", 2, SHEET, PANDAS("read_excel")};
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    const unsigned char *next = input->buffer + input->at;
    size_t left = input->filled - input->at;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (left >= packed[i].length && memcmp(next, packed[i].bytes, packed[i].length) == 0) {
            return refuse_packed(input, &packed[i], error);
        }
    }
    const char *utf16 = utf16_of(next, left);
    if (utf16 != NULL) {
        return refuse_utf16(input, utf16, error);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (left >= others[i].length && memcmp(next, others[i].bytes, others[i].length) == 0) {
            bool office = i == 0 && is_office((const char *)next, left);
            return refuse_other(input, office ? &sheet : &others[i], error);
        }
    }
    return duet_refuse_foreign_text(input, error);
}
