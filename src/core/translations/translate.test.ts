import { describe, expect, test } from 'vitest'
import { type Format, parseTemplate, renderTemplate, templateFault } from '../../render/liquid.ts'
import { renderPlain } from '../../render/plain.ts'
import { readMessage } from './read-message.ts'
import { keysIn, missingKeys, translate, type Words } from './translate.ts'

const words: Words = [
  { locale: 'de-AT', content: { greeting: 'Grüß Gott' } },
  {
    locale: 'de',
    content: {
      greeting: 'Guten Tag',
      hello: 'Hallo {{subscriber.firstName}}!',
      nested: { deep: 'tief' },
      'flat.key': 'flach',
      'a b': 'mit Leerzeichen',
      tagged: '<b>fett</b> & "so"',
      bold: '<b>{{subscriber.firstName}}</b>',
      orders: '{count, plural, =0 {keine Bestellung} one {# Bestellung} other {# Bestellungen}}',
      branch: '{count, plural, one {{name} hat eine} other {{name} hat #}}',
      quoted: "Klammern '{'so'}'",
      apostrophe: "Ist's {{subscriber.firstName}}'s l'{{subscriber.firstName}}?",
      french: "l'{{subscriber.firstName}} {count, plural, one {# ami} other {# amis}}",
      inBranch: '{count, plural, one {Hallo {{subscriber.firstName}}} other {Ihr #}}',
      at: '{at, date, long} um {at, time}',
      html: '{name} {count, number}',
      gender: '{who, select, f {Sie} m {Er} other {Es}}',
      link: 'javascript:alert(1)',
      spaced: 'x onclick=alert(1)',
    },
  },
]
const scope = {
  subscriber: { firstName: 'Ada <x>', locale: 'de-AT', timezone: 'Europe/Vienna' },
  payload: { count: 1234, name: '<i>', at: '2026-03-14T23:30:00Z', who: 'f', list: [{ n: 1 }, { n: 2 }] },
  step: { eventCount: 3 },
}

function show(template: string, format: Format = 'text', own: object = {}): string {
  const composed = translate(template, words, format)
  expect(templateFault(composed)).toBeNull()
  const limits = { timeoutMs: 1_000, maxChars: 100_000, nowMs: 0 }
  const text = renderTemplate(parseTemplate(composed, format), { ...scope, ...own }, format, limits)
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

describe('words in place of their keys', () => {
  test.each([
    ['{{t.greeting}}', 'Grüß Gott'],
    ['{{ t.greeting | upcase }}!', 'GRÜSS GOTT!'],
    ['{{t.hello}}', 'Hallo Ada <x>!'],
    ['{{ t.hello | upcase }}', 'HALLO ADA <X>!'],
    ['{{t.nested.deep}} {{ t["nested"].deep }}', 'tief tief'],
    ['{{t.flat.key}}', 'flach'],
    ['{{ t["a b"] }}', 'mit Leerzeichen'],
    ['{{t.quoted}}', 'Klammern {so}'],
    ['{{t.quoted}}{{t.quoted}}{', 'Klammern {so}Klammern {so}{'],
    ['{{t.apostrophe}}', "Ist's Ada <x>'s l'Ada <x>?"],
    ['a  {{- t.greeting -}}  b', 'aGrüß Gottb'],
    ['{% assign a = t.greeting | upcase %}[{{ a }}]', '[GRÜSS GOTT]'],
    ['{%- assign a = t.hello -%} {{ a }}', 'Hallo Ada <x>!'],
    ['{% capture a %}{{ t.greeting }}{% endcapture %}{{ a }}', 'Grüß Gott'],
    ['{% if payload.count > 3 %}{{t.greeting}}{% endif %}', 'Grüß Gott'],
    ['{% for it in payload.list %}{{ t.orders | with: count: it.n }};{% endfor %}', '1 Bestellung;2 Bestellungen;'],
    // Not ours.
    ['{% raw %}{{t.greeting}}{% endraw %}', '{{t.greeting}}'],
    ['{% comment %}{{t.greeting}}{% endcomment %}x', 'x'],
    ['{% for t in payload.list %}{{ t.n }}{% endfor %}', '12'],
    ['{% assign t = payload %}{{ t.who }}', 'f'],
    ['{{ payload.t.greeting }}{{ "t.greeting" }}', 't.greeting'],
    // Nobody wrote these: their names stand there.
    ['{{t.nobody}} {{ t.nested }} {{ t.nested.more | upcase }}', 'nobody nested NESTED.MORE'],
    ['{{t.constructor}} {{ t.__proto__.x }}', 'constructor __proto__.x'],
  ])('%s', (template, text) => expect(show(template)).toBe(text))

  test.each([
    ['{{t.orders}}', '1 234 Bestellungen'],
    ['{{ t.orders | with: count: 1 }}', '1 Bestellung'],
    ['{{ t.orders | with: count: 0 | upcase }}', 'KEINE BESTELLUNG'],
    ['{{ t.orders | with: count: step.eventCount }}', '3 Bestellungen'],
    ['{{ t.branch | with: count: 1, name: "Ada" }}', 'Ada hat eine'],
    ['{{t.french}}', "l'Ada <x> 1 234 amis"],
    ['{{ t.inBranch | with: count: 1 }}', 'Hallo Ada <x>'],
    ['{{t.at}}', '15. März 2026 um 00:30'],
    ['{{t.gender}} {{ t.gender | with: who: "x" }}', 'Sie Es'],
    ['{{ t.orders | with: count: payload.nothing }}', 'keine Bestellung'],
  ])('ICU: %s', (template, text) => expect(show(template)).toBe(text))

  test('a value that is not in the payload may be one of the digest', () => {
    const own: Words = [{ locale: 'en', content: { x: '{eventCount, plural, one {one} other {# events}}' } }]
    const composed = translate('{{t.x}}', own, 'text')
    const limits = { timeoutMs: 1_000, maxChars: 1_000, nowMs: 0 }
    expect(renderTemplate(parseTemplate(composed, 'text'), scope, 'text', limits)).toBe('3 events')
  })
})

describe('in HTML', () => {
  test.each([
    ['<p>{{t.tagged}}</p>', '<p>&lt;b&gt;fett&lt;/b&gt; &amp; &#34;so&#34;</p>'],
    ['<p>{{ t.tagged | upcase }}</p>', '<p>&lt;B&gt;FETT&lt;/B&gt; &amp; &#34;SO&#34;</p>'],
    ['<p>{{ t.tagged | raw }}</p>', '<p><b>fett</b> & "so"</p>'],
    ['<p>{{ t.bold | raw }}</p>', '<p><b>Ada &lt;x&gt;</b></p>'],
    ['<p>{{t.hello}}</p>', '<p>Hallo Ada &lt;x&gt;!</p>'],
    ['<p>{{t.html}}</p>', '<p>&lt;i&gt; 1 234</p>'],
    ['<p>{{ t.html | raw }}</p>', '<p>&lt;i&gt; 1 234</p>'],
    ['<p>{{t.quoted}}</p>', '<p>Klammern {so}</p>'],
    ['<a title="{{t.tagged}}">x</a>', '<a title="&lt;b&gt;fett&lt;/b&gt; &amp; &#34;so&#34;">x</a>'],
  ])('%s', (template, text) => expect(show(template, 'html')).toBe(text))

  test('words in an attribute are cleaned like values', () => {
    expect(show('<a href="{{t.link}}">x</a>', 'html')).not.toContain('javascript:')
    expect(show('<a href={{t.spaced}}>x</a>', 'html')).not.toContain(' onclick=')
  })
})

describe('what is plain stays plain', () => {
  test.each<[string, Format]>([
    ['{{t.greeting}} {{payload.who}}', 'text'],
    ['<p>{{t.tagged}} {{t.hello}}</p>', 'html'],
    ['<p>{{t.tagged}} <a href="{{payload.who}}">{{t.hello}}</a></p>', 'html'],
  ])('%s needs no thread', (template, format) => {
    expect(renderPlain(translate(template, words, format), scope, format, 10_000)).not.toBeNull()
  })

  test('words without values need no rendering at all', () => {
    expect(translate('{{t.greeting}}', words, 'text')).toBe('Grüß Gott')
  })
})

test('what grows past every limit is not built, and refused when it is rendered', () => {
  const large: Words = [{ locale: 'en', content: { a: 'x'.repeat(8_000) } }]
  for (const format of ['text', 'html'] as const) {
    const composed = translate('{{t.a}} '.repeat(2_000), large, format)
    expect(composed.length).toBeLessThan(200_000)
    expect(renderPlain(composed, scope, format, 1_000_000)).toBeNull()
    expect(() => parseTemplate(composed, format)).toThrow('160 KB')
  }
})

test.each([
  ['{a,select,other{', 8_000],
  ["'{", 8_000],
  ['{d,date,::yyyyMMdd}', 3_800],
  ['{n,number,::currency/EUR}', 5_000],
  ['k{x} ', 8_000],
  ['{{x}}', 8_000],
  ['#<>}', 8_000],
])('a message of %j is read or refused at once', (part, chars) => {
  const text = part.repeat(chars / part.length)
  const begin = performance.now()
  readMessage(text)
  readMessage(`{n,select,${text} other{}}`)
  expect(performance.now() - begin).toBeLessThan(1_000)
})

test('keys, and those that are missing', () => {
  const templates = ['{{t.greeting}} {{t.a.b}}', '{% assign x = t["a b"] %}{{t.a.b}}']
  expect(keysIn(templates)).toEqual(['greeting', 'a.b', 'a b'])
  expect(missingKeys(templates, words)).toEqual(['a.b'])
})
