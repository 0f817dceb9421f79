import { Json } from '../../ui/code.tsx'
import { Field, Select } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Entry, type Source, targets } from './read-people.ts'

type ImportPreviewProps = {
  source: Source
  columns: readonly string[]
  onColumns(columns: string[]): void
  entries: readonly Entry[]
  withId: number
}

/** What the file is understood as. Columns can be told apart by hand. */
export function ImportPreview({ source, columns, onColumns, entries, withId }: ImportPreviewProps) {
  const without = entries.length - withId
  return (
    <div className="flex flex-col gap-6">
      {source.kind === 'csv' && (
        <section>
          <h3 className="mb-2 text-base">Columns</h3>
          <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
            {source.head.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places, and two may have one name
              <li key={index} className="flex items-center gap-3">
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name || `Column ${index + 1}`}</span>
                  <span className="block truncate text-xs text-muted">{source.rows[0]?.[index] || 'empty'}</span>
                </span>
                <Field label={`Field for ${name}`} hideLabel className="w-36 shrink-0">
                  <Select
                    value={columns[index] ?? ''}
                    options={targets}
                    onText={(value) => onColumns(columns.map((old, at) => (at === index ? value : old)))}
                  />
                </Field>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="text-base">The first of {entries.length.toLocaleString('en')}</h3>
        <p className="mb-2 text-sm text-muted">
          {source.kind === 'csv'
            ? 'Empty cells are left out: they clear nothing.'
            : 'Fields we do not know are left out.'}
        </p>
        {without > 0 && (
          <p className="mb-2 flex items-start gap-2 text-sm text-warn">
            <Icon name="warn" size={14} className="mt-0.5" />
            {withId === 0
              ? 'No entry has a subscriber id. Say which column holds it.'
              : `${without.toLocaleString('en')} without a subscriber id will be refused.`}
          </p>
        )}
        <Json value={entries[0]} label="First entry" maxHeight="14rem" />
      </section>
    </div>
  )
}
