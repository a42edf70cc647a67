// SPDX-License-Identifier: Apache-2.0
// The words by which tables and tools of many fields call what a task has. One list for all
// readers.
#include <string.h>
#include <strings.h>

#include <duet/io.h>

#include "instances/formats/fields.h"

typedef struct word {
    const char *text; // without blanks and signs, in lower case
    duet_meaning meaning;
} word;

static const word words[] = {
    {"id", DUET_MEANS_ID},
    {"task", DUET_MEANS_ID},
    {"name", DUET_MEANS_ID},
    {"job", DUET_MEANS_ID},
    {"jobid", DUET_MEANS_ID},
    {"jobname", DUET_MEANS_ID},
    {"taskid", DUET_MEANS_ID},
    {"taskname", DUET_MEANS_ID},
    {"process", DUET_MEANS_ID},
    {"processname", DUET_MEANS_ID},
    {"after", DUET_MEANS_AFTER},
    {"predecessor", DUET_MEANS_AFTER},
    {"predecessors", DUET_MEANS_AFTER},
    {"pred", DUET_MEANS_AFTER},
    {"preds", DUET_MEANS_AFTER},
    {"dependson", DUET_MEANS_AFTER},
    {"depends", DUET_MEANS_AFTER},
    {"depend", DUET_MEANS_AFTER},
    {"dependency", DUET_MEANS_AFTER},
    {"dependencies", DUET_MEANS_AFTER},
    {"dep", DUET_MEANS_AFTER},
    {"deps", DUET_MEANS_AFTER},
    {"require", DUET_MEANS_AFTER},
    {"requires", DUET_MEANS_AFTER},
    {"required", DUET_MEANS_AFTER},
    {"need", DUET_MEANS_AFTER},
    {"needs", DUET_MEANS_AFTER},
    {"prev", DUET_MEANS_AFTER},
    {"previous", DUET_MEANS_AFTER},
    {"parent", DUET_MEANS_AFTER},
    {"parents", DUET_MEANS_AFTER},
    {"waitsfor", DUET_MEANS_AFTER},
    {"upstream", DUET_MEANS_AFTER},
    {"blockedby", DUET_MEANS_AFTER},
    {"waitfor", DUET_MEANS_AFTER},
    {"waitson", DUET_MEANS_AFTER},
    {"runafter", DUET_MEANS_AFTER},
    {"prerequisite", DUET_MEANS_AFTER},
    {"prerequisites", DUET_MEANS_AFTER},
    {"prereq", DUET_MEANS_AFTER},
    {"prereqs", DUET_MEANS_AFTER},
    {"before", DUET_MEANS_BEFORE},
    {"successor", DUET_MEANS_BEFORE},
    {"successors", DUET_MEANS_BEFORE},
    {"succ", DUET_MEANS_BEFORE},
    {"succs", DUET_MEANS_BEFORE},
    {"child", DUET_MEANS_BEFORE},
    {"children", DUET_MEANS_BEFORE},
    {"next", DUET_MEANS_BEFORE},
    {"followers", DUET_MEANS_BEFORE},
    {"downstream", DUET_MEANS_BEFORE},
    {"dependents", DUET_MEANS_BEFORE},
    {"follower", DUET_MEANS_BEFORE},
    {"release", DUET_MEANS_RELEASE},
    {"releasedate", DUET_MEANS_RELEASE},
    {"releasetime", DUET_MEANS_RELEASE},
    {"released", DUET_MEANS_RELEASE},
    {"releases", DUET_MEANS_RELEASE},
    {"releasedates", DUET_MEANS_RELEASE},
    {"releasetimes", DUET_MEANS_RELEASE},
    {"ready", DUET_MEANS_RELEASE},
    {"readytime", DUET_MEANS_RELEASE},
    {"readyat", DUET_MEANS_RELEASE},
    {"arrival", DUET_MEANS_RELEASE},
    {"arrivaltime", DUET_MEANS_RELEASE},
    {"arrive", DUET_MEANS_RELEASE},
    {"arrivals", DUET_MEANS_RELEASE},
    {"startafter", DUET_MEANS_RELEASE},
    {"notbefore", DUET_MEANS_RELEASE},
    {"startsafter", DUET_MEANS_RELEASE},
    {"startnotbefore", DUET_MEANS_RELEASE},
    {"availablefrom", DUET_MEANS_RELEASE},
    {"earlieststart", DUET_MEANS_RELEASE},
    {"subtime", DUET_MEANS_RELEASE},
    {"cores", DUET_MEANS_CORES},
    {"corecount", DUET_MEANS_CORES},
    {"numcores", DUET_MEANS_CORES},
    {"ncores", DUET_MEANS_CORES},
    {"cpus", DUET_MEANS_CORES},
    {"ncpu", DUET_MEANS_CORES},
    {"ncpus", DUET_MEANS_CORES},
    {"cpucount", DUET_MEANS_CORES},
    {"reqprocs", DUET_MEANS_CORES},
    {"numprocs", DUET_MEANS_CORES},
    {"numprocessors", DUET_MEANS_CORES},
    {"numcpus", DUET_MEANS_CORES},
    {"alloccpus", DUET_MEANS_CORES},
    {"reqcpus", DUET_MEANS_CORES},
    {"cpuspertask", DUET_MEANS_CORES},
    {"nproc", DUET_MEANS_CORES},
    {"nprocs", DUET_MEANS_CORES},
    {"procs", DUET_MEANS_CORES},
    {"processors", DUET_MEANS_CORES},
    {"res", DUET_MEANS_CORES},
    {"slots", DUET_MEANS_CORES},
    {"threads", DUET_MEANS_CORES},
    {"nthreads", DUET_MEANS_CORES},
    {"numthreads", DUET_MEANS_CORES},
    {"size", DUET_MEANS_CORES},
    {"deadline", DUET_MEANS_DEADLINE},
    {"deadlines", DUET_MEANS_DEADLINE},
    {"due", DUET_MEANS_DEADLINE},
    {"duedate", DUET_MEANS_DEADLINE},
    {"duedates", DUET_MEANS_DEADLINE},
    {"duetime", DUET_MEANS_DEADLINE},
    {"harddeadline", DUET_MEANS_DEADLINE},
    {"softdeadline", DUET_MEANS_DEADLINE},
    {"latestend", DUET_MEANS_DEADLINE},
    {"dueby", DUET_MEANS_DEADLINE},
    {"finishby", DUET_MEANS_DEADLINE},
    {"endby", DUET_MEANS_DEADLINE},
    {"notafter", DUET_MEANS_DEADLINE},
    {"latestcompletion", DUET_MEANS_DEADLINE},
    {"latestfinish", DUET_MEANS_DEADLINE},
    {"priority", DUET_MEANS_PRIORITY},
    {"priorities", DUET_MEANS_PRIORITY},
    {"prio", DUET_MEANS_PRIORITY},
    {"importance", DUET_MEANS_PRIORITY},
    {"urgency", DUET_MEANS_PRIORITY},
    {"weight", DUET_MEANS_WEIGHT},
    {"weights", DUET_MEANS_WEIGHT},
    {"setup", DUET_MEANS_SETUP},
    {"setuptime", DUET_MEANS_SETUP},
    {"setuptimes", DUET_MEANS_SETUP},
    {"changeover", DUET_MEANS_SETUP},
    {"memory", DUET_MEANS_MEMORY},
    {"mem", DUET_MEANS_MEMORY},
    {"ram", DUET_MEANS_MEMORY},
    {"rss", DUET_MEANS_MEMORY},
    {"peakrss", DUET_MEANS_MEMORY},
    {"maxrss", DUET_MEANS_MEMORY},
    {"vmem", DUET_MEANS_MEMORY},
    {"peakvmem", DUET_MEANS_MEMORY},
    {"reqmem", DUET_MEANS_MEMORY},
    {"disk", DUET_MEANS_MEMORY},
    {"group", DUET_MEANS_GROUP},
    {"groups", DUET_MEANS_GROUP},
    {"kind", DUET_MEANS_GROUP},
    {"tasktype", DUET_MEANS_GROUP},
    {"typeoftask", DUET_MEANS_GROUP},
    {"type", DUET_MEANS_GROUP},
    {"jobtype", DUET_MEANS_GROUP},
    {"stage", DUET_MEANS_GROUP},
    {"category", DUET_MEANS_GROUP},
    {"status", DUET_MEANS_RUN},
    {"state", DUET_MEANS_RUN},
    {"exit", DUET_MEANS_RUN},
    {"exitcode", DUET_MEANS_RUN},
    {"start", DUET_MEANS_RUN},
    {"end", DUET_MEANS_RUN},
    {"starttime", DUET_MEANS_RUN},
    {"endtime", DUET_MEANS_RUN},
    {"finish", DUET_MEANS_RUN},
    {"finishtime", DUET_MEANS_RUN},
    {"startedat", DUET_MEANS_RUN},
    {"finishedat", DUET_MEANS_RUN},
    {"submit", DUET_MEANS_RUN},
    {"complete", DUET_MEANS_RUN},
    {"user", DUET_MEANS_RUN},
    {"account", DUET_MEANS_RUN},
    {"partition", DUET_MEANS_RUN},
    {"nodelist", DUET_MEANS_RUN},
    {"hostname", DUET_MEANS_RUN},
    {"comment", DUET_MEANS_REMARK},
    {"comments", DUET_MEANS_REMARK},
    {"note", DUET_MEANS_REMARK},
    {"notes", DUET_MEANS_REMARK},
    {"remark", DUET_MEANS_REMARK},
    {"remarks", DUET_MEANS_REMARK},
    {"description", DUET_MEANS_REMARK},
    {"owner", DUET_MEANS_REMARK},
    {"command", DUET_MEANS_REMARK},
    {"hash", DUET_MEANS_RUN},
    {"nativeid", DUET_MEANS_RUN},
};

enum { LONGEST = 40 };

// The name without blanks and signs, in lower case; "" where it is too long to be a word.
static void simplify(const char *name, char simple[LONGEST])
{
    size_t used = 0;
    for (; *name != '\0' && used + 1 < LONGEST; name++) {
        if (strchr(" _-.", *name) == NULL) {
            bool upper = *name >= 'A' && *name <= 'Z';
            simple[used++] = (char)(upper ? *name - 'A' + 'a' : *name);
        }
    }
    simple[*name == '\0' ? used : 0] = '\0';
}

// "memorygb" is "memory".
static void drop_memory_unit(char *simple)
{
    static const char *const units[] = {"inbytes", "bytes", "gib", "mib", "kib", "gb", "mb", "kb"};
    size_t length = strlen(simple);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i]);
        if (length > unit && strcmp(simple + length - unit, units[i]) == 0) {
            simple[length - unit] = '\0';
            return;
        }
    }
}

static duet_meaning find(const char *simple)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(simple, words[i].text) == 0) {
            return words[i].meaning;
        }
    }
    return DUET_MEANS_NOTHING;
}

// "cpu_s" is a time in seconds, where "cpus" is a number of them.
static bool ends_in_seconds(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && (name[length - 1] == 's' || name[length - 1] == 'S') &&
           strchr(" _-.", name[length - 2]) != NULL;
}

// Whether the end of a name is a unit of times: "_s", " ms", "(min)" or "[h]". The name without it.
static bool drop_time_unit(const char *name, char simple[LONGEST])
{
    static const char *const units[] = {"s",       "sec", "secs", "second", "seconds", "ms",
                                        "us",      "ns",  "m",    "min",    "mins",    "minute",
                                        "minutes", "h",   "hr",   "hrs",    "hour",    "hours",
                                        "d",       "day", "days"};
    size_t length = strlen(name);
    bool closed = length > 0 && strchr(")]", name[length - 1]) != NULL;
    size_t end = length - closed;
    size_t begin = end;
    while (begin > 0 && strchr(closed ? "([" : " _-.", name[begin - 1]) == NULL) {
        begin--;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof units / sizeof *units && begin > 1 && length < LONGEST; i++) {
        known = known || (strlen(units[i]) == end - begin &&
                          strncasecmp(units[i], name + begin, end - begin) == 0);
    }
    if (known) {
        char base[LONGEST];
        memcpy(base, name, begin - 1);
        base[begin - 1] = '\0';
        simplify(base, simple);
    }
    return known;
}

// What a name with a unit means: the time of a type, unless the rest means another time.
static duet_meaning timed_meaning(const char *name)
{
    char simple[LONGEST];
    if (!drop_time_unit(name, simple)) {
        return DUET_MEANS_NOTHING;
    }
    duet_meaning meaning = find(simple);
    bool unused = meaning == DUET_MEANS_RUN || meaning == DUET_MEANS_SETUP;
    bool timed = meaning == DUET_MEANS_RELEASE || meaning == DUET_MEANS_DEADLINE;
    return timed ? DUET_MEANS_TIMED : unused ? meaning : DUET_MEANS_NOTHING;
}

duet_meaning duet_field_meaning(const char *name)
{
    char simple[LONGEST];
    simplify(name, simple);
    duet_meaning meaning = timed_meaning(name);
    if (meaning == DUET_MEANS_NOTHING && !ends_in_seconds(name)) {
        meaning = find(simple);
    }
    if (meaning == DUET_MEANS_NOTHING) {
        drop_memory_unit(simple);
        bool memory = find(simple) == DUET_MEANS_MEMORY;
        meaning = memory ? DUET_MEANS_MEMORY : meaning;
    }
    return meaning;
}

const char *duet_field_word(const char *name)
{
    static const char *const names[] = {
        [DUET_MEANS_NOTHING] = NULL,        [DUET_MEANS_ID] = "id",
        [DUET_MEANS_AFTER] = "after",       [DUET_MEANS_BEFORE] = "before",
        [DUET_MEANS_RELEASE] = "release",   [DUET_MEANS_CORES] = "cores",
        [DUET_MEANS_DEADLINE] = "deadline", [DUET_MEANS_PRIORITY] = "priority",
        [DUET_MEANS_WEIGHT] = "weight",     [DUET_MEANS_MEMORY] = "memory",
        [DUET_MEANS_SETUP] = "setup",       [DUET_MEANS_REMARK] = "remark",
        [DUET_MEANS_GROUP] = "group",       [DUET_MEANS_RUN] = "run",
        [DUET_MEANS_TIMED] = "timed"};
    return names[duet_field_meaning(name)];
}
