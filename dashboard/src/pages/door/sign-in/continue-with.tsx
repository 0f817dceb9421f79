import { useMutation } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Refusal } from './refusal.tsx'
import { safeNext } from './use-enter.ts'

export type Offered = { organizationId: string; connectionId: string; name: string; host: string }

type ContinueWithProps = { email: string; offered: readonly Offered[]; next?: string | undefined; hasFocus?: boolean }

/** A button for each connection. The browser goes to the issuer, and comes back to `callback.tsx`. */
export function ContinueWith({ email, offered, next, hasFocus = false }: ContinueWithProps) {
  const begin = useMutation({
    mutationFn: ({ organizationId, connectionId }: Offered) =>
      apiOfSession.post('/session/connection', {
        body: { organizationId, connectionId, email: email.trim(), next: safeNext(next) },
      }),
    onSuccess: ({ url }) => location.assign(url),
    gcTime: 0,
  })
  const fault = begin.error && toFault(begin.error)
  const left = useCountdown(fault)
  return (
    <>
      <Refusal fault={fault} left={left} />
      {offered.map((one, index) => (
        <div key={one.connectionId} className="flex flex-col gap-1 text-center">
          <Button
            kind="primary"
            // Busy until the browser is gone.
            busy={(begin.isPending || begin.isSuccess) && begin.variables.connectionId === one.connectionId}
            disabled={left > 0 || begin.isPending || begin.isSuccess}
            autoFocus={hasFocus && index === 0}
            onClick={() => begin.mutate(one)}
          >
            Continue with {one.name}
          </Button>
          <p className="text-sm break-all text-muted">You sign in at {one.host}.</p>
        </div>
      ))}
    </>
  )
}
