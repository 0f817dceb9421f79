import type { ReactNode } from 'react'
import type { Activity, Job, SentMessage } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { isChannel, stepIcon, toneOfJob } from '../activity/steps.ts'
import { StepCard } from './step-card.tsx'

type TimelineProps = { event: Activity; messages: readonly SentMessage[] | undefined }

/** From the trigger down to the last step, in the order in which they run. */
export function Timeline({ event, messages }: TimelineProps) {
  const byJob = Map.groupBy(messages ?? [], ({ jobId }) => jobId)
  const shown = openAtFirst(event.jobs)
  return (
    <ol aria-label="Steps" className="min-w-0">
      <Stop icon="play" tone="neutral">
        <p className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 text-muted">
          <span>
            <span className="font-medium text-ink">Event accepted</span>
            <Reached event={event} />
          </span>
          <Time at={event.createdAt} full />
        </p>
      </Stop>
      {event.jobs.map((job) => (
        <Stop key={job._id} icon={stepIcon(job.type)} tone={toneOfJob(job.status)}>
          <StepCard
            job={job}
            messages={byJob.get(job._id) ?? []}
            isLoading={messages === undefined}
            startsOpen={shown.has(job._id)}
            mergedInto={job.status === 'merged' ? event._digestedNotificationId : undefined}
          />
        </Stop>
      ))}
      {event.jobs.length === 0 && (
        <li className="pl-11 text-muted">This workflow had no step when it was triggered, so nothing was sent.</li>
      )}
    </ol>
  )
}

/** All of a few. Of many those that failed or are being sent, or else the first that reached the person. */
function openAtFirst(jobs: readonly Job[]): ReadonlySet<string> {
  const hot = jobs.filter(({ status }) => status === 'failed' || status === 'queued')
  const sent = jobs.filter(({ status, type }) => status === 'completed' && isChannel(type))
  const open = jobs.length <= 3 ? jobs : hot.length > 0 ? hot : sent.slice(0, 1)
  return new Set(open.map(({ _id }) => _id))
}

function Reached({ event: { topics = [] } }: { event: Activity }) {
  const [topic] = topics
  if (!topic) return null
  return (
    <>
      {' '}
      through topic{' '}
      <TextLink href={paths.topic(topic.topicKey)} className="underline">
        {topic.topicKey}
      </TextLink>
    </>
  )
}

const tones: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  info: 'bg-accent-soft text-accent',
  neutral: 'bg-neutral-soft text-muted',
}

function Stop({ icon, tone, children }: { icon: IconName; tone: Tone; children: ReactNode }) {
  return (
    <li className="group relative flex min-w-0 gap-3 pb-4 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-0 left-4 w-px -translate-x-1/2 bg-line-strong group-last:hidden"
      />
      <span className={`relative flex size-8 shrink-0 items-center justify-center rounded-full ${tones[tone]}`}>
        <Icon name={icon} />
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  )
}
