import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { nothing, person, type Replay, startReplay } from '../../../test/import/recorded.ts'

/** The command as a process of its own, ended in the middle. */
const h = useHarness()
const clear: (() => unknown)[] = []
afterEach(async () => {
  for (const it of clear.splice(0)) await it()
})

type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

function start(from: Replay, to: Client, folder: string): Running {
  const places = ['--url', from.url, '--to', h.url, '--state', folder, '--only', 'subscribers,topics']
  const main = join(import.meta.dirname, '../../main.ts')
  const child = spawn(process.execPath, [main, 'import', '--from-novu', ...places], {
    env: { ...process.env, IMPORT_KEY: 'old-key', TIDINGS_API_KEY: to.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit').then(([code]) => code)
  return { child, output: () => output, ended }
}

/** The source answers the fifth page of people only when `onMiddle` has been called, and is told which pages were asked for. */
async function startSource(onMiddle: () => unknown): Promise<Replay> {
  const subscribers = Array.from({ length: 900 }, (_, n) => person(`s${n}`))
  let pages = 0
  const from = await startReplay(
    { ...nothing, subscribers, topics: [{ _id: 'a', key: 'news' }] },
    {
      before(path) {
        if (path === '/v2/subscribers' && ++pages === 8) onMiddle()
        return undefined
      },
    },
  )
  clear.push(from.close)
  return from
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-killed-'))
  clear.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const lists = (from: Replay) => from.calls.filter((it) => it.startsWith('/v2/subscribers?'))

test.each(['SIGKILL', 'SIGINT'] as const)(
  'ended by %s in the middle, it goes on there, and counts everything once',
  async (signal) => {
    const to = await h.environment()
    let running: Running | undefined
    const from = await startSource(() => running?.child.kill(signal))
    const folder = makeFolder()
    running = start(from, to, folder)
    const code = await running.ended
    if (signal === 'SIGINT') {
      expect([code, running.output()]).toEqual([130, expect.stringContaining('the same command continues from there')])
    }
    const before = lists(from).length
    expect(before).toBeLessThan(10)
    const again = start(from, to, folder)
    expect([await again.ended, again.output()]).toEqual([
      0,
      expect.stringContaining('Continuing where the last run ended'),
    ])
    // It began in the middle, not at the first page.
    expect(lists(from)[before]).toContain('after=')
    expect(lists(from).length - before).toBeLessThan(9)
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(900)
    const row = /^subscribers +(.*)$/m.exec(again.output())?.[1]?.split(/\s+/).map(Number) ?? []
    const [there = 0, created = 0, , unchanged = 0] = row
    // A page that was written, but not noted, is found as it is.
    expect([there, created + unchanged]).toEqual([900, 900])
    const third = start(from, to, folder)
    expect([await third.ended, third.output()]).toEqual([0, expect.stringContaining('Imported: 0 created, 0 changed.')])
  },
)
