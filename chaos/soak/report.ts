import { shorten } from '../lib/red.ts'
import type { Book } from './book.ts'
import type { Flat } from './flatness.ts'
import { type Judged, sumOf } from './verdict.ts'

export type Struck = { at: number; name: string; told: string }

export type Result = {
  minutes: number
  seed: number
  commit: string
  before: string
  book: Book
  struck: readonly Struck[]
  judged: Judged
  flat: readonly Flat[]
  /** A short run has not had the time to become flat. */
  isFlatnessJudged: boolean
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')

/** All that was not as promised. */
export function redsOf({ book, judged, flat, isFlatnessJudged }: Result): string[] {
  const grown = isFlatnessJudged ? flat.filter(({ isFlat }) => !isFlat) : []
  return [
    ...book.faults.told(),
    ...judged.faults.told(),
    ...grown.map(({ what, first, last, unit }) => `NOT FLAT: ${what} ${number(first)} → ${number(last)} ${unit}`),
  ].map((text) => shorten(text, 1_500))
}

export function writeReport(result: Result): string {
  return [sentence(result), ...counts(result), ...growth(result), ...strikes(result)].join('\n')
}

/** As it stands in docs/guarantees.md. */
function sentence({ minutes, commit, before, book, struck, judged }: Result): string {
  const [lost, doubled] = [sumOf(judged, 'lost'), sumOf(judged, 'doubled')]
  const outside = judged.outside.map((it) => `${it.kind} ${number(it.doubles)} doubles of ${number(it.unknown)} doubts`)
  return [
    `${minutes} minutes, ${commit} beside ${before}, ${struck.length} faults:`,
    `${number(book.acknowledged)} events acknowledged, ${lost} lost, ${doubled} doubled;`,
    `${outside.join(', ')}; ${number(book.refused)} × 503, ${number(book.silent)} without reply;`,
    `quiet ${judged.quietSeconds.toFixed(0)} s after the last call`,
  ].join(' ')
}

function counts({ book, judged }: Result): string[] {
  return [
    '',
    '| kind | acknowledged | accepted without answer | lost | doubled |',
    '|---|---|---|---|---|',
    ...Object.entries(judged.kinds).map(
      ([kind, it]) => `| ${kind} | ${[it.acknowledged, it.unclear, it.lost, it.doubled].map(number).join(' | ')} |`,
    ),
    '',
    '| provider | calls | arrived | doubles | tries unknown | marked | not sent, says why | lost |',
    '|---|---|---|---|---|---|---|---|',
    ...judged.outside.map(
      ({ kind, ...it }) =>
        `| ${kind} (${kind === 'mail' ? 'T1' : kind === 'post' ? 'T3' : 'T2'}) | ${Object.values(it).map(number).join(' | ')} |`,
    ),
    '',
    `${judged.digests}; ${number(book.repeated)} repeated, ${number(book.cancelled)} cancelled, ${number(book.reads)} reads, ${number(book.preferences)} preferences`,
  ]
}

function growth({ flat, isFlatnessJudged }: Result): string[] {
  return [
    '',
    `| ${isFlatnessJudged ? 'flat' : 'flat (told only: the run is too short)'} | first quarter | last quarter | most | per hour | |`,
    '|---|---|---|---|---|---|',
    ...flat.map(
      (it) =>
        `| ${it.what} | ${number(it.first)} | ${number(it.last)} | ${number(it.most)} | ${number(it.perHour)} | ${it.isFlat ? 'flat' : 'GROWS'} |`,
    ),
  ]
}

function strikes({ struck, seed }: Result): string[] {
  const byName = Object.entries(Object.groupBy(struck, ({ name }) => name))
  return ['', `seed ${seed}; ${byName.map(([name, all]) => `${name} × ${all?.length ?? 0}`).join(', ')}`]
}
