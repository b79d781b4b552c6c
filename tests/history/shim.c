/* Counts the calls that change files below one folder, over a whole process tree, and at the
 * N-th one kills the process group or fails.
 *
 *   cc -shared -fPIC -O1 -o shim.so shim.c -ldl
 *   LD_PRELOAD=shim.so SHIM_STATE=state SHIM_ROOT=/folder command
 *
 * The state file holds four 64-bit numbers: calls so far, N (0: only count), what happens at N
 * (0 kill, else an errno), whether it happened. ENOSPC stays: every later call that needs space
 * fails too. A write that is killed writes its first half.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct state { int64_t calls, at, error, fired; };

static struct state *state;
static char root[PATH_MAX];
static size_t root_length;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv("SHIM_STATE"), *folder = getenv("SHIM_ROOT");
    if (!file || !folder)
        return;
    int descriptor = REAL(open)(file, O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return;
    void *map = mmap(0, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (map == MAP_FAILED)
        return;
    root_length = strlen(folder);
    memcpy(root, folder, root_length + 1);
    state = map;
}

static int inside(const char *path)
{
    return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

static int descriptor_inside(int descriptor)
{
    char link[64], path[PATH_MAX];
    if (!state)
        return 0;
    if (descriptor == AT_FDCWD) {
        if (!getcwd(path, sizeof path))
            return 0;
        return inside(path);
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return inside(path);
}

static int path_inside(int folder, const char *path)
{
    if (!state || !path)
        return 0;
    return path[0] == '/' ? inside(path) : descriptor_inside(folder);
}

/* 0: go on; 1: die; else the call fails with errno set. */
static int strike(int needs_space)
{
    int64_t now = __atomic_add_fetch(&state->calls, 1, __ATOMIC_SEQ_CST);
    if (!state->at || now < state->at)
        return 0;
    if (now > state->at && (state->error != ENOSPC || !needs_space))
        return 0;
    if (state->error == ENOSPC && !needs_space)
        return 0;
    state->fired = 1;
    if (!state->error)
        return 1;
    errno = (int)state->error;
    return 2;
}

static void die(void)
{
    kill(0, SIGKILL);
    for (;;)
        pause();
}

#define GUARD(where, space)                                                                        \
    if (where) {                                                                                   \
        int what = strike(space);                                                                  \
        if (what == 1)                                                                             \
            die();                                                                                 \
        if (what == 2)                                                                             \
            return -1;                                                                             \
    }

static int changing(int flags) { return flags & (O_CREAT | O_TRUNC); }

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                     \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        GUARD(changing(flags) && path_inside(AT_FDCWD, path), 1)                                   \
        return REAL(name)(path, flags, mode);                                                      \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    int name(int folder, const char *path, int flags, ...)                                         \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                     \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        GUARD(changing(flags) && path_inside(folder, path), 1)                                     \
        return REAL(name)(folder, path, flags, mode);                                              \
    }
OPENAT(openat)
OPENAT(openat64)

FILE *fopen(const char *path, const char *mode)
{
    if (strpbrk(mode, "wax+") && path_inside(AT_FDCWD, path)) {
        int what = strike(1);
        if (what == 1)
            die();
        if (what == 2)
            return NULL;
    }
    return REAL(fopen)(path, mode);
}

#define WRITE(call, half)                                                                          \
    if (descriptor_inside(descriptor)) {                                                           \
        int what = strike(1);                                                                      \
        if (what == 1) {                                                                           \
            if (size > 1)                                                                          \
                half;                                                                              \
            die();                                                                                 \
        }                                                                                          \
        if (what == 2)                                                                             \
            return -1;                                                                             \
    }                                                                                              \
    return call;

ssize_t write(int descriptor, const void *data, size_t size)
{
    WRITE(REAL(write)(descriptor, data, size), (void)!REAL(write)(descriptor, data, size / 2))
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t at)
{
    WRITE(REAL(pwrite)(descriptor, data, size, at),
          (void)!REAL(pwrite)(descriptor, data, size / 2, at))
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t at)
{
    WRITE(REAL(pwrite64)(descriptor, data, size, at),
          (void)!REAL(pwrite64)(descriptor, data, size / 2, at))
}

ssize_t writev(int descriptor, const struct iovec *parts, int number)
{
    GUARD(descriptor_inside(descriptor), 1)
    return REAL(writev)(descriptor, parts, number);
}

ssize_t sendfile(int descriptor, int source, off_t *at, size_t size)
{
    GUARD(descriptor_inside(descriptor), 1)
    return REAL(sendfile)(descriptor, source, at, size);
}

ssize_t sendfile64(int descriptor, int source, off64_t *at, size_t size)
{
    GUARD(descriptor_inside(descriptor), 1)
    return REAL(sendfile64)(descriptor, source, at, size);
}

#define ON_DESCRIPTOR(name, space, parameters, arguments)                                          \
    int name parameters                                                                            \
    {                                                                                              \
        GUARD(descriptor_inside(descriptor), space)                                                \
        return REAL(name) arguments;                                                               \
    }
ON_DESCRIPTOR(fsync, 0, (int descriptor), (descriptor))
ON_DESCRIPTOR(fdatasync, 0, (int descriptor), (descriptor))
ON_DESCRIPTOR(ftruncate, 1, (int descriptor, off_t size), (descriptor, size))
ON_DESCRIPTOR(ftruncate64, 1, (int descriptor, off64_t size), (descriptor, size))
ON_DESCRIPTOR(fchmod, 0, (int descriptor, mode_t mode), (descriptor, mode))
ON_DESCRIPTOR(sync_file_range, 0, (int descriptor, off64_t at, off64_t size, unsigned int flags),
              (descriptor, at, size, flags))

#define ON_PATH(name, folder, path, space, parameters, arguments)                                  \
    int name parameters                                                                            \
    {                                                                                              \
        GUARD(path_inside(folder, path), space)                                                    \
        return REAL(name) arguments;                                                               \
    }
ON_PATH(creat, AT_FDCWD, path, 1, (const char *path, mode_t mode), (path, mode))
ON_PATH(rename, AT_FDCWD, to, 0, (const char *from, const char *to), (from, to))
ON_PATH(renameat, folder, to, 0, (int source, const char *from, int folder, const char *to),
        (source, from, folder, to))
ON_PATH(renameat2, folder, to, 0,
        (int source, const char *from, int folder, const char *to, unsigned int flags),
        (source, from, folder, to, flags))
ON_PATH(unlink, AT_FDCWD, path, 0, (const char *path), (path))
ON_PATH(unlinkat, folder, path, 0, (int folder, const char *path, int flags),
        (folder, path, flags))
ON_PATH(rmdir, AT_FDCWD, path, 0, (const char *path), (path))
ON_PATH(mkdir, AT_FDCWD, path, 1, (const char *path, mode_t mode), (path, mode))
ON_PATH(mkdirat, folder, path, 1, (int folder, const char *path, mode_t mode),
        (folder, path, mode))
ON_PATH(link, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
ON_PATH(linkat, folder, to, 1,
        (int source, const char *from, int folder, const char *to, int flags),
        (source, from, folder, to, flags))
ON_PATH(symlink, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
ON_PATH(chmod, AT_FDCWD, path, 0, (const char *path, mode_t mode), (path, mode))
