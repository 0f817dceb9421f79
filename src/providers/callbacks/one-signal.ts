import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { textField } from '../shared/reply-field.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseCallback } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/**
 * An event stream makes one call for each event, and signs nothing.
 * https://documentation.onesignal.com/docs/en/event-streams
 */
export const oneSignalCallbacks: Inbound = {
  mostBytes: 32 * 1024,
  key: {
    ...urlKey,
    help: `${urlKey.help} At Data, Event Streams choose the push events, POST, and OneSignal's example as the custom body.`,
  },
  keyInUrl: true,
  verify: hasKeyInUrl,
  read,
}

/**
 * The tenant writes the body. Read are OneSignal's two examples (one flat, one with a part for the event and one for the
 * message) and the plain form of the same names.
 * https://documentation.onesignal.com/docs/en/event-streams-data
 */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const json = parseCallback(body)
  const about = { externalId: find(json, 'Message Data', 'message.id') }
  const reason = find(json, 'Event Data', 'event.data.failure_reason')
  const kind = find(json, 'Event Data', 'event.kind')
  if (about.externalId === '') return []
  switch (kind) {
    case '':
    case 'message.push.sent':
      return []
    case 'message.push.received':
      return [toCallback({ kind: 'delivered', ...about })]
    case 'message.push.clicked':
      return [toCallback({ kind: 'clicked', ...about })]
    default:
      // Also `failed` and `unsubscribed`: they tell of one device. A message goes to all devices of a person, and
      // others of them may have it. Whoever unsubscribed did so before, mostly by removing the app: that is not
      // "delivered".
      return [toCallback({ kind: 'other', ...about, reason, name: kind })]
  }
}

function find(json: unknown, part: string, name: string): string {
  return ownText(json, name) || ownText(own(json, part), name) || textField(json, name)
}

/** The dots are a part of the name here. */
function own(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined
  return (json as Record<string, unknown>)[name]
}

function ownText(json: unknown, name: string): string {
  const found = own(json, name)
  return typeof found === 'string' ? found : ''
}
