import type { Send } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { Card } from '../../ui/card.tsx'
import { count, type Part, partsOf } from '../sends/words.ts'

/** People, then messages: what became of them so far. */
export function ProgressCard({ send }: { send: Send }) {
  const { people, messages, channels, steps } = send
  const names = Object.keys(channels)
  const others = [
    [steps.skipped, 'skipped'],
    [steps.failed, 'failed'],
    [steps.canceled, 'canceled'],
    [steps.merged, 'merged into a digest'],
  ] as const
  const ended = others.filter(([value]) => value > 0).map(([value, word]) => `${count(value)} ${word}`)
  return (
    <Card title="Progress">
      <div className="flex flex-col gap-6">
        <Bar
          label="People"
          total={people.total ?? people.written + people.left + people.leftOut}
          note={people.total === null ? 'being counted' : undefined}
          parts={[
            { id: 'written', label: 'Reached', value: people.written, colour: 'bg-accent' },
            { id: 'leftOut', label: 'Left out', value: people.leftOut, colour: 'bg-faint' },
            { id: 'left', label: 'Not yet', value: people.left, colour: 'bg-neutral-soft' },
          ]}
        />
        <Bar label="Messages" parts={partsOf(messages)} />
        {names.length > 1 &&
          names.map((name) => {
            const counts = channels[name]
            return counts && <Bar key={name} label={channelName(name)} parts={partsOf(counts)} />
          })}
        {ended.length > 0 && (
          <p className="text-sm text-muted">Steps that ended without a message: {ended.join(', ')}.</p>
        )}
      </div>
    </Card>
  )
}

type BarProps = { label: string; parts: readonly Part[]; total?: number; note?: string | undefined }

/** Each part with its colour, its word and its number. */
function Bar({ label, parts, total, note }: BarProps) {
  const all = total ?? parts.reduce((sum, { value }) => sum + value, 0)
  const shown = parts.filter(({ value }) => value > 0)
  return (
    <section aria-label={label}>
      <div className="mb-1.5 flex justify-between gap-4">
        <h3>{label}</h3>
        <span className="text-muted">{note ?? count(all)}</span>
      </div>
      <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-neutral-soft">
        {shown.map(({ id, value, colour }) => (
          <div
            key={id}
            className={`h-full transition-[width] duration-300 ${colour}`}
            style={{ width: `${all === 0 ? 0 : (value / all) * 100}%` }}
          />
        ))}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {shown.map(({ id, label: word, value, colour }) => (
          <div key={id} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ring-1 ring-ink/15 ring-inset ${colour}`} />
            <dt className="text-muted">{word}</dt>
            <dd className="tabular-nums">{count(value)}</dd>
          </div>
        ))}
        {shown.length === 0 && <div className="text-muted">none yet</div>}
      </dl>
    </section>
  )
}
