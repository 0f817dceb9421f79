import { useState } from 'react'
import { useAtLeast } from '../../lib/media.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { useReadOnly } from '../../ui/form/read-only.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { localeName } from './locales.ts'
import { type Shown, shownRows, type WordRow } from './rows.ts'
import type { Words } from './use-words.ts'
import { WordField } from './word-field.tsx'
import { withoutText, withText } from './words.ts'

const pageSize = 100
const kinds = [
  { id: 'all', label: 'All' },
  { id: 'missing', label: 'Missing' },
  { id: 'unused', label: 'Unused' },
] as const

/** Every key in every language: a table, on a phone one key after another. */
export function WordTable({ words }: { words: Words }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const [most, setMost] = useState(pageSize)
  const isWide = useAtLeast('md')
  const rows = shownRows(words.rows, search, shown)
  const inSight = rows.slice(0, most)
  const save = (locale: string, key: string, text: string) =>
    words.change(locale, (content) => (text === '' ? withoutText(content, key) : withText(content, key, text)))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <SearchInput label="Part of a key or text" value={search} onSearch={setSearch} />
        <Segments label="Which" items={kinds} value={shown} onChange={setShown} />
      </div>
      {rows.length === 0 && <p className="px-4 py-8 text-center text-muted">No such key.</p>}
      {rows.length > 0 &&
        (isWide ? (
          <Wide words={words} rows={inSight} save={save} />
        ) : (
          <Narrow words={words} rows={inSight} save={save} />
        ))}
      {rows.length > most && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button size="sm" onClick={() => setMost(most + pageSize)}>
            Show {Math.min(pageSize, rows.length - most)} more of {rows.length}
          </Button>
        </div>
      )}
    </>
  )
}

type RowsProps = {
  words: Words
  rows: readonly WordRow[]
  save(locale: string, key: string, text: string): Promise<void>
}

function Wide({ words, rows, save }: RowsProps) {
  return (
    <section aria-label="Words by key and language" tabIndex={0} className="relative overflow-x-auto rounded-b-lg">
      <table
        className="w-full table-fixed border-collapse"
        style={{ minWidth: `${14 + words.languages.length * 14}rem` }}
      >
        <thead>
          <tr className="h-9 border-b border-line text-left text-xs font-medium text-muted">
            <th scope="col" className="sticky left-0 z-10 w-56 bg-surface px-4 font-medium">
              Key
            </th>
            {words.languages.map(({ locale, isDefault }) => (
              <th key={locale} scope="col" className="px-3 font-medium">
                {localeName(locale)} <span className="font-mono">{locale}</span>
                {isDefault && ' · default'}
              </th>
            ))}
            <th scope="col" className="w-12">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-b border-line align-top last:border-b-0">
              <th scope="row" className="sticky left-0 z-10 bg-surface px-4 py-2.5 text-left font-normal">
                <Key row={row} />
              </th>
              {row.cells.map((cell) => (
                <td key={cell.locale} className="px-1 py-1">
                  <WordField wordKey={row.key} cell={cell} onSave={(text) => save(cell.locale, row.key, text)} />
                </td>
              ))}
              <td className="py-1">
                <RemoveKey row={row} words={words} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Narrow({ words, rows, save }: RowsProps) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.key} className="flex flex-col gap-1 border-b border-line px-4 py-3 last:border-b-0">
          <div className="flex items-center justify-between gap-2">
            <Key row={row} />
            <RemoveKey row={row} words={words} />
          </div>
          {row.cells.map((cell) => (
            <div key={cell.locale} className="grid grid-cols-[3.5rem_minmax(0,1fr)] items-start gap-1">
              <span className="pt-1.5 font-mono text-xs text-muted">{cell.locale}</span>
              <WordField wordKey={row.key} cell={cell} onSave={(text) => save(cell.locale, row.key, text)} />
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}

function Key({ row: { key, isUsed } }: { row: WordRow }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <span className="min-w-0 font-mono text-xs leading-5 break-all">{key}</span>
      {!isUsed && <Badge title="No template asks for it.">unused</Badge>}
    </span>
  )
}

/** From every language that has it. */
function RemoveKey({ row: { key, isUsed, cells }, words }: { row: WordRow; words: Words }) {
  const isReadOnly = useReadOnly()
  const having = cells.filter(({ text }) => text !== null)
  if (isReadOnly || having.length === 0) return null
  const remove = async () => {
    const sure = await confirm({
      title: `Remove ${key}?`,
      text: isUsed
        ? 'Its words are deleted in all languages. Templates ask for it: readers then see the name of the key.'
        : 'Its words are deleted in all languages. No template asks for it.',
      action: 'Remove key',
      danger: true,
    })
    if (!sure) return
    try {
      for (const { locale } of having) await words.change(locale, (content) => withoutText(content, key))
    } catch (error) {
      toast.fault(error)
    }
  }
  return <IconButton icon="trash" label={`Remove ${key}`} onClick={() => void remove()} />
}
