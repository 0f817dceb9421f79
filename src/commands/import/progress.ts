import type { Output } from '../host.ts'

/** Where it is shown: redrawn in place on a terminal, else a plain line now and then. */
export type Screen = { isTerminal: boolean; write(text: string): void; print: Output }

export type Progress = {
  /** `total` null: nobody knows. `isCapped`: there are at least as many. */
  show(done: number, total: number | null, isCapped: boolean): void
  end(): void
}

const everyMs = { terminal: 100, lines: 5_000 }

/** `already`: what an earlier run has done; it says nothing of the speed. */
export function createProgress(what: string, already: number, { isTerminal, write, print }: Screen): Progress {
  const startedAt = performance.now()
  let shownAt = isTerminal ? 0 : startedAt
  let isDrawn = false
  return {
    show(done, total, isCapped) {
      const now = performance.now()
      if (now - shownAt < (isTerminal ? everyMs.terminal : everyMs.lines)) return
      shownAt = now
      const line = lineOf(what, { done, already, total, isCapped, ms: now - startedAt }, isTerminal)
      isDrawn = isTerminal
      if (isTerminal) write(`\r${line}\u001b[K`)
      else print(line)
    },
    end() {
      if (isDrawn) write('\r\u001b[K')
    },
  }
}

type State = { done: number; already: number; total: number | null; isCapped: boolean; ms: number }

export function lineOf(what: string, { done, already, total, isCapped, ms }: State, withBar: boolean): string {
  const perSecond = ((done - already) / Math.max(ms, 1)) * 1000
  const speed = `${format(perSecond)}/s`
  if (total === null || done > total) return `${what}: ${format(done)}  ${speed}`
  const share = total === 0 ? 1 : done / total
  const bar = withBar ? `[${'#'.repeat(Math.round(share * 24)).padEnd(24)}] ` : ''
  const left = perSecond > 0 && !isCapped ? `  ${duration((total - done) / perSecond)} left` : ''
  const of = `${isCapped ? 'at least ' : ''}${format(total)}`
  return `${bar}${what}: ${format(done)} of ${of}  ${Math.floor(share * 100)} %  ${speed}${left}`
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

export function format(value: number): string {
  return Math.round(value).toLocaleString('en')
}
