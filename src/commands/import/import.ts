import { setMaxListeners } from 'node:events'
import { readOtherService, readRemote } from '../content/door.ts'
import { Stopped } from '../from-novu/patience.ts'
import { openSource } from '../from-novu/source.ts'
import type { Host } from '../host.ts'
import { openLeftFile } from '../import-state/left-file.ts'
import { withLock } from '../import-state/lock.ts'
import { openState, type State, stateFile } from '../import-state/state.ts'
import { importContexts } from './contexts.ts'
import { importIntegrations } from './integrations.ts'
import { isTold, type Kind, kinds, readWanted } from './kinds.ts'
import { openTarget, type TargetOptions } from './open-target.ts'
import { importPeople } from './people.ts'
import { printReport } from './report.ts'
import type { Mode, Run } from './run.ts'
import { createSamples } from './samples.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { importTopics } from './topics.ts'
import { importVariables } from './variables.ts'
import { importWording } from './wording.ts'

export type ImportOptions = TargetOptions & {
  url?: string
  key?: string
  dryRun?: true
  verify?: true
  restart?: true
  only?: string
  without?: string
  parallel: number
  state?: string
}

// What a page is worked on with: more would not be faster, and holds more in memory.
const lanes = 4
const exitCodes = { same: 0, differs: 1, stopped: 130 }

/**
 * Imports an environment of another service, any number of times. The progress is kept if it is interrupted, and the same
 * command continues. In the mode `verify` it returns 1 if something differs.
 */
export async function importCommand({ settings, print }: Host, options: ImportOptions): Promise<number> {
  const remote = readRemote()
  const { url, key } = readOtherService(options)
  const wanted = readWanted(options.only, options.without)
  const mode: Mode = options.verify ? 'verify' : options.dryRun ? 'plan' : 'import'
  const { parallel } = options

  const signals = stopOnSignals(print)
  const { stop } = signals
  setMaxListeners(0, stop)
  const source = openSource({ url, key, lanes: parallel, stop })
  const target = await openTarget(settings, options, { lanes: parallel, stop })
  const places = [target.name, target.environmentId, String([...wanted].sort())]
  const file = stateFile(options.state ?? remote.dataDir, source.url + key, places)
  const leftFile = file.replace(/json$/, mode === 'import' ? 'left.jsonl' : `${mode}.jsonl`)
  const base = {
    mode,
    source,
    target,
    screen: { isTerminal: process.stdout.isTTY === true, write: (text: string) => process.stdout.write(text), print },
    print,
    lanes,
    broken: 0,
    samples: createSamples(),
    wants: (kind: string) => [...wanted].some((it) => it === kind),
    tells: (kind: Kind) => isTold(kind, wanted),
  }
  try {
    return await withLock(leftFile, async () => {
      const state = openState(file, { fresh: mode !== 'import' || options.restart === true })
      if (mode === 'import') print(whereItBegins(state))
      const kept = mode === 'import' ? state : { ...state, save() {}, finish() {} }
      return runAll({ ...base, state: kept, left: openLeftFile(leftFile, state.leftBytes) })
    })
  } finally {
    await target.close()
    signals.end()
  }
}

function whereItBegins({ file, isDamaged, resumedFrom }: State): string {
  if (isDamaged)
    return `The progress of an earlier run cannot be read, so the import starts from the beginning: ${file}`
  if (resumedFrom === null) return `The progress is kept in ${file}`
  return `Continuing where the last run ended: ${file} (started ${resumedFrom}; --restart starts from the beginning and picks up later changes)`
}

async function runAll(run: Run): Promise<number> {
  const startedAt = performance.now()
  let isOver = false
  try {
    await importAll(run)
    // From here on nothing is left to go on with: whatever ends the report, the next run begins anew.
    run.state.finish()
    isOver = true
    refuseNothing(run)
    const { isSame, isRead } = await printReport(run, performance.now() - startedAt)
    return isRead && (isSame || run.mode !== 'verify') ? exitCodes.same : exitCodes.differs
  } catch (error) {
    if (!(error instanceof Stopped)) throw isOver ? error : failure(error, run.mode)
    if (run.mode === 'import') {
      run.print(
        isOver
          ? 'Interrupted during the report. Everything had been imported before.'
          : 'Interrupted. The progress is kept: the same command continues from there.',
      )
    }
    return exitCodes.stopped
  }
}

async function importAll(run: Run): Promise<void> {
  if (run.wants('variables')) await importVariables(run)
  await importWording(run)
  if (run.wants('integrations')) await importIntegrations(run)
  if (run.wants('contexts')) await importContexts(run)
  if (run.wants('subscribers') || run.wants('preferences')) await importPeople(run)
  if (run.wants('topics')) await importTopics(run)
}

/** One list may be missing or closed; if all are, this is no service to import from. */
function refuseNothing({ source, state, tells }: Run): void {
  const asked = kinds.filter((it) => it !== 'members' && tells(it)).map((it) => state.kind(it))
  if (asked.some((it) => !it.isLeft || it.counts.there > 0)) return
  const why = asked.flatMap(({ counts }) => Object.keys(counts.left)).at(-1)
  throw new Error(
    `${source.url} has none of the requested lists. Check that this is the address of its API, and that the key may read them. ${why}`,
  )
}

function failure(error: unknown, mode: Mode): unknown {
  if (mode !== 'import' || !(error instanceof Error)) return error
  return new Error(
    `${error.message}\nThe progress until now is kept: the same command continues from there. --without leaves a kind out, --restart starts from the beginning.`,
  )
}
