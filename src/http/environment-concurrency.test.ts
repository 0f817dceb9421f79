import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { OutcomeUnknown } from '../store/connect/database-away.ts'
import { createEnvironmentConcurrency } from './environment-concurrency.ts'

test('an environment runs up to the limit and the rest wait in order; another environment does not wait; a failure frees its place', async () => {
  const concurrency = createEnvironmentConcurrency(2)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (environmentId: string, name: string) =>
    concurrency
      .run(environmentId, async () => {
        order.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        if (name === 'b') throw new Error('b failed')
      })
      .catch(() => order.push(`${name} failed`))
  const all = [begin('noisy', 'a'), begin('noisy', 'b'), begin('noisy', 'c'), begin('noisy', 'd')]
  all.push(begin('quiet', 'q'))
  await expect.poll(() => order).toEqual(['a', 'b', 'q'])
  ends.get('b')?.()
  await expect.poll(() => order).toEqual(['a', 'b', 'q', 'c', 'b failed'])
  ends.get('a')?.()
  await expect.poll(() => order.at(-1)).toBe('d')
  for (const end of ends.values()) end()
  await Promise.all(all)
  const [first, second] = [begin('noisy', 'e'), begin('noisy', 'f')]
  await expect.poll(() => order.slice(-2)).toEqual(['e', 'f'])
  for (const end of ends.values()) end()
  await Promise.all([first, second])
})

test('at most 500 wait; the next one is told to come again, and another environment is not', async () => {
  const concurrency = createEnvironmentConcurrency(2)
  let end = () => {}
  const gate = new Promise<void>((resolve) => {
    end = resolve
  })
  const results = Array.from({ length: 510 }, () =>
    concurrency
      .run('noisy', () => gate)
      .then(
        () => 'done',
        (error: unknown) => error,
      ),
  )
  await concurrency.run('quiet', async () => {})
  end()
  const settled = await Promise.all(results)
  expect(settled.filter((it) => it === 'done')).toHaveLength(502)
  const refused = settled.filter((it) => it instanceof ApiError)
  expect(refused).toHaveLength(8)
  expect(refused[0]).toMatchObject({ code: 'too_many_requests', details: { retryAfterSeconds: 1 } })
})

test('when the database is away, those who waited behind that request are told so at once, and who came just now is not', async () => {
  const concurrency = createEnvironmentConcurrency(1)
  const ends: ((error?: Error) => void)[] = []
  const begin = () =>
    concurrency
      .run('a', () => new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))))
      .then(
        () => 'done',
        (error: unknown) => error,
      )
  const first = begin()
  const [second, third] = [begin(), begin()]
  await sleep(1_200)
  const last = begin()
  ends[0]?.(new OutcomeUnknown('the standby does not confirm a commit'))
  expect(await first).toBeInstanceOf(OutcomeUnknown)
  for (const late of [second, third]) expect(await late).toMatchObject({ code: 'service_unavailable' })
  await expect.poll(() => ends).toHaveLength(2)
  ends[1]?.()
  expect(await last).toBe('done')
})

test('what fails for another reason is no reason to refuse those behind it', async () => {
  const concurrency = createEnvironmentConcurrency(1)
  let fail = () => {}
  const first = concurrency.run('a', () => new Promise((_, reject) => (fail = () => reject(new Error('a bug')))))
  const second = concurrency.run('a', async () => 'done')
  await sleep(1_200)
  fail()
  await expect(first).rejects.toThrow('a bug')
  expect(await second).toBe('done')
})

test('who stands aside leaves the place to others, and waits for one again', async () => {
  const concurrency = createEnvironmentConcurrency(1)
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const waits = concurrency.run('a', async (aside) => {
    await aside(() => gate.promise)
    order.push('waited')
  })
  await concurrency.run('a', async () => order.push('meanwhile'))
  const last = concurrency.run('a', async () => {
    gate.resolve()
    await sleep(20)
    order.push('last')
  })
  await Promise.all([waits, last])
  expect(order).toEqual(['meanwhile', 'last', 'waited'])
  const failed = concurrency.run('a', (aside) => aside(() => Promise.reject(new Error('gone')))).catch(() => 'failed')
  expect(await failed).toBe('failed')
  expect(await concurrency.run('a', async () => 'free')).toBe('free')
})
