import { useMutation, useQuery } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { OwnSession } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { browserOf } from './browser-of.ts'
import { ownSessionsQuery, useRefreshAccount } from './queries.ts'

/** Where one is signed in; what one does not know can be ended. */
export function Sessions() {
  const { data, error, refetch } = useQuery(ownSessionsQuery)
  return (
    <Card
      title="Sessions"
      description="Each lasts 12 hours at most."
      actions={data && data.length > 1 && <EndOthers count={data.length - 1} />}
      flush
    >
      {error && (
        <div className="p-4">
          <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className="p-4">
          <SkeletonLines lines={3} />
        </div>
      )}
      <ul aria-label="Sessions" className="divide-y divide-line">
        {data?.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  )
}

function SessionLine({ session }: { session: OwnSession }) {
  const { organization } = useSession()
  const { current, agent, address, lastSeenAt } = session
  const isElsewhere = session.organization.id !== organization.id
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Icon name={/Mobi/.test(agent ?? '') ? 'phone' : 'screen'} className="text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span title={agent}>{browserOf(agent)}</span>
          {current && <Badge tone="info">this one</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-1.5 text-sm text-muted">
          {address && <span className="font-mono text-xs leading-[18px]">{address}</span>}
          {isElsewhere && <span>in {session.organization.name}</span>}
          <span>
            last seen <Time at={lastSeenAt} />
          </span>
        </p>
      </div>
      {!current && <EndOne session={session} />}
    </li>
  )
}

function EndOne({ session }: { session: OwnSession }) {
  const refresh = useRefreshAccount()
  const end = useMutation({
    mutationFn: () => apiOfSession.delete('/session/sessions/{sessionId}', { path: { sessionId: session.id } }),
    onSuccess: async () => {
      await refresh()
      toast.ok('The session is over')
    },
    onError: toast.fault,
  })
  return (
    <Button
      size="sm"
      kind="danger"
      busy={end.isPending}
      onClick={() => end.mutate()}
      aria-label={`End the session of ${browserOf(session.agent)}`}
    >
      End
    </Button>
  )
}

function EndOthers({ count }: { count: number }) {
  const refresh = useRefreshAccount()
  const end = useMutation({
    mutationFn: () => apiOfSession.delete('/session/sessions'),
    onSuccess: async () => {
      await refresh()
      toast.ok('Your other sessions are over')
    },
    onError: toast.fault,
  })
  const ask = async () => {
    const text = 'Whoever uses one of them has to sign in again. This one goes on.'
    const title = count === 1 ? 'End the other session?' : `End ${count} other sessions?`
    if (await confirm({ title, text, action: 'End them', danger: true })) end.mutate()
  }
  return (
    <Button size="sm" kind="danger" busy={end.isPending} onClick={() => void ask()}>
      End all others
    </Button>
  )
}
