// SPDX-License-Identifier: Apache-2.0
// A command's table of options. Each option is one row: its names, its value's type and range, the
// member of the command's input that holds it, its default and its text. The parser with its
// messages, --help, the manual and the completion are all made from the rows.
#ifndef DUET_CONSOLE_OPTIONS_H
#define DUET_CONSOLE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console/args.h"

// What an option's value is, and the type of the member that holds it.
typedef enum duet_cli_type {
    DUET_CLI_TYPE_FLAG,      // bool; the option has no value
    DUET_CLI_TYPE_WHOLE,     // an integer of four or eight bytes
    DUET_CLI_TYPE_MEBIBYTES, // size_t, in bytes
    DUET_CLI_TYPE_SECONDS,   // double, greater than 0
    DUET_CLI_TYPE_TEXT,      // const char *, as it is typed
    DUET_CLI_TYPE_PATH,      // const char *, a file or a folder
    DUET_CLI_TYPE_CHOICE,    // const char *, one of the names
    DUET_CLI_TYPE_INDEX,     // an integer or enum of four bytes: the name's index plus `minimum`
    DUET_CLI_TYPE_NUMBERS,   // int64_t[DUET_CLI_MAX_LIST]
    DUET_CLI_TYPE_INDICES,   // size_t[DUET_CLI_MAX_LIST]: indices of names
    DUET_CLI_TYPE_RANGE,     // two int64_t, from "4" or "2:8"
    DUET_CLI_TYPE_PLATFORMS, // two int64_t[DUET_CLI_MAX_LIST], from "20:4,64:8"
    DUET_CLI_TYPE_OWN        // what the row's function makes of it
} duet_cli_type;

typedef struct duet_cli_option duet_cli_option;

// Takes a value of type DUET_CLI_TYPE_OWN. `input` is the command's. False: a usage error is
// recorded in it.
typedef bool duet_cli_take(void *input, const char *text);

// The values of an option, and the members that hold one, as offsets in the command's input.
typedef struct duet_cli_value {
    duet_cli_type type;
    size_t at;
    size_t size;      // bytes of the member
    size_t second_at; // the upper end of a range; the GPUs of platforms
    size_t count_at;  // a list's length, size_t
    uint64_t minimum;
    uint64_t maximum;
    const char *const *names; // that may be given, with NULL at the end
    duet_cli_take *take;
} duet_cli_value;

struct duet_cli_option {
    const char *name;     // NULL at the end of a table
    int letter;           // 0: none
    const char *argument; // what the help calls the value; NULL for a flag
    duet_cli_value value;
    const char *preset;   // the default as one would type it, taken before the command line
    const char *fallback; // the default in words, behind `preset` where both are there
    const char *text;
    const char *alias;    // another long name; NULL: none
    const char *registry; // whose names the completion offers; NULL: none
};

// What stands in a row as its value. `input` is the type of the command's input.
#define DUET_CLI_MEMBER(input, member)                                                             \
    .at = offsetof(input, member), .size = sizeof((input *)0)->member
#define DUET_CLI_FLAG(input, member)                                                               \
    {                                                                                              \
        .type = DUET_CLI_TYPE_FLAG, DUET_CLI_MEMBER(input, member)                                 \
    }
#define DUET_CLI_WHOLE(input, member, least, most)                                                 \
    {                                                                                              \
        .type = DUET_CLI_TYPE_WHOLE, DUET_CLI_MEMBER(input, member), .minimum = (least),           \
        .maximum = (most)                                                                          \
    }
#define DUET_CLI_WORD(input, member)                                                               \
    {                                                                                              \
        .type = DUET_CLI_TYPE_TEXT, DUET_CLI_MEMBER(input, member)                                 \
    }
// The same with names that the completion offers; whether it is one of them is not checked.
#define DUET_CLI_WORD_SUCH_AS(input, member, examples)                                             \
    {                                                                                              \
        .type = DUET_CLI_TYPE_TEXT, DUET_CLI_MEMBER(input, member), .names = (examples)            \
    }
#define DUET_CLI_PATH(input, member)                                                               \
    {                                                                                              \
        .type = DUET_CLI_TYPE_PATH, DUET_CLI_MEMBER(input, member)                                 \
    }
#define DUET_CLI_CHOICE(input, member, known)                                                      \
    {                                                                                              \
        .type = DUET_CLI_TYPE_CHOICE, DUET_CLI_MEMBER(input, member), .names = (known)             \
    }
#define DUET_CLI_INDEX(input, member, known, first)                                                \
    {                                                                                              \
        .type = DUET_CLI_TYPE_INDEX, DUET_CLI_MEMBER(input, member), .names = (known),             \
        .minimum = (first)                                                                         \
    }
#define DUET_CLI_NUMBERS(input, list, count, least, most)                                          \
    {                                                                                              \
        .type = DUET_CLI_TYPE_NUMBERS, DUET_CLI_MEMBER(input, list),                               \
        .count_at = offsetof(input, count), .minimum = (least), .maximum = (most)                  \
    }
#define DUET_CLI_INDICES(input, list, count, known)                                                \
    {                                                                                              \
        .type = DUET_CLI_TYPE_INDICES, DUET_CLI_MEMBER(input, list),                               \
        .count_at = offsetof(input, count), .names = (known)                                       \
    }
#define DUET_CLI_RANGE(input, first, second, least, most)                                          \
    {                                                                                              \
        .type = DUET_CLI_TYPE_RANGE, DUET_CLI_MEMBER(input, first),                                \
        .second_at = offsetof(input, second), .minimum = (least), .maximum = (most)                \
    }
#define DUET_CLI_PLATFORMS(input, cpus, gpus, count)                                               \
    {                                                                                              \
        .type = DUET_CLI_TYPE_PLATFORMS, DUET_CLI_MEMBER(input, cpus),                             \
        .second_at = offsetof(input, gpus), .count_at = offsetof(input, count)                     \
    }
#define DUET_CLI_OWN(function)                                                                     \
    {                                                                                              \
        .type = DUET_CLI_TYPE_OWN, .take = (function)                                              \
    }

enum { DUET_CLI_MAX_TABLES = 12 };

// What a command takes. Its input begins with a duet_cli_args.
typedef struct duet_cli_syntax {
    const char *name;      // what follows "duet": "solve", "bench exact"
    const char *arguments; // as the help calls them; NULL: it takes none
    size_t most_arguments;
    const char *text; // the description, '\v', and what the help says behind the options
    const duet_cli_option *tables[DUET_CLI_MAX_TABLES]; // its own options first; NULL at the end
} duet_cli_syntax;

// The options that commands share; their members are those of duet_cli_args.
extern const duet_cli_option duet_cli_platform_options[];     // -m -k --platform
extern const duet_cli_option duet_cli_range_options[];        // the same, and ranges of counts
extern const duet_cli_option duet_cli_price_options[];        // --price
extern const duet_cli_option duet_cli_given_options[];        // --start-from --now --fix --without
extern const duet_cli_option duet_cli_reading_options[];      // --columns --exact-times --unit
extern const duet_cli_option duet_cli_limits_options[];       // -t -j --memory -q
extern const duet_cli_option duet_cli_bounds_options[];       // -t --memory, where there is no more
extern const duet_cli_option duet_cli_study_limits_options[]; // the same of studies
extern const duet_cli_option duet_cli_run_limits_options[];   // where -t is that of each run
extern const duet_cli_option duet_cli_setting_options[];      // -O, of the reader alone
extern const duet_cli_option duet_cli_values_options[];       // --seed -O
extern const duet_cli_option duet_cli_output_options[];       // --json --help
extern const duet_cli_option duet_cli_help_options[];         // --help

// The formats in which instances are written; ends in NULL.
extern const char *const duet_cli_written_formats[];

// The option with this index over all tables of a command; NULL behind the last.
const duet_cli_option *duet_cli_option_at(const duet_cli_syntax *syntax, size_t index);

// What the help says of an option: its text and its default. Returns `buffer`.
enum { DUET_CLI_HELP = 320 };
char *duet_cli_option_help(const duet_cli_option *option, char buffer[DUET_CLI_HELP]);

// What a command may be asked instead of being run, as argv[1]: its page of the manual, its summary
// being argv[2]; or completions of the last of argv[2..].
#define DUET_CLI_MAN_PAGE "--man-page"
#define DUET_CLI_COMPLETE "--complete"

// Parses argv[1..] into `input`, which is all zero or has defaults that no row has. The presets are
// taken first; the arguments become `files` of its duet_cli_args. True: go on, and free with
// duet_cli_args_free(). False: stop with *code; the help or a message is printed.
bool duet_cli_parse(const duet_cli_syntax *syntax, int argc, char **argv, void *input, int *code);

// Takes the text of an option into the member that its row names. False: a usage error is recorded.
bool duet_cli_take_value(void *input, const duet_cli_option *option, const char *text);

// option_fault.c
// Records in `error` which element of the command line is at fault. `good` is getopt's position
// after the last good argument, `next` where it stopped.
void duet_cli_describe_fault(const duet_cli_syntax *syntax, int argc, char **argv, int good,
                             int next, duet_error *error);

#endif
