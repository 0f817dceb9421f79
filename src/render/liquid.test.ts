import { expect, test } from 'vitest'
import { fastest } from '../../test/fastest.ts'
import { maxSourceBytes, templateFault } from './liquid.ts'

const good = [
  '',
  'plain text with { braces } and 100 %',
  'Hi {{ subscriber.firstName | default: "there" }}',
  '{% if a contains "b" and c > 1 %}x{% elsif d %}y{% else %}z{% endif %}',
  '{% for i in (1..3) reversed %}{{ forloop.index }}{% endfor %}',
  '{% case a %}{% when 1 or 2 %}x{% endcase %}{% raw %}{{ not parsed }}{% endraw %}',
  '{% liquid\n  assign a = 1\n  echo a\n%}{% # a remark\n # over two lines %}',
  '{{ a | date: "%Y", "Europe/Berlin" }}{{ (1..n) | join }}',
]

test.each(good)('takes %j', (source) => {
  expect(templateFault(source)).toBeNull()
})

const bad: [source: string, fault: string][] = [
  ['{{ name', 'output "{{ name" not closed, line:1, col:1'],
  ['a\n{% if a %}', 'tag {% if a %} not closed, line:2, col:1'],
  ['{{ name | upcsae }}', 'undefined filter: upcsae, line:1, col:1'],
  ['{{ a | where_exp: "x", "x" }}', 'undefined filter: where_exp, line:1, col:1'],
  ['{% frobnicate %}', 'tag "frobnicate" not found, line:1, col:1'],
  ['{% include "x" %}', 'the tag "include" is not available here, line:1, col:1'],
  ['{% render "x" %}', 'the tag "render" is not available here, line:1, col:1'],
  ['{% layout "x" %}', 'the tag "layout" is not available here, line:1, col:1'],
  ['{% liquid\n include "x"\n%}', 'the tag "include" is not available here, line:2, col:2'],
  ['{% # one\n two %}', "every line of an inline comment must start with a '#' character, line:1, col:1"],
  ['{% if a %}'.repeat(5000), 'the template is nested too deeply'],
  ['x'.repeat(maxSourceBytes + 1), 'the template is larger than 64 KB'],
  ['ä'.repeat(maxSourceBytes / 2 + 1), 'the template is larger than 64 KB'],
]

test.each(bad)('refuses %.40j', (source, fault) => {
  expect(templateFault(source)).toBe(fault)
})

const slow = {
  'many tags': '{{a}}x'.repeat(10_000),
  'many lines in one tag': `{% liquid\n${'#\n'.repeat(32_000)}%}`,
  'many blank lines in a comment': `{% # a${'\n'.repeat(65_000)}# %}`,
  'many operators': `{% if a${' or a'.repeat(13_000)} %}{% endif %}`,
  'many arguments': `{{ a | append: ${'a,'.repeat(32_000)}a }}`,
  'many candidates': `{% cycle ${'a,'.repeat(32_000)}a %}`,
  'open blocks': '{% for a in b %}'.repeat(4000),
  'open brackets': `{{ ${'a['.repeat(32_000)} }}`,
  'open parentheses': `{{ ${'('.repeat(65_000)} }}`,
  'open raw blocks': `{% raw %}${'{% endraw'.repeat(7000)}`,
}

// Saving a template parses it on the main thread, where nothing can stop it. Measured in CPU time: the machine may be
// busy.
test.each(Object.entries(slow))('is quick about %s', async (_, source) => {
  const parse = () => {
    const before = process.threadCpuUsage()
    templateFault(source)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  expect(await fastest(250, parse)).toBeLessThan(250)
})
