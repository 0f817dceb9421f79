import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastestShare } from '../../test/fastest.ts'
import { heaviestHtml, htmlBombs } from '../../test/html-bombs.ts'
import type { RenderItem } from './field-plan.ts'
import { htmlText, isWithinBounds } from './html-text.ts'
import { createRenderPool } from './render-pool.ts'

/** The text of e-mails is made in the same threads as everybody's templates. */

const pool = createRenderPool({ clock: () => new Date() })
const innocent: RenderItem = { templates: { body: 'Hi {{ name | strip }}' }, scope: { name: 'Ann' } }
const warmPage = Array.from({ length: 99 }, () => innocent)
const warm = () => Promise.all([pool.toText(['<p>warm']), pool.toText(['<p>warm']), pool.render(warmPage)])

beforeAll(warm)
afterAll(() => pool.close())

describe.each(Object.entries({ ...htmlBombs, ...heaviestHtml }))('%s', (_, html) => {
  test('becomes text, always the same, while the main thread and others go on', async () => {
    const texts = new Set<string | null | undefined>()
    const run = async () => {
      const { text, share } = await setOff(html)
      texts.add(text)
      return share
    }
    expect(await fastestShare(run)).toBeLessThan(1)
    expect([...texts]).toEqual([htmlText(html)])
  })
})

/** The largest share of its allowed time that the text, others' pages or the longest pause of the main thread took. */
async function setOff(html: string): Promise<{ text: string | null | undefined; share: number }> {
  const pauses = monitorEventLoopDelay({ resolution: 5 })
  pauses.enable()
  const started = performance.now()
  const bombed = pool.toText([html, '<p>Hi <b>Ann</b>', html])
  const others = await Promise.all([pool.render(warmPage), pool.toText(['<p>Hi Ann'])])
  const otherMs = performance.now() - started
  const [text, hello, again] = await bombed
  const elapsedMs = performance.now() - started
  pauses.disable()
  expect(others).toEqual([Array(99).fill({ ok: true, fields: { body: 'Hi Ann' } }), ['Hi Ann']])
  expect(hello).toBe('Hi Ann')
  expect(again).toBe(text)
  return { text, share: Math.max(pauses.max / 1e6 / 250, otherMs / 400, elapsedMs / 800) }
}

test('what the library may be given takes well under 250 ms of processor time', () => {
  for (const [name, html] of Object.entries(heaviestHtml)) {
    expect(isWithinBounds(html), name).toBe(true)
    const usedMs = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage()
      htmlText(html)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    })
    expect(Math.min(...usedMs), name).toBeLessThan(200)
  }
})

test('all bombs in one page leave the memory of the process bounded', async () => {
  const page = Object.values({ ...htmlBombs, ...heaviestHtml })
  const before = process.memoryUsage.rss()
  const texts = await Promise.all([pool.toText(page), pool.toText(page)])
  expect(texts.flat().every((text) => text !== null)).toBe(true)
  expect(process.memoryUsage.rss() - before).toBeLessThan(400e6)
})

test('a text that is not made in time is none, and the rest of its page is made', async () => {
  const hasty = createRenderPool({ clock: () => new Date(), textTimeoutMs: 0.01 })
  const [slow, ...others] = await hasty.toText([heaviestHtml['table rows'] ?? '', '<p>a', '<p>b'])
  expect(slow).toBeNull()
  // A small one may be finished before its time is checked.
  for (const text of others) expect([null, 'a', 'b']).toContain(text)
  await hasty.close()
})

test('no mails, no texts; a closed pool makes none', async () => {
  const closing = createRenderPool({ clock: () => new Date() })
  expect(await closing.toText([])).toEqual([])
  await closing.close()
  await expect(closing.toText(['<p>a'])).rejects.toThrow('the render pool is closed')
})
