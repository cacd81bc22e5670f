/* What text states about a system; see lib/statements.h. */
#include <string.h>
#include <glib.h>
#include "lib/names.h"
#include "lib/pattern.h"
#include "lib/statements.h"

#define MAX_CLAIMS 48u
#define TEXT_LIMIT 8192u                /* of one text; what is behind it is not read */

/* Reading of one text. A place that one recognizer has taken is closed to those after it. */
struct reading {
	const char *text;
	size_t len;
	enum statement_rank rank;
	bool strict; /* running text: only with a word that ties it to the own system */
	statement_fn *fn;
	void *data;
	bool found;
	unsigned claims;
	struct slice claim[MAX_CLAIMS];
};

const char *statement_key_name(enum statement_key k)
{
	static const char *const names[STATEMENT_KEYS] = {
		"board", "cpu",          "arch",     "memory", "kernel",
		"rt",    "distribution", "compiler", "load",   "config",
	};

	return names[k];
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Emitting */

/* Takes off blanks, markup and punctuation at both ends, and a parenthesis that never closes. */
static struct slice trim(const char *p, size_t len)
{
	unsigned open = 0;
	size_t last_open = 0;

	while (len && strchr(" \t*_`\"'|,;:=", *p)) {
		p++;
		len--;
	}
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '(' && !open++)
			last_open = i;
		else if (p[i] == ')' && open)
			open--;
	}
	if (open)
		len = last_open;
	while (len && strchr(" \t*_`\"'|,;:.=", p[len - 1]))
		len--;
	if (len && p[len - 1] == ')' && !memchr(p, '(', len))
		len--;
	return (struct slice){ p, len };
}

static void emit_load(struct reading *r, enum statement_load load, const char *p, size_t len)
{
	static struct pattern article = PATTERN("^(?:[Aa]n?|[Tt]he|e\\.g\\.|i\\.e\\.)\\s+");
	struct statement s = { .key = STATEMENT_LOAD, .rank = r->rank, .load = load };
	struct slice v = trim(p, len);
	struct match m;

	if (pattern_match(&article, v.p, v.len, 0, &m)) {
		v.len -= (size_t)(m.end - v.p);
		v.p = m.end;
	}

	if (!v.len || v.len > STATEMENT_LENGTH)
		return;
	s.p = v.p;
	s.len = v.len;
	r->found = true;
	if (r->fn)
		r->fn(&s, r->data);
}

/* name: of a config fact, or NULL. Facts that are too long are cut at a comma where there is one,
 * else dropped. */
static void emit(struct reading *r, enum statement_key key, const char *name, const char *p,
                 size_t len)
{
	struct statement s = { .key = key, .rank = r->rank };
	struct slice v = trim(p, len);

	if (v.len > STATEMENT_LENGTH) {
		const char *comma = g_strrstr_len(v.p, STATEMENT_LENGTH, ", ");

		if (!comma)
			return;
		v = trim(v.p, (size_t)(comma - v.p));
	}
	if (!v.len)
		return;
	s.p = v.p;
	s.len = v.len;
	if (name)
		g_strlcpy(s.name, name, sizeof(s.name));
	r->found = true;
	if (r->claims < MAX_CLAIMS)
		r->claim[r->claims++] = v;
	if (r->fn)
		r->fn(&s, r->data);
}

static bool claimed(const struct reading *r, const char *p, size_t len)
{
	for (unsigned i = 0; i < r->claims; i++)
		if (p < r->claim[i].p + r->claim[i].len && r->claim[i].p < p + len)
			return true;
	return false;
}

static bool matches(struct pattern *p, const char *text, size_t len)
{
	return pattern_match(p, text, len, 0, NULL);
}

static bool slice_is(struct slice s, const char *word)
{
	return s.p && strlen(word) == s.len && !g_ascii_strncasecmp(s.p, word, s.len);
}

/* The text before p (at most `most` bytes), for patterns that end in '$'. */
static struct slice before(const struct reading *r, const char *p, size_t most)
{
	size_t n = MIN((size_t)(p - r->text), most);

	return (struct slice){ p - n, n };
}

static struct slice after(const struct reading *r, const char *p, size_t most)
{
	return (struct slice){ p, MIN((size_t)(r->text + r->len - p), most) };
}

/* Ties in running text: "on my …", "this is a …". */
static bool tied(const struct reading *r, const char *p)
{
	static struct pattern tie = PATTERN(
		"(?i)\\b(?:on|from|with|using|of|is|are|was|have|has|running|for|my|our|this"
		"|these|box|machine|target|each)[:\\s,*`\"'(]+"
		"(?:(?:an?|the|my|our|this|old|new|single|dual|quad|embedded|real|custom"
		"|standard|plain|same|good|slow|fast|UP|SMP|\\d+-(?:socket|core|way|cpu"
		"|node),?)[ -]+){0,4}[*`\"'(]*$");
	static struct pattern article = PATTERN(
		"(?i)(?:\\b(?:an?|my|our|this)\\s+)(?:[\\w-]+ ){0,2}$");
	static struct pattern in_board = PATTERN(
		"(?i)\\b(?:board|machine|box|target|laptop|system|desktop) \\($");
	struct slice b = before(r, p, 80);

	return matches(&in_board, b.p, b.len) || matches(&tie, b.p, b.len) ||
	       matches(&article, b.p, b.len);
}

/* "Dell OptiPlex 7010 (Core i7-3770, …": next to a fact that is the own system's. */
static bool beside_fact(const struct reading *r, const char *p)
{
	for (unsigned i = 0; i < r->claims; i++) {
		const char *end = r->claim[i].p + r->claim[i].len;

		if (end > p || p - end > 4)
			continue;
		while (end < p && strchr(" ,(/;:-", *end))
			end++;
		if (end == p)
			return true;
	}
	return false;
}

/* Kernel */

#define KERNEL \
	"(?:[Ll]inux-)?[vV]?[2-7]\\.\\d{1,3}(?:\\.(?:\\d{1,3}" \
	"|[xy]\\b))*(?:[-+][A-Za-z0-9][\\w.+~-]*+|\\+)?+"

static bool plausible_kernel(const char *p, size_t len)
{
	unsigned major, minor = 0;
	size_t i = 0;

	while (i < len && !g_ascii_isdigit(p[i]))
		i++;
	if (i + 2 >= len)
		return false;
	major = (unsigned)(p[i] - '0');
	for (i += 2; i < len && g_ascii_isdigit(p[i]); i++)
		minor = minor * 10 + (unsigned)(p[i] - '0');
	switch (major) {
	case 2:
		return minor == 0 || minor == 2 || minor == 4 || minor == 5 || minor == 6;
	case 7:
		return minor <= 9;
	default:
		return minor <= 20;
	}
}

/* Number of dotted parts, and whether letters follow the numbers ("-rt14", "-generic"). */
static unsigned version_parts(const char *p, size_t len, bool *suffix)
{
	unsigned parts = 1;
	size_t i = 0;

	if (len > 6 && !g_ascii_strncasecmp(p, "linux-", 6))
		i = 6;
	if (i < len && (p[i] == 'v' || p[i] == 'V'))
		i++;
	for (; i < len && (g_ascii_isdigit(p[i]) || p[i] == '.'); i++)
		parts += p[i] == '.';
	*suffix = false;
	if (i < len && (p[i] == 'x' || p[i] == 'y')) {  /* "6.12.y": a branch */
		i++;
	}
	for (; i < len; i++)
		*suffix |= g_ascii_isalpha(p[i]);
	return parts;
}

/* The word before says that this version is another program's. */
static bool other_program(const struct reading *r, const char *p)
{
	static struct pattern kernel_word = PATTERN(
		"(?i)(?:linux|kernel|kernels)[\\s:=*`\"'(]*(?:(?:is|version|release|ver\\.?|tag"
		"|branch)[\\s:=*`\"'(]+)*$");
	static struct pattern program = PATTERN(
		"(?i)(?:xenomai|rtai|adeos|i-?pipe|cobalt|eldk|ubuntu|debian|fedora|centos|rhel"
		"|red ?hat|suse|mint|raspbian|gcc|g\\+\\+|clang|llvm|binutils"
		"|glibc|uclibc|musl|busybox|rt-tests|cyclictest|stress|stress-ng|version|release"
		"|patch|jackd|alsa|python|perl|java|qemu|kvm|libevl|evl|dovetail|openssl"
		"|buildroot|yocto|poky|torizoncore|torizon|upstream|angstrom|hackbench|rev\\.?"
		"|revision|core|rtla|oslat|bios|driver|u-boot|uboot|zephyr|ros2?|linuxcnc"
		"|machinekit|rtxi|iperf3?|linaro|eclipse|android|mysql|cuda|jetpack|l4t|docker"
		"|kubernetes|openshift|usb|pcie?|bluetooth|opengl|section|chapter|table"
		"|figure|step|firmware|fw|build|app|tool|library|libc|slurm|fluidsynth|pentium4?"
		"|p4|ghz|of|about|~|than|least|most|only|just|below|above"
		"|over)(?:[\\s:=*`\"'(<]*|-)v?$");
	struct slice b = before(r, p, 60);

	if (matches(&kernel_word, b.p, b.len))
		return false;
	return matches(&program, b.p, b.len);
}

/* In running text a kernel needs a word that says so. */
static bool kernel_in_prose(const struct reading *r, const char *p, size_t len)
{
	static struct pattern word = PATTERN(
		"(?i)\\b(?:linux|kernels?|running|runs|booted|booting|on|under|with|using|for"
		"|applied to|based on)\\s+"
		"(?:(?:an?|the|my|our|this|these|plain|vanilla|stock|patched|linux|kernel"
		"|version|is|now|at|today's)\\s+){0,3}[`*\"'(]*$"
		"|(?i)\\b(?:here|this|these|below) (?:is|are|was)\\s+(?:the )?[`*\"'(]*$");
	static struct pattern named = PATTERN(
		"(?i)(?:linux|kernels?)(?: (?:version|release))?[\\s:=]*(?:(?:is|at|of|was"
		"|on \\S+ is)\\s+)?(?:now\\s+)?[`*\"'(]*$");
	static struct pattern kernel_behind = PATTERN(
		"^[`*\"')]*\\s*(?:[\\w_-]+\\s+){0,2}(?i)kernels?\\b");
	static struct pattern release = PATTERN(
		"-(?:generic|lowlatency|amd64|686|arm64|armmp|rt-\\w+|xenomai\\S*|bone\\S*"
		"|\\d+[.-]\\S*el\\d\\S*|\\d+-\\w+)$");
	static struct pattern own = PATTERN(
		"(?i)\\b(?:my|our|this|running|kernel(?: version"
		"| release)?[ :]*(?:is)?)\\s*(?:linux |kernel )*$");
	static struct pattern history = PATTERN(
		"(?i)\\b(?:since|until|before|after|from|between|in|than|until|like|fixed"
		"|appeared|upstream)\\s+(?:linux |kernel |v)*$");
	bool suffix, is_named;
	struct slice b = before(r, p, 60), a = after(r, p + len, 40);
	unsigned parts = version_parts(p, len, &suffix);

	if (matches(&history, b.p, b.len) || (len && p[len - 1] == '+' && !suffix))
		return false;
	is_named = matches(&named, b.p, b.len) || matches(&kernel_behind, a.p, a.len);
	/* "the 2.4 kernel" is a series, no release. */
	if (parts < 3 && !suffix && p[0] != 'v' && p[0] != 'V' && !matches(&own, b.p, b.len))
		return false;
	if (pattern_match(&release, p, len, 0, NULL) || is_named)
		return true;
	if (matches(&word, b.p, b.len))
		return suffix || parts >= 3;
	return (p == r->text && suffix);
}

/* "BBB 4.4.65": a board just before. */
static bool board_before(const struct reading *r, const char *p)
{
	struct slice b = before(r, p, 40);
	struct name_match m;

	for (size_t from = 0; names_find(b.p, b.len, from, NAME_BOARD, &m);
	     from = (size_t)(m.p - b.p) + m.len)
		if (b.p + b.len - (m.p + m.len) <= 2)
			return true;
	return false;
}

static void find_kernel(struct reading *r)
{
	static struct pattern kernel = PATTERN(
		"(?<![\\w./@=+:-])" KERNEL
		"(?!\\w)(?!\\s?(?:[GMkK]i?[Hh]z|us\\b|usecs?\\b|\xc2\xb5s|ms\\b|msecs?\\b"
		"|ns\\b|[GMKT]i?B\\b|%|hours?\\b|sec\\b|seconds?\\b|V\\b|times\\b|x\\b|/\\d))");
	struct slice best = { NULL, 0 };
	unsigned best_parts = 0;
	struct match m;

	for (size_t from = 0; pattern_match(&kernel, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice v = { m.begin, (size_t)(m.end - m.begin) };
		bool suffix;
		unsigned parts;

		while (v.len && strchr(".-", v.p[v.len - 1]))
			v.len--;
		parts = version_parts(v.p, v.len, &suffix);
		if (claimed(r, v.p, v.len) || !plausible_kernel(v.p, v.len) || parts < 2)
			continue;
		if (other_program(r, v.p))
			continue;
		if (r->strict && !kernel_in_prose(r, v.p, v.len) && !board_before(r, v.p))
			continue;
		if (!r->strict && parts == 2 && !suffix && v.p[0] != 'v' && v.p[0] != 'V' &&
		    v.p != r->text && !kernel_in_prose(r, v.p, v.len))
			continue;
		if (r->strict && best.p)
			break;                  /* the first one is what it is about */
		parts = 2 * parts + suffix -
		        (v.p[v.len - 1] == 'y'); /* a branch says less than a release */
		if (!best.p || parts > best_parts) {
			best = v;
			best_parts = parts;
		}
	}
	if (best.p)
		emit(r, STATEMENT_KERNEL, NULL, best.p, best.len);
}

/* Real-time variants */

/* Interrupt pipelines: what a co-kernel stands on. They have a name, since they may stand beside
 * it. */
static const char *pipeline_name(struct slice kind)
{
	if (kind.len >= 5 && !g_ascii_strncasecmp(kind.p, "adeos", 5))
		return "Adeos";
	if (slice_is(kind, "ipipe") || slice_is(kind, "i-pipe"))
		return "I-pipe";
	if (slice_is(kind, "dovetail"))
		return "Dovetail";
	if (slice_is(kind, "hal-linux"))
		return "RTAI patch";
	if (slice_is(kind, "libevl"))
		return "libevl";
	return NULL;
}

static void find_rt(struct reading *r)
{
	static struct pattern versioned = PATTERN(
		"(?i)(?<![\\w./@:-])(xenomai|rtai|cobalt|adeos(?:-ipipe)?|i-?pipe|dovetail"
		"|libevl|evl|preempt[-_ ]?rt(?:[-_ ]full)?|rt[-_]preempt|hal-linux)"
		"(?:[ -](?:core|patch(?:set)?|version|release|abi"
		"|kernel))*[ :/-]{0,2}(v?\\d[\\w.+~-]*(?:/\\w+)?|r\\d+\\w*"
		"|\\d+(?:\\.x))(?: \\((?:stable version|cobalt|mercury)\\))?");
	static struct pattern plain = PATTERN(
		"(?<![\\w/@.:-])(?<!mod )(PREEMPT[_ -]RT(?:_FULL)?|[Pp]reempt[-_ ]?RT|PreemptRT"
		"|RT[-_]PREEMPT|rt-preempt|preempt[-_]rt|Xenomai|RTAI|EVL|Dovetail|Adeos"
		"|I-pipe)(?![\\w/]|\\.\\w|-(?!enabled|patched)|\\[|\\s+module)");
	static struct pattern kernel_word = PATTERN(
		"^(?:[-\\s](?:enabled|patched|patch(?:es)?|kernel|real-?time kernel|system)\\b"
		"|[^\\w]*$)");
	static struct pattern unit = PATTERN("^\\s?(?:us|ms|ns|usec|%)\\b");
	static struct pattern behind_kernel = PATTERN(
		"\\bv?[2-7]\\.\\d\\S*\\s+(?:and|with|plus|\\+|/)\\s+$");
	struct match m;

	for (size_t from = 0; pattern_match(&versioned, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice a = after(r, m.end, 8), b = before(r, m.begin, 40);
		size_t len = (size_t)(m.end - m.begin);

		if (claimed(r, m.begin, len) || matches(&unit, a.p, a.len))
			continue;
		while (len && strchr(".-/", m.begin[len - 1]))
			len--;
		if (len > 6 && !g_ascii_strncasecmp(m.begin + len - 6, ".patch", 6))
			len -= 6;
		if (r->strict && memchr(m.begin, ' ', len) && !tied(r, m.begin) &&
		    !matches(&behind_kernel, b.p, b.len) && !matches(&kernel_word, a.p, a.len))
			continue;
		emit(r, STATEMENT_RT, pipeline_name(m.group[1]), m.begin, len);
	}
	if (memmem(r->text, r->len, " vs", 3) || statements_not_realtime(r->text, r->len))
		return;
	for (size_t from = 0; pattern_match(&plain, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice a = after(r, m.end, 24);

		if (claimed(r, m.begin, (size_t)(m.end - m.begin)))
			continue;
		if (r->strict && !(matches(&kernel_word, a.p, a.len) && tied(r, m.begin)) &&
		    !(a.len > 8 && !strncmp(a.p, "-enabled", 8)))
			continue;
		emit(r, STATEMENT_RT, pipeline_name(m.group[1]), m.begin,
		     (size_t)(m.end - m.begin));
	}
}

bool statements_not_realtime(const char *text, size_t len)
{
	static struct pattern p = PATTERN(
		"(?i)\\b(?:stock|vanilla|mainline|standard|generic) kernel\\b|\\b(?:non|not|no"
		"|without|w/o|un-?patched|vanilla|disabled"
		"|before)\\b[- ](?:[\\w-]+[- ]){0,2}(?:rt|preempt[-_ ]?rt|rt[-_]preempt"
		"|real-?time|xenomai|rtai)\\b"
		"|\\b(?:preempt[-_ ]?rt|xenomai|rtai)\\b (?:is |was |switched |turned )*(?:off"
		"|disabled|not)|\xe9\x9d\x9e\xe5\xae\x9e\xe6\x97\xb6"
		"|\xe6\xb2\xa1\xe6\x9c\x89\xe6\x89\x93");

	return matches(&p, text, len);
}

bool statements_is_kernel(const char *text)
{
	static struct pattern p =
		PATTERN("(?i)^\\s*(?:linux|kernel|vanilla|with)?[ -]?(?:rt-)?" KERNEL "(?!\\w)");
	struct match m;

	return pattern_match(&p, text, strlen(text), 0, &m) &&
	       plausible_kernel(m.begin, (size_t)(m.end - m.begin));
}

/* Compiler */

static void find_compiler(struct reading *r)
{
	static struct pattern p = PATTERN(
		"(?i)(?<![\\w./@-])(?:(?:linaro |arm-[\\w-]+-)?gcc|g\\+\\+"
		"|clang)(?:[- ]version)?[- ]\\(?v?(?:\\d+\\.\\d[\\w.]*"
		"|\\d{1,2}(?=[\\s,)]))(?:-\\d{4}\\.\\d+)?(?: \\((?:[^()]{1,60})\\))?");
	struct match m;

	if (pattern_match(&p, r->text, r->len, 0, &m))
		emit(r, STATEMENT_COMPILER, NULL, m.begin, (size_t)(m.end - m.begin));
}

/* Boards */

static bool names_own(const struct reading *r, const struct name_match *m)
{
	return !claimed(r, m->p, m->len) && (!r->strict || tied(r, m->p) || beside_fact(r, m->p));
}

static void find_known_board(struct reading *r)
{
	static struct pattern more = PATTERN(
		"^(?: (?:target |evaluation |eval |development )?(?:board"
		"|kit)\\b)?(?:,? (?:[Rr]ev\\.?|[Rr]evision|v)\\s?\\d[\\w.]*)?");
	static struct pattern attribute = PATTERN(
		"(?i)^\\s*(?:os\\b|image|recipe|user|group|forum|list|distribution|sd ?card|wiki"
		"|foundation|kernel tree)\\b");
	struct name_match m;
	struct match e;
	bool found = false;

	for (size_t from = 0; names_find(r->text, r->len, from, NAME_BOARD, &m);
	     from = (size_t)(m.p - r->text) + m.len) {
		struct slice a = after(r, m.p + m.len, 60);

		if (!names_own(r, &m) || matches(&attribute, a.p, a.len))
			continue;
		if (!r->strict && found)
			break;                  /* a heading is of the board that it names first */
		found = true;
		if (pattern_match(&more, a.p, a.len, 0, &e))
			m.len += (size_t)(e.end - e.begin);
		emit(r, STATEMENT_BOARD, NULL, m.p, m.len);
	}
}

/* "BF537-STAMP board", "Brazos N450 motherboard": a board that is not known. */
static void find_other_board(struct reading *r)
{
	static struct pattern p = PATTERN(
		"(?<![\\w/@.-])((?:[A-Za-z0-9][\\w.+/-]*[ ]){1,4})((?:target |evaluation |eval "
		"|development |dev )?(?:board|motherboard|mainboard|SBC|EVK|EVM|starter kit"
		"|evaluation kit))\\b(?!s|[/-])");
	static struct pattern skip = PATTERN(
		"(?i)^.*\\b(?:an?|the|my|our|your|his|their|this|that|these|each|every|any|all"
		"|some|same|other|another|new|old|on|of|with|from|for|to|in|is|as|at|and|or|both"
		"|two|three|one"
		"|test|target|embedded|custom|following|whole|real|good|first|second|third|used"
		"|using|running|based|i|evaluation|development|main|host|which|via|no|single"
		"|actual|powerpc|arm|x86|i386|i686|x86_64|amd64|arm64|aarch64|armhf|ppc|linux|pc"
		"|are|was|boot|booted)\\s+");
	struct match m, s;

	for (size_t from = 0; pattern_match(&p, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		const char *begin = m.begin;
		size_t len;
		bool digit = false, article = false;

		if (pattern_match(&skip, begin, (size_t)(m.group[2].p - begin), 0, &s)) {
			begin = s.end;
			article = true;
		}
		len = (size_t)(m.group[2].p - begin);
		for (size_t i = 0; i < len; i++)
			digit |= g_ascii_isdigit(begin[i]);
		if (len < 4 || !digit || claimed(r, begin, len) ||
		    (r->strict && !(article && tied(r, begin))))
			continue;
		emit(r, STATEMENT_BOARD, NULL, begin, (size_t)(m.end - begin));
	}
}

/* CPUs */

#define CLOCK "\\d+(?:\\.\\d+)?\\s?[GMgm][Hh][Zz]"

static void find_cpu_brand(struct reading *r)
{
	static struct pattern p =
		PATTERN("(?:Genuine )?(?:Intel|AMD)\\((?:R|r)\\)[^|;*\\n]{2,60}?(?:@\\s*" CLOCK
	                "|\\b[Pp]rocessor\\b|CPU(?=\\s*(?:$|[|;,*)])))");
	struct match m;

	for (size_t from = 0; pattern_match(&p, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text))
		if (!claimed(r, m.begin, (size_t)(m.end - m.begin)))
			emit(r, STATEMENT_CPU, NULL, m.begin, (size_t)(m.end - m.begin));
}

/* Clock, code name and the like behind a CPU's name. */
static size_t cpu_more(const struct reading *r, const char *p)
{
	static struct pattern more =
		PATTERN("(?i)^(?:\\s*\\((?-i:[A-Z])[\\w .-]{2,18}\\))?(?:[ -](?:sandy ?bridge"
	                "|ivy ?bridge|haswell|broadwell|skylake|kaby ?lake|coffee ?lake|comet ?lake"
	                "|tiger ?lake|alder ?lake"
	                "|nehalem|westmere|apollo ?lake|bay ?trail|coppermine|tualatin|prescott"
	                "|northwood|quad|dual|quad-core|dual-core|solo|core|processor|cpu"
	                "|v\\d(?:\\.\\d)?|rev\\.? ?[A-Z\\d.]+))*"
	                "(?:,?\\s*(?:at|@|running at|clocked at|with|is)?\\s*" CLOCK
	                "|\\s+[1-5]\\.\\d{1,3}(?![\\w.]))?(?:\\s+(?-i:UP|SMP)\\b)?");
	struct slice a = after(r, p, 120);
	struct match m;

	return pattern_match(&more, a.p, a.len, 0, &m) ? (size_t)(m.end - m.begin) : 0;
}

static const char *cpu_vendor(const struct reading *r, const char *p)
{
	static struct pattern vendor = PATTERN(
		"(?:(?:Intel|AMD|Freescale|NXP|Motorola|AMCC|TI|Texas Instruments|Allwinner"
		"|Rockchip|Broadcom|Renesas|Marvell|Samsung|Atmel|Xilinx|Altera)(?:\\((?:R"
		"|TM)\\))?[ -]|(?:[Qq]uad|[Dd]ual)(?:-core)? )+$");
	struct slice b = before(r, p, 40);
	struct match m;

	return pattern_match(&vendor, b.p, b.len, 0, &m) ? m.begin : p;
}

static void find_known_cpu(struct reading *r)
{
	struct name_match m, n;

	for (size_t from = 0; names_find(r->text, r->len, from, NAME_CPU | NAME_SOC, &m);
	     from = (size_t)(m.p - r->text) + m.len) {
		const char *begin = cpu_vendor(r, m.p);
		size_t len;

		/* "Intel Xeon" and in it "Xeon Gold 6138" */
		if (names_find(r->text, r->len, (size_t)(m.p - r->text) + 1, NAME_CPU | NAME_SOC,
		               &n) &&
		    n.p < m.p + m.len && n.p + n.len > m.p + m.len)
			m.len = (size_t)(n.p + n.len - m.p);
		len = (size_t)(m.p - begin) + m.len;

		if (claimed(r, begin, len) ||
		    (r->strict && !tied(r, begin) && !beside_fact(r, begin)))
			continue;
		len += cpu_more(r, begin + len);
		emit(r, STATEMENT_CPU, NULL, begin, len);
	}
}

static void find_other_cpu(struct reading *r)
{
	static struct pattern p = PATTERN(
		"(?<![\\w/@.-])(?:PowerPC|PPC|MPC|MCF|ARM"
		"|Cortex)[ -]?(?:[A-Z]?\\d{2,5}\\w*)(?![\\w/@])");
	struct match m;

	for (size_t from = 0; pattern_match(&p, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		size_t len = (size_t)(m.end - m.begin);

		if (claimed(r, m.begin, len) ||
		    (r->strict && !tied(r, m.begin) && !beside_fact(r, m.begin)))
			continue;
		if (len > 2 && (slice_is((struct slice){ m.begin, len }, "ppc64") ||
		                slice_is((struct slice){ m.begin, len }, "arm64") ||
		                slice_is((struct slice){ m.begin, len }, "powerpc64") ||
		                slice_is((struct slice){ m.begin, len }, "arm32")))
			continue;
		emit(r, STATEMENT_CPU, NULL, m.begin, len + cpu_more(r, m.end));
	}
}

/* Architecture */

#define ARCH \
	"x86[_-]64|amd64|i[3456]86|x86|ia-?32|ia64|arm64|aarch64|armv[4-8]\\w*|armhf|armel" \
	"|arm|ppc(?:64(?:le|el)?)?|powerpc(?:64(?:le)?)?|mips(?:64)?(?:el)?|riscv(?:32|64)?" \
	"|risc-v|m68k|coldfire|blackfin|bfin|sh4|sparc(?:64)?|s390x?|loongarch64" \
	"|nios2|microblaze"

static void find_arch(struct reading *r)
{
	static struct pattern p =
		PATTERN("(?i)(?<![\\w/@.+-])(?:" ARCH ")(?![\\w/@+]|-\\w|\\.\\w|\\))");
	static struct pattern tie = PATTERN(
		"(?i)\\b(?:on|for|under|an?|my|our|this|is)\\s+(?:an?\\s+|the\\s+|my\\s+"
		"|plain\\s+)?$");
	static struct pattern machine = PATTERN(
		"(?i)^(?:\\s+(?:machine|box|board|system|laptop|desktop|target|computer|platform"
		"|server|pc|kernel|host here)\\b|\\s*\xe4\xb8\x8a)");
	static struct pattern negation = PATTERN(
		"(?i)\\b(?:no|not|never|without|neither|nor|unlike|yours?)\\b|n't\\b");
	struct match m;

	if (r->strict && matches(&negation, r->text, r->len))
		return;
	for (size_t from = 0; pattern_match(&p, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice b = before(r, m.begin, 40), a = after(r, m.end, 24);

		if (claimed(r, m.begin, (size_t)(m.end - m.begin)))
			continue;
		if (r->strict && !(matches(&machine, a.p, a.len) &&
		                   (m.begin == r->text || matches(&tie, b.p, b.len))))
			continue;
		emit(r, STATEMENT_ARCH, NULL, m.begin, (size_t)(m.end - m.begin));
		return;
	}
}

/* Memory */

static void find_memory(struct reading *r)
{
	static struct pattern named = PATTERN(
		"(?i)(?<![\\w.-])\\d+(?:\\.\\d+)?\\s?[kMG]i?(?:B(?:ytes?)?)?(?:\\s+(?:of\\s+)?(?:"
		"DDR\\d?\\w*\\s+)?(?:RAM|memory|SDRAM|DDR\\d?\\w*|DRAM|main memory))\\b");
	static struct pattern bare = PATTERN(
		"(?<![\\w.-])\\d+(?:\\.\\d+)?\\s?[MG]i?B(?![\\w/])(?!\\s*(?:[\\w-]+ )?(?i:cache"
		"|i-cache|d-cache|disk|flash|hdd|ssd|emmc|swap|buffer|file|nand|/s|per|card))");
	static struct pattern with = PATTERN("(?i)(?:\\bwith|\\band|,|/|" CLOCK ")\\s*$");
	struct match m;

	if (pattern_match(&named, r->text, r->len, 0, &m)) {
		if (!claimed(r, m.begin, (size_t)(m.end - m.begin)))
			emit(r, STATEMENT_MEMORY, NULL, m.begin, (size_t)(m.end - m.begin));
		return;
	}
	/* A bare size counts only beside a CPU. */
	if (!r->claims)
		return;
	for (size_t from = 0; pattern_match(&bare, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice b = before(r, m.begin, 16);

		if (claimed(r, m.begin, (size_t)(m.end - m.begin)) || !matches(&with, b.p, b.len))
			continue;
		emit(r, STATEMENT_MEMORY, NULL, m.begin, (size_t)(m.end - m.begin));
		return;
	}
}

/* Distribution */

static void find_distribution(struct reading *r)
{
	static struct pattern more = PATTERN(
		"(?i)^(?:[ -](?:GNU/Linux|linux|core|leap|tumbleweed|stream|server|desktop"
		"|release|version|upstream))*"
		"(?:\\.\\d[\\w.]*|[ -]?v?\\d[\\w.]*(?![\\w:])|[ -](?:testing|unstable|sid|stable"
		"|potato|woody|sarge|etch|lenny|squeeze|wheezy|jessie|stretch|buster|bullseye"
		"|bookworm|trixie"
		"|lucid|precise|trusty|xenial|bionic|focal|jammy|noble|dunfell|kirkstone"
		"|scarthgap|zeus|thud|sumo|rocko|pyro|warrior|hardknott|honister))"
		"(?: LTS)?(?: ?\\([A-Z][\\w ]{2,24}\\))?");
	static struct pattern not_system = PATTERN(
		"(?i)^\\s*(?:bug|package|kernel team|maintainer|users?|mailing|wiki|forum"
		"|developers?|image|repo|patch)");
	static struct pattern tie = PATTERN(
		"(?i)\\b(?:on|of|with|running|runs|under|using|system is|here:?"
		"|and)\\s+(?:an?\\s+|the\\s+|my\\s+|preview of\\s+|plain\\s+"
		"|stock\\s+)*[*`\"'(]*$");
	struct name_match m;
	struct match e;

	for (size_t from = 0; names_find(r->text, r->len, from, NAME_DISTRIBUTION, &m);
	     from = (size_t)(m.p - r->text) + m.len) {
		struct slice a = after(r, m.p + m.len, 80), b = before(r, m.p, 40);
		bool version = pattern_match(&more, a.p, a.len, 0, &e);

		if (version)
			m.len += (size_t)(e.end - e.begin);
		for (size_t i = 0; i < m.len && !version; i++)
			version = g_ascii_isdigit(m.p[i]);
		a = after(r, m.p + m.len, 80);
		if (claimed(r, m.p, m.len) || matches(&not_system, a.p, a.len) ||
		    (a.len > 1 && a.p[0] == ':' && g_ascii_isalnum(a.p[1])))
			continue;
		if (r->strict && !(version && matches(&tie, b.p, b.len)))
			continue;
		emit(r, STATEMENT_DISTRIBUTION, NULL, m.p, m.len);
	}
}

/* Everything but load. */
static void find_all(struct reading *r)
{
	find_compiler(r);
	find_rt(r);
	find_cpu_brand(r);
	find_known_board(r);
	find_other_board(r);
	find_known_cpu(r);
	find_other_cpu(r);
	find_distribution(r);
	find_kernel(r);
	find_memory(r);
	find_arch(r);
}

/* Load */

#define LOADS_LIMIT 8u

/* How many bytes "$(nproc)" and "$((2560 / $group))" at p have up to the bracket that closes them; 0: none closes it. */
static size_t substitution_length(const char *p, size_t room)
{
	unsigned open = 0;

	for (size_t i = 1; i < room; i++) {
		open += p[i] == '(';
		if (p[i] == ')' && --open == 0)
			return i + 1;
	}
	return 0;
}

/* The slice of a command from the load generator's name to the end of the command. */
static struct slice load_slice(const char *p, const char *end)
{
	static struct pattern behind = PATTERN(
		"(?i)\\s(?:(?:running )?(?:in|on) (?:the |an? )?(?:background|parallel|other"
		"|another|same)|running|as load)\\b");
	struct match m;
	size_t len = 0, room = (size_t)(end - p);
	char quote = '\0';

	for (; len < room; len++) {
		char c = p[len];

		if (quote) {
			if (c == quote)
				quote = '\0';
		} else if ((c == '"' || c == '\'') && len + 1 < room &&
		           memchr(p + len + 1, c, room - len - 1)) {
			quote = c;
		} else if (c == '$' && len + 1 < room && p[len + 1] == '(' && substitution_length(p + len, room - len)) {
			len += substitution_length(p + len, room - len) - 1;
		} else if (strchr(")`;&|,#", c)) {
			break;
		}
	}
	if (pattern_match(&behind, p, len, 0, &m))
		len = (size_t)(m.begin - p);
	return trim(p, len);
}

/* stress-ng makes load, but with this it measures. */
static bool measures(const char *command, size_t len)
{
	return memmem(command, len, " --cyclic ", 10) != NULL;
}

bool statements_load_command(const char *command, const char **p, size_t *len)
{
	static struct pattern loop = PATTERN("^(?:sudo\\s+)?(?:while|for)\\b.{0,140}?\\bdone\\b");
	static struct pattern before_program = PATTERN(
		"^(?:(?:sudo|nice|nohup|exec|taskset|chrt|ionice|time|\\(|-\\S+|[\\d,x-]+"
		"|\\w+=\\S*|\\./|/\\S*/)\\s*)*$");
	static struct pattern behind = PATTERN(
		"^(?:\\s*$|\\s*[&;|>)`]|\\s+(?:-{1,2}\\w|\\d|[./~]|[a-z]+=|(?:to|localhost"
		"|process|thread|pipe|all|clean|-C)\\b)|=)");
	struct match m;
	struct name_match n;
	size_t size = strnlen(command, TEXT_LIMIT);

	if (measures(command, size))
		return false;
	if (pattern_match(&loop, command, size, 0, &m)) {
		*p = m.begin;
		*len = (size_t)(m.end - m.begin);
		return *len <= STATEMENT_LENGTH;
	}
	if (!names_find(command, size, 0, NAME_LOAD, &n)) {
		const char *slash = strrchr(command, '/'); /* "./hackbench" is no word of its own */

		if (!slash ||
		    !names_find(slash + 1, size - (size_t)(slash + 1 - command), 0, NAME_LOAD,
		                &n) ||
		    n.p != slash + 1)
			return false;
		if (memchr(command, ' ', (size_t)(slash - command)) &&
		    !pattern_match(&before_program, command, (size_t)(slash - command), 0, NULL))
			return false;
	} else if (n.p != command && !matches(&before_program, command, (size_t)(n.p - command))) {
		return false;
	}
	if (!matches(&behind, n.p + n.len, (size_t)(command + size - (n.p + n.len))))
		return false;
	{
		struct slice s = load_slice(n.p, command + size);

		*p = s.p;
		*len = s.len;
	}
	return *len > 1 && *len <= STATEMENT_LENGTH;
}

/* A named generator in running text or a heading, with its options. */
static bool find_generator(struct reading *r, size_t from, struct slice *out)
{
	static struct pattern bare_word = PATTERN("(?i)^(?:dd|ping|stress|video)$");
	struct name_match n;

	for (; names_find(r->text, r->len, from, NAME_LOAD, &n);
	     from = (size_t)(n.p - r->text) + n.len) {
		struct slice s, a = after(r, n.p + n.len, 2);
		bool options =
			a.len == 2 && a.p[0] == ' ' && (a.p[1] == '-' || g_ascii_isdigit(a.p[1]));

		if (claimed(r, n.p, n.len) || (!options && matches(&bare_word, n.p, n.len)))
			continue;
		s = options ? load_slice(n.p, r->text + r->len) : (struct slice){ n.p, n.len };
		if (measures(s.p, s.len))
			continue;
		if (s.len && s.len <= STATEMENT_LENGTH) {
			*out = s;
			return true;
		}
	}
	return false;
}

#define IDLE \
	"idle(?: (?:system|machine|box|target))?|no (?:extra |added |additional |system " \
	"|cpu )?load|without (?:any |extra |additional )?(?:system )?load|unloaded" \
	"|not loaded|no[_ ]stress(?:_\\w+)?|0 ?% load|sin carga" \
	"|\xe7\xa9\xba\xe8\xbd\xbd|\xe6\x97\xa0\xe8\xb4\x9f\xe8\xbd\xbd" \
	"|\xe7\xa9\xba\xe9\x97\xb2"

static void find_load_heading(struct reading *r)
{
	static struct pattern idle =
		PATTERN("(?i)(?<![\\w=/-])(?:" IDLE ")(?![\\w=]|-\\w| ?states?\\b| ?cpus?\\b)");
	static struct pattern named = PATTERN(
		"(?i)\\b(?:load|loaded|stress|stressed)\\b\\s*[:=]?\\s*\\(([^)]{2,120})\\)");
	static struct pattern unnamed = PATTERN(
		"(?i)(?<![\\w-])(?:(?:with|under|full|heavy|high|max|maximum|medium|light|low"
		"|\\d{1,3} ?%|system|background|cpu|i/?o)(?: [\\w/]+)? (?:load|stress)\\b"
		"|loaded\\b|stressed\\b)"
		"|(?-i:(?<!\\w)STRESS(?:_\\w+)?\\b)|\xe5\xb8\xa6\xe8\xb4\x9f\xe8\xbd\xbd"
		"|\xe6\xbb\xa1\xe8\xbd\xbd");
	static struct pattern during = PATTERN(
		"(?i)\\b(?:during|against|while running) ([^;:,|]{3,60})");
	static struct pattern plus = PATTERN(
		"^\\s*(.{3,80}?)\\s+\\+\\s+\\S*(?:cyclictest|latency|latmus)\\b");
	static struct pattern connector = PATTERN(
		"(?i)(?:\\bwith|\\bunder|\\+|\\band|\\bduring|\\bplus|\\bvs\\.?"
		"|/)\\s*(?:\\w+ )?$");
	/* "Results for cyclictest and hackbench": both were measured. */
	static struct pattern measured = PATTERN("(?i)\\b(?:results?|output|numbers|figures) (?:for|of|from) \\S+ and\\s+$");
	static struct pattern start = PATTERN("(?i)\\b(?:start(?:ing)?|run(?:ning)?)\\s+$");
	struct slice s;
	struct match m;

	if (pattern_match(&plus, r->text, r->len, 0, &m) && find_generator(r, 0, &s) &&
	    s.p < m.group[1].p + m.group[1].len) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (pattern_match(&named, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (pattern_match(&idle, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_IDLE, m.begin, (size_t)(m.end - m.begin));
	} else if (find_generator(r, 0, &s) && !matches(&measured, r->text, (size_t)(s.p - r->text)) &&
	           (s.p == r->text ? memmem(s.p, s.len, " -", 2) != NULL : true) &&
	           (s.p == r->text || matches(&connector, r->text, (size_t)(s.p - r->text)) ||
	            matches(&start, r->text, (size_t)(s.p - r->text)))) {
		emit_load(r, LOAD_STATED, s.p, s.len);
	} else if (pattern_match(&during, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (pattern_match(&unnamed, r->text, r->len, 0, &m)) {
		static struct pattern preposition = PATTERN("(?i)^(?:with|under)\\s+(?=\\S+ \\S)");
		struct match before_it;

		if (pattern_match(&preposition, m.begin, (size_t)(m.end - m.begin), 0, &before_it))
			m.begin = before_it.end;
		emit_load(r, LOAD_UNNAMED, m.begin, (size_t)(m.end - m.begin));
	}
}

static void find_load_prose(struct reading *r)
{
	static struct pattern described = PATTERN(
		"(?i)\\b(?:non-rt |background |system |cpu )*load (?:was|is|were|consisted of"
		"|consists of|i used|we used|used was|was generated (?:by|with)|generated (?:by"
		"|with)|produced (?:by|with)|comes from)[\\s:]+(\\S.{1,150}?)(?=[.;]?\\s*$"
		"|[.;] )");
	static struct pattern under = PATTERN(
		"(?i)\\bunder ((?:very |really |quite )?(?:heavy|full|high|maximum|max|extreme"
		"|light|low|moderate|\\d{1,3} ?%)(?: \\w+)? (?:load"
		"|stress)(?:\\s*\\([^)]{2,100}\\))?)");
	static struct pattern idle = PATTERN(
		"(?i)\\b(?:without (?:any )?(?:system )?load|under no load|(?:on"
		"|with) an? (?:otherwise )?idle (?:system|machine|box|target)|(?:system|machine"
		"|box|target) (?:that |which )?(?:was|is) (?:otherwise |completely "
		"|totally )?idle)\\b");
	static struct pattern background = PATTERN(
		"(?i)(?:^|\\b(?:an?|the|some|and|with"
		"|where)\\s+)([\\w+-]+(?: [\\w+-]+){0,3}?) (?:ran|runs|was running|is running"
		"|running|were running|going on|active) in (?:the )?background\\b");
	static struct pattern word = PATTERN(
		"(?i)\\b(?:load|loaded|stress(?:ed|ing)?(?![-\\w])|background|busy|meanwhile"
		"|parallel|(?:while|when|with) .{0,40}running)\\b");
	static struct pattern except = PATTERN(
		"(?i)\\b(?:apart from|besides|except|otherwise|whether|if)\\b");
	static struct pattern comparison = PATTERN("(?i)\\bthan\\b");
	static struct pattern running = PATTERN(
		"(?i)\\b(?:while|with|when) [\"'`]([^\"'`]{3,120})[\"'`] (?:runs?|running"
		"|was running|is running|were running|ran)\\b");
	static struct pattern connector = PATTERN(
		"(?i)\\b(?:with|while|running|during|under|by|using|plus|against|when|an?"
		"|the)\\s+[`*\"']*$");
	struct slice s;
	struct match m;

	if (matches(&comparison, r->text, r->len))
		return;
	if (pattern_match(&described, r->text, r->len, 0, &m)) {
		struct slice v = m.group[1];

		if (v.len > 2 && v.p[0] == '(' && v.p[v.len - 1] == ')') {
			v.p++;
			v.len -= 2;
		} else if (v.p[0] == '"') {
			const char *quote =
				memchr(v.p + 1, '"', (size_t)(r->text + r->len - (v.p + 1)));

			if (quote)
				v.len = (size_t)(quote - v.p);
		}
		emit_load(r, LOAD_STATED, v.p, v.len);
	} else if (pattern_match(&running, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (pattern_match(&under, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (!matches(&except, r->text, r->len) &&
	           pattern_match(&idle, r->text, r->len, 0, &m)) {
		if (m.end - m.begin > 4 && !g_ascii_strncasecmp(m.end - 4, "idle", 4))
			m.begin = m.end - 4;
		emit_load(r, LOAD_IDLE, m.begin, (size_t)(m.end - m.begin));
	} else if (pattern_match(&background, r->text, r->len, 0, &m)) {
		emit_load(r, LOAD_STATED, m.group[1].p, m.group[1].len);
	} else if (matches(&word, r->text, r->len) && find_generator(r, 0, &s) &&
	           (memchr(s.p, ' ', s.len) ||
	            matches(&connector, r->text, (size_t)(s.p - r->text)))) {
		emit_load(r, LOAD_STATED, s.p, s.len);
	}
}

/* Configuration in headings and in sentences that lead in a result. */
static void find_config(struct reading *r)
{
	static struct pattern either = PATTERN("\\sor\\s+CONFIG_");
	static struct pattern option = PATTERN(
		"(CONFIG_\\w+)(?:\\s*=\\s*([ymn]\\b|\\d+|\"[^\"]*\")| (?:is |was "
		"|being )*(disabled|enabled|switched off|switched on|turned off|turned on|off"
		"|unset|not set)\\b)");
	static struct pattern isolated = PATTERN(
		"(?<![\\w-])(isolcpus|nohz_full|rcu_nocbs|idle|intel_idle\\.max_cstate"
		"|processor\\.max_cstate|cpufreq\\.off|nosmt|irqaffinity"
		"|maxcpus)\\s?=\\s?([\\w,.:-]+)");
	struct match m;

	if (matches(&either, r->text, r->len))
		return;
	for (size_t from = 0; pattern_match(&option, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		struct slice v = m.group[2].p ? m.group[2] : m.group[3];
		g_autofree char *name = g_strndup(m.group[1].p, m.group[1].len);

		emit(r, STATEMENT_CONFIG, name, v.p, v.len);
	}
	for (size_t from = 0; pattern_match(&isolated, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		g_autofree char *name = g_strndup(m.group[1].p, m.group[1].len);

		emit(r, STATEMENT_CONFIG, name, m.group[2].p, m.group[2].len);
	}
}

static void find_config_prose(struct reading *r)
{
	static struct pattern isolated = PATTERN(
		"(?<![\\w-])(isolcpus|nohz_full|rcu_nocbs)=([\\d][\\d,-]*)");
	static struct pattern governor = PATTERN(
		"(?i)\\b(?:cpufreq |scaling |cpu )?governor (?:is|was|set to|is set to"
		"|was set to) [\"'`]?(performance|powersave|ondemand|userspace|schedutil"
		"|conservative)\\b");
	static struct pattern negation = PATTERN("(?i)\\b(?:no|not|without|never)\\b|n't\\b");
	struct match m;

	if (matches(&negation, r->text, r->len))
		return;
	for (size_t from = 0; pattern_match(&isolated, r->text, r->len, from, &m);
	     from = (size_t)(m.end - r->text)) {
		g_autofree char *name = g_strndup(m.group[1].p, m.group[1].len);

		emit(r, STATEMENT_CONFIG, name, m.group[2].p, m.group[2].len);
	}
	if (pattern_match(&governor, r->text, r->len, 0, &m))
		emit(r, STATEMENT_CONFIG, "governor", m.group[1].p, m.group[1].len);
}

/* Entry points for free text */

static void reading_init(struct reading *r, const char *text, size_t len, enum statement_rank rank,
                         statement_fn *fn, void *data)
{
	*r = (struct reading){
		.text = text, .len = MIN(len, TEXT_LIMIT), .rank = rank, .fn = fn, .data = data
	};
}

/* "linux 6.4.11 bmq", "6.6.58-stable", "V6.6 (~40us latency)": a heading that is a kernel. */
static bool heading_is_kernel(struct reading *r)
{
	static struct pattern p = PATTERN(
		"^(?:(?:linux|Linux|kernel|Kernel)[ -])?(?:v"
		"|V)?[2-7]\\.\\d[\\w.+~-]*(?: [a-z][a-z0-9_-]{1,12}){0,2}(?=\\s*(?:$|[(:+,]))");
	struct match m;

	if (!pattern_match(&p, r->text, r->len, 0, &m))
		return false;
	{
		const char *digit = m.begin;

		while (!g_ascii_isdigit(*digit))
			digit++;
		if (!plausible_kernel(digit, (size_t)(m.end - digit)))
			return false;
		if (m.begin < digit && strchr("lLkK", *m.begin))
			m.begin = digit;
	}
	emit(r, STATEMENT_KERNEL, NULL, m.begin, (size_t)(m.end - m.begin));
	return true;
}

bool statements_heading(const char *text, size_t len, statement_fn *fn, void *data)
{
	static struct pattern comparison = PATTERN(
		"(?i)\\bvs\\.?\\b|\\bversus\\b|\\bcompar(?:ed|ison|ing)\\b|\\?\\s*$");
	struct reading r;

	reading_init(&r, text, len, RANK_HEADING, fn, data);
	if (matches(&comparison, r.text, r.len))
		return false;
	heading_is_kernel(&r);
	find_config(&r);
	find_all(&r);
	find_load_heading(&r);
	return r.found;
}

bool statements_load_beside(const char *text, size_t len, statement_fn *fn, void *data)
{
	struct reading r;

	reading_init(&r, text, len, RANK_HEADING, fn, data);
	find_load_heading(&r);
	return r.found;
}

bool statements_value(const char *text, size_t len, enum statement_rank rank, statement_fn *fn,
                      void *data)
{
	struct reading r;

	reading_init(&r, text, len, rank, fn, data);
	find_config(&r);
	find_all(&r);
	return r.found;
}

unsigned statements_coverage(const char *text, size_t len)
{
	struct reading r;
	size_t all = 0, taken = 0;

	reading_init(&r, text, len, RANK_LIST, NULL, NULL);
	find_all(&r);
	if (!r.found)
		return 0;
	for (size_t i = 0; i < r.len; i++) {
		if (!g_ascii_isalnum(r.text[i]))
			continue;
		all++;
		taken += claimed(&r, r.text + i, 1);
	}
	return all ? (unsigned)(taken * 100 / all) : 0;
}

/* Of another machine, of what could be, or a question. */
static bool speaks_of_others(const char *text, size_t len)
{
	static struct pattern others = PATTERN(
		"(?i)\\b(?:log[- ]?host|host (?:runs|is|system|os|kernel)|logger|build (?:host"
		"|machine|server|box)"
		"|cross[- ]?(?:compil|build)\\w*|compiled? (?:it |them )?(?:on|under)"
		"|development (?:host|machine|pc)"
		"|(?:another|other|some|any|most|all|older|newer) (?:box|machine|board|system"
		"|kernel|cpu|platform|arch\\w*|user|people|distribution)(?:e?s)?|someone"
		"|somebody|everybody|people"
		"|yours|your (?:board|machine|box|kernel|system|cpu|platform|hardware|set-?up"
		"|target|case|results?|numbers|figures|side|end)|you (?:have|use|run|are)"
		"|if (?:you|one|i|it|we|there)|would|could|should|might|supposed to|maybe"
		"|perhaps|wherever|whenever"
		"|plan(?:ning|ned)? to|want(?:ed)? to|going to|intend|will (?:try|test|use|show"
		"|have|be)|next (?:week|step)|please|tr(?:y|ied) (?:it|this|the|with|a|on)"
		"|can be (?:used|run|adapted)|supports?|supported|ported? to|works? (?:on|with"
		"|for) (?:any|all|most|every)|column|take kernel)\\b|\\?\\s*$");
	static struct pattern figure = PATTERN(
		"(?i)\\b(?:has|have|had|shows?|showed|gives?|gave|gets?|got|sees?|saw|reached"
		"|there (?:was|is)) (?:an? )?(?:max|maximum|worst|min|avg|average|latenc\\w+"
		"|peaks?|spikes?|jitter)\\b.{0,40}\\d+ ?(?:us|usecs?|\xc2\xb5s|ms|msecs?|ns)\\b");

	return matches(&others, text, len) || matches(&figure, text, len);
}

static void prose_sentence(struct reading *all, const char *text, size_t len)
{
	struct reading r;

	reading_init(&r, text, len, all->rank, all->fn, all->data);
	r.strict = true;
	if (!len || len > 1200)
		return;
	if (!speaks_of_others(text, len)) {
		find_all(&r);
		find_config_prose(&r);
	}
	find_load_prose(&r);
	all->found |= r.found;
}

bool statements_prose(const char *text, size_t len, statement_fn *fn, void *data)
{
	static struct pattern end = PATTERN(
		"(?<!\\.[A-Za-z])[.!?][\"')*]*(?=\\s+[A-Z\"'(\\[*`/]|\\s*$)"
		"|(?<=\\))\\s+(?=(?:The|This|That|It|We|In|My|Our|There|These|Here|All)\\s)"
		"|\\s>\\s|\\s{3,}");
	static struct pattern intro = PATTERN(
		"(?i)\\b(?:specs?|specifications?|details|set-?up|environment|configuration"
		"|config|test ?(?:machine|system|bed|platform|scenario)s?|hardware|system"
		"|machine|box)\\b[^:]{0,40}:$");
	struct reading all;
	size_t at = 0;
	bool introduced = false;
	struct match m;

	reading_init(&all, text, len, RANK_SENTENCE, fn, data);
	while (at < all.len) {
		size_t stop = all.len, next = all.len;

		if (pattern_match(&end, all.text, all.len, at, &m)) {
			/* The mark belongs to the sentence: a question is known by it. */
			stop = (size_t)(m.begin - all.text) + (strchr(".!?", *m.begin) != NULL);
			next = MAX((size_t)(m.end - all.text), at + 1);
		}
		while (at < stop && is_blank(all.text[at]))
			at++;
		if (introduced && stop > at)
			all.found |=
				statements_value(all.text + at, stop - at, RANK_LIST, fn, data);
		else
			prose_sentence(&all, all.text + at, stop - at);
		introduced =
			(introduced && stop > at &&
		         statements_coverage(all.text + at, stop - at) >= 25) ||
			(stop > at && pattern_match(&intro, all.text + at, stop - at, 0, NULL));
		at = next;
	}
	return all.found;
}

/* Parameters of the kernel's command line */

static bool parameter_matters(const char *name, size_t len)
{
	static const char *const known[] = {
		"isolcpus",
		"nohz_full",
		"nohz",
		"rcu_nocbs",
		"rcu_nocb_poll",
		"idle",
		"tsc",
		"intel_idle.max_cstate",
		"processor.max_cstate",
		"intel_pstate",
		"nosmt",
		"noht",
		"nohlt",
		"hlt",
		"nohalt",
		"mce",
		"irqaffinity",
		"skew_tick",
		"nmi_watchdog",
		"nowatchdog",
		"nosoftlockup",
		"lapic",
		"nolapic",
		"acpi",
		"noapic",
		"hpet",
		"clocksource",
		"threadirqs",
		"preempt",
		"mitigations",
		"audit",
		"kthread_cpus",
		"efi",
		"default_hugepagesz",
		"hugepages",
		"hugepagesz",
		"maxcpus",
		"cpufreq.off",
		"cpuidle.off",
		"tuned.non_isolcpus",
		"noxsave",
		"i915.enable_rc6",
		"i915.enable_dc",
		"pcie_aspm",
		"numa_balancing",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (strlen(known[i]) == len && !memcmp(known[i], name, len))
			return true;
	return (len > 8 && !memcmp(name, "xenomai.", 8)) ||
	       (len > 9 && !memcmp(name, "xeno_hal.", 9)) || (len > 4 && !memcmp(name, "evl.", 4));
}

static void parameter_word(struct reading *r, const char *p, size_t len)
{
	const char *equals = memchr(p, '=', len);
	size_t name_len = equals ? (size_t)(equals - p) : len;
	g_autofree char *name = NULL;

	if (len > 11 && !memcmp(p, "BOOT_IMAGE=", 11)) {
		const char *image = g_strstr_len(p, (gssize)len, "vmlinu");

		if (image && (size_t)(p + len - image) > 8 && image[7] == '-')
			emit(r, STATEMENT_KERNEL, NULL, image + 8, (size_t)(p + len - image) - 8);
		return;
	}
	if (name_len > 40 || !parameter_matters(p, name_len))
		return;
	name = g_strndup(p, name_len);
	if (equals)
		emit(r, STATEMENT_CONFIG, name, equals + 1, len - name_len - 1);
	else
		emit(r, STATEMENT_CONFIG, name, p, len);
}

static void parameter_words(struct reading *r, const char *p, size_t len)
{
	for (size_t at = 0; at < len;) {
		size_t n = 0;

		while (at < len && (is_blank(p[at]) || strchr("`\"'*", p[at])))
			at++;
		while (at + n < len && !is_blank(p[at + n]) && !strchr("`\"'", p[at + n]))
			n++;
		if (n)
			parameter_word(r, p + at, n);
		at += n;
	}
}

bool statements_parameter(const char *text, size_t len, statement_fn *fn, void *data)
{
	static struct pattern item = PATTERN(
		"^\\s*(?:[-*+]\\s+)?`?([A-Za-z][\\w.-]*(?:=\\S+)?)`?\\s*$");
	struct reading r;
	struct match m;

	if (!pattern_match(&item, text, MIN(len, TEXT_LIMIT), 0, &m))
		return false;
	reading_init(&r, text, len, RANK_LABEL, fn, data);
	parameter_words(&r, m.group[1].p, m.group[1].len);
	return true;
}

/* What the system prints */

static bool system_uname(struct reading *r)
{
	static struct pattern full = PATTERN(
		"\\bLinux\\s+[\\w.-]+\\s+([2-7]\\.\\d\\S*)\\s+(#\\d\\S*\\s.*)$");
	static struct pattern cut = PATTERN(
		"(?:^|\\s)([2-7]\\.\\d+\\.\\S+)\\s+(#\\d+\\S*\\s.*\\sGNU/Linux)");
	static struct pattern machine = PATTERN("\\s(" ARCH ")(?:\\s+(?:\\S+))*\\s*$");
	static struct pattern rt = PATTERN("\\bPREEMPT[_ ]RT(?:_FULL)?\\b");
	struct match m, x;

	if (!pattern_match(&full, r->text, r->len, 0, &m) &&
	    !pattern_match(&cut, r->text, r->len, 0, &m))
		return false;
	emit(r, STATEMENT_KERNEL, NULL, m.group[1].p, m.group[1].len);
	if (pattern_match(&rt, m.group[2].p, m.group[2].len, 0, &x))
		emit(r, STATEMENT_RT, NULL, x.begin, (size_t)(x.end - x.begin));
	if (pattern_match(&machine, m.group[2].p, m.group[2].len, 0, &x))
		emit(r, STATEMENT_ARCH, NULL, x.group[1].p, x.group[1].len);
	return true;
}

static bool system_version(struct reading *r)
{
	static struct pattern p = PATTERN("\\bLinux version (\\S+)");
	static struct pattern gcc = PATTERN("\\bgcc(?: version)? (?:\\([^()]*\\) )?\\d[\\w.]*");
	static struct pattern rt = PATTERN("\\bPREEMPT[_ ]RT(?:_FULL)?\\b");
	struct match m;

	if (!pattern_match(&p, r->text, r->len, 0, &m))
		return false;
	emit(r, STATEMENT_KERNEL, NULL, m.group[1].p, m.group[1].len);
	if (pattern_match(&gcc, r->text, r->len, 0, &m))
		emit(r, STATEMENT_COMPILER, NULL, m.begin, (size_t)(m.end - m.begin));
	if (pattern_match(&rt, r->text, r->len, 0, &m))
		emit(r, STATEMENT_RT, NULL, m.begin, (size_t)(m.end - m.begin));
	return true;
}

static bool system_config(struct reading *r)
{
	static struct pattern set = PATTERN("^\\s*(CONFIG_\\w+)=(\"[^\"]*\"|[\\w.-]+)\\s*$");
	static struct pattern unset = PATTERN("^\\s*#\\s*(CONFIG_\\w+) (is not set)\\s*$");
	g_autofree char *name = NULL;
	struct match m;

	if (!pattern_match(&set, r->text, r->len, 0, &m) &&
	    !pattern_match(&unset, r->text, r->len, 0, &m))
		return false;
	name = g_strndup(m.group[1].p, m.group[1].len);
	emit(r, STATEMENT_CONFIG, name, m.group[2].p, m.group[2].len);
	return true;
}

static bool system_boot(struct reading *r)
{
	static struct pattern stamp = PATTERN("\\[\\s*\\d+\\.\\d{3,}\\]|\\bkernel:");
	static struct pattern cobalt = PATTERN("\\[Xenomai\\] (Cobalt v\\S+)");
	static struct pattern nucleus = PATTERN("(Xenomai: real-time nucleus v\\S+)");
	static struct pattern rtai = PATTERN("(RTAI\\[hal\\]: <[\\w.]+>)");
	static struct pattern pipe = PATTERN(
		"\\b(I-pipe [\\w.]+-\\d[\\w.-]*|ipipe-[\\d.]+[\\w.-]*)");
	struct match m;
	bool found = false;

	if (!matches(&stamp, r->text, r->len))
		return false;
	if (pattern_match(&cobalt, r->text, r->len, 0, &m) ||
	    pattern_match(&nucleus, r->text, r->len, 0, &m) ||
	    pattern_match(&rtai, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_RT, NULL, m.group[1].p, m.group[1].len);
		found = true;
	}
	if (pattern_match(&pipe, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_RT, "I-pipe", m.group[1].p, m.group[1].len);
		found = true;
	}
	return found;
}

static bool system_other(struct reading *r)
{
	static struct pattern os_release = PATTERN(
		"^\\s*(?:PRETTY_NAME|DISTRIB_DESCRIPTION)=\"?([^\"]+)");
	static struct pattern image = PATTERN("\\bBOOT_IMAGE=\\S+");
	static struct pattern stress_ng = PATTERN(
		"\\bstress-ng, version \\S+ \\(((?:gcc|clang) [\\w.]+), (\\w+) Linux (\\S+)\\)");
	static struct pattern tracer = PATTERN(
		"\\btracing service on ([2-7]\\.\\S+?)/(ipipe-[\\w.-]+)");
	static struct pattern make_arch = PATTERN("(?:^|\\s)ARCH=(" ARCH ")(?:\\s|$)");
	struct match m;

	if (pattern_match(&os_release, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_DISTRIBUTION, NULL, m.group[1].p, m.group[1].len);
	} else if (pattern_match(&image, r->text, r->len, 0, &m)) {
		parameter_words(r, m.begin, (size_t)(r->text + r->len - m.begin));
	} else if (pattern_match(&stress_ng, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_COMPILER, NULL, m.group[1].p, m.group[1].len);
		emit(r, STATEMENT_ARCH, NULL, m.group[2].p, m.group[2].len);
		emit(r, STATEMENT_KERNEL, NULL, m.group[3].p, m.group[3].len);
	} else if (pattern_match(&tracer, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_KERNEL, NULL, m.group[1].p, m.group[1].len);
		emit(r, STATEMENT_RT, "I-pipe", m.group[2].p, m.group[2].len);
	} else if (pattern_match(&make_arch, r->text, r->len, 0, &m)) {
		emit(r, STATEMENT_ARCH, NULL, m.group[1].p, m.group[1].len);
	} else {
		return false;
	}
	return true;
}

/* "sysinfo": {"release": "5.10.78-rt55", "machine": "x86_64", …} */
static bool system_json(struct reading *r)
{
	static struct pattern release = PATTERN("\"release\"\\s*:\\s*\"([2-7]\\.\\d[^\"]*)\"");
	static struct pattern machine = PATTERN("\"machine\"\\s*:\\s*\"(" ARCH ")\"");
	static struct pattern version = PATTERN(
		"\"version\"\\s*:\\s*\"#\\d+[^\"]*?(PREEMPT[_ ]RT)\\b");
	static struct { struct pattern *p; enum statement_key key;
	} parts[] = {
		{ &release, STATEMENT_KERNEL },
		{ &machine, STATEMENT_ARCH },
		{ &version, STATEMENT_RT },
	};
	struct match m;

	if (!memchr(r->text, '"', r->len))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (pattern_match(parts[i].p, r->text, r->len, 0, &m))
			emit(r, parts[i].key, NULL, m.group[1].p, m.group[1].len);
	return r->found;
}

bool statements_system(const char *text, size_t len, statement_fn *fn, void *data)
{
	struct reading r;

	reading_init(&r, text, len, RANK_SYSTEM, fn, data);
	if (system_version(&r) || system_uname(&r) || system_config(&r) || system_other(&r) ||
	    system_boot(&r) || system_json(&r))
		return r.found;
	return false;
}

/* Labels */

enum label_class {
	LABEL_KEY,              /* the value is one fact */
	LABEL_VALUE,            /* the value may state several */
	LABEL_LOAD,
	LABEL_PARAMETERS,
	LABEL_CONFIG
};
struct label { const char *text; enum label_class class; enum statement_key key; };

static const struct label labels[] = {
	{ "board", LABEL_KEY, STATEMENT_BOARD }, { "target board", LABEL_KEY, STATEMENT_BOARD },
	{ "board name", LABEL_KEY, STATEMENT_BOARD },
	{ "evaluation board", LABEL_KEY, STATEMENT_BOARD },
	{ "eval board", LABEL_KEY, STATEMENT_BOARD }, { "hardware", LABEL_KEY, STATEMENT_BOARD },
	{ "hw", LABEL_KEY, STATEMENT_BOARD }, { "machine", LABEL_KEY, STATEMENT_BOARD },
	{ "platform", LABEL_KEY, STATEMENT_BOARD }, { "device", LABEL_KEY, STATEMENT_BOARD },
	{ "motherboard", LABEL_KEY, STATEMENT_BOARD }, { "mainboard", LABEL_KEY, STATEMENT_BOARD },
	{ "mother board", LABEL_KEY, STATEMENT_BOARD },
	{ "baseboard", LABEL_KEY, STATEMENT_BOARD },
	{ "product name", LABEL_KEY, STATEMENT_BOARD },
	{ "system model", LABEL_KEY, STATEMENT_BOARD },
	{ "hardware name", LABEL_KEY, STATEMENT_BOARD },
	{ "machine model", LABEL_KEY, STATEMENT_BOARD },
	{ "test board", LABEL_KEY, STATEMENT_BOARD }, { "dut", LABEL_KEY, STATEMENT_BOARD },
	{ "sbc", LABEL_KEY, STATEMENT_BOARD }, { "model", LABEL_KEY, STATEMENT_BOARD },
	{ "target", LABEL_KEY, STATEMENT_BOARD }, { "device model", LABEL_KEY, STATEMENT_BOARD },
	{ "cpu", LABEL_KEY, STATEMENT_CPU }, { "processor", LABEL_KEY, STATEMENT_CPU },
	{ "soc", LABEL_KEY, STATEMENT_CPU }, { "cpu model", LABEL_KEY, STATEMENT_CPU },
	{ "model name", LABEL_KEY, STATEMENT_CPU }, { "cpu type", LABEL_KEY, STATEMENT_CPU },
	{ "processor type", LABEL_KEY, STATEMENT_CPU },
	{ "processor model", LABEL_KEY, STATEMENT_CPU }, { "cpu name", LABEL_KEY, STATEMENT_CPU },
	{ "microcontroller", LABEL_KEY, STATEMENT_CPU },
	{ "target microcontroller", LABEL_KEY, STATEMENT_CPU },
	{ "mcu", LABEL_KEY, STATEMENT_CPU }, { "chip", LABEL_KEY, STATEMENT_CPU },
	{ "cpus", LABEL_KEY, STATEMENT_CPU }, { "arch", LABEL_KEY, STATEMENT_ARCH },
	{ "architecture", LABEL_KEY, STATEMENT_ARCH },
	{ "cpu architecture", LABEL_KEY, STATEMENT_ARCH },
	{ "memory", LABEL_KEY, STATEMENT_MEMORY }, { "ram", LABEL_KEY, STATEMENT_MEMORY },
	{ "mem", LABEL_KEY, STATEMENT_MEMORY }, { "memtotal", LABEL_KEY, STATEMENT_MEMORY },
	{ "main memory", LABEL_KEY, STATEMENT_MEMORY }, { "kernel", LABEL_KEY, STATEMENT_KERNEL },
	{ "linux", LABEL_KEY, STATEMENT_KERNEL }, { "linux kernel", LABEL_KEY, STATEMENT_KERNEL },
	{ "kernel version", LABEL_KEY, STATEMENT_KERNEL },
	{ "linux version", LABEL_KEY, STATEMENT_KERNEL },
	{ "kernel release", LABEL_KEY, STATEMENT_KERNEL },
	{ "running kernel", LABEL_KEY, STATEMENT_KERNEL },
	{ "uname", LABEL_KEY, STATEMENT_KERNEL }, { "uname r", LABEL_KEY, STATEMENT_KERNEL },
	{ "linux kernel version", LABEL_KEY, STATEMENT_KERNEL },
	{ "\xe5\x86\x85\xe6\xa0\xb8", LABEL_KEY, STATEMENT_KERNEL },
	{ "\xe5\x86\x85\xe6\xa0\xb8\xe7\x89\x88\xe6\x9c\xac", LABEL_KEY, STATEMENT_KERNEL },
	{ "distribution", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "distro", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "rootfs", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "description", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "userland", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "linux distribution", LABEL_KEY, STATEMENT_DISTRIBUTION },
	{ "rt", LABEL_KEY, STATEMENT_RT }, { "xenomai", LABEL_KEY, STATEMENT_RT },
	{ "xenomai version", LABEL_KEY, STATEMENT_RT }, { "rtai", LABEL_KEY, STATEMENT_RT },
	{ "rtai version", LABEL_KEY, STATEMENT_RT }, { "rt patch", LABEL_KEY, STATEMENT_RT },
	{ "rtai patch", LABEL_KEY, STATEMENT_RT }, { "preempt rt", LABEL_KEY, STATEMENT_RT },
	{ "preempt rt patch", LABEL_KEY, STATEMENT_RT }, { "rt preempt", LABEL_KEY, STATEMENT_RT },
	{ "patch", LABEL_KEY, STATEMENT_RT }, { "adeos patch", LABEL_KEY, STATEMENT_RT },
	{ "adeos", LABEL_KEY, STATEMENT_RT }, { "ipipe", LABEL_KEY, STATEMENT_RT },
	{ "i pipe", LABEL_KEY, STATEMENT_RT }, { "ipipe patch", LABEL_KEY, STATEMENT_RT },
	{ "i pipe patch", LABEL_KEY, STATEMENT_RT }, { "dovetail", LABEL_KEY, STATEMENT_RT },
	{ "evl", LABEL_KEY, STATEMENT_RT }, { "evl abi", LABEL_KEY, STATEMENT_RT },
	{ "cobalt", LABEL_KEY, STATEMENT_RT }, { "compiler", LABEL_KEY, STATEMENT_COMPILER },
	{ "gcc", LABEL_KEY, STATEMENT_COMPILER }, { "gcc version", LABEL_KEY, STATEMENT_COMPILER },
	{ "toolchain", LABEL_KEY, STATEMENT_COMPILER },
	{ "tool chain", LABEL_KEY, STATEMENT_COMPILER }, { "os", LABEL_VALUE, 0 },
	{ "operating system", LABEL_VALUE, 0 }, { "system", LABEL_VALUE, 0 },
	{ "system here", LABEL_VALUE, 0 }, { "test machine", LABEL_VALUE, 0 },
	{ "testmachine", LABEL_VALUE, 0 }, { "test system", LABEL_VALUE, 0 },
	{ "the box", LABEL_VALUE, 0 }, { "box", LABEL_VALUE, 0 }, { "my machine", LABEL_VALUE, 0 },
	{ "my system", LABEL_VALUE, 0 }, { "environment", LABEL_VALUE, 0 },
	{ "test environment", LABEL_VALUE, 0 }, { "setup", LABEL_VALUE, 0 },
	{ "test setup", LABEL_VALUE, 0 }, { "hw setup", LABEL_VALUE, 0 }, { "sw", LABEL_VALUE, 0 },
	{ "software", LABEL_VALUE, 0 }, { "specs", LABEL_VALUE, 0 }, { "config", LABEL_VALUE, 0 },
	{ "configuration", LABEL_VALUE, 0 }, { "kernel config", LABEL_VALUE, 0 },
	{ "kernel configuration", LABEL_VALUE, 0 }, { "kernel options", LABEL_VALUE, 0 },
	{ "test platform", LABEL_VALUE, 0 }, { "tested on", LABEL_VALUE, 0 },
	{ "guest", LABEL_VALUE, 0 }, { "measured on", LABEL_VALUE, 0 }, { "load", LABEL_LOAD, 0 },
	{ "system load", LABEL_LOAD, 0 }, { "background load", LABEL_LOAD, 0 },
	{ "workload", LABEL_LOAD, 0 }, { "stress", LABEL_LOAD, 0 }, { "cpu load", LABEL_LOAD, 0 },
	{ "load generator", LABEL_LOAD, 0 }, { "stress load", LABEL_LOAD, 0 },
	{ "test load", LABEL_LOAD, 0 }, { "kernel parameter", LABEL_PARAMETERS, 0 },
	{ "kernel parameters", LABEL_PARAMETERS, 0 }, { "boot parameters", LABEL_PARAMETERS, 0 },
	{ "boot parameter", LABEL_PARAMETERS, 0 }, { "kernel command line", LABEL_PARAMETERS, 0 },
	{ "kernel cmdline", LABEL_PARAMETERS, 0 }, { "cmdline", LABEL_PARAMETERS, 0 },
	{ "bootargs", LABEL_PARAMETERS, 0 }, { "kernel args", LABEL_PARAMETERS, 0 },
	{ "boot options", LABEL_PARAMETERS, 0 }, { "boot args", LABEL_PARAMETERS, 0 },
	{ "vendor id", LABEL_CONFIG, 0 }, { "cpu mhz", LABEL_CONFIG, 0 },
	{ "cpu max mhz", LABEL_CONFIG, 0 }, { "hypervisor vendor", LABEL_CONFIG, 0 },
	{ "virtualization type", LABEL_CONFIG, 0 }, { "hypervisor", LABEL_CONFIG, 0 },
	{ "virtualization", LABEL_CONFIG, 0 }, { "cpu(s)", LABEL_CONFIG, 0 },
	{ "thread(s) per core", LABEL_CONFIG, 0 }, { "core(s) per socket", LABEL_CONFIG, 0 },
	{ "number of cpus", LABEL_CONFIG, 0 }, { "cores", LABEL_CONFIG, 0 },
	{ "governor", LABEL_CONFIG, 0 }, { "cpufreq governor", LABEL_CONFIG, 0 },
	{ "scaling governor", LABEL_CONFIG, 0 }, { "cpu governor", LABEL_CONFIG, 0 },
	{ "isolcpus", LABEL_CONFIG, 0 }, { "isolated cpus", LABEL_CONFIG, 0 },
	{ "nohz full", LABEL_CONFIG, 0 }, { "bios", LABEL_CONFIG, 0 },
	{ "bios version", LABEL_CONFIG, 0 }, { "smi", LABEL_CONFIG, 0 },
	{ "idle states", LABEL_CONFIG, 0 }, { "c states", LABEL_CONFIG, 0 },
	{ "cstates", LABEL_CONFIG, 0 }, { "hyperthreading", LABEL_CONFIG, 0 },
	{ "hyper threading", LABEL_CONFIG, 0 }, { "turbo boost", LABEL_CONFIG, 0 },
	{ "irqbalance", LABEL_CONFIG, 0 }, { "clock source", LABEL_CONFIG, 0 },
	{ "clocksource", LABEL_CONFIG, 0 }, { "cpu freq", LABEL_CONFIG, 0 },
	{ "cpu frequency", LABEL_CONFIG, 0 }, { "cpu clock", LABEL_CONFIG, 0 },
	{ "clock", LABEL_CONFIG, 0 }, { "tuned profile", LABEL_CONFIG, 0 },
	{ "l2 cache", LABEL_CONFIG, 0 }, { "graphics", LABEL_CONFIG, 0 },
	{ "u boot", LABEL_CONFIG, 0 }, { "rt tests", LABEL_CONFIG, 0 },
};

/* Lower case, one blank between words, '_' '-' '.' as blanks; a parenthesis dropped unless it is
 * "(s)". */
static void label_normal(const char *p, size_t len, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++) {
		char c = g_ascii_tolower(p[i]);

		if (c == '(' && !(i + 2 < len && p[i + 2] == ')')) {
			const char *close = memchr(p + i, ')', len - i);

			if (close) {
				i = (size_t)(close - p);
				continue;
			}
		}
		if (strchr("_-.*`\"' \t", c)) {
			if (n && out[n - 1] != ' ')
				out[n++] = ' ';
			continue;
		}
		out[n++] = c;
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static const struct label machine = { "machine", LABEL_KEY, STATEMENT_BOARD };

static const struct label *label_find(const char *p, size_t len)
{
	char normal[48];
	static struct pattern board_in = PATTERN("^(?:test )?board (?:in|for|of|used)\\b");
	static struct pattern numbered = PATTERN(
		"^(board|machine|system|box|target|platform|device|pc|host|computer"
		"|setup) (?:no )?#?[\\da-d]$");
	struct match m;

	if (len > 44)
		return NULL;
	label_normal(p, len, normal, sizeof(normal));
	for (size_t i = 0; *normal && i < G_N_ELEMENTS(labels); i++)
		if (!strcmp(labels[i].text, normal))
			return &labels[i];
	/* "Machine 1: …": any of the labels that are taken as hardware */
	if (pattern_match(&numbered, normal, strlen(normal), 0, &m))
		return normal[0] == 'b' && normal[1] == 'o' && normal[2] == 'a' ? &labels[0]
		                                                                : &machine;
	return matches(&board_in, normal, strlen(normal)) ? &labels[0] : NULL;
}

/* Where a label begins whose sign stands at text[sign]: behind the last comma, bar, parenthesis,
 * double blank. */
static size_t label_begin(const char *text, size_t sign)
{
	size_t at = sign, begin;

	while (at > 0 && is_blank(text[at - 1]))
		at--;
	while (at > 0 && sign - at < 48) {
		char c = text[at - 1];

		if (strchr(",;|", c) ||
		    (is_blank(c) && at > 1 && (is_blank(text[at - 2]) || text[at - 2] == '.')))
			break;
		at--;
	}
	begin = at;
	while (begin < sign && strchr(" \t*_`\"-+#>/\x95", text[begin]))
		begin++;
	if (begin + 2 < sign && g_ascii_isdigit(text[begin]) && strchr(".)", text[begin + 1]) &&
	    is_blank(text[begin + 2]))
		begin += 3;
	while (begin < sign && is_blank(text[begin]))
		begin++;
	return begin;
}

static bool has_letters(struct slice v, unsigned least)
{
	unsigned n = 0;

	for (size_t i = 0; i < v.len; i++)
		n += g_ascii_isalpha(v.p[i]) || (unsigned char)v.p[i] > 127;
	return n >= least;
}

/* Forms that nobody has filled in, and words that say nothing. */
static bool placeholder(struct slice v)
{
	static struct pattern p = PATTERN(
		"(?i)^(?:<[^>]*>|\\[[^\\]]*\\]|\\{.*|x+(?:\\.x+)*|y{4}.*|\\.{2,}|-+|n/?a|none"
		"|unknown|tbd|todo|\\?+|see .*|todo.*|your .*)$");

	return matches(&p, v.p, v.len);
}

/* The value up to the end of its first sentence. */
static struct slice first_sentence(struct slice v)
{
	static struct pattern end = PATTERN(
		"(?<!\\b[Rr]ev)(?<!\\b[Vv]er)(?<!\\b[Nn]o)(?<=[a-z)\\d])\\.\\s+(?=[A-Za-z])"
		"|\\s+--?\\s+(?=[a-z])|\\s\xe2\x80\x94\\s");
	struct match m;

	if (pattern_match(&end, v.p, v.len, 0, &m) && m.begin - v.p > 2)
		v.len = (size_t)(m.begin - v.p);
	return trim(v.p, v.len);
}

static unsigned words_in(struct slice v)
{
	unsigned n = 0;

	for (size_t i = 0; i < v.len; i++)
		n += !is_blank(v.p[i]) && (i == 0 || is_blank(v.p[i - 1]));
	return n;
}

static void label_kernel(struct reading *r, struct slice v)
{
	struct reading k;
	static struct pattern version = PATTERN("(?<![\\w.])(?:[Ll]inux[- ])?" KERNEL);
	struct match m;

	reading_init(&k, v.p, v.len, r->rank, r->fn, r->data);
	if (pattern_match(&version, v.p, v.len, 0, &m) &&
	    plausible_kernel(m.begin, (size_t)(m.end - m.begin))) {
		if (v.len <= 40 && words_in(v) <= 4 && !memchr(v.p, ',', v.len) &&
		    !memchr(v.p, '*', v.len)) {
			emit(&k, STATEMENT_KERNEL, NULL, v.p, v.len);
		} else {
			size_t len = (size_t)(m.end - m.begin);

			while (len && strchr(".-", m.begin[len - 1]))
				len--;
			emit(&k, STATEMENT_KERNEL, NULL, m.begin, len);
		}
	}
	find_all(&k);
	r->found |= k.found;
}

/*
 * "Hardware: Intel Core i5-4570 @ 3.2 GHz, 8 GB RAM": no board, but what is inside one. Or "Lenovo
 * T480 (i7-8550U), kernel 5.15": then what stands before the first comma is the board. False: take
 * the value as it is.
 */
static bool label_hardware(struct reading *r, struct slice v)
{
	struct reading inside;
	const char *comma = memchr(v.p, ',', v.len);
	size_t first = comma ? (size_t)(comma - v.p) : v.len;
	bool at_start;

	reading_init(&inside, v.p, v.len, r->rank, NULL, NULL);
	find_cpu_brand(&inside);
	find_known_cpu(&inside);
	at_start = inside.claims && inside.claim[0].p <= v.p + 8;
	if (!at_start && !comma)
		return false;
	reading_init(&inside, v.p, v.len, r->rank, r->fn, r->data);
	if (!at_start && has_letters((struct slice){ v.p, first }, 3) &&
	    words_in((struct slice){ v.p, first }) <= 8)
		emit(&inside, STATEMENT_BOARD, NULL, v.p, first);
	find_all(&inside);
	r->found |= inside.found;
	return inside.found;
}

static void label_key(struct reading *r, const struct label *l, struct slice label, struct slice v)
{
	static struct pattern memory = PATTERN("(?i)\\d\\s*[kMGT]i?B?\\b");
	static struct pattern arch = PATTERN("(?i)^(?:" ARCH ")\\b");
	static struct pattern board_label = PATTERN("(?i)board|model|product|dut|sbc");

	switch (l->key) {
	case STATEMENT_BOARD:
	case STATEMENT_CPU: {
		unsigned words = words_in(v);
		enum statement_rank rank = r->rank;

		if (l->key == STATEMENT_BOARD && !matches(&board_label, label.p, label.len) &&
		    label_hardware(r, v))
			return;
		v = first_sentence(v);
		if (!has_letters(v, 2) || words > 24 ||
		    (l->key == STATEMENT_CPU && !memchr(v.p, ' ', v.len) &&
		     !names_canonical(NAME_ANY, v.p) && v.len < 4))
			return;
		/* "Model:" may be of anything; "Hardware:" beside it says more. */
		if (!strcmp(l->text, "model") && r->rank == RANK_LABEL)
			r->rank = RANK_SENTENCE;
		emit(r, l->key, NULL, v.p, v.len);
		r->rank = rank;
		return;
	}
	case STATEMENT_ARCH: {
		struct match m;

		if (pattern_match(&arch, v.p, v.len, 0, &m))
			emit(r, STATEMENT_ARCH, NULL, m.begin, (size_t)(m.end - m.begin));
		return;
	}
	case STATEMENT_MEMORY:
		v = first_sentence(v);
		if (matches(&memory, v.p, v.len) && words_in(v) <= 8)
			emit(r, STATEMENT_MEMORY, NULL, v.p, v.len);
		return;
	case STATEMENT_KERNEL:
		label_kernel(r, v);
		return;
	case STATEMENT_RT: {
		const char *name = NULL;
		struct match cut;
		static struct pattern origin = PATTERN("\\s(?:from|on|taken|built|dated)\\s");
		static struct pattern named = PATTERN(
			"(?i)xenomai|rtai|adeos|i-?pipe|preempt|\\brt\\d|-rt|evl|dovetail|cobalt"
			"|hal-linux");
		static struct pattern pipe = PATTERN(
			"(?i)^\\W*(?:adeos|i-?pipe|dovetail)|^RTAI patch");

		v = first_sentence(v);
		if (pattern_match(&origin, v.p, v.len, 0, &cut))
			v.len = (size_t)(cut.begin - v.p);
		if (words_in(v) > 8 || !v.len)
			return;
		if (matches(&pipe, label.p, label.len))
			name = g_ascii_tolower(label.p[0]) == 'a'   ? "Adeos"
			       : g_ascii_tolower(label.p[0]) == 'd' ? "Dovetail"
			       : g_ascii_tolower(label.p[0]) == 'r' ? "RTAI patch"
			                                            : "I-pipe";
		if (!matches(&named, v.p, v.len)) {
			if (!matches(&named, label.p, label.len) ||
			    !g_ascii_isdigit(v.p[strcspn(v.p, "0123456789")]))
				return;
			v.len = (size_t)(v.p + v.len - label.p); /* "Xenomai version: 2.6.3" */
			v.p = label.p;
		}
		emit(r, STATEMENT_RT, name, v.p, v.len);
		return;
	}
	case STATEMENT_DISTRIBUTION:
		v = first_sentence(v);
		if (has_letters(v, 3) && words_in(v) <= 10 &&
		    (!slice_is(label, "description") || names_canonical(NAME_DISTRIBUTION, v.p)))
			emit(r, STATEMENT_DISTRIBUTION, NULL, v.p, v.len);
		return;
	case STATEMENT_COMPILER:
		v = first_sentence(v);
		if (words_in(v) <= 12)
			emit(r, STATEMENT_COMPILER, NULL, v.p, v.len);
		return;
	default:
		return;
	}
}

static void label_load(struct reading *r, struct slice v, enum open_label *open)
{
	static struct pattern average = PATTERN("^[\\d.,/%\\s-]+$");
	static struct pattern none = PATTERN("(?i)^(?:none|no|nothing|" IDLE ")$");

	if (matches(&average, v.p, v.len)) {
		*open = OPEN_LOAD;
		r->found = true;
		return;
	}
	v = first_sentence(v);
	emit_load(r, matches(&none, v.p, v.len) ? LOAD_IDLE : LOAD_STATED, v.p, v.len);
}

/* "*FUJITSU D3161-A1* (version *…*)": what the first emphasis holds. */
static struct slice marked(struct slice v)
{
	const char *end;

	while (v.len && is_blank(*v.p)) {
		v.p++;
		v.len--;
	}
	if (v.len > 4 && strchr("*`", v.p[0]) && !strchr("*`", v.p[1])) {
		end = memchr(v.p + 1, v.p[0], v.len - 1);
		if (end && end - v.p > 3 && (size_t)(end - v.p) + 1 < v.len && end[1] == ' ')
			v.len = (size_t)(end - v.p);
	}
	return trim(v.p, v.len);
}

static void label_value(struct reading *r, const struct label *l, struct slice label,
                        struct slice v, enum open_label *open)
{
	v = marked(v);
	if (!v.len) {
		*open = l->class == LABEL_LOAD         ? OPEN_LOAD
		        : l->class == LABEL_PARAMETERS ? OPEN_PARAMETERS
		        : l->class == LABEL_VALUE      ? OPEN_VALUE
		                                       : OPEN_NONE;
		r->found |= *open != OPEN_NONE;
		return;
	}
	if (placeholder(v) && l->class != LABEL_LOAD)
		return;
	switch (l->class) {
	case LABEL_KEY:
		label_key(r, l, label, v);
		break;
	case LABEL_VALUE:
		r->found |= statements_value(v.p, v.len, r->rank, r->fn, r->data);
		break;
	case LABEL_LOAD:
		label_load(r, v, open);
		break;
	case LABEL_PARAMETERS:
		if (v.len <= STATEMENT_LENGTH && memchr(v.p, '=', v.len))
			emit(r, STATEMENT_CONFIG, "boot parameters", v.p, v.len);
		parameter_words(r, v.p, v.len);
		break;
	case LABEL_CONFIG: {
		g_autofree char *name = g_strndup(label.p, label.len);

		v = first_sentence(v);
		if (words_in(v) <= 8)
			emit(r, STATEMENT_CONFIG, name, v.p, v.len);
		break;
	}
	}
}

/* A sign that may end a label: no part of a time, an address, an option. */
static bool label_sign(const char *text, size_t len, size_t i)
{
	if (text[i] == ':')
		return !(i + 1 < len && (text[i + 1] == '/' || text[i + 1] == ':')) &&
		       !(i && g_ascii_isdigit(text[i - 1]) && i + 1 < len &&
		         g_ascii_isdigit(text[i + 1]));
	if (text[i] == '=')
		return i + 1 < len && text[i + 1] == ' ' && i && is_blank(text[i - 1]);
	return false;
}

/* "| CPU | i7-4790 |": two cells and no more. */
static bool label_row(struct reading *r, enum open_label *open)
{
	static struct pattern row = PATTERN(
		"^\\s*\\|?\\s*([^|]{2,40}?)\\s*:?\\s*\\|\\s*([^|]{2,160}?)\\s*\\|?\\s*$");
	const struct label *l;
	struct match m;
	struct slice name;

	if (!memchr(r->text, '|', r->len) || !pattern_match(&row, r->text, r->len, 0, &m))
		return false;
	name = trim(m.group[1].p, m.group[1].len);
	l = label_find(name.p, name.len);
	if (!l)
		return false;
	label_value(r, l, name, m.group[2], open);
	return r->found;
}

bool statements_label(const char *text, size_t len, enum open_label *open, statement_fn *fn,
                      void *data)
{
	struct reading r;
	const struct label *l = NULL;
	struct slice name = { NULL, 0 };
	size_t value = 0;

	*open = OPEN_NONE;
	reading_init(&r, text, len, RANK_LABEL, fn, data);
	if (label_row(&r, open))
		return true;
	for (size_t i = 0; i < r.len; i++) {
		const struct label *next;
		size_t begin;

		if (!label_sign(r.text, r.len, i))
			continue;
		begin = MAX(label_begin(r.text, i), value);
		while (begin < i && is_blank(r.text[begin]))
			begin++;
		next = label_find(r.text + begin, i - begin);
		if (!next)
			continue;
		if (l)
			label_value(&r, l, name, (struct slice){ r.text + value, begin - value },
			            open);
		else if (begin > 8 && statements_coverage(r.text, begin) >= 60)
			statements_value(r.text, begin, RANK_LABEL, fn, data);
		l = next;
		name = trim(r.text + begin, i - begin);
		value = i + 1;
	}
	if (l)
		label_value(&r, l, name, (struct slice){ r.text + value, r.len - value }, open);
	return r.found;
}
