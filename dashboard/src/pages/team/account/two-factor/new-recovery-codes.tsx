import { useMutation } from '@tanstack/react-query'
import { apiOfSession } from '../../../../api/client.ts'
import { ProveDialog } from './prove-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type NewRecoveryCodesProps = { email: string; onClose(): void }

export function NewRecoveryCodes({ email, onClose }: NewRecoveryCodesProps) {
  const make = useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      apiOfSession.post('/session/account/recovery-codes', { body }),
    gcTime: 0,
  })
  if (make.data) return <RecoveryCodes codes={make.data.recoveryCodes} email={email} onClose={onClose} />
  return (
    <ProveDialog
      title="New recovery codes"
      action="Make new ones"
      email={email}
      withCode
      proving={make}
      onProve={(proof) => make.mutate(proof)}
      onClose={onClose}
    >
      <p className="text-muted">The codes of before work no longer, and your other sessions end.</p>
    </ProveDialog>
  )
}
