// SPDX-License-Identifier: Apache-2.0
// The page of `duet bench papers --html`: what is printed of each paper, tables and verdicts, and
// its pictures behind it, in one file that needs no other.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/papers/papers.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Papers, run again</title>\n<style>\n"
    "body { font-family: sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }\n"
    "pre { overflow-x: auto; background: #f6f6f6; padding: 1em; line-height: 1.3 }\n"
    "figure { margin: 1em 0 } svg { max-width: 100%; height: auto }\n"
    "figcaption { color: #555 }\n</style>\n</head>\n<body>\n<h1>Papers, run again</h1>\n";

// What a paper prints, as it stands but for what a page would take for its own.
static duet_code put_text(const duet_paper_study *study, FILE *stream, duet_error *error)
{
    FILE *file = tmpfile();
    if (file == NULL) {
        return duet_error_set(error, DUET_E_OUTPUT, "no temporary file can be made: %s",
                              strerror(errno));
    }
    study->paper->print(study, file);
    bool failed = fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0;
    duet_cli_put_own(stream, "<pre>\n");
    for (int c = failed ? EOF : fgetc(file); c != EOF; c = fgetc(file)) {
        const char own[] = {(char)c, '\0'};
        duet_cli_put_own(stream, c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : own);
    }
    duet_cli_put_own(stream, "</pre>\n");
    failed = fclose(file) != 0 || failed;
    return failed ? duet_error_set(error, DUET_E_OUTPUT, "a temporary file cannot be written")
                  : DUET_OK;
}

// --- pictures ------------------------------------------------------------------------------------

// Pictures are drawn into a folder of their own.
typedef struct pictures {
    char folder[64];
    char **name; // of the files, sorted
    size_t count;
} pictures;

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static duet_code list_pictures(pictures *p, duet_error *error)
{
    DIR *folder = opendir(p->folder);
    duet_code code = folder == NULL ? DUET_E_MEMORY : DUET_OK;
    struct dirent *entry;
    while (code == DUET_OK && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            char *copy = duet_copy_string(entry->d_name, error);
            code = copy == NULL ? DUET_E_MEMORY : duet_vec_push(p->name, p->count, error, copy);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    qsort(p->name, p->count, sizeof *p->name, by_name);
    return code;
}

static void path_of(const pictures *p, size_t i, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", p->folder, p->name[i]);
}

// A picture as it stands, from its first element on: a page has no prologue of XML in it.
static void put_picture(const pictures *p, size_t i, FILE *stream)
{
    enum { SIZE = 4096 };
    char buffer[SIZE];
    path_of(p, i, buffer, sizeof buffer);
    FILE *file = fopen(buffer, "r");
    bool begun = false;
    duet_cli_print(stream, "<figure>\n");
    while (file != NULL && fgets(buffer, SIZE, file) != NULL) {
        const char *at = begun ? buffer : strstr(buffer, "<svg");
        begun = begun || at != NULL;
        if (at != NULL) {
            duet_cli_put_own(stream, at);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    duet_cli_print(stream, "<figcaption>%s</figcaption>\n</figure>\n", p->name[i]);
}

static void remove_pictures(pictures *p)
{
    char path[512];
    for (size_t i = 0; i < p->count; i++) {
        path_of(p, i, path, sizeof path);
        unlink(path);
        duet_free(p->name[i]);
    }
    duet_free(p->name);
    rmdir(p->folder);
}

static duet_code put_pictures(const duet_paper_study *study, FILE *stream, duet_error *error)
{
    const char *temporary = getenv("TMPDIR");
    pictures p = {.count = 0};
    int length = snprintf(p.folder, sizeof p.folder, "%s/duet-papers-XXXXXX",
                          temporary == NULL ? "/tmp" : temporary);
    if (length < 0 || (size_t)length >= sizeof p.folder || mkdtemp(p.folder) == NULL) {
        return duet_error_set(error, DUET_E_OUTPUT, "%s: no folder for pictures can be made: %s",
                              p.folder, strerror(errno));
    }
    char prefix[sizeof p.folder + 8];
    snprintf(prefix, sizeof prefix, "%s/figure", p.folder);
    const duet_drawing drawing = {prefix, "svg"};
    duet_code code = duet_paper_draw_all(study, &drawing, error);
    duet_code listed = list_pictures(&p, error);
    for (size_t i = 0; i < p.count && code == DUET_OK && listed == DUET_OK; i++) {
        put_picture(&p, i, stream);
    }
    remove_pictures(&p);
    return code == DUET_OK ? listed : code;
}

duet_code duet_papers_write_html(const duet_paper_study *studies, size_t count, const char *path,
                                 duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, path, error));
    duet_code code = DUET_OK;
    duet_cli_put_own(output.stream, head);
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        const duet_paper *paper = studies[i].paper;
        duet_cli_print(output.stream, "<h2>%s</h2>\n",
                       paper->title == NULL ? "Independent tasks" : paper->title);
        code = put_text(&studies[i], output.stream, error);
        DUET_THEN(code, put_pictures(&studies[i], output.stream, error));
    }
    duet_cli_put_own(output.stream, "</body>\n</html>\n");
    DUET_THEN(code, duet_output_commit(&output, error));
    duet_output_abandon(&output);
    return code;
}
