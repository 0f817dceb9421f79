import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type MutationName, mutations } from './mutations.ts'

export type Options = {
  minutes: number
  perSecond: number
  /** From the beginning of a fault to that of the next one. */
  faultEverySeconds: number
  sampleEverySeconds: number
  seed: number
  /** Only those whose name contains one of these words; all unless some are named. */
  faults: readonly string[]
  /** The commit of the version that runs beside this one. */
  before: string | undefined
  /** The folder of the figures. */
  out: string
  mutation: MutationName | null
}

const mostFaultPauseSeconds = 180

export function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...{ minutes: text, 'events-per-second': text, 'fault-every': text, 'sample-every': text },
      ...{ seed: text, faults: text, before: text, out: text, mutation: text },
    },
  })
  const minutes = readNumber(values.minutes, 120)
  const mutation = values.mutation ?? null
  if (mutation !== null && !isMutation(mutation))
    throw new Error(`There is no mutation "${mutation}"; there are: ${Object.keys(mutations).join(', ')}.`)
  const out = values.out ?? join(tmpdir(), `tidings-soak-${new Date().toISOString().slice(0, 16).replace(':', '')}`)
  mkdirSync(out, { recursive: true })
  return {
    minutes,
    perSecond: readNumber(values['events-per-second'], 160),
    // A short run has its dozen faults as well.
    faultEverySeconds: readNumber(values['fault-every'], Math.min(mostFaultPauseSeconds, minutes * 4)),
    sampleEverySeconds: readNumber(values['sample-every'], Math.min(60, Math.max(5, minutes))),
    seed: readNumber(values.seed, Math.floor(Math.random() * 2 ** 31)),
    faults: values.faults?.split(',') ?? [],
    before: values.before,
    out,
    mutation,
  }
}

const isMutation = (name: string): name is MutationName => Object.hasOwn(mutations, name)

function readNumber(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text)
  if (!(value >= 0)) throw new Error(`"${text}" is not a number.`)
  return value
}
