import { createECDH } from 'node:crypto'
import { type PushService, startPushService } from '../../test/vendors/push-service.ts'
import { type Slack, startSlack } from '../../test/vendors/slack.ts'
import { startTelegram } from '../../test/vendors/telegram.ts'
import type { Entry, Ledger } from '../simulators/ledger.ts'
import { startVendorDoor, type VendorCall, type VendorDoor } from '../simulators/vendor-door.ts'
import { whenOver } from './clean-up.ts'
import { clientOf } from './http.ts'
import { at, textAt } from './json.ts'
import { type Acknowledged, makeSender, type Sender, triggerEach } from './outside-stage.ts'
import { inParallel, times } from './parallel.ts'
import { expectEqual } from './red.ts'
import type { World } from './world.ts'

/** A vendor's double behind its door, and who is reached there. */
export type Stream = { name: string; sender: Sender; acknowledged: Acknowledged[]; people: readonly string[] }
export type SlackStream = Stream & { slack: Slack; door: VendorDoor; workspaces: readonly string[] }

export const refreshPath = '/api/oauth.v2.access'
const scopes = ['chat:write', 'chat:write.public']

/** Slack with tokens that expire, each refresh token good once unless `graceMs` says otherwise. */
export async function openSlack(
  ledger: Ledger,
  name: string,
  graceMs = 0,
): Promise<{ slack: Slack; door: VendorDoor }> {
  const slack = await startSlack({ rotation: true, graceMs })
  whenOver(() => slack.close())
  const about = ({ path, json }: VendorCall) => (path === '/api/chat.postMessage' ? String(json.text) : undefined)
  const door = await startVendorDoor(ledger, { name, to: slack.url, about, took: (it) => at(it, 'ok') === true })
  return { slack, door }
}

/** One app, installed in some workspaces; each person is reached by a channel of their own, in one of them. */
export async function makeSlackStream(
  world: World,
  url: string,
  { slack, door, name }: { slack: Slack; door: VendorDoor; name: string },
  { workspaces = ['T0ACME'], people = 20 }: { workspaces?: string[]; people?: number } = {},
): Promise<SlackStream> {
  const { clientId, clientSecret } = slack.app
  const credentials = { clientId, secretKey: clientSecret, baseUrl: door.url }
  const sender = await makeSender(world, url, 'chat', [{ providerId: 'slack', identifier: 'slack', credentials }])
  const stream: SlackStream = { name, sender, slack, door, workspaces, acknowledged: [], people: namesOf(people) }
  for (const id of workspaces) {
    if (!slack.workspaces.has(id)) slack.addWorkspace({ id, name: id, people: [] })
    const body = { identifier: id, integrationIdentifier: 'slack', ...newTokens(slack, id) }
    await made(clientOf(url, sender.tenant).post('/v1/channel-connections', body))
  }
  await placeEach(url, stream, (n) => {
    const workspace = workspaceOf(stream, n)
    slack.addChannel(workspace, { id: channelOf(n), name: `c${n}` })
    const place = { type: 'slack_channel', endpoint: { channelId: channelOf(n) } }
    return [{ integrationIdentifier: 'slack', connectionIdentifier: workspace, ...place }]
  })
  return stream
}

/** Of the n-th person. */
export const channelOf = (n: number) => `C${n}X`
const workspaceOf = ({ workspaces }: SlackStream, n: number) => workspaces[n % workspaces.length] ?? ''

function newTokens(slack: Slack, workspace: string) {
  const issued: unknown = slack.issueToken(workspace, scopes)
  const auth = { accessToken: textAt(issued, 'access_token'), refreshToken: textAt(issued, 'refresh_token') }
  return { workspace: { id: workspace }, auth: { ...auth, expiresAt: new Date(Date.now() + 43_200_000).toISOString() } }
}

/** Somebody installs the app there once more. */
export async function reconnect(url: string, { slack, sender }: SlackStream, workspace: string): Promise<void> {
  const path = `/v1/channel-connections/${workspace}`
  await made(clientOf(url, sender.tenant).patch(path, newTokens(slack, workspace)))
}

/** As if half a day had passed for the tokens of one workspace; `told`: we know it. Otherwise Slack says it. */
export async function expireTokens(
  world: World,
  { slack, sender }: SlackStream,
  workspace: string,
  told = true,
): Promise<void> {
  for (const token of slack.tokens.values()) if (token.workspaceId === workspace) token.expiresAt = slack.now() - 1
  if (!told) return
  await world.sql(
    `update channel_connection set expires_at = now() - interval '1 minute' where environment_id = $1 and identifier = $2`,
    [sender.tenant.environmentId, workspace],
  )
}

export const refreshesOf = ({ calls }: VendorDoor) => calls.filter(({ path }) => path === refreshPath)

export async function refusedOf(url: string, { sender }: SlackStream, workspace: string): Promise<unknown> {
  const reply = await clientOf(url, sender.tenant).get(`/v1/channel-connections/${workspace}`)
  expectEqual(reply.status, 200, reply.text)
  return at(reply.body, 'refused')
}

export async function openTelegram(ledger: Ledger, name: string) {
  const telegram = await startTelegram()
  whenOver(() => telegram.close())
  const about = ({ path, json }: VendorCall) => (path.endsWith('/sendMessage') ? String(json.text) : undefined)
  const door = await startVendorDoor(ledger, { name, to: telegram.url, about, took: (it) => at(it, 'ok') === true })
  return { telegram, door }
}

export async function makeTelegramStream(
  world: World,
  url: string,
  { telegram, door, name }: Awaited<ReturnType<typeof openTelegram>> & { name: string },
  people = 20,
): Promise<Stream> {
  const credentials = { apiToken: telegram.token, baseUrl: door.url }
  const sender = await makeSender(world, url, 'chat', [{ providerId: 'telegram', identifier: 'telegram', credentials }])
  const stream = { name, sender, acknowledged: [], people: namesOf(people) }
  await placeEach(url, stream, (n) => {
    telegram.open(1_000 + n)
    return [{ integrationIdentifier: 'telegram', type: 'telegram_chat', endpoint: { chatId: String(1_000 + n) } }]
  })
  return stream
}

export type PushStream = Stream & {
  service: PushService
  /** What the n-th device of each person got. */
  entriesOf(device: number): Entry[]
}

export async function openPush(delayMs: () => number): Promise<PushService> {
  const service = await startPushService({ delayMs })
  whenOver(() => service.close())
  return service
}

/** Everybody has as many browsers. */
export async function makePushStream(
  world: World,
  url: string,
  { service, name, devices }: { service: PushService; name: string; devices: number },
  people = 20,
): Promise<PushStream> {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = { apiKey: pair.getPublicKey('base64url'), secretKey: pair.getPrivateKey('base64url') }
  const credentials = { ...keys, senderId: 'mailto:ops@example.com' }
  const sender = await makeSender(world, url, 'push', [{ providerId: 'web-push', identifier: 'push', credentials }])
  const rank = new Map<string, number>()
  const entriesOf = (device: number): Entry[] =>
    service.received
      .filter(({ endpoint }) => rank.get(endpoint) === device)
      .map(({ json }) => ({ ...taken, route: name, about: textAt(json, 'body') }))
  const stream = { name, sender, acknowledged: [], people: namesOf(people), service, entriesOf }
  await placeEach(url, stream, () =>
    times(devices, (device) => {
      const endpoint = service.subscribe(keys.apiKey)
      rank.set(endpoint.endpoint, device)
      return { integrationIdentifier: 'push', type: 'web_push', endpoint }
    }),
  )
  return stream
}

const taken = { at: 0, id: '', action: 'ok', accepted: true, effect: true }

const namesOf = (people: number) => times(people, (n) => `person-${n}`)

async function placeEach(url: string, { sender, people }: Stream, placesOf: (n: number) => object[]): Promise<void> {
  const client = clientOf(url, sender.tenant)
  await inParallel([...people.entries()], 4, async ([n, subscriberId]) => {
    for (const place of placesOf(n)) {
      await made(client.post('/v1/channel-endpoints', { subscriberId, createSubscriberIfMissing: true, ...place }))
    }
  })
}

/** To the people in turn, or to those who are named. */
export async function triggerStream(
  url: string,
  stream: Stream,
  names: readonly string[],
  people: readonly string[] = stream.people,
): Promise<void> {
  const turns = new Map(names.map((name, n) => [name, people[n % people.length]]))
  const sent = await triggerEach(url, stream.sender, names, (name) => ({ to: turns.get(name) }))
  stream.acknowledged.push(...sent)
}

async function made(call: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await call
  if (status >= 300) throw new Error(`could not arrange: ${status} ${text}`)
}
