import type { Callbacks } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { mostTold, toldWords } from './callback-words.ts'

/** Whether the vendor calls, and what it said last. */
export function LastCalls({ callbacks }: { callbacks: Callbacks }) {
  const { enabled, lastAt, refusedAt } = callbacks
  return (
    <section aria-label="What the vendor told" className="flex flex-col gap-2 text-sm">
      {!enabled && <p className="text-muted">Calls are refused until this is saved with a key.</p>}
      {enabled && !lastAt && !refusedAt && <p className="text-muted">Nothing has arrived yet.</p>}
      {lastAt && <Told callbacks={callbacks} />}
      {refusedAt && <Refused callbacks={callbacks} />}
    </section>
  )
}

function Told({ callbacks: { lastAt, last } }: { callbacks: Callbacks }) {
  const shown = last.slice(0, mostTold)
  return (
    <div className="flex items-start gap-2">
      <Icon name="check" className="mt-0.5 text-ok" />
      <div className="min-w-0">
        Last call <Time at={lastAt} />
        {last.length === 0 ? ': nothing new' : ': '}
        {shown.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one call may say the same twice, and its events have no ids
          <span key={index}>
            {index > 0 && '; '}
            {toldWords(event)}
            {event.messageId !== null && <MessageLink {...event} messageId={event.messageId} />}
          </span>
        ))}
        {last.length > shown.length && ` and ${last.length - shown.length} more`}
      </div>
    </div>
  )
}

/** A message whose history was removed has no page. */
function MessageLink({ messageId, notificationId }: { messageId: string; notificationId: string | null }) {
  const text = <span className="font-mono text-[0.92em] break-all">{messageId}</span>
  return (
    <>, message {notificationId === null ? text : <TextLink href={paths.event(notificationId)}>{text}</TextLink>}</>
  )
}

function Refused({ callbacks: { lastAt, refusedAt, refused } }: { callbacks: Callbacks }) {
  const isNews = (refusedAt ?? '') > (lastAt ?? '')
  return (
    <div className={`flex items-start gap-2 ${isNews ? 'text-bad' : 'text-muted'}`}>
      <Icon name="warn" className="mt-0.5" />
      <p className="min-w-0">
        Last refused call <Time at={refusedAt} />: {refused}
      </p>
    </div>
  )
}
