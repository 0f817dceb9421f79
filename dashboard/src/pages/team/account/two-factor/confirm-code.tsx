import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOfSession } from '../../../../api/client.ts'
import { toFault } from '../../../../api/fault.ts'
import { useCountdown } from '../../../../lib/use-countdown.ts'
import { CopyButton } from '../../../../ui/code.tsx'
import { FormDialog } from '../../../../ui/dialog/form-dialog.tsx'
import { Field, Input } from '../../../../ui/form/form.tsx'
import { Refusal } from '../../../door/sign-in/refusal.tsx'
import { QrCode } from './qr-code.tsx'

type ConfirmCodeProps = {
  begun: { secret: string; uri: string }
  onConfirmed(recoveryCodes: string[]): void
  onClose(): void
}

/** The secret goes into the app; a code comes back and shows that it arrived. */
export function ConfirmCode({ begun, onConfirmed, onClose }: ConfirmCodeProps) {
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () =>
      apiOfSession.post('/session/account/two-factor/confirm', { body: { code: code.replaceAll(/\s/g, '') } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    gcTime: 0,
  })
  const fault = confirm.error && toFault(confirm.error)
  const left = useCountdown(fault)
  return (
    <FormDialog
      title="Add it to your app"
      action="Turn it on"
      size="md"
      busy={confirm.isPending}
      disabled={!code.trim() || left > 0}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={begun.uri} label="QR code for the app" />
        <div className="min-w-0 flex-1 basis-56">
          <p>Let the app read the picture, or type this into it:</p>
          <p className="mt-2 flex items-center gap-1">
            <span data-secret className="min-w-0 font-mono text-sm break-all">
              {inGroups(begun.secret)}
            </span>
            <CopyButton text={begun.secret} label="Copy the secret" />
          </p>
          <p className="mt-2 text-sm text-muted">It is shown this once. Time-based, six digits, every 30 seconds.</p>
        </div>
      </div>
      <Refusal fault={fault} left={left} words={words} />
      <Field label="Code" hint="The six digits that the app shows now.">
        <Input
          name="one-time-code"
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onText={setCode}
          autoFocus
          maxLength={12}
          required
          className="font-mono tracking-widest"
        />
      </Field>
    </FormDialog>
  )
}

const words = {
  proof_refused: 'This is not the code of now. If it happens again, the clock of the phone may be wrong.',
}

/** In groups of four, as one types it. */
function inGroups(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ')
}
