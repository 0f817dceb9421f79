import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Inbox, inbox } from '../../packages/client/src/inbox/inbox.ts'
import { tidings } from '../../packages/client/src/tidings.ts'
import { type HttpReceiver, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'

/** Which calls the client repeats, and which it does not. */
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const run of cleanUps.splice(0).reverse()) await run()
})

/** Starts a server that gives these answers one after the other, and the last one from then on. */
async function serve(...answers: Scripted[]): Promise<HttpReceiver> {
  const peer = await startHttpReceiver()
  cleanUps.push(peer.close)
  peer.answer = () => answers[Math.min(peer.requests.length, answers.length) - 1] ?? {}
  return peer
}
const done: Scripted = { status: 204 }
const retry = { timeoutMs: 1_500 }

describe('changes of all notifications of an inbox', () => {
  const changes: [name: string, change: (mine: Inbox) => Promise<void>][] = [
    ['deleteAll', (mine) => mine.deleteAll()],
    ['archiveAll', (mine) => mine.archiveAll()],
    ['archiveRead', (mine) => mine.archiveRead()],
    ['readAll', (mine) => mine.readAll()],
    ['seen by filter', (mine) => mine.seen()],
  ]

  describe.each(changes)('%s', (_name, change) => {
    const unclear: Scripted = { status: 503, headers: { 'retry-after': '0' }, json: { code: 'outcome_unknown' } }
    test.each<Scripted>(['accept then reset', 'hang', { status: 502 }, { status: 504 }, unclear])(
      'is not repeated after %j, because notifications may have arrived since',
      async (fault) => {
        const peer = await serve(fault, done)
        const failed = change(inbox({ url: peer.url, token: 't', retry }))
        await expect(failed).rejects.toMatchObject({ name: 'TidingsError' })
        expect(peer.requests).toHaveLength(1)
      },
    )

    test.each([408, 429, 503])('is repeated after %i, because nothing was done', async (status) => {
      const peer = await serve({ status, headers: { 'retry-after': '0' } }, done)
      await change(inbox({ url: peer.url, token: 't', retry }))
      expect(peer.requests).toHaveLength(2)
    })
  })

  test.each<[name: string, call: (mine: Inbox) => Promise<unknown>]>([
    ['a list', (mine) => mine.list()],
    ['a change of one notification', (mine) => mine.read('a')],
    ['seen by ids', (mine) => mine.seen({ ids: ['a'] })],
  ])('%s is repeated after no answer', async (_name, call) => {
    const peer = await serve('accept then reset', { json: { data: [] } })
    await call(inbox({ url: peer.url, token: 't', retry }))
    expect(peer.requests).toHaveLength(2)
  })
})

describe('a redirect in a browser, which hides its status', () => {
  function redirectAll() {
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      const reply = Response.error()
      return Object.defineProperty(reply, 'type', { value: 'opaqueredirect' })
    })
    cleanUps.push(() => fetching.mockRestore())
    return fetching
  }
  const url = 'https://notify.example.com'
  const redirected = { status: 0, code: 'redirected', message: expect.stringContaining('redirects to another address') }

  test('is not repeated', async () => {
    const fetching = redirectAll()
    await expect(tidings({ url, key: 'k' }).environment()).rejects.toMatchObject(redirected)
    await expect(inbox({ url, token: 't' }).list()).rejects.toMatchObject(redirected)
    expect(fetching).toHaveBeenCalledTimes(2)
  })

  test('ends a live connection for good', async () => {
    const fetching = redirectAll()
    const ended = await new Promise((resolve) => {
      cleanUps.push(
        inbox({ url, token: 't' }).listen({ disconnected: (error, { isFinal }) => resolve({ error, isFinal }) }),
      )
    })
    expect(ended).toMatchObject({ isFinal: true, error: redirected })
    // This is longer than the longest first wait.
    await sleep(2_500)
    expect(fetching).toHaveBeenCalledTimes(1)
  })
})

test('a live connection does not follow a redirect', async () => {
  const elsewhere = await serve({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' })
  const peer = await serve({ status: 307, headers: { location: `${elsewhere.url}/v1/inbox/stream?a=1` } })
  const ended = await new Promise((resolve) => {
    cleanUps.push(
      inbox({ url: peer.url, token: 't' }).listen({
        connected: () => resolve('connected'),
        disconnected: (error, { isFinal }) => resolve({ error, isFinal }),
      }),
    )
  })
  expect(ended).toMatchObject({ isFinal: true, error: { status: 307, code: 'redirected' } })
  expect([peer.requests.length, elsewhere.requests.length]).toEqual([1, 0])
})

test('every change takes an idempotency key', async () => {
  const peer = await serve({ json: { data: [] } })
  const { cancel, integrations, messages, subscribers, topics, workflows } = tidings({ url: peer.url, key: 'k' })
  const options = { idempotencyKey: 'order-17' }
  const steps = [{ name: 'Mail', type: 'email' as const, controlValues: { subject: 'x', body: 'x' } }]
  await cancel('t', options)
  await subscribers.create({ subscriberId: 'ada' }, {}, options)
  await subscribers.update('ada', {}, options)
  await subscribers.delete('ada', options)
  await subscribers.setPreferences('ada', {}, options)
  await subscribers.setCredentials('ada', { providerId: 'slack', credentials: {} }, options)
  await topics.create({ key: 'news' }, {}, options)
  await topics.update('news', {}, options)
  await topics.delete('news', options)
  await topics.subscribe('news', ['ada'], options)
  await topics.unsubscribe('news', ['ada'], options)
  await workflows.update('mail', {}, options)
  await workflows.replace('mail', { name: 'Mail', steps }, options)
  await workflows.delete('mail', options)
  await integrations.update('i', {}, options)
  await integrations.delete('i', options)
  await integrations.setPrimary('i', options)
  await integrations.test('i', { to: 'ada@example.com' }, options)
  await messages.delete('m', options)
  expect(peer.requests).toHaveLength(19)
  expect(new Set(peer.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['order-17']))
})
