import { canonicalJson } from '../../lib/canonical-json.ts'
import type { NewChannel } from '../../store/import/people.ts'
import { type IntegrationRow, listIntegrations, lockIntegrations } from '../../store/integrations.ts'
import { listChannels } from '../../store/subscriber-channels.ts'
import { createPlaceholder } from '../integrations/save-integration.ts'
import { type ChannelCredentials, openChannel, sealChannel } from '../subscribers/channel-credentials.ts'
import type { GivenChannel, Person, Scope } from './import-scope.ts'

// As for one call of PUT …/credentials.
const maxDeviceTokens = 500

/**
 * What is to be written so that these people are reached as given. Device tokens are added to those that are here: an app
 * may have told us of one in the meantime. Every person notes what would change, and what is left out.
 */
export async function planChannels(scope: Scope, people: readonly Person[]): Promise<NewChannel[]> {
  const wanted = people.filter(({ given }) => given.saysChannels)
  if (wanted.length === 0) return []
  const choose = await chooser(scope, wanted)
  const ids = wanted.flatMap(({ row }) => row?.id ?? [])
  const rows = await listChannels(scope.db, scope.env, ids)
  const stored = new Map(rows.map((row) => [`${row.subscriberId} ${row.integrationId}`, row]))
  const ofPerson = Map.groupBy(rows, (row) => row.subscriberId)
  const planned: NewChannel[] = []
  for (const person of wanted) {
    const before = (key: string) => (person.row ? stored.get(`${person.row.id} ${key}`) : undefined)
    const placed = placeChannels(scope, person, choose)
    for (const own of ofPerson.get(person.row?.id ?? '') ?? []) {
      const isNamed = person.given.channels.some(
        ({ channel }) => channel.providerId === own.providerId && !hasOther(channel, own),
      )
      if (placed.has(own.integrationId) || isNamed) continue
      const why = 'is here and not there: it stays, and the person is reached by it'
      person.left.push({ field: `channels.${own.providerId}`, why })
    }
    for (const [key, { providerId, credentials }] of placed) {
      const row = before(key)
      const own = row ? openChannel(scope.ctx, scope.env, row) : {}
      const merged = merge(own, credentials)
      const count = merged.deviceTokens?.length ?? 0
      if (count > maxDeviceTokens) {
        const why = `would have ${count} device tokens; a channel holds at most ${maxDeviceTokens}`
        person.left.push({ field: `channels.${providerId}`, why })
        continue
      }
      if (row && canonicalJson(own) === canonicalJson(merged)) continue
      person.changes.add(`channels.${providerId}`)
      if (!person.row || scope.dryRun) continue
      const place = { subscriberId: person.row.id, integrationId: key }
      planned.push({ ...place, credentials: sealChannel(scope.ctx, scope.env, place, merged) })
    }
  }
  return planned
}

function hasOther({ integrationIdentifier: named }: GivenChannel, own: { integrationIdentifier: string }): boolean {
  return named !== undefined && named !== own.integrationIdentifier
}

type Placed = Map<string, { providerId: string; credentials: ChannelCredentials }>

/**
 * By integration. What names one that is here comes first; what names another goes to the one that would be taken without
 * a name, which is told, and only if nobody has that place.
 */
function placeChannels(scope: Scope, person: Person, choose: Awaited<ReturnType<typeof chooser>>): Placed {
  const placed: Placed = new Map()
  const chosen = person.given.channels.map((it) => ({ ...it, found: choose(it.channel) }))
  const isElsewhere = ({ found, channel: { integrationIdentifier: named } }: (typeof chosen)[number]) =>
    named !== undefined && typeof found !== 'string' && found?.identifier !== named
  for (const it of chosen.toSorted((one, other) => Number(isElsewhere(one)) - Number(isElsewhere(other)))) {
    const { at, channel, found } = it
    const { providerId, integrationIdentifier: named, credentials } = channel
    const say = (why: string) => person.left.push({ field: `channels.${at}.${providerId}`, why })
    const fault = typeof found === 'string' ? found : refusalOf(scope, channel)
    if (fault !== null || typeof found === 'string') {
      say(String(fault))
      continue
    }
    const key = found?.id ?? providerId
    const taken = placed.get(key)
    if (taken && !isMergeable(taken.credentials, credentials)) {
      say(named === undefined ? 'has the place of another channel' : `there is no place for "${named}" here`)
      continue
    }
    if (isElsewhere(it)) say(`there is no integration "${named}" here: it is kept with another of its provider`)
    placed.set(key, { providerId, credentials: merge(taken?.credentials ?? {}, credentials) })
  }
  return placed
}

/** Tokens are added up; anything else has one value. */
function isMergeable(taken: ChannelCredentials, { deviceTokens: _added, ...more }: ChannelCredentials): boolean {
  const own = new Map<string, unknown>(Object.entries(taken))
  return Object.entries(more).every(([name, value]) => !own.has(name) || own.get(name) === value)
}

/**
 * The integration of a channel: the named one; else the oldest active one of its provider, else its oldest; else a
 * placeholder, which a dry run does not make (null). A text says why there is none.
 */
async function chooser(scope: Scope, people: readonly Person[]) {
  const { ctx, db, env } = scope
  let all = await listIntegrations(db, env)
  const find = ({ providerId, integrationIdentifier: named }: GivenChannel) => {
    const own = all.filter((it) => it.provider_id === providerId)
    return own.find((it) => it.identifier === named) ?? own.find((it) => it.active) ?? own[0]
  }
  const channels = people.flatMap(({ given }) => given.channels.map(({ channel }) => channel))
  const missing = new Set(channels.filter((it) => !find(it)).map((it) => it.providerId))
  const providers = [...missing].flatMap((id) => ctx.providers.find(id) ?? [])
  if (providers.length > 0 && !scope.dryRun) {
    await lockIntegrations(db, env)
    all = await listIntegrations(db, env)
    for (const provider of providers) {
      if (!all.some((it) => it.provider_id === provider.id))
        all = [...all, await createPlaceholder(scope, provider, all)]
    }
  }
  return (channel: GivenChannel): IntegrationRow | null | string => {
    if (!ctx.providers.find(channel.providerId)) return 'is not a provider this service knows'
    return find(channel) ?? null
  }
}

function refusalOf({ ctx }: Scope, { credentials }: GivenChannel): string | null {
  return credentials.webhookUrl === undefined ? null : ctx.guard.refuseUrl(credentials.webhookUrl)
}

function merge(before: ChannelCredentials, { deviceTokens: added, ...replaced }: ChannelCredentials) {
  const merged: ChannelCredentials = { ...before, ...replaced }
  if (!added) return merged
  return { ...merged, deviceTokens: [...new Set([...(before.deviceTokens ?? []), ...added])] }
}
