import type { Callback, Inbound, InboundCall } from '../inbound.ts'
import { hasKeyInUrl, urlKey } from './has-key-in-url.ts'
import { parseForm } from './parse-callback.ts'
import { toCallback } from './to-callback.ts'

/** 46elks signs nothing; it advises a key in the query of the address. */
export const fortySixElksCallbacks: Inbound = {
  mostBytes: 4 * 1024,
  key: urlKey,
  keyInUrl: true,
  perMessage: true,
  verify: hasKeyInUrl,
  read,
}

/** It never tells why a text failed. https://46elks.com/docs/sms-delivery-reports */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const form = parseForm(body)
  const [externalId, status] = ['id', 'status'].map((name) => form.get(name) ?? '')
  if (!externalId) return []
  switch (status) {
    case 'delivered':
      return [toCallback({ kind: 'delivered', externalId })]
    case 'failed':
      return [toCallback({ kind: 'bounced', externalId })]
    case '':
    case 'created':
    case 'sent':
      return []
    default:
      return [toCallback({ kind: 'other', name: status, externalId })]
  }
}
