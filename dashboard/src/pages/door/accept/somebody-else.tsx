import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { sessionOutsideQuery } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import type { Invited } from './invited.ts'

type SomebodyElseProps = { invited: Invited; person: { name: string; email: string } }

/** The invitation is for another address than that of whoever is signed in. */
export function SomebodyElse({ invited: { email, organization }, person }: SomebodyElseProps) {
  const queries = useQueryClient()
  const leave = useMutation({
    mutationFn: () => apiOfSession.delete('/session'),
    onSuccess: () => queries.setQueryData(sessionOutsideQuery.queryKey, null),
  })
  return (
    <Door
      title="This is for somebody else"
      description={
        <>
          The invitation to {organization.name} is for <strong className="font-medium text-ink">{email}</strong>. You
          are signed in as {person.name}, <strong className="font-medium text-ink">{person.email}</strong>.
        </>
      }
    >
      <div className="mt-4 flex flex-col gap-3">
        {leave.error && <FaultNote fault={toFault(leave.error)} />}
        <Button kind="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
          Sign out and go on
        </Button>
        <ButtonLink href="/">Stay as {person.name}</ButtonLink>
      </div>
    </Door>
  )
}
