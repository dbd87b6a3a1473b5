/* Preloaded into memoir and into the git that it starts: lets one call fail that changes a folder.

   FAILING_CALLS names a file of three numbers that all processes share: how many such calls there were, which one is
   to fail, with which error. FAILING_FOLDER is the folder, by its real path. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int *numbers;
static char folder[PATH_MAX];

static int is_set(void) {
    const char *file, *place;
    int descriptor;
    if (numbers) return 1;
    if (!(file = getenv("FAILING_CALLS")) || !(place = getenv("FAILING_FOLDER"))) return 0;
    if ((descriptor = REAL(open)(file, O_RDWR | O_CLOEXEC)) < 0) return 0;
    numbers = mmap(NULL, 3 * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    strncpy(folder, place, sizeof folder - 1);
    return 1;
}

/* Whether a path, absolute by now, is in the folder; a cache may fail without a word. */
static int is_inside(const char *path) {
    size_t size = strlen(folder);
    return !strncmp(path, folder, size) && path[size] == '/' && !strstr(path, "/.cache/");
}

static int is_descriptor_inside(int descriptor) {
    char link[64], path[PATH_MAX];
    ssize_t size;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return is_inside(path);
}

static int is_path_inside(int at, const char *path) {
    char place[2 * PATH_MAX + 1], base[PATH_MAX], link[64];
    ssize_t size;
    if (path[0] == '/') return is_inside(path);
    if (at == AT_FDCWD) {
        if (!getcwd(base, sizeof base)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        if ((size = readlink(link, base, sizeof base - 1)) < 0) return 0;
        base[size] = 0;
    }
    snprintf(place, sizeof place, "%s/%s", base, path);
    return is_inside(place);
}

/* Counts a call; whether it is the one that fails. */
static int fails(void) {
    if (__sync_add_and_fetch(&numbers[0], 1) != numbers[1]) return 0;
    errno = numbers[2];
    return 1;
}

#define FAIL_IF(inside, result) do { if (is_set() && (inside) && fails()) return result; } while (0)
#define ON_DESCRIPTOR(result, name, parameters, arguments, descriptor) \
    result name parameters { FAIL_IF(is_descriptor_inside(descriptor), -1); return REAL(name) arguments; }
#define ON_PATH(name, parameters, arguments, at, path) \
    int name parameters { FAIL_IF(is_path_inside(at, path), -1); return REAL(name) arguments; }
/* Removing what is not there says so, whatever the disk does. */
#define ON_GOING(name, parameters, arguments, at, path) \
    int name parameters { \
        FAIL_IF(!faccessat(at, path, F_OK, AT_SYMLINK_NOFOLLOW) && is_path_inside(at, path), -1); \
        return REAL(name) arguments; \
    }

ON_DESCRIPTOR(ssize_t, write, (int f, const void *d, size_t n), (f, d, n), f)
ON_DESCRIPTOR(ssize_t, pwrite, (int f, const void *d, size_t n, off_t o), (f, d, n, o), f)
ON_DESCRIPTOR(ssize_t, pwrite64, (int f, const void *d, size_t n, off64_t o), (f, d, n, o), f)
ON_DESCRIPTOR(int, fsync, (int f), (f), f)
ON_DESCRIPTOR(int, fdatasync, (int f), (f), f)
ON_DESCRIPTOR(int, ftruncate, (int f, off_t n), (f, n), f)
ON_DESCRIPTOR(int, ftruncate64, (int f, off64_t n), (f, n), f)
ON_PATH(rename, (const char *a, const char *b), (a, b), AT_FDCWD, b)
ON_PATH(renameat, (int f, const char *a, int g, const char *b), (f, a, g, b), g, b)
ON_PATH(link, (const char *a, const char *b), (a, b), AT_FDCWD, b)
ON_PATH(linkat, (int f, const char *a, int g, const char *b, int x), (f, a, g, b, x), g, b)
ON_GOING(unlink, (const char *a), (a), AT_FDCWD, a)
ON_GOING(unlinkat, (int f, const char *a, int x), (f, a, x), f, a)
ON_GOING(rmdir, (const char *a), (a), AT_FDCWD, a)
ON_PATH(mkdir, (const char *a, mode_t m), (a, m), AT_FDCWD, a)
ON_PATH(mkdirat, (int f, const char *a, mode_t m), (f, a, m), f, a)
ON_PATH(truncate, (const char *a, off_t n), (a, n), AT_FDCWD, a)

#define MODE mode_t mode = 0; if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
#define ON_OPEN(name) \
    int name(const char *path, int flags, ...) { MODE \
        FAIL_IF((flags & O_CREAT) && is_path_inside(AT_FDCWD, path), -1); return REAL(name)(path, flags, mode); }
#define ON_OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { MODE \
        FAIL_IF((flags & O_CREAT) && is_path_inside(at, path), -1); return REAL(name)(at, path, flags, mode); }
ON_OPEN(open)
ON_OPEN(open64)
ON_OPENAT(openat)
ON_OPENAT(openat64)

/* What stdio writes does not go through the functions above. */
int fflush(FILE *file) {
    int inside = file && is_set() && is_descriptor_inside(fileno(file)) && (fcntl(fileno(file), F_GETFL) & O_ACCMODE);
    if (inside && fails()) return EOF;
    return REAL(fflush)(file);
}

int fclose(FILE *file) {
    int inside = is_set() && is_descriptor_inside(fileno(file)) && (fcntl(fileno(file), F_GETFL) & O_ACCMODE);
    if (inside && fails()) {
        int error = errno;
        REAL(fclose)(file);
        errno = error;
        return EOF;
    }
    return REAL(fclose)(file);
}
