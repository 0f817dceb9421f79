import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test } from 'vitest'
import { type InboxOptions, inbox } from '../../packages/client/src/inbox/inbox.ts'
import { type UseInboxOptions, useInbox } from '../../packages/client/src/react/use-inbox.ts'
import { subscriberHash, TidingsError, type TidingsOptions, tidings } from '../../packages/client/src/tidings.ts'
import { wait } from '../../packages/client/src/wait.ts'
import { type HttpReceiver, startHttpReceiver } from '../peers/http-receiver.ts'

/** The options of the client: a wrong one fails before anything is sent, in words that say what to pass. */
const whole = 'Pass the whole address of your Tidings service'
const wrongUrls: [what: string, url: string | undefined, fault: string][] = [
  ['missing', undefined, 'url is missing'],
  ['empty', '', 'url is missing'],
  ['without a scheme', 'notify.example.com', 'url must begin with https:// or http://'],
  ['without a scheme, with a port', 'localhost:3000', 'url must begin with https:// or http://'],
  ['a path', '/tidings', 'url must begin with https:// or http://'],
  ['with another scheme', 'ftp://notify.example.com', 'url must begin with https:// or http://'],
  ['not an address', 'https://', 'url is not a valid address'],
  ['with a password', 'https://ada:secret-word@notify.example.com', 'url must not contain a user name or a password'],
  ['with a query', 'https://notify.example.com?a=1', 'url must not contain a query or a fragment'],
  ['with an empty query', 'https://notify.example.com/?', 'url must not contain a query or a fragment'],
  ['with a fragment', 'https://notify.example.com/#a', 'url must not contain a query or a fragment'],
]
const faultOf = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    return error instanceof TypeError ? error.message : `not a TypeError: ${error}`
  }
  return 'accepted'
}
/** Renders the hook once, as a server does. */
const render = (options: UseInboxOptions) =>
  renderToString(createElement(() => (useInbox(options).isLoading ? 'loading' : 'loaded')))
/** Passes options as JavaScript does, where no compiler checks them. */
const asJavaScript = (options: object): TidingsOptions & InboxOptions => JSON.parse(JSON.stringify(options))

describe.each(wrongUrls)('a url that is %s', (_what, url, fault) => {
  test('is refused at once', () => {
    const server = faultOf(() => tidings({ url, key: 'td_key' }))
    expect(server).toContain(`tidings: ${fault}. ${whole}`)
    const browser = faultOf(() => inbox({ url, applicationIdentifier: 'te_1', subscriberId: 'ada' }))
    expect(browser).toContain(`inbox: ${fault}. ${whole}`)
    expect(server + browser).not.toContain('secret-word')
  })
})

test('no options at all are refused with the same sentence', () => {
  expect(faultOf(() => tidings(asJavaScript({})))).toContain('tidings: url is missing')
  expect(faultOf(() => inbox(asJavaScript({})))).toContain('inbox: url is missing')
  const nothing: TidingsOptions & InboxOptions = JSON.parse('null')
  expect(faultOf(() => tidings(nothing))).toContain('tidings: url is missing')
  expect(faultOf(() => inbox(nothing))).toContain('inbox: url is missing')
})

describe('a key', () => {
  test.each([[undefined], ['']])('that is %j: the message names the usual cause', (key) => {
    const fault = faultOf(() => tidings({ url: 'https://notify.example.com', key }))
    expect(fault).toContain('tidings: key is missing. Pass an API key')
    expect(fault).toContain('Create one with `tidings keys create` (in a checkout: `npm start -- keys create`).')
    expect(fault).toContain('A variable that is not set, such as process.env.TIDINGS_KEY, gives undefined.')
  })

  test.each(['td_sécret', 'td_one td_two'])('%s cannot be one', (key) => {
    const fault = faultOf(() => tidings({ url: 'https://notify.example.com', key }))
    expect(fault).toContain('key contains a character that no API key has')
    expect(fault).not.toContain(key)
  })

  test('is needed for a hash, too', async () => {
    await expect(subscriberHash(undefined, 'ada')).rejects.toThrow('subscriberHash: key is missing')
  })
})

test.each([
  [{ subscriberId: 'ada' }, 'inbox: applicationIdentifier is missing'],
  [{ applicationIdentifier: 'te_1' }, 'inbox: subscriberId is missing'],
  [{ applicationIdentifier: 'te_1', subscriberId: 7 }, 'inbox: subscriberId must be a string'],
  [{ applicationIdentifier: 'te_1', subscriber: {} }, 'inbox: subscriberId is missing'],
  [{ token: '' }, 'inbox: token is missing'],
])('an inbox of nobody is refused: %j', (owner, fault) => {
  expect(faultOf(() => inbox(asJavaScript({ url: 'https://notify.example.com', ...owner })))).toContain(fault)
})

describe('limits', () => {
  const url = 'https://notify.example.com'
  test.each([
    ['attempts', 0],
    ['attempts', -1],
    ['attempts', Number.NaN],
    ['timeoutMs', 0],
    ['timeoutMs', Number.NaN],
    ['deadlineMs', -5],
    ['deadlineMs', 0],
  ])('retry.%s cannot be %s', (name, value) => {
    const fault = `retry.${name} must be a number of at least 1`
    const retry = { [name]: value }
    expect(faultOf(() => tidings({ url, key: 'k', retry }))).toContain(`tidings: ${fault}`)
    expect(faultOf(() => inbox({ url, token: 't', retry }))).toContain(`inbox: ${fault}`)
    expect(faultOf(() => render({ url, token: 't', retry }))).toContain(`useInbox: ${fault}`)
  })

  test.each(['tries', 'timeoutMs', 'withinMs'])('a limit under its old name patience.%s is checked, too', (name) => {
    const patience = { [name]: Number.NaN }
    const fault = `patience.${name} must be a number of at least 1`
    expect(faultOf(() => tidings({ url, key: 'k', patience }))).toContain(`tidings: ${fault}`)
    expect(faultOf(() => render({ url, token: 't', patience }))).toContain(`useInbox: ${fault}`)
  })

  test.each([0, -1, Number.NaN])('neither silenceMs nor pageSize can be %s', (value) => {
    const fault = 'must be a number of at least 1'
    expect(faultOf(() => inbox({ url, token: 't', silenceMs: value }))).toContain(`inbox: silenceMs ${fault}`)
    expect(faultOf(() => render({ url, token: 't', silenceMs: value }))).toContain(`useInbox: silenceMs ${fault}`)
    expect(faultOf(() => render({ url, token: 't', pageSize: value }))).toContain(`useInbox: pageSize ${fault}`)
  })

  test.each([Number.POSITIVE_INFINITY, 10.5, 2 ** 40])('%s is a limit of the hook, too', (value) => {
    const retry = { attempts: value, timeoutMs: value, deadlineMs: value }
    expect(render({ url, token: 't', retry, silenceMs: value, pageSize: value })).toBe('loading')
  })

  test('a wait that is longer than a timer can count does not end at once', async () => {
    await expect(wait(9_999_999_999, AbortSignal.timeout(100))).rejects.toThrow(/timeout/)
  })
})

describe('what is accepted', () => {
  let peer: HttpReceiver
  afterEach(() => peer.close())

  test('spaces around the address and the key, a path, and slashes at the end do no harm', async () => {
    peer = await startHttpReceiver()
    peer.answer = { json: { data: {} } }
    await tidings({ url: ` ${peer.url}/notify// `, key: ' td_key\n' }).environment()
    expect(peer.requests).toMatchObject([
      { url: '/notify/v1/environment', headers: { authorization: 'ApiKey td_key' } },
    ])
  })

  test.each([
    ['retry', { retry: { attempts: 2 } }, 2],
    ['patience, its old name', { patience: { tries: 3 } }, 3],
    ['retry before patience', { retry: { attempts: 1 }, patience: { tries: 3 } }, 1],
  ])('%s limits the attempts', async (_what, options, attempts) => {
    peer = await startHttpReceiver()
    peer.answer = { status: 503, headers: { 'retry-after': '0' } }
    await expect(tidings({ url: peer.url, key: 'k', ...options }).environment()).rejects.toThrow(TidingsError)
    expect(peer.requests).toHaveLength(attempts)
    await expect(inbox({ url: peer.url, token: 't', ...options }).list()).rejects.toThrow(TidingsError)
    expect(peer.requests).toHaveLength(2 * attempts)
  })

  test.each([
    ['a fraction', { timeoutMs: 1_500.5, deadlineMs: 2_000.5 }],
    ['no limit', { timeoutMs: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY }],
    ['more than a timer can count', { timeoutMs: 9_999_999_999, deadlineMs: 9_999_999_999 }],
  ])('%s is a limit', async (_what, retry) => {
    peer = await startHttpReceiver()
    peer.answer = { json: { data: { name: 'Development' } }, delayMs: 50 }
    expect(await tidings({ url: peer.url, key: 'k', retry }).environment()).toEqual({ name: 'Development' })
  })

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 9_999_999_999])(
    'a silence of %s ms does not end at once',
    async (silenceMs) => {
      peer = await startHttpReceiver()
      peer.answer = 'hang'
      const lost: unknown[] = []
      const stop = inbox({ url: peer.url, token: 't', silenceMs }).listen({ disconnected: (error) => lost.push(error) })
      await wait(300)
      stop()
      expect(lost).toEqual([])
    },
  )

  test('the whole time includes opening the session of an inbox', async () => {
    peer = await startHttpReceiver()
    peer.answer = 'hang'
    const owner = { applicationIdentifier: 'te_1', subscriberId: 'ada' }
    const mine = inbox({ url: peer.url, ...owner, retry: { deadlineMs: 300 } })
    const startedAt = performance.now()
    await expect(mine.list()).rejects.toThrow(/no answer from/)
    await expect(mine.session()).rejects.toThrow(/no answer from/)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    // The second call may still join the opening of the first.
    expect(new Set(peer.requests.map(({ url }) => url))).toEqual(new Set(['/v1/inbox/session']))
  })

  test.each([
    ['retry', { retry: { timeoutMs: 60_000, deadlineMs: 300 } }],
    ['patience, its old name', { patience: { timeoutMs: 60_000, withinMs: 300 } }],
    ['the time of one attempt', { retry: { timeoutMs: 300, attempts: 1 } }],
    ['the old time of one attempt', { patience: { timeoutMs: 300, tries: 1 } }],
  ])('%s limits the time', async (_what, options) => {
    peer = await startHttpReceiver()
    peer.answer = 'hang'
    const call = tidings({ url: peer.url, key: 'k', ...options }).environment()
    await expect(call).rejects.toThrow(/no answer from .* within (300|29\d) ms/)
  })
})
