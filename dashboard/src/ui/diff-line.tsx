export type DiffLineKind = 'same' | 'added' | 'removed' | 'gap'

const signs = { added: '+', removed: '−', same: ' ', gap: '⋯' }
const colours = {
  added: 'bg-ok-soft text-ok',
  removed: 'bg-bad-soft text-bad',
  same: 'text-muted',
  gap: 'text-faint',
}
const words = { added: 'added: ', removed: 'removed: ', same: '', gap: '' }

/** One line of what changed: its sign, its colour, and a word for who sees neither. */
export function DiffLine({ kind, text }: { kind: DiffLineKind; text: string }) {
  return (
    <div className={`flex gap-2 px-3 ${colours[kind]}`}>
      <span aria-hidden="true" className="w-2 shrink-0 select-none">
        {signs[kind]}
      </span>
      <span className="sr-only">{words[kind]}</span>
      <span className="min-w-0 break-words whitespace-pre-wrap">{text || ' '}</span>
    </div>
  )
}
