import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { apiOfSession } from '../../api/client.ts'
import { ApiFault, toFault } from '../../api/fault.ts'
import { Door } from '../../layout/door.tsx'
import { addressOf } from '../../lib/address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { safeNext } from './sign-in/use-enter.ts'

/** Here an issuer sends people back. What it says is taken out of the address, and used a single time. */
export default function Callback() {
  const finish = useMutation({
    mutationFn: async (query: string) => {
      if (query === '') throw new ApiFault(0, { code: 'nothing_came_back', message: nothing })
      return apiOfSession.post('/session/connection/finish', { body: { query } })
    },
    // A full load: nothing of who was signed in before stays in memory.
    onSuccess: ({ session, next }) =>
      location.replace(addressOf(session.environment.slug, safeNext(next ?? undefined))),
    gcTime: 0,
  })
  const used = useRef(false)
  useEffect(() => {
    if (used.current) return
    used.current = true
    const query = location.search.slice(1)
    history.replaceState(history.state, '', location.pathname)
    finish.mutate(query)
  })
  const fault = finish.error && toFault(finish.error)
  return (
    <Door title={fault ? 'You are not signed in' : 'Signing in'}>
      {fault ? (
        <div className="mt-4 flex flex-col gap-4">
          <FaultNote fault={fault} />
          <ButtonLink kind="primary" href="/sign-in">
            Back to the sign-in
          </ButtonLink>
        </div>
      ) : (
        <p role="status" className="mt-3 flex items-center gap-2 text-muted">
          <Spinner size={14} /> One moment
        </p>
      )}
    </Door>
  )
}

const nothing = 'Nothing came back that could sign you in. Begin again on the sign-in page.'
