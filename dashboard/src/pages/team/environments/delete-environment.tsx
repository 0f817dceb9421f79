import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { ListedEnvironment } from '../../../api/types.ts'
import { addressOf } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import { holdingsQuery, inARow } from './holdings.ts'
import { homeQuery, useRefreshEnvironments } from './queries.ts'

type DeleteEnvironmentProps = {
  environment: ListedEnvironment
  all: readonly ListedEnvironment[]
  onClose(): void
}

export function DeleteEnvironment(props: DeleteEnvironmentProps) {
  const { environment: here } = useSession()
  return props.environment._id === here.id ? <NotFromHere {...props} /> : <Ask {...props} />
}

/** What is done is written down where one is: it cannot be deleted from within. */
function NotFromHere({ environment: { _id, name }, all, onClose }: DeleteEnvironmentProps) {
  const others = all.filter((it) => it._id !== _id && !it.isElsewhere)
  return (
    <Dialog
      open
      size="sm"
      title={`You are in ${name}`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p>
        {others.length > 0
          ? 'Open another environment, and delete it from there:'
          : 'It is the only one. Make another environment first, and delete this one from there.'}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {others.map((it) => (
          <ButtonLink key={it._id} href={addressOf(it.slug, paths.environments)}>
            Open {it.name}
          </ButtonLink>
        ))}
      </div>
    </Dialog>
  )
}

/** Says what goes with it and how long it can be had back; its name is typed, so that it is not another one. */
function Ask({ environment: { _id, name }, onClose }: DeleteEnvironmentProps) {
  const [typed, setTyped] = useState('')
  const home = useQuery(homeQuery)
  const refresh = useRefreshEnvironments()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/environments/{environmentId}', { path: { environmentId: _id } }),
    onSuccess: async () => {
      await refresh()
      toast.ok(`${name} is deleted; for 7 days it can be restored`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Delete ${name}?`}
      action="Delete environment"
      danger
      busy={remove.isPending}
      disabled={typed !== name}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      {remove.error && <FaultNote fault={toFault(remove.error)} />}
      <Holdings environmentId={_id} />
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-muted">
        <li>At once nobody gets in, and nothing is sent. Its keys are refused within 5 seconds.</li>
        <li>For 7 days it can be restored on this page. Then it is gone for good, with all it holds.</li>
      </ul>
      {home.data?.id === _id && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          You signed in by it: you will be signed out, and only a key of another environment lets you in again. Have one
          at hand first.
        </p>
      )}
      <Field label={`Type ${name} to confirm`}>
        <Input value={typed} onText={setTyped} autoFocus />
      </Field>
    </FormDialog>
  )
}

function Holdings({ environmentId }: { environmentId: string }) {
  const { data, error } = useQuery(holdingsQuery(environmentId))
  if (error) return <p className="text-muted">It could not be counted what it holds.</p>
  if (!data) return <p className="text-muted">Counting what it holds…</p>
  return (
    <p>
      {data.length > 0
        ? `It holds ${inARow(data)}, and all messages and history of it.`
        : 'It holds nothing that somebody made.'}
    </p>
  )
}
