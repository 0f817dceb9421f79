import { fastest } from '../../../test/fastest.ts'
import { send } from '../../lib/http.ts'
import { patient } from '../../lib/patience.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { checkRefusal, type InputStage } from './stage.ts'

// One request may not hold up all others: what a megabyte of it costs is bounded. Loose, for busy machines.
const mostMs = 1_500

const long = 900_000
/** Texts on which a careless pattern goes back and forth for ever. */
const redos = ['a', 'a.', 'a@', '@', '-', 'a-', '..', 'é', ' ', '\u00a0', '_', ':', '[', '1.', 'xn--', '👍']

/** As large as a body may be, and nothing but work: patterns to backtrack on, heaps of faults, heaps of fields. */
export async function costlyBodies({ node, world }: InputStage): Promise<string> {
  // Its own, so that the lists of other rows stay short.
  const tenant = await world.tenant()
  const faults = collectFaults()
  const many = <T>(item: T, bytes = long) =>
    Array.from({ length: Math.floor(bytes / (JSON.stringify(item).length + 1)) }, () => item)
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
  const texts = redos.flatMap((unit) => [unit.repeat(20_000), `${unit.repeat(20_000)}!`, `a@${unit.repeat(20_000)}.c`])
  const cases: [method: string, path: string, body: unknown][] = [
    ...texts.flatMap((text): [string, string, unknown][] => [
      ['POST', '/v2/subscribers', { subscriberId: 'r', email: text, locale: text, timezone: text }],
      ['POST', '/v2/topics', { key: text }],
      ['POST', '/v1/integrations', { providerId: text, channel: 'email', credentials: { host: text } }],
      ['POST', '/v1/integrations', { providerId: 'nodemailer', channel: 'email', credentials: { host: text } }],
      [
        'POST',
        '/v1/integrations',
        { providerId: 'generic-sms', channel: 'sms', credentials: { baseUrl: `https://${text}` } },
      ],
    ]),
    ['PUT', '/v1/subscribers/x/credentials', { providerId: 'fcm', credentials: { deviceTokens: many(1) } }],
    ['PUT', '/v1/subscribers/x/credentials', { providerId: 'fcm', credentials: { deviceTokens: many('') } }],
    ['POST', '/v1/integrations', { providerId: 'sendgrid', channel: 'email', conditions: many({}) }],
    ['POST', '/v1/integrations', { providerId: 'sendgrid', channel: 'email', conditions: many({ children: [{}] }) }],
    [
      'POST',
      '/v1/integrations',
      { providerId: 'sendgrid', channel: 'email', credentials: { tlsOptions: fields(60_000) } },
    ],
    ['POST', '/v1/subscribers/bulk', { subscribers: many({}) }],
    ['POST', '/v1/subscribers/bulk', { subscribers: many({ a: 1 }, 400_000).slice(0, 500) }],
    ['POST', '/v2/topics/t/subscriptions', { subscriptions: many(1), subscriberIds: many(1, 50_000) }],
    ['POST', '/v2/topics/t/subscriptions', { subscriptions: many({}) }],
    ['POST', '/v2/subscribers', { subscriberId: 'wide', data: fields(60_000) }],
    ['POST', '/v2/subscribers', { subscriberId: 'long', firstName: 'ab '.repeat(300_000), lastName: 'x' }],
    ['POST', '/v1/tenants', { identifier: 'wide', data: { list: many([]) } }],
    ['POST', '/v2/contexts', { type: 'tenant', id: 'wide', data: { list: many([]) } }],
    ['POST', '/v1/environment-variables', { key: 'WIDE', values: many({ _environmentId: 'x', value: 'y' }) }],
    ['POST', '/v2/topics', fields(60_000)],
    ['POST', '/v2/topics', many({})],
  ]
  let slowest = { ms: 0, what: '' }
  for (const [method, path, body] of cases) {
    const what = `${method} ${path} ${JSON.stringify(body).slice(0, 90)}`
    const reply = await send(node.url, method, path, { key: tenant.key, body })
    checkRefusal(reply, what, faults)
    // What somebody else's work made slow is fast when it is asked again.
    const again = async () => (await send(node.url, method, path, { key: tenant.key, body })).ms
    const ms = reply.ms > mostMs ? await fastest(patient(mostMs), again) : reply.ms
    if (ms > patient(mostMs)) faults.add(`${what} took ${Math.round(ms)} ms`)
    const mostBytes = reply.status >= 400 ? 200_000 : 3_000_000
    if (reply.text.length > mostBytes) faults.add(`${what} → ${reply.status} with ${reply.text.length} bytes`)
    if (ms > slowest.ms) slowest = { ms, what }
  }
  faults.end()
  expectAtLeast(cases.length, 200, 'costly bodies')
  return `${cases.length} bodies of patterns, faults and fields by the thousand: slowest ${Math.round(slowest.ms)} ms`
}
