import type { InboxNotification } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'

const tones: Partial<Record<string, Tone>> = { high: 'bad', medium: 'warn', low: 'neutral' }

/** One notification as the person sees it. Text stays text, pictures are not fetched, and its buttons do nothing here. */
export function NotificationItem({ item }: { item: InboxNotification }) {
  const tone = tones[item.severity]
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3.5 last:border-0">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
        <Icon name="bell" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-start gap-2">
          <p className={`min-w-0 flex-1 break-words ${item.isRead ? '' : 'font-semibold'}`}>
            {!item.isRead && <span className="sr-only">Unread: </span>}
            {item.subject || item.body}
          </p>
          {tone && <Badge tone={tone}>{item.severity}</Badge>}
          <span className={`mt-1.5 size-2 shrink-0 rounded-full ${item.isRead ? '' : 'bg-accent'}`} />
        </div>
        {item.subject && <p className="break-words whitespace-pre-wrap">{item.body}</p>}
        <Buttons item={item} />
        <p className="flex flex-wrap gap-x-1.5 text-sm text-muted">
          <Time at={item.createdAt} />
          <span aria-hidden="true">·</span>
          <TextLink href={paths.activity + toSearch({ transactionId: item.transactionId })}>
            {item.workflow?.name ?? 'Activity'}
          </TextLink>
          <span aria-hidden="true">·</span>
          <span>{stateOf(item)}</span>
        </p>
      </div>
    </li>
  )
}

function stateOf({ isRead, isSeen }: InboxNotification): string {
  return isRead ? 'read' : isSeen ? 'seen, not read' : 'not seen yet'
}

/** They look like buttons: pressing one would be the person's own doing. */
function Buttons({ item }: { item: InboxNotification }) {
  const buttons = [item.primaryAction, item.secondaryAction].flatMap((action, index) =>
    action ? [{ ...action, isPrimary: index === 0 }] : [],
  )
  if (buttons.length === 0) return null
  return (
    <ul aria-label="Buttons, not pressed from here" className="flex flex-wrap gap-2 py-1">
      {buttons.map(({ label, isPrimary, isCompleted, redirect }) => (
        <li
          key={`${isPrimary} ${label}`}
          title={redirect?.url}
          className={`min-w-0 rounded-md border px-2.5 py-1 text-sm font-medium break-words ${
            isPrimary ? 'border-transparent bg-accent text-on-accent' : 'border-line-strong'
          }`}
        >
          {label}
          {isCompleted && ' (done)'}
        </li>
      ))}
    </ul>
  )
}
