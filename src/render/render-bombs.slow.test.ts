import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastestShare } from '../../test/fastest.ts'
import { bombs, bombPayload as payload } from '../../test/template-bombs.ts'
import type { RenderItem } from './field-plan.ts'
import { createRenderPool } from './render-pool.ts'

/** What a hostile tenant may save as a template. Nothing here may harm the process, the page's other items or others' pages. */

const pool = createRenderPool({ clock: () => new Date() })
const innocent: RenderItem = { templates: { body: 'Hi {{ name | strip }}' }, scope: { name: 'Ann' } }
const warmPage = Array.from({ length: 99 }, () => innocent)

beforeAll(async () => {
  await Promise.all([pool.render(warmPage), pool.render(warmPage)])
})
afterAll(() => pool.close())

describe.each(Object.entries(bombs))('%s', (_, source) => {
  test('fails alone, in time, while others are answered', async () => {
    const bomb = { templates: { body: source }, scope: { name: 'Ann', payload } }
    expect(await fastestShare(() => setOff(bomb))).toBeLessThan(1)
  })
})

/** The larger share of its allowed time that the bomb or its neighbours took. */
async function setOff(bomb: RenderItem): Promise<number> {
  const started = performance.now()
  const bombed = pool.render([...warmPage.slice(0, 50), bomb, ...warmPage.slice(50)])
  const other = await pool.render(warmPage)
  const otherMs = performance.now() - started
  const results = await bombed
  const elapsedMs = performance.now() - started
  expect(results[50]).toMatchObject({ ok: false, message: expect.any(String) })
  const rest = results.filter((_, place) => place !== 50)
  expect([...rest, ...other]).toEqual(Array(198).fill({ ok: true, fields: { body: 'Hi Ann' } }))
  return Math.max(otherMs / 150, elapsedMs / 300)
}

const harmless: Record<string, [source: string, text: string]> = {
  'a comment of blank lines': [`{% # a${'\n'.repeat(60_000)}# %}`, ''],
  'brackets a thousand deep': [`{{ ${'a['.repeat(1000)}1${']'.repeat(1000)} }}`, ''],
  'blocks a thousand deep': [`${'{% if true %}'.repeat(1000)}x${'{% endif %}'.repeat(1000)}`, 'x'],
  'the prototype': ['{{ payload.__proto__ }}{{ payload.__proto__.toString }}', ''],
  'the constructor': ['{{ payload.constructor }}{{ name.constructor.name }}{{ constructor }}', ''],
  'a prototype set by assign': ['{% assign __proto__ = payload %}{{ a }}{{ list }}', ''],
  'a prototype set by capture': ['{% capture "__proto__" %}x{% endcapture %}{{ polluted }}', ''],
  'a prototype counted up': ['{% increment __proto__ %}{% increment constructor %}', '00'],
  'a loop variable called __proto__': ['{% for __proto__ in (1..2) %}{{ polluted }}{% endfor %}', ''],
  "a loop's prototype": ['{% for i in (1..2) %}{{ forloop.__proto__.next }}{{ forloop.index }}{% endfor %}', '12'],
  'methods of values': ['{{ name.toUpperCase }}{{ payload.list.push }}{{ payload.hasOwnProperty }}', ''],
  'a value that looks like a template': ['{{ inner }}', '{{ name }}{% include "x" %}'],
  'an assigned value that looks like one': [
    '{% capture a %}{{ inner }}{% endcapture %}{{ a }}',
    '{{ name }}{% include "x" %}',
  ],
  'NUL and half a character': ['{{ "a\\u0000b\\ud83d" }}', 'a\ufffdb\ufffd'],
  'a huge number': ['{{ 999999999999 | times: 999999999999 | times: 999999999999 }}', '9.99999999997e+35'],
  'pretty JSON stays on one line': ['{{ payload | json: 10 }}', '{"a":1}'],
}

test.each(Object.entries(harmless))('harmless: %s', async (_, [source, text]) => {
  const scope = { name: 'Ann', inner: '{{ name }}{% include "x" %}', payload: { a: 1 } }
  const [result, after] = await pool.render([{ templates: { body: source }, scope }, innocent])
  expect(result).toEqual({ ok: true, fields: { body: text } })
  expect(after).toEqual({ ok: true, fields: { body: 'Hi Ann' } })
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('all bombs in one page, twice over, leave the memory of the process bounded', async () => {
  const page = Object.values(bombs).map((source) => ({ templates: { body: source }, scope: { payload } }))
  const before = process.memoryUsage.rss()
  const rounds = await Promise.all([1, 2].map(() => pool.render([...page, innocent])))
  expect(rounds.flat().filter(({ ok }) => ok)).toHaveLength(2)
  expect(process.memoryUsage.rss() - before).toBeLessThan(400e6)
}, 120_000)
