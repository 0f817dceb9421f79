import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestOfFive } from '../../test/fastest.ts'
import { rounds } from '../../test/rounds.ts'
import { type Format, parseTemplate, renderTemplate } from './liquid.ts'
import { renderPlain as render } from './plain.ts'

const limits = { timeoutMs: 1_000, maxChars: 100_000, nowMs: 0 }
const renderPlain = (source: string, scope: Record<string, unknown>, format: Format = 'text') => {
  const rendered = render(source, scope, format, limits.maxChars)
  return rendered === null || rendered === 'too_large' ? rendered : rendered.text
}
const viaLiquid = (source: string, scope: Record<string, unknown>, format: Format) =>
  renderTemplate(parseTemplate(source, format), scope, format, limits)

test('names in a text are put in without Liquid', () => {
  const scope = { subscriber: { firstName: 'Ada', data: { plan: 'pro' } }, payload: { n: 3, ok: true, none: null } }
  const source =
    'Hi {{subscriber.firstName}} ({{ subscriber.data.plan }}): {{payload.n}} {{payload.ok}}{{payload.none}}!'
  expect(renderPlain(source, scope)).toBe('Hi Ada (pro): 3 true!')
})

test('in HTML, values are escaped', () => {
  const scope = { payload: { x: '<b title="a">&\'</b>', n: 1 } }
  expect(renderPlain('<p>{{payload.x}}{{payload.n}}</p>', scope, 'html')).toBe(
    '<p>&lt;b title=&#34;a&#34;&gt;&amp;&#39;&lt;/b&gt;1</p>',
  )
})

test.each([
  '{{ payload.n | plus: 1 }}',
  '{% if payload.n %}a{% endif %}',
  'a {{- payload.n -}} b',
  '{{ payload.list.size }}',
  '{{ payload.list.first }}',
  '{{ true }}',
  '{{ payload["n"] }}',
  '{{ "text" }}',
  '{{ payload.n',
  '{{{ payload.n }}}',
])('%s is left to Liquid', (source) => {
  expect(renderPlain(source, { payload: { n: 1, list: [1] } })).toBeNull()
})

test.each([{ v: [1, 2] }, { v: { a: 1 } }, { v: 'half \ud800' }])('a value such as %j is left to Liquid', (payload) => {
  expect(renderPlain('{{payload.v}}', { payload })).toBeNull()
})

test('what is too large is not built first', bestOfFive, () => {
  const source = '{{payload.x}}'.repeat(200)
  const used = process.threadCpuUsage()
  for (let n = 0; n < 100; n++)
    expect(render(source, { payload: { x: 'y'.repeat(500_000) } }, 'html', 100_000)).toBe('too_large')
  expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(500)
  expect(render('{{a}}{{b}}', { a: 'abc', b: [1] }, 'text', 2)).toBeNull()
})

test('what a prototype has is not seen', () => {
  expect(renderPlain('{{payload.constructor}}{{payload.toString.name}}', { payload: {} })).toBe('')
})

test('whatever it renders, Liquid would render the same', () => {
  const word = fc.constantFrom('a', 'b', 'c_1', 'D', 'size', 'first', 'nil', 'constructor', 'toString', '__proto__')
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom('<b>&"\'</b>', '&amp;', 'javascript:x', 'x onload=y'),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant([1, 'x']),
  )
  const tree = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(word, tie('value'))),
  })).value
  const piece = fc.oneof(
    fc.constantFrom(
      'text ',
      '{',
      '}',
      '}}',
      '%}',
      '\n',
      'ü',
      ' {{ a }}',
      '{{b.c_1}}',
      '{{ D.a.b }}',
      '{{a.size}}',
      '{{ nil }}',
      '<a href="{{ a }}">',
      '<a href={{ a }}>',
      '<script>{{ b.c_1 }}</script>',
      '<!-- {{ a }} -->',
    ),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((path) => `{{ ${path.join('.')} }}`),
  )
  const format = fc.constantFrom<Format>('text', 'html')
  const numRuns = rounds({ quick: 500, full: 3_000 })
  let rendered = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.dictionary(word, tree), format, (pieces, given, format) => {
      const source = pieces.join('')
      const scope = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
      const plain = renderPlain(source, scope, format)
      if (plain === null) return
      rendered += 1
      expect(plain).toBe(viaLiquid(source, scope, format))
    }),
    { numRuns },
  )
  expect(rendered).toBeGreaterThan(numRuns / 10)
})
