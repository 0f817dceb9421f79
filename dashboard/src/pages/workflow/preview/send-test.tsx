import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { IntegrationTest } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import type { PreviewRequest } from './use-preview.ts'

const labels: Record<string, string> = {
  email: 'My e-mail address',
  sms: 'My phone number',
  chat: 'A webhook URL, channel or phone number of mine',
  push: 'A device token of mine',
}
// Whoever writes it sends many tries to the same place.
const kept = 'tidings-test-to'

/** Whether a step of this type can be sent to oneself. */
export function canSendTest(type: string): boolean {
  return Object.hasOwn(labels, type)
}

/** The step as it stands here, saved or not, to whoever writes it. */
export function SendTest({ request }: { request: PreviewRequest }) {
  const { type } = request.step
  const [to, setTo] = useState(localStorage.getItem(`${kept}-${type}`) ?? '')
  const send = useMutation({
    mutationFn: () => api.post('/v2/workflows/preview/send', { body: { ...request, to: to.trim() } }),
  })
  const fault = send.error && toFault(send.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    localStorage.setItem(`${kept}-${type}`, to.trim())
    send.mutate()
  }
  const ofAddress = ['to', 'webhookUrl', 'channel', 'phone', 'deviceToken'].map((name) => fault?.of(name)).find(Boolean)
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-md border border-line bg-bg p-3">
      <Field
        label={labels[type] ?? 'To'}
        hint="It is really sent, with what the person above would get. Nothing is stored."
        error={ofAddress}
      >
        <Input value={to} onText={setTo} autoComplete={type === 'email' ? 'email' : 'off'} />
      </Field>
      <div>
        <Button type="submit" size="sm" icon="play" busy={send.isPending} disabled={!to.trim()}>
          Send
        </Button>
      </div>
      {fault && !ofAddress && <FaultNote fault={fault} />}
      {send.data && <Outcome result={send.data} />}
    </form>
  )
}

function Outcome({ result }: { result: IntegrationTest }) {
  const isSent = result.outcome === 'sent'
  return (
    <p role="status" className={`text-sm break-words ${isSent ? 'text-ok' : 'text-bad'}`}>
      {isSent ? 'Sent.' : `Not sent: ${result.reason ?? result.outcome}`}
    </p>
  )
}
