import { useMutation } from '@tanstack/react-query'
import { api } from '../../../../api/client.ts'
import { toFault } from '../../../../api/fault.ts'
import { Button } from '../../../../ui/button.tsx'
import { FaultNote } from '../../../../ui/empty.tsx'
import { Icon } from '../../../../ui/icon.tsx'

/** Asks the issuer what it is, as a sign-in would. */
export function Check({ connectionId, name }: { connectionId: string; name: string }) {
  const check = useMutation({
    mutationFn: () => api.post('/v1/organization/sign-in-connections/{connectionId}/check', { path: { connectionId } }),
  })
  const { data } = check
  return (
    <div className="mt-2 flex flex-col gap-2" aria-live="polite">
      <div>
        <Button size="sm" kind="quiet" icon="plug" busy={check.isPending} onClick={() => check.mutate()}>
          Check<span className="sr-only"> {name}</span>
        </Button>
      </div>
      {check.error && <FaultNote fault={toFault(check.error)} />}
      {data?.works && (
        <p className="flex items-start gap-2 text-ok">
          <Icon name="check" className="mt-0.5" /> The issuer answers as it should. Whether it knows the client id and
          secret, the first sign-in shows.
        </p>
      )}
      {data && [...data.faults, ...data.notes].length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {data.faults.map((text) => (
            <li key={text} className="text-bad">
              {text}
            </li>
          ))}
          {data.notes.map((text) => (
            <li key={text} className="text-muted">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
