import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { leastCredentials, sampleCredentials } from '../../../test/integration-samples.ts'
import { channels, loadProviders } from '../../providers/provider.ts'

const h = useSharedHarness()
const path = '/v1/integrations'
const { all } = await loadProviders()

test('the catalogue the service runs with is the one tested here', () => {
  expect(h.ctx.providers.all.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(all.length).toBeGreaterThan(70)
})

describe.each(all)('an integration of $id', (provider) => {
  const body = { providerId: provider.id, channel: provider.channel }
  const required = leastCredentials(provider)
  const names = Object.keys(required)

  test('can be active with what it requires and nothing else, and takes all it declares', async () => {
    const env = await h.environment()
    const bare = await env.post(path, { ...body, active: true, credentials: required })
    expect(bare).toMatchObject({ status: 201, body: { active: true, name: provider.displayName } })
    expect(bare.body.credentials).toEqual(required)
    const everything = sampleCredentials(provider, () => true)
    const full = await env.post(path, { ...body, active: true, check: false, credentials: everything })
    expect(full.status, full.text).toBe(201)
    expect(full.body.credentials).toEqual(everything)
    // No later reply shows a secret.
    const listed = (await env.get(path)).body[1]
    for (const [name, field] of Object.entries(provider.credentials)) {
      if (field.secret) expect(listed.credentials[name], name).toBe(`••••${everything[name].slice(-4)}`)
      else if (field.kind !== 'object') expect(listed.credentials[name], name).toEqual(everything[name])
    }
  })

  test('cannot be active without any one of them, nor on another channel: 422 naming exactly that', async () => {
    const env = await h.environment()
    for (const name of names) {
      const reply = await env.post(path, { ...body, active: true, credentials: { ...required, [name]: undefined } })
      expect(reply.status, name).toBe(422)
      expect(Object.keys(reply.body.errors)).toEqual([`credentials.${name}`])
      expect(reply.body.errors[`credentials.${name}`].messages[0]).toContain(provider.displayName)
    }
    expect(names).not.toContain('from')
    expect(names).not.toContain('senderName')
    const bare = await env.post(path, { ...body, active: true })
    expect(bare.status).toBe(names.length > 0 ? 422 : 201)
    if (names.length > 0) expect(Object.keys(bare.body.errors)).toEqual(names.map((name) => `credentials.${name}`))

    const elsewhere = channels.filter((channel) => channel !== provider.channel)
    for (const channel of elsewhere) {
      const reply = await env.post(path, { ...body, channel })
      expect(reply.body.errors).toEqual({
        channel: { messages: [expect.stringContaining(provider.channel)], value: channel },
      })
    }
  })
})
