/* What a disk does that is full, or broken: the n-th write below a folder fails, once or from then on.
   Built and loaded by tests/clusters/writes.py; it counts only once `fail_at` was called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int at, with, stays, counted;

void fail_at(int n, int error, int from_then_on) { counted = 0; with = error; stays = from_then_on; at = n; }
int writes(void) { return counted; }

static int fails(int file)
{
    char link[64], path[4096];
    const char *folder = getenv("FAILING_FOLDER");
    if (!at || !folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder))) return 0;
    counted++;
    if (stays ? counted < at : counted != at) return 0;
    errno = with;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
ssize_t write(int f, const void *b, size_t n) { REAL(write); return fails(f) ? -1 : real(f, b, n); }
ssize_t pwrite(int f, const void *b, size_t n, off_t o) { REAL(pwrite); return fails(f) ? -1 : real(f, b, n, o); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) { REAL(pwrite64); return fails(f) ? -1 : real(f, b, n, o); }
ssize_t writev(int f, const struct iovec *v, int n) { REAL(writev); return fails(f) ? -1 : real(f, v, n); }
int fsync(int f) { REAL(fsync); return fails(f) ? -1 : real(f); }
int fdatasync(int f) { REAL(fdatasync); return fails(f) ? -1 : real(f); }
int ftruncate(int f, off_t n) { REAL(ftruncate); return fails(f) ? -1 : real(f, n); }
int ftruncate64(int f, off64_t n) { REAL(ftruncate64); return fails(f) ? -1 : real(f, n); }
