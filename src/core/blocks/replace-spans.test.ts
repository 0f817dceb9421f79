import { expect, test } from 'vitest'
import { replaceSpans } from './replace-spans.ts'

const pairs = [
  ['{{', '}}'],
  ['{%', '%}'],
] as const
const marked = (text: string) => replaceSpans(text, pairs, (span) => `<${span.length}>`)

test.each([
  ['', ''],
  ['a', 'a'],
  ['a {{ b }} c {% d %}', 'a <7> c <7>'],
  ['{{ "{% x %}" }}{{y}}', '<15><5>'],
  ['{% "{{" %}}}', '<10>}}'],
  ['{{ {{ a }} b }}', '<10> b }}'],
  ['{{ never {% a %}', '{{ never <7>'],
  ['{% never {{ a }} {{', '{% never <7> {{'],
])('%s', (text, expected) => expect(marked(text)).toBe(expected))

test('a million marks that nothing closes take no time', () => {
  const began = performance.now()
  const text = '{{{%'.repeat(250_000)
  expect(marked(text)).toBe(text)
  expect(performance.now() - began).toBeLessThan(1_000)
})
