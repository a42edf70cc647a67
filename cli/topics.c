// SPDX-License-Identifier: Apache-2.0
// Topics of `duet help`: the fields of tasks that readers know, by whatever word a file has for
// them, and the words that stand for an option.
#include "cli/commands.h"

#include <string.h>
#include <strings.h>

#include "console/print.h"
#include "instances/formats/fields.h"

typedef struct topic_text {
    const char *what;
    const char *see; // what to run or to write
} topic_text;

static const topic_text fields[] = {
    [DUET_MEANS_ID] = {"the name of a task, which no other one has", "--columns id=NAME picks it"},
    [DUET_MEANS_AFTER] = {"the tasks that have to end before a task starts, as a list of ids",
                          "--columns after=NAME picks it; --edges FILE reads a table of edges"},
    [DUET_MEANS_BEFORE] = {"the tasks that wait for a task, as a list of ids",
                           "--columns successors=NAME picks it; --edges FILE reads a table of "
                           "edges"},
    [DUET_MEANS_RELEASE] = {"the instant from which on a task may start, counted from 0 in the "
                            "unit of the times",
                            "--columns release=NAME picks it; --busy TYPE=T,... says until when "
                            "processors are not free"},
    [DUET_MEANS_COUNT] = {"how many equal tasks a row stands for", "--columns count=NAME picks it"},
    [DUET_MEANS_CORES] = {"how many processors of its type a task runs on at once, as a rigid task",
                          "--columns cores=NAME picks it; --platform NAME=N,... makes it a "
                          "processor type"},
    [DUET_MEANS_DEADLINE] = {"the instant by which a task should end; late tasks are reported, "
                             "and the makespan is what is minimised",
                             "--columns deadline=NAME picks it; 'duet solve FILE --deadline T' "
                             "asks whether all can end by T, 'duet size FILE --deadline T' for "
                             "the smallest platform on which they do"},
    [DUET_MEANS_PRIORITY] = {"the rank of a task: Duet minimises the makespan, whatever it says; "
                             "heteroprio alone takes it, of tasks of equal acceleration",
                             "'duet solve FILE -a heteroprio' takes it, -O ignore=NAME passes over "
                             "it"},
    [DUET_MEANS_WEIGHT] = {"a weight, price or penalty of a task: Duet minimises the makespan, "
                           "and does not weigh tasks; of an edge it may be the cost",
                           "--columns cost=NAME picks the cost of edges, --price TYPE=P,... is "
                           "what processors cost an hour, -O ignore=NAME passes over it"},
    [DUET_MEANS_SETUP] = {"set-up times and lags, which Duet does not know",
                          "a set-up before each task is part of its time; -O ignore=NAME passes "
                          "over it"},
    [DUET_MEANS_REMARK] = {"a remark, which changes no schedule",
                           "-O ignore=NAME passes over it without a note"},
    [DUET_MEANS_MEMORY] = {"memory, GPUs or another resource that a task takes while it runs, "
                           "which Duet does not know in schedules",
                           "'duet simulate INSTANCE --bus FILE' carries out plans with the memory "
                           "of nodes; -O ignore=NAME passes over it; --memory MIB is what the "
                           "command itself may take"},
    [DUET_MEANS_GROUP] = {"the group of a task, for colours, --summary and --noise "
                          "group:NAME=FACTOR",
                          "--columns group=NAME picks it; without one the ids say it"},
    [DUET_MEANS_RUN] = {"how a task was run once, which plans nothing",
                        "-O ignore=NAME passes over it without a note; 'duet show INSTANCE "
                        "SCHEDULE' judges a schedule with its starts"},
    [DUET_MEANS_LIMIT] = {"how long a task may run, or how late it may start, which Duet does not "
                          "know",
                          "--columns cpu=NAME takes it for the time; -O ignore=NAME passes over "
                          "it"},
    [DUET_MEANS_TIMED] = {"a release or a deadline in a unit of its own",
                          "--columns release=NAME or deadline=NAME takes it in the unit of the "
                          "times; -O ignore=NAME passes over it"},
};

static const struct {
    const char *word;
    topic_text text;
} others[] = {
    {"columns",
     {"the option by which columns of CSV, members of JSON and attributes of DOT are picked and "
      "named",
      "--columns cpu=TIME_COLUMN,gpu=OTHER_COLUMN,after=ORDER_COLUMN"}},
    {"times",
     {"decimal numbers of any length, or lengths such as 1h 20m, 00:01:30 and PT1M30S",
      "--unit U names the unit of numbers, --digits N keeps N significant digits of each"}},
    {"unit", {"the unit of times: ns, us, ms, s, min, h or d", "--unit s where a file has none"}},
    {"digits",
     {"how many significant digits of each time are kept on reading, 1 to 18", "--digits 6"}},
    {"edges",
     {"the order of tasks: one starts when those before it have ended",
      "--edges FILE reads a table of edges, -O edges=false leaves them out"}},
    {"proof",
     {"a file that proves that no schedule is shorter, which the checker reads line by line",
      "'duet solve FILE -a exact -O proof=PROOF' writes it, 'duet verify FILE SOLUTION --proof "
      "PROOF' checks it"}},
};

// The same word in the plural.
static bool is_word(const char *word, const char *known)
{
    size_t length = strlen(known);
    return strncasecmp(word, known, length) == 0 &&
           (word[length] == '\0' || strcasecmp(word + length, "s") == 0);
}

static void print(const char *word, const char *kind, const topic_text *text)
{
    duet_cli_print(stdout, "%s%s\n    %s\n    %s\n", word, kind, text->what, text->see);
}

bool duet_cli_print_topic(const char *word)
{
    while (*word == '-') {
        word++;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (is_word(word, others[i].word)) {
            print(word, "", &others[i].text);
            return true;
        }
    }
    duet_meaning meaning = duet_field_meaning(word);
    if (meaning == DUET_MEANS_NOTHING && duet_field_is_length(word)) {
        print(
            word, ", a field of tasks",
            &(topic_text){"how long a task takes, on a CPU where the file names no processor type",
                          "--columns cpu=NAME picks it"});
        return true;
    }
    if (meaning == DUET_MEANS_NOTHING) {
        return false;
    }
    print(word, ", a field of tasks", &fields[meaning]);
    return true;
}
