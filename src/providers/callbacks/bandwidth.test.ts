import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { bandwidthCallbacks } from './bandwidth.ts'

believesKeyInUrl(bandwidthCallbacks)
ignoresJunk(bandwidthCallbacks)

const event = (type: string, more: object = {}) => ({
  time: '2026-09-14T18:20:16Z',
  type,
  to: '+15554443333',
  description: 'in words',
  message: {
    id: '14762070468292kw2fuqty55yp2b2',
    owner: '+15552223333',
    applicationId: '93de2206',
    time: '2026-09-14T18:20:15Z',
    segmentCount: 1,
    direction: 'out',
    to: ['+15554443333'],
    from: '+15552223333',
    text: '',
    tag: 'ours',
  },
  ...more,
})
const about = { externalId: '14762070468292kw2fuqty55yp2b2', messageId: 'ours', address: '+15554443333' }
const read = (events: object[]) => bandwidthCallbacks.read({ headers: {}, body: JSON.stringify(events) })

test.each([
  ['message-delivered', {}, [{ kind: 'delivered', ...about }]],
  [
    'message-failed',
    { errorCode: 4721, description: 'destination-tn-deactivated' },
    [{ kind: 'bounced', permanent: true, ...about, reason: '4721 destination-tn-deactivated' }],
  ],
  [
    'message-failed',
    { errorCode: 4432, description: 'forbidden to country' },
    [{ kind: 'bounced', permanent: false, ...about, reason: '4432 forbidden to country' }],
  ],
  ['message-failed', { errorCode: 9902 }, [{ kind: 'other', name: 'delivery-receipt-expired', ...about }]],
  ['message-read', {}, [{ kind: 'opened', ...about }]],
  ['message-sending', {}, []],
  ['message-sent', {}, []],
  ['message-received', {}, []],
  ['message-held', {}, [{ kind: 'other', name: 'message-held', ...about }]],
])('%s with %j', (type, more, expected) => {
  expect(read([event(type, more)])).toEqual(expected)
})

test('several events may come at once', () => {
  expect(read([event('message-sent'), event('message-delivered'), event('message-delivered')])).toHaveLength(2)
})
