import { type FormEvent, useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { ChangedBy } from '../../ui/may.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftFault, draftOf, toChanges } from '../webhooks/draft.ts'
import { EndpointFields, isOfField } from '../webhooks/endpoint-fields.tsx'
import { useChangeEndpoint } from '../webhooks/queries.ts'
import { SigningSecret } from './rotate.tsx'

export function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <ChangedBy needs="credentials">
        <EndpointForm endpoint={endpoint} />
      </ChangedBy>
      <div className="flex min-w-0 flex-col gap-4">
        <SigningSecret endpoint={endpoint} />
        <About endpoint={endpoint} />
      </div>
    </div>
  )
}

function EndpointForm({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  const change = useChangeEndpoint(endpoint._id, (saved) => {
    setDraft(draftOf(saved))
    toast.ok('Saved')
  })
  const fault = change.error && toFault(change.error)
  const body = toChanges(draft, endpoint)
  const isChanged = Object.keys(body).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !draftFault(draft)) change.mutate(body)
  }
  return (
    <Card title="Endpoint">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {fault && !isOfField(fault) && <FaultNote fault={fault} />}
        <EndpointFields draft={draft} fault={fault} onChange={setDraft} />
        <div className="flex flex-wrap gap-2">
          <Button
            needs="credentials"
            type="submit"
            kind="primary"
            busy={change.isPending}
            disabled={!isChanged || !draft.url.trim() || draftFault(draft) !== null}
          >
            Save changes
          </Button>
          {isChanged && <Button onClick={() => setDraft(draftOf(endpoint))}>Undo changes</Button>}
        </div>
      </form>
    </Card>
  )
}

function About({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <Card title="About it">
      <Facts
        items={[
          ['Added', <Time key="added" at={endpoint.createdAt} full />],
          ['Changed', <Time key="changed" at={endpoint.updatedAt} full />],
          [
            'Id',
            <span key="id" className="break-all">
              <Mono>{endpoint._id}</Mono>
            </span>,
          ],
        ]}
      />
    </Card>
  )
}
