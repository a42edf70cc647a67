// SPDX-License-Identifier: Apache-2.0
#include "tests/support/exact_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <duet/io.h>

#include "core/system/try.h"
#include "tests/support/scratch_file.h"

// The file's text; NULL where it cannot be read.
static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    *length = text == NULL ? 0 : fread(text, 1, (size_t)size, file);
    fclose(file);
    if (text != NULL) {
        text[*length] = '\0';
    }
    return text;
}

static duet_params or_default(const duet_params *params)
{
    duet_params given = DUET_PARAMS_INIT;
    given.threads = 1;
    return params == NULL ? given : *params;
}

duet_exact_run duet_exact_run_plain(const duet_instance *instance, const duet_params *params)
{
    duet_exact_run run = {.error = DUET_ERROR_INIT};
    duet_params given = or_default(params);
    given.options = NULL;
    run.code = duet_solve(instance, "exact", &given, &run.solution, &run.error);
    return run;
}

duet_exact_run duet_exact_run_with_proof(const duet_instance *instance, const duet_params *params)
{
    duet_exact_run run = {.error = DUET_ERROR_INIT};
    char folder[40];
    snprintf(folder, sizeof folder, "%s/duet-exact-XXXXXX", duet_scratch_root());
    char path[64];
    char option[80];
    duet_options *options;
    if (mkdtemp(folder) == NULL || duet_options_create(&options, &run.error) != DUET_OK) {
        perror(folder);
        exit(1);
    }
    snprintf(path, sizeof path, "%s/proof", folder);
    snprintf(option, sizeof option, "proof=%s", path);
    duet_params given = or_default(params);
    run.code = duet_options_add(options, option, &run.error);
    given.options = options;
    DUET_THEN(run.code, duet_solve(instance, "exact", &given, &run.solution, &run.error));
    run.proof = read_text(path, &run.length);
    duet_options_free(options);
    unlink(path);
    rmdir(folder);
    return run;
}

void duet_exact_run_free(duet_exact_run *run)
{
    duet_solution_free(run->solution);
    free(run->proof);
    run->solution = NULL;
    run->proof = NULL;
}
