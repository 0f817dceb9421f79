import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { africasTalkingCallbacks } from './africas-talking.ts'

believesKeyInUrl(africasTalkingCallbacks)
ignoresJunk(africasTalkingCallbacks)

const about = { externalId: 'ATXid_1', address: '+254711000111' }
const bounced = (permanent: boolean, reason: string) => [{ kind: 'bounced', permanent, ...about, reason }]

test.each([
  ['Success', '', [{ kind: 'delivered', ...about }]],
  ['Failed', 'UserDoesNotExist', bounced(true, 'UserDoesNotExist')],
  ['Failed', 'DeliveryFailure', bounced(false, 'DeliveryFailure')],
  ['Rejected', 'UserInBlackList', bounced(false, 'UserInBlackList')],
  ['Rejected', '', bounced(false, 'Rejected')],
  ['AbsentSubscriber', '', bounced(false, 'AbsentSubscriber')],
  ['Expired', '', bounced(false, 'Expired')],
  ['Sent', '', []],
  ['Submitted', '', []],
  ['Buffered', '', []],
  ['Paused', '', [{ kind: 'other', name: 'Paused', ...about }]],
])('%s for the reason %j', (status, failureReason, expected) => {
  const fields = { id: 'ATXid_1', status, phoneNumber: '+254711000111', networkCode: '63902', retryCount: '0' }
  const body = new URLSearchParams({ ...fields, ...(failureReason && { failureReason }) }).toString()
  expect(africasTalkingCallbacks.read({ headers: {}, body })).toEqual(expected)
})
