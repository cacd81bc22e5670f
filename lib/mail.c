/* Mail through GMime: MIME, transfer encodings, character sets, nested messages. The only user of
 * GMime. */
#include <errno.h>
#include <string.h>
#include "lib/archive_read.h"
#include "lib/diag.h"
#include "lib/html.h"
#include "lib/lazy_gmime.h"
#include "lib/mail.h"
#include "lib/pattern.h"
#include "lib/quote.h"

#define PART_MAX (64u << 20)            /* decoded bytes kept of one part */
#define NOISE_BYTES 4096u               /* looked at to tell noise from text, */
#define NOISE_LEAST 64u                 /* when there are so many */
#define BOUNDARY_MAX 50000u             /* lines that begin with -- */
#define HEADER_MAX (1u << 20)           /* bytes of a header that are looked at by mail_probe */

unsigned mail_count_lines(const char *from, const char *to)
{
	unsigned n = 0;

	for (const char *p = from; p < to && (p = memchr(p, '\n', (size_t)(to - p))); p++)
		n++;
	return n;
}

/* GMime's options: raw bytes in a header are UTF-8, else Windows-1252. Starts GMime at the first
 * call. */
static GMimeParserOptions *start(void)
{
	static GMimeParserOptions *options;
	static gsize once;

	if (g_once_init_enter(&once)) {
		const char *charsets[] = { "utf-8", "windows-1252", NULL };

		g_mime_init();
		options = g_mime_parser_options_new();
		g_mime_parser_options_set_fallback_charsets(options, charsets);
		g_once_init_leave(&once, 1);
	}
	return options;
}

/* --- is it mail? --- */

/* Length of the field name at p (before ':'), or 0 when the line is no header field. */
static size_t field_name_length(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && *q > ' ' && *q < 0x7f && *q != ':')
		q++;
	return q > p && q < end && *q == ':' && q - p <= 76 ? (size_t)(q - p) : 0;
}

/* Fields that a message has and a heading over a result has not. */
static bool known_field(const char *name, size_t len)
{
	static const char *const names[] = { "From",
					     "Date",
					     "Subject",
					     "Message-ID",
					     "To",
					     "Cc",
					     "Received",
					     "Return-Path",
					     "MIME-Version",
					     "Content-Type",
					     "Content-Transfer-Encoding",
					     "In-Reply-To",
					     "References",
					     "Delivered-To",
					     "Reply-To",
					     "Sender",
					     "List-Id",
					     "List-Post",
					     "User-Agent",
					     "X-Mailer",
					     "Newsgroups",
					     "Path",
					     "Envelope-To",
					     "X-Mailing-List",
					     "DKIM-Signature",
					     "Authentication-Results",
					     "X-Mozilla-Status",
					     "X-Original-To" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strlen(names[i]) == len && !g_ascii_strncasecmp(names[i], name, len))
			return true;
	return false;
}

bool mail_probe(const char *text, size_t len)
{
	const char *p = text, *end = text + MIN(len, HEADER_MAX);
	unsigned known = 0;
	bool whole = len > HEADER_MAX;

	for (bool first = true; p < end; first = false) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t name;

		if (!eol)
			break;
		if (first && eol - p > 5 && (!memcmp(p, "From ", 5) || !memcmp(p, ">From ", 6))) {
			p = eol + 1;
			continue;
		}
		if (eol == p || (*p == '\r' && eol == p + 1)) {
			whole = true;
			break;
		}
		name = field_name_length(p, eol);
		if (name)
			known += known_field(p, name);
		else if (first || (*p != ' ' && *p != '\t'))
			return false;
		p = eol + 1;
	}
	return whole && known >= 2;
}

/* --- fields --- */

const char *mail_field(struct post *p, const char *value, gssize len)
{
	g_autofree char *raw = NULL, *decoded = NULL;
	char *out;

	if (!value)
		return NULL;
	raw = g_strndup(value, len < 0 ? strlen(value) : (size_t)len);
	g_strdelimit(raw, "\r\n\t", ' ');
	decoded = g_mime_utils_header_decode_text(start(), raw);
	out = decoded;
	for (const char *c = decoded; *c; c++)
		if (*c != ' ' || (out > decoded && out[-1] != ' '))
			*out++ = *c;
	*out = 0;
	g_strstrip(decoded);
	return *decoded ? post_string(p, decoded, -1) : NULL;
}

/* The offset that a zone's letters stand for; NULL: not known, or more than one. */
static const char *zone_offset(const struct slice *name)
{
	static const struct { const char *name, *offset;
	} zones[] = {
		{ "UT", "+0000" },   { "UTC", "+0000" },  { "GMT", "+0000" },  { "Z", "+0000" },
		{ "WET", "+0000" },  { "WEST", "+0100" }, { "BST", "+0100" },  { "CET", "+0100" },
		{ "MET", "+0100" },  { "CEST", "+0200" }, { "MEST", "+0200" }, { "EET", "+0200" },
		{ "EEST", "+0300" }, { "MSK", "+0300" },  { "JST", "+0900" },  { "AEST", "+1000" },
		{ "AEDT", "+1100" }, { "NZST", "+1200" }, { "NZDT", "+1300" }, { "EST", "-0500" },
		{ "EDT", "-0400" },  { "CST", "-0600" },  { "CDT", "-0500" },  { "MST", "-0700" },
		{ "MDT", "-0600" },  { "PST", "-0800" },  { "PDT", "-0700" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(zones); i++)
		if (strlen(zones[i].name) == name->len
		    && !memcmp(zones[i].name, name->p, name->len))
			return zones[i].offset;
	return NULL;
}

/* The value as headers have it, "26 Nov 2013 10:21:34 +0100"; NULL: no date with an offset. Caller
 * frees. */
static char *header_date(const char *value)
{
	static struct pattern header = PATTERN(
		"(\\d{1,2}) +([A-Z][a-z]{2})[a-z]* +(\\d{2,4}),? +(\\d{1,2}:\\d\\d(?::\\d\\d)?) *(?:([+-]\\d{4})|\\(?([A-Z]{1,5})\\b)");
	static struct pattern ctime = PATTERN(
		"([A-Z][a-z]{2})[a-z]* +(\\d{1,2}),? +(\\d{1,2}:\\d\\d(?::\\d\\d)?) +(?:([+-]\\d{4})|([A-Z]{1,5})) +(\\d{4})");
	struct match m;
	size_t len = strlen(value);
	int number, name;
	bool late;

	if (len > 200)
		return NULL;
	late = !pattern_match(&header, value, len, 0, &m);
	if (late && !pattern_match(&ctime, value, len, 0, &m))
		return NULL;
	number = late ? 4 : 5;
	name = late ? 5 : 6;
	if (!m.group[number].p) {
		const char *offset = zone_offset(&m.group[name]);

		if (!offset)
			return NULL;
		m.group[number] = (struct slice){ offset, 5 };
	}
	if (late)
		return g_strdup_printf("%.*s %.*s %.*s %.*s %.*s", (int)m.group[2].len,
				       m.group[2].p, (int)m.group[1].len, m.group[1].p,
				       (int)m.group[6].len, m.group[6].p, (int)m.group[3].len,
				       m.group[3].p, 5, m.group[4].p);
	return g_strdup_printf("%.*s %.*s %.*s %.*s %.*s", (int)m.group[1].len, m.group[1].p,
			       (int)m.group[2].len, m.group[2].p, (int)m.group[3].len, m.group[3].p,
			       (int)m.group[4].len, m.group[4].p, 5, m.group[5].p);
}

/* "2013-11-26T10:21:34Z" and its kin, as pages have it: a date with an offset, or NULL. */
static GDateTime *iso_date(const char *value)
{
	static struct pattern iso = PATTERN(
		"^\\s*(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:\\.\\d+)? ?(Z|UTC|[+-]\\d\\d:?\\d\\d)\\s*$");
	g_autofree char *text = NULL;
	struct match m;

	if (strlen(value) > 60 || !pattern_match(&iso, value, strlen(value), 0, &m))
		return NULL;
	text = g_strdup_printf("%.*sT%.*s%.*s", (int)m.group[1].len, m.group[1].p,
			       (int)m.group[2].len, m.group[2].p,
			       *m.group[3].p == 'U' ? 1 : (int)m.group[3].len,
			       *m.group[3].p == 'U' ? "Z" : m.group[3].p);
	return g_date_time_new_from_iso8601(text, NULL);
}

const char *mail_date(struct post *p, const char *value)
{
	g_autofree char *plain = value ? header_date(value) : NULL;
	GDateTime *date;
	const char *text = NULL;

	/* Without an offset the moment is not known. */
	if (!value)
		return NULL;
	start();
	date = plain ? g_mime_utils_header_decode_date(plain) : iso_date(value);
	if (!date)
		return NULL;
	if (g_date_time_get_year(date) >= 1970 && g_date_time_get_year(date) < 2100) {
		g_autofree char *out = g_date_time_format(date, "%Y-%m-%dT%H:%M:%S%:z");

		text = out ? post_string(p, out, -1) : NULL;
	}
	g_date_time_unref(date);
	return text;
}

const char *mail_message_id(struct post *p, const char *value)
{
	const char *open = value ? strchr(value, '<') : NULL,
		   *close = open ? strchr(open, '>') : NULL;

	if (!value)
		return NULL;
	if (close && close > open + 1)
		return post_string(p, open + 1, close - open - 1);
	return mail_field(p, value, -1);
}

/* Appends the ids in <> of text, at most 40 in all. */
static void add_ids(GString *out, const char *text)
{
	const char *open = text, *close;

	for (unsigned n = 0;
	     open && (open = strchr(open, '<')) && (close = strchr(open, '>')) && n < 40;
	     open = close) {
		gsize at = out->len;

		if (close - open < 3 || close - open > 250)
			continue;
		g_string_append_len(out, open + 1, close - open - 1);
		for (gsize i = at; i < out->len; i++)
			if (g_ascii_isspace(out->str[i]))
				out->str[i] = '_';
		g_string_append_c(out, ' ');
		n++;
	}
}

const char *mail_ids(struct post *p, const char *references, const char *in_reply_to)
{
	g_autoptr(GString) ids = g_string_new(NULL);
	const char *kept = NULL;
	char *valid;

	add_ids(ids, in_reply_to);
	add_ids(ids, references);
	if (!ids->len)
		return NULL;
	g_string_truncate(ids, ids->len - 1);
	valid = g_utf8_make_valid(ids->str, -1);
	kept = g_string_chunk_insert(p->strings, valid);
	g_free(valid);
	return kept;
}

/* The list: the id in List-Id, else the list's address or the word that an old list manager gives.
 */
static const char *list_of(struct post *p, GMimeObject *message)
{
	static const char *const fields[] = { "X-Mailing-List", "X-BeenThere", "Mailing-List",
					      "List-Post" };
	const char *id = g_mime_object_get_header(message, "List-Id");
	const char *open = id ? strrchr(id, '<') : NULL, *close = open ? strchr(open, '>') : NULL;

	if (close && close > open + 1)
		return post_string(p, open + 1, close - open - 1);
	if (id)
		return mail_field(p, id, -1);
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		const char *value = g_mime_object_get_header(message, fields[i]);
		static struct pattern address =
			PATTERN("(?:<mailto:|\\blist |<|^)\\s*([^\\s<>;,:]+@[^\\s<>;,]+)");
		struct match m;

		if (value && pattern_match(&address, value, strlen(value), 0, &m))
			return post_string(p, m.group[1].p, (gssize)m.group[1].len);
	}
	return NULL;
}

/* The header's raw value, not decoded by GMime's idea of the field; NULL when there is none. */
static const char *raw_header(GMimeObject *o, const char *name)
{
	GMimeHeader *h = g_mime_header_list_get_header(g_mime_object_get_header_list(o), name);

	return h ? g_mime_header_get_raw_value(h) : NULL;
}

static void set_source(struct post *p, GMimeObject *message)
{
	struct source *s = &p->source;

	s->message_id = mail_message_id(p, raw_header(message, "Message-ID"));
	s->from = mail_field(p, raw_header(message, "From"), -1);
	s->date = mail_date(p, raw_header(message, "Date"));
	s->subject = mail_field(p, raw_header(message, "Subject"), -1);
	s->list = list_of(p, message);
	p->references =
		mail_ids(p, raw_header(message, "References"), raw_header(message, "In-Reply-To"));
}

/* --- character sets --- */

static bool starts(const char *s, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!g_ascii_strncasecmp(s, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

/* Bytes below 0x80 are not ASCII here. */
static bool is_stateful(const char *charset)
{
	static const char *const names[] = { "utf-16", "utf16",	  "utf-32",    "utf32",
					     "utf-7",  "utf7",	  "iso-2022",  "csiso2022",
					     "hz",     "ucs",	  "iso-10646", "ebcdic",
					     "ibm037", "unicode", NULL };
	return starts(charset, names);
}

/* A short text in one of these may be valid UTF-8 by chance. */
static bool is_multibyte(const char *charset)
{
	static const char *const names[] = { "gb",	    "big5",	   "euc",	  "shift",
					     "sjis",	    "x-sjis",	   "ks_c",	  "cp9",
					     "windows-31j", "windows-949", "windows-936", "johab",
					     "ms936",	    "x-gbk",	   NULL };
	return starts(charset, names);
}

static bool is_utf8_name(const char *charset)
{
	return !g_ascii_strcasecmp(charset, "utf-8") || !g_ascii_strcasecmp(charset, "utf8");
}

/* A converter, or (GIConv)-1 when iconv does not know the name. */
static GIConv open_charset(const char *charset)
{
	const char *name;

	if (strlen(charset) > 40
	    || strspn(charset,
		      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:+-")
		       != strlen(charset))
		return (GIConv)-1;
	/* What says Latin-1 has Windows' quotes where Latin-1 has controls. */
	if (!g_ascii_strcasecmp(charset, "iso-8859-1") || !g_ascii_strcasecmp(charset, "latin1"))
		charset = "WINDOWS-1252";
	start();
	name = g_mime_charset_iconv_name(charset);
	return g_iconv_open("UTF-8", name ? name : charset);
}

/* Converts; bytes that are none of the charset become U+FFFD and are counted. */
static GString *convert(GIConv cd, const char *bytes, size_t len, size_t *bad)
{
	GString *out = g_string_sized_new(len + len / 8 + 16);
	char *in = (char *)bytes;
	gsize left = len;

	while (left) {
		char buffer[4096], *to = buffer;
		gsize room = sizeof buffer;
		gsize n = g_iconv(cd, &in, &left, &to, &room);

		g_string_append_len(out, buffer, to - buffer);
		if (n != (gsize)-1 || errno == E2BIG)
			continue;
		(*bad)++;
		g_string_append(out, "\xef\xbf\xbd");
		in++;
		left--;
		g_iconv(cd, NULL, NULL, NULL, NULL);
	}
	return out;
}

GString *mail_to_utf8(const char *bytes, size_t len, const char *charset, bool *guessed)
{
	size_t high = 0, bad = 0;
	bool stated = charset && *charset, valid;
	GIConv cd;
	GString *out;

	*guessed = false;
	for (size_t i = 0; i < len; i++)
		high += (unsigned char)bytes[i] >= 0x80;
	if (!high && !(stated && is_stateful(charset)))
		return NULL;
	/* Bytes that are no UTF-8 are the text layer's to read, line by line. */
	if (!stated || is_utf8_name(charset))
		return NULL;
	valid = high && g_utf8_validate_len(bytes, len, NULL);
	if (valid && !is_multibyte(charset)) {
		*guessed = true;
		return NULL;
	}
	cd = open_charset(charset);
	if (cd == (GIConv)-1) {
		*guessed = high > 0;
		return NULL;
	}
	out = convert(cd, bytes, len, &bad);
	g_iconv_close(cd);
	if (bad)
		*guessed = true;
	if (bad && (valid || bad * 4 > high)) {
		g_string_free(out, TRUE);
		return NULL;
	}
	return out;
}

/* --- parts --- */

/* What is being read. */
struct walk {
	const char *text;
	size_t len;
	const struct mail_place *place;
	post_each *each;
	void *data;
	unsigned parts, told;
	GQueue messages;                /* struct nested *: messages still to read */
};

/* An object that waits for its turn. */
struct nested {
	GMimeObject *object;            /* a GMimeMessage, or a part of one */
	char *path;                     /* "1.2", "" for the whole */
	unsigned depth;
	bool spare;                     /* an alternative to a text that was taken */
};

static struct nested *nested_new(GMimeObject *o, const char *path, unsigned depth, bool spare)
{
	struct nested *n = g_new0(struct nested, 1);

	n->object = o;
	n->path = g_strdup(path);
	n->depth = depth;
	n->spare = spare;
	return n;
}

static void nested_free(struct nested *n)
{
	g_free(n->path);
	g_free(n);
}

/* "1.2 ping.txt": names a part whose lines are not the file's. The message's place inside an
 * archive comes first. */
static char *part_label(const struct walk *w, const char *path, GMimePart *part)
{
	const char *name = part ? g_mime_part_get_filename(part) : NULL;
	GString *s = g_string_new(w->place->part);

	if (s->len)
		g_string_append(s, ": ");
	g_string_append_printf(s, "part %s", *path ? path : "1");
	if (name && *name)
		g_string_append_printf(s, " %s", name);
	return g_string_free(s, FALSE);
}

/* The part's bytes inside the message, when they stand there as they are. */
static bool plain_bytes(const struct walk *w, GMimeDataWrapper *content, const char **bytes,
			size_t *len)
{
	GMimeStream *stream = g_mime_data_wrapper_get_stream(content);
	GMimeContentEncoding encoding = g_mime_data_wrapper_get_encoding(content);
	gint64 begin, end;

	if (encoding == GMIME_CONTENT_ENCODING_BASE64
	    || encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE
	    || encoding == GMIME_CONTENT_ENCODING_UUENCODE || !stream)
		return false;
	begin = stream->bound_start;
	end = stream->bound_end;
	if (end < 0 || end > (gint64)w->len)
		end = (gint64)w->len;
	if (begin < 0 || begin > end)
		return false;
	*bytes = w->text + begin;
	*len = (size_t)(end - begin);
	return true;
}

/* Transfer encoding undone, at most PART_MAX bytes. */
static GString *decoded_bytes(GMimeDataWrapper *content)
{
	GMimeStream *stream = g_mime_data_wrapper_get_stream(content), *filtered;
	GMimeFilter *filter;
	GString *out = g_string_new(NULL);
	char buffer[16384];
	ssize_t n;

	if (!stream)
		return out;
	g_mime_stream_reset(stream);
	filtered = g_mime_stream_filter_new(stream);
	filter = g_mime_filter_basic_new(g_mime_data_wrapper_get_encoding(content), FALSE);
	g_mime_stream_filter_add(GMIME_STREAM_FILTER(filtered), filter);
	g_object_unref(filter);
	while (out->len < PART_MAX && (n = g_mime_stream_read(filtered, buffer, sizeof buffer)) > 0)
		g_string_append_len(out, buffer, n);
	g_object_unref(filtered);
	return out;
}

bool mail_is_noise(const char *bytes, size_t len)
{
	size_t controls = 0, nul = 0, n = MIN(len, NOISE_BYTES);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		nul += !c;
		controls += c && c < ' ' && !strchr("\t\n\r\f\b\033", c);
	}
	return n >= NOISE_LEAST && controls * 20 > n && nul * 8 < n;
}

/* Mostly printable, no NUL: something that a person may have attached as a log. */
static bool looks_like_text(const char *bytes, size_t len)
{
	size_t odd = 0, n = MIN(len, 4096);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (!c)
			return false;
		odd += (c < ' ' && !strchr("\t\n\r\f\b\033", c));
	}
	return n && odd * 50 < n;
}

/* Media types that never hold a result. */
static bool is_dull(GMimeContentType *type)
{
	static const char *const dull[] = { "image", "audio", "video", "font", "model", NULL };
	const char *media = g_mime_content_type_get_media_type(type),
		   *sub = g_mime_content_type_get_media_subtype(type);

	for (const char *const *d = dull; *d; d++)
		if (media && !g_ascii_strcasecmp(media, *d))
			return true;
	return sub
	       && (strstr(sub, "signature") || strstr(sub, "pkcs7") || strstr(sub, "encrypted")
		   || strstr(sub, "pgp-keys"));
}

/* An entry of a compressed attachment becomes a text of the post. */
struct unpack { struct post *post; GArray *list; const char *label; };

static void unpacked(const char *name, const char *bytes, size_t len, void *data)
{
	struct unpack *u = data;
	GString *copy;
	g_autofree char *label =
		name ? g_strdup_printf("%s: %s", u->label, name) : g_strdup(u->label);

	if (!looks_like_text(bytes, len) || archive_probe(bytes, len) || len > PART_MAX)
		return;
	copy = post_buffer(u->post, g_string_new_len(bytes, (gssize)len));
	post_text(u->post, u->list, copy->str, copy->len, 1, label);
	quote_split(u->post, u->list);
}

/* format=flowed and delsp of a text/plain part. */
static void set_flowed(GMimeContentType *type, struct text_input *text)
{
	const char *format = g_mime_content_type_get_parameter(type, "format");
	const char *delsp = g_mime_content_type_get_parameter(type, "delsp");

	text->flowed = format && !g_ascii_strcasecmp(format, "flowed");
	text->delsp = text->flowed && delsp && !g_ascii_strcasecmp(delsp, "yes");
}

/* Takes a leaf part that is text, or unpacks to text. */
static void take_part(struct walk *w, struct post *p, GMimePart *part, const char *path, bool spare)
{
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(part));
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	bool text = g_mime_content_type_is_type(type, "text", "*"),
	     html = g_mime_content_type_is_type(type, "text", "html");
	g_autofree char *label = part_label(w, path, part);
	const char *charset = g_mime_content_type_get_parameter(type, "charset");
	const char *bytes;
	size_t len;
	bool inside, guessed;
	GString *utf8;
	struct reader_text *t;
	GArray *list = spare ? p->spare : p->texts;

	if (!content || is_dull(type))
		return;
	inside = plain_bytes(w, content, &bytes, &len);
	if (!inside) {
		GString *decoded = post_buffer(p, decoded_bytes(content));

		bytes = decoded->str;
		len = decoded->len;
	}
	if (archive_probe(bytes, len)) {
		struct unpack u = { p, list, label };

		g_free(archive_read_entries(bytes, len, unpacked, &u));
		return;
	}
	if (text ? mail_is_noise(bytes, len) : !looks_like_text(bytes, len))
		return;
	if (html) {
		html_part(p, list, bytes, len, charset, label);
		return;
	}
	utf8 = mail_to_utf8(bytes, len, charset, &guessed);
	if (charset && is_stateful(charset) && g_ascii_strncasecmp(charset, "iso-2022", 8))
		inside = inside && !utf8;
	t = post_text(p, list, utf8 ? post_buffer(p, utf8)->str : bytes, utf8 ? utf8->len : len,
	              inside ? w->place->first_line + mail_count_lines(w->text, bytes) : 1,
	              inside ? w->place->part : label);
	t->charset_guessed = guessed;
	/* Without a word on its encoding, a part may hold remnants of one that an archive left. */
	t->text.mail_body =
		g_mime_data_wrapper_get_encoding(content) != GMIME_CONTENT_ENCODING_DEFAULT;
	set_flowed(type, &t->text);
	quote_split(p, list);
}

/* A message that was encoded as a whole is read anew from its decoded bytes. */
static void take_encoded_message(struct walk *w, struct post *p, GMimePart *part, const char *path)
{
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	g_autofree char *label = part_label(w, path, part);
	struct mail_place inner = { w->place->file, label, 1, w->place->depth + 1 };
	GString *bytes;

	if (!content || w->place->depth >= MAIL_MAX_ENCODED)
		return;
	bytes = post_buffer(p, decoded_bytes(content));
	if (looks_like_text(bytes->str, bytes->len))
		mail_read(bytes->str, bytes->len, &inner, w->each, w->data);
}

/* The part of an alternative that is read: the plainest that has text. */
static int best_alternative(GMimeMultipart *multipart)
{
	int best = -1, rank = 0, count = g_mime_multipart_get_count(multipart);

	for (int i = 0; i < count && i < (int)MAIL_MAX_PARTS; i++) {
		GMimeObject *o = g_mime_multipart_get_part(multipart, i);
		GMimeContentType *type = g_mime_object_get_content_type(o);
		int r = 1;

		if (g_mime_content_type_is_type(type, "text", "plain"))
			r = 4;
		else if (g_mime_content_type_is_type(type, "multipart", "*"))
			r = 3;
		else if (g_mime_content_type_is_type(type, "text", "html"))
			r = 2;
		if (r > rank) {
			rank = r;
			best = i;
		}
	}
	return best;
}

/* Children go to the front of the queue, in order. */
static void push_children(GQueue *todo, GMimeMultipart *multipart, const struct nested *n)
{
	bool alternative =
		g_mime_content_type_is_type(g_mime_object_get_content_type(GMIME_OBJECT(multipart)),
					    "multipart", "alternative");
	int count = g_mime_multipart_get_count(multipart),
	    best = alternative ? best_alternative(multipart) : -1;

	for (int i = MIN(count, (int)MAIL_MAX_PARTS); i-- > 0;) {
		g_autofree char *path =
			g_strdup_printf("%s%s%d", n->path, *n->path ? "." : "", i + 1);

		g_queue_push_head(todo,
				  nested_new(g_mime_multipart_get_part(multipart, i), path,
					     n->depth + 1, n->spare || (alternative && i != best)));
	}
}

/* A multipart whose boundary is missing or wrong has no parts; what it holds is read as one text.
 */
static void take_undivided(struct walk *w, struct post *p, GMimeMultipart *multipart, bool spare)
{
	const char *text = g_mime_multipart_get_prologue(multipart), *at;
	size_t len = text ? strlen(text) : 0;
	GArray *list = spare ? p->spare : p->texts;

	if (!len)
		return;
	/* Where it stands in the message, so that its lines are the file's. */
	at = memmem(w->text, w->len, text, len);
	if (at)
		post_text(p, list, at, len, w->place->first_line + mail_count_lines(w->text, at),
			  w->place->part);
	else
		post_text(p, list, post_buffer(p, g_string_new_len(text, (gssize)len))->str, len, 1,
			  w->place->part ? w->place->part : "part 1");
	quote_split(p, list);
}

/* Reads one message; those inside it wait in w->messages. */
static void walk_message(struct walk *w, const struct nested *outer)
{
	struct post *p = post_new(w->place->file, w->place->part);
	GQueue todo = G_QUEUE_INIT;
	struct nested *n;

	set_source(p, outer->object);
	g_queue_push_head(&todo,
			  nested_new(g_mime_message_get_mime_part(GMIME_MESSAGE(outer->object)),
				     outer->path, outer->depth, false));
	while ((n = g_queue_pop_head(&todo))) {
		GMimeObject *o = n->object;

		if (!o || n->depth > MAIL_MAX_NESTING || w->parts >= MAIL_MAX_PARTS) {
			if (o && !w->told++)
				diag(EXIT_DONE, w->place->file, w->place->first_line,
				     "more than %u MIME parts, or %u inside one another; the rest is not read",
				     MAIL_MAX_PARTS, MAIL_MAX_NESTING);
			nested_free(n);
			continue;
		}
		w->parts++;
		if (GMIME_IS_MULTIPART(o) && !g_mime_multipart_get_count(GMIME_MULTIPART(o))) {
			take_undivided(w, p, GMIME_MULTIPART(o), n->spare);
		} else if (GMIME_IS_MULTIPART(o)) {
			push_children(&todo, GMIME_MULTIPART(o), n);
		} else if (GMIME_IS_MESSAGE_PART(o)) {
			GMimeMessage *inner =
				g_mime_message_part_get_message(GMIME_MESSAGE_PART(o));

			if (inner && !n->spare)
				g_queue_push_tail(&w->messages,
						  nested_new(GMIME_OBJECT(inner), n->path,
							     n->depth + 1, false));
		} else if (GMIME_IS_PART(o)) {
			if (g_mime_content_type_is_type(g_mime_object_get_content_type(o),
							"message", "rfc822"))
				take_encoded_message(w, p, GMIME_PART(o), n->path);
			else
				take_part(w, p, GMIME_PART(o), n->path, n->spare);
		}
		nested_free(n);
	}
	w->each(p, w->data);
}

/* Every line that may be a MIME boundary costs GMime memory: how much of the message it gets to
 * see. */
static size_t bounded(const char *text, size_t len, const struct mail_place *place)
{
	const char *end = text + len, *p = text;
	unsigned lines = 0;

	if (len < BOUNDARY_MAX * 4)
		return len;
	while ((p = memmem(p, (size_t)(end - p), "\n--", 3))) {
		if (++lines == BOUNDARY_MAX) {
			diag(EXIT_DONE, place->file, place->first_line + mail_count_lines(text, p),
			     "more than %u lines that may be MIME boundaries; the rest of the message is not read",
			     BOUNDARY_MAX);
			return (size_t)(p + 1 - text);
		}
		p += 3;
	}
	return len;
}

void mail_read(const char *text, size_t len, const struct mail_place *place, post_each *each,
	       void *data)
{
	GMimeParserOptions *options = start();
	GByteArray view = { (guint8 *)text, (guint)MIN(bounded(text, len, place), G_MAXUINT - 1) };
	struct walk w = { text, view.len, place, each, data, 0, 0, G_QUEUE_INIT };
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *message;
	struct nested *n;

	stream = g_mime_stream_mem_new_with_byte_array(&view);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	parser = g_mime_parser_new_with_stream(stream);
	g_mime_parser_set_persist_stream(parser, TRUE);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
	message = g_mime_parser_construct_message(parser, options);
	if (message) {
		g_queue_push_tail(&w.messages, nested_new(GMIME_OBJECT(message), "", 0, false));
		while ((n = g_queue_pop_head(&w.messages))) {
			walk_message(&w, n);
			nested_free(n);
		}
		g_object_unref(message);
	}
	g_object_unref(parser);
	g_object_unref(stream);
}
