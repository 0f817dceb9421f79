import { useId, useState } from 'react'
import type { Job, SentMessage } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge, Status } from '../../ui/badge.tsx'
import { Json } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { isChannel, stepTypeName } from '../activity/steps.ts'
import { Attempts } from './attempts.tsx'
import { History } from './history.tsx'
import { MessageView } from './message-view.tsx'
import { CopyLinks } from './sent-copy.tsx'
import { storyOf } from './story.ts'

type StepCardProps = {
  job: Job
  messages: readonly SentMessage[]
  isLoading: boolean
  startsOpen: boolean
  mergedInto: string | undefined
}

export function StepCard({ job, messages, isLoading, startsOpen, mergedInto }: StepCardProps) {
  const [open, setOpen] = useState(startsOpen)
  const id = useId()
  const name = job.step.name ?? stepTypeName(job.type)
  const feedback = messages.find((message) => message.feedback)?.feedback
  return (
    <section aria-label={name} className="min-w-0 rounded-lg border border-line bg-surface shadow-card">
      <h2 className="text-base">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex w-full items-start gap-2.5 rounded-lg px-4 py-2.5 text-left hover:bg-hover"
        >
          <Icon
            name="chevron"
            size={12}
            className={`mt-1 text-faint transition-transform ${open ? 'rotate-90' : ''}`}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="min-w-0 font-semibold break-words">{name}</span>
            {name !== stepTypeName(job.type) && (
              <span className="font-normal text-muted">{stepTypeName(job.type)}</span>
            )}
            <Status value={job.status} />
            {feedback && <Badge tone={feedback === 'delivered' ? 'ok' : 'bad'}>{feedback}</Badge>}
          </span>
          <span className="shrink-0 text-sm leading-5 font-normal text-muted">
            <Time at={job.updatedAt} />
          </span>
        </button>
      </h2>
      <Story job={job} messages={messages} mergedInto={mergedInto} />
      <CopyLinks messages={messages} />
      {open && (
        <div id={id} className="border-t border-line p-4 pt-2">
          {isLoading && isChannel(job.type) ? <SkeletonLines lines={4} /> : <Body job={job} messages={messages} />}
        </div>
      )}
    </section>
  )
}

/** The outcome in a sentence, so that nobody has to open a step to understand it. */
function Story({ job, messages, mergedInto }: Pick<StepCardProps, 'job' | 'messages' | 'mergedInto'>) {
  const { text, words } = storyOf(job, messages)
  if (!text && !words && !mergedInto) return null
  return (
    <div className="px-4 pb-3 pl-10">
      <p className="break-words text-muted">
        {text}
        {mergedInto && (
          <>
            {' '}
            <TextLink href={paths.event(mergedInto)} className="underline">
              Open the one that gathers
            </TextLink>
          </>
        )}
      </p>
      {words && <p className={`mt-1 break-words ${job.status === 'failed' ? 'text-bad' : 'text-warn'}`}>{words}</p>}
    </div>
  )
}

type View = 'message' | 'attempts' | 'gathered' | 'history'

function Body({ job, messages }: Pick<StepCardProps, 'job' | 'messages'>) {
  const tries = messages.reduce((sum, { attempts }) => sum + attempts.length, 0)
  const readable = messages.filter(({ content, subject, html }) => content || subject || html)
  const gathered = job.digest?.events ?? []
  const tabs: { id: View; label: string; there: boolean }[] = [
    {
      id: 'message',
      label: readable.length > 1 ? `Messages (${readable.length})` : 'Message',
      there: readable.length > 0,
    },
    { id: 'gathered', label: `Gathered (${gathered.length})`, there: gathered.length > 0 },
    { id: 'attempts', label: `Tries (${tries})`, there: messages.some(({ delivery }) => delivery) },
    { id: 'history', label: `History (${job.executionDetails.length})`, there: true },
  ]
  const items = tabs.filter(({ there }) => there)
  const [chosen, setChosen] = useState<View>(
    ['failed', 'queued'].includes(job.status) && tries > 0 ? 'attempts' : 'message',
  )
  const view = items.find(({ id }) => id === chosen)?.id ?? items[0]?.id ?? 'history'
  return (
    <Tabs label="Details of the step" items={items} value={view} onChange={setChosen}>
      {view === 'message' && <Messages messages={readable} />}
      {view === 'gathered' && <Json value={gathered} label="Payloads this digest gathered" />}
      {view === 'attempts' && <Attempts messages={messages} />}
      {view === 'history' && <History details={job.executionDetails} />}
    </Tabs>
  )
}

function Messages({ messages }: { messages: readonly SentMessage[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {messages.map((message) => (
        <MessageView key={message._id} message={message} />
      ))}
    </div>
  )
}
