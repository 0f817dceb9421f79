import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { type ApiFault, toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { ByConnection } from './by-connection.tsx'
import { ByPassword } from './by-password.tsx'
import type { Offered } from './continue-with.tsx'
import { EndedElsewhere } from './ended-elsewhere.tsx'
import { OtherWay } from './other-way.tsx'
import { Refusal } from './refusal.tsx'

type Step = { kind: 'email' } | { kind: 'password' } | { kind: 'connection'; offered: readonly Offered[] }

/** The address first: its domain alone says whether there is another way than a password. */
export function ByEmail({ fault }: { fault: ApiFault | null }) {
  const [email, setEmail] = useState('')
  const [step, setStep] = useState<Step>({ kind: 'email' })
  const back = () => setStep({ kind: 'email' })
  if (step.kind === 'password') return <ByPassword email={email} fault={null} onBack={back} />
  if (step.kind === 'connection')
    return (
      <ByConnection
        {...{ email, offered: step.offered }}
        onPassword={() => setStep({ kind: 'password' })}
        onBack={back}
      />
    )
  return (
    <Door title="Sign in" below={<OtherWay to="key" />}>
      <EndedElsewhere />
      {fault && (
        <div className="mt-4">
          <FaultNote fault={fault} />
        </div>
      )}
      <AskEmail
        {...{ email, onEmail: setEmail }}
        onOffered={(offered) => setStep(offered.length > 0 ? { kind: 'connection', offered } : { kind: 'password' })}
      />
    </Door>
  )
}

type AskEmailProps = { email: string; onEmail(email: string): void; onOffered(offered: readonly Offered[]): void }

function AskEmail({ email, onEmail, onOffered }: AskEmailProps) {
  const ask = useMutation({
    mutationFn: () => apiOfSession.post('/session/connections', { body: { email: email.trim() } }),
    onSuccess: ({ data }) => onOffered(data),
    gcTime: 0,
  })
  const fault = ask.error && toFault(ask.error)
  const left = useCountdown(fault)
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
    >
      <Refusal fault={fault} left={left} />
      <Field label="E-mail">
        <Input
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          value={email}
          onText={onEmail}
          autoFocus
          maxLength={320}
          required
        />
      </Field>
      <Button type="submit" kind="primary" busy={ask.isPending} disabled={!email.trim() || left > 0}>
        Continue
      </Button>
    </form>
  )
}
