import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Environment } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Code, CopyButton, Mono } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { clientSnippet, hashSnippet, reactSnippet } from './snippets.ts'

const ways = [
  { id: 'react', label: 'React' },
  { id: 'client', label: 'JavaScript' },
] as const

/** What the customer's own pages need to show the same. */
export function Install({ subscriberId }: { subscriberId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['environment'],
    queryFn: ({ signal }) => api.get('/v1/environment', { signal }),
    staleTime: 60_000,
  })
  return (
    <Card title="In your own pages">
      {error && <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={6} />}
      {data && <Steps environment={data.data} subscriberId={subscriberId || 'ada'} />}
    </Card>
  )
}

function Steps({ environment, subscriberId }: { environment: Environment; subscriberId: string }) {
  const [way, setWay] = useState<(typeof ways)[number]['id']>('react')
  const { identifier, inbox } = environment
  const place = { address: location.origin, identifier, subscriberId }
  return (
    <div className="flex flex-col gap-5">
      <dl className="flex flex-col gap-3">
        <div>
          <dt className="text-sm text-muted">Identifier of this environment, which is public</dt>
          <dd className="-my-1 flex min-w-0 items-center justify-between gap-1">
            <span className="min-w-0 break-all">
              <Mono>{identifier}</Mono>
            </span>
            <CopyButton text={identifier} label="Copy identifier" />
          </dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Proof of who the person is</dt>
          <dd className="mt-1">
            <HashRule rule={inbox.subscriberHash} />
          </dd>
        </div>
      </dl>
      <Tabs label="Kind of page" items={ways} value={way} onChange={setWay}>
        {way === 'react' ? (
          <Code label="React component" text={reactSnippet(place)} maxHeight="28rem" />
        ) : (
          <Code label="JavaScript client" text={clientSnippet(place)} maxHeight="28rem" />
        )}
      </Tabs>
      <div className="flex flex-col gap-2">
        <h3>The hash, on your server</h3>
        <p className="text-muted">
          <Mono>subscriberHash</Mono> proves who the person is: your server makes it with an API key, and the key never
          goes into a page.
        </p>
        <Code label="Hash on the server" text={hashSnippet(place)} />
      </div>
    </div>
  )
}

function HashRule({ rule }: { rule: Environment['inbox']['subscriberHash'] }) {
  const isRequired = rule === 'required'
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={isRequired ? 'ok' : 'warn'}>{rule}</Badge>
      {isRequired ? 'No inbox opens without a hash.' : 'Needed in production all the same.'}
    </span>
  )
}
