import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ApiFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Checkbox, Field, Input, Switch } from '../../ui/form/form.tsx'
import { integrationsQuery } from '../integrations/queries.ts'
import { Conditions } from '../workflow/steps/conditions.tsx'
import { CheckNow, Refusal } from './check-now.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { DeliverySettings } from './delivery-settings.tsx'
import { type Draft, draftFault, draftOf, toBody } from './draft.ts'
import { useSave } from './use-save.ts'

/** A signing key as it was typed, for as long as the page is open: an address for the vendor may need it. */
export type SavedKey = { integrationId: string; key: string }

type IntegrationFormProps = {
  provider: Provider
  integration?: Integration
  savedKey: SavedKey | null
  onSavedKey(saved: SavedKey): void
}

export function IntegrationForm({ provider, integration, savedKey, onSavedKey }: IntegrationFormProps) {
  const [wantsCheck, setWantsCheck] = useState(provider.canCheck)
  const { draft, setDraft, save, fault, body, ownFault } = useDraft(provider, integration, onSavedKey)
  const ownKey = savedKey?.integrationId === integration?._id ? savedKey?.key : undefined
  const changed = !integration || Object.keys(body).length > 0
  const asksVendor = wantsCheck && (!integration || 'credentials' in body)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (changed && !ownFault) save.mutate({ body, check: asksVendor })
  }
  const common = { provider, draft, onChange: setDraft, fault }
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <Card
        title="Credentials"
        description="Secrets are kept sealed and never shown again."
        actions={integration && provider.canCheck && <CheckNow integration={integration} provider={provider} />}
      >
        <CredentialFields {...common} stored={integration?.credentials ?? {}} />
        {provider.canCheck && (
          <Checkbox
            className="mt-4"
            label={`Ask ${provider.displayName} whether it takes them before saving`}
            checked={wantsCheck}
            onChange={(event) => setWantsCheck(event.target.checked)}
          />
        )}
      </Card>
      <Naming {...common} integration={integration} />
      {provider.channel !== 'in_app' && <Rules {...common} integration={integration} savedKey={ownKey ?? ''} />}
      <div className="sticky bottom-0 z-10 flex flex-col gap-3 border-t border-line bg-bg py-3">
        <Faults fault={fault} provider={provider} onSaveAnyway={() => save.mutate({ body, check: false })} />
        {ownFault && <p className="text-bad">{ownFault}</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            needs="credentials"
            type="submit"
            kind="primary"
            busy={save.isPending}
            disabled={!changed || ownFault !== null}
          >
            {integration ? 'Save changes' : `Connect ${provider.displayName}`}
          </Button>
          {integration && changed && (
            <Button onClick={() => setDraft(draftOf(provider, integration))}>Undo changes</Button>
          )}
        </div>
      </div>
    </form>
  )
}

function useDraft(
  provider: Provider,
  integration: Integration | undefined,
  onSavedKey: IntegrationFormProps['onSavedKey'],
) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(provider, integration))
  const { save, fault } = useSave(provider, integration, (id, { configurations }) => {
    const key = configurations?.inboundWebhookSigningKey
    if (provider.callbackSetup?.keyInUrl && typeof key === 'string') onSavedKey({ integrationId: id, key })
    if (!integration) return
    const saved = queries.getQueryData(integrationsQuery.queryKey)?.find(({ _id }) => _id === id)
    setDraft(draftOf(provider, saved))
  })
  const body = toBody(provider, draft, integration)
  return { draft, setDraft, save, fault, body, ownFault: draftFault(provider, draft, integration) }
}

function Rules({ savedKey, ...props }: PartProps & { savedKey: string }) {
  const { draft, onChange } = props
  return (
    <>
      <Card title="Conditions" description="For which messages this integration may be used.">
        <Conditions
          filters={draft.conditions}
          onChange={(conditions) => onChange({ ...draft, conditions })}
          none="Every message of the channel may go through it."
        />
      </Card>
      <Card title="Delivery">
        <DeliverySettings {...props} savedKey={savedKey} />
      </Card>
    </>
  )
}

type FaultsProps = { fault: ApiFault | null; provider: Provider; onSaveAnyway(): void }

function Faults({ fault, provider, onSaveAnyway }: FaultsProps) {
  if (!fault) return null
  if (fault.code !== 'integration_check_failed') return <FaultNote fault={fault} />
  return (
    <Refusal fault={fault} provider={provider}>
      <div className="mt-3 flex flex-wrap items-center gap-2 text-sm text-muted">
        Nothing was saved.
        <Button size="sm" onClick={onSaveAnyway}>
          Save without asking
        </Button>
      </div>
    </Refusal>
  )
}

type PartProps = {
  provider: Provider
  integration: Integration | undefined
  draft: Draft
  onChange(draft: Draft): void
  fault: ApiFault | null
}

function Naming({ provider, integration, draft, onChange, fault }: PartProps) {
  return (
    <Card title="Name and state">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={fault?.of('name')}>
          <Input
            value={draft.name}
            onText={(name) => onChange({ ...draft, name })}
            placeholder={provider.displayName}
            maxLength={255}
          />
        </Field>
        <Field
          label="Identifier"
          hint="What overrides of a trigger call it."
          error={fault?.of('identifier') ?? (fault?.code === 'identifier_taken' ? fault.message : undefined)}
        >
          <Input
            value={draft.identifier}
            onText={(identifier) => onChange({ ...draft, identifier })}
            placeholder={integration ? '' : 'made from the name'}
            maxLength={255}
            className="font-mono"
          />
        </Field>
        <div className="sm:col-span-2">
          <Switch
            label="Active"
            hint="Only active integrations carry messages. All required credentials must be there."
            checked={draft.active}
            onChange={(active) => onChange({ ...draft, active })}
          />
          {fault?.of('active') && <p className="mt-1.5 text-sm text-bad">{fault.of('active')}</p>}
        </div>
      </div>
    </Card>
  )
}
