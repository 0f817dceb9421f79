import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, smtpServer, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { cleanId } from './clean-outcome.ts'

const [first, second, mail] = [await startHttpReceiver(), await startHttpReceiver(), await startSmtpReceiver()]
const settings = { ...allowing(first.port, second.port, mail.port), PUBLIC_URL: 'https://notify.example.com' }
const h = useHarness(settings, { worker: true })

const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }

test('an e-mail goes from trigger to a real SMTP server, and every side tells the same story', async () => {
  const env = await h.environment()
  const controlValues = { ...emailStep.controlValues, replyTo: 'help@example.com', preheader: 'Peek' }
  await makeWorkflow(env, 'hello', { steps: [{ ...emailStep, controlValues }] })
  await makeIntegration(env, smtpServer(mail.port))
  const attachments = [{ name: 'bill.txt', mime: 'text/plain', file: Buffer.from('you owe us').toString('base64') }]
  const overrides = { email: { cc: 'boss@example.com', bcc: ['audit@example.com'], headers: { 'X-Team': 'blue' } } }
  const { transactionId } = await trigger(env, { to: ada, payload: { order: 42, attachments }, overrides })
  await h.settled()
  expect(mail.mails).toHaveLength(1)
  const [received] = mail.mails
  const headers = new Map(received?.headers.map(([name, value]) => [name.toLowerCase(), value]))
  expect(Object.fromEntries(headers)).toMatchObject({
    subject: 'Hello Ada',
    from: 'The Team <team@example.com>',
    to: 'ada@example.org',
    cc: 'boss@example.com',
    'reply-to': 'help@example.com',
    'x-team': 'blue',
    'list-unsubscribe': expect.stringMatching(/^<https:\/\/notify\.example\.com\/v1\/unsubscribe\/.+>$/),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'content-type': expect.stringContaining('multipart/mixed'),
  })
  expect(headers.has('bcc')).toBe(false)
  expect(received?.to.sort()).toEqual(['ada@example.org', 'audit@example.com', 'boss@example.com'])
  for (const part of ['<p>Order 42</p>', 'Peek', 'filename=bill.txt', Buffer.from('you owe us').toString('base64')]) {
    expect(received?.raw.replace(/(?<!=)=\r\n/g, '')).toContain(part)
  }
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages).toMatchObject([
    {
      status: 'sent',
      channel: 'email',
      providerId: 'nodemailer',
      email: 'ada@example.org',
      payload: { order: 42, attachments: [{ name: 'bill.txt', mime: 'text/plain', size: 10 }] },
    },
  ])
  expect(jobs).toMatchObject([{ status: 'completed', providerId: 'nodemailer' }])
  expect(jobs[0].executionDetails.map((line: { detail: string }) => line.detail)).toEqual([
    'Step queued',
    'Custom SMTP provider was selected',
    'Message created',
    'Message sent',
  ])
})

test('SMTP: refused for now, nobody has it, copies neither; a refused copy is said, and not sent again', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, smtpServer(mail.port))
  mail.mails.length = 0
  mail.unknown.set('ada@example.org', 451)
  const overrides = { email: { cc: 'boss@example.com', bcc: 'audit@example.com' } }
  const { transactionId } = await trigger(env, { to: ada, overrides })
  const tries = async () =>
    (await storyOf(env, transactionId)).jobs[0]?.executionDetails.filter((line: { raw?: string }) => line.raw).length
  await expect.poll(tries, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(mail.mails).toEqual([])
  mail.unknown.clear()
  mail.unknown.set('boss@example.com', 451)
  await h.settled()
  mail.unknown.clear()
  expect(mail.mails.map(({ to }) => to)).toEqual([['ada@example.org', 'audit@example.com']])
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages).toMatchObject([{ status: 'sent' }])
  const refused = '1 of 3 recipients refused: boss@example.com (451 scripted 451)'
  expect(jobs[0].executionDetails.at(-1)).toMatchObject({ status: 'Warning', detail: 'Message sent', raw: refused })
})

test.each([
  ['a NUL', 'a\0b'],
  ['half a character', 'a\ud800b'],
  ['no end', 'a'.repeat(50_000)],
])('an id with %s is stored as far as it can be, and nothing is sent twice', async (_name, id) => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const credentials = { apiKey: 'key-of-mailgun', domain: 'mg.example', baseUrl: first.url, from: 'team@example.com' }
  const { _id } = await makeIntegration(env, { providerId: 'mailgun', channel: 'email', credentials })
  first.requests.length = 0
  // Together, so that they are recorded in one transaction.
  first.answer = ({ body }) => ({ json: { id: body.includes('odd@example.org') ? id : 'plain' }, delayMs: 300 })
  const people = ['odd', 'bob', 'cid', 'dan'].map((name) => ({ subscriberId: name, email: `${name}@example.org` }))
  const { transactionId } = await trigger(env, { to: people })
  await h.settled()
  expect(first.requests).toHaveLength(4)
  const { messages } = await storyOf(env, transactionId)
  expect(messages.map(({ status }) => status)).toEqual(Array(4).fill('sent'))
  const { rows } = await sql<{ external_id: string }>`
    select external_id from message where integration_id = ${_id} and external_id <> 'plain'`.execute(h.admin)
  expect(rows).toEqual([{ external_id: cleanId(id) }])
  expect(rows[0]?.external_id).toHaveLength(Math.min(id.length - (id.includes('\0') ? 1 : 0), 255))
})

test('a provider that is busy is asked again, and the message is sent once', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(first.url))
  let calls = 0
  first.requests.length = 0
  first.answer = () => (++calls < 3 ? { status: 503 } : { status: 200 })
  const { transactionId } = await trigger(env, { to: ada })
  await h.settled()
  expect(new Set(first.requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages).toMatchObject([{ status: 'sent' }])
  expect(jobs[0].executionDetails.slice(3)).toMatchObject([
    { status: 'Warning', detail: expect.stringContaining('next try at'), raw: expect.stringContaining('503') },
    { status: 'Warning', isRetry: true },
    { status: 'Success', detail: 'Message sent', isRetry: true },
  ])
})

test('every try of a message is the same bytes, its unsubscribe link too', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(first.url))
  first.requests.length = 0
  first.answer = () => (first.requests.length < 2 ? 'accept then reset' : { status: 200 })
  await trigger(env, { to: ada, payload: { order: 42 } })
  await h.settled()
  const [one, other] = first.requests.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)
  expect(one).toContain('/v1/unsubscribe/')
  expect(other).toBe(one)
})

test('a refused key fails over at once to the next integration; the activity shows both', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(first.url))
  await makeIntegration(env, emailWebhook(second.url, { identifier: 'second' }))
  first.answer = { status: 401, json: { message: 'revoked' } }
  second.answer = { status: 200 }
  second.requests.length = 0
  const { transactionId } = await trigger(env, { to: ada })
  await h.settled()
  expect(second.requests).toHaveLength(1)
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages).toMatchObject([{ status: 'sent' }])
  expect(jobs[0].executionDetails.slice(3)).toMatchObject([
    { source: 'Credentials', raw: expect.stringContaining('revoked') },
    { detail: 'Message sent' },
  ])
})

test('who has no address is skipped, with a message that says so; no integration is a failure', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const none = await trigger(env, { to: ada })
  await h.settled()
  expect((await storyOf(env, none.transactionId)).jobs).toMatchObject([{ status: 'failed' }])
  await makeIntegration(env, emailWebhook(first.url))
  const { transactionId } = await trigger(env, { to: { subscriberId: 'bob' } })
  await h.settled()
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(jobs).toMatchObject([{ status: 'skipped' }])
  expect(messages).toMatchObject([{ status: 'warning', errorId: 'no_address' }])
})

test('a step after one that may stop the workflow waits for its outcome', async () => {
  const env = await h.environment()
  const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'after' } }
  await makeWorkflow(env, 'hello', { steps: [{ ...emailStep, shouldStopOnFail: true }, inbox] })
  await makeIntegration(env, emailWebhook(first.url))
  first.answer = { status: 400, json: { message: 'no' } }
  const refused = await trigger(env, { to: ada })
  await h.settled()
  expect((await storyOf(env, refused.transactionId)).jobs).toMatchObject([{ status: 'failed' }, { status: 'canceled' }])
  first.answer = { status: 200 }
  const sent = await trigger(env, { to: ada })
  await h.settled()
  const story = await storyOf(env, sent.transactionId)
  expect(story.jobs).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  expect(story.messages.map((message) => message.channel).sort()).toEqual(['email', 'in_app'])
})

test('push: the app gets the data of the step and of the overrides, never the payload', async () => {
  const env = await h.environment()
  const data = { orderId: '{{payload.orderId}}', kind: 'order', 'a.b': '{{subscriber.subscriberId}}' }
  await makeWorkflow(env, 'hello', {
    steps: [{ name: 'push', type: 'push', controlValues: { subject: 'Hi', body: 'Hi', data } }],
  })
  const credentials = { webhookUrl: first.url, secretKey: 'secret-secret' }
  await makeIntegration(env, { providerId: 'push-webhook', channel: 'push', credentials })
  await env.post('/v2/subscribers', ada)
  const tokens = { providerId: 'push-webhook', credentials: { deviceTokens: ['one'] } }
  await env.put('/v1/subscribers/ada/credentials', tokens)
  first.requests.length = 0
  first.answer = { status: 200 }
  const payload = { orderId: 42, secret: 'of nobody else' }
  await trigger(env, { to: 'ada', payload })
  await trigger(env, { to: 'ada', payload, overrides: { push: { data: { kind: 'other', more: 1 } } } })
  await h.settled()
  const sent = first.requests.map(({ body }) => JSON.parse(String(body)).data)
  const own = { orderId: '42', kind: 'order', 'a.b': 'ada' }
  expect(sent).toHaveLength(2)
  expect(sent).toEqual(expect.arrayContaining([own, { ...own, kind: 'other', more: 1 }]))
})

test('chat and push: one message for each integration that reaches the person', async () => {
  const env = await h.environment()
  const step = (type: string) => ({
    name: type,
    type,
    controlValues: { body: 'Hi', ...(type === 'push' && { subject: 'Hi' }) },
  })
  await makeWorkflow(env, 'hello', { steps: [step('chat'), step('push')] })
  const push = {
    providerId: 'push-webhook',
    channel: 'push',
    credentials: { webhookUrl: first.url, secretKey: 'secret-secret' },
  }
  await makeIntegration(env, push)
  await env.post('/v2/subscribers', ada)
  const credentials = (providerId: string, values: object) =>
    env.put('/v1/subscribers/ada/credentials', { providerId, credentials: values })
  await credentials('chat-webhook', { webhookUrl: second.url })
  await credentials('push-webhook', { deviceTokens: ['one', 'two', 'three'] })
  let calls = 0
  first.requests.length = 0
  first.answer = () => (++calls === 1 ? { status: 503 } : { status: 200 })
  second.requests.length = 0
  second.answer = { status: 200 }
  const { transactionId } = await trigger(env, { to: 'ada' })
  await h.settled()
  expect(second.requests).toHaveLength(1)
  expect(first.requests).toHaveLength(2)
  expect(new Set(first.requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
  const { messages, jobs } = await storyOf(env, transactionId)
  expect(messages.map((message) => [message.channel, message.status]).sort()).toEqual([
    ['chat', 'sent'],
    ['push', 'sent'],
  ])
  expect(jobs.map((job) => job.status)).toEqual(['completed', 'completed'])
})
