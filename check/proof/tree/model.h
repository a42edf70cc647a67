// SPDX-License-Identifier: Apache-2.0
// What a proof of "no schedule within the guess" talks about: classes of equal tasks, and how much
// of the guess a processor can use. Any number of processor types. The checker derives all of it
// from the instance and the guess.
#ifndef DUET_CHECK_PROOF_TREE_MODEL_H
#define DUET_CHECK_PROOF_TREE_MODEL_H

#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"

enum { DUET_PROOF_CPU = 0, DUET_PROOF_GPU = 1 }; // on a platform of two types

// A time is *usable* if its type has processors, it is not forbidden, and it is at most the guess.
// Kinds with a usable time of 0 are dropped. The others are merged into classes by their times of
// at most `within`, numbered in the order of first appearance. So a usable time of a class is above
// 0, and 0 stands for an unusable one.
//
// With releases the types are those of the platform, each with one of the times until which some of
// its processors are busy, 0 among them, in ascending order. What is usable, and what tells classes
// apart, is where a task would end that starts at its release or when such a processor is no more
// busy; and releases tell classes apart. A set of tasks fits on a processor where for the release r
// of each of them what is released at r or later fits between that start and the guess. So the
// capacity alone allows more than fits.
typedef struct duet_proof_model {
    int64_t guess;  // the makespan that is asked for: L of docs/formats.md
    int64_t within; // times up to this one tell classes apart; at least the guess
    size_t classes;
    int types;
    int64_t *count;   // per class: how many tasks
    int64_t *release; // per class; NULL: all are there from 0 on
    // Per type:
    int64_t *time[DUET_MAX_TYPES];      // per class; 0 where unusable
    int64_t processors[DUET_MAX_TYPES]; // of the platform
    int64_t from[DUET_MAX_TYPES];       // they are busy until then
    int64_t divisor[DUET_MAX_TYPES];    // gcd of the usable times; 1 if no class is usable
    int64_t capacity[DUET_MAX_TYPES];   // the most a processor can use of the guess
    size_t *order[DUET_MAX_TYPES];      // the usable classes by decreasing time
    size_t usable[DUET_MAX_TYPES];      // how many these are
    // For messages: "CPU" and "CPUs", "GPU" and "GPUs"; of other than two types "type 0" for both.
    char name[DUET_MAX_TYPES][16];
    char plural[DUET_MAX_TYPES][16];
} duet_proof_model;

// Fills `model` for a guess of at least 0. Errors:
// DUET_E_USAGE (no platform), DUET_E_MEMORY, or what `watch` says; the model is empty then. O(types
// x kinds log kinds).
duet_code duet_proof_model_init(duet_proof_model *model, const duet_instance *instance,
                                int64_t guess, duet_watch *watch, duet_error *error);

// Another question about an instance: types that are taken for one, which must have the same times
// of at most `within`; and times up to there, which tell classes apart.
typedef struct duet_proof_subject {
    const duet_instance *instance;
    int64_t guess;            // at least 0
    int64_t within;           // at least that
    int types;                // of the model
    int into[DUET_MAX_TYPES]; // which of these each type of the platform is; -1: none, as it has no
                              // processors
    // With releases and busy processors; then `into` does not count.
    bool released;
    size_t origin[DUET_MAX_TYPES];      // per type of the model: the type of the platform
    int64_t from[DUET_MAX_TYPES];       // its processors are busy until then
    int64_t processors[DUET_MAX_TYPES]; // per type: its number of processors
} duet_proof_subject;

// The subject of an instance as it is.
duet_proof_subject duet_proof_subject_of(const duet_instance *instance, int64_t guess);
// Adds releases and busy processors to a subject. DUET_E_INPUT where the types become too many.
duet_code duet_proof_subject_release(duet_proof_subject *subject, duet_error *error);
// The same as duet_proof_model_init(). Errors also: DUET_E_INPUT, types of one number differ.
duet_code duet_proof_model_of(duet_proof_model *model, const duet_proof_subject *subject,
                              duet_watch *watch, duet_error *error);

// What one type of a model has to do by itself.
typedef struct duet_proof_alone {
    const duet_proof_model *of;
    int type;
    int64_t guess; // at least that of the model
    int64_t processors;
    const int64_t *tasks; // per class of the model: those that the type must run
} duet_proof_alone;

// Fills `model` for one type and its tasks. Classes of equal time on it are one. Errors:
// DUET_E_MEMORY, or what `watch` says; the model is empty then. O(classes log classes).
duet_code duet_proof_model_alone(duet_proof_model *model, const duet_proof_alone *alone,
                                 duet_watch *watch, duet_error *error);
void duet_proof_model_free(duet_proof_model *model);

// When a processor of a type can start the tasks of a class.
static inline int64_t duet_proof_start(const duet_proof_model *model, int type, size_t class)
{
    int64_t release = model->release == NULL ? 0 : model->release[class];
    return duet_max(release, model->from[type]);
}

// The most tasks of a class that one processor of a type can run within its capacity.
static inline int64_t duet_proof_most(const duet_proof_model *model, int type, size_t class)
{
    int64_t time = model->time[type][class];
    if (time == 0) {
        return 0;
    }
    int64_t fit = model->capacity[type] / time;
    return duet_min(fit, model->count[class]);
}

#endif
