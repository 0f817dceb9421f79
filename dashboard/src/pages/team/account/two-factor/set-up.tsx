import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOfSession } from '../../../../api/client.ts'
import { ConfirmCode } from './confirm-code.tsx'
import { ProveDialog } from './prove-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type SetUpProps = { email: string; onClose(): void }

/** Three steps: the password, a first code of the app, and the codes to keep. */
export function SetUp({ email, onClose }: SetUpProps) {
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const begin = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      apiOfSession.post('/session/account/two-factor', { body: { password } }),
    gcTime: 0,
  })
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} email={email} onClose={onClose} />
  if (begin.data) return <ConfirmCode begun={begin.data} onConfirmed={setRecoveryCodes} onClose={onClose} />
  return (
    <ProveDialog
      title="Set up two-factor sign-in"
      action="Go on"
      email={email}
      proving={begin}
      onProve={({ password }) => begin.mutate({ password })}
      onClose={onClose}
    >
      <p className="text-muted">
        You need an app that shows codes, such as those of your phone or your password manager. First, your password.
      </p>
    </ProveDialog>
  )
}
