// SPDX-License-Identifier: Apache-2.0
// Runs without a ratio, and which key keeps their instance from what other sources know of it.
#include <math.h>
#include <stdio.h>

#include "report/page/results.h"
#include "report/texts.h"

// A name within a sentence.
typedef struct short_name {
    char text[100];
} short_name;

static short_name shorten(const char *text)
{
    short_name made;
    duet_clean_text(text, SIZE_MAX, made.text, sizeof made.text);
    return made;
}

static short_name instance_name(const duet_results *results, uint32_t instance)
{
    return shorten(duet_names_text(&results->instances, instance));
}

static short_name platform_name(const duet_results *results, uint32_t platform)
{
    return shorten(duet_names_text(&results->platforms, platform));
}

static short_name source_name(const duet_results *results, uint32_t instance)
{
    uint32_t file = results->joins.instance[instance].file;
    return shorten(duet_names_text(&results->files, file));
}

// Another source has an instance of that label: it is on another platform, or it is not the only
// one. False: no other source has one.
static bool explain_label(const duet_results *results, uint32_t instance, uint32_t label,
                          duet_unreferred *runs)
{
    const duet_joined *own = &results->joins.instance[instance];
    size_t count = 0;
    const duet_label_use *use = duet_joins_uses(&results->joins, label, &count);
    const duet_label_use *other = NULL;  // of another source
    const duet_label_use *second = NULL; // on another platform than that
    bool same = false;
    for (size_t i = 0; i < count; i++) {
        if (use[i].file != own->file) {
            second = second == NULL && other != NULL && use[i].platform != other->platform ? &use[i]
                                                                                           : second;
            other = other == NULL ? &use[i] : other;
            same = same || use[i].platform == own->platform;
        }
    }
    if (other == NULL) {
        return false;
    }
    short_name source = source_name(results, other->instance);
    if (!same && other->platform == DUET_NO_PLATFORM) {
        snprintf(runs->why, sizeof runs->why,
                 "it is on several platforms here, and %s tells none: expected a column platform, "
                 "or m and k",
                 source.text);
    } else if (same) {
        snprintf(runs->why, sizeof runs->why,
                 "more than one instance or optimum answers to its name, for example \"%s\" in %s: "
                 "expected a column file that tells them apart",
                 instance_name(results, other->instance).text, source.text);
    } else if (own->platform == DUET_NO_PLATFORM) {
        snprintf(runs->why, sizeof runs->why,
                 "its platform is missing, and %s has it on \"%s\" and others: expected a column "
                 "platform, or m and k",
                 source.text, platform_name(results, other->platform).text);
    } else {
        snprintf(runs->why, sizeof runs->why, "the platform differs: \"%s\" here, \"%s\"%s in %s",
                 platform_name(results, own->platform).text,
                 platform_name(results, other->platform).text, second == NULL ? "" : " and others",
                 source.text);
    }
    return true;
}

// No other source has an instance of any of its labels.
static void explain_instance(const duet_results *results, uint32_t instance, duet_unreferred *runs)
{
    uint32_t file = results->joins.instance[instance].file;
    for (uint32_t i = 0; i < results->joins.count; i++) {
        const duet_known *known = &results->known[i];
        if (results->joins.instance[i].file != file &&
            (duet_is_time(known->optimum) || duet_is_time(known->bound))) {
            snprintf(runs->why, sizeof runs->why,
                     "the instance differs: \"%s\" here, for example \"%s\" in %s",
                     instance_name(results, instance).text, instance_name(results, i).text,
                     source_name(results, i).text);
            return;
        }
    }
}

static void explain(const duet_results *results, uint32_t instance, duet_unreferred *runs)
{
    const duet_joined *own = &results->joins.instance[instance];
    snprintf(runs->why, sizeof runs->why, "no table has an optimum or a bound of this instance");
    if (own->next != instance || results->files.count < 2) {
        return;
    }
    for (uint32_t i = 0; i < own->labels; i++) {
        if (explain_label(results, instance, own->label[i], runs)) {
            return;
        }
    }
    explain_instance(results, instance, runs);
}

duet_unreferred duet_results_unreferred(const duet_results *results, uint32_t file)
{
    duet_unreferred runs = {0};
    for (size_t i = 0; i < results->count; i++) {
        const duet_kept_result *run = &results->run[i];
        if (run->file == file && duet_is_time(run->makespan) && isnan(run->ratio)) {
            if (runs.count++ == 0) {
                runs.series = run->series;
                runs.instance = run->instance;
            }
        }
    }
    if (runs.count > 0) {
        explain(results, runs.instance, &runs);
    }
    return runs;
}
