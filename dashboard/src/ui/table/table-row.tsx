import type { ReactNode } from 'react'
import { Anchor } from '../anchor.tsx'
import type { Column } from './columns.ts'

type TableRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  tracks: string
  index: number
  top: number
  height: number
  active: boolean
  onPoint(): void
  href?(row: Row): string
  onOpen?(row: Row): void
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, tracks, index, top, height } = props
  const canOpen = Boolean(props.href ?? props.onOpen)
  const opener = Math.max(
    0,
    columns.findIndex(({ opens }) => opens),
  )
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      onMouseDown={props.onPoint}
      style={{ gridTemplateColumns: tracks, transform: `translateY(${top}px)`, height }}
      className={`absolute inset-x-0 grid items-center gap-4 border-b border-line px-4 last:rounded-b-lg last:border-b-0 ${
        props.active && canOpen
          ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]'
          : canOpen
            ? 'hover:bg-hover'
            : ''
      }`}
    >
      {columns.map((column, at) => (
        <div key={column.id} role="cell" className={`min-w-0 truncate ${column.align === 'right' ? 'text-right' : ''}`}>
          {at === opener ? <Opener {...props}>{column.cell(row)}</Opener> : column.cell(row)}
        </div>
      ))}
    </div>
  )
}

/** Covers the whole row. Other links and buttons in it stay reachable with `className="relative z-10"`. */
const cover =
  'after:absolute after:inset-0 after:content-[""] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

function Opener<Row>({ row, href, onOpen, children }: TableRowProps<Row> & { children: ReactNode }) {
  if (href) {
    return (
      <Anchor data-opens href={href(row)} className={cover}>
        {children}
      </Anchor>
    )
  }
  if (onOpen) {
    return (
      <button type="button" data-opens onClick={() => onOpen(row)} className={`max-w-full truncate text-left ${cover}`}>
        {children}
      </button>
    )
  }
  return children
}
