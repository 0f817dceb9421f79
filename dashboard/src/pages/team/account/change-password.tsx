import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { Account } from '../../../api/types.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { missingCharacters, NewPassword, wordsOfRefusal } from '../../../ui/form/new-password.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Refusal } from '../../door/sign-in/refusal.tsx'
import { useRefreshAccount } from './queries.ts'

export function ChangePassword({ account }: { account: Account }) {
  return (
    <Card title="Password" description={account.hasPassword && 'A new one ends all your other sessions.'}>
      {account.hasPassword ? (
        <Form email={account.email} />
      ) : (
        <p className="text-muted">
          You have none here: you come in by the sign-in of your organization, and change your password there.
        </p>
      )}
    </Card>
  )
}

function Form({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isShort, setShort] = useState(false)
  const refresh = useRefreshAccount()
  const change = useMutation({
    mutationFn: () => apiOfSession.put('/session/account/password', { body: { current, password } }),
    onSuccess: async () => {
      setCurrent('')
      setPassword('')
      await refresh()
      toast.ok('The password is changed; your other sessions are over')
    },
    gcTime: 0,
  })
  const fault = change.error && toFault(change.error)
  const left = useCountdown(fault)
  const ofCurrent = fault?.code === 'proof_refused' ? 'This is not your password.' : undefined
  const ofNew = isShort ? 'It is too short.' : wordsOfRefusal(fault?.of('password'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = missingCharacters(password) > 0
    setShort(missing)
    if (!missing) change.mutate()
  }
  return (
    <form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <Refusal fault={ofCurrent || ofNew ? null : fault} left={left} />
      {/* So that password managers know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Password now" error={ofCurrent}>
        <PasswordInput kind="current-password" value={current} onText={setCurrent} />
      </Field>
      <NewPassword
        label="New password"
        value={password}
        onText={(text) => {
          setPassword(text)
          setShort(false)
        }}
        error={ofNew}
      />
      <Button
        type="submit"
        kind="primary"
        className="self-start"
        busy={change.isPending}
        disabled={!current || !password || left > 0}
      >
        Change the password
      </Button>
    </form>
  )
}
