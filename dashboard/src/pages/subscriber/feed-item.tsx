import type { InboxNotification } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { Json } from '../../ui/code.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { type FeedVerb, useFeedChange } from './feed-pages.ts'
import { WebAddress } from './web-address.tsx'

type FeedItemProps = {
  subscriberId: string
  item: InboxNotification
  onChange(item: InboxNotification): void
  onClose(): void
}

export function FeedItemDrawer({ subscriberId, item, onChange, onClose }: FeedItemProps) {
  const change = useFeedChange(subscriberId, onChange)
  const does = (verb: FeedVerb) => () => change.mutate({ id: item.id, verb })
  return (
    <Drawer
      open
      title={item.subject || 'Notification'}
      onClose={onClose}
      footer={
        <>
          {item.isSnoozed && (
            <Button needs="subscribers" disabled={change.isPending} onClick={does('unsnooze')}>
              Wake up
            </Button>
          )}
          <Button
            needs="subscribers"
            disabled={change.isPending}
            onClick={does(item.isArchived ? 'unarchive' : 'archive')}
          >
            {item.isArchived ? 'Take out of archive' : 'Archive'}
          </Button>
          <Button needs="subscribers" disabled={change.isPending} onClick={does(item.isRead ? 'unread' : 'read')}>
            {item.isRead ? 'Mark as unread' : 'Mark as read'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <AsShown item={item} />
        <Facts items={factsOf(item)} />
        {item.data && <Json value={item.data} label="Data" />}
        <div>
          <ButtonLink size="sm" icon="activity" href={paths.activity + toSearch({ transactionId: item.transactionId })}>
            Show in activity
          </ButtonLink>
        </div>
      </div>
    </Drawer>
  )
}

/** Text stays text: nothing in a notification is run or loaded here. */
function AsShown({ item }: { item: InboxNotification }) {
  const actions = [item.primaryAction, item.secondaryAction].filter((action) => action !== undefined)
  return (
    <div className="rounded-lg border border-line bg-bg p-4">
      {item.subject && <p className="font-semibold break-words">{item.subject}</p>}
      <p className="break-words whitespace-pre-wrap">{item.body}</p>
      {item.redirect && <WebAddress url={item.redirect.url} />}
      {actions.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {actions.map(({ label, isCompleted, redirect }) => (
            <li key={label} className="min-w-0 rounded-md border border-line-strong bg-surface px-2.5 py-1 text-sm">
              {label}
              {isCompleted && <span className="text-ok"> (done)</span>}
              {redirect && <WebAddress url={redirect.url} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function factsOf(item: InboxNotification) {
  const { workflow } = item
  return [
    [
      'Workflow',
      workflow ? (
        <TextLink key="w" href={paths.workflow(workflow.identifier)}>
          {workflow.name}
        </TextLink>
      ) : (
        '–'
      ),
    ],
    ['Delivered', <Time key="d" at={item.createdAt} full />],
    ['First seen', <Time key="s" at={item.firstSeenAt} full />],
    ['Read', <Time key="r" at={item.readAt} full />],
    ...(item.snoozedUntil ? [['Snoozed until', <Time key="z" at={item.snoozedUntil} full />] as const] : []),
    ['Tags', item.tags?.join(', ') || '–'],
    ['Severity', item.severity],
  ] as const
}
