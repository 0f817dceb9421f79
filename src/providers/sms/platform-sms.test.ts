import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import platform from './platform-sms.ts'

test('keeps the message in the mailbox and calls nobody', async () => {
  const { outcome, boxed, requests } = await trySend(platform)
  expect(boxed).toEqual([{ id: samples.sms.id, channel: 'sms', to: '+15005550006', content: 'Hello Ada' }])
  expect(outcome).toEqual({ kind: 'sent', id: samples.sms.id })
  expect(requests).toEqual([])
})

test('is not for production', () => {
  expect(platform.developmentOnly).toBe(true)
})
