import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { paths } from '../../../lib/paths.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { Refusal } from '../sign-in/refusal.tsx'

/** Says the same whether or not somebody has the address: who asks here may be a stranger. */
export function AskForLink() {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => apiOfSession.post('/session/reset/ask', { body: { email: email.trim() } }),
    gcTime: 0,
  })
  const fault = ask.error && toFault(ask.error)
  const ofEmail = fault?.of('email')
  const left = useCountdown(fault)
  if (ask.isSuccess) return <Asked email={email.trim()} onAgain={() => ask.reset()} />
  return (
    <Door
      title="Forgot your password?"
      description="You get a mail with a link to choose a new one."
      below={<ToSignIn />}
    >
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <Refusal fault={ofEmail ? null : fault} left={left} />
        <Field label="E-mail" hint="The address that you sign in with." error={ofEmail && 'This is no e-mail address.'}>
          <Input
            type="email"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            value={email}
            onText={setEmail}
            autoFocus
            maxLength={320}
            required
          />
        </Field>
        <Button type="submit" kind="primary" busy={ask.isPending} disabled={!email.trim() || left > 0}>
          Send me a link
        </Button>
      </form>
    </Door>
  )
}

function Asked({ email, onAgain }: { email: string; onAgain(): void }) {
  return (
    <Door
      title="Look into your mailbox"
      description={
        <>
          If <strong className="font-medium break-words text-ink">{email}</strong> has an account here, a link is on its
          way. It works once, for an hour; a newer one ends it.
        </>
      }
      below={<ToSignIn />}
    >
      <p className="mt-3 text-muted">
        Nothing after some minutes? Look among the unwanted mails. Perhaps no mails can be sent from here: then whoever
        runs this Tidings can give you a link.
      </p>
      <div className="mt-4">
        <Button onClick={onAgain}>Use another address</Button>
      </div>
    </Door>
  )
}

function ToSignIn() {
  return (
    <ButtonLink kind="quiet" icon="left" href={paths.signIn}>
      To the sign-in
    </ButtonLink>
  )
}
