import type { Case } from './stall-corpus.ts'

const kilo = 1024
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

/** Another mixture of small and capital letters for each number. */
const spelt = (n: number) =>
  [...'america/argentina/buenos_aires'].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join('')

/** Events that are large in every message, and the lists that show them. `name` is a workflow that sends an e-mail. */
export function stallOverrides(name: string): Case[] {
  const people = (count: number) => many(count, (n) => ({ subscriberId: `o${n}`, email: `o${n}@example.org` }))
  const trigger = (what: string, count: number, body: object): Case => ({
    name: `overrides: ${what}`,
    method: 'POST',
    path: '/v1/events/trigger',
    body: { name, to: people(count), ...body },
  })
  const read = (path: string): Case => ({ name: `reading ${path}`, method: 'GET', path })
  const addresses = (count: number) => many(count, (n) => `u${n}@b.co`)
  const profile = { x: 'x'.repeat(60 * kilo) }
  return [
    trigger('24 MB of HTML', 12, { overrides: { email: { html: 'abcdefghij'.repeat(2_400_000) } } }),
    trigger('half a megabyte of HTML', 40, { overrides: { email: { html: 'x'.repeat(500 * kilo) } } }),
    trigger('half a megabyte of fields', 40, {
      overrides: { email: Object.fromEntries(many(40_000, (n) => [`f${n}`, 1])) },
    }),
    trigger('fifty thousand addresses', 10, { overrides: { email: { to: addresses(50_000) } } }),
    trigger('a thousand addresses', 100, { overrides: { email: { to: addresses(1_000) } } }),
    trigger('half a megabyte of payload for two hundred', 200, { payload: { x: 'abcdefghij'.repeat(50_000) } }),
    ...many(4, (n) => ({
      name: `profiles of 60 KB, part ${n}`,
      method: 'POST',
      path: '/v1/subscribers/bulk',
      body: { subscribers: many(15, (m) => ({ subscriberId: `large${n}-${m}`, data: profile })) },
    })),
    {
      name: 'a zone in hundreds of spellings',
      method: 'POST',
      path: '/v1/subscribers/bulk',
      body: { subscribers: many(500, (n) => ({ subscriberId: `z${n}`, timezone: spelt(n) })) },
    },
    {
      name: 'a language of thousands of words',
      method: 'POST',
      path: '/v2/subscribers',
      body: { subscriberId: 'x', locale: `en-${many(20_000, (n) => `a${String(n).padStart(5, '0')}`).join('-')}` },
    },
    read('/v1/messages?limit=1000'),
    read('/v1/notifications?limit=50'),
    read('/v2/subscribers?limit=1000'),
    read('/v2/subscribers/o1/export'),
    read('/v1/dev/mailbox?limit=100'),
  ]
}
