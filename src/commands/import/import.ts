import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { readRemote } from '../content/door.ts'
import { Stopped } from '../from-novu/patience.ts'
import { openSource } from '../from-novu/source.ts'
import { openLeftFile } from '../import-state/left-file.ts'
import { withLock } from '../import-state/lock.ts'
import { openState, type State, stateFile } from '../import-state/state.ts'
import type { Say } from '../prepare.ts'
import { importContexts } from './contexts.ts'
import { importIntegrations } from './integrations.ts'
import { isTold, type Kind, kinds, readWanted } from './kinds.ts'
import { openTarget } from './open-target.ts'
import { importPeople } from './people.ts'
import { sayReport } from './report.ts'
import type { Mode, Run } from './run.ts'
import { createSamples } from './samples.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { importTopics } from './topics.ts'
import { importVariables } from './variables.ts'
import { importWording } from './wording.ts'

const options = {
  'from-novu': { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
  to: { type: 'string' },
  'to-key': { type: 'string' },
  environment: { type: 'string' },
  'dry-run': { type: 'boolean' },
  verify: { type: 'boolean' },
  restart: { type: 'boolean' },
  only: { type: 'string' },
  without: { type: 'string' },
  parallel: { type: 'string', default: '8' },
  /** A folder. */
  state: { type: 'string' },
} as const

const usage =
  'Say: import --from-novu --url <its URL> --key <its secret key> [--dry-run | --verify] [--only <kinds>] [--without <kinds>] [--to <our URL> --to-key <API key> | --environment <id>] [--parallel 8] [--state <folder>] [--restart]'

// What a page is worked on with: more would not be faster, and holds more in memory.
const lanes = 4
const exitCodes = { same: 0, differs: 1, stopped: 130 }

/**
 * `import --from-novu …`: takes an environment of another service over, as often as one likes. What was done is kept when
 * it is ended, and the same command goes on. `--verify` ends with 1 if something differs.
 */
export async function importCommand(settings: () => Config, args: string[], say: Say): Promise<number> {
  const { values } = parseArgs({ args, options })
  const remote = readRemote()
  const [url, key] = [values.url ?? remote.from.url, values.key ?? remote.from.key]
  if (!values['from-novu'] || !url || !key || (values['dry-run'] && values.verify)) throw new Error(usage)
  const parallel = Number(values.parallel)
  if (!(parallel >= 1 && parallel <= 64)) throw new Error('--parallel takes a number from 1 to 64.')
  const wanted = readWanted(values.only, values.without)
  const mode: Mode = values.verify ? 'verify' : values['dry-run'] ? 'plan' : 'import'

  const signals = stopOnSignals(say)
  const { stop } = signals
  setMaxListeners(0, stop)
  const source = openSource({ url, key, lanes: parallel, stop })
  const target = await openTarget(settings, values, { lanes: parallel, stop })
  const places = [target.name, target.environmentId, String([...wanted].sort())]
  const file = stateFile(values.state ?? remote.dataDir, source.url + key, places)
  const leftFile = file.replace(/json$/, mode === 'import' ? 'left.jsonl' : `${mode}.jsonl`)
  const base = {
    mode,
    source,
    target,
    screen: { isTerminal: process.stdout.isTTY === true, write: (text: string) => process.stdout.write(text), say },
    say,
    lanes,
    broken: 0,
    samples: createSamples(),
    wants: (kind: string) => [...wanted].some((it) => it === kind),
    tells: (kind: Kind) => isTold(kind, wanted),
  }
  try {
    return await withLock(leftFile, async () => {
      const state = openState(file, { fresh: mode !== 'import' || values.restart === true })
      if (mode === 'import') say(whereItBegins(state))
      const kept = mode === 'import' ? state : { ...state, save() {}, finish() {} }
      return runAll({ ...base, state: kept, left: openLeftFile(leftFile, state.leftBytes) })
    })
  } finally {
    await target.close()
    signals.end()
  }
}

function whereItBegins({ file, isDamaged, resumedFrom }: State): string {
  if (isDamaged) return `How far an earlier run came cannot be read, so it begins anew: ${file}`
  if (resumedFrom === null) return `How far it is: ${file}`
  return `Goes on where it was ended: ${file} (begun ${resumedFrom}; --restart begins anew, and sees what changed since)`
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
    const { isSame, isRead } = await sayReport(run, performance.now() - startedAt)
    return isRead && (isSame || run.mode !== 'verify') ? exitCodes.same : exitCodes.differs
  } catch (error) {
    if (!(error instanceof Stopped)) throw isOver ? error : failure(error, run.mode)
    if (run.mode === 'import') {
      run.say(
        isOver
          ? 'Ended in its report: everything was imported before it.'
          : 'Ended. What was done is kept: the same command goes on from there.',
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
    `${source.url} has none of the lists that were asked for: is it the address of its API, and may the key read them? ${why}`,
  )
}

function failure(error: unknown, mode: Mode): unknown {
  if (mode !== 'import' || !(error instanceof Error)) return error
  return new Error(
    `${error.message}\nWhat was done until now is kept: the same command goes on from there. --without leaves a kind out, --restart begins anew.`,
  )
}
