import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from './lists.ts'
import { ourName } from './names.ts'
import { unknownFields } from './unknown-fields.ts'

const texts = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'] as const
const credentialNames = [
  'webhookUrl',
  'channel',
  'deviceTokens',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalUrl',
] as const

export type CarriedPerson = Item & { subscriberId: string }
type Left = { field: string; why: string }

// Which topics they are in, the topics say; whether somebody is online belongs to the day.
const known = [...texts, 'subscriberId', 'data', 'channels', 'topics', 'isOnline', 'lastOnlineAt']

/** As POST /v1/import/subscribers takes somebody. What is empty there is to be empty here, so every field is said. */
export function carryPerson(item: Item): { person: CarriedPerson; left: Left[] } {
  const left: Left[] = unknownFields(item, known)
  const fields = Object.fromEntries(texts.map((name) => [name, textOrNull(item[name])]))
  const person = {
    subscriberId: String(item.subscriberId ?? ''),
    ...fields,
    data: isPlainObject(item.data) ? item.data : null,
    // Where nobody says them nothing is known of them.
    ...(Array.isArray(item.channels) && { channels: item.channels.flatMap((it, at) => carryChannel(it, at, left)) }),
  }
  if (!isPlainObject(item.data) && item.data !== null && item.data !== undefined)
    left.push({ field: 'data', why: 'is no object, as the data of a person is here' })
  return { person, left }
}

function textOrNull(value: unknown): unknown {
  return value === undefined || value === '' ? null : value
}

function carryChannel(given: unknown, at: number, left: Left[]): Item[] {
  if (!isPlainObject(given)) {
    left.push({ field: `channels.${at}`, why: 'is no channel' })
    return []
  }
  const credentials = isPlainObject(given.credentials) ? given.credentials : {}
  const known = credentialNames.flatMap((name) =>
    credentials[name] === null || credentials[name] === undefined || credentials[name] === ''
      ? []
      : [[name, credentials[name]] as const],
  )
  for (const [name, value] of Object.entries(credentials)) {
    if (value !== null && value !== '' && !credentialNames.some((own) => own === name)) {
      left.push({ field: `channels.${given.providerId}.${name}`, why: 'is no field of a channel here' })
    }
  }
  if (known.length === 0) return []
  const identifier = given.integrationIdentifier
  return [
    {
      providerId: ourName(given.providerId),
      ...(typeof identifier === 'string' && identifier !== '' && { integrationIdentifier: identifier }),
      credentials: Object.fromEntries(known),
    },
  ]
}
