import { describe, expect, test } from 'vitest'
import type { Provider } from '../../api/types.ts'
import { integrationOf } from '../../test-data.ts'
import { draftFault, draftOf, secretsToRepeat, textOf, toBody } from './draft.ts'

const provider = {
  available: true,
  credentials: [
    { name: 'apiKey', label: 'API key', kind: 'text', secret: true, required: true },
    { name: 'from', label: 'From', kind: 'text', secret: false, required: true },
    { name: 'secure', label: 'Secure', kind: 'boolean', secret: false, required: false },
    { name: 'headers', label: 'Headers', kind: 'object', secret: false, required: false },
  ],
} as unknown as Provider
const stored = integrationOf({
  name: 'Mail',
  credentials: { apiKey: '****1234', from: 'a@x.org', secure: true },
  configurations: { whenUnknown: 'atMostOnce' },
})
const draft = draftOf(provider, stored)

describe('saving an integration', () => {
  test('that was not changed sends nothing', () => {
    expect(toBody(provider, draft, stored)).toEqual({})
    expect(toBody(provider, { ...draft, edits: { from: 'a@x.org', secure: true } }, stored)).toEqual({})
  })

  test('sends only what changed', () => {
    const changed = { ...draft, name: ' New ', edits: { from: ' b@x.org ', headers: '{"x":"1"}' } }
    expect(toBody(provider, changed, stored)).toEqual({
      name: 'New',
      credentials: { from: 'b@x.org', headers: { x: '1' } },
    })
  })

  test('never sends a mask back: a secret that was not typed stays as it is', () => {
    expect(toBody(provider, { ...draft, edits: { apiKey: '' } }, stored)).toEqual({})
    expect(toBody(provider, { ...draft, edits: { apiKey: 'sk_new' } }, stored)).toEqual({
      credentials: { apiKey: 'sk_new' },
    })
    expect(textOf({ name: 'apiKey', secret: true } as never, draft, stored.credentials)).toBe('')
  })

  test('clears what was emptied, and a secret only when asked to', () => {
    const emptied = { ...draft, whenUnknown: '', edits: { from: '', apiKey: null } }
    expect(toBody(provider, emptied, stored)).toEqual({
      credentials: { from: null, apiKey: null },
      configurations: { whenUnknown: null },
    })
  })

  test('shows a stored object, sends it when it changed, and clears it when it was emptied', () => {
    const headers = { name: 'headers', kind: 'object', secret: false } as never
    const credentials = { ...stored.credentials, headers: { x: '1', key: '••••' } }
    const kept = integrationOf({ ...stored, credentials })
    const shown = textOf(headers, draft, kept.credentials)
    expect(JSON.parse(shown)).toEqual({ x: '1', key: '••••' })
    const sent = (text: string) => toBody(provider, { ...draft, edits: { headers: text } }, kept)
    expect(sent(shown)).toEqual({})
    expect(sent('{"x":"2","key":"••••"}')).toEqual({ credentials: { headers: { x: '2', key: '••••' } } })
    expect([sent(''), sent('{}')]).toEqual([{ credentials: { headers: null } }, { credentials: { headers: null } }])
    expect(textOf(headers, draft, { headers: {} })).toBe('')
    expect(toBody(provider, { ...draft, edits: { headers: '' } }, stored)).toEqual({})
  })

  test('another address needs the secret again, the same address does not', () => {
    const host = { name: 'host', label: 'Host', kind: 'host', secret: false, required: true, where: true }
    const placed = { ...provider, credentials: [...provider.credentials, host] } as unknown as Provider
    const credentials = { ...stored.credentials, host: 'a.example.com' }
    const changed = (edits: Record<string, string | null>) => ({ ...draft, edits })
    const moved = changed({ host: 'b.example.com' })
    expect(secretsToRepeat(placed, moved, credentials)).toEqual(['apiKey'])
    expect(draftFault(placed, moved, integrationOf({ credentials }))).toContain('Enter API key again')
    for (const edits of [{ host: 'a.example.com' }, { from: 'b@x.org' }, { host: 'b.example.com', apiKey: 'new' }]) {
      expect(secretsToRepeat(placed, changed(edits), credentials)).toEqual([])
    }
  })

  test('that is new says whether it is active', () => {
    expect(toBody(provider, { ...draftOf(provider), edits: { apiKey: 'k' } })).toEqual({
      active: true,
      credentials: { apiKey: 'k' },
    })
    expect(draftOf({ ...provider, available: false }).active).toBe(false)
  })
})

test('an object that is no JSON is a fault before anything is sent', () => {
  expect(draftFault(provider, { ...draft, edits: { headers: '{' } })).toBe('Headers is no JSON object.')
  expect(draftFault(provider, { ...draft, edits: { headers: '{}', from: '{' } })).toBeNull()
})
