import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import type { Activity, Job, SentMessage, WorkflowStep } from '../../api/types.ts'
import { Status } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fullTime } from '../../ui/time.tsx'
import { personName, stepIcon, stepTypeName } from '../activity/steps.ts'
import { storyOf } from '../activity-event/story.ts'
import { pairsOf } from './pairs.ts'
import type { Recipient } from './recipient.ts'
import { OutcomeBadge, Why } from './step-line.tsx'
import { Verdict } from './verdict.tsx'

type ThenAndNowProps = {
  happened: Activity
  now: Recipient
  /** The steps of the workflow as it is today. */
  steps: readonly WorkflowStep[]
  workflow: string
}

/** What happened beside what would happen now: where they differ, something was changed since. */
export function ThenAndNow({ happened, now, steps, workflow }: ThenAndNowProps) {
  const { data } = useQuery({
    queryKey: ['live', 'event', happened._id, 'messages'],
    queryFn: ({ signal }) =>
      api.get('/v1/notifications/{notificationId}/messages', { path: { notificationId: happened._id }, signal }),
  })
  const messagesOf = (jobId: string) => (data?.data ?? []).filter((message) => message.jobId === jobId)
  return (
    <Card
      flush
      title={personName(happened.subscriber)}
      description={`Then: ${happened.createdAt ? fullTime(happened.createdAt) : 'when it was triggered'}. Now: the same event today.`}
      actions={<Verdict recipient={now} />}
    >
      <ol className="divide-y divide-line">
        {pairsOf(happened.jobs, now.steps, steps).map((pair) => (
          <li key={pair.id} className="min-w-0 px-4 py-3">
            <h3 className="mb-2 flex items-center gap-2.5 text-base">
              <Icon name={stepIcon(pair.type)} className="text-muted" />
              <span className="min-w-0 break-words">{pair.name}</span>
              {pair.name !== stepTypeName(pair.type) && (
                <span className="font-normal text-muted">{stepTypeName(pair.type)}</span>
              )}
            </h3>
            <div className="grid gap-3 pl-6.5 sm:grid-cols-2 sm:gap-6">
              <Then job={pair.job} messages={pair.job ? messagesOf(pair.job._id) : []} />
              <Side label="Now" badge={pair.now && <OutcomeBadge outcome={pair.now.outcome} />}>
                {pair.now ? (
                  <Why step={pair.now} subscriberId={now.subscriberId} workflow={workflow} />
                ) : (
                  <p className="text-muted">The workflow no longer has this step.</p>
                )}
              </Side>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Then({ job, messages }: { job: Job | undefined; messages: readonly SentMessage[] }) {
  const story = job && storyOf(job, messages)
  return (
    <Side label="Then" badge={job && <Status value={job.status} />}>
      <p className="mt-0.5 break-words text-muted">{story ? story.text : 'The workflow did not have this step yet.'}</p>
      {story?.words && <p className="mt-1 break-words text-warn">{story.words}</p>}
    </Side>
  )
}

function Side({ label, badge, children }: { label: string; badge: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2.5">
        <span className="w-9 text-sm text-muted">{label}</span>
        {badge}
      </p>
      {children}
    </div>
  )
}
