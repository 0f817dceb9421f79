import type { ApiFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { Field, Select, Switch } from '../../ui/form/form.tsx'
import { CallbackSettings } from './callback-settings.tsx'
import type { Draft } from './draft.ts'

type DeliverySettingsProps = {
  provider: Provider
  integration: Integration | undefined
  draft: Draft
  onChange(draft: Draft): void
  fault: ApiFault | null
  savedKey: string
}

const usual = { atLeastOnce: 'send again', atMostOnce: 'do not send again' }

const ofMessages = 'Deliveries, bounces and complaints. Who bounced or complained is not written to again.'
const ofPeople = 'Who opened a link and is reached from then on, and who left.'

/** What happens around a message: no answer, and what the vendor tells later. */
export function DeliverySettings(props: DeliverySettingsProps) {
  const { provider, draft, onChange, fault } = props
  const { callbackSetup, receipts } = provider
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
      {callbackSetup && (
        <div className="flex flex-col gap-4">
          <Switch
            label="Take the vendor's callbacks"
            hint={provider.links ? ofPeople : ofMessages}
            checked={draft.inbound}
            onChange={(inbound) => onChange({ ...draft, inbound })}
          />
          {draft.inbound && <CallbackSettings {...props} setup={callbackSetup} />}
        </div>
      )}
      {receipts && (
        <p className="text-sm text-muted">
          {provider.displayName} is asked later what became of each message: nothing to set up. Device tokens that it
          calls gone are removed.
        </p>
      )}
    </div>
  )
}
