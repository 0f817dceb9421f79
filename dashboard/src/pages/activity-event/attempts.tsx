import type { Attempt, SentMessage } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge, Status } from '../../ui/badge.tsx'
import { Mono } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { useIntegrations } from '../activity/lookups.ts'
import { Redrive } from './actions.tsx'

/** Every time a provider was asked, and what it said. */
export function Attempts({ messages }: { messages: readonly SentMessage[] }) {
  return (
    <div className="flex flex-col gap-6">
      {messages.map((message) => (
        <div key={message._id} className="min-w-0">
          {messages.length > 1 && <h3 className="mb-2 text-sm break-all">To {message.to ?? message.providerId}</h3>}
          {message.attempts.length === 0 && <p className="text-muted">No provider was asked yet.</p>}
          <ol className="divide-y divide-line">
            {message.attempts.map((attempt) => (
              <Try key={attempt.number} attempt={attempt} />
            ))}
          </ol>
          <WhatNext message={message} />
        </div>
      ))}
    </div>
  )
}

function Try({ attempt }: { attempt: Attempt }) {
  const integration = useIntegrations().get(attempt.integrationId)
  return (
    <li className="py-2.5 first:pt-0">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="text-muted">Try {attempt.number}</span>
        <Status value={attempt.outcome ?? 'under way'} />
        {integration ? (
          <TextLink href={paths.integration(integration._id)}>{integration.name}</TextLink>
        ) : (
          <span>{attempt.providerId}</span>
        )}
        {attempt.integrationRefused && <Badge tone="warn">refused the integration, not the message</Badge>}
        <span className="ml-auto text-sm text-muted">
          {durationOf(attempt)} <Time at={attempt.startedAt} full />
        </span>
      </p>
      {attempt.reason && (
        <p className="mt-1.5 rounded-md border border-line bg-bg px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {attempt.reason}
        </p>
      )}
    </li>
  )
}

function durationOf({ startedAt, endedAt }: Attempt): string {
  if (!endedAt) return ''
  const ms = Date.parse(endedAt) - Date.parse(startedAt)
  return ms < 1000 ? `${ms} ms ·` : `${(ms / 1000).toFixed(1)} s ·`
}

/** What is still to come, or what can be done about it. */
function WhatNext({ message }: { message: SentMessage }) {
  const { delivery, nextTryAt, expiresAt, externalId, errorId } = message
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted empty:hidden">
      {nextTryAt && message.attempts.length > 0 && (
        <span>
          Next try: <Time at={nextTryAt} full />
        </span>
      )}
      {delivery === 'open' && expiresAt && (
        <span>
          Given up after: <Time at={expiresAt} full />
        </span>
      )}
      {errorId && errorId !== 'delivery_pending' && (
        <span>
          Code: <Mono>{errorId}</Mono>
        </span>
      )}
      {externalId && (
        <span className="min-w-0 break-all">
          Id at the provider: <Mono>{externalId}</Mono>
        </span>
      )}
      {delivery === 'dead' && (
        <span className="ml-auto">
          <Redrive messageIds={[message._id]} />
        </span>
      )}
    </div>
  )
}
