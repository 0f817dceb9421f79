import { useState } from 'react'
import { toFault } from '../../../api/fault.ts'
import type { Organization } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { ChangedBy } from '../../../ui/may.tsx'
import { useChange } from './queries.ts'

export function OrganizationName({ organization }: { organization: Organization }) {
  const [name, setName] = useState(organization.name)
  const save = useChange('Saved')
  const fault = save.error && toFault(save.error)
  return (
    <Card title="Name">
      <ChangedBy needs="members">
        <form
          className="flex max-w-md flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({ name: name.trim() })
          }}
        >
          {fault && !fault.of('name') && <FaultNote fault={fault} />}
          <Field label="Name of the organization" hint="Invitations say it." error={fault?.of('name')}>
            <Input value={name} onText={setName} maxLength={100} required />
          </Field>
          <Button
            needs="members"
            type="submit"
            kind="primary"
            className="self-start"
            busy={save.isPending}
            disabled={!name.trim() || name.trim() === organization.name}
          >
            Save
          </Button>
        </form>
      </ChangedBy>
    </Card>
  )
}
