/* A process that loads a compiled model and calls its functions for another: what ends it by a signal ends no more.
 *
 *     host LIBRARY FILE FILE
 *
 * Each FILE is one end of a connection, served by a thread of its own. A call: its name in 32 bytes, how many arguments
 * there are, for each its kind and a number, and what is to be read by the function. The answer: its result, and what it
 * has written. Numbers have 8 bytes. The end of a connection ends the process.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 32, MOST = 10, STACK = 64 << 20 };
enum { NUMBER, READ, WRITTEN }; /* kinds of arguments: the number itself, or memory of so many bytes */
enum { NO_LIBRARY = 2, NO_FUNCTION = 3, NO_MEMORY = 4 }; /* exit statuses */

typedef int64_t (*Function)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
typedef struct { uint64_t kind, value; } Argument;

static void *library;

static void take(int file, void *to, size_t bytes) {
    for (char *at = to; bytes;) {
        ssize_t done = read(file, at, bytes);
        if (done <= 0) _exit(0);
        at += done;
        bytes -= (size_t)done;
    }
}

static void give(int file, const void *from, size_t bytes) {
    for (const char *at = from; bytes;) {
        ssize_t done = write(file, at, bytes);
        if (done <= 0) _exit(0);
        at += done;
        bytes -= (size_t)done;
    }
}

static void *serve(void *argument) {
    int file = *(int *)argument;
    for (;;) {
        char name[NAME + 1] = {0};
        uint64_t count;
        Argument a[MOST];
        int64_t v[MOST] = {0};
        take(file, name, NAME);
        take(file, &count, sizeof count);
        if (count > MOST) _exit(NO_FUNCTION);
        take(file, a, count * sizeof *a);
        for (uint64_t i = 0; i < count; i++) {
            if (a[i].kind == NUMBER) { v[i] = (int64_t)a[i].value; continue; }
            void *memory = calloc(a[i].value ? a[i].value : 1, 1);
            if (!memory) _exit(NO_MEMORY);
            if (a[i].kind == READ) take(file, memory, a[i].value);
            v[i] = (int64_t)(intptr_t)memory;
        }
        Function function = (Function)(intptr_t)dlsym(library, name);
        if (!function) _exit(NO_FUNCTION);
        int64_t result = function(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
        give(file, &result, sizeof result);
        for (uint64_t i = 0; i < count; i++) {
            if (a[i].kind == NUMBER) continue;
            if (a[i].kind == WRITTEN) give(file, (void *)(intptr_t)v[i], a[i].value);
            free((void *)(intptr_t)v[i]);
        }
    }
    return 0;
}

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    if (count != 4) return NO_LIBRARY;
    if (!(library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL))) {
        fprintf(stderr, "%s\n", dlerror());
        return NO_LIBRARY;
    }
    int files[2] = {atoi(arguments[2]), atoi(arguments[3])};
    pthread_t threads[2];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], &attributes, serve, &files[i])) return NO_MEMORY;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
