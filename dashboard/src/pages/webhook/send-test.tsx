import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { WebhookDelivery } from '../../api/types.ts'
import { IconButton } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Time } from '../../ui/time.tsx'
import { deliveriesKey, deliveryQuery } from './delivery.ts'
import { type Verdict, verdictOf } from './tries.ts'

export function useTestEvent(endpointId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/v1/webhook-endpoints/{endpointId}/test', { path: { endpointId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesKey(endpointId) }),
  })
}

type TestResultProps = { endpointId: string; sent: WebhookDelivery | undefined; error: Error | null; onClose(): void }

/** What becomes of the test event, as it happens. */
export function TestResult({ endpointId, sent, error, onClose }: TestResultProps) {
  if (error)
    return (
      <div className="mb-3">
        <FaultNote fault={toFault(error)} />
      </div>
    )
  if (!sent) return null
  return <Follow key={sent._id} endpointId={endpointId} sent={sent} onClose={onClose} />
}

const tones: Record<Verdict['tone'], string> = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', wait: 'text-ink' }

function Follow({ endpointId, sent, onClose }: { endpointId: string; sent: WebhookDelivery; onClose(): void }) {
  const { data = sent } = useQuery(deliveryQuery(endpointId, sent._id))
  const { tone, title } = verdictOf(data)
  const reply = data.tries.at(-1)?.status !== null ? data.tries.at(-1)?.reply : null
  return (
    <section
      aria-label="Test event"
      className="mb-3 flex items-start gap-3 rounded-lg border border-line bg-surface px-4 py-2.5 shadow-card"
    >
      <div role="status" className="min-w-0 flex-1 py-1">
        <p className={`flex items-center gap-2 font-medium ${tones[tone]}`}>
          {tone === 'wait' ? <Spinner size={14} /> : <Icon name={tone === 'ok' ? 'check' : 'warn'} />}
          <span className="min-w-0 break-words">Test event: {title}</span>
        </p>
        {data.status === 'open' && data.nextTryAt && data.tries.length > 0 && (
          <p className="mt-0.5 text-sm text-muted">
            It is tried again: <Time at={data.nextTryAt} full />
          </p>
        )}
        {reply && <p className="mt-1 line-clamp-3 font-mono text-xs break-words text-muted">{reply}</p>}
      </div>
      <IconButton icon="close" label="Close the result" onClick={onClose} className="-mr-2" />
    </section>
  )
}
