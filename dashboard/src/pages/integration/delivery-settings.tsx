import type { ApiFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { Code } from '../../ui/code.tsx'
import { Field, Input, Select, Switch } from '../../ui/form/form.tsx'
import type { Draft } from './draft.ts'

type DeliverySettingsProps = {
  provider: Provider
  integration: Integration | undefined
  draft: Draft
  onChange(draft: Draft): void
  fault: ApiFault | null
}

const usual = { atLeastOnce: 'send again', atMostOnce: 'do not send again' }

/** What happens around a message: no answer, and what the vendor tells later. */
export function DeliverySettings({ provider, integration, draft, onChange, fault }: DeliverySettingsProps) {
  return (
    <div className="flex flex-col gap-5">
      <Field label="When nobody can say whether a message went out" error={fault?.of('configurations.whenUnknown')}>
        <Select
          value={draft.whenUnknown}
          onText={(whenUnknown) => onChange({ ...draft, whenUnknown })}
          options={[
            { value: '', label: `As usual with this provider: ${usual[provider.whenUnknown]}` },
            { value: 'atLeastOnce', label: 'Send again, perhaps twice' },
            { value: 'atMostOnce', label: 'Do not send again, perhaps never' },
          ]}
        />
      </Field>
      {provider.callbacks && (
        <div className="flex flex-col gap-4">
          <Switch
            label="Take the vendor's callbacks"
            hint="Deliveries, bounces and complaints. Who bounced or complained is not written to again."
            checked={draft.inbound}
            onChange={(inbound) => onChange({ ...draft, inbound })}
          />
          {draft.inbound && <Callbacks {...{ integration, draft, onChange, fault }} />}
        </div>
      )}
    </div>
  )
}

function Callbacks({ integration, draft, onChange, fault }: Omit<DeliverySettingsProps, 'provider'>) {
  const stored = integration?.configurations.inboundWebhookSigningKey
  return (
    <>
      <Field
        label="Signing key"
        hint="The key with which the vendor signs its callbacks."
        error={fault?.of('configurations.inboundWebhookSigningKey')}
      >
        <Input
          type="password"
          autoComplete="new-password"
          value={draft.signingKey}
          onText={(signingKey) => onChange({ ...draft, signingKey })}
          placeholder={typeof stored === 'string' ? `${stored} (kept)` : ''}
        />
      </Field>
      {integration ? (
        <div>
          <p className="mb-1.5 text-sm font-medium">Give the vendor this address</p>
          <Code wrap label="Callback address" text={`${location.origin}/v1/webhooks/${integration._id}`} />
        </div>
      ) : (
        <p className="text-sm text-muted">The address for the vendor is shown once this is saved.</p>
      )}
    </>
  )
}
