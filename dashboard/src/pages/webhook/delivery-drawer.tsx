import { useQuery } from '@tanstack/react-query'
import { toFault } from '../../api/fault.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../api/types.ts'
import { Status } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { Json, Mono } from '../../ui/code.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Time } from '../../ui/time.tsx'
import { activityOf } from './about.ts'
import { deliveryQuery, useReplayOne } from './delivery.ts'
import { TryList } from './try-list.tsx'

type DeliveryDrawerProps = { endpoint: WebhookEndpoint; eventId: string; onClose(): void }

/** One event: every try, the body, and sending it again. It follows what happens. */
export function DeliveryDrawer({ endpoint, eventId, onClose }: DeliveryDrawerProps) {
  const { data, error } = useQuery(deliveryQuery(endpoint._id, eventId))
  const replay = useReplayOne(endpoint._id)
  return (
    <Drawer
      open
      title={data?.type ?? 'Event'}
      onClose={onClose}
      footer={
        data && (
          <>
            <ActivityLink event={data.event} />
            <Button
              needs="operate"
              icon="refresh"
              busy={replay.isPending}
              disabled={data.status === 'open' && data.tries.length === 0}
              onClick={() => replay.mutate(eventId)}
            >
              {data.status === 'open' ? 'Try now' : 'Replay'}
            </Button>
          </>
        )
      }
    >
      {error && <FaultNote fault={toFault(error)} />}
      {!data && !error && <SkeletonLines lines={8} />}
      {data && <Details delivery={data} isDisabled={endpoint.status === 'disabled'} />}
    </Drawer>
  )
}

/** From what was told to what it is about. */
function ActivityLink({ event }: Pick<WebhookDelivery, 'event'>) {
  const href = activityOf(event.data)
  if (!href) return null
  return (
    <ButtonLink icon="activity" href={href}>
      See it in activity
    </ButtonLink>
  )
}

function Details({ delivery, isDisabled }: { delivery: WebhookDelivery; isDisabled: boolean }) {
  const { _id, status, createdAt, event, tries } = delivery
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        items={[
          ['State', <Status key="state" value={status} />],
          ['Happened', <Time key="at" at={createdAt} full />],
          [
            'webhook-id',
            <span key="id" className="break-all">
              <Mono>{_id}</Mono>
            </span>,
          ],
        ]}
      />
      {isDisabled && status === 'open' && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          It waits: nothing is sent while the endpoint is disabled.
        </p>
      )}
      <section>
        <h3 className="mb-2 text-base">Tries{tries.length > 0 && ` (${tries.length})`}</h3>
        <TryList delivery={delivery} />
      </section>
      <section>
        <h3 className="mb-2 text-base">Body</h3>
        <Json value={event} label="Body" />
      </section>
    </div>
  )
}
