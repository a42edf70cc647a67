// SPDX-License-Identifier: Apache-2.0
// `duet bench peers`: finds Python and the scripts beside this file, and becomes them. The peers
// are modules of Python and programs, of which nothing here knows more.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "core/system/utf8.h"

typedef struct peers_args {
    duet_cli_args shared;
    const char *csv;
    const char *from;
    const char *resume;
    const char *markdown;
    const char *chart;
    const char *data;
    const char *peers;
    const char *sets;
    const char *seconds;
    const char *threads;
    const char *python;
    const char *scripts;
    bool quiet;
} peers_args;

static const duet_cli_option options[] = {
    {"peers", 0, "LIST", DUET_CLI_WORD(peers_args, peers), .fallback = "all that are there",
     .text = "some of duet, cpsat, pyjobshop, highs, scip, cbc, glpk and saga"},
    {"sets", 0, "LIST", DUET_CLI_WORD(peers_args, sets), .fallback = "all",
     .text = "some of random, kernels, graphs, moldable, releases, job-shops, rcmax, stg, measured "
             "and workflows, or names of instances; all-releases has 40"},
    {"data", 0, "FOLDER", DUET_CLI_PATH(peers_args, data),
     .text = "the folder of the public sets rcmax, stg, measured and workflows"},
    {"time", 't', "SECONDS", DUET_CLI_WORD(peers_args, seconds), .preset = "5",
     .text = "limit of each run"},
    {"threads", 'j', "LIST", DUET_CLI_WORD(peers_args, threads), .preset = "1",
     .text = "threads of each run, as in 1,all"},
    {"csv", 0, "FILE", DUET_CLI_PATH(peers_args, csv), .text = "write a row per run to FILE"},
    {"markdown", 0, "FILE,...", DUET_CLI_PATH(peers_args, markdown),
     .text = "write the tables as Markdown, between the marks of pages that have them"},
    {"from", 0, "FILE", DUET_CLI_PATH(peers_args, from),
     .text = "run nothing, show the rows that --csv wrote"},
    {"resume", 0, "FILE", DUET_CLI_PATH(peers_args, resume),
     .text = "take the runs that --csv wrote to FILE earlier, do the others"},
    {"chart", 0, "FILE", DUET_CLI_PATH(peers_args, chart),
     .text = "draw how many each has proven, as SVG"},
    {"python", 0, "COMMAND", DUET_CLI_WORD(peers_args, python), .preset = "python3",
     .text = "the Python that has the peers' modules"},
    {"scripts", 0, "FOLDER", DUET_CLI_PATH(peers_args, scripts),
     .fallback = "share/duet/peers beside this command, or bench/peers of its source",
     .text = "where peers.py is"},
    {"quiet", 'q', NULL, DUET_CLI_FLAG(peers_args, quiet), .text = "no progress line and no notes"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench peers",
    NULL,
    0,
    "Runs Duet and other solvers on the same instances, each run in a process of its own: CP-SAT, "
    "PyJobShop, HiGHS, SCIP, CBC, GLPK and SAGA, by models in bench/peers. Every schedule is "
    "judged by 'duet verify', every bound by the shortest schedule that was judged. Exits 1 when "
    "an answer of Duet's is wrong. Ctrl-C shows what is there so far."
    "\vExamples:\n"
    "  duet bench peers --csv peers.csv\n"
    "  duet bench peers --peers duet,cpsat --sets job-shops -t 60 -j 1,all\n",
    {options, duet_cli_help_options, NULL}};

enum { PATH_SIZE = 4096 };

// This program's path; "": nobody knows.
static void find_self(char self[PATH_SIZE])
{
    ssize_t length = readlink("/proc/self/exe", self, PATH_SIZE - 1);
    self[length < 0 ? 0 : length] = '\0';
}

// The script in the folder that is given, or else beside this program or in its source; "":
// nowhere.
static void find_script(const char *self, const char *folder, char *path, size_t size)
{
    static const char *const beside[] = {"../share/duet/peers", "../../../bench/peers"};
    const char *slash = strrchr(self, '/');
    int length = slash == NULL ? 0 : (int)(slash - self);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (folder != NULL) {
            snprintf(path, size, "%s/peers.py", folder);
        } else {
            snprintf(path, size, "%.*s/%s/peers.py", length, self, beside[i]);
        }
        if (access(path, R_OK) == 0) {
            return;
        }
    }
    path[0] = '\0';
}

// The words of the script's command line, with NULL at the end.
typedef struct words {
    const char *word[40];
    size_t count;
} words;

static void add(words *line, const char *word)
{
    line->word[line->count++] = word;
    line->word[line->count] = NULL;
}

static void add_option(words *line, const char *name, const char *value)
{
    if (value != NULL) {
        add(line, name);
        add(line, value);
    }
}

static void fill(words *line, const peers_args *args, const char *script, const char *self)
{
    add(line, args->python);
    add(line, script);
    add_option(line, "--duet", self);
    add_option(line, "--peers", args->peers);
    add_option(line, "--sets", args->sets);
    add_option(line, "--data", args->data);
    add_option(line, "--time", args->seconds);
    add_option(line, "--threads", args->threads);
    add_option(line, "--csv", args->csv);
    add_option(line, "--from", args->from);
    add_option(line, "--markdown", args->markdown);
    add_option(line, "--resume", args->resume);
    add_option(line, "--chart", args->chart);
    if (args->quiet) {
        add(line, "--quiet");
    }
}

// Does not come back where all is well.
static duet_code become(const peers_args *args, duet_error *error)
{
    char self[PATH_SIZE];
    char script[PATH_SIZE + 64];
    words line = {.count = 0};
    find_self(self);
    find_script(self, args->scripts, script, sizeof script);
    if (script[0] == '\0') {
        return duet_error_set(error, DUET_E_USAGE,
                              "bench peers: no peers.py in %.200s: expected its folder (--scripts)",
                              args->scripts != NULL ? args->scripts
                                                    : "share/duet/peers or bench/peers");
    }
    fill(&line, args, script, self);
    for (size_t i = 0; i < line.count; i++) {
        if (!duet_utf8_is_plain(line.word[i])) { // the script would print it as it is
            return duet_error_set(error, DUET_E_USAGE,
                                  "bench peers: expected a text without control characters, got "
                                  "'%.200s'",
                                  line.word[i]);
        }
    }
    fflush(stdout);
    // It takes them as not const, and leaves them alone.
    char *arguments[sizeof line.word / sizeof *line.word];
    memcpy(arguments, line.word, sizeof arguments);
    execvp(args->python, arguments);
    return duet_error_set(error, DUET_E_USAGE,
                          "bench peers: cannot run %.200s: %s; expected Python 3 (--python)",
                          args->python, strerror(errno)); // NOLINT(concurrency-mt-unsafe)
}

int duet_bench_peers(int argc, char **argv)
{
    peers_args args = {.peers = NULL};
    duet_error error = DUET_ERROR_INIT;
    int code;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    if (become(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
