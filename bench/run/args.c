// SPDX-License-Identifier: Apache-2.0
#include "bench/run/args.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/run/measure.h"
#include "console/args_list.h"

bool duet_bench_take_families(duet_cli_args *args, const char *text, const char **list,
                              size_t *count)
{
    enum { MOST = 64 };
    const char *known[MOST];
    size_t there = duet_bench_families(known, MOST);
    return duet_cli_take_names(args, "--families", text, known, there, list, count);
}

const char *const duet_bench_endings[] = {"svg", "pdf", "png", NULL};

duet_code duet_bench_add_algorithm(const char *name, const char **list, size_t *count, size_t most,
                                   duet_error *error)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(list[i], name) == 0) {
            return duet_error_set(error, DUET_E_USAGE, "-a: '%s' is given twice", name);
        }
    }
    if (*count == most) {
        return duet_error_set(error, DUET_E_USAGE, "-a: expected at most %zu algorithms", most);
    }
    list[(*count)++] = name;
    return DUET_OK;
}

duet_code duet_bench_make_folder(const char *path, duet_error *error)
{
    struct stat status;
    int failed = mkdir(path, 0777);
    if (failed != 0 && errno == EEXIST) {
        failed = stat(path, &status);
        if (failed == 0 && !S_ISDIR(status.st_mode)) {
            return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                     "cannot write: it is a file, expected a folder");
        }
        failed = failed != 0 ? failed : access(path, W_OK | X_OK);
    }
    return failed == 0 ? DUET_OK
                       : duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                           "cannot write to the folder: %s", strerror(errno));
}
