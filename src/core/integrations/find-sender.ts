import type { Address } from '../../lib/outbound.ts'
import type { Provider } from '../../providers/provider.ts'
import { readAddress, safeName } from '../addresses/email-addresses.ts'
import type { Credentials } from './integration-credentials.ts'

/** Who a mail without a workflow is from: the one that is given, the integration's, or the provider's default. */
export function findSender(provider: Provider, credentials: Credentials, given?: string): Address | null {
  const from = readAddress(given) ?? readAddress(credentials.from) ?? readAddress(provider.defaultFrom)
  if (!from) return null
  const name = safeName(String(from.name ?? credentials.senderName ?? ''))
  return { email: from.email, ...(name && { name }) }
}
