import type { Line } from './diff.ts'

export type FoldedLine = Line | { kind: 'gap'; text: string }

const around = 2

/** Long runs of what is the same are left out, but for a few lines around each change. */
export function folded(lines: readonly Line[]): FoldedLine[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: FoldedLine[] = []
  let skipped = 0
  const close = () => {
    if (skipped > 0) shown.push({ kind: 'gap', text: skipped === 1 ? '1 line' : `${skipped} lines` })
    skipped = 0
  }
  for (const [index, line] of lines.entries()) {
    if (!near[index]) skipped += 1
    else {
      close()
      shown.push(line)
    }
  }
  close()
  return shown
}
