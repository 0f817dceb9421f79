import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useKeys } from '../../lib/keys.ts'
import type { PagedList } from '../../lib/pages.ts'
import { FaultNote } from '../empty.tsx'
import { numbers, Skeleton, Spinner } from '../spinner.tsx'
import { type Column, useColumns } from './columns.ts'
import { TableRow } from './table-row.tsx'

export type DataTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  list: PagedList<Row>
  rowKey(row: Row): string
  /** The first column becomes a link (or button) that covers the row; j, k and Enter work too. */
  href?(row: Row): string
  onOpen?(row: Row): void
  /** Drawn instead when there is nothing. */
  empty: ReactNode
  rowHeight?: number
  /** Scrolls in a box of this height instead of with the page, e.g. in a drawer. */
  height?: string
}

/** A list of any length: only the rows in sight are drawn, and further pages are read as they come near. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, columns } = props
  if (list.fault && list.rows.length === 0) {
    return (
      <div className="p-4">
        <FaultNote fault={list.fault} onRetry={() => void list.refresh()} />
      </div>
    )
  }
  if (list.isPending) return <LoadingRows count={8} />
  if (list.rows.length === 0) return props.empty
  // The kind of scrolling decides which hook is called, so it is a component each.
  return props.height ? <BoxTable {...props} columns={columns} /> : <WindowTable {...props} columns={columns} />
}

function WindowTable<Row extends object>(props: DataTableProps<Row>) {
  const element = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: props.list.rows.length,
    estimateSize: () => props.rowHeight ?? 44,
    overscan: 12,
    scrollMargin: top,
  })
  return <Rows {...props} virtual={virtual} offset={top} bodyRef={element} />
}

function BoxTable<Row extends object>(props: DataTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: props.list.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => props.rowHeight ?? 44,
    overscan: 12,
  })
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={props.label}
      style={{ height: props.height }}
      className="overflow-y-auto"
    >
      <Rows {...props} virtual={virtual} offset={0} bodyRef={body} />
    </div>
  )
}

type Scroller = Window | HTMLDivElement
type RowsProps<Row, Scrolls extends Scroller> = DataTableProps<Row> & {
  virtual: Virtualizer<Scrolls, Element>
  offset: number
  bodyRef: RefObject<HTMLDivElement | null>
}

function Rows<Row extends object, Scrolls extends Scroller>(props: RowsProps<Row, Scrolls>) {
  const { list, virtual, offset, bodyRef, rowKey } = props
  const { tracks, shown } = useColumns(props.columns)
  const [active, setActive] = useActiveRow(props)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { loadMore, hasMore, rows } = list
  useEffect(() => {
    if (hasMore && last >= rows.length - 15) loadMore()
  }, [hasMore, last, rows.length, loadMore])
  return (
    <div role="table" aria-label={props.label} aria-rowcount={list.total ?? -1} className="min-w-0">
      <HeaderRow columns={shown} tracks={tracks} sticky={!props.height} />
      <div ref={bodyRef} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <TableRow
              key={rowKey(row)}
              row={row}
              columns={shown}
              tracks={tracks}
              index={item.index}
              top={item.start - offset}
              height={item.size}
              active={item.index === active}
              onPoint={() => setActive(item.index)}
              {...(props.href && { href: props.href })}
              {...(props.onOpen && { onOpen: props.onOpen })}
            />
          )
        })}
      </div>
      {list.isLoadingMore && (
        <div role="status" className="flex items-center justify-center gap-2 py-3 text-sm text-muted">
          <Spinner size={14} /> Loading more
        </div>
      )}
      {list.fault && (
        <div className="p-3">
          <FaultNote fault={list.fault} onRetry={list.loadMore} />
        </div>
      )}
    </div>
  )
}

/** j and k walk through the rows, Enter opens the one walked to. */
function useActiveRow<Row extends object, Scrolls extends Scroller>(props: RowsProps<Row, Scrolls>) {
  const [active, setActive] = useState(-1)
  const { list, virtual, bodyRef } = props
  const walk = (step: number) => {
    const next = Math.min(list.rows.length - 1, Math.max(0, active + step))
    setActive(next)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const open = () => bodyRef.current?.querySelector<HTMLElement>(`[data-index="${active}"] [data-opens]`)?.click()
  useKeys(
    { j: () => walk(1), k: () => walk(-1), ...(active >= 0 && { Enter: open }) },
    Boolean(props.href ?? props.onOpen),
  )
  return [active, setActive] as const
}

function HeaderRow<Row>({
  columns,
  tracks,
  sticky,
}: {
  columns: readonly Column<Row>[]
  tracks: string
  sticky: boolean
}) {
  return (
    <div
      role="rowgroup"
      className={`z-10 border-b border-line bg-surface ${sticky ? 'sticky top-12 rounded-t-lg' : 'sticky top-0'}`}
    >
      <div role="row" className="grid h-9 items-center gap-4 px-4" style={{ gridTemplateColumns: tracks }}>
        {columns.map(({ id, header, head, align }) => (
          <div
            key={id}
            role="columnheader"
            className={`truncate text-sm font-medium text-muted ${align === 'right' ? 'text-right' : ''}`}
          >
            {head ? head() : header}
          </div>
        ))}
      </div>
    </div>
  )
}

function LoadingRows({ count }: { count: number }) {
  return (
    <div role="status" className="flex flex-col">
      <span className="sr-only">Loading</span>
      {numbers(count).map((index) => (
        <div key={index} className="flex h-11 items-center gap-6 border-b border-line px-4 last:border-0">
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3.5 w-1/5" />
          <Skeleton className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </div>
  )
}
