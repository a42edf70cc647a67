// SPDX-License-Identifier: Apache-2.0
// What can be said of files before they are read or written.
#ifndef DUET_CONSOLE_PATHS_H
#define DUET_CONSOLE_PATHS_H

#include <stdbool.h>

#include <duet/duet.h>

// DUET_E_USAGE where the path of -o has one of these endings, which promise something that it does
// not write; `meant` says what does. DUET_OK where the path is NULL.
duet_code duet_cli_refuse_ending(const char *path, const char *endings, const char *meant,
                                 duet_error *error);
// The same for a command that writes a solution, or an instance, to -o.
duet_code duet_cli_check_solution_ending(const char *path, duet_error *error);
duet_code duet_cli_check_instance_ending(const char *path, duet_error *error);
// DUET_E_USAGE unless `path` ends in one of `endings` (".svg .png").
duet_code duet_cli_check_ending(const char *option, const char *path, const char *endings,
                                duet_error *error);
// DUET_E_OUTPUT where `path` (NULL: nothing is written) can be seen not to be writable as a file: a
// folder, or in none.
duet_code duet_cli_check_target(const char *path, duet_error *error);
// Whether both are names of one regular file.
bool duet_cli_same_file(const char *a, const char *b);
// The solution of an instance in `given`: `given` itself where it is a file, else the file in that
// folder that is called like the instance's file or like the instance, ending in .json, .csv,
// .sol.json or .sol.csv, or as the instance's file does. The path goes into `path`, cut to `size`.
// False: there is none.
enum { DUET_CLI_PATH_SIZE = 4096 };
bool duet_cli_find_solution(const char *given, const char *file, const duet_instance *instance,
                            char *path, size_t size);
// What is looked for: "u1 or unif4-30-1, .json or .csv". Returns `text`.
const char *duet_cli_solution_names(const char *file, const duet_instance *instance, char *text,
                                    size_t size);
// NAME=PATH, or PATH alone: then the name is that of the file or folder, without its ending.
typedef struct duet_cli_named_path {
    const char *name; // within the text
    int length;       // of the name; 0: the text is neither
    const char *path;
} duet_cli_named_path;
duet_cli_named_path duet_cli_name_path(const char *text);
// Whether there is a file or folder of that path, and whether it is a folder.
bool duet_cli_exists(const char *path);
bool duet_cli_is_folder(const char *path);
// The file that an algorithm's options say to write (-O proof=FILE); NULL where they name none.
const char *duet_cli_option_file(const char *algorithm, const duet_options *options);
// DUET_E_USAGE where that is no name at all.
duet_code duet_cli_check_option_file(const char *path, duet_error *error);

#endif
