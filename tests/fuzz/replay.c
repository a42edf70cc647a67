// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on the files of the folders it is given: what was found once stays found.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int run_file(const char *path)
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
    LLVMFuzzerTestOneInput(data, got);
    free(data);
    return 0;
}

static int run_folder(const char *folder, int *files)
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
            failed += run_file(path);
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
    for (int i = 1; i < argc; i++) {
        failed += run_folder(argv[i], &files);
    }
    printf("%d files\n", files);
    return failed > 0 || files == 0;
}
