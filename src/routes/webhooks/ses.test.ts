import { beforeEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { emailSigners } from '../../../test/providers/signers/email.ts'
import type { Fault, HttpReply, HttpRequest } from '../../lib/outbound.ts'

const h = useHarness({}, { worker: true })
const ses = emailSigners.ses

/** What AWS answers: SES when a mail is sent, SNS when it is asked for its certificate. */
let sns: HttpReply | Fault | undefined
beforeEach(() => {
  sns = undefined
  const { http } = h.ctx
  const reply = (json: object): HttpReply => ({ kind: 'reply', status: 200, headers: {}, text: '', json })
  const led = async (request: HttpRequest) => {
    if (!request.url.startsWith('https://sns.')) return reply({ MessageId: '0100-ses' })
    return sns ?? (await ses?.http?.(request)) ?? reply({})
  }
  h.ctx.http = Object.assign(led, { close: http.close })
  return () => {
    h.ctx.http = http
  }
})

async function makeSent(env: Client) {
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const credentials = { apiKey: 'AKID', secretKey: 'secret', region: 'eu-central-1', from: 'team@example.com' }
  const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: ses?.signingKey }
  const { _id } = await makeIntegration(env, { providerId: 'ses', channel: 'email', credentials, configurations })
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.org' } })
  await h.settled()
  const message = async () => (await storyOf(env, transactionId)).messages[0]
  return { path: `/v1/webhooks/${_id}`, message }
}

const suppressed = async (env: Client) =>
  (await env.get('/v1/suppressions')).body.data.map((it: Json) => `${it.address} ${it.reason}`)

function tell(path: string, event: object) {
  const { body, headers } = ses?.sign({ body: JSON.stringify(event), url: h.url + path, now: new Date() }) ?? {}
  return h.send('POST', path, { raw: body ?? '', headers: { 'content-type': 'text/plain', ...headers }, key: null })
}

const complaint = (...recipients: string[]) => ({
  eventType: 'Complaint',
  mail: { messageId: '0100-ses', destination: recipients },
  complaint: { complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })) },
})

test('a call whose proof cannot be fetched is to come again, and is no fault of ours', async () => {
  const env = await h.environment()
  const it = await makeSent(env)
  sns = { kind: 'fault', sent: false, reason: 'nobody there' }
  const reply = await tell(it.path, complaint('ada@example.org'))
  expect(reply).toMatchObject({ status: 503, body: { code: 'callback_not_now' } })
  expect((await it.message()).status).toBe('sent')
  sns = undefined
  expect(await tell(it.path, complaint('ada@example.org'))).toMatchObject({ status: 200, body: { received: 1 } })
})

test('of a complaint by one of several recipients the message tells, and nobody is suppressed', async () => {
  const env = await h.environment()
  const it = await makeSent(env)
  expect(await tell(it.path, complaint('ada@example.org', 'bob@example.org'))).toMatchObject({ status: 200 })
  expect(await it.message()).toMatchObject({ status: 'warning', errorId: 'complained' })
  expect(await suppressed(env)).toEqual([])
  await tell(it.path, complaint('ada@example.org'))
  expect(await suppressed(env)).toEqual(['ada@example.org complained'])
})
