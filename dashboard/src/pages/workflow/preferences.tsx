import { channelName, channels } from '../../lib/channels.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, Select, Switch } from '../../ui/form/form.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import type { Draft, Layer } from './draft.ts'

type PreferenceFieldsProps = { draft: Draft; onChange(fields: Partial<Draft>): void }
type Say = 'people' | 'team' | 'critical'

const says: readonly { value: Say; label: string }[] = [
  { value: 'people', label: 'People choose; this is the default' },
  { value: 'team', label: 'We decide; people cannot change it' },
  { value: 'critical', label: 'Critical: always sent' },
]
const about: Record<Say, string> = {
  people: 'Each person may switch it off, as a whole or by channel.',
  team: 'What is set below holds for everybody.',
  critical: 'Everybody gets it, whatever they have chosen.',
}

/** Who gets it unless they choose otherwise. The team's setting goes before the workflow's own. */
export function PreferenceFields({ draft, onChange }: PreferenceFieldsProps) {
  const { user, default: own } = draft.preferences
  const layer = user ?? own
  const say: Say = draft.critical ? 'critical' : layer.all.readOnly ? 'team' : 'people'
  const set = (next: Layer) =>
    onChange({ preferences: user ? { user: next, default: own } : { user: null, default: next } })
  const choose = (value: string) => {
    const lock = (one: Layer): Layer => ({ ...one, all: { ...one.all, readOnly: value !== 'people' } })
    onChange({
      critical: value === 'critical',
      preferences: { user: user && lock(user), default: lock(own) },
    })
  }
  return (
    <Card title="Preferences" description="Who gets it, and who decides about that.">
      <div className="flex flex-col gap-4">
        <Field label="Who decides" hint={about[say]}>
          <Select options={says} value={say} onText={choose} />
        </Field>
        {say !== 'critical' && <Channels layer={layer} onChange={set} />}
        {user && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
            <p className="min-w-0 text-sm text-muted">This is what the team has set over the workflow's own default.</p>
            <IfEditable>
              <Button size="sm" onClick={() => onChange({ preferences: { user: null, default: own } })}>
                Back to the default
              </Button>
            </IfEditable>
          </div>
        )}
      </div>
    </Card>
  )
}

function Channels({ layer, onChange }: { layer: Layer; onChange(layer: Layer): void }) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">On from the start</legend>
      <Switch
        label="Where nothing is said by channel"
        checked={layer.all.enabled}
        onChange={(enabled) => onChange({ ...layer, all: { ...layer.all, enabled } })}
      />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {channels.map((channel) => (
          <Switch
            key={channel}
            label={channelName(channel)}
            checked={layer.channels[channel].enabled}
            onChange={(enabled) => onChange({ ...layer, channels: { ...layer.channels, [channel]: { enabled } } })}
          />
        ))}
      </div>
    </fieldset>
  )
}
