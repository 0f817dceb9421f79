import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../../api/fault.ts'
import type { ListedEnvironment, PublicationDetail } from '../../../api/types.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/card.tsx'
import { Drawer } from '../../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { Time } from '../../../ui/time.tsx'
import { apiIn, useSessionIn } from '../elsewhere.ts'
import { PublishedBy } from './published-by.tsx'
import { PutBackDialog, type State } from './put-back-dialog.tsx'
import { ResourceChanges } from './resource-changes.tsx'
import { actionWords, countsOf, kindWord, originOf } from './words.ts'

type PublicationDrawerProps = { id: string; target: ListedEnvironment; isNewest: boolean; onClose(): void }

/** One publication: who, when, why, what it changed, and the way back. */
export function PublicationDrawer({ id, target, isNewest, onClose }: PublicationDrawerProps) {
  const [state, setState] = useState<State | null>(null)
  const mayPublish = useSessionIn(target.slug)?.permissions.includes('publish') ?? false
  const { data, error, refetch } = useQuery({
    queryKey: ['publication', target._id, id],
    queryFn: ({ signal }) =>
      apiIn(target.slug).get('/v1/publications/{publicationId}', { path: { publicationId: id }, signal }),
  })
  if (state)
    return <PutBackDialog id={id} state={state} target={target} onClose={() => setState(null)} onFinished={onClose} />
  return (
    <Drawer
      open
      size="lg"
      title="Publication"
      onClose={onClose}
      footer={
        data &&
        mayPublish && (
          <>
            {!isNewest && <Button onClick={() => setState('after')}>Put back what it published</Button>}
            <Button kind="danger" onClick={() => setState('before')}>
              Put back what was before
            </Button>
          </>
        )
      }
    >
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={8} />}
      {data && <About publication={data} target={target} />}
    </Drawer>
  )
}

function About({ publication, target }: { publication: PublicationDetail; target: ListedEnvironment }) {
  const { note, createdAt, createdBy, summary, resources } = publication
  return (
    <>
      <Facts
        items={[
          ['Into', target.name],
          ['What', originOf(publication)],
          ['Who', <PublishedBy key="who" by={createdBy} />],
          ['When', <Time key="when" at={createdAt} full />],
          ...(note ? [['Note', note] as const] : []),
          ['Changed', countsOf(summary)],
        ]}
      />
      <ul aria-label="What it changed" className="mt-5 flex flex-col gap-5 border-t border-line pt-5">
        {resources.map((it) => (
          <li key={`${it.kind} ${it.resourceId}`} className="min-w-0">
            <h3 className="mb-2 flex flex-wrap items-center gap-2">
              <span className="font-normal text-muted">{kindWord(it.kind)}</span>
              <span className="min-w-0 break-words">{it.name}</span>
              <Badge tone={actionWords[it.action].tone}>{actionWords[it.action].word}</Badge>
            </h3>
            <ResourceChanges resource={it} sides={{ target }} />
          </li>
        ))}
      </ul>
    </>
  )
}
