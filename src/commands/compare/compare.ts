import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { readRemote } from '../content/door.ts'
import { address, NoAddress } from '../from-novu/address.ts'
import { Stopped } from '../from-novu/patience.ts'
import { openSource } from '../from-novu/source.ts'
import { printable } from '../import/counts.ts'
import { inOrder } from '../import/in-order.ts'
import { openTarget } from '../import/open-target.ts'
import { stopOnSignals } from '../import/stop-on-signals.ts'
import { type Target, TargetRefusal } from '../import/target.ts'
import type { Say } from '../prepare.ts'
import { type Activity, recentActivities } from './activity.ts'
import { judge, type Verdict } from './judge.ts'

const options = {
  'from-novu': { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
  last: { type: 'string', default: '100' },
  since: { type: 'string' },
  to: { type: 'string' },
  'to-key': { type: 'string' },
  environment: { type: 'string' },
} as const

const usage =
  'Say: compare --from-novu --url <its URL> --key <its secret key> [--last 100] [--since 24h] [--to <our URL> --to-key <API key> | --environment <id>]'

const lanes = 4
/** As `diff` ends. */
const exitCodes = { same: 0, differs: 2, stopped: 130 }

/**
 * `compare --from-novu …`: what recent triggers did there, and what they would do here. Sends nothing, and writes nothing.
 * Ends with 2 if something differs.
 */
export async function compareCommand(settings: () => Config, args: string[], say: Say): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { from } = readRemote()
  const [url, key, last] = [values.url ?? from.url, values.key ?? from.key, Number(values.last)]
  if (!values['from-novu'] || !url || !key) throw new Error(usage)
  if (!(Number.isInteger(last) && last >= 1 && last <= 100_000))
    throw new Error('--last takes a number from 1 to 100,000.')
  const since = values.since === undefined ? null : readSince(values.since, new Date())
  const signals = stopOnSignals(say)
  const { stop } = signals
  setMaxListeners(0, stop)
  const source = openSource({ url, key, lanes, stop })
  const target = await openTarget(settings, values, { lanes, stop })
  const counts = { same: 0, differs: 0, 'cannot be judged': 0 }
  try {
    await inOrder(
      recentActivities(source, { last, since }),
      lanes,
      (activity) => explain(target, activity),
      (activity, verdict) => {
        counts[verdict.word] += 1
        sayVerdict(activity, verdict, say)
      },
    )
    say('Compared: which steps would send, and how long they wait. Not compared: the texts, and what a digest gathers.')
    say(
      `${counts.same} would be the same, ${counts.differs} differ, ${counts['cannot be judged']} cannot be judged. Nothing was sent.`,
    )
    return counts.differs > 0 ? exitCodes.differs : exitCodes.same
  } catch (error) {
    if (error instanceof Stopped) return exitCodes.stopped
    throw error
  } finally {
    await target.close()
    signals.end()
  }
}

/** For the one person that this activity is of: a trigger to many has one for each. */
async function explain(target: Target, activity: Activity): Promise<Verdict> {
  const { workflowId: name, subscriberId: to, payload, event } = activity
  if (name === '' || to === '') return judge(activity, {})
  try {
    // A trigger would make them, and knew nothing of them then.
    if (!(await target.find(address`/v2/subscribers/${to}`))) return judge(activity, { recipients: [] })
    return judge(activity, await target.call('POST', '/v1/events/explain', { ...event, name, to, payload }))
  } catch (error) {
    if (error instanceof TargetRefusal || error instanceof NoAddress)
      return { word: 'cannot be judged', because: [error.message] }
    throw error
  }
}

function sayVerdict(
  { createdAt, workflowId, subscriberId, topics }: Activity,
  { word, because }: Verdict,
  say: Say,
): void {
  const when = createdAt.slice(0, 19).replace('T', ' ')
  const through = topics.length > 0 ? `, through ${topics.join(', ')}` : ''
  say(printable(`${word.padEnd(16)}  ${when}  ${workflowId} to ${subscriberId}${through}`))
  for (const why of because) say(printable(`    ${why}`))
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `24h`, `30m`, `7d`, or a time. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = count === undefined ? new Date(text) : new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0))
  if (Number.isNaN(at.getTime())) throw new Error(`--since takes 24h, 30m, 7d or a time, not "${text}".`)
  return at
}
