import type { Integration, Provider } from '../../api/types.ts'
import { type Channel, channelName } from '../../lib/channels.ts'
import { useMay } from '../../lib/may.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Anchor } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Matches } from './own-integrations.tsx'

type GalleryProps = { providers: readonly Provider[]; integrations: readonly Integration[]; matches: Matches }

/** What has to be connected comes before what is built in. */
const order: readonly Channel[] = ['email', 'sms', 'push', 'chat', 'in_app']

/** Everything that can be connected, by channel. */
export function Gallery({ providers, integrations, matches }: GalleryProps) {
  const shown = providers.filter(({ channel, displayName, providerId }) =>
    matches({ channel, words: `${displayName} ${providerId}` }),
  )
  if (shown.length === 0) {
    return (
      <Card>
        <Empty icon="search" title="No such provider">
          For e-mail any SMTP server will do: take “Custom SMTP”. For anything else there is a webhook on every channel.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {order.map((channel) => {
        const here = shown.filter((one) => one.channel === channel)
        if (here.length === 0) return null
        return (
          <section key={channel} aria-label={`${channelName(channel)} providers`}>
            <h2 className="mb-3 text-lg">
              {channelName(channel)} <span className="font-normal text-muted">{here.length}</span>
            </h2>
            <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
              {here
                .toSorted((a, b) => a.displayName.localeCompare(b.displayName))
                .map((provider) => (
                  <li key={provider.providerId} className="min-w-0">
                    <Tile
                      provider={provider}
                      count={integrations.filter(({ providerId }) => providerId === provider.providerId).length}
                    />
                  </li>
                ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

function Tile({ provider, count }: { provider: Provider; count: number }) {
  const { displayName, providerId, available, further } = provider
  const mayConnect = useMay('credentials')
  const look = 'flex h-full items-start gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-card'
  const inside = (
    <>
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-md bg-neutral-soft text-sm font-semibold text-muted"
      >
        {displayName.slice(0, 1)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{displayName}</span>
          {count > 0 && <Badge tone="ok">{count === 1 ? 'yours' : `${count} yours`}</Badge>}
          {!available && <Badge>not in production</Badge>}
        </span>
        <span className="block truncate text-sm text-muted">{needsOf(provider)}</span>
        {further && <span className="block truncate text-xs text-muted">beyond the published clients</span>}
      </span>
    </>
  )
  if (!available || !mayConnect) return <div className={`${look} ${available ? '' : 'opacity-75'}`}>{inside}</div>
  return (
    <Anchor
      href={paths.integration('new') + toSearch({ providerId })}
      className={`${look} transition-colors hover:border-line-strong hover:bg-hover`}
    >
      {inside}
    </Anchor>
  )
}

function needsOf({ channel, credentials, developmentOnly, needs, usesSubscriberWebhook }: Provider): string {
  if (channel === 'in_app') return 'Built in'
  if (developmentOnly) return 'Shows messages in the mailbox here'
  const needed = credentials.filter(({ required }) => required).map(({ label }) => label)
  if (needed.length > 0) return needed.join(', ')
  return needs ?? (usesSubscriberWebhook ? "Each person's own webhook" : 'Needs nothing')
}
