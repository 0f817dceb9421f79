import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Switch } from '../../ui/form/form.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { DeleteLayout } from '../layouts/delete-layout.tsx'
import { layoutsQuery, usageQuery } from '../layouts/queries.ts'
import { Users } from '../layouts/users.tsx'
import { faultsOf } from './draft.ts'
import type { LayoutEditing } from './use-editing.ts'

type LayoutSettingsProps = { editing: LayoutEditing; onDeleted(): void }

/** What the layout is called, where it is used, and what may be done with it as a whole. */
export function LayoutSettings({ editing, onDeleted }: LayoutSettingsProps) {
  const { draft, base, change, refusal } = editing
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="flex flex-col gap-4">
        <Card title="General">
          <div className="flex flex-col gap-4">
            <Field label="Name" required error={faultsOf(refusal).name}>
              <Input value={draft.name} onText={(name) => change({ name })} maxLength={255} />
            </Field>
            <div className="flex items-end gap-1">
              <Field label="Layout id" hint="What steps name it by. It never changes." className="flex-1">
                <Input className="font-mono text-sm" value={base.layoutId} readOnly />
              </Field>
              <div className="mb-6">
                <CopyButton text={base.layoutId} label="Copy the layout id" />
              </div>
            </div>
          </div>
        </Card>
        <DefaultSwitch editing={editing} />
      </div>
      <div className="flex flex-col gap-4">
        <Usage editing={editing} />
        <IfEditable>
          <Removal editing={editing} onDeleted={onDeleted} />
        </IfEditable>
      </div>
    </div>
  )
}

/** Switched at once: it is no part of what is written. */
function DefaultSwitch({ editing: { base, setDefault } }: { editing: LayoutEditing }) {
  const [busy, setBusy] = useState(false)
  const { data: layouts = [] } = useQuery(layoutsQuery)
  const former = layouts.find(({ isDefault, _id }) => isDefault && _id !== base._id)
  const set = async (isDefault: boolean) => {
    const sure = await confirm({
      title: isDefault ? `Make ${base.name} the default?` : `No default layout?`,
      text: isDefault ? (
        <>
          From now on it stands around every e-mail whose step names no layout{former && `, in place of ${former.name}`}
          . Notifications under way keep what they began with.
        </>
      ) : (
        'From now on e-mails whose step names no layout are sent as they are written. Notifications under way keep what they began with.'
      ),
      action: isDefault ? 'Make it the default' : 'Have no default',
    })
    if (!sure) return
    setBusy(true)
    try {
      await setDefault(isDefault)
      toast.ok(isDefault ? `${base.name} is the default` : `${base.name} is the default no longer`)
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <Card title="Default">
      <Switch
        label="Use it for all e-mails that name no layout"
        hint="It changes what goes out from now on. What is under way keeps what it began with."
        checked={base.isDefault}
        disabled={busy}
        onChange={(isDefault) => void set(isDefault)}
      />
    </Card>
  )
}

function Usage({ editing: { base } }: { editing: LayoutEditing }) {
  const { data, error } = useQuery(usageQuery(base.layoutId))
  return (
    <Card
      title="Used by"
      description={base.isDefault ? 'Workflows that name it, and those with an e-mail that names none.' : undefined}
    >
      {error && <FaultNote fault={toFault(error)} />}
      {!data && !error && <SkeletonLines lines={2} />}
      {data?.length === 0 && <p className="text-muted">No workflow. Choose it in an e-mail step, under Layout.</p>}
      {data && data.length > 0 && <Users users={data} />}
    </Card>
  )
}

function Removal({ editing: { base }, onDeleted }: LayoutSettingsProps) {
  const [asking, setAsking] = useState(false)
  return (
    <Card title="Delete">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-muted">Only one that no workflow uses can be deleted.</p>
        <Button kind="danger" onClick={() => setAsking(true)}>
          Delete layout
        </Button>
      </div>
      {asking && <DeleteLayout layout={base} onClose={() => setAsking(false)} onDeleted={onDeleted} />}
    </Card>
  )
}
