import { Badge } from '../../../ui/badge.tsx'
import type { FieldChange, PlaceChange } from './diff.ts'
import { type FoldedLine, folded } from './fold.ts'

const tones = { changed: 'info', added: 'ok', removed: 'bad' } as const

/** What changed, field by field: what was in red, what is in green, each with its sign. */
export function DiffView({ changes }: { changes: readonly PlaceChange[] }) {
  return (
    <div className="flex flex-col gap-5">
      {changes.map(({ place, kind, fields }) => (
        <section key={place} className="min-w-0">
          <h3 className="mb-2 flex items-center gap-2">
            <span className="min-w-0 truncate">{place}</span>
            <Badge tone={tones[kind]}>{kind}</Badge>
          </h3>
          <div className="flex flex-col overflow-hidden rounded-md border border-line">
            {fields.map((field) => (
              <FieldDiff key={field.path} field={field} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

function FieldDiff({ field }: { field: FieldChange }) {
  return (
    <div className="border-b border-line last:border-0">
      <p className="bg-bg px-3 py-1 font-mono text-xs break-all text-muted">{field.path}</p>
      <div className="py-1 font-mono text-xs leading-5">
        {folded(field.lines).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one difference never move
          <DiffLine key={index} line={line} />
        ))}
      </div>
    </div>
  )
}

const signs = { added: '+', removed: '−', same: ' ', gap: '⋯' }
const colours = {
  added: 'bg-ok-soft text-ok',
  removed: 'bg-bad-soft text-bad',
  same: 'text-muted',
  gap: 'text-faint',
}
const words = { added: 'added: ', removed: 'removed: ', same: '', gap: '' }

function DiffLine({ line }: { line: FoldedLine }) {
  return (
    <div className={`flex gap-2 px-3 ${colours[line.kind]}`}>
      <span aria-hidden="true" className="w-2 shrink-0 select-none">
        {signs[line.kind]}
      </span>
      <span className="sr-only">{words[line.kind]}</span>
      <span className="min-w-0 break-words whitespace-pre-wrap">{line.text || ' '}</span>
    </div>
  )
}
