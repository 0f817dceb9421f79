import type { WebhookDelivery } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { outcomeTones, outcomeWords, type Try, tookWords } from './tries.ts'

/** Every try, the newest first, with what was answered. */
export function TryList({ delivery }: { delivery: WebhookDelivery }) {
  const { tries, status, nextTryAt } = delivery
  return (
    <div className="min-w-0">
      {tries.length === 0 && <p className="text-muted">It was not tried yet.</p>}
      {status === 'open' && nextTryAt && tries.length > 0 && (
        <p className="mb-2.5 text-sm text-muted">
          Next try: <Time at={nextTryAt} full />
        </p>
      )}
      <ol aria-label="Tries" className="divide-y divide-line">
        {tries.toReversed().map((one) => (
          <OneTry key={`${one.number} ${one.startedAt}`} one={one} />
        ))}
      </ol>
    </div>
  )
}

function OneTry({ one }: { one: Try }) {
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="text-muted">Try {one.number}</span>
        <Badge tone={outcomeTones[one.outcome]}>{outcomeWords[one.outcome]}</Badge>
        {one.status !== null && <span>Answered {one.status}</span>}
        <span className="ml-auto text-sm text-muted">
          {tookWords(one) && `${tookWords(one)} · `}
          <Time at={one.startedAt} full />
        </span>
      </p>
      {one.reply && (
        <p className="mt-1.5 rounded-md border border-line bg-bg px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {one.reply}
        </p>
      )}
    </li>
  )
}
