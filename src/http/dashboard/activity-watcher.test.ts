import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { makeSubscriber, makeWorkflow } from '../../../test/fixture-makers.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import type { Database, Env } from '../../store/database.ts'
import { type ActivityWatcher, createActivityWatcher } from './activity-watcher.ts'

const h = useHarness({}, { worker: true })
const askEveryMs = 20
const closing: ActivityWatcher[] = []
afterEach(() => {
  for (const watcher of closing.splice(0)) watcher.close()
})

type Options = NonNullable<Parameters<typeof createActivityWatcher>[1]>
type Listening = { stream: Readable; said(): string; changes(): string[]; over: Promise<unknown> }

/** A watcher that counts its questions to the database; `ask` may stand in for the database. */
function watching(options: Options = {}, ask: (read: () => Promise<unknown>) => Promise<unknown> = (read) => read()) {
  const asked = new Map<string, number>()
  const questions = (env: Client) => asked.get(env.environmentId) ?? 0
  const read: Database['read'] = (env, work) => {
    asked.set(env.environmentId, (asked.get(env.environmentId) ?? 0) + 1)
    return ask(() => h.ctx.database.read(env, work)) as ReturnType<typeof work>
  }
  const watcher = createActivityWatcher({ database: { ...h.ctx.database, read } }, { askEveryMs, ...options })
  closing.push(watcher)
  return {
    watcher,
    questions,
    listen: async (env: Client, given: Partial<Parameters<ActivityWatcher['listen']>[1]> = {}) =>
      hear(await watcher.listen(toEnv(env), { lastEventId: null, isAllowed: async () => true, ...given })),
    /** So many more questions for this environment: whatever one of them could bring has come. */
    async afterQuestions(env: Client, count: number): Promise<void> {
      const enough = questions(env) + count
      await expect.poll(() => questions(env), { interval: 5, timeout: 5_000 }).toBeGreaterThanOrEqual(enough)
    },
  }
}

function toEnv({ environmentId, organizationId }: Client): Env {
  return { environmentId, organizationId, keyId: '' }
}

function hear(stream: Readable): Listening {
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return {
    stream,
    said: () => text,
    changes: () => [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data).changed),
    over: once(stream, 'close'),
  }
}

async function trigger(env: Client): Promise<void> {
  const [name, to] = [await makeWorkflow(env), await makeSubscriber(env)]
  expect((await env.post('/v1/events/trigger', { name, to, payload: {} })).status).toBe(201)
  await h.drain()
}

const soon = { interval: 5, timeout: 5_000 }

describe('what is told', () => {
  test('says that something changed after a trigger, to all who listen, and is silent otherwise', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const { listen, afterQuestions } = watching()
    const streams = [await listen(env), await listen(env)]
    const quiet = await listen(other)
    await afterQuestions(env, 3)
    for (const stream of [...streams, quiet]) expect(stream.changes()).toEqual([])
    await trigger(env)
    await expect.poll(() => streams.every((stream) => stream.changes().length > 0), soon).toBe(true)
    await afterQuestions(env, 2)
    const told = streams.map((stream) => stream.changes())
    await afterQuestions(env, 3)
    await afterQuestions(other, 3)
    expect(streams.map((stream) => stream.changes())).toEqual(told)
    expect(quiet.changes()).toEqual([])
  })

  test('who comes back is told at once what was missed, and nothing when nothing was', async () => {
    const env = await h.environment()
    await trigger(env)
    const { listen, questions, afterQuestions } = watching()
    const first = await listen(env, { lastEventId: '0' })
    await expect.poll(() => first.changes().length, soon).toBe(1)
    const [cursor = ''] = first.changes()
    expect(first.said()).toContain(`id: ${cursor}\n`)
    const again = await listen(env, { lastEventId: cursor })
    expect(questions(env)).toBeGreaterThanOrEqual(2)
    await afterQuestions(env, 3)
    expect(again.changes()).toEqual([])
    expect(first.changes()).toEqual([cursor])
  })

  test('a silent stream carries a heartbeat, so that no proxy closes it', async () => {
    const { listen } = watching({ heartbeatEveryMs: 10 })
    const { said, changes } = await listen(await h.environment())
    await expect.poll(said, soon).toContain(': \n\n: \n\n')
    expect(changes()).toEqual([])
  })
})

describe('what is asked of the database', () => {
  test('many listeners are one question an interval; none, none', async () => {
    const env = await h.environment()
    const { listen, questions, afterQuestions } = watching()
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen(env)))
    const [before, begun] = [questions(env), performance.now()]
    await afterQuestions(env, 5)
    const intervals = (performance.now() - begun) / askEveryMs
    expect(questions(env) - before).toBeLessThanOrEqual(intervals + 1)
    for (const { stream } of streams) stream.destroy()
    await Promise.all(streams.map((stream) => stream.over))
    const after = questions(env)
    await someIntervals()
    expect(questions(env)).toBe(after)
  })

  /** One listener, whose first question after its start is not answered before `release`. */
  async function withSlowDatabase(env: Client) {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = watching({}, (read) => (slow.questions(env) === 2 ? held.then(read) : read()))
    const stream = await slow.listen(env)
    await expect.poll(() => slow.questions(env), soon).toBe(2)
    return { slow, stream, release }
  }

  /** Questions of another watcher show that time has passed. */
  async function someIntervals(): Promise<void> {
    const [env, clock] = [await h.environment(), watching()]
    await clock.listen(env)
    await clock.afterQuestions(env, 5)
  }

  test('a slow database is asked once at a time', async () => {
    const env = await h.environment()
    const { slow, release } = await withSlowDatabase(env)
    await someIntervals()
    expect(slow.questions(env)).toBe(2)
    release()
    await slow.afterQuestions(env, 2)
  })

  test('no question follows when the last listener leaves during one', async () => {
    const env = await h.environment()
    const { slow, stream, release } = await withSlowDatabase(env)
    stream.stream.destroy()
    await stream.over
    release()
    await someIntervals()
    expect(slow.questions(env)).toBe(2)
  })

  test('a database that is away ends no stream: what changed meanwhile is told later', async () => {
    const env = await h.environment()
    let isAway = false
    const { listen, afterQuestions } = watching({}, (read) => (isAway ? Promise.reject(new Error('away')) : read()))
    const stream = await listen(env)
    isAway = true
    await trigger(env)
    await afterQuestions(env, 2)
    expect(stream.changes()).toEqual([])
    isAway = false
    await expect.poll(() => stream.changes().length, soon).toBe(1)
  })
})

describe('when a stream ends', () => {
  test('whoever is no longer allowed is told nothing any more, and others are', async () => {
    const env = await h.environment()
    const { listen } = watching()
    let isAllowed = true
    const [refused, other] = [await listen(env, { isAllowed: async () => isAllowed }), await listen(env)]
    isAllowed = false
    await trigger(env)
    await refused.over
    expect(refused.changes()).toEqual([])
    await expect.poll(() => other.changes().length, soon).toBeGreaterThan(0)
  })

  test('also when nothing changes: a heartbeat asks too', async () => {
    const { listen } = watching({ heartbeatEveryMs: 10 })
    const stream = await listen(await h.environment(), { isAllowed: async () => false })
    await stream.over
    expect(stream.said()).toBe('retry: 2000\n\n')
  })

  test('a reader that is too slow is dropped, and the others hear on', async () => {
    const env = await h.environment()
    const { watcher, listen } = watching({ heartbeatEveryMs: 5, mostUnreadBytes: 100 })
    const idle = await watcher.listen(toEnv(env), { lastEventId: null, isAllowed: async () => true })
    const reader = await listen(env)
    await once(idle, 'close')
    const heard = reader.said().length
    await expect.poll(() => reader.said().length, soon).toBeGreaterThan(heard + 100)
  })

  test('the most listeners of one environment and no more; those who go make room', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const { listen } = watching({ mostListeners: 2 })
    const [first] = [await listen(env), await listen(env)]
    await expect(listen(env)).rejects.toMatchObject({ code: 'too_many_requests' })
    await listen(other)
    first.stream.destroy()
    await first.over
    await listen(env)
  })

  test('closing the watcher ends every stream', async () => {
    const { watcher, listen } = watching()
    const streams = [await listen(await h.environment()), await listen(await h.environment())]
    watcher.close()
    await Promise.all(streams.map((stream) => stream.over))
  })

  test('also one that opens while it closes', async () => {
    const { watcher, listen } = watching({}, async (read) => {
      const cursor = await read()
      watcher.close()
      return cursor
    })
    const late = await listen(await h.environment())
    await late.over
    expect(late.said()).toBe('retry: 2000\n\n')
  })
})
