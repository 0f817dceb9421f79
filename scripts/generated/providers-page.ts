import { defaultWhenUnknown } from '../../src/core/integrations/when-unknown.ts'
import { tierOf } from '../../src/core/replies/provider-json.ts'
import type { Inbound } from '../../src/providers/inbound.ts'
import { type Channel, type CredentialField, channels, type Provider } from '../../src/providers/provider.ts'

const names: Record<Channel, string> = { in_app: 'In-app', email: 'E-mail', sms: 'SMS', chat: 'Chat', push: 'Push' }

/** docs/providers.md: all that the files under src/providers say of themselves. */
export function providersPage(providers: readonly Provider[]): string {
  const tables = channels.map((channel) => {
    const rows = providers.filter((provider) => provider.channel === channel).map(toRow)
    return [`## ${names[channel]} (${rows.length})`, '', ...header, ...rows].join('\n')
  })
  return `${[intro(providers), ...tables, callbackTable(providers)].join('\n\n')}\n`
}

function intro(providers: readonly Provider[]): string {
  const sure = Object.entries(Object.groupBy(providers, ({ verified }) => verified))
  const counted = sure.map(([verified, group]) => `${verified} ${group?.length ?? 0}`).toSorted()
  return `# Providers

Made by \`npm run generate\` from the files in \`src/providers\`; a test fails when it is stale.

**Nothing here was tried against a live account of a vendor.** Every request and every reply is tested over real
connections to a local peer, as the source named in the last column has them; the vendor itself never answered. Try an
integration with \`POST /v1/integrations/{integrationId}/test\` before you rely on it. Of ${providers.length} providers:
${counted.join(', ')}.

- **Credentials**: required ones are **bold**; what the vendor calls them is in brackets; 🔒 are secrets: encrypted at rest, masked in replies. A field that decides which server they go to (an address, a region) cannot be changed without sending the secrets again.
- **Tier**, what a fault in the middle of a send can do:
  - T0: delivered inside this service, exactly once.
  - T1: the vendor honours our key for the time named: effectively once within it. Of our own webhooks that is true when
    the receiver drops a \`webhook-id\` it knows.
  - T2: no key, but our id goes with the message to the vendor or to the receiving app, which show it: a message in doubt
    can be found by it.
  - T3: no key, and nothing to find it by.
- **In doubt**: what is done when nobody can say whether a message went out, unless \`configurations.whenUnknown\` says
  otherwise ([delivery](delivery.md)). Each such message is marked.
- **Batch**: device tokens in one call. All others take one message in each call.
- **Callbacks**: the vendor's events (delivered, bounced, complained) are taken at \`POST /v1/webhooks/{integrationId}\`;
  [below](#callbacks) is what each of them needs. \`asked\`: the vendor tells only when asked, and is asked.
- **Check**: the credentials can be checked without sending anything.
- **Verified**: where request and replies come from. \`documentation\`: the vendor's pages; \`documentation in part\`: some
  of it from clients or what is generally known; \`client source\`: code of a client, or of the server itself;
  \`general knowledge\`: try it first; \`standard\`: a published standard; \`our own\`: this service says how it is.
  [What nothing public settles](decisions/0035-providers-read-twice.md), and what a second reading found.`
}

const header = [
  '| Provider | Credentials | Tier | In doubt | Batch | Callbacks | Check | Verified |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
]

function toRow(provider: Provider): string {
  const { id, displayName, documentation, verified, tokensPerCall, check } = provider
  const credentials = Object.entries(provider.credentials).map(([name, field]) => toCredential(name, field))
  const cells = [
    `${displayName}<br>\`${id}\``,
    [...(provider.needs === undefined ? [] : [provider.needs]), credentials.join(', ') || 'none'].join('<br>'),
    tierCell(provider),
    inDoubt(provider),
    tokensPerCall === undefined ? '' : String(tokensPerCall),
    callbackCell(provider),
    check ? 'yes' : '',
    documentation === undefined ? verified : `[${verified}](${documentation})`,
  ]
  return `| ${cells.join(' | ')} |`
}

function callbackCell({ inbound, receipts }: Provider): string {
  if (receipts) return 'asked'
  return inbound ? 'yes' : ''
}

function callbackTable(providers: readonly Provider[]): string {
  const rows = providers.flatMap(({ displayName, channel, inbound }) =>
    inbound
      ? `| ${displayName}, ${names[channel]} | **${inbound.key.label}**. ${inbound.key.help} | ${whereToldOf(inbound)} |`
      : [],
  )
  return `## Callbacks

What \`configurations.inboundWebhookSigningKey\` is, and how the vendor learns where to call
([delivery](delivery.md#callbacks)). *Set up*: give the vendor the address once. *Each message*: nothing to set up, but
\`PUBLIC_URL\` must be set. *With the key*: the vendor signs nothing, so the address ends with \`?key=\` and the key.

| Provider | The signing key | The address |
| --- | --- | --- |
${rows.join('\n')}`
}

function whereToldOf({ perMessage, keyInUrl }: Inbound): string {
  return `${perMessage ? 'each message' : 'set up'}${keyInUrl ? ', with the key' : ''}`
}

function toCredential(name: string, { required, secret, label }: CredentialField): string {
  const isSaid = label === undefined || label.replaceAll(' ', '').toLowerCase() === name.toLowerCase()
  const meaning = isSaid ? '' : ` (${label})`
  return `${required ? `**${name}**` : name}${meaning}${secret ? ' 🔒' : ''}`
}

function tierCell(provider: Provider): string {
  const tier = tierOf(provider)
  return tier === 'T1' ? `T1 (${toDuration(provider.idempotencyWindowMs ?? 0)})` : tier
}

function inDoubt(provider: Provider): string {
  if (tierOf(provider) === 'T0') return 'never'
  if (provider.idempotencyWindowMs !== undefined) return 'sent again, under its key'
  return defaultWhenUnknown(provider) === 'atMostOnce' ? 'not sent again' : 'sent again'
}

function toDuration(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 120) return `${minutes} min`
  return minutes < 2_880 ? `${minutes / 60} h` : `${minutes / 1_440} days`
}
