import { type Edit, mutatedLine } from '../mutate.ts'
import { NoReply, send } from './http.ts'
import { patient } from './patience.ts'
import type { PostgresServer } from './postgres.ts'
import { expectThat, Red, shorten } from './red.ts'
import { openWorld, type World } from './world.ts'

/** Says what it did, in counts; throws `Red` where a promise did not hold. */
type RowRun<Stage> = (stage: Stage) => Promise<string>

export type Mutation = {
  /** What was broken. */
  name: string
  edits: readonly Edit[]
  /** Broken in the database instead. */
  sql?: string
  /** Broken in what the row sets up around the program: `world.misconfigured`. */
  misconfigured?: string
  /** The rows that must see it. */
  turnsRed: string
}

export type Area = {
  name: string
  rows: string[]
  mutations: readonly Mutation[]
  /** What this machine would need for it and does not have; null where it has all. */
  missing(): string | null
  run(world: World, rows: readonly string[], report: (result: RowResult) => void): Promise<void>
}

export type RowResult = { row: string; done: string; red: string | null; broken: boolean; seconds: number }

const defaultRowLimitMs = 120_000

export function defineArea<Stage>(area: {
  name: string
  /** Starts the nodes and makes what all rows share. */
  open(world: World): Promise<Stage>
  close?(stage: Stage): Promise<void>
  rows: Record<string, RowRun<Stage>>
  mutations: readonly Mutation[]
  /** For rows that have to wait for what they look at. */
  rowLimitMs?: number
  missing?(): string | null
}): Area {
  const limitMs = area.rowLimitMs ?? defaultRowLimitMs
  return {
    name: area.name,
    rows: Object.keys(area.rows),
    mutations: area.mutations,
    missing: area.missing ?? (() => null),
    async run(world, rows, report) {
      const stage = await area.open(world)
      try {
        for (const [name, run] of Object.entries(area.rows)) {
          if (rows.includes(name)) report(await runRow(name, limitMs, () => run(stage)))
        }
        report(await runRow('nodes unharmed', limitMs, () => checkNodes(world)))
      } finally {
        await area.close?.(stage)
      }
    },
  }
}

async function runRow(row: string, limitMs: number, run: () => Promise<string>): Promise<RowResult> {
  const started = performance.now()
  const outcome = await withLimit(run, limitMs).then(
    (done) => ({ done, red: null, broken: false }),
    (error: unknown) => {
      // Rows that end nodes expect no reply from those. In any other row silence is a broken promise of the service.
      const isPromise = error instanceof Red || error instanceof NoReply
      if (isPromise) return { done: '', red: error.message, broken: false }
      return { done: '', red: error instanceof Error ? (error.stack ?? error.message) : String(error), broken: true }
    },
  )
  return { row, ...outcome, seconds: (performance.now() - started) / 1000 }
}

async function withLimit(run: () => Promise<string>, limitMs: number): Promise<string> {
  const limit = Promise.withResolvers<never>()
  const started = performance.now()
  // Asked again and again: the machine may have become busy after the row began.
  const timer = setInterval(() => {
    const ms = performance.now() - started
    if (ms > patient(limitMs)) limit.reject(new Error(`not over after ${Math.round(ms / 1000)} s`))
  }, 500)
  return Promise.race([run(), limit.promise]).finally(() => clearInterval(timer))
}

/** No node ended that nobody ended, and those that run are ready for more. */
async function checkNodes(world: World): Promise<string> {
  const expectedEnds = ['SIGKILL', 'exit 0']
  for (const node of world.nodes) {
    const end = node.ended()
    expectThat(end === null || expectedEnds.includes(end), `a node ended with ${end}: ${shorten(node.output(), 2000)}`)
    if (end !== null) continue
    const ready = await send(node.url, 'GET', '/health/ready')
    expectThat(ready.status === 200, `a node is not ready: ${ready.text}`)
  }
  const running = world.nodes.filter((node) => node.ended() === null)
  const memory = running.map((node) => `${node.memoryMb('VmRSS')} MB`).join(', ')
  return `${world.nodes.length} started, ${running.length} running and ready (${memory})`
}

type RunOptions = { server: PostgresServer; seed: number }

export async function runArea(
  area: Area,
  { server, seed, rows, small }: RunOptions & { rows: readonly string[]; small: boolean },
  report: (result: RowResult) => void,
): Promise<boolean> {
  const results: RowResult[] = []
  const world = await openWorld({ server, seed, small, edits: [] })
  try {
    await area.run(world, rows, (result) => {
      results.push(result)
      report(result)
    })
  } finally {
    await world.close()
  }
  return results.every((result) => result.red === null)
}

export type MutationResult = { turnedRed: boolean; why: string; seconds: number }

/** The same rows on a program that is broken on purpose. Only a promise seen broken counts, not a test that fell over. */
export async function runMutation(area: Area, mutation: Mutation, options: RunOptions): Promise<MutationResult> {
  const started = performance.now()
  const results: RowResult[] = []
  const { edits, misconfigured } = mutation
  const world = await openWorld({ ...options, small: true, edits, ...(misconfigured && { misconfigured }) })
  let failure = ''
  try {
    if (mutation.sql) await world.sql(mutation.sql)
    await area.run(world, [mutation.turnsRed], (result) => results.push(result))
    for (const { file } of mutation.edits) {
      const outputs = [...world.nodes.map((node) => node.output()), ...world.commandOutputs]
      const isLoaded = outputs.some((output) => output.includes(mutatedLine(file)))
      if (!isLoaded) failure = `the mutation of ${file} was never loaded`
    }
  } catch (error) {
    // The program does not start with it, or the text it would change is no longer there.
    failure = error instanceof Error ? error.message : String(error)
  } finally {
    await world.close()
  }
  const row = results.find((result) => result.row === mutation.turnsRed)
  const turnedRed = failure === '' && row?.red !== null && row?.broken === false
  const why = failure || (row?.red ?? `"${mutation.turnsRed}" stayed green: ${row?.done ?? 'no such row'}`)
  return { turnedRed, why, seconds: (performance.now() - started) / 1000 }
}
