import { describe, expect, test } from 'vitest'
import { client, type Reply, sender, useHarness } from '../../../test/harness.ts'

const h = useHarness()
const path = '/v1/integrations'

const sms = { apiKeyRequestHeader: 'x-api-key', apiKey: 'k' }
const places = {
  webhookUrl: { providerId: 'email-webhook', channel: 'email', rest: { secretKey: 's' }, url: true },
  baseUrl: { providerId: 'generic-sms', channel: 'sms', rest: sms, url: true },
  AppIOBaseUrl: { providerId: 'appio', channel: 'push', rest: {}, url: true },
  host: { providerId: 'nodemailer', channel: 'email', rest: { port: '587' }, url: false },
} as const
type Field = keyof typeof places
const fieldNames: Field[] = ['webhookUrl', 'baseUrl', 'AppIOBaseUrl', 'host']

const privateHosts = [
  '127.0.0.1',
  'localhost',
  'a.localhost',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '[::1]',
  '[fd00::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.1.',
  'metadata.google.internal',
  'printer.local',
]

describe.each(fieldNames)('an address in credentials.%s', (field) => {
  const { providerId, channel, rest, url } = places[field]
  const body = (value: string, extra: object) => ({
    providerId,
    channel,
    credentials: { ...rest, [field]: value },
    ...extra,
  })

  test('that is public is taken', async () => {
    const env = await h.environment()
    const value = url ? 'https://hooks.example.com/a?b=c' : 'smtp.example.com'
    expect((await env.post(path, body(value, { active: true }))).status).toBe(201)
    expect((await env.post(path, body(url ? 'http://8.8.8.8:8080/' : '8.8.8.8', {}))).status).toBe(201)
  })

  test('that is private is 422 with one and the same text, active or not, on create and on update', async () => {
    const env = await h.environment()
    const made = await env.post(path, body(url ? 'https://hooks.example.com/' : 'smtp.example.com', {}))
    const messages = new Set<string>()
    const expectRefused = (reply: Reply, value: string) => {
      expect(reply.status, value).toBe(422)
      expect(Object.keys(reply.body.errors), value).toEqual([`credentials.${field}`])
      messages.add(reply.body.errors[`credentials.${field}`].messages.join())
    }
    const write = (host: string) => (url ? `http://${host}/x` : host)
    for (const host of privateHosts) {
      expectRefused(await env.post(path, body(write(host), { active: false })), host)
    }
    for (const host of ['127.0.0.1', '169.254.169.254', '[fd00::1]']) {
      const value = write(host)
      expectRefused(await env.post(path, body(value, { active: true })), host)
      expectRefused(await env.put(`${path}/${made.body._id}`, { credentials: { [field]: value } }), host)
    }
    // The reply must not tell which of our networks was hit.
    expect(messages.size).toBe(1)
    expect((await env.get(path)).body).toHaveLength(1)
  })

  test.each(
    url
      ? [
          'ftp://a.example.com',
          'a.example.com',
          'https://u:p@a.example.com/',
          'http://a.example.com:22/',
          'https://a b/',
        ]
      : ['a.example.com:25', 'http://a.example.com', 'a b', 'u@a.example.com', 'a.example.com/x'],
  )('%s is 422', async (value) => {
    const env = await h.environment()
    const reply = await env.post(path, body(value, {}))
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toEqual([`credentials.${field}`])
  })
})

test('an operator may allow a range and a port', async () => {
  const env = await h.environment()
  const node = await h.node({ EGRESS_ALLOWED_RANGES: '10.0.0.0/8', EGRESS_ALLOWED_PORTS: '2526' })
  const allowed = client(sender(node.url), env.key)
  const at = (host: string, port: string) => ({
    providerId: 'nodemailer',
    channel: 'email',
    active: true,
    credentials: { host, port },
  })
  expect((await allowed.post(path, at('10.1.2.3', '2526'))).status).toBe(201)
  expect((await allowed.post(path, at('192.168.0.1', '2526'))).status).toBe(422)
  expect((await env.post(path, at('10.1.2.3', '587'))).status).toBe(422)
})

test.each([
  ['587', 201],
  ['13013', 201],
  ['22', 422],
  ['0', 422],
  ['65536', 422],
  ['5432', 422],
  ['587 ', 422],
  ['0x24b', 422],
  ['-587', 422],
])('port %j is %i', async (port, status) => {
  const env = await h.environment()
  const credentials = { host: 'smtp.example.com', port }
  const reply = await env.post(path, { providerId: 'nodemailer', channel: 'email', credentials })
  expect(reply.status).toBe(status)
  if (status === 422) expect(Object.keys(reply.body.errors)).toEqual(['credentials.port'])
})

test.each(['apiKeyRequestHeader', 'secretKeyRequestHeader', 'authenticationTokenKey'])(
  '%s must be the name of a header, and of none that steers the request',
  async (field) => {
    const env = await h.environment()
    const credentials = { ...sms, baseUrl: 'https://sms.example.com/' }
    const statusOf = async (name: string) =>
      (
        await env.post(path, {
          providerId: 'generic-sms',
          channel: 'sms',
          active: true,
          credentials: { ...credentials, [field]: name },
        })
      ).status
    for (const good of ['x-api-key', 'Authorization', 'x'.repeat(100)]) expect(await statusOf(good), good).toBe(201)
    const bad = [
      'x y',
      'x:',
      'x\r\nevil: 1',
      'x\u2028y',
      'é',
      'x'.repeat(101),
      'Host',
      'content-length',
      'Transfer-Encoding',
    ]
    for (const name of [...bad, 'CONTENT-TYPE', 'connection', 'upgrade', 'cookie', 'expect', 'te', 'trailer']) {
      expect(await statusOf(name), name).toBe(422)
    }
  },
)

test('tlsOptions takes what shapes the handshake and nothing that could point it elsewhere', async () => {
  const env = await h.environment()
  const put = (tlsOptions: object) =>
    env.post(path, {
      providerId: 'nodemailer',
      channel: 'email',
      credentials: { host: 'smtp.example.com', tlsOptions },
    })
  const good = { rejectUnauthorized: false, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3', ciphers: 'x' }
  const more = { servername: 'a.example.com', ca: 'pem', cert: 'pem', key: 'pem', passphrase: 'x' }
  expect((await put({ ...good, ...more })).status).toBe(201)
  for (const name of [
    'host',
    'port',
    'path',
    'socket',
    'lookup',
    'localAddress',
    'checkServerIdentity',
    'pfx',
    'toString',
  ]) {
    const reply = await put({ ...good, [name]: 'x' })
    expect(reply.status, name).toBe(422)
    expect(reply.body.errors['credentials.tlsOptions'].messages[0]).toContain(`"${name}"`)
  }
})

test.each([
  ['sendgrid', 'email', { apiKey: 'k', region: 'eu' }, 201],
  ['sendgrid', 'email', { apiKey: 'k', region: 'mars' }, 422],
  ['sinch', 'sms', { region: 'EU' }, 422],
])('a choice of %s %s takes only its values: %o is %i', async (providerId, channel, credentials, status) => {
  const env = await h.environment()
  const reply = await env.post(path, { providerId, channel, credentials })
  expect(reply.status).toBe(status)
  if (status === 422) expect(reply.body.errors['credentials.region'].messages[0]).toContain('eu')
})
