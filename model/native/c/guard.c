/* Machine code in the process that asks: what would end that by a signal ends it with a word and a status.
 *
 * A search has a process of its own (host.c), and does not call this. Nothing is done where somebody else has a handler,
 * as a Java machine in this process has.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OTHER_STACK = 1 << 16, WORD_LENGTH = 600 };
static char guard_word_[WORD_LENGTH];
static int guard_status_;

static void guarded_(int number) {
    static const char show_cursor[] = "\033[?25h";
    char digits[2] = {(char)('0' + number / 10), (char)('0' + number % 10)};
    if (isatty(2) && write(2, show_cursor, sizeof show_cursor - 1) < 0) _exit(guard_status_);
    if (write(2, "\nSignal ", 8) < 0 || write(2, digits + (number < 10), number < 10 ? 1 : 2) < 0 ||
        write(2, guard_word_, strlen(guard_word_)) < 0)
        _exit(guard_status_);
    _exit(guard_status_);
}

/* From now on a signal that this thread's errors raise is told as `word`, and the process ends with `status`. */
void rmq_guard(const char *word, int status) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t other, had;
    strncpy(guard_word_, word, WORD_LENGTH - 1);
    guard_status_ = status;
    if (!sigaltstack(0, &had) && (had.ss_flags & SS_DISABLE)) { /* for when the stack itself is what is full */
        memset(&other, 0, sizeof other);
        other.ss_sp = malloc(OTHER_STACK);
        other.ss_size = OTHER_STACK;
        if (other.ss_sp && sigaltstack(&other, 0)) free(other.ss_sp);
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now, ours;
        if (sigaction(signals[i], 0, &now) || now.sa_handler != SIG_DFL) continue;
        memset(&ours, 0, sizeof ours);
        ours.sa_handler = guarded_;
        ours.sa_flags = SA_ONSTACK;
        sigaction(signals[i], &ours, 0);
    }
}
