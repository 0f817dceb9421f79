// A tenant's own server, with the published framework and its express adapter: one workflow with a step of every type.
// Settings: NOVU_SECRET_KEY, PORT, and SEEN, a file to which every step that was really run is added as a line.
import { appendFileSync } from 'node:fs'
import { workflow } from '@novu/framework'
import { serve } from '@novu/framework/express'
import express from 'express'

const note = (stepId, { subscriberId }) => appendFileSync(process.env.SEEN, `${subscriberId} ${stepId}\n`)

const everything = workflow(
  'everything',
  async ({ step, payload, subscriber, env }) => {
    const said = (stepId, outputs) => async () => {
      note(stepId, subscriber)
      return outputs
    }
    await step.throttle('guard', said('guard', { type: 'fixed', amount: 1, unit: 'hours', threshold: 50 }))
    const info = await step.custom(
      'info',
      async () => {
        note('info', subscriber)
        return { number: payload.number, line: `${subscriber.firstName} in ${env.name}` }
      },
      {
        outputSchema: {
          type: 'object',
          properties: { number: { type: 'number' }, line: { type: 'string' } },
          required: ['number', 'line'],
          additionalProperties: false,
        },
      },
    )
    const inbox = await step.inApp('inbox', async () => {
      note('inbox', subscriber)
      return {
        subject: `Number ${info.number}`,
        body: `{{not a template}} ${info.line}`,
        avatar: 'https://example.com/a.png',
        redirect: { url: 'https://example.com/orders', target: '_blank' },
        primaryAction: { label: 'Open', redirect: { url: 'https://example.com/open' } },
        data: { number: String(info.number) },
      }
    })
    const digest = await step.digest(
      'gather',
      said('gather', { amount: payload.seconds, unit: 'seconds', digestKey: 'payload.group' }),
    )
    const pause = await step.delay('pause', said('pause', { type: 'regular', amount: 1, unit: 'seconds' }))
    await step.email(
      'mail',
      async () => {
        note('mail', subscriber)
        return {
          subject: `${digest.events.length} of ${digest.eventCount}, read: ${inbox.read}`,
          body: `<p>${digest.events.map((it) => it.payload.number).join()} after ${pause.duration >= 900}</p>`,
          from: { email: 'code@example.com', name: 'Code' },
          replyTo: 'reply@example.com',
          preheader: 'Before it',
        }
      },
      { providers: { sendgrid: () => ({ _passthrough: { body: { ip_pool_name: 'code' } } }) } },
    )
    await step.sms('text', said('text', { body: `Text for ${subscriber.firstName}` }))
    await step.push('ping', said('ping', { subject: 'Ping', body: 'Pong' }))
    await step.chat('talk', said('talk', { body: 'Talk' }))
    await step.email('left-out', said('left-out', { subject: 'Never', body: 'Never' }), { skip: () => true })
    if (!payload.quiet) await step.inApp('extra', said('extra', { body: 'Extra' }))
  },
  {
    name: 'Everything',
    description: 'A step of every type',
    tags: ['code'],
    severity: 'high',
    payloadSchema: {
      type: 'object',
      properties: {
        number: { type: 'number' },
        seconds: { type: 'number', default: 1 },
        group: { type: 'string' },
        quiet: { type: 'boolean' },
      },
      required: ['number', 'seconds'],
      additionalProperties: false,
    },
  },
)

const hello = workflow('hello-code', async ({ step, subscriber }) => {
  await step.inApp('inbox', async () => {
    note('hello', subscriber)
    return { body: `Hello ${subscriber.subscriberId}` }
  })
})

const app = express()
app.use(express.json({ limit: '5mb' }))
app.use('/api/novu', serve({ workflows: [everything, hello] }))
app.listen(Number(process.env.PORT), '127.0.0.1', function () {
  console.log(`listening at ${this.address().port}`)
})
