import { type Compared, compareSamples } from './compare-samples.ts'
import { type Counts, printable } from './counts.ts'
import { kinds } from './kinds.ts'
import { duration, format } from './progress.ts'
import type { Mode, Run } from './run.ts'

const heads: Record<Mode, readonly string[]> = {
  import: ['there', 'created', 'updated', 'unchanged', 'left out', 'here'],
  plan: ['there', 'to create', 'to update', 'unchanged', 'to leave out', 'here'],
  verify: ['there', 'missing', 'different', 'the same', 'left out', 'here'],
}

/** `isSame`: both sides are the same, but for what was left out. `isRead`: nothing there could not be read. */
export async function printReport(run: Run, ms: number): Promise<{ isSame: boolean; isRead: boolean }> {
  const { print, mode, state } = run
  const rows = []
  let [created, updated] = [0, 0]
  for (const kind of kinds.filter((it) => run.tells(it))) {
    const { counts } = state.kind(kind)
    created += counts.created
    updated += counts.updated
    rows.push([kind, ...numbersOf(counts), await countHere(run, kind)])
  }
  print('')
  for (const line of table([['', ...heads[mode]], ...rows])) print(line)
  printLeft(run)
  const nothing = { compared: [], differences: [], unread: [] }
  const found = mode === 'plan' ? nothing : await compareSamples(run)
  printSamples(run, found)
  if (state.toComplete.size > 0) {
    print('')
    print('To be completed by hand, because secrets cannot be read from the other service:')
    for (const it of state.toComplete) print(`  ${printable(it)}`)
  }
  print('')
  printCalls(run, ms)
  const unread = kinds.reduce((sum, it) => sum + state.kind(it).counts.unread, found.unread.length)
  if (unread > 0)
    print(
      `${format(unread)} could not be read from the other service and are listed above; --without leaves a kind out.`,
    )
  const isListed = kinds.some((it) => run.tells(it) && Object.keys(state.kind(it).counts.left).length > 0)
  print(endingOf(mode, { created, updated, differing: found.differences.length, isListed }))
  return { isSame: created + updated + found.differences.length === 0, isRead: unread === 0 }
}

function printSamples({ print }: Run, { compared, differences, unread }: Compared): void {
  if (compared.length > 0) {
    print('')
    const isSame = differences.length === 0
    print(`Read on both sides and compared: ${compared.join(', ')}. ${isSame ? 'All the same.' : ''}`.trim())
  }
  for (const it of differences) print(`  differs: ${printable(it)}`)
  for (const it of unread) print(`  ${printable(it)}`)
}

function printCalls(run: Run, ms: number): void {
  const { print, source } = run
  const { calls, retries, waitedMs } = source.counts
  const waited = waitedMs > 1_000 ? `, waited ${duration(waitedMs / 1000)} because it asked for it` : ''
  print(
    `${format(calls)} calls to ${source.url}${retries > 0 ? `, ${format(retries)} of them again` : ''}${waited}. ${duration(ms / 1000)}.`,
  )
  if (run.wants('preferences') && run.state.kind('subscribers').counts.there > 0)
    print('One call for each person was for preferences; --without preferences saves these calls.')
}

type Numbers = { created: number; updated: number; differing: number; isListed: boolean }

function endingOf(mode: Mode, { created, updated, differing, isListed }: Numbers): string {
  const [made, changed] = [format(created), format(updated)]
  switch (mode) {
    case 'import':
      return `Imported: ${made} created, ${changed} changed.`
    case 'plan':
      return `Nothing was written. An import would create ${made} and change ${changed}.`
    case 'verify':
      if (created + updated === 0 && differing > 0)
        return `Compared field by field: what was imported is as it was converted, and ${format(differing)} of the samples differ from the other service.`
      return created + updated === 0
        ? `Compared field by field: everything that was imported is the same on both sides${isListed ? ', except what is listed above' : ''}.`
        : `Compared field by field: ${made} are missing here, ${changed} are different.`
  }
}

function numbersOf(counts: Counts): string[] {
  return [counts.there, counts.created, counts.updated, counts.unchanged, counts.failed].map(format)
}

const paths: Record<string, string> = {
  layouts: '/v2/layouts?limit=1',
  workflows: '/v2/workflows?limit=1',
  subscribers: '/v2/subscribers?limit=1',
  topics: '/v2/topics?limit=1',
  contexts: '/v2/contexts?limit=1',
}

/** How many there are here, as far as one call tells it. */
async function countHere({ target }: Run, kind: string): Promise<string> {
  const path = paths[kind]
  const found = path === undefined ? null : await target.find(path)
  if (typeof found?.totalCount !== 'number') return ''
  return `${format(found.totalCount)}${found.totalCountCapped === true ? '+' : ''}`
}

function printLeft(run: Run): void {
  const { print, state, left } = run
  const found = kinds.flatMap((kind) =>
    Object.entries(state.kind(kind).counts.left).map(([why, { count, example }]) => ({ kind, why, count, example })),
  )
  if (found.length > 0) {
    print('')
    print('Left out, as a whole or in part:')
    for (const { kind, why, count, example } of found)
      print(`  ${kind}: ${why} (${example === '*' ? 'all' : `${format(count)}, such as ${example}`})`)
  }
  if (left.bytes > 0) print(`Each one is a line of ${left.file}`)
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_head, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
