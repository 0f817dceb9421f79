import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { type Draft, draftFault, emptyDraft, toNew } from './draft.ts'
import { EndpointFields, isOfField } from './endpoint-fields.tsx'
import { ShowSecret } from './secret.tsx'

/** Two states: the form, then the secret, which is never shown again. From there to the page of the endpoint. */
export function NewEndpoint({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const router = useRouter()
  const create = useMutation({
    mutationFn: (body: BodyOf<'post', '/v1/webhook-endpoints'>) => api.post('/v1/webhook-endpoints', { body }),
    onSuccess: onCreated,
  })
  const made = create.data
  if (made)
    return (
      <ShowSecret
        title="The endpoint is added"
        secret={made.secret}
        onClose={() => router.history.push(paths.webhook(made._id))}
      />
    )
  return (
    <Form
      busy={create.isPending}
      fault={create.error && toFault(create.error)}
      onClose={onClose}
      onSubmit={(draft) => create.mutate(toNew(draft))}
    />
  )
}

type FormProps = { busy: boolean; fault: ApiFault | null; onClose(): void; onSubmit(draft: Draft): void }

function Form({ busy, fault, onClose, onSubmit }: FormProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!draftFault(draft)) onSubmit(draft)
  }
  return (
    <Dialog
      open
      title="Add an endpoint"
      description="A server of yours that is told what happens."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            busy={busy}
            disabled={!draft.url.trim() || draftFault(draft) !== null}
          >
            Add endpoint
          </Button>
        </>
      }
    >
      {/* What is wrong with a URL is said by the server, below its field. */}
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {fault && !isOfField(fault) && <FaultNote fault={fault} />}
        <EndpointFields draft={draft} fault={fault} isNew onChange={setDraft} />
      </form>
    </Dialog>
  )
}
