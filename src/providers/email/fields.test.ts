import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleValue } from '../../../test/integration-samples.ts'
import { now, sampleFor } from '../../../test/providers/provider-samples.ts'
import { reply } from '../../../test/providers/try-provider.ts'
import type { CredentialField, Provider } from '../provider.ts'

const dir = import.meta.dirname
const names = readdirSync(dir).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const providers: Provider[] = await Promise.all(names.map(async (name) => (await import(join(dir, name))).default))
const fieldsOf = ({ credentials }: Provider) => Object.entries(credentials) as [string, CredentialField][]

// The core takes the sender from these two, whatever the provider.
const ofSender = ['from', 'senderName']

test.each(providers)('$id reads every field it declares', async (provider) => {
  const values = Object.fromEntries(fieldsOf(provider).map(([name, field]) => [name, sampleValue(name, field)]))
  const read = new Set<string | symbol>()
  const credentials = new Proxy(values, {
    get: (all, name) => {
      read.add(name)
      return Reflect.get(all, name)
    },
  })
  const accepted = async () => ({ kind: 'reply', code: 250, text: 'OK', stage: 'data' }) as const
  await provider.send?.({
    http: async () => reply(200, { access_token: 't', users: [{ external_id: 'u' }] }),
    smtp: { send: accepted, verify: accepted, compose: async () => Buffer.from('mime') },
    cached: (_name, fetch) => fetch(),
    mailbox: async () => {},
    now,
    credentials,
    message: sampleFor(provider),
  })
  const unread = fieldsOf(provider).filter(([name]) => !read.has(name) && !ofSender.includes(name))
  expect(unread.map(([name]) => name)).toEqual([])
})

test.each(providers)('$id says of every field of its own what the vendor calls it, in a sentence', (provider) => {
  for (const [name, { label, help }] of fieldsOf(provider)) {
    if (ofSender.includes(name)) continue
    expect(label, name).toMatch(/^\S.*\S$/)
    expect(help, name).toMatch(/^[A-Z“].*\.$/s)
    expect(help?.length, name).toBeLessThan(250)
  }
})
