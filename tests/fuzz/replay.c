// SPDX-License-Identifier: Apache-2.0
// Runs one of the fuzz targets on the files of the folders it is given: what was found once stays
// found. The build lists the targets in programs.inc, and has renamed the function of each
// (tests/CMakeLists.txt).
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

#define PROGRAM(name) int LLVMFuzzerTestOneInput_of_##name(const uint8_t *data, size_t size);
#include "programs.inc"
#undef PROGRAM

typedef struct kept_target {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} kept_target;

#define PROGRAM(name) {#name, LLVMFuzzerTestOneInput_of_##name},
static const kept_target targets[] = {
#include "programs.inc"
};
#undef PROGRAM

static const kept_target *find_target(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i].name, name) == 0) {
            return &targets[i];
        }
    }
    return NULL;
}

static int run_file(const kept_target *target, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    size_t got = data == NULL ? 0 : fread(data, 1, (size_t)size, file);
    fclose(file);
    if (got != (size_t)size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(data);
        return 1;
    }
    fprintf(stderr, "%s\n", path);
    target->run(data, got);
    free(data);
    return 0;
}

static int run_folder(const kept_target *target, const char *folder, int *files)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        perror(folder);
        return 1;
    }
    int failed = 0;
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            failed += run_file(target, path);
            ++*files;
        }
        free(entries[i]);
    }
    free(entries);
    return failed;
}

int main(int argc, char **argv)
{
    int files = 0;
    int failed = 0;
    const kept_target *target = argc > 1 ? find_target(argv[1]) : NULL;
    if (target == NULL) {
        fprintf(stderr, "usage: %s TARGET FOLDER...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        failed += run_folder(target, argv[i], &files);
    }
    printf("%d files\n", files);
    return failed > 0 || files == 0;
}
