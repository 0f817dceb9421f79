import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import msteams from './msteams.ts'

providerTable(msteams, {
  credentials: {},
  ofTarget: true,
  message: { overrides: { summary: 'Hi' } },
  request: {
    url: samples.chat.webhookUrl,
    json: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text: 'Hello Ada', wrap: true }],
          },
        },
      ],
      summary: 'Hi',
    },
  },
  accepted: { reply: { status: 202 } },
  badRecipient: {
    reply: { status: 404, json: { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } } },
    reason: '404 The workflow could not be found.',
    because: 'gone',
  },
  replies: [
    ['an older connector accepts with a 1', { status: 200, body: '1' }, { kind: 'sent' }],
    [
      'an older connector tells of a rate limit inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
      },
      { kind: 'retry', paces: 'target' },
    ],
    [
      'an older connector tells of a refusal inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x',
      },
      { kind: 'rejected' },
    ],
    [
      'an older connector tells of a failure inside a 200',
      {
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 502 with ContextId x',
      },
      { kind: 'unknown' },
    ],
    [
      'a deleted workflow may also say that it is not enabled',
      {
        status: 400,
        json: {
          error: {
            code: 'WorkflowTriggerIsNotEnabled',
            message: "Could not execute: workflow 'w' is in state 'Deleted'.",
          },
        },
      },
      { kind: 'rejected', because: 'gone' },
    ],
    ['a removed connector is gone', { status: 410, body: 'Gone' }, { kind: 'rejected', because: 'gone' }],
  ],
})

const sentFor = async (content: string) =>
  (await trySend(msteams, { message: { content }, http: () => reply(202) })).requests[0]?.json

test('a card written as JSON is wrapped, a whole message is posted as it is', async () => {
  const card = { type: 'AdaptiveCard', version: '1.5', body: [] }
  expect(await sentFor(JSON.stringify(card))).toEqual({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  })
  expect(await sentFor('{"text":"hi"}')).toEqual({ text: 'hi' })
})

test('a workflow that is switched off is not gone', async () => {
  const message = "Could not execute: workflow 'w' is in state 'Suspended'."
  const vendor = () => reply(400, { error: { code: 'WorkflowTriggerIsNotEnabled', message } })
  expect((await trySend(msteams, { http: vendor })).outcome).toEqual({ kind: 'rejected', reason: `400 ${message}` })
})

test('a text that only looks like JSON stays a text', async () => {
  expect(JSON.stringify(await sentFor('{ not json'))).toContain('"text":"{ not json"')
})
