import { Badge } from './badge.tsx'
import { DiffLine, type DiffLineKind } from './diff-line.tsx'

/** What changed in one place: its fields, each with the lines that were and are. */
export type ShownChange = {
  place: string
  kind: 'changed' | 'added' | 'removed'
  fields: readonly { path: string; lines: readonly { kind: DiffLineKind; text: string }[] }[]
}

const tones = { changed: 'info', added: 'ok', removed: 'bad' } as const

/** What changed, field by field: what was in red, what is in green, each with its sign. */
export function DiffView({ changes }: { changes: readonly ShownChange[] }) {
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
              <FieldDiff key={field.path} {...field} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/** One field. Also by itself, in lists of changes. */
export function FieldDiff({ path, lines }: ShownChange['fields'][number]) {
  return (
    <div className="border-b border-line last:border-0">
      <p className="bg-bg px-3 py-1 font-mono text-xs break-all text-muted">{path}</p>
      <div className="py-1 font-mono text-xs leading-5">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one difference never move
          <DiffLine key={index} {...line} />
        ))}
      </div>
    </div>
  )
}
