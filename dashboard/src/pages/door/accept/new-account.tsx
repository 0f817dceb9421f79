import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { type ApiFault, toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { missingCharacters, NewPassword, wordsOfRefusal } from '../../../ui/form/new-password.tsx'
import { Refusal } from '../sign-in/refusal.tsx'
import { useEnter } from '../sign-in/use-enter.ts'
import type { Invited } from './invited.ts'

/** Somebody new: a name and a password, and they are in. */
export function NewAccount({ invited: { token, email, organization } }: { invited: Invited }) {
  const enter = useEnter()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isShort, setShort] = useState(false)
  const accept = useMutation({
    mutationFn: () => apiOfSession.post('/session/accept', { body: { token, name: name.trim(), password } }),
    onSuccess: enter,
    gcTime: 0,
  })
  const fault = accept.error && toFault(accept.error)
  const left = useCountdown(fault)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = missingCharacters(password) > 0
    setShort(missing)
    if (!missing) accept.mutate()
  }
  return (
    <Door
      title={`Join ${organization.name}`}
      description="You are invited. Choose what you are called and a password, and you are in."
    >
      <form className="mt-4 flex flex-col gap-4" onSubmit={submit}>
        <Refusal fault={isOfField(fault) ? null : fault} left={left} />
        <Field label="E-mail" hint="You sign in with it.">
          <Input type="email" name="username" autoComplete="username" value={email} readOnly />
        </Field>
        <Field label="Your name" error={fault?.of('name')}>
          <Input name="name" autoComplete="name" value={name} onText={setName} maxLength={100} autoFocus required />
        </Field>
        <NewPassword
          value={password}
          onText={(text) => {
            setPassword(text)
            setShort(false)
          }}
          error={isShort ? 'It is too short.' : wordsOfRefusal(fault?.of('password'))}
        />
        {/* Busy until the next page is there. */}
        <Button
          type="submit"
          kind="primary"
          busy={accept.isPending || accept.isSuccess}
          disabled={!name.trim() || !password || left > 0}
        >
          Join
        </Button>
      </form>
    </Door>
  )
}

const isOfField = (fault: ApiFault | null) => Boolean(fault?.of('name') ?? fault?.of('password'))
