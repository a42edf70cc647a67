// SPDX-License-Identifier: Apache-2.0
// The words by which tables and tools of many fields call what a task has. One list for all
// readers; without blanks and signs, in lower case.
#include <string.h>

#include "instances/formats/meaning_words.h"

typedef struct meaning_words {
    duet_meaning meaning;
    const char *words; // with a blank around each
} meaning_words;

static const meaning_words lists[] = {
    {DUET_MEANS_ID,
     " id task name job jobid jobname taskid taskname process processname key "
     "issuekey uid uuid guid taskuid jobuid taskkey activity activityid "
     "activityname jobidraw issueid operation operationid step stepid stepname "
     "cardid cardname vorgang vorgangsname vorgangsnummer vorgangsnr aufgabe auftrag auftragsnr "
     "auftragsnummer jobnr jobno jobnumber tasknr taskno tasknumber activityno activitynumber "
     "operationno operationnumber stepno stepnumber bezeichnung "
     "nr no rowno rownumber lineno serialno seqno sno "},
    {DUET_MEANS_AFTER,
     " after predecessor predecessors pred preds dependson depends depend "
     "dependency dependencies dep deps require requires required need needs prev "
     "previous parent parents waitsfor upstream blockedby waitfor waitson "
     "runafter prerequisite prerequisites prereq prereqs prior precededby "
     "blockedbydependencies vorg\xc3\xa4nger vorgaenger "
     "follows afterok afterany isblockedby dependenton waitsuntil inwardissuelinkblocks "},
    {DUET_MEANS_BEFORE, " before successor successors succ succs child children next followers "
                        "downstream dependents follower blocks precedes unblocks triggers "
                        "isblocking outwardissuelinkblocks blockingdependencies "
                        "nachfolger "},
    {DUET_MEANS_RELEASE,
     " release releasedate releasetime released releases releasedates "
     "releasetimes ready readytime readyat arrival arrivaltime arrive arrivals "
     "startafter notbefore startsafter startnotbefore availablefrom "
     "earlieststart subtime available availableat earliest minstart "
     "startsnotbefore noearlierthan startnoearlierthan notearlierthan startfrom "
     "eingang eingangsdatum rj "},
    {DUET_MEANS_CORES,
     " cores corecount numcores ncores cpus ncpu ncpus cpucount reqprocs numprocs "
     "numprocessors numcpus alloccpus reqcpus cpuspertask nproc nprocs procs "
     "processors res slots threads nthreads numthreads vcpus nodes nodecount "
     "nnodes processorcount ntasks poolslots ranks mpiranks size "},
    {DUET_MEANS_COUNT, " count copies copy quantity qty multiplicity repetitions repeats "
                       "anzahl "},
    {DUET_MEANS_DEADLINE,
     " deadline deadlines due duedate duedates duetime harddeadline softdeadline "
     "latestend dueby finishby endby notafter latestcompletion latestfinish "
     "frist f\xc3\xa4llig f\xc3\xa4lligkeit "
     "f\xc3\xa4lligkeitsdatum faellig faelligkeit faelligkeitsdatum termin liefertermin "
     "lieferdatum "
     "latest nolaterthan finishnolaterthan endnolaterthan mustfinishby "
     "mustfinishon finishbefore endbefore completeby mustend mustendby dj "},
    {DUET_MEANS_PRIORITY, " priority priorities prio importance urgency severity criticality nice "
                          "priorit\xc3\xa4t prioritaet "},
    {DUET_MEANS_WEIGHT,
     " weight weights penalty penalties profit revenue price prices energy power "
     "budget wj gewicht gewichtung "},
    {DUET_MEANS_SETUP, " setup setuptime setuptimes changeover lag lagtime "
                       "r\xc3\xbcstzeit ruestzeit "},
    {DUET_MEANS_MEMORY, " memory mem ram rss peakrss maxrss vmem peakvmem reqmem disk storage "
                        "gpusneeded ngpus numgpus gpucount reqgpus requestgpus allocgpus licenses "
                        "license bandwidth alloctres reqtres nbytes bytes vms uss pss "
                        "ioin ioout rchar wchar speicher arbeitsspeicher "},
    {DUET_MEANS_GROUP,
     " group groups kind tasktype typeoftask type jobtype issuetype stage category "},
    {DUET_MEANS_RUN,
     " status state exit exitcode start end starttime endtime finish finishtime "
     "startedat finishedat submit complete user account partition nodelist "
     "hostname stop started stopped ended created submitted queued finished "
     "completed updated eligible waittime waitingtime queuetime queue qos "
     "attempt attempts retry retries trynumber exitstatus returncode userid "
     "username run runid pid progress percentcomplete slack totalslack freeslack "
     "float hash nativeid std stddev stdev variance speedup flops gflops "
     "efficiency utilization ts tid thread threadid mapindex maxtries runcount meanload "
     "exitval signal startstops anfang ende beginn active taskmode "
     "outlinelevel outlinenumber wbs "},
    {DUET_MEANS_REMARK,
     " comment comments note notes remark remarks description owner command desc "
     "bemerkung bemerkungen beschreibung "
     "details url tags assignee assignedto reporter responsible "
     "resourcenames verantwortlich verantwortlicher bearbeiter summary projectkey projectname "
     "projecttype projectlead "
     "projectdescription projecturl "},
    {DUET_MEANS_LIMIT, " timelimit timelimitraw timeout walltimelimit runtimelimit reqtime "
                       "reqwalltime requestedtime requestedwalltime maxruntime maxwalltime "
                       "lateststart startby "},
};

static const char lengths[] =
    " duration durations elapsed elapsedraw elapsedtime realtime runtime walltime wallclock "
    "wallclocktime cputime cputimeraw totalcpu usercpu systemcpu usertime systime systemtime "
    "exectime executiontime processingtime timespent originalestimate remainingestimate estimate "
    "estimatedtime time jobruntime totalruntime estimatedruntime dur dauer "
    "laufzeit bearbeitungszeit pj ";

// Of the words for numbers of processors those that may as well be the name of a type.
static const char processors[] = " cpus vcpus cores threads procs processors slots nodes ranks ";

// Parts of the names of processors, their makers and their models.
static const char types[] =
    " cpu gpu cpus gpus core cores proc processor processors processing machine machines host node "
    "server device worker resource vm cluster pe pu big little fast slow small medium large mid "
    "xeon epyc ryzen opteron haswell skylake power arm atom cortex intel amd nvidia cuda hip rocm "
    "opencl sycl fpga tpu npu dsp asic ipu vpu acc accel accelerator mic phi knl tesla kepler "
    "pascal volta turing ampere hopper blackwell grace titan gtx rtx igpu dgpu gcd p e ";

static bool is_in(const char *list, const char *word, size_t length)
{
    char between[DUET_MEANING_WORD + 3];
    if (length == 0 || length > DUET_MEANING_WORD) {
        return false;
    }
    between[0] = ' ';
    memcpy(between + 1, word, length);
    memcpy(between + 1 + length, " ", 2);
    return strstr(list, between) != NULL;
}

duet_meaning duet_meaning_of_word(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (is_in(lists[i].words, word, length)) {
            return lists[i].meaning;
        }
    }
    return DUET_MEANS_NOTHING;
}

bool duet_is_word_of_lengths(const char *word, size_t length)
{
    return is_in(lengths, word, length);
}

bool duet_is_word_of_processors(const char *word, size_t length)
{
    return is_in(processors, word, length);
}

bool duet_is_word_of_types(const char *word, size_t length)
{
    return is_in(types, word, length);
}
