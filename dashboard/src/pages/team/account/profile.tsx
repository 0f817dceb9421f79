import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { Account } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useRefreshAccount } from './queries.ts'

export function Profile({ account }: { account: Account }) {
  const [name, setName] = useState(account.name)
  const refresh = useRefreshAccount()
  const save = useMutation({
    mutationFn: () => apiOfSession.patch('/session/account', { body: { name: name.trim() } }),
    onSuccess: async (saved) => {
      setName(saved.name)
      await refresh()
      toast.ok('Saved')
    },
  })
  const fault = save.error && toFault(save.error)
  return (
    <Card title="Profile">
      <form
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {fault && !fault.of('name') && <FaultNote fault={fault} />}
        <Field label="Name" hint="Others see it, and the record says it beside what you did." error={fault?.of('name')}>
          <Input value={name} onText={setName} autoComplete="name" maxLength={100} required />
        </Field>
        <Field label="E-mail" hint="By it you are known here; it does not change.">
          <Input type="email" value={account.email} readOnly />
        </Field>
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          busy={save.isPending}
          disabled={!name.trim() || name.trim() === account.name}
        >
          Save
        </Button>
      </form>
    </Card>
  )
}
