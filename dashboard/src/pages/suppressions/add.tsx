import { type FormEvent, useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Suppression } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field, Select, Textarea } from '../../ui/form/form.tsx'
import { Progress } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.tsx'

type AddProps = { onClose(): void; onAdded(): void }
type Refused = { address: string; why: string }
type Draft = Pick<Suppression, 'channel' | 'reason'> & { text: string }

const channelChoice = [
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'SMS' },
]
const reasonChoice = [
  { value: 'unsubscribed', label: 'Unsubscribed: they asked for no more' },
  { value: 'bounced', label: 'Bounced: the address does not work' },
  { value: 'complained', label: 'Complained: they called it unwanted' },
]

/** One address or a pasted list. The server takes one at a time, so a long list shows how far it is. */
export function AddSuppressions({ onClose, onAdded }: AddProps) {
  const [draft, setDraft] = useState<Draft>({ channel: 'email', reason: 'unsubscribed', text: '' })
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const form = useId()
  const addresses = addressesOf(draft.text)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (addresses.length === 0) return setRefused([{ address: '', why: 'Enter at least one address.' }])
    const bad = await addAll(draft, addresses, (done) => setProgress({ done, total: addresses.length }))
    setProgress(null)
    setRefused(bad)
    const added = addresses.length - bad.length
    if (added > 0) {
      toast.ok(added === 1 ? 'Added one address' : `Added ${added.toLocaleString('en')} addresses`)
      onAdded()
    }
    if (bad.length === 0) onClose()
    // What was refused stays in the field, to be mended.
    else setDraft({ ...draft, text: bad.map(({ address }) => address).join('\n') })
  }
  return (
    <Dialog
      open
      title="Add to the suppression list"
      description="Nothing is sent to these addresses any more. One that is on the list stays as it is."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={progress !== null}>
            {addresses.length > 1 ? `Add ${addresses.length.toLocaleString('en')} addresses` : 'Add'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void add(event)} className="flex flex-col gap-4">
        <AddFields draft={draft} refused={refused} onChange={setDraft} />
        {progress && (
          <Progress
            label="Adding"
            value={progress.done}
            max={progress.total}
            note={`${progress.done} of ${progress.total}`}
          />
        )}
      </form>
    </Dialog>
  )
}

type FieldsProps = { draft: Draft; refused: readonly Refused[]; onChange(draft: Draft): void }

function AddFields({ draft, refused, onChange }: FieldsProps) {
  const isEmail = draft.channel === 'email'
  return (
    <>
      <Field label="Channel">
        <Select
          value={draft.channel}
          options={channelChoice}
          onText={(value) => onChange({ ...draft, channel: value === 'sms' ? 'sms' : 'email' })}
        />
      </Field>
      <Field
        label={isEmail ? 'E-mail addresses' : 'Phone numbers'}
        required
        hint="One per line, or with commas between them."
        error={refusal(refused)}
      >
        <Textarea
          rows={5}
          autoFocus
          value={draft.text}
          placeholder={isEmail ? 'ada@example.com' : '+4930123456'}
          onText={(text) => onChange({ ...draft, text })}
        />
      </Field>
      <Field label="Reason">
        <Select
          value={draft.reason}
          options={reasonChoice}
          onText={(reason) => onChange({ ...draft, reason: reason as Suppression['reason'] })}
        />
      </Field>
    </>
  )
}

const addressesOf = (text: string) => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((address) => address.trim())
      .filter(Boolean),
  ),
]

function refusal(refused: readonly Refused[]): string | undefined {
  const [first] = refused
  if (!first) return undefined
  const said = first.address ? `${first.address}: ${first.why}` : first.why
  return refused.length === 1 ? said : `${refused.length} were refused. ${said}`
}

async function addAll({ channel, reason }: Draft, addresses: readonly string[], onDone: (done: number) => void) {
  const refused: Refused[] = []
  for (const [index, address] of addresses.entries()) {
    onDone(index)
    try {
      await api.post('/v1/suppressions', { body: { channel, address, reason } })
    } catch (error) {
      const fault = toFault(error)
      refused.push({ address, why: fault.of('address') ?? fault.message })
      // Whoever cannot be reached at all refuses the rest as well.
      if (fault.status === 0 || fault.status === 401) {
        const rest = addresses.slice(index + 1)
        return [...refused, ...rest.map((left) => ({ address: left, why: fault.message }))]
      }
    }
  }
  return refused
}
