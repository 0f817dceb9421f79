import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { LargeSends } from '../../api/types.ts'
import { useGuard } from '../../lib/use-guard.ts'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Select, Switch } from '../../ui/form/form.tsx'
import { ChangedBy } from '../../ui/may.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { environmentsQuery } from '../team/environments/queries.ts'
import { draftOf, isWhole, type SafetyDraft, settingsOf } from './safety.ts'

const queryKey = ['large-sends']

/** When a send of this environment begins small, and when it stops by itself. */
export function SafetySettings() {
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get('/v1/environment/large-sends', { signal })).data,
  })
  if (error) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={6} />
  return (
    <ChangedBy needs="settings">
      <Form stored={data} />
    </ChangedBy>
  )
}

function Form({ stored }: { stored: LargeSends }) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(stored))
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(stored))
  const save = useMutation({
    mutationFn: () => api.patch('/v1/environment/large-sends', { body: settingsOf(draft) }),
    onSuccess: ({ data }) => {
      queries.setQueryData(queryKey, data)
      setDraft(draftOf(data))
      toast.ok('Saved: it holds for sends that begin from now on')
      return queries.invalidateQueries({ queryKey: environmentsQuery.queryKey })
    },
  })
  useGuard(isDirty, 'What you set for large sends is not saved.')
  const fault = save.error && toFault(save.error)
  const fields = { draft, fault, change: (changes: Partial<SafetyDraft>) => setDraft({ ...draft, ...changes }) }
  return (
    <>
      <div className="flex flex-col gap-4">
        <Canary {...fields} />
        <Guard {...fields} />
        <Card title="Jumps">
          <Switch
            label="Slow this environment down when it jumps"
            hint="When it fails far more or sends far faster than it did before, it goes on slowly, and every page says so. Nothing is dropped."
            checked={draft.slowOnJumps}
            onChange={(slowOnJumps) => fields.change({ slowOnJumps })}
          />
        </Card>
      </div>
      <SaveBar
        isDirty={isDirty && isWhole(draft)}
        isSaving={save.isPending}
        refusal={fault}
        onSave={() => save.mutate()}
        onDiscard={() => {
          setDraft(draftOf(stored))
          save.reset()
        }}
      >
        It holds for sends that begin after it is saved.
      </SaveBar>
    </>
  )
}

type Fields = { draft: SafetyDraft; fault: ApiFault | null; change(changes: Partial<SafetyDraft>): void }

function Canary({ draft, fault, change }: Fields) {
  return (
    <Card title="Begin small">
      <Switch
        label="Large sends begin with few people"
        hint="The others wait until it is seen how those went. Too many failures or complaints stop it."
        checked={draft.hasCanary}
        onChange={(hasCanary) => change({ hasCanary })}
      />
      {draft.hasCanary && (
        <div className="mt-4 grid gap-4 sm:grid-cols-3">
          <Size label="For at least so many people" name="canaryFrom" {...{ draft, fault, change }} />
          <Size label="Percent that come first" name="canaryPercent" {...{ draft, fault, change }} />
          <Size label="But at least so many" name="canaryAtLeast" {...{ draft, fault, change }} />
          <Field label="Then">
            <Select
              value={draft.goesOn}
              onText={(goesOn) => change({ goesOn: goesOn === 'time' ? goesOn : 'person' })}
              options={[
                { value: 'person', label: 'Somebody resumes it' },
                { value: 'time', label: 'It goes on by itself' },
              ]}
            />
          </Field>
          {draft.goesOn === 'time' && (
            <Size label="After so many minutes" name="goesOnAfterMinutes" {...{ draft, fault, change }} />
          )}
        </div>
      )}
    </Card>
  )
}

function Guard({ draft, fault, change }: Fields) {
  const watched = draft.hasGuard || draft.hasCanary
  return (
    <Card title="Stop by itself">
      <Switch
        label="Large sends are watched to their end"
        hint="One that begins small is always watched."
        checked={draft.hasGuard}
        onChange={(hasGuard) => change({ hasGuard })}
      />
      {watched && (
        <div className="mt-4 grid gap-4 sm:grid-cols-3">
          {draft.hasGuard && (
            <Size label="For at least so many people" name="guardFrom" {...{ draft, fault, change }} />
          )}
          <Size label="Stop at percent failed" name="failuresPercent" {...{ draft, fault, change }} />
          <Size label="Stop at percent of complaints" name="complaintsPercent" {...{ draft, fault, change }} />
        </div>
      )}
    </Card>
  )
}

type TextName = { [Name in keyof SafetyDraft]: SafetyDraft[Name] extends string ? Name : never }[keyof SafetyDraft]

function Size({ label, name, draft, fault, change }: Fields & { label: string; name: Exclude<TextName, 'goesOn'> }) {
  const told = name === 'goesOnAfterMinutes' ? 'goesOnAfterSeconds' : name
  return (
    <Field label={label} error={fault?.of(told)}>
      <Input inputMode="decimal" value={draft[name]} onText={(text) => change({ [name]: text })} className="sm:w-40" />
    </Field>
  )
}
