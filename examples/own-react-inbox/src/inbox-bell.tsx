import { type InboxNotification, type UseInbox, type UseInboxOptions, useInbox } from '@tidings/client/react'
import { useEffect, useId, useRef, useState } from 'react'

/** A bell with the number of unread notifications. It opens the list. Copy this file and inbox-bell.css. */
export function InboxBell(options: UseInboxOptions) {
  const inbox = useInbox(options)
  const { unreadCount } = inbox
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const bell = useRef<HTMLButtonElement>(null)
  const panelId = useId()

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setIsOpen(false)
    }
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setIsOpen(false)
      bell.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen])

  function toggle() {
    setIsOpen(!isOpen)
    // Failures are ignored: the next opening marks what this one could not.
    if (!isOpen) inbox.markSeen().catch(() => {})
  }

  return (
    <div className="inbox" ref={root}>
      <button
        type="button"
        className="inbox-bell"
        ref={bell}
        aria-label={`Notifications, ${unreadCount} unread`}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={toggle}
      >
        <BellIcon />
        {unreadCount > 0 && (
          <span className="inbox-count" aria-hidden="true">
            {unreadCount > 99 ? '99+' : unreadCount}
          </span>
        )}
      </button>
      <p className="inbox-spoken" role="status">
        {unreadCount} unread notifications
      </p>
      {isOpen && <Panel id={panelId} inbox={inbox} />}
    </div>
  )
}

function Panel({ id, inbox }: { id: string; inbox: UseInbox }) {
  const { notifications, isLoading, isLoadingMore, hasMore, error } = inbox
  const [failure, setFailure] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  /** Reports an action that failed. The list has already taken its effect back. */
  function run(action: Promise<void>) {
    setFailure('')
    action.catch((reason: Error) => setFailure(reason.message))
  }

  // Keyboard and screen-reader users start at the heading, and return to it when the button that they pressed goes away.
  const focusHeading = () => heading.current?.focus()
  useEffect(focusHeading, [])

  async function loadMore() {
    await inbox.loadMore()
    if (document.activeElement === document.body) focusHeading()
  }

  const problem = failure || (error && 'Notifications cannot be updated at the moment.')
  return (
    <section className="inbox-panel" id={id} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          Notifications
        </h2>
        <button
          type="button"
          disabled={inbox.unreadCount === 0}
          onClick={() => {
            focusHeading()
            run(inbox.readAll())
          }}
        >
          Mark all as read
        </button>
      </header>
      {problem && (
        <p className="inbox-note" role="alert">
          {problem}
        </p>
      )}
      {isLoading && <p className="inbox-note">Loading notifications…</p>}
      {notifications.length === 0 && !isLoading && !error && <p className="inbox-note">You have no notifications.</p>}
      <ul>
        {notifications.map((notification) => (
          <Item
            key={notification.id}
            notification={notification}
            onRead={() => run(notification.isRead ? inbox.unread(notification.id) : inbox.read(notification.id))}
            onArchive={() => {
              focusHeading()
              run(inbox.archive(notification.id))
            }}
          />
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="inbox-more" onClick={() => run(loadMore())}>
          {isLoadingMore ? 'Loading…' : 'Load more'}
        </button>
      )}
    </section>
  )
}

type ItemProps = { notification: InboxNotification; onRead(): void; onArchive(): void }

function Item({ notification, onRead, onArchive }: ItemProps) {
  const { subject, body, createdAt, isRead, redirect } = notification
  const title = subject ?? body
  return (
    <li data-read={isRead}>
      <p className="inbox-title">
        {!isRead && <span className="inbox-spoken">Unread: </span>}
        {redirect && isSafe(redirect.url) ? <a href={redirect.url}>{title}</a> : title}
      </p>
      {subject && <p className="inbox-body">{body}</p>}
      <div className="inbox-row">
        <time dateTime={createdAt}>{shortTime.format(new Date(createdAt))}</time>
        <button type="button" aria-label={`${isRead ? 'Mark as unread' : 'Mark as read'}: ${title}`} onClick={onRead}>
          {isRead ? 'Mark as unread' : 'Mark as read'}
        </button>
        <button type="button" aria-label={`Archive: ${title}`} onClick={onArchive}>
          Archive
        </button>
      </div>
    </li>
  )
}

const shortTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
})

/** Allows paths and web addresses. Others, such as javascript:, could run code. */
const isSafe = (url: string) => /^(https?:\/\/|\/)/i.test(url)

function BellIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M6 9a6 6 0 0 1 12 0c0 5 2 6.5 2 7.5H4C4 15.5 6 14 6 9Z" />
      <path d="M10 20a2.2 2.2 0 0 0 4 0" />
    </svg>
  )
}
