import { type ReactNode, useState } from 'react'
import { toFault } from '../../../../api/fault.ts'
import { useCountdown } from '../../../../lib/use-countdown.ts'
import { FormDialog } from '../../../../ui/dialog/form-dialog.tsx'
import { Field, Input } from '../../../../ui/form/form.tsx'
import { PasswordInput } from '../../../../ui/form/password-input.tsx'
import { Refusal } from '../../../door/sign-in/refusal.tsx'

type ProveDialogProps = {
  title: string
  action: string
  email: string
  /** A code, too: of the app, or one that was kept. */
  withCode?: boolean
  danger?: boolean
  proving: { isPending: boolean; error: Error | null }
  onProve(proof: { password: string; code: string }): void
  onClose(): void
  children: ReactNode
}

/** Whoever finds an open window changes nothing of how one signs in. */
export function ProveDialog(props: ProveDialogProps) {
  const { title, action, email, withCode = false, danger = false, proving, onProve, onClose, children } = props
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const fault = proving.error && toFault(proving.error)
  const left = useCountdown(fault)
  return (
    <FormDialog
      title={title}
      action={action}
      danger={danger}
      busy={proving.isPending}
      disabled={!password || (withCode && !code.trim()) || left > 0}
      onSubmit={() => onProve({ password, code: code.replaceAll(/\s/g, '') })}
      onClose={onClose}
    >
      {children}
      <Refusal fault={fault} left={left} words={words(withCode)} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Password">
        <PasswordInput kind="current-password" value={password} onText={setPassword} autoFocus />
      </Field>
      {withCode && (
        <Field label="Code" hint="Of the app, or a recovery code.">
          <Input
            name="one-time-code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            value={code}
            onText={setCode}
            maxLength={40}
            required
            className="font-mono"
          />
        </Field>
      )}
    </FormDialog>
  )
}

const words = (withCode: boolean) => ({
  proof_refused: withCode
    ? 'The password or the code is not right. Each code works once; wait for the next one.'
    : 'This is not your password.',
})
