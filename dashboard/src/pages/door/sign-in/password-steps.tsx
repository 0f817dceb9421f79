import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type ApiFault, toFault } from '../../../api/fault.ts'
import type { Session } from '../../../api/types.ts'
import { signIn } from '../../../lib/session.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { CodeStep } from './code-step.tsx'
import { Refusal } from './refusal.tsx'

type PasswordStepsProps = {
  email: string
  /** Without it the address is what it is. */
  onEmail?(email: string): void
  action?: string
  /** Goes on when somebody is signed in; what it throws is shown. */
  onSignedIn(session: Session): void | Promise<void>
  /** Told when the second proof is asked for, and when it is not any more. */
  onCodeAsked?(isAsked: boolean): void
  /** Under the fields: other ways. */
  children?: ReactNode
}

/** Address and password, then the code of those who have a second proof. */
export function PasswordSteps(props: PasswordStepsProps) {
  const { email, onSignedIn, onCodeAsked, action = 'Sign in' } = props
  const [password, setPassword] = useState('')
  const send = useMutation({
    mutationFn: async (code: string | undefined) => onSignedIn(await signIn({ email: email.trim(), password, code })),
    onError: (error) => isCodeWanted(toFault(error)) && askCode(true),
    gcTime: 0,
  })
  const refused = send.error && toFault(send.error)
  const fault = refused && isCodeWanted(refused) ? null : refused
  const [isCodeAsked, setCodeAsked] = useState(false)
  const askCode = (isAsked: boolean) => {
    setCodeAsked(isAsked)
    onCodeAsked?.(isAsked)
  }
  const left = useCountdown(fault)
  const isBusy = send.isPending || send.isSuccess
  if (isCodeAsked)
    return (
      <CodeStep
        {...{ email, fault, left, action, isBusy }}
        onCode={(code) => send.mutate(code)}
        onBack={() => {
          send.reset()
          askCode(false)
        }}
      />
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    send.mutate(undefined, {
      onError: () => form.querySelector<HTMLInputElement>('[name="current-password"]')?.select(),
    })
  }
  return (
    <form className="mt-4 flex flex-col gap-4" onSubmit={submit}>
      <Refusal fault={fault} left={left} words={words} />
      <EmailField {...props} />
      <Field label="Password">
        <PasswordInput kind="current-password" value={password} onText={setPassword} autoFocus={!props.onEmail} />
      </Field>
      {/* Busy until the next page is there. */}
      <Button type="submit" kind="primary" busy={isBusy} disabled={!email.trim() || !password || left > 0}>
        {action}
      </Button>
      {props.children}
    </form>
  )
}

const isCodeWanted = ({ code }: ApiFault) => code === 'second_factor_needed'

/** Nobody learns which of the two is wrong. */
const words = { sign_in_refused: 'This address and this password do not belong together.' }

function EmailField({ email, onEmail }: PasswordStepsProps) {
  return (
    <Field label="E-mail">
      <Input
        type="email"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        value={email}
        {...(onEmail && { onText: onEmail })}
        readOnly={!onEmail}
        autoFocus={Boolean(onEmail)}
        maxLength={320}
        required
      />
    </Field>
  )
}
