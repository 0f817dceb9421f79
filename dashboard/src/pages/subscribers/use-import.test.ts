import { describe, expect, test } from 'vitest'
import { type ImportState, importAll, nextPart } from './use-import.ts'

const ready: ImportState = { status: 'ready', done: 0, total: 0, created: 0, updated: 0, failed: [], fault: null }
const people = (count: number) => Array.from({ length: count }, (_, index) => ({ subscriberId: `u${index}` }))
const failure = { subscriberId: 'u3', message: 'no' }

describe('one call', () => {
  test('takes 500 people at most', () => {
    expect(nextPart(people(1200), 0)).toHaveLength(500)
    expect(nextPart(people(1200), 1000)).toHaveLength(200)
  })

  test('stays small, but always takes somebody', () => {
    const heavy = people(3).map((one) => ({ ...one, data: 'x'.repeat(300_000) }))
    expect(nextPart(heavy, 0)).toHaveLength(1)
    expect(nextPart([{ data: 'x'.repeat(900_000) }], 0)).toHaveLength(1)
  })
})

describe('an import', () => {
  /** Runs it; `stopAfter` calls somebody stops it, and the `fails`-th call is refused. */
  async function run(state: ImportState, count: number, { stopAfter = 99, fails = 99 } = {}) {
    const states: ImportState[] = []
    let calls = 0
    await importAll(people(count), state, {
      async send(entries) {
        if (++calls === fails) throw new Error('unreachable')
        return { created: entries.slice(1), updated: entries.slice(0, 1), failed: [failure] }
      },
      isWanted: () => calls < stopAfter,
      onState: (one) => states.push(one),
    })
    return { last: states.at(-1), calls, states }
  }

  test('sends everybody once and adds up what became of them', async () => {
    const { last, calls, states } = await run(ready, 1200)
    expect(calls).toBe(3)
    expect(states[0]).toMatchObject({ status: 'running', done: 0, total: 1200 })
    expect(last).toMatchObject({ status: 'done', done: 1200, created: 1197, updated: 3, fault: null })
    expect(last?.failed).toHaveLength(3)
  })

  test('can be stopped, and goes on where it stopped', async () => {
    const { last: stopped } = await run(ready, 1200, { stopAfter: 1 })
    expect(stopped).toMatchObject({ status: 'stopped', done: 500 })
    const { last, calls } = await run(stopped ?? ready, 1200)
    expect(calls).toBe(2)
    expect(last).toMatchObject({ status: 'done', done: 1200, created: 1197 })
  })

  test('stops at a call that failed, with its fault, and can be tried again from there', async () => {
    const { last: stopped } = await run(ready, 1200, { fails: 2 })
    expect(stopped).toMatchObject({ status: 'stopped', done: 500, fault: { message: 'unreachable' } })
    expect((await run(stopped ?? ready, 1200)).last).toMatchObject({ status: 'done', done: 1200, fault: null })
  })
})
