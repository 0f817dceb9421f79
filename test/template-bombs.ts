/** What a hostile tenant may save as a template. */

const doubling = (start: string, step: string, times: number) => `${start}${step.repeat(times)}`
/** `unit` 2^17 times: as long as a text may become by appending it to itself. */
const longText = (unit: string, times = 17) =>
  doubling(`{% assign t = "${unit}" %}`, '{% assign t = t | append: t %}', times)
/** A list that holds itself, `depth` times over: small in memory, endless as text. */
const nestedList = (depth: number) =>
  doubling('{% assign l = "x" | split: "," %}', '{% assign l = l | push: l %}', depth)
const forEver = '{% for i in (1..100000) %}{% for j in (1..100000) %}'
const endForEver = '{% endfor %}{% endfor %}'

/** Each fails alone; the last few because they ask for what templates may not have. */
export const bombs: Record<string, string> = {
  'a loop of a billion': '{% for i in (1..1000000000) %}x{% endfor %}',
  'a loop of a billion, bounds as texts': '{% assign n = "1e9" %}{% for i in (1..n) %}x{% endfor %}',
  'loops in loops': `${forEver}${endForEver}`,
  'loops that print': `${forEver}xxxxxxxxxx${endForEver}`,
  'loops that assign': `${forEver}{% assign a = i | times: j | plus: 1 %}${endForEver}`,
  'loops that capture': `${forEver}{% capture a %}{{ a }}x{% endcapture %}${endForEver}`,
  'a table of loops':
    '{% tablerow i in (1..100000) %}{% tablerow j in (1..100000) %}{% endtablerow %}{% endtablerow %}',
  'a range that cannot count on': '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
  'such a range read by a filter': '{{ "a,b" | split: "," | where: "[(9007199254740992..9007199254740994)]" }}',
  'such a range in a condition': '{% if (9007199254740992..9007199254740994) == empty %}x{% endif %}',
  'a capture printed twice into itself': doubling(
    '{% assign a = "x" %}',
    '{% capture a %}{{a}}{{a}}{% endcapture %}',
    40,
  ),
  'a text appended to itself': doubling('{% assign a = "x" %}', '{% assign a = a | append: a %}', 40),
  'ten megabytes of output': `${longText('xxxx')}${'{{ t }}'.repeat(40)}`,
  'a text replaced by itself': `${longText('x', 16)}{{ t | replace: "x", t }}`,
  'a list appended to itself': doubling('{% assign a = "x,y" | split: "," %}', '{% assign a = a | concat: a %}', 40),
  'a list in itself, printed': `${nestedList(60)}{{ l }}`,
  'a list in itself, joined': `${nestedList(60)}{{ l | join }}`,
  'a list in itself, as JSON': `${nestedList(60)}{{ l | json: 10 }}`,
  'a list in itself, as a number': `${nestedList(60)}{{ l | plus: 1 }}`,
  'a list in itself, as a key': `${nestedList(60)}{{ payload[l] }}`,
  'a list in itself, compared': `${nestedList(18)}${'{% if l == l and l == l and l == l %}{% endif %}'.repeat(60)}`,
  'groups of groups': `{% assign l = (1..300) %}${'{% assign l = l | concat: l | group_by: "x" | map: "items" %}'.repeat(40)}{{ l | join }}`,
  'splitting, sorting and joining without end': `{% for i in (1..100000) %}{% assign a = (1..9000) | join: "," | split: "," | sort_natural | reverse | join %}{% endfor %}`,
  'sorting large lists': '{% assign a = (1..90000) | sort_natural | reverse | sort %}'.repeat(9),
  'comparing large lists': `{% assign a = (1..90000) %}{% if ${Array(900).fill('a == a').join(' and ')} %}x{% endif %}`,
  'a search that backtracks': `${longText('a')}{% assign p = t | slice: 0, 9000 | append: "b" | append: t %}{{ t | split: p }}`,
  'a search from the end': `${longText('a')}{% assign p = t | slice: 0, 9000 | append: "b" %}{{ t | remove_last: p }}`,
  'a search by contains': `${longText('a')}{% assign p = t | slice: 0, 9000 | append: "b" | append: t %}{% if t contains p %}x{% endif %}`,
  'encoding again and again': `${longText('中')}{{ t ${'| url_encode '.repeat(40)} | size }}`,
  'escaping again and again': `${longText('&')}{{ t ${'| escape '.repeat(40)} | size }}`,
  'line breaks into tags': `${longText('\\n')}{{ t ${'| newline_to_br '.repeat(40)} | size }}`,
  'a date padded to a gigabyte': '{{ "now" | date: "%1000000000Y" }}',
  'nanoseconds padded to a gigabyte': '{{ "now" | date: "%1000000000N" }}',
  'a date format of a million names': `${longText('%A%B')}{{ "now" | date: t }}`,
  'dates without end': '{% for i in (1..100000) %}{% assign a = i | date: "%A %B %c" %}{% endfor %}',
  'zones without end': '{% for i in (1..100000) %}{% assign a = i | date: "%H", "Asia/Tokyo" %}{% endfor %}',
  'deep nesting of blocks': `${'{% if true %}'.repeat(6000)}x${'{% endif %}'.repeat(6000)}`,
  'unclosed blocks': '{% for i in (1..9) %}'.repeat(3000),
  'unclosed brackets': `{{ ${'('.repeat(60_000)} }}`,
  'thirty thousand lines in one tag': `{% liquid\n${'#\n'.repeat(32_000)}%}`,
  'thirteen thousand tags': '{{a}}'.repeat(13_000),
  'a source over 160 KB': `{{ name }}${'x'.repeat(170_000)}`,
  'the file system': '{% include "/etc/passwd" %}',
  'a partial': '{% render "package.json" %}',
  'a layout': '{% layout "package.json" %}{% block a %}{% endblock %}',
  'an expression from a payload': '{{ payload.list | where_exp: "x", payload.expression }}',
  'a filter that is not there': '{{ name | system: "id" }}',
  'the constructor of a loop': '{% for i in (1..2) %}{{ forloop.constructor }}{% endfor %}',
  'half a character': '{{ "\\ud83d" }}{% include "x" %}',
}

/** The payload that some of them read. */
export const bombPayload = { list: [{ a: 1 }], expression: 'x.a | plus: 1' }
