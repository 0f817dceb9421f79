import { send } from '../../lib/http.ts'
import { inParallel } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { checkRefusal, type InputStage } from './stage.ts'

/** Ways to say "a machine inside": as it is, as numbers, as names, as other schemes and ports. */
const refusedHosts = [
  '127.0.0.1',
  '127.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.1',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'metadata.google.internal',
  'metadata',
  'db.internal',
  'printer.local',
  'intranet',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[fd00::1]',
  '[fe80::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:db8::1]',
  '[ff02::1]',
  '127.0.0.1.',
  '169.254.169.254.',
  '198.18.0.1',
  '192.0.2.1',
]
const refusedUrls = [
  ...refusedHosts.map((host) => `http://${host}/hook`),
  'http://user:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1#@example.com/',
  'https://example.com\\@127.0.0.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'http:example.com',
  'http:///example.com',
  '//example.com/',
  'https://example.com:22/',
  'https://example.com:6379/',
  'https://example.com:5432/',
  'https://exa mple.com/',
  'https://example.com/\r\nx: y',
  ' https://example.com',
  'https://',
  'not a url',
  '',
  `https://example.com/${'a'.repeat(3_000)}`,
]
const goodUrls = [
  'https://example.com/hook',
  'http://hooks.example.org:8080/a?b=c',
  'https://8.8.8.8/x',
  'https://[2606:4700::1111]/',
]
const badHeaderNames = ['host', 'Content-Length', 'transfer-encoding', 'connection', 'a b', 'a:b', 'a\r\nb', 'é', '']
const badTls = [
  { host: '127.0.0.1' },
  { path: '/var/run/docker.sock' },
  { socket: {} },
  { lookup: 'x' },
  { port: 25 },
  { checkServerIdentity: 1 },
]

type Case = { method: string; path: string; body: unknown; isGood: boolean }

/** I13 at the door: what a later connection would refuse is refused when it is saved. */
export async function addressTricks({ node, tenant }: InputStage): Promise<string> {
  const faults = collectFaults()
  await send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, body: { subscriberId: 'hooked' } })
  let names = 0
  const integration = (providerId: string, channel: string, credentials: object): Omit<Case, 'isGood'> => ({
    method: 'POST',
    path: '/v1/integrations',
    body: { providerId, channel, credentials, identifier: `address-${++names}` },
  })
  const forUrl = (url: string, isGood: boolean): Case[] => [
    {
      method: 'PUT',
      path: '/v1/subscribers/hooked/credentials',
      body: { providerId: 'slack', credentials: { webhookUrl: url } },
      isGood,
    },
    ...(url === ''
      ? []
      : [
          { ...integration('generic-sms', 'sms', { baseUrl: url }), isGood },
          { ...integration('push-webhook', 'push', { webhookUrl: url }), isGood },
          { ...integration('slack', 'chat', { redirectUrl: url }), isGood },
        ]),
  ]
  const cases: Case[] = [
    ...refusedUrls.flatMap((url) => forUrl(url, false)),
    ...goodUrls.flatMap((url) => forUrl(url, true)),
    ...refusedHosts.map((host) => ({ ...integration('nodemailer', 'email', { host }), isGood: false })),
    ...['user@example.com', 'example.com:25', 'a/b', 'exa mple.com', 'http://example.com'].map((host) => ({
      ...integration('nodemailer', 'email', { host }),
      isGood: false,
    })),
    { ...integration('nodemailer', 'email', { host: 'smtp.example.com', port: '587' }), isGood: true },
    ...['22', '0', '65536', '-1', '25x', '6379'].map((port) => ({
      ...integration('nodemailer', 'email', { port }),
      isGood: false,
    })),
    ...badHeaderNames
      .filter(Boolean)
      .map((name) => ({ ...integration('generic-sms', 'sms', { apiKeyRequestHeader: name }), isGood: false })),
    ...badTls.map((tlsOptions) => ({ ...integration('nodemailer', 'email', { tlsOptions }), isGood: false })),
  ]
  let [refused, taken] = [0, 0]
  await inParallel(cases, 4, async ({ method, path, body, isGood }) => {
    const reply = await send(node.url, method, path, { key: tenant.key, body })
    const what = `${method} ${path} ${JSON.stringify(body)}`
    checkRefusal(reply, what, faults)
    if (isGood ? reply.status >= 300 : reply.status !== 422) faults.add(`${what} → ${reply.status} ${reply.text}`)
    else if (isGood) taken++
    else refused++
  })
  faults.end()
  expectAtLeast(refused, 200, 'refusals')
  expectAtLeast(taken, 10, 'good addresses')
  return `${refused} addresses, ports, header names and TLS options refused, ${taken} good ones taken`
}
