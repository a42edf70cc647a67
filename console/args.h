// SPDX-License-Identifier: Apache-2.0
// What the command line of every command gives: the options that commands share, and the arguments.
#ifndef DUET_CONSOLE_ARGS_H
#define DUET_CONSOLE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "console/given_time.h"
#include "core/system/memory.h"

enum { DUET_CLI_MAX_LIST = 16 }; // items of a list on the command line

// The picture of a schedule; see console/picture.h.
typedef struct duet_cli_picture {
    const char *path; // --gantt, NULL: none
    int width;        // 0: the usual size
    int height;
    const char *title; // NULL: the instance's name
    bool dark;
    bool transparent;
    bool by_kind;
    const char *beside; // another schedule; NULL: none
} duet_cli_picture;

// How a chart looks; see console/picture.h.
typedef struct duet_cli_chart {
    int width; // 0: the usual size
    int height;
    const char *title; // NULL: the chart's own
} duet_cli_chart;

// A count of processors, or a range of them: 1..4.
typedef struct duet_cli_count {
    int64_t first;
    int64_t last;
} duet_cli_count;

// How the options say that instances are read.
typedef struct duet_cli_reading {
    const char *columns; // --columns, NULL: by the header
    const char *edges;   // --edges, NULL: those of the file
    const char *unit;    // --unit, NULL: the file's
    int digits;          // --digits, 0: all
    int room;            // of the command: how many times as long times may become
    bool exact_times;    // --exact-times
    bool strict_input;   // --strict-input
} duet_cli_reading;

// The input of every command begins with one of these; what a command has no option for keeps its
// zero.
typedef struct duet_cli_args {
    // The arguments.
    const char **files; // owned
    size_t file_count;
    // The platform.
    size_t cpu_types; // how many counts -m gave: 1, or 0 without -m
    duet_cli_count cpus;
    size_t gpu_types; // how many counts -k gave, 0: no -k
    duet_cli_count gpus[DUET_MAX_TYPES];
    char *platform; // what all --platform say together, which can be read; NULL: not given; owned
    duet_cli_reading read;
    char *busy;        // what all --busy say together, NULL: nothing; owned
    const char *start; // --start, NULL: no times of day
    // What is given of the instance; NULL: nothing.
    const char *start_from; // --start-from
    const char *now;        // --now
    const char *fix;        // --fix
    char *without;          // what all --without say together; owned
    duet_options *reading;  // what -O says of it, NULL: nothing; owned
    // Limits.
    double seconds;          // -t, 0: not given
    int64_t began_ns;        // when the command line was read
    int threads;             // -j, 0: not given
    size_t memory;           // --memory in bytes, 0: not given
    duet_memory_scope scope; // in which the command's memory counts
    // What is asked for.
    const char *price;       // --price, NULL: not given
    const char *deadline;    // --deadline, NULL: not given
    duet_cli_given_time due; // the same, once the instance is read
    // Of algorithms and families.
    uint64_t seed;         // --seed
    duet_options *options; // -O, NULL: none; owned
    // Output.
    duet_cli_picture picture;
    duet_cli_chart chart_look;
    bool json;
    bool quiet;
    bool help;
    // The parser's.
    duet_error error; // the first thing wrong with the command line
    int next;         // getopt's position after the last good argument
    int stopped;      // getopt's position where it found a bad argument
} duet_cli_args;

// Frees what parsing allocated.
void duet_cli_args_free(duet_cli_args *args);

// Library parameters as the command line gives them.
duet_params duet_cli_params(const duet_cli_args *args);

// The same with what is left of -t since the command began: of commands whose -t bounds all that
// they do.
duet_params duet_cli_params_left(const duet_cli_args *args);

// Records a usage error; returns false.
bool duet_cli_usage(duet_cli_args *args, const char *format, ...) DUET_PRINTF(2, 3);

// A strict whole number: digits only, the whole text, in range. False: a usage error that names
// `option` is recorded.
bool duet_cli_whole(duet_cli_args *args, const char *option, const char *text, uint64_t minimum,
                    uint64_t maximum, uint64_t *value);

// Takes KEY=VALUE as -O does.
bool duet_cli_take_setting(duet_cli_args *args, const char *text);

// deadline.c
// From now on the process ends `more` seconds after -t, which counts from when the command line was
// read. Files are written whole or not at all: one that is being written then is not there. Nothing
// happens without -t.
void duet_cli_end_after(const duet_cli_args *args, double more);

#endif
