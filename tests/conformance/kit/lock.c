/* A lock with a queue, driven by JSON lines on standard input. It takes no snapshots, so rmqproof repeats the steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, NAME = 32 };

static char holder[NAME], waiting[MOST][NAME], served[MOST][NAME];
static int waits, serves;

static int place_of(char names[][NAME], int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static void take_out(int place) {
  waits--;
  for (int i = place; i < waits; i++) strcpy(waiting[i], waiting[i + 1]);
}

static int perform(const char *action, const char *client, const char *broken) {
  if (strcmp(action, "Ask") == 0) {
    if (place_of(waiting, waits, client) >= 0 || strcmp(holder, client) == 0) return 0;
    strcpy(waiting[waits++], client);
  } else if (strcmp(action, "Grant") == 0) {
    if (*holder || waits == 0) return 0;
    int next = strcmp(broken, "order") == 0 ? waits - 1 : 0;
    strcpy(holder, waiting[next]);
    take_out(next);
    if (place_of(served, serves, holder) < 0) strcpy(served[serves++], holder);
  } else if (strcmp(action, "GiveUp") == 0) {
    int place = place_of(waiting, waits, client);
    if (place < 0) return 0;
    if (strcmp(broken, "dies") == 0) abort();
    take_out(place);
  } else if (strcmp(action, "Release") == 0) {
    if (strcmp(holder, client) != 0) return 0;
    for (volatile int on = strcmp(broken, "hangs") == 0; on;) continue;
    *holder = 0;
  }
  return 1;
}

/* The string after `key` in a line. rmqproof writes no blanks, so looking for the text is enough here. */
static void string_after(const char *line, const char *key, char *found) {
  const char *start = strstr(line, key), *end;
  *found = 0;
  if (start == NULL || (end = strchr(start += strlen(key), '"')) == NULL || end - start >= NAME) return;
  memcpy(found, start, end - start);
  found[end - start] = 0;
}

static void print_names(char names[][NAME], int count) {
  for (int i = 0; i < count; i++) printf("%s\"%s\"", i ? "," : "", names[i]);
}

int main(void) {
  static char line[65536];
  const char *broken = getenv("LOCK_BROKEN") ? getenv("LOCK_BROKEN") : "";
  while (fgets(line, sizeof line, stdin)) {
    char asked[NAME], action[NAME], client[NAME];
    string_after(line, "{\"do\":\"", asked);
    string_after(line, "\"action\":\"", action);
    string_after(line, "\"arguments\":[\"", client);
    if (strcmp(asked, "hello") == 0) {
      printf("{\"protocol\":1,\"initial\":1,\"snapshots\":false}\n");
    } else if (strcmp(asked, "initial") == 0) {
      *holder = waits = serves = 0;
      printf("{}\n");
    } else if (strcmp(asked, "perform") == 0) {
      printf("{\"answer\":\"%s\"}\n", perform(action, client, broken) ? "performed" : "refused");
    } else if (strcmp(asked, "observe") == 0) {
      printf("{\"state\":{\"lock\":{\"held\":%s,\"holder\":\"%s\"},\"waiting\":[", *holder ? "true" : "false",
             *holder ? holder : "nobody");
      print_names(waiting, waits);
      printf("],\"served\":{\"#set\":[");
      print_names(served, serves);
      printf("]}}}\n");
    } else {
      printf("{\"error\":\"no idea what %s is\"}\n", asked);
    }
    fflush(stdout);
  }
  return 0;
}
