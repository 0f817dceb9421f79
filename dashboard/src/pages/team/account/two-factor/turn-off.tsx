import { useMutation } from '@tanstack/react-query'
import { apiOfSession } from '../../../../api/client.ts'
import { toast } from '../../../../ui/toast.tsx'
import { ProveDialog } from './prove-dialog.tsx'

type TurnOffProps = { email: string; onClose(): void }

export function TurnOff({ email, onClose }: TurnOffProps) {
  const end = useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      apiOfSession.delete('/session/account/two-factor', { body }),
    onSuccess: () => {
      toast.ok('Two-factor sign-in is off')
      onClose()
    },
    gcTime: 0,
  })
  return (
    <ProveDialog
      title="Turn two-factor sign-in off?"
      action="Turn it off"
      danger
      email={email}
      withCode
      proving={end}
      onProve={(proof) => end.mutate(proof)}
      onClose={onClose}
    >
      <p className="text-muted">
        From then on the password alone lets somebody in as you. The recovery codes are void, and your other sessions
        end.
      </p>
    </ProveDialog>
  )
}
