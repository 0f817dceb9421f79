import { useEffect, useRef } from 'react'
import type { DeadLetter } from '../../api/types.ts'
import type { PagedList } from '../../lib/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Progress } from '../../ui/progress.tsx'
import { type RedriveFilter, useRedrive } from './redrive.ts'

type RedriveBarProps = {
  list: PagedList<DeadLetter>
  chosen: readonly string[]
  filter: RedriveFilter
  isFiltered: boolean
  onDone(): void
}

const counted = (n: number, capped = false) =>
  `${n.toLocaleString('en')}${capped ? '+' : ''} ${n === 1 ? 'message' : 'messages'}`
/** The server counts no further than this. */
const countCap = 50_000

export function RedriveBar({ list, chosen, filter, isFiltered, onDone }: RedriveBarProps) {
  const { work, redriveThese, redriveFiltered, stop, dismiss } = useRedrive(async () => {
    onDone()
    await list.refresh()
  })
  const total = list.total ?? list.rows.length
  const all = async () => {
    const sure = await confirm({
      title: `Redrive ${counted(total, total >= countCap)}?`,
      text: `All ${isFiltered ? 'that fit the filter' : 'dead letters'} are sent again now, each with 24 hours to arrive. Put the cause right first: what is refused again comes back to this list.`,
      action: 'Redrive all',
    })
    if (sure) await redriveFiltered(filter, total)
  }
  if (work) return <Work {...work} onStop={stop} onDismiss={dismiss} />
  if (list.rows.length === 0) return null
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
      <p className="mr-auto basis-full text-muted sm:basis-auto" aria-live="polite">
        {chosen.length > 0 ? `${counted(chosen.length)} chosen` : counted(total, total >= countCap)}
      </p>
      <Button needs="operate" icon="refresh" disabled={chosen.length === 0} onClick={() => void redriveThese(chosen)}>
        Redrive chosen
      </Button>
      <Button needs="operate" kind="primary" icon="refresh" onClick={() => void all()}>
        {isFiltered ? 'Redrive all that fit' : 'Redrive all'}
      </Button>
    </div>
  )
}

type WorkProps = { done: number; total: number; running: boolean; onStop(): void; onDismiss(): void }

function Work({ done, total, running, onStop, onDismiss }: WorkProps) {
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!running) close.current?.focus()
  }, [running])
  return (
    <Card className="mb-3">
      <div className="flex flex-wrap items-end gap-4">
        <div className="min-w-0 flex-1 basis-60">
          <Progress
            label={
              running
                ? 'Redriving'
                : `Redriven: ${counted(done)} on their way again. What is refused again comes back to this list.`
            }
            value={running ? done : 1}
            max={running ? total : 1}
            note={running ? `${done.toLocaleString('en')} of ${total.toLocaleString('en')}` : 'done'}
          />
        </div>
        {running ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <button ref={close} type="button" className="h-8 rounded-md px-3 font-medium text-accent" onClick={onDismiss}>
            Close
          </button>
        )}
      </div>
    </Card>
  )
}
