import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import grafanaOnCall from './grafana-on-call.ts'

const credentials = {
  alertUid: 'uid-of-integration',
  title: 'Title of integration',
  imageUrl: 'https://example.com/integration.png',
  state: 'alerting',
  externalLink: 'https://example.com/integration',
}

providerTable(grafanaOnCall, {
  credentials,
  ofTarget: true,
  message: { alert: { title: 'Title of subscriber', externalUrl: 'https://example.com/subscriber' } },
  request: {
    url: samples.chat.webhookUrl,
    json: {
      alert_uid: 'uid-of-integration',
      title: 'Title of subscriber',
      image_url: 'https://example.com/integration.png',
      state: 'alerting',
      link_to_upstream_details: 'https://example.com/subscriber',
      message: 'Hello Ada',
    },
  },
  accepted: { reply: { body: 'Ok.' } },
  badRecipient: {
    reply: { status: 403, json: { detail: 'Integration key was not found. Permission denied.' } },
    because: 'gone',
  },
})

test('every value of the subscriber wins', async () => {
  const alert = {
    alertUid: 'u',
    title: 't',
    imageUrl: 'https://a.example/i',
    state: 'ok',
    externalUrl: 'https://a.example',
  }
  const { requests } = await trySend(grafanaOnCall, { credentials, message: { alert }, http: () => reply(200) })
  expect(requests[0]?.json).toEqual({
    alert_uid: 'u',
    title: 't',
    image_url: 'https://a.example/i',
    state: 'ok',
    link_to_upstream_details: 'https://a.example',
    message: 'Hello Ada',
  })
})

test.each([
  ['the first line of the text', 'Disk is full\nof node 7', 'Disk is full'],
  ['cut to a length', 'x'.repeat(200), `${'x'.repeat(99)}…`],
])('without a title it is %s: OnCall would say that it is undefined', async (_name, content, title) => {
  const { requests } = await trySend(grafanaOnCall, { message: { content }, http: () => reply(200) })
  expect(requests[0]?.json).toMatchObject({ title, message: content })
})

test('without a uid the message has its own, so that a second try is the same alert', async () => {
  const { requests } = await trySend(grafanaOnCall, {
    message: { overrides: { severity: 'high' } },
    http: () => reply(200),
  })
  expect(requests[0]?.json).toMatchObject({ alert_uid: samples.chat.id, severity: 'high' })
})
