/* What a process forces to its disk, kept beside its files: preloaded (LD_PRELOAD) into a broker.
 *
 * msync(addr, length) keeps those bytes of the mapped file, fsync and fdatasync(fd) the whole file, at the moment of the
 * call, in $RMQPROOF_FORCED under the file's path below $RMQPROOF_STORE; rename moves what was kept, unlink and remove
 * end it. The calls themselves are made as well. What is kept is what a loss of power leaves in the worst case. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096

static const char *below_store(const char *path) {
    const char *store = getenv("RMQPROOF_STORE");
    size_t length = store ? strlen(store) : 0;
    if (!length || strncmp(path, store, length) != 0 || path[length] != '/') return NULL;
    return path + length;
}

/* The name under which a file is kept, with its folders made; 0 where the file is none of the store's. */
static int kept_name(const char *path, char *name) {
    char whole[PATH_MAX], folder[PATH_MAX];
    if (path[0] != '/') {
        if (!getcwd(folder, sizeof folder) || snprintf(whole, sizeof whole, "%s/%s", folder, path) >= PATH_MAX) return 0;
        path = whole;
    }
    const char *rest = below_store(path), *kept = getenv("RMQPROOF_FORCED");
    if (!rest || !kept || snprintf(name, PATH_MAX, "%s%s", kept, rest) >= PATH_MAX) return 0;
    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(name, 0755);
        *slash = '/';
    }
    return 1;
}

/* Keep bytes of a file whose size is `size`; pages that are kept already are not written. */
static void keep(const char *path, const char *bytes, size_t length, off_t at, off_t size) {
    char name[PATH_MAX];
    if (!kept_name(path, name)) return;
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return;
    struct stat found;
    if (fstat(fd, &found) == 0 && found.st_size != size && ftruncate(fd, size) != 0) size = found.st_size;
    if (at < size) {
        if ((off_t)length > size - at) length = size - at;
        char page[PAGE];
        for (size_t done = 0; done < length; done += PAGE) {
            size_t part = length - done < PAGE ? length - done : PAGE;
            if (pread(fd, page, part, at + done) != (ssize_t)part || memcmp(page, bytes + done, part) != 0)
                if (pwrite(fd, bytes + done, part, at + done) < 0) break;
        }
    }
    close(fd);
}

static void keep_mapped(void *address, size_t length) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[PATH_MAX + 128];
    uintptr_t wanted = (uintptr_t)address;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end, offset;
        int where = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &start, &end, &offset, &where) < 3) continue;
        if (wanted < start || wanted >= end || !where || line[where] != '/') continue;
        line[strcspn(line, "\n")] = 0;
        struct stat found;
        if (length > end - wanted) length = end - wanted;
        if (below_store(line + where) && stat(line + where, &found) == 0)
            keep(line + where, address, length, offset + (wanted - start), found.st_size);
        break;
    }
    if (maps) fclose(maps);
}

static void keep_file(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    struct stat found;
    if (length <= 0 || fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return;
    path[length] = 0;
    if (!below_store(path)) return;
    int own = open(path, O_RDONLY | O_CLOEXEC);
    if (own < 0) return;
    char page[PAGE];
    ssize_t part;
    off_t at = 0;
    keep(path, page, 0, 0, found.st_size);
    for (; (part = pread(own, page, PAGE, at)) > 0; at += part) keep(path, page, part, at, found.st_size);
    close(own);
}

int msync(void *address, size_t length, int flags) {
    static int (*real)(void *, size_t, int);
    if (!real) real = dlsym(RTLD_NEXT, "msync");
    int before = errno;
    keep_mapped(address, length);
    errno = before;
    return real(address, length, flags);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    int before = errno;
    keep_file(fd);
    errno = before;
    return real(fd);
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    int before = errno;
    keep_file(fd);
    errno = before;
    return real(fd);
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    char kept_from[PATH_MAX], kept_to[PATH_MAX];
    int done = real(from, to), after = errno;
    if (done == 0 && kept_name(from, kept_from) && kept_name(to, kept_to)) real(kept_from, kept_to);
    errno = after;
    return done;
}

static int ended(const char *symbol, const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, symbol);
    char kept[PATH_MAX];
    int done = real(path), after = errno;
    if (done == 0 && kept_name(path, kept)) real(kept);
    errno = after;
    return done;
}

int unlink(const char *path) { return ended("unlink", path); }

int remove(const char *path) { return ended("remove", path); }
