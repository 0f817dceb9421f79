import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from '../lib/clean-up.ts'

/** One request as a provider saw it. */
export type Entry = {
  at: number
  route: string
  /** The key the provider was given: `webhook-id`, or the Message-ID. */
  id: string
  /** What it is about, in the words of whoever triggered it: our transactionId stands in every subject and text. */
  about: string
  /** What the provider did with it. */
  action: string
  /** The provider took it. */
  accepted: boolean
  /** Somebody got something: accepted, and not known already by its key. */
  effect: boolean
}

export type Ledger = {
  /** On disk before it returns, and so before anybody is answered. */
  append(entry: Entry): void
  /** How many of a route, without reading the file. */
  count(route?: string): number
  /** As the file says. */
  read(route?: string): Entry[]
}

export function openLedger(): Ledger {
  const dir = mkdtempSync(join(tmpdir(), 'tidings-ledger-'))
  const path = join(dir, 'ledger.jsonl')
  const file = openSync(path, 'a')
  whenOver(() => {
    closeSync(file)
    rmSync(dir, { recursive: true, force: true })
  })
  const counts = new Map<string, number>()
  let total = 0
  return {
    append(entry) {
      writeSync(file, `${JSON.stringify(entry)}\n`)
      counts.set(entry.route, (counts.get(entry.route) ?? 0) + 1)
      total++
    },
    count: (route) => (route === undefined ? total : (counts.get(route) ?? 0)),
    read: (route) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Entry => JSON.parse(line))
        .filter((entry) => route === undefined || entry.route === route),
  }
}
