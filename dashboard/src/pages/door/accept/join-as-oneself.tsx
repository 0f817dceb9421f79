import { useMutation } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { Button } from '../../../ui/button.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { useEnter } from '../sign-in/use-enter.ts'
import type { Invited } from './invited.ts'

type JoinAsOneselfProps = { invited: Invited; person: { name: string; email: string } }

/** Signed in as the very person who is invited. */
export function JoinAsOneself({ invited: { token, organization }, person }: JoinAsOneselfProps) {
  const enter = useEnter()
  const join = useMutation({
    mutationFn: () => apiOfSession.post('/session/join', { body: { token } }),
    onSuccess: enter,
    gcTime: 0,
  })
  return (
    <Door
      title={`Join ${organization.name}`}
      description={`You are signed in as ${person.name} (${person.email}). You stay a member where you are, and can go back there at any time.`}
    >
      <div className="mt-4 flex flex-col gap-4">
        {join.error && <FaultNote fault={toFault(join.error)} />}
        <Button kind="primary" busy={join.isPending || join.isSuccess} onClick={() => join.mutate()} autoFocus>
          Join {organization.name}
        </Button>
      </div>
    </Door>
  )
}
