// SPDX-License-Identifier: Apache-2.0
#include "console/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/output.h"
#include "core/system/path.h"
#include "core/system/try.h"

duet_code duet_cli_check_ending(const char *option, const char *path, const char *endings,
                                duet_error *error)
{
    return duet_path_ends(path, endings)
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE,
                                "%s: expected a file that ends in one of %s, got '%s'", option,
                                endings, path);
}

duet_code duet_cli_refuse_ending(const char *path, const char *endings, const char *meant,
                                 duet_error *error)
{
    return path != NULL && duet_path_ends(path, endings)
               ? duet_error_set(error, DUET_E_USAGE, "-o: '%s' names another kind of file: %s",
                                path, meant)
               : DUET_OK;
}

static const char pictures[] = ".svg .pdf .png";
static const char spreadsheets[] = ".xlsx .xls .ods";
static const char table[] = "expected a name that ends in .csv for a table";

duet_code duet_cli_check_solution_ending(const char *path, duet_error *error)
{
    DUET_TRY(duet_cli_refuse_ending(path, pictures,
                                    "expected --gantt F.svg, which draws the schedule", error));
    DUET_TRY(duet_cli_refuse_ending(path, ".rec .paje",
                                    "expected --trace F.rec or F.paje, which writes it", error));
    DUET_TRY(duet_cli_refuse_ending(
        path, ".html .htm", "expected 'duet report --solution', which makes a page", error));
    return duet_cli_refuse_ending(path, spreadsheets, table, error);
}

duet_code duet_cli_check_instance_ending(const char *path, duet_error *error)
{
    DUET_TRY(duet_cli_refuse_ending(
        path, pictures, "expected 'duet solve FILE --gantt F.svg', which draws a schedule", error));
    return duet_cli_refuse_ending(path, spreadsheets, table, error);
}

duet_code duet_cli_check_target(const char *path, duet_error *error)
{
    struct stat status;
    if (path == NULL || strcmp(path, "-") == 0) {
        return DUET_OK;
    }
    if (stat(path, &status) == 0) {
        return !S_ISDIR(status.st_mode)
                   ? DUET_OK
                   : duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                       "cannot write: it is a folder, expected a file");
    }
    char target[PATH_MAX]; // through a link to what is not there yet
    char folder[PATH_MAX];
    if (!duet_output_resolve(path, target)) {
        return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot write: %s",
                                 strerror(errno));
    }
    duet_output_folder(target, folder);
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) {
        return DUET_OK;
    }
    size_t length = strlen(folder);
    folder[length > 1 && folder[length - 1] == '/' ? length - 1 : length] = '\0';
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                             "cannot write: there is no folder '%s'", folder);
}

bool duet_cli_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

const char *duet_cli_option_file(const char *algorithm, const duet_options *options)
{
    const duet_option_spec *spec = NULL;
    for (size_t i = 0; i < duet_cli_algorithm_count(); i++) {
        const duet_entry *entry = duet_cli_algorithm_entry(i);
        spec = strcmp(entry->name, algorithm) == 0 ? entry->options : spec;
    }
    for (const duet_option_spec *s = spec; options != NULL && s != NULL && s->name != NULL; s++) {
        if (s->type == DUET_OPTION_TEXT && strcmp(s->unit, "file") == 0) {
            return duet_option_given(options, s->name) ? duet_option_text(options, spec, s->name)
                                                       : NULL;
        }
    }
    return NULL;
}

duet_code duet_cli_check_option_file(const char *path, duet_error *error)
{
    return path == NULL || path[0] != '\0'
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE, "-O proof: expected a file, got ''");
}

bool duet_cli_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool duet_cli_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

// The file of a name in a folder, with any of the endings of solutions.
static bool find_called(const char *folder, const char *name, int length, char *path, size_t size)
{
    static const char *const endings[] = {".json", ".csv", ".sol.json", ".sol.csv"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        int used = snprintf(path, size, "%s/%.*s%s", folder, length, name, endings[i]);
        if (used < (int)size && duet_cli_exists(path)) {
            return true;
        }
    }
    return false;
}

bool duet_cli_find_solution(const char *given, const char *file, const duet_instance *instance,
                            char *path, size_t size)
{
    if (!duet_cli_is_folder(given)) {
        return snprintf(path, size, "%s", given) < (int)size;
    }
    const char *name = duet_path_name(file);
    const char *own = duet_instance_name(instance);
    if (find_called(given, name, (int)duet_path_stem(name), path, size)) {
        return true;
    }
    if (snprintf(path, size, "%s/%s", given, name) < (int)size && duet_cli_exists(path)) {
        return true;
    }
    return own[0] != '\0' && strchr(own, '/') == NULL &&
           find_called(given, own, (int)strlen(own), path, size);
}

const char *duet_cli_solution_names(const char *file, const duet_instance *instance, char *text,
                                    size_t size)
{
    const char *name = duet_path_name(file);
    const char *own = duet_instance_name(instance);
    int length = (int)duet_path_stem(name);
    bool other = own[0] != '\0' && (strncmp(own, name, (size_t)length) != 0 || own[length] != '\0');
    snprintf(text, size, "%.*s%s%.60s, .json or .csv", duet_min(length, 60), name,
             other ? " or " : "", other ? own : "");
    return text;
}

duet_cli_named_path duet_cli_name_path(const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals != NULL && !duet_cli_exists(text)) {
        bool whole = equals > text && equals[1] != '\0';
        return (duet_cli_named_path){text, whole ? (int)(equals - text) : 0, equals + 1};
    }
    const char *end = text + strlen(text);
    while (end > text && end[-1] == '/') {
        end--;
    }
    const char *name = end;
    while (name > text && name[-1] != '/') {
        name--;
    }
    int length = (int)(duet_cli_is_folder(text) ? (size_t)(end - name) : duet_path_stem(name));
    return (duet_cli_named_path){name, length, text};
}
