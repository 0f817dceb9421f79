import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'
import { emailStep, makeIntegration } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import type { Callback } from '../../providers/inbound.ts'
import type { Env } from '../../store/database.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { applyCallbacks } from './apply-callbacks.ts'

const h = useHarness({}, { worker: true })
let client: Client
let env: Env
let row: IntegrationRow
let unused: { id: string; notification_id: string; address: string }[] = []

beforeAll(async () => {
  client = await h.environment()
  env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  await makeWorkflow(client, 'hello', { steps: [emailStep] })
  await makeIntegration(client, { providerId: 'platform-email', channel: 'email' })
  const to = Array.from({ length: 25 }, (_, n) => ({ subscriberId: `p${n}`, email: `p${n}@example.org` }))
  await trigger(client, { to })
  await h.settled()
  const { _id } = await makeSendgrid(client)
  const found = await h.ctx.database.read(env, (db) => findIntegration(db, env, _id))
  if (!found) throw new Error('no integration')
  row = found
  const messages = await sql<(typeof unused)[number]>`update message set integration_id = ${row.id},
      provider_id = 'sendgrid', external_id = 'ext-' || id
    where environment_id = ${env.environmentId} returning id, notification_id, address`.execute(h.admin)
  unused = messages.rows
})

type Told = Omit<Callback, 'externalId' | 'messageId'>

/** A message that SendGrid took; what is told of it; what is known of it then. */
function take() {
  const message = unused.pop()
  if (!message) throw new Error('no message is left')
  const about = { externalId: `ext-${message.id}` }
  const apply = (callbacks: Callback[]) =>
    h.ctx.database.write(env, (db) => applyCallbacks(h.ctx, db, env, row, callbacks))
  const tell = (...told: Told[]) => apply(told.map((it) => ({ ...it, ...about })))
  const lines = async (): Promise<Json[]> => {
    const { body } = await client.get(`/v1/notifications/${message.notification_id}`)
    return body.jobs[0].executionDetails.filter((line: Json) => line.source === 'Webhook')
  }
  const words = async () => (await lines()).map((line) => line.detail)
  const state = async () => {
    const { rows } = await sql<Json>`select status, feedback, delivered_at is not null as delivered, reports
      from message where id = ${message.id}`.execute(h.admin)
    return rows[0]
  }
  return { ...message, apply, tell, lines, words, state }
}

async function suppressed(address: string): Promise<string[]> {
  const { rows } = await sql<{ reason: string }>`select reason from suppression
    where environment_id = ${env.environmentId} and address = ${address}`.execute(h.admin)
  return rows.map(({ reason }) => reason)
}

const arrived = { status: 'sent', feedback: 'delivered', delivered: true }

describe('opened and clicked', () => {
  test('opened says that it arrived, if nobody said so before', async () => {
    const it = take()
    await it.tell({ kind: 'opened' })
    expect(await it.state()).toEqual({ ...arrived, reports: ['opened'] })
    expect(await it.words()).toEqual(['Message delivered', 'Message opened'])
    expect(await it.lines()).toMatchObject([
      { status: 'Success', providerId: 'sendgrid' },
      { status: 'ReadConfirmation', providerId: 'sendgrid' },
    ])
    // What comes late tells nothing new.
    await it.tell({ kind: 'delivered' })
    expect(await it.words()).toHaveLength(2)
  })

  test('however often, within one call and over many: each is told once', async () => {
    const it = take()
    await it.tell({ kind: 'delivered' })
    for (let n = 0; n < 3; n++) await it.tell({ kind: 'clicked' }, { kind: 'opened' }, { kind: 'clicked' })
    expect(await it.words()).toEqual(['Message delivered', 'Link clicked', 'Message opened'])
    expect(await it.state()).toEqual({ ...arrived, reports: ['clicked', 'opened'] })
  })

  test('at the same time, on several connections: each is told once', async () => {
    const it = take()
    await Promise.all(
      Array.from({ length: 6 }, () => it.tell({ kind: 'opened' }, { kind: 'other', name: 'processed' })),
    )
    expect((await it.words()).toSorted()).toEqual([
      'Message delivered',
      'Message opened',
      'The provider reports: processed',
    ])
  })

  test('do not take a bounce or a complaint back', async () => {
    const it = take()
    await it.tell({ kind: 'bounced', reason: '550 no such user' })
    await it.tell({ kind: 'opened' }, { kind: 'clicked' })
    expect(await it.state()).toMatchObject({ status: 'error', feedback: 'bounced' })
    await it.tell({ kind: 'complained' })
    await it.tell({ kind: 'opened' })
    expect(await it.state()).toMatchObject({ status: 'warning', feedback: 'complained' })
    expect(await it.words()).toEqual(['Message bounced', 'Message opened', 'Link clicked', 'Recipient complained'])
  })

  test('with a bounce in one call: the bounce counts, and that it arrived somewhere is kept', async () => {
    const it = take()
    await it.tell({ kind: 'opened' }, { kind: 'bounced' })
    expect(await it.state()).toEqual({ status: 'error', feedback: 'bounced', delivered: true, reports: ['opened'] })
    expect(await suppressed(it.address)).toEqual([])
  })
})

describe('unsubscribed', () => {
  test('puts the address on the suppression list and says that the message arrived', async () => {
    const it = take()
    await it.tell({ kind: 'unsubscribed' })
    await it.tell({ kind: 'unsubscribed' })
    expect(await suppressed(it.address)).toEqual(['unsubscribed'])
    expect(await it.state()).toEqual({ ...arrived, reports: ['unsubscribed'] })
    expect(await it.words()).toEqual(['Message delivered', 'Recipient unsubscribed'])
  })

  test('counts for the address that the vendor names', async () => {
    const it = take()
    await it.tell({ kind: 'unsubscribed', address: 'Copy@Example.org' })
    expect(await suppressed('copy@example.org')).toEqual(['unsubscribed'])
    expect(await suppressed(it.address)).toEqual([])
  })

  test('on the list for another reason already: the first one stays', async () => {
    const it = take()
    await it.tell({ kind: 'bounced', permanent: true })
    await it.tell({ kind: 'unsubscribed' })
    expect(await suppressed(it.address)).toEqual(['bounced'])
  })
})

describe('a bounce', () => {
  test('puts the address on the list only if it is for good', async () => {
    const [passing, lasting] = [take(), take()]
    await passing.tell({ kind: 'bounced', permanent: false, reason: '452 mailbox full' })
    await lasting.tell({ kind: 'bounced', permanent: true, reason: '550 no such user' })
    expect([await suppressed(passing.address), await suppressed(lasting.address)]).toEqual([[], ['bounced']])
    expect((await passing.lines())[0]).toMatchObject({ status: 'Failed', detail: 'Message bounced' })
  })
})

describe('another event', () => {
  test('is kept under its own word, once, and moves nothing', async () => {
    const it = take()
    await it.tell({ kind: 'other', name: 'deferred', reason: '421 try later' }, { kind: 'other', name: 'processed' })
    await it.tell({ kind: 'other', name: 'deferred', reason: '421 still busy' })
    expect(await it.words()).toEqual(['The provider reports: deferred', 'The provider reports: processed'])
    expect((await it.lines())[0]).toMatchObject({ status: 'Pending', raw: '421 try later' })
    expect(await it.state()).toEqual({
      status: 'sent',
      feedback: null,
      delivered: false,
      reports: ['deferred', 'processed'],
    })
    expect(await suppressed(it.address)).toEqual([])
  })

  test('at most twenty words are kept, the first ones, from one call or from many', async () => {
    const [inOne, inMany] = [take(), take()]
    const all = Array.from({ length: 50 }, (_, n) => ({ kind: 'other' as const, name: `word${n}` }))
    await inOne.tell(...all)
    for (const told of all) await inMany.tell(told)
    const firsts = Array.from({ length: 20 }, (_, n) => `The provider reports: word${n}`)
    expect(await inOne.words()).toEqual(firsts)
    expect(await inMany.words()).toEqual(firsts)
    // The state still moves.
    await inOne.tell({ kind: 'opened' })
    expect(await inOne.state()).toMatchObject(arrived)
    expect(await inOne.words()).toEqual([...firsts, 'Message delivered'])
  })

  test('its word may be anything', async () => {
    const it = take()
    const names = ['no\0\ud800 word', 'x'.repeat(10_000), '']
    for (const name of names) await it.tell({ kind: 'other', name })
    await it.tell({ kind: 'other' })
    expect(await it.words()).toEqual([
      'The provider reports: no � word',
      `The provider reports: ${'x'.repeat(60)}`,
      'The provider reports: something',
    ])
  })
})

describe('which message it is about', () => {
  test('each event comes back with the message it tells of, in the order they came', async () => {
    const [one, other] = [take(), take()]
    const callbacks: Callback[] = [
      { kind: 'delivered', externalId: `ext-${other.id}` },
      { kind: 'delivered', externalId: 'nothing of ours' },
      { kind: 'opened', messageId: one.id.toUpperCase() },
      { kind: 'delivered' },
    ]
    const applied = await one.apply(callbacks)
    expect(applied.map(({ messageId }) => messageId)).toEqual([other.id, null, one.id, null])
    expect(applied.map(({ callback }) => callback)).toEqual(callbacks)
  })

  test('the id of another integration is not known here, and its message stays as it was', async () => {
    const it = take()
    const { _id } = await makeSendgrid(client)
    const found = await h.ctx.database.read(env, (db) => findIntegration(db, env, _id))
    if (!found) throw new Error('no integration')
    const callbacks: Callback[] = [{ kind: 'bounced', externalId: `ext-${it.id}`, permanent: true }]
    await h.ctx.database.write(env, (db) => applyCallbacks(h.ctx, db, env, found, callbacks))
    expect(await it.state()).toMatchObject({ status: 'sent', feedback: null })
    expect(await suppressed(it.address)).toEqual([])
  })
})

describe('a vendor that did not send it last', () => {
  test('has no say in a message that never went to it', async () => {
    const it = take()
    await sql`update message set integration_id = null where id = ${it.id}`.execute(h.admin)
    await it.apply([{ kind: 'bounced', permanent: true, messageId: it.id }])
    expect(await it.state()).toMatchObject({ status: 'sent', feedback: null })
    expect(await suppressed(it.address)).toEqual([])
  })

  test('does not end what another took over: its bounce is kept as a word, and judges the address', async () => {
    const it = take()
    await sql`update message set integration_id = null where id = ${it.id}`.execute(h.admin)
    await sql`update attempt set integration_id = ${row.id} where message_id = ${it.id}`.execute(h.admin)
    await it.apply([{ kind: 'bounced', permanent: true, messageId: it.id }])
    expect(await it.state()).toMatchObject({ status: 'sent', feedback: null, reports: ['bounced'] })
    expect(await suppressed(it.address)).toEqual(['bounced'])
    await it.apply([{ kind: 'delivered', messageId: it.id }])
    expect(await it.state()).toMatchObject({ feedback: 'delivered' })
  })

  test('an address that cannot be read suppresses nobody', async () => {
    const it = take()
    await it.tell({ kind: 'bounced', permanent: true, address: 'Bob <bob@example.org>' })
    expect(await it.state()).toMatchObject({ feedback: 'bounced' })
    expect(await suppressed(it.address)).toEqual([])
  })
})
