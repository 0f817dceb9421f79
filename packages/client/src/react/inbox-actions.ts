import type { InboxNotification } from '../api-types.ts'
import type { BulkFilter, Inbox, InboxFilter } from '../inbox/inbox.ts'
import type { InboxActions, InboxState } from './inbox-state.ts'

/** Returns a notification as it is after a change, or null if it then no longer belongs in the list. */
export type Edit = (notification: InboxNotification) => InboxNotification | null

/** Shows the effect of a change at once and sends the change. `ids` names the notifications that change. */
export type Change = (ids: string | 'all', edit: Edit, send: () => Promise<unknown>) => Promise<void>

type Options = { inbox: Inbox; filter: InboxFilter; change: Change; getState(): InboxState }

export function createActions(options: Options): Omit<InboxActions, 'loadMore' | 'refresh'> {
  const { inbox, filter, change, getState } = options
  const edits = editsIn(filter)
  return {
    read: (id) => change(id, edits.read, () => inbox.read(id)),
    unread: (id) => change(id, edits.unread, () => inbox.unread(id)),
    archive: (id) => change(id, edits.archived, () => inbox.archive(id)),
    unarchive: (id) => change(id, edits.unarchived, () => inbox.unarchive(id)),
    snooze: (id, until) => change(id, edits.snoozed, () => inbox.snooze(id, until)),
    unsnooze: (id) => change(id, edits.unsnoozed, () => inbox.unsnooze(id)),
    delete: (id) =>
      change(
        id,
        () => null,
        () => inbox.delete(id),
      ),
    // The pressed button appears when the list is loaded again after the change.
    complete: (id, button) =>
      change(
        id,
        (it) => it,
        () => inbox.complete(id, button),
      ),
    async readAll() {
      const { read, ...others } = filter
      // Marking a read notification as read changes nothing, so a list of unread ones can be read as a whole.
      const bulk = bulkFilterOf('readAll', read === false ? others : filter)
      await change('all', edits.read, () => inbox.readAll(bulk))
    },
    async archiveAll() {
      const bulk = bulkFilterOf('archiveAll', filter)
      await change('all', edits.archived, () => inbox.archiveAll(bulk))
    },
    async markSeen() {
      const ids = getState().notifications.flatMap(({ id, isSeen }) => (isSeen ? [] : [id]))
      if (ids.length > 0) await inbox.seen({ ids })
    },
  }
}

/** Returns the filter of a change of all notifications. Throws if it would reach some that the list does not show. */
function bulkFilterOf(action: string, { tags, data, ...others }: InboxFilter): BulkFilter {
  const [other] = Object.keys(others)
  if (other === undefined) return { ...(tags && { tags }), ...(data && { data }) }
  const reason = `the filter of this list contains \`${other}\`, but only \`tags\` and \`data\` can limit this action`
  throw new TypeError(`${action}: ${reason}. Change the notifications one by one.`)
}

/**
 * Returns the effect of each change on a list with this filter. A notification leaves the list if the filter no longer
 * matches it. Archived and snoozed notifications are listed only if the filter asks for them.
 */
function editsIn(filter: InboxFilter) {
  const keptIf = (isKept: boolean, edit: Edit): Edit => (isKept ? edit : () => null)
  return {
    read: keptIf(filter.read !== false, (it) => ({ ...it, isRead: true })),
    unread: keptIf(filter.read !== true, (it) => ({ ...it, isRead: false })),
    archived: keptIf(filter.archived === true, (it) => ({ ...it, isArchived: true })),
    unarchived: keptIf(filter.archived !== true, (it) => ({ ...it, isArchived: false })),
    snoozed: keptIf(filter.snoozed === true, (it) => ({ ...it, isSnoozed: true })),
    unsnoozed: keptIf(filter.snoozed !== true, (it) => ({ ...it, isSnoozed: false })),
  }
}
