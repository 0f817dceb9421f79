import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256 } from '../../lib/seal.ts'
import { emptyCounts } from '../import/counts.ts'
import { type KindState, readStored, type Stored } from './read-state.ts'

/** What is there after a crash: everything before it is committed. */
export type State = {
  readonly file: string
  /** When the run began that this one goes on with. */
  readonly resumedFrom: string | null
  /** There was something that nobody can go on with. */
  readonly isDamaged: boolean
  kind(name: string): KindState
  save(): void
  /** The next run begins anew. */
  finish(): void
  /** What somebody has to complete, and where. */
  readonly toComplete: Set<string>
  /** Of the file of what was left out: what was written after this was written by a page that is read again. */
  leftBytes: number
}

/** One file for each pair of environments and choice of kinds, so that two imports do not mix. */
export function stateFile(folder: string, from: string, to: readonly string[]): string {
  return `${folder}/import-${sha256(JSON.stringify([from, ...to]))
    .toString('hex')
    .slice(0, 12)}.json`
}

export function openState(file: string, { fresh }: { fresh: boolean }): State {
  const text = fresh ? null : readText(file)
  const stored = text === null ? null : readStored(text)
  const kinds = new Map(Object.entries(stored?.kinds ?? {}))
  const at = stored?.at ?? new Date().toISOString()
  const state: State = {
    file,
    resumedFrom: stored && at,
    isDamaged: text !== null && stored === null,
    toComplete: new Set(stored?.toComplete ?? []),
    leftBytes: stored?.leftBytes ?? 0,
    kind(name) {
      const found = kinds.get(name) ?? { next: null, done: false, isLeft: false, counts: emptyCounts() }
      kinds.set(name, found)
      return found
    },
    save() {
      const toComplete = [...state.toComplete]
      write(file, { kinds: Object.fromEntries(kinds), leftBytes: state.leftBytes, toComplete, at })
    },
    finish: () => write(file, null),
  }
  return state
}

/** Null: there is nothing to go on with. */
function readText(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8')
    return text.trim() === 'null' ? null : text
  } catch (error) {
    if (Object(error).code === 'ENOENT') return null
    throw error
  }
}

function write(file: string, stored: Stored | null): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(stored)}\n`)
  renameSync(`${file}.new`, file)
}
