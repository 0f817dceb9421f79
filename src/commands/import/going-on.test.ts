import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { person } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

/** Where an import goes on, and where it must not. */
const h = useHarness()
const { replay, makeFolder, run } = useImports(() => h.url)

const many = (count: number) => Array.from({ length: count }, (_, n) => person(`s${n}`))
const people = ['--only', 'subscribers']

/** Ctrl-C for the import alone, when the source is asked for this the nth time. */
function interruptAt(path: string, nth: number) {
  let asked = 0
  return (given: string) => {
    if (given === path && ++asked === nth) process.listeners('SIGINT').at(-1)?.('SIGINT')
    return undefined
  }
}

test('a second environment of one address gets everything, whatever was begun for the first', async () => {
  const [one, two] = [await h.environment(), await h.environment()]
  const folder = makeFolder()
  const before = interruptAt('/v2/subscribers', 8)
  const from = await replay({ subscribers: many(1_000) }, { before })
  expect((await run(from, one, ...people, '--state', folder)).code).toBe(130)
  const { text } = await run(from, two, ...people, '--state', folder)
  expect(text).not.toContain('Goes on')
  expect((await two.get('/v2/subscribers')).body.totalCount).toBe(1_000)
  expect((await run(from, one, ...people, '--state', folder)).text).toContain('Continuing where the last run ended')
  expect((await one.get('/v2/subscribers')).body.totalCount).toBe(1_000)
})

test('another key of the same environment goes on', async () => {
  const to = await h.environment()
  const folder = makeFolder()
  const from = await replay({ subscribers: many(1_000) }, { before: interruptAt('/v2/subscribers', 8) })
  await run(from, to, ...people, '--state', folder)
  const { key } = (await to.post('/v1/api-keys', { name: 'another' })).body
  expect((await run(from, { key }, ...people, '--state', folder)).text).toContain('Continuing where the last run ended')
})

test('an import that is ended in its report is over: the next one sees what changed since', async () => {
  const to = await h.environment()
  const folder = makeFolder()
  const ada = person('ada', { firstName: 'Ada' })
  const from = await replay({ subscribers: [ada] }, { before: interruptAt('/v2/subscribers/ada', 1) })
  const first = await run(from, to, ...people, '--state', folder)
  expect([first.code, first.said.at(-1)]).toEqual([
    130,
    'Interrupted during the report. Everything had been imported before.',
  ])
  ada.firstName = 'Augusta'
  const second = await run(from, to, ...people, '--state', folder)
  expect([second.code, second.said.at(-1)]).toEqual([0, 'Imported: 0 created, 1 changed.'])
  expect((await to.get('/v2/subscribers/ada')).body.firstName).toBe('Augusta')
})

describe('a file of how far it is that somebody has changed', () => {
  const damages: [string, (stored: Record<string, unknown>) => unknown][] = [
    ['without counts', (it) => ({ ...it, kinds: { subscribers: { next: null, done: true } } })],
    ['with a number for a list', (it) => ({ ...it, toComplete: 5 })],
    ['with a place that is none', (it) => JSON.parse(JSON.stringify(it).replaceAll('"after:', '"'))],
    ['with an array for kinds', (it) => ({ ...it, kinds: [] })],
    ['cut off', () => undefined],
  ]
  test.each(damages)('%s is told, and the import begins anew', async (_what, damage) => {
    const to = await h.environment()
    const folder = makeFolder()
    const from = await replay({ subscribers: many(1_000) }, { before: interruptAt('/v2/subscribers', 8) })
    await run(from, to, ...people, '--state', folder)
    const file = join(folder, readdirSync(folder).find((it) => /^import-\w+\.json$/.test(it)) ?? '')
    const text = readFileSync(file, 'utf8')
    const damaged = damage(JSON.parse(text))
    writeFileSync(file, damaged === undefined ? text.slice(0, 100) : JSON.stringify(damaged))
    const again = await run(from, to, ...people, '--state', folder)
    expect(again.text).toContain('cannot be read, so the import starts from the beginning')
    expect(again.text).toMatch(/^subscribers +1,000 /m)
  })
})
