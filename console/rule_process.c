// SPDX-License-Identifier: Apache-2.0
#include "console/rule_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "console/plugin.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

extern char **environ;

// The other end, and who may talk to it now: threads of a study take turns.
typedef struct rule_peer {
    int socket;
    pthread_mutex_t turn;
} rule_peer;

typedef struct remote_rule {
    rule_peer *peer;
    int64_t index; // there
} remote_rule;

enum { MOST_WORDS = 1 << 28 };

// --- messages ------------------------------------------------------------------------------------

// A message in the making, or one that is read. After the first error nothing more is added.
typedef struct message {
    int64_t *word;
    size_t count;
    size_t next; // to be read
    duet_code code;
} message;

static void add(message *m, int64_t value)
{
    duet_error none = DUET_ERROR_INIT;
    DUET_THEN(m->code, duet_vec_push(m->word, m->count, &none, value));
}

static void add_text(message *m, const char *text)
{
    size_t length = strlen(text);
    add(m, (int64_t)length);
    for (size_t i = 0; i < length; i += sizeof(int64_t)) {
        int64_t word = 0;
        size_t left = length - i;
        memcpy(&word, text + i, duet_min(left, sizeof word));
        add(m, word);
    }
}

// What is behind the end reads as -1.
static int64_t take(message *m)
{
    return m->next < m->count ? m->word[m->next++] : -1;
}

// Into `text` of `size` bytes, cut where it is longer.
static void take_text(message *m, char *text, size_t size)
{
    size_t length = (size_t)take(m);
    size_t left = (m->count - m->next) * sizeof(int64_t);
    length = duet_min(length, left);
    size_t kept = length < size ? length : size - 1;
    if (kept > 0) {
        memcpy(text, &m->word[m->next], kept);
    }
    text[kept] = '\0';
    m->next += (length + sizeof(int64_t) - 1) / sizeof(int64_t);
}

// Sends all of the bytes, or receives as many.
static bool pass_all(int socket, void *bytes, size_t size, bool out)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t passed =
            out ? send(socket, at, size, MSG_NOSIGNAL) : recv(socket, at, size, MSG_WAITALL);
        if (passed < 0 && errno == EINTR) {
            continue;
        }
        if (passed <= 0) {
            return false;
        }
        at += passed;
        size -= (size_t)passed;
    }
    return true;
}

// An answer into `m`, whose words are freed by the caller.
static duet_code receive(int socket, message *m, duet_error *error)
{
    int64_t words = 0;
    m->count = m->next = 0;
    if (!pass_all(socket, &words, sizeof words, false) || words < 0 || words > MOST_WORDS) {
        return duet_error_set(error, DUET_E_INPUT, "the process of the rules has ended");
    }
    DUET_TRY(duet_vec_reserve(m->word, (size_t)words, error));
    m->count = (size_t)words;
    return pass_all(socket, m->word, (size_t)words * sizeof *m->word, false)
               ? DUET_OK
               : duet_error_set(error, DUET_E_INPUT, "the process of the rules has ended");
}

// Sends a message and takes the answer in its place. Its first word is how many follow.
static duet_code ask(rule_peer *peer, message *m, duet_error *error)
{
    if (m->code != DUET_OK) {
        return duet_error_set(error, m->code, "no memory to ask a rule");
    }
    m->word[0] = (int64_t)m->count - 1;
    pthread_mutex_lock(&peer->turn);
    duet_code code =
        pass_all(peer->socket, m->word, m->count * sizeof *m->word, true)
            ? receive(peer->socket, m, error)
            : duet_error_set(error, DUET_E_INPUT, "the process of the rules has ended");
    pthread_mutex_unlock(&peer->turn);
    return code;
}

// --- rules ---------------------------------------------------------------------------------------

static size_t choose(void *user, const duet_revealed *task)
{
    const remote_rule *rule = user;
    size_t types = duet_revealed_types(task);
    message m = {.word = NULL};
    const int64_t head[] = {0,
                            1,
                            rule->index,
                            duet_revealed_decimals(task),
                            duet_revealed_task(task),
                            duet_revealed_now(task),
                            duet_revealed_bottom_level(task),
                            duet_revealed_descendants(task),
                            (int64_t)types};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        add(&m, head[i]);
    }
    for (size_t t = 0; t < types; t++) {
        add(&m, duet_revealed_processors(task, t));
        add(&m, duet_revealed_time(task, t));
        add(&m, duet_revealed_start(task, t));
    }
    for (size_t t = 0; t < types; t++) {
        add_text(&m, duet_revealed_type_name(task, t));
    }
    duet_error fault = DUET_ERROR_INIT;
    int64_t type = ask(rule->peer, &m, &fault) == DUET_OK ? take(&m) : -1;
    duet_free(m.word);
    return type < 0 ? SIZE_MAX : (size_t)type;
}

static void add_edges(message *m, const duet_instance *instance)
{
    size_t types = duet_instance_types(instance);
    bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
    int64_t edges = duet_instance_edges(instance);
    add(m, edges);
    add(m, costs);
    for (int64_t e = 0; e < edges; e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        add(m, edge.from);
        add(m, edge.to);
        for (size_t pair = 0; costs && pair < types * types; pair++) {
            add(m, duet_instance_transfer(instance, e, pair / types, pair % types));
        }
    }
}

static void add_instance(message *m, const duet_instance *instance)
{
    size_t types = duet_instance_types(instance);
    size_t kinds = duet_instance_kinds(instance);
    add(m, (int64_t)types);
    for (size_t t = 0; t < types; t++) {
        add(m, duet_instance_type_count(instance, t));
    }
    add(m, (int64_t)kinds);
    for (size_t i = 0; i < kinds; i++) {
        add(m, duet_instance_kind_count(instance, i));
        for (size_t t = 0; t < types; t++) {
            add(m, duet_instance_time(instance, i, t));
        }
    }
    add_edges(m, instance);
    add_text(m, duet_instance_name(instance));
    add_text(m, duet_instance_time_unit(instance));
    for (size_t t = 0; t < types; t++) {
        add_text(m, duet_instance_type_name(instance, t));
    }
    for (size_t i = 0; i < kinds; i++) {
        add_text(m, duet_instance_kind_id(instance, i));
    }
}

// A list of the answer, NULL if it has none; owned by the caller.
static duet_code take_list(message *m, int64_t tasks, int64_t **list, duet_error *error)
{
    *list = NULL;
    if (take(m) != 1) {
        return DUET_OK;
    }
    *list = duet_alloc((size_t)tasks, sizeof **list, error);
    DUET_NEED(*list);
    for (int64_t i = 0; i < tasks; i++) {
        (*list)[i] = take(m);
    }
    return DUET_OK;
}

static duet_code place_list(message *m, int64_t tasks, duet_work *work, duet_error *error)
{
    int64_t *order = NULL;
    int64_t *types = NULL;
    size_t *type = NULL;
    duet_code code = take_list(m, tasks, &order, error);
    DUET_THEN(code, take_list(m, tasks, &types, error));
    if (code == DUET_OK && types != NULL) {
        type = duet_alloc((size_t)tasks, sizeof *type, error);
        code = type == NULL ? DUET_E_MEMORY : DUET_OK;
        for (int64_t i = 0; i < tasks && code == DUET_OK; i++) {
            type[i] = types[i] < 0 ? SIZE_MAX : (size_t)types[i];
        }
    }
    DUET_THEN(code, duet_work_list(work, order, type, error));
    duet_free(order);
    duet_free(types);
    duet_free(type);
    return code;
}

static duet_code place_runs(message *m, duet_work *work, duet_error *error)
{
    duet_code code = DUET_OK;
    while (m->next + 4 <= m->count && code == DUET_OK) {
        int64_t task = take(m);
        size_t type = (size_t)take(m);
        int64_t processor = take(m);
        int64_t start = take(m);
        if (start < 0) {
            code = duet_work_start(work, task, type, processor, &start, error);
        }
        DUET_THEN(code, duet_work_place(work, task, type, processor, start, error));
    }
    return code;
}

static duet_code run(void *user, const duet_instance *instance, duet_work *work, duet_error *error)
{
    const remote_rule *rule = user;
    message m = {.word = NULL};
    const int64_t head[] = {0, 2, rule->index, duet_instance_decimals(instance),
                            (int64_t)(duet_work_seed(work) & INT64_MAX)};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        add(&m, head[i]);
    }
    add_instance(&m, instance);
    duet_code code = ask(rule->peer, &m, error);
    if (code == DUET_OK) {
        int64_t answer = take(&m);
        code = answer == DUET_RULE_LIST ? place_list(&m, duet_instance_tasks(instance), work, error)
               : answer == DUET_RULE_PLACES
                   ? place_runs(&m, work, error)
                   : duet_error_set(error, DUET_E_USAGE, "the rule failed in its own process");
    }
    duet_free(m.word);
    return code;
}

// --- beginning -----------------------------------------------------------------------------------

static duet_code add_rule(rule_peer *peer, message *m, int64_t index, duet_registry *registry,
                          duet_error *error)
{
    char name[64];
    char summary[256];
    int64_t decides = take(m);
    int64_t information = take(m);
    take_text(m, name, sizeof name);
    take_text(m, summary, sizeof summary);
    remote_rule *rule = duet_alloc(1, sizeof *rule, error);
    DUET_NEED(rule);
    *rule = (remote_rule){peer, index};
    duet_custom custom = {.struct_size = sizeof custom,
                          .name = name,
                          .summary = summary,
                          .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION |
                                     DUET_FEATURE_RELEASES | DUET_FEATURE_BUSY,
                          .information = (int)information,
                          .user = rule};
    if (decides == DUET_RULE_TYPES) {
        custom.choose = choose;
    } else {
        custom.run = run;
    }
    return duet_registry_add(registry, &custom, error);
}

static duet_code add_rules(int socket, duet_registry *registry, duet_error *error)
{
    rule_peer *peer = duet_alloc(1, sizeof *peer, error);
    DUET_NEED(peer);
    peer->socket = socket;
    pthread_mutex_init(&peer->turn, NULL);
    message m = {.word = NULL};
    duet_code code = receive(socket, &m, error);
    int64_t count = code == DUET_OK ? take(&m) : 0;
    for (int64_t i = 0; i < count && code == DUET_OK; i++) {
        code = add_rule(peer, &m, i, registry, error);
    }
    duet_free(m.word);
    return code;
}

// Its standard input and output are not the command's: what it prints goes where errors go.
static duet_code start_python(const char *path, int socket, duet_error *error)
{
    const char *named = getenv("DUET_PYTHON"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    const char *python = named == NULL || named[0] == '\0' ? "python3" : named;
    char number[16];
    snprintf(number, sizeof number, "%d", socket);
    static const char program[] = "from duet._serve import main; main()";
    const char *const words[] = {python, "-c", program, path, number, NULL};
    char *arguments[sizeof words / sizeof *words];
    memcpy(arguments, words, sizeof words); // it takes them as not const, and leaves them alone
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    pid_t child;
    int failed = posix_spawnp(&child, python, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? DUET_OK
                       : duet_error_set_at(error, DUET_E_INPUT, path, 0, 0, "cannot run %.200s: %s",
                                           python, strerror(failed));
}

bool duet_rule_process_is_socket(const char *path)
{
    return strncmp(path, DUET_RULE_SOCKET, strlen(DUET_RULE_SOCKET)) == 0;
}

const char *duet_rule_process_file(const char *path)
{
    if (!duet_rule_process_is_socket(path)) {
        return path;
    }
    const char *named = strchr(path + strlen(DUET_RULE_SOCKET), ':');
    return named == NULL ? "" : named + 1;
}

duet_code duet_rule_process_load(const char *path, duet_registry *registry, duet_error *error)
{
    if (duet_rule_process_is_socket(path)) {
        return add_rules((int)strtol(path + strlen(DUET_RULE_SOCKET), NULL, 10), registry, error);
    }
    if (access(path, R_OK) != 0) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0, "cannot read: %s",
                                 strerror(errno));
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        return duet_error_set(error, DUET_E_INPUT, "no socket for rules: %s", strerror(errno));
    }
    (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    duet_code code = start_python(path, pair[1], error);
    close(pair[1]);
    duet_error fault = DUET_ERROR_INIT;
    if (code == DUET_OK && add_rules(pair[0], registry, &fault) != DUET_OK) {
        code = duet_error_set_at(error, fault.code, path, 0, 0,
                                 "%s: expected a file of Python with functions that are a "
                                 "duet.rule, and the module duet where python3 finds it",
                                 fault.message);
    }
    return code;
}
