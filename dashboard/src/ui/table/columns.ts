import type { ReactNode } from 'react'
import { useAtLeast, type Width } from '../../lib/media.ts'

export type Column<Row> = {
  id: string
  header: string
  /** Drawn instead of `header`, e.g. a box that selects all. */
  head?(): ReactNode
  cell(row: Row): ReactNode
  /** This column opens the row, instead of the first. */
  opens?: boolean
  /** A CSS grid track: `'8rem'`, `'minmax(0, 2fr)'`. Default `minmax(0, 1fr)`. */
  width?: string
  align?: 'left' | 'right'
  /** Left out on windows narrower than this. */
  from?: Width
}

/** The columns that this window has room for, and their grid tracks. */
export function useColumns<Row>(columns: readonly Column<Row>[]): { shown: Column<Row>[]; tracks: string } {
  const reached = { sm: useAtLeast('sm'), md: useAtLeast('md'), lg: useAtLeast('lg'), xl: useAtLeast('xl') }
  const shown = columns.filter(({ from }) => !from || reached[from])
  return { shown, tracks: shown.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ') }
}
