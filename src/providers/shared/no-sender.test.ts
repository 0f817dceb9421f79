import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import type { Provider } from '../provider.ts'
import azure from '../sms/azure-sms.ts'
import bandwidth from '../sms/bandwidth.ts'
import brevo from '../sms/brevo-sms.ts'
import firetext from '../sms/firetext.ts'
import sendchamp from '../sms/sendchamp.ts'
import termii from '../sms/termii.ts'
import { noSender } from './no-sender.ts'

const { from: _sender, ...message } = samples.sms

test('a message without a sender is the integration’s fault, in words that help', () => {
  expect(noSender(message, 'sender')).toEqual({
    kind: 'rejected',
    reason: 'No sender: set `from` in the integration or overrides.sms.from',
    because: 'integration',
  })
})

test('a sender is one, and so is what the trigger gives under the vendor’s own name', () => {
  expect(noSender(samples.sms, 'sender')).toBeUndefined()
  expect(noSender({ ...message, overrides: { sender: 'Acme' } }, 'sender')).toBeUndefined()
  expect(noSender({ ...message, overrides: { other: 'Acme' } }, 'sender')).toBeDefined()
})

const accessKey = 'endpoint=https://contoso.communication.azure.com/;accesskey=c2VjcmV0LWtleQ=='

test.each<[string, Provider, object]>([
  ['Azure', azure, { accessKey }],
  ['Bandwidth', bandwidth, { user: 'u', password: 'p', accountSid: '1', applicationId: 'a' }],
  ['Brevo', brevo, { apiKey: 'k' }],
  ['FireText', firetext, { apiKey: 'k' }],
  ['Sendchamp', sendchamp, { apiKey: 'k' }],
  ['Termii', termii, { apiKey: 'k' }],
])('%s takes no message without a sender, so none is sent', async (_name, provider, credentials) => {
  const { outcome, requests } = await trySend(provider, { credentials, message: { from: undefined } })
  expect(outcome).toMatchObject({
    kind: 'rejected',
    because: 'integration',
    reason: expect.stringMatching(/^No sender/),
  })
  expect(requests).toEqual([])
})
