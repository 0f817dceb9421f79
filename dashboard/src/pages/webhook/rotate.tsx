import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/form/form.tsx'
import { fullTime, Time } from '../../ui/time.tsx'
import { ShowSecret } from '../webhooks/secret.tsx'

const overlaps = [
  { value: '0', label: 'Not at all: the old one ends now' },
  { value: '1', label: 'One hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: 'A day' },
  { value: '72', label: '3 days' },
  { value: '168', label: 'A week' },
]
const hourMs = 3_600_000

/** Until when the old secret signs too; null: it does not. */
type Rotated = { secret: string; until: string | null }

export function SigningSecret({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [asking, setAsking] = useState(false)
  const [rotated, setRotated] = useState<Rotated | null>(null)
  const [shown, setShown] = useState(false)
  return (
    <Card title="Signing secret">
      <p className="mb-3 text-muted">
        Every request is signed with it, as Standard Webhooks asks. It was shown when it was made.
      </p>
      {rotated?.until && (
        <p className="mb-3 text-sm">
          Until <Time at={rotated.until} full /> the old one signs too.
        </p>
      )}
      <Button needs="credentials" icon="key" onClick={() => setAsking(true)}>
        Rotate the secret
      </Button>
      {asking && (
        <Rotate
          endpointId={endpoint._id}
          onClose={() => setAsking(false)}
          onRotated={(result) => {
            setAsking(false)
            setRotated(result)
            setShown(true)
          }}
        />
      )}
      {shown && rotated && (
        <ShowSecret title="The new secret" secret={rotated.secret} onClose={() => setShown(false)}>
          <p>
            {rotated.until
              ? `Until ${fullTime(rotated.until)} the old one signs too, and either verifies.`
              : 'The old one does not sign any more.'}
          </p>
        </ShowSecret>
      )}
    </Card>
  )
}

type RotateProps = { endpointId: string; onClose(): void; onRotated(rotated: Rotated): void }

function Rotate({ endpointId, onClose, onRotated }: RotateProps) {
  const [hours, setHours] = useState('24')
  const rotate = useMutation({
    mutationFn: (overlapHours: number) =>
      api.post('/v1/webhook-endpoints/{endpointId}/rotate-secret', { path: { endpointId }, body: { overlapHours } }),
    onSuccess: ({ secret, updatedAt }, overlapHours) => onRotated({ secret, until: endOf(updatedAt, overlapHours) }),
  })
  return (
    <FormDialog
      title="Rotate the secret"
      action="Make a new secret"
      busy={rotate.isPending}
      onSubmit={() => rotate.mutate(Number(hours))}
      onClose={onClose}
    >
      {rotate.error && <FaultNote fault={toFault(rotate.error)} />}
      <p className="text-muted">
        Requests are signed with the new secret at once. While the old one signs too, your server can change over
        without a pause.
      </p>
      <Field
        label="How long the old one signs too"
        hint={
          hours === '0'
            ? 'A server that still has the old one refuses everything until it has the new one.'
            : `Until ${fullTime(Date.now() + Number(hours) * hourMs)}.`
        }
      >
        <Select value={hours} options={overlaps} onText={setHours} />
      </Field>
    </FormDialog>
  )
}

/** The server counts from the moment of the change. */
const endOf = (changedAt: string, hours: number) =>
  hours === 0 ? null : new Date(Date.parse(changedAt) + hours * hourMs).toISOString()
