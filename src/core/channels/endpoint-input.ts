import { createHash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { invalidField, validationFailed } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { describedAs, fields, freeObject } from '../../lib/schemas.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { fieldFaultFinder } from '../../lib/validate.ts'
import { type Endpoint, type EndpointOf, type EndpointType, endpointTypes } from '../../providers/endpoint.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import { readContext } from '../subscribers/read-context.ts'

const name = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })
const url = Type.String({ minLength: 1, maxLength: 2048 })

/** What an endpoint of each type holds. */
const shapes = {
  slack_channel: fields({ channelId: name }),
  slack_user: fields({ userId: name }),
  webhook: fields({ url, channel: Type.Optional(name) }),
  phone: fields({ phoneNumber: Type.String({ minLength: 3, maxLength: 40, format: 'identifier' }) }),
  ms_teams_channel: fields({ teamId: name, channelId: name }),
  ms_teams_user: fields({ userId: name }),
  telegram_chat: fields({ chatId: Type.String({ pattern: '^(-?[1-9][0-9]{0,19}|@[A-Za-z0-9_]{3,64})$' }) }),
  google_chat_space: fields({ spaceId: Type.String({ pattern: '^(spaces/)?[A-Za-z0-9_-]{1,100}$' }) }),
  ntfy_topic: fields({ topic: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }),
  web_push: fields({
    endpoint: url,
    keys: fields({
      p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{86,88}={0,2}$' }),
      auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22,24}={0,2}$' }),
    }),
  }),
} satisfies { [T in EndpointType]: TSchema }

const findFaults = Object.fromEntries(
  endpointTypes.map((type) => [type, fieldFaultFinder(fields({ endpoint: shapes[type] }))]),
)

/** Its type decides what it holds. */
export const endpointValue = Type.Unsafe<EndpointOf[EndpointType]>({
  anyOf: endpointTypes.map((type) => ({ ...shapes[type], title: type })),
})
export const endpointInput = describedAs(freeObject, endpointValue)

export const identifierInput = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })
export const contextInput = Type.Optional(freeObject)

/** What the type asks for must be there; other fields are left out, as everywhere. */
export function readEndpoint(ctx: Ctx, provider: Provider | undefined, type: EndpointType, given: unknown): Endpoint {
  if (!endpointTypesOf(provider).includes(type)) {
    const taken = endpointTypesOf(provider).join(', ')
    const why = taken === '' ? 'this provider takes no endpoints' : `this integration takes: ${taken}`
    throw invalidField('type', `does not fit the integration; ${why}`, type)
  }
  const faults = findFaults[type]?.({ endpoint: given })
  if (faults) throw validationFailed(faults)
  // The shape of its type was checked.
  const read = normal({ type, endpoint: given } as Endpoint)
  const called = read.type === 'webhook' ? read.endpoint.url : read.type === 'web_push' ? read.endpoint.endpoint : null
  const refused = called === null ? null : ctx.guard.refuseUrl(called)
  if (refused) throw invalidField(type === 'webhook' ? 'endpoint.url' : 'endpoint.endpoint', refused)
  // Push services speak nothing else (RFC 8030).
  if (type === 'web_push' && ctx.config.production && !called?.startsWith('https:')) {
    throw invalidField('endpoint.endpoint', 'must be an https address')
  }
  return read
}

/** The same place is written in one way. */
function normal({ type, endpoint }: Endpoint): Endpoint {
  switch (type) {
    case 'slack_channel':
      return { type, endpoint: { channelId: endpoint.channelId.trim() } }
    case 'slack_user':
      return { type, endpoint: { userId: endpoint.userId.trim() } }
    case 'webhook': {
      const { url, channel } = endpoint
      return { type, endpoint: { url: URL.parse(url)?.href ?? url, ...(channel !== undefined && { channel }) } }
    }
    case 'phone':
      return { type, endpoint: { phoneNumber: endpoint.phoneNumber.replaceAll(/[\s().-]/g, '') } }
    case 'ms_teams_channel':
      return { type, endpoint: { teamId: endpoint.teamId.trim(), channelId: endpoint.channelId.trim() } }
    case 'ms_teams_user': {
      const userId = endpoint.userId.trim()
      return { type, endpoint: { userId: /^[0-9a-f-]{36}$/i.test(userId) ? userId.toLowerCase() : userId } }
    }
    case 'telegram_chat':
      return { type, endpoint: { chatId: endpoint.chatId.toLowerCase() } }
    case 'google_chat_space':
      return { type, endpoint: { spaceId: endpoint.spaceId.replace(/^spaces\//, '') } }
    case 'ntfy_topic':
      return { type, endpoint }
    case 'web_push': {
      const bare = (text: string) => text.replaceAll('=', '')
      const keys = { p256dh: bare(endpoint.keys.p256dh), auth: bare(endpoint.keys.auth) }
      return { type, endpoint: { endpoint: endpoint.endpoint, keys } }
    }
  }
}

/** What a provider can send to, besides the subscriber's credentials. */
export function endpointTypesOf(provider: Provider | undefined): readonly EndpointType[] {
  if (!provider) return []
  if (provider.endpoints) return provider.endpoints
  if (provider.channel !== 'chat') return []
  switch (provider.address ?? 'webhookUrl') {
    case 'webhookUrl':
      return ['webhook']
    case 'phone':
      return ['phone']
    default:
      return []
  }
}

/** Sorted `type:id`. */
export function readContextKeys(context: unknown): readonly string[] {
  const read = readContext(context)
  if ('fault' in read) throw invalidField('context', read.fault)
  return read.contextKeys ?? []
}

/** The same for the same place, by whatever order its fields came in. */
export function placeDigest({ type, endpoint }: Endpoint): Buffer {
  return createHash('sha256')
    .update(canonicalJson([type, endpoint]))
    .digest()
}

/** Of an address in the subscriber's credentials, as `Reached` has it. */
export function webhookPlace(url: string): string {
  return placeDigest(normal({ type: 'webhook', endpoint: { url } })).toString('base64')
}

export function sealEndpoint(ctx: Ctx, env: Env, id: string, { endpoint }: Endpoint): string {
  return ctx.sealer.seal(secretPlaces.endpoint({ ...env, id }), JSON.stringify(endpoint))
}

export function openEndpoint(ctx: Ctx, env: Env, row: { id: string; type: string; endpoint: string }): Endpoint {
  const endpoint = JSON.parse(ctx.sealer.open(secretPlaces.endpoint({ ...env, ...row }), row.endpoint))
  // Both were checked when they were stored.
  return { type: row.type, endpoint } as Endpoint
}

/** Contexts may be long. */
export function contextDigest(contextKeys: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(contextKeys)).digest()
}

/** Whether an endpoint of these contexts is used for an event of those: it must have all of them. */
export function fitsContext(own: readonly string[], ofEvent: readonly string[] | null): boolean {
  return own.every((key) => ofEvent?.includes(key))
}
