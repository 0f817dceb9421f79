import type { ReactNode } from 'react'
import type { Subscriber } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { personName } from '../../ui/person.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { ConnectionMark } from './connection-mark.tsx'
import { NotificationItem } from './notification-item.tsx'
import { type Look, useLook } from './use-look.ts'

/** The bell and its list, in a page like those of the person's app. */
export function Bell({ person }: { person: Subscriber }) {
  const look = useLook(person.subscriberId)
  const name = personName(person)
  return (
    <Card
      title={`As ${name} sees it`}
      actions={!look.fault && <ConnectionMark connection={look.connection} />}
      flush
      className="overflow-hidden"
    >
      {look.fault ? (
        <div className="p-4">
          <FaultNote fault={look.fault} onRetry={look.openAgain} />
        </div>
      ) : (
        <Stage unread={look.unread}>
          {look.connection === 'ended' && <Ended onOpen={look.openAgain} />}
          <List look={look} name={name} />
        </Stage>
      )}
    </Card>
  )
}

/** A page that might be anybody's, with the bell in its corner. */
function Stage({ unread, children }: { unread: number | null; children: ReactNode }) {
  return (
    <div className="bg-bg p-3 sm:p-5">
      <div className="flex items-center justify-between px-1 pb-3">
        <span aria-hidden="true" className="flex items-center gap-3">
          <span className="size-6 rounded-md bg-line" />
          <span className="h-2 w-16 rounded-full bg-line" />
          <span className="h-2 w-12 rounded-full bg-line max-sm:hidden" />
          <span className="h-2 w-14 rounded-full bg-line max-sm:hidden" />
        </span>
        <BellIcon unread={unread} />
      </div>
      <div className="ml-auto max-w-lg overflow-hidden rounded-lg border border-line bg-raised shadow-pop">
        <div className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-2.5">
          <h3>Notifications</h3>
          <p aria-live="polite" className="text-sm text-muted">
            {unread !== null && (unread === 0 ? 'nothing unread' : `${unread.toLocaleString('en')} unread`)}
          </p>
        </div>
        {children}
      </div>
    </div>
  )
}

function BellIcon({ unread }: { unread: number | null }) {
  return (
    <span
      role="img"
      aria-label={`Bell: ${unread ?? 0} unread`}
      className="relative flex size-9 items-center justify-center rounded-md border border-line bg-surface"
    >
      <Icon name="bell" size={18} />
      {Boolean(unread) && (
        <span className="absolute -top-1.5 -right-1.5 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-accent px-1 text-xs font-semibold text-on-accent">
          {(unread ?? 0) > 99 ? '99+' : unread}
        </span>
      )}
    </span>
  )
}

function List({ look: { rows, hasMore, isLoadingMore, loadMore }, name }: { look: Look; name: string }) {
  if (!rows) {
    return (
      <div className="p-4">
        <SkeletonLines lines={6} />
      </div>
    )
  }
  if (rows.length === 0) {
    return (
      <Empty
        icon="bell"
        title={`${name} has no notifications`}
        action={<ButtonLink href={paths.workflows}>Test-run a workflow</ButtonLink>}
      >
        Test-run a workflow with an in-app step for them: it appears here at once. Archived and snoozed ones are not
        shown.
      </Empty>
    )
  }
  return (
    <>
      <ul aria-label="Notifications">
        {rows.map((item) => (
          <NotificationItem key={item.id} item={item} />
        ))}
      </ul>
      {hasMore && (
        <div className="border-t border-line p-2 text-center">
          <Button size="sm" kind="quiet" busy={isLoadingMore} onClick={loadMore}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  )
}

function Ended({ onOpen }: { onOpen(): void }) {
  return (
    <div role="alert" className="flex items-center gap-3 border-b border-line bg-warn-soft px-4 py-2.5 text-warn">
      <p className="min-w-0 flex-1">
        This look has ended: the key you signed in with was revoked, or the subscriber was deleted.
      </p>
      <Button size="sm" onClick={onOpen}>
        Open again
      </Button>
    </div>
  )
}
