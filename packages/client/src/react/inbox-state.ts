import type { InboxNotification } from '../api-types.ts'
import type { InboxButton } from '../inbox/inbox.ts'

/** The state of an inbox at one moment. Each change makes a new object. */
export interface InboxState {
  /** The loaded notifications, newest first. */
  readonly notifications: readonly InboxNotification[]
  /**
   * How many notifications of the whole inbox are unread. A filter does not limit this number. While `isConnected`, it
   * stops at 1,000.
   */
  readonly unreadCount: number
  /** Whether the first page is still on its way. */
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  /** Whether `loadMore` would find older notifications. */
  readonly hasMore: boolean
  /** Whether changes arrive live. The connection is restored automatically, unless the session was refused. */
  readonly isConnected: boolean
  /** Why the list may be out of date, such as a failed request or a lost connection. Null while everything works. */
  readonly error: Error | null
}

/**
 * The actions of an inbox. A change shows its effect at once, except `complete` and `markSeen`, whose effect appears when
 * the list is loaded again. A change that fails restores the list and rejects. `loadMore` and `refresh` never reject:
 * `error` of the state says why they failed. Before the component is mounted, and while its options are null, `loadMore`,
 * `refresh` and `markSeen` do nothing, and the other changes reject.
 */
export interface InboxActions {
  /** Loads older notifications. */
  loadMore(): Promise<void>
  /**
   * Loads the list again. You need it only after `error` reported a refused session, because the list is live and a
   * failed request is repeated.
   */
  refresh(): Promise<void>
  read(id: string): Promise<void>
  unread(id: string): Promise<void>
  archive(id: string): Promise<void>
  unarchive(id: string): Promise<void>
  /** Hides a notification until the given time. */
  snooze(id: string, until: Date | string): Promise<void>
  unsnooze(id: string): Promise<void>
  delete(id: string): Promise<void>
  /** Records that a button of the notification was pressed. */
  complete(id: string, button: InboxButton): Promise<void>
  /**
   * Marks all notifications as read, or those with the `tags` and `data` of the filter. Rejects if the filter contains
   * anything else, except `read: false`.
   */
  readAll(): Promise<void>
  /**
   * Archives all notifications, or those with the `tags` and `data` of the filter. Rejects if the filter contains
   * anything else.
   */
  archiveAll(): Promise<void>
  /** Marks the loaded notifications as seen, for example when the person opens the list. */
  markSeen(): Promise<void>
}

export const initialState: InboxState = {
  notifications: [],
  unreadCount: 0,
  isLoading: true,
  isLoadingMore: false,
  hasMore: false,
  isConnected: false,
  error: null,
}
