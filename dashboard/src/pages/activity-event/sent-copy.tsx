import { useParams } from '@tanstack/react-router'
import type { SentMessage } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { MessageView } from './message-view.tsx'
import { copiesOf, copyWords } from './sent-copies.ts'

/** Links to what is kept of a step's e-mails. They can be sent to a colleague. */
export function CopyLinks({ messages }: { messages: readonly SentMessage[] }) {
  const { notificationId = '' } = useParams({ strict: false })
  const copies = copiesOf(messages)
  if (copies.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3 pl-10">
      {copies.map((message) => (
        <TextLink key={message._id} href={paths.sent(notificationId, message._id)} className="break-all underline">
          {copyWords(message, copies.length > 1)}
        </TextLink>
      ))}
    </p>
  )
}

/** The copy that the address names, as it was stored: nothing is rendered anew. `messages`: undefined while they are read. */
export function SentCopy({ messages }: { messages: readonly SentMessage[] | undefined }) {
  const [filters, setFilters] = useFilters<'sent'>()
  if (!filters.sent) return null
  const message = messages && copiesOf(messages).find(({ _id }) => _id === filters.sent)
  return (
    <Drawer
      open
      size="lg"
      title={message?.status === 'sent' ? 'What was sent' : 'What was to be sent'}
      description="The stored copy, word for word. Its links and pictures are dead here."
      onClose={() => setFilters({ sent: undefined })}
    >
      {!messages && <SkeletonLines lines={8} />}
      {messages && !message && (
        <Empty icon="mail" title="There is no such copy">
          This event has no e-mail by this id, or its content was removed.
        </Empty>
      )}
      {message && <MessageView message={message} height="calc(100dvh - 17rem)" />}
    </Drawer>
  )
}
