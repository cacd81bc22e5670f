/* Spooling of bytes: memory first, then an unlinked temporary file. */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "lib/spool.h"

struct spool {
	GByteArray *memory;
	int fd;                 /* -1: all is in memory */
	size_t size;
	char *map;              /* of the file, or NULL */
};

struct spool *spool_new(void)
{
	struct spool *s = g_new0(struct spool, 1);

	s->memory = g_byte_array_new();
	s->fd = -1;
	return s;
}

int spool_file(void)
{
	const char *dir = g_get_tmp_dir();
	g_autofree char *name = NULL;
	int fd;

#ifdef O_TMPFILE
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
#endif
	name = g_build_filename(dir, "rtreport-XXXXXX", NULL);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

bool spool_append(struct spool *s, const void *bytes, size_t len)
{
	if (!len)
		return true;
	if (s->fd < 0 && s->size + len > SPOOL_MEMORY) {
		s->fd = spool_file();
		if (s->fd < 0 || !write_all(s->fd, (const char *)s->memory->data, s->memory->len))
			return false;
		g_byte_array_set_size(s->memory, 0);
	}
	if (s->fd >= 0 && !write_all(s->fd, bytes, len))
		return false;
	if (s->fd < 0)
		g_byte_array_append(s->memory, bytes, (guint)len);
	s->size += len;
	return true;
}

size_t spool_size(const struct spool *s)
{
	return s->size;
}

const char *spool_bytes(struct spool *s, size_t *len)
{
	*len = s->size;
	if (s->fd < 0)
		return s->size ? (const char *)s->memory->data : "";
	if (!s->map) {
		void *map = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, s->fd, 0);

		if (map == MAP_FAILED)
			return NULL;
		s->map = map;
	}
	return s->map;
}

void spool_free(struct spool *s)
{
	if (!s)
		return;
	if (s->map)
		munmap(s->map, s->size);
	if (s->fd >= 0)
		close(s->fd);
	g_byte_array_free(s->memory, TRUE);
	g_free(s);
}
