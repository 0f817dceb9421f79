import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast.tsx'
import { hasOrder, inOrder, isIdleMailbox } from '../integrations/queries.ts'

type FailoverProps = { integration: Integration; all: readonly Integration[]; providers: readonly Provider[] }

/** Who is asked, and in which order. */
export function Failover({ integration, all, providers }: FailoverProps) {
  const { channel } = integration
  const ordered = inOrder(all.filter((one) => one.channel === channel))
  const active = ordered.filter((one) => one.active && !isIdleMailbox(one, all, providers))
  const idle = ordered.filter((one) => isIdleMailbox(one, all, providers))
  return (
    <Card title={hasOrder(channel) ? 'Order of failover' : `Active on ${channelName(channel).toLowerCase()}`}>
      <p className="mb-3 text-sm text-muted">{hasOrder(channel) ? inTurn : allAtOnce}</p>
      {active.length === 0 && <p className="text-warn">None is active: messages of this channel fail.</p>}
      <ol className="flex flex-col gap-2">
        {active.map((one, index) => (
          <li key={one._id} className="flex min-w-0 items-center gap-3">
            <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-neutral-soft text-xs font-medium text-muted">
              {hasOrder(channel) ? index + 1 : '·'}
            </span>
            <span className="min-w-0 flex-1 truncate">
              {one._id === integration._id ? (
                <strong className="font-semibold">{one.name}</strong>
              ) : (
                <TextLink href={paths.integration(one._id)}>{one.name}</TextLink>
              )}
            </span>
            {one.conditions.length > 0 && <Badge title="Only where its conditions hold">conditional</Badge>}
            {one.primary && <Badge tone="info">primary</Badge>}
          </li>
        ))}
      </ol>
      {idle.length > 0 && (
        <p className="mt-3 text-sm text-muted">
          Not used: {idle.map(({ name }) => name).join(', ')}. It takes messages only while nothing else is active, or
          when it is made the primary.
        </p>
      )}
      {hasOrder(channel) && <Primary integration={integration} />}
    </Card>
  )
}

const inTurn =
  'The primary is asked first, then the others, oldest first. One that fails three times gives way to the next; one that refuses our key does so at once.'
const allAtOnce = 'Everybody is reached through each active integration they have a device or an address for.'

function Primary({ integration }: { integration: Integration }) {
  const queries = useQueryClient()
  const promote = useMutation({
    mutationFn: () =>
      api.post('/v1/integrations/{integrationId}/set-primary', { path: { integrationId: integration._id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['integrations'] })
      toast.ok(`${integration.name} is the primary now`)
    },
    onError: toast.fault,
  })
  if (integration.primary) return null
  return (
    <div className="mt-4">
      <Button
        needs="credentials"
        size="sm"
        disabled={!integration.active}
        busy={promote.isPending}
        onClick={() => promote.mutate()}
      >
        Make this one the primary
      </Button>
      {!integration.active && <p className="mt-1.5 text-sm text-muted">Switch it on first.</p>}
    </div>
  )
}
