import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import type { Activity, SentMessage } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { personName } from '../activity/steps.ts'

type ActionsProps = { event: Activity; messages: readonly SentMessage[] }

export function Actions({ event, messages }: ActionsProps) {
  const dead = messages.filter(({ delivery }) => delivery === 'dead')
  const waits = event.jobs.some(({ status }) => ['pending', 'delayed', 'queued'].includes(status))
  return (
    <>
      <ButtonLink icon="explain" href={paths.explain + toSearch({ notificationId: event._id })}>
        Explain
      </ButtonLink>
      {waits && <Cancel event={event} />}
      <Again event={event} />
      {dead.length > 0 && <Redrive messageIds={dead.map(({ _id }) => _id)} primary />}
    </>
  )
}

/** Messages that were given up are sent again, under the same ids. */
export function Redrive({ messageIds, primary }: { messageIds: string[]; primary?: boolean }) {
  const queries = useQueryClient()
  const redrive = useMutation({
    mutationFn: () => api.post('/v1/dead-letters/redrive', { body: { messageIds } }),
    onSuccess: ({ redriven }) => {
      toast.ok(redriven === 0 ? 'Nothing was left to redrive' : 'Redriven: it is being sent again')
      return queries.invalidateQueries({ queryKey: ['live'] })
    },
    onError: toast.fault,
  })
  return (
    <Button
      needs="operate"
      kind={primary ? 'primary' : 'plain'}
      size={primary ? 'md' : 'sm'}
      icon="refresh"
      busy={redrive.isPending}
      onClick={() => redrive.mutate()}
    >
      Redrive
    </Button>
  )
}

/** A transaction is canceled as a whole: the API knows no part of it. */
function Cancel({ event }: { event: Activity }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () =>
      api.delete('/v1/events/trigger/{transactionId}', { path: { transactionId: event.transactionId } }),
    onSuccess: ({ canceled }) => {
      toast.ok(canceled === 0 ? 'Nothing was waiting any more' : `Canceled: ${canceled} waiting steps do not run`)
      return queries.invalidateQueries({ queryKey: ['live'] })
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const sure = await confirm({
      title: 'Cancel the whole event?',
      text: 'Steps that still wait do not run, for everybody this event reached. What was sent stays sent.',
      action: 'Cancel the event',
      danger: true,
    })
    if (sure) cancel.mutate()
  }
  return (
    <Button needs="cancel" kind="danger" busy={cancel.isPending} onClick={() => void ask()}>
      Cancel event
    </Button>
  )
}

/** The same workflow, person and payload as a new event. */
function Again({ event }: { event: Activity }) {
  const router = useRouter()
  const name = event.template?.triggers[0]?.identifier
  const to = event.subscriber?.subscriberId
  const again = useMutation({
    mutationFn: (body: BodyOf<'post', '/v1/events/trigger'>) => api.post('/v1/events/trigger', { body }),
    onSuccess: ({ status, error, transactionId }) => {
      if (status !== 'processed')
        return toast.fault(new Error(error?.join(' ') ?? `The event was not taken: ${status}`))
      toast.ok('Triggered again')
      router.history.push(paths.activity + toSearch({ transactionId }))
    },
    onError: toast.fault,
  })
  if (!name || !to) return null
  const ask = async () => {
    const sure = await confirm({
      title: 'Trigger it again?',
      text: `The workflow runs anew for ${personName(event.subscriber)}, with the same payload and overrides. What they already got they get a second time. Actor, tenant and context are not taken over.`,
      action: 'Trigger again',
    })
    if (!sure) return
    again.mutate({ name, to, payload: event.payload ?? {}, overrides: event.jobs[0]?.overrides ?? {} })
  }
  return (
    <Button needs="trigger" icon="play" busy={again.isPending} onClick={() => void ask()}>
      Trigger again
    </Button>
  )
}
