import { useMutation } from '@tanstack/react-query'
import { apiOfSession } from '../../../api/client.ts'
import type { Account } from '../../../api/types.ts'
import { addressOf } from '../../../lib/address.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Those one is a member of. A session is in one of them. */
export function Organizations({ organizations }: Pick<Account, 'organizations'>) {
  return (
    <Card
      title="Organizations"
      description={
        organizations.length > 1 &&
        'One account for all of them. Going to another one signs you in there, and out here.'
      }
      flush
    >
      <ul aria-label="Organizations" className="divide-y divide-line">
        {organizations.map((it) => (
          <li key={it.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 font-medium break-words">{it.name}</span>
                {it.current && <Badge tone="info">you are here</Badge>}
              </p>
              <p className="text-sm text-muted">{it.role ?? 'a role in some of its environments'}</p>
            </div>
            {!it.current && <Go id={it.id} name={it.name} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Go({ id, name }: { id: string; name: string }) {
  const go = useMutation({
    mutationFn: () => apiOfSession.post('/session/organization', { body: { organizationId: id } }),
    // A full load: nothing of the other one stays in memory.
    onSuccess: ({ environment }) => location.assign(addressOf(environment.slug, '/')),
    onError: toast.fault,
  })
  return (
    <Button size="sm" busy={go.isPending || go.isSuccess} onClick={() => go.mutate()} aria-label={`Go to ${name}`}>
      Go there
    </Button>
  )
}
