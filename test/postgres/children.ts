import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOver, whenOver } from '../../chaos/lib/clean-up.ts'
import { cleanEnv, type User } from '../../src/lib/files-of-user.ts'

export type Program = {
  pid: number
  /** The end of what it wrote. */
  log(): string
  isRunning(): boolean
  kill(signal: NodeJS.Signals): Promise<void>
}

/** `last`: the signal by which it ends if we end without a word. */
type Options = { env?: Readonly<Record<string, string>>; last?: NodeJS.Signals }

const children = new Map<ChildProcess, NodeJS.Signals>()
// The last word, whatever way we end.
process.on('exit', () => {
  for (const [child, last] of children) child.kill(last)
})

/** A program that runs until it is ended, at the latest with us. What it writes goes to a file. */
export function start(
  user: User,
  program: string,
  args: readonly string[],
  logFile: string,
  { env = {}, last = 'SIGKILL' }: Options = {},
): Program {
  if (isOver()) throw new Error('the run is over')
  const output = openSync(logFile, 'a', 0o600)
  // Detached: Ctrl-C reaches every process of the terminal's group, and the order of ending is ours.
  const child = spawn(program, args, {
    ...user,
    cwd: '/',
    env: { ...cleanEnv, ...env },
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  children.set(child, last)
  const over = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  }).then(() => {
    children.delete(child)
  })
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await over
  }
  whenOver(() => kill('SIGKILL'))
  return {
    pid: child.pid ?? 0,
    log: () => readFileSync(logFile, 'utf8').slice(-3_000),
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill,
  }
}

/** Asks again and again until there is an answer. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | null | undefined | false>,
): Promise<T> {
  for (const deadline = performance.now() + withinMs; ; await sleep(100)) {
    const answer = await ask().catch(() => null)
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`)
  }
}
