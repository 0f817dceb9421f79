import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { paths } from '../../../lib/paths.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { missingCharacters, NewPassword, wordsOfRefusal } from '../../../ui/form/new-password.tsx'
import { Refusal } from '../sign-in/refusal.tsx'
import { useEnter } from '../sign-in/use-enter.ts'

type ChoosePasswordProps = { token: string; onAskAnew(): void }

/** For whoever holds the link of the mail. Where there is a second proof, it is asked for at the sign-in, as always. */
export function ChoosePassword({ token, onAskAnew }: ChoosePasswordProps) {
  const enter = useEnter()
  const [password, setPassword] = useState('')
  const [isShort, setShort] = useState(false)
  const reset = useMutation({
    mutationFn: () => apiOfSession.post('/session/reset', { body: { token, password } }),
    onSuccess: ({ session }) => session && enter(session),
    gcTime: 0,
  })
  const fault = reset.error && toFault(reset.error)
  const left = useCountdown(fault)
  if (fault?.code === 'reset_refused') return <Refused onAskAnew={onAskAnew} />
  if (reset.data?.next === 'sign-in') return <Changed />
  const ofPassword = isShort ? 'It is too short.' : wordsOfRefusal(fault?.of('password'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = missingCharacters(password) > 0
    setShort(missing)
    if (!missing) reset.mutate()
  }
  return (
    <Door title="Choose a new password" description="It ends every session of your account, wherever it is open.">
      <form className="mt-4 flex flex-col gap-4" onSubmit={submit}>
        <Refusal fault={ofPassword ? null : fault} left={left} />
        <NewPassword
          label="New password"
          value={password}
          onText={(text) => {
            setPassword(text)
            setShort(false)
          }}
          error={ofPassword}
          autoFocus
        />
        {/* Busy until the next page is there. */}
        <Button type="submit" kind="primary" busy={reset.isPending || reset.isSuccess} disabled={!password || left > 0}>
          Change the password
        </Button>
      </form>
    </Door>
  )
}

function Changed() {
  return (
    <Door
      title="The password is changed"
      description="Sign in with it and with your second proof: a mail alone is not enough to get in."
    >
      <div className="mt-4">
        <ButtonLink kind="primary" href={paths.signIn}>
          Sign in
        </ButtonLink>
      </div>
    </Door>
  )
}

function Refused({ onAskAnew }: { onAskAnew(): void }) {
  return (
    <Door
      title="This link opens nothing any more"
      description="It was used, a newer one was asked for, the password was changed meanwhile, or it is older than an hour."
    >
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" onClick={onAskAnew}>
          Ask for a new link
        </Button>
        <ButtonLink href={paths.signIn}>To the sign-in</ButtonLink>
      </div>
    </Door>
  )
}
