import { describe, expect, test, vi } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createSmtp } from '../../src/egress/smtp.ts'
import type { Http, Smtp } from '../../src/lib/outbound.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { TokenCache } from '../../src/providers/provider-tools.ts'
import { type Answer, useVendor, type Vendor } from '../vendor.ts'
import { type Changes, fullEmail, givenTo, laterTry, now, sampleFor, samples } from './provider-samples.ts'

type Expected = Partial<Outcome> & { kind: Outcome['kind'] }

/** One request: this message with these credentials is this. */
export type ProviderRequest = {
  credentials: Record<string, unknown>
  /** Over the sample message of the channel. */
  message?: Changes
  /** Calls that come before the one that sends (a token): answered by a part of their URL. */
  before?: Record<string, Answer>
  /** The request that sends, as the vendor's documentation has it. Headers: only those named are compared. */
  request: {
    method?: string
    url: string
    headers?: Record<string, string>
    json?: unknown
    form?: Record<string, string>
    body?: string
  }
  /** For bodies that are encrypted anew at each try: what the receiver reads stands for them in every row. */
  decrypt?: (body: Buffer) => string
  /** Why a field this message needs is not required: others are sent without it. */
  sendsWithLess?: string
  /** A reply by which the vendor accepts, and the id in it. */
  accepted: { reply: Answer; id?: string; receipt?: string }
}

export type ProviderTable = ProviderRequest & {
  /** How the vendor refuses a bad recipient; not in the table where another call reports it. */
  badRecipient: { reply: Answer; because?: 'gone'; reason?: string } | 'tested apart' | 'not documented'
  /** The idempotency key as this vendor gets it, where neither our id nor our key is in it. */
  key?: string
  /** Every other documented reply, and its outcome. */
  replies?: [name: string, reply: Answer, outcome: Expected][]
  /** The vendor's own meaning of 400, 429, 500 and of a body that is not what it promises, where it differs. */
  common?: Partial<Record<'400' | '401' | '429' | '500' | '503' | 'garbage', Outcome['kind']>>
  /** The address called is the recipient's own: a 401 or 429 of it is nobody else's. */
  ofTarget?: true
  /** A 429 is about this address only, although the vendor is called. */
  paces?: 'target'
  /** Of the connection check: the request, a reply that is good and one that is not. */
  check?: { url: string; good: Answer; bad?: Answer }
}

/** The table of one provider: this message is this request, this reply is this outcome; and what holds for all of them. */
export function providerTable(provider: Provider, table: ProviderTable): void {
  const vendor = useVendor(table.before ?? {}, table.decrypt)
  const trySend = (answer: Answer) => sendTo(vendor, answer, provider, table)
  describe(provider.id, () => {
    requestRows(vendor, provider, table)

    test.each(table.replies ?? [])('%s', async (_name, reply, outcome) => {
      expect(await trySend(reply)).toMatchObject(outcome)
    })

    const { badRecipient } = table
    if (typeof badRecipient === 'object') {
      test('a recipient that is none is refused', async () => {
        const { reply, ...expected } = badRecipient
        const outcome = await trySend(reply)
        expect(outcome).toMatchObject({ kind: 'rejected', ...expected })
        // Other recipients may still be reached.
        expect(outcome).not.toMatchObject({ because: 'integration' })
      })
    }

    statusRows(trySend, table)
    troubleRows(vendor, trySend, table)

    test('carries our id exactly where it says so: as a key, or to be found by', async () => {
      await trySend(table.accepted.reply)
      const { headers, body } = vendor.seen.at(-1) ?? {}
      const carries = JSON.stringify([headers, body]).includes(samples.email.id)
      expect(carries).toBe(provider.idempotencyWindowMs !== undefined || provider.traceable === true)
    })

    sameBytesRow(vendor, provider, table)
    if (provider.idempotencyWindowMs !== undefined) keyStaysRow(vendor, provider, table)

    if (provider.check && table.check) checkRow(vendor, provider, table.credentials, table.check)
  })
}

/** Another request of a provider that has its table: what else its credentials or a message may change. */
export function providerRequest(provider: Provider, expected: ProviderRequest): void {
  const vendor = useVendor(expected.before ?? {}, expected.decrypt)
  describe(provider.id, () => requestRows(vendor, provider, expected))
}

function requestRows(vendor: Vendor, provider: Provider, expected: ProviderRequest): void {
  const { request, accepted } = expected
  test('sends the request its vendor documents, and knows that it was accepted', async () => {
    const outcome = await sendTo(vendor, accepted.reply, provider, expected)
    const seen = vendor.seen.at(-1)
    expect(seen?.url).toBe(request.url)
    expect(seen?.method).toBe(request.method ?? 'POST')
    if (request.headers) expect(seen?.headers).toMatchObject(request.headers)
    if (request.json !== undefined) expect(seen?.json).toEqual(request.json)
    if (request.form) expect(Object.fromEntries(new URLSearchParams(seen?.body))).toEqual(request.form)
    if (request.body !== undefined) expect(seen?.body).toBe(request.body)
    const { id, receipt } = accepted
    expect(outcome).toEqual({ kind: 'sent', ...(id !== undefined && { id }), ...(receipt && { receipt }) })
  })
  if (!expected.sendsWithLess) acceptedRow(vendor, provider, expected)
}

/** An integration that may be active can send: what it cannot do without is asked for when it is saved. */
function acceptedRow(vendor: Vendor, provider: Provider, expected: ProviderRequest): void {
  const optional = Object.entries(provider.credentials).flatMap(([name, { required }]) => (required ? [] : [name]))
  const without = (names: string[]) =>
    Object.fromEntries(Object.entries(expected.credentials).filter(([name]) => !names.includes(name)))
  const all = [optional, ...optional.map((name) => [name])].map(without)
  const saved = all.filter((credentials) => (provider.missing?.(credentials) ?? []).length === 0)

  test('whatever credentials may be saved, it can send with them', async () => {
    for (const credentials of saved) {
      const outcome = await sendTo(vendor, expected.accepted.reply, provider, { ...expected, credentials })
      const ownRefusal = vendor.seen.length === 0 && 'because' in outcome && outcome.because === 'integration'
      expect(ownRefusal && outcome, Object.keys(credentials).join(', ')).toBe(false)
    }
  })
}

/** The outcome by status alone: an unusual body must not lose a message or send it twice. */
function statusRows(
  trySend: (answer: Answer) => Promise<Outcome>,
  { common, ofTarget, paces = ofTarget ? 'target' : undefined }: ProviderTable,
): void {
  const meaning = { '400': 'rejected', '401': 'rejected', '429': 'retry', '500': 'unknown', '503': 'retry', ...common }
  test.each(['400', '401', '429', '500', '503'] as const)('%s is what it means everywhere', async (status) => {
    const headers = status === '429' ? { 'retry-after': '7' } : {}
    const outcome = await trySend({ status: Number(status), headers, json: {} })
    expect(outcome.kind).toBe(meaning[status])
    if (status === '429' && outcome.kind === 'retry')
      expect(outcome).toMatchObject({ afterMs: 7_000, paces: paces ?? true })
    if (status === '401' && outcome.kind === 'rejected') {
      expect(outcome.because).toBe(ofTarget ? undefined : 'integration')
    }
  })
}

/** What can happen on the connection, for every vendor. */
function troubleRows(vendor: Vendor, trySend: (answer: Answer) => Promise<Outcome>, table: ProviderTable): void {
  test('no answer in time is unknown', async () => {
    expect((await trySend('hang')).kind).toBe('unknown')
  })

  test('a connection cut before the request was read is unknown, unless nothing can have left', async () => {
    const { kind } = await trySend('reset before read')
    // HTTP/2 waits for the peer's settings: cut before them, no request was written.
    expect(vendor.usesHttp2 ? ['unknown', 'retry'] : ['unknown']).toContain(kind)
    expect(vendor.seen).toEqual([])
  })

  test('a connection cut after the request was read is unknown, and it was sent once', async () => {
    expect((await trySend('accept then reset')).kind).toBe('unknown')
    expect(vendor.seen).toHaveLength(1)
  })

  test('where nobody listens nothing was sent', async () => {
    expect((await trySend('refused')).kind).toBe('retry')
  })

  test('an answer that is no answer is never a plain failure', async () => {
    // Where the vendor promises an id, a reply without one does not count as accepted.
    const usual: Outcome['kind'][] = table.accepted.id === undefined ? ['sent', 'unknown'] : ['unknown']
    const expected = table.common?.garbage ? [table.common.garbage] : usual
    expect(expected).toContain((await trySend({ status: 200, body: '\u0000<html>not what was promised' })).kind)
    expect(expected).toContain((await trySend('endless')).kind)
    if (!vendor.usesHttp2) expect((await trySend('garbage')).kind).toBe('unknown')
  })

  if (table.before) {
    test.each(['accept then reset', 'hang', 'refused'] as const)(
      'while it asks for what it needs first, trouble (%s) has sent nothing',
      async (trouble) => {
        vendor.early = trouble
        const outcome = await trySend(table.accepted.reply).finally(() => {
          vendor.early = undefined
        })
        expect(outcome.kind).toBe('retry')
        expect(vendor.seen).toEqual([])
      },
    )
  }
}

// They must tell the time of the call, or are made from it.
const timedHeaders = ['authorization', 'x-amz-date', 'x-ms-date', 'webhook-timestamp', 'webhook-signature']

/** A vendor compares them under an idempotency key, and whoever looks for a repetition can. */
function sameBytesRow(vendor: Vendor, provider: Provider, table: ProviderTable): void {
  test('a later try of the same message is the same bytes', async () => {
    const { close, compose } = createSmtp(addressGuard({ allowedRanges: [], allowedPorts: [] }))
    const send = async (at: Date, message: Changes) => {
      vi.setSystemTime(at)
      await sendTo(vendor, table.accepted.reply, provider, { ...table, message }, { compose, now: at })
      const [seen] = vendor.seen
      const headers = Object.entries(seen?.headers ?? {}).filter(([name]) => !timedHeaders.includes(name))
      return seen && { ...seen, headers: Object.fromEntries(headers) }
    }
    const full = provider.channel === 'email' ? fullEmail : {}
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      // Some take no attachments.
      const message = (await send(now, { ...full, ...table.message })) ? { ...full, ...table.message } : table.message
      const first = await send(now, message ?? {})
      expect(first?.url).toBeDefined()
      expect(await send(laterTry, message ?? {})).toEqual(first)
    } finally {
      vi.useRealTimers()
      await close()
    }
  })
}

/** Without its key a repetition is a second copy, and the record would not say so. */
function keyStaysRow(vendor: Vendor, provider: Provider, table: ProviderTable): void {
  test('whatever a trigger overrides, the key stays', async () => {
    const send = async (overrides: Record<string, unknown>) => {
      await sendTo(vendor, table.accepted.reply, provider, { ...table, message: { ...table.message, overrides } })
      return vendor.seen.at(-1)
    }
    const plain = await send({})
    const key = table.key ?? samples.email.id
    const names = Object.keys((plain?.json ?? {}) as object)
    expect(names.length).toBeGreaterThan(0)
    for (const other of ['another', { another: 'one' }, [{ another: 'one' }]]) {
      const each = names.map((name) => ({ [name]: other }))
      for (const overrides of [...each, Object.assign({}, ...each)]) {
        const seen = await send(overrides)
        expect(JSON.stringify([seen?.headers, seen?.body]), Object.keys(overrides).join()).toContain(key)
      }
    }
  })
}

function checkRow(
  vendor: Vendor,
  provider: Provider,
  credentials: object,
  { url, good, bad = { status: 401, json: { message: 'bad key' } } }: NonNullable<ProviderTable['check']>,
): void {
  const check = (answer: Answer) => {
    vendor.answer = answer
    vendor.seen.length = 0
    return provider.check?.({ ...doorsTo(vendor.http), credentials: givenTo(provider, credentials) })
  }
  test('checks its credentials', async () => {
    expect(await check(good)).toEqual({ kind: 'ok' })
    expect(vendor.seen.at(-1)?.url).toBe(url)
    expect((await check(bad))?.kind).toBe('refused')
    expect((await check('accept then reset'))?.kind).toBe('unreachable')
  })
}

async function sendTo(
  vendor: Vendor,
  answer: Answer,
  provider: Provider,
  { credentials, message }: Pick<ProviderRequest, 'credentials' | 'message'>,
  over: { compose?: Smtp['compose']; now?: Date } = {},
): Promise<Outcome> {
  vendor.answer = answer
  vendor.seen.length = 0
  const outcome = await provider.send?.({
    ...doorsTo(vendor.http, over.compose),
    ...(over.now && { now: over.now }),
    credentials: givenTo(provider, credentials),
    message: sampleFor(provider, message),
    mailbox: () => Promise.reject(new Error('this table is for HTTP')),
  })
  const first = Array.isArray(outcome) ? outcome[0] : outcome
  if (!first) throw new Error(`${provider.id} has no send`)
  return first
}

function doorsTo(http: Http, compose: Smtp['compose'] = async () => Buffer.from('mime')) {
  const refuse = () => Promise.reject(new Error('this table is for HTTP'))
  const cached: TokenCache = (_name, fetch) => fetch()
  return { http, smtp: { send: refuse, verify: refuse, compose }, cached, now }
}
