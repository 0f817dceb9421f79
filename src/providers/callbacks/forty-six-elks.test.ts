import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import elks from '../sms/forty-six-elks.ts'
import { fortySixElksCallbacks } from './forty-six-elks.ts'

believesKeyInUrl(fortySixElksCallbacks)
ignoresJunk(fortySixElksCallbacks)

test.each([
  ['id=s1&status=delivered&delivered=2026-07-13T13%3A57%3A23.741000', [{ kind: 'delivered', externalId: 's1' }]],
  ['id=s1&status=failed', [{ kind: 'bounced', externalId: 's1' }]],
  ['id=s1&status=sent', []],
  ['id=s1&status=held', [{ kind: 'other', name: 'held', externalId: 's1' }]],
  ['status=delivered', []],
])('%s', (body, expected) => {
  expect(fortySixElksCallbacks.read({ body, headers: {} })).toEqual(expected)
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1?key=a'
  const { requests } = await trySend(elks, { callbackUrl })
  expect(requests[0]?.form).toMatchObject({ whendelivered: callbackUrl })
})
