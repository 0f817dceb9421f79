import type { Db, Env } from '../../store/database.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import { findSuppressions, normalAddress } from '../../store/suppressions.ts'
import { channelOverrides, vendorOverrides } from '../pipeline/overrides.ts'
import { readAddresses } from './email-addresses.ts'
import { toDialled } from './phone-number.ts'
import { addressesIn } from './vendor-addresses.ts'

type Asked = { row: MessageRow; stepId: string; critical: boolean; locale: string | null }

/** What the suppression list says about a message now. */
export type Suppressed = {
  /** Why nothing is sent: its own address is on the list. */
  why: string | null
  /** Further recipients that are left out (to, cc, bcc), in lower case. */
  leftOut: ReadonlySet<string>
}

const none: Suppressed = { why: null, leftOut: new Set() }

/** Asked at each try, with one query for a portion: an address may have come onto the list since the last one. */
export async function loadSuppressed(
  db: Db,
  env: Env,
  messages: readonly Asked[],
): Promise<(asked: Asked) => Suppressed> {
  const addresses = messages.flatMap((it) => [...ownAddresses(it), ...furtherAddresses(it.row, it.stepId)])
  const listed = await findSuppressions(db, env, [...new Set(addresses)])
  if (listed.size === 0) return () => none
  return (asked) => {
    const { row, stepId, critical } = asked
    const reasonFor = (address: string) => {
      const reason = listed.get(`${row.channel}:${normalAddress(address)}`)
      // Critical messages go to unsubscribed addresses too, but never to one that bounced or complained.
      return reason && !(critical && reason === 'unsubscribed') ? reason : null
    }
    const leftOut = new Set(furtherAddresses(row, stepId).filter(reasonFor).map(normalAddress))
    const why = ownAddresses(asked)
      .map(reasonFor)
      .find((reason) => reason !== null)
    return { why: why ?? null, leftOut }
  }
}

/** Of a phone number also as it is dialled: vendors report that form, and people write theirs in many. */
function ownAddresses({ row, locale }: Asked): string[] {
  if (row.address === null) return []
  return row.channel === 'sms' ? [row.address, toDialled(row.address, locale)] : [row.address]
}

/** Everybody but the first recipient, which is the message's address; also in what the trigger passes to a vendor. */
function furtherAddresses(row: MessageRow, stepId: string): string[] {
  if (row.channel !== 'email' && row.channel !== 'sms') return []
  const forVendors = vendorOverrides(row.overrides, stepId).flatMap(addressesIn)
  if (row.channel === 'sms') return forVendors
  const { to, cc, bcc } = channelOverrides(row.overrides, 'email', stepId)
  return [...readAddresses(to).slice(1), ...readAddresses(cc), ...readAddresses(bcc), ...forVendors]
}
