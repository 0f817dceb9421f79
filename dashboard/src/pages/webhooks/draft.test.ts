import { expect, test } from 'vitest'
import type { WebhookEndpoint } from '../../api/types.ts'
import { draftFault, draftOf, emptyDraft, toChanges, toNew } from './draft.ts'

const endpoint: WebhookEndpoint = {
  _id: 'e1',
  url: 'https://hooks.example.com/',
  description: null,
  eventTypes: ['message.sent', 'message.failed'],
  status: 'enabled',
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-11-18T08:00:00.000Z',
  updatedAt: '2026-11-18T08:00:00.000Z',
}

test('a new endpoint without a choice is told everything, also what later versions tell of', () => {
  expect(toNew({ ...emptyDraft, url: ' https://a.example/ ' })).toEqual({ url: 'https://a.example/' })
  const some = { url: 'https://a.example/', description: ' ours ', wanted: ['message.sent'] }
  expect(toNew(some)).toEqual({ url: 'https://a.example/', description: 'ours', eventTypes: ['message.sent'] })
})

test('only what was changed is sent, and the order of events is no change', () => {
  const draft = draftOf(endpoint)
  expect(toChanges(draft, endpoint)).toEqual({})
  expect(toChanges({ ...draft, wanted: ['message.failed', 'message.sent'] }, endpoint)).toEqual({})
  expect(toChanges({ ...draft, wanted: null }, endpoint)).toEqual({ eventTypes: null })
  expect(toChanges({ ...draft, description: 'ours' }, endpoint)).toEqual({ description: 'ours' })
  expect(toChanges({ ...draft, description: '' }, { ...endpoint, description: 'old' })).toEqual({ description: null })
})

test('an endpoint that wants nothing is not saved', () => {
  expect(draftFault({ ...emptyDraft, wanted: [] })).toMatch(/at least one/)
  expect(draftFault(emptyDraft)).toBeNull()
})
