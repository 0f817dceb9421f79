import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { bestOfFive } from '../test/fastest.ts'
import { admin } from '../test/find-postgres.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const people = 100_000

beforeAll(async () => {
  await admin(world.databaseUrl, (client) =>
    client.query(`
      insert into subscriber (environment_id, id, subscriber_id, first_name, last_name, email, updated_at)
      select e.id, (substr(uuid_at(now() - (${people} - n) * interval '1 second')::text, 1, 14) || '7'
          || substr(gen_random_uuid()::text, 16))::uuid,
        'person-' || n, 'Ada', 'Number ' || n, 'ada' || n || '@example.com', now()
      from (select id from environment order by id limit 1) e, generate_series(1, ${people}) n`),
  )
})

test(
  'a list of 100,000 people scrolls: few rows are drawn, pages are read by cursor, frames stay short',
  bestOfFive,
  async () => {
    const { page } = await world.visit()
    const asked: URL[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/v2/subscribers') asked.push(url)
    })
    await page.goto(`${world.url}/subscribers`)
    await page.getByText('Number 100000').waitFor()
    const first = await scroll(page, 3_000)
    const reached = await rush(page, 8_000)
    const last = await scroll(page, 3_000)
    console.log(
      `100,000 people: ${asked.length} pages read, ${reached.toLocaleString('en')} rows reached; at the top ${tell(first)}; at the end ${tell(last)}`,
    )
    expect(Math.max(first.mostRows, last.mostRows)).toBeLessThan(80)
    expect(reached).toBeGreaterThan(500)
    const [head, ...rest] = asked
    expect(head?.searchParams.has('after')).toBe(false)
    expect(rest.every((url) => url.searchParams.has('after'))).toBe(true)
    expect(new Set(rest.map((url) => url.searchParams.get('after'))).size).toBe(rest.length)
    // A machine that others use too is slow at times; a list that draws everything would be far beyond this.
    for (const { fps, worstMs } of [first, last]) {
      expect(fps).toBeGreaterThan(20)
      expect(worstMs).toBeLessThan(500)
    }
  },
)

test('the JavaScript of the first page is under 250 KB gzip', () => {
  const dist = join(import.meta.dirname, '../dashboard/dist')
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  // What the document names, and what those files need before they run: dynamic imports are for later.
  const wanted = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  const files = new Set<string>()
  for (const path of wanted) collect(dist, path, files)
  // The overview, where everybody begins.
  const overview = /assets\/overview-[\w-]+\.js/.exec(readFileSync(join(dist, wanted[0] ?? ''), 'utf8'))?.[0]
  const shell = sizeOf(dist, files)
  if (overview) collect(dist, overview, files)
  const first = sizeOf(dist, files)
  console.log(`initial JavaScript: shell ${shell.toFixed(1)} KB gzip, with the overview ${first.toFixed(1)} KB gzip`)
  expect(overview).toBeDefined()
  expect(first).toBeLessThan(250)
})

function collect(dist: string, path: string, files: Set<string>): void {
  if (files.has(path)) return
  files.add(path)
  const text = readFileSync(join(dist, path), 'utf8')
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) collect(dist, `assets/${name}`, files)
}

function sizeOf(dist: string, files: Set<string>): number {
  return [...files].reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length, 0) / 1024
}

type Measured = { fps: number; worstMs: number; longFrames: number; mostRows: number }

const tell = ({ fps, worstMs, longFrames, mostRows }: Measured) =>
  `${fps.toFixed(0)} frames/s, ${longFrames} over 50 ms, the longest ${worstMs.toFixed(0)} ms, at most ${mostRows} rows drawn`

/** Scrolls like somebody who holds the wheel, and measures every frame. */
function scroll(page: Page, ms: number): Promise<Measured> {
  return page.evaluate(
    (duration) =>
      new Promise<Measured>((resolve) => {
        const frames: number[] = []
        let mostRows = 0
        const begun = performance.now()
        let last = begun
        const step = (now: number) => {
          frames.push(now - last)
          last = now
          mostRows = Math.max(mostRows, document.querySelectorAll('[role=row]').length)
          // Down for the first half, back up for the second.
          window.scrollBy(0, now - begun < duration / 2 ? 60 : -60)
          if (now - begun < duration) requestAnimationFrame(step)
          else {
            const [, ...counted] = frames
            resolve({
              fps: (counted.length / (now - begun)) * 1000,
              worstMs: Math.max(...counted),
              longFrames: counted.filter((frame) => frame > 50).length,
              mostRows,
            })
          }
        }
        requestAnimationFrame(step)
      }),
    ms,
  )
}

/** To the end of what is there, again and again; how many rows there are then. */
function rush(page: Page, ms: number): Promise<number> {
  return page.evaluate(async (duration) => {
    for (const until = performance.now() + duration; performance.now() < until; ) {
      window.scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    const indexes = [...document.querySelectorAll('[data-index]')].map((row) => Number(row.getAttribute('data-index')))
    return Math.max(...indexes) + 1
  }, ms)
}
