import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { Failed, ImportState } from './use-import.ts'

const words = { ready: '', running: 'Importing', stopped: 'Stopped', done: 'Done' }
const shownFailures = 100

export function ImportProgress({ state }: { state: ImportState }) {
  const { done, total, created, updated, failed, fault, status } = state
  return (
    <div className="flex flex-col gap-5">
      <Progress
        label={words[status]}
        value={done}
        max={total}
        note={`${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      />
      <dl className="grid grid-cols-3 gap-3" aria-live="polite">
        <Count name="Added" value={created} />
        <Count name="Changed or same" value={updated} />
        <Count name="Refused" value={failed.length} bad={failed.length > 0} />
      </dl>
      {fault && <FaultNote fault={fault} />}
      {failed.length > 0 && <Failures failed={failed} />}
    </div>
  )
}

function Count({ name, value, bad }: { name: string; value: number; bad?: boolean }) {
  return (
    <div className="rounded-md border border-line px-3 py-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={`text-xl font-semibold ${bad ? 'text-bad' : ''}`}>{value.toLocaleString('en')}</dd>
    </div>
  )
}

function Failures({ failed }: { failed: readonly Failed[] }) {
  return (
    <section>
      <div className="mb-2 flex items-center justify-between gap-4">
        <h3 className="text-base">Refused</h3>
        <Button size="sm" onClick={() => download(failed)}>
          Save this list
        </Button>
      </div>
      <ul className="divide-y divide-line rounded-md border border-line">
        {failed.slice(0, shownFailures).map(({ subscriberId, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, and the same line may come twice
          <li key={index} className="px-3 py-2 text-sm break-words">
            <Mono>{subscriberId ?? 'without id'}</Mono> <span className="text-muted">{message}</span>
          </li>
        ))}
      </ul>
      {failed.length > shownFailures && (
        <p className="mt-2 text-sm text-muted">
          and {(failed.length - shownFailures).toLocaleString('en')} more, in the saved list.
        </p>
      )}
    </section>
  )
}

function download(failed: readonly Failed[]) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(failed, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'refused-subscribers.json'
  link.click()
  URL.revokeObjectURL(address)
}
