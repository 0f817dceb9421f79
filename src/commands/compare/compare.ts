import { setMaxListeners } from 'node:events'
import { readOtherService } from '../content/door.ts'
import { address, NoAddress } from '../from-novu/address.ts'
import { Stopped } from '../from-novu/patience.ts'
import { openSource } from '../from-novu/source.ts'
import type { Host, Output } from '../host.ts'
import { printable } from '../import/counts.ts'
import { inOrder } from '../import/in-order.ts'
import { openTarget, type TargetOptions } from '../import/open-target.ts'
import { stopOnSignals } from '../import/stop-on-signals.ts'
import { type Target, TargetRefusal } from '../import/target.ts'
import { type Activity, recentActivities } from './activity.ts'
import { judge, type Verdict } from './judge.ts'

export type CompareOptions = TargetOptions & { url?: string; key?: string; last: number; since?: string }

const lanes = 4
/** The same codes as those of `diff`. */
const exitCodes = { same: 0, differs: 2, stopped: 130 }

/**
 * Compares what recent triggers did in another service with what they would do here. Sends nothing, and writes nothing.
 * Returns 2 if something differs.
 */
export async function compareCommand({ settings, print }: Host, options: CompareOptions): Promise<number> {
  const { url, key } = readOtherService(options)
  const { last } = options
  const since = options.since === undefined ? null : readSince(options.since, new Date())
  const signals = stopOnSignals(print)
  const { stop } = signals
  setMaxListeners(0, stop)
  const source = openSource({ url, key, lanes, stop })
  const target = await openTarget(settings, options, { lanes, stop })
  const counts = { same: 0, differs: 0, 'cannot be compared': 0 }
  try {
    await inOrder(
      recentActivities(source, { last, since }),
      lanes,
      (activity) => explain(target, activity),
      (activity, verdict) => {
        counts[verdict.word] += 1
        printVerdict(activity, verdict, print)
      },
    )
    print(
      'Compared: which steps would send, and how long they wait. Not compared: the texts, and what a digest gathers.',
    )
    print(
      `${counts.same} would be the same, ${counts.differs} differ, ${counts['cannot be compared']} cannot be compared. Nothing was sent.`,
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
      return { word: 'cannot be compared', because: [error.message] }
    throw error
  }
}

function printVerdict(
  { createdAt, workflowId, subscriberId, topics }: Activity,
  { word, because }: Verdict,
  print: Output,
): void {
  const when = createdAt.slice(0, 19).replace('T', ' ')
  const through = topics.length > 0 ? `, through ${topics.join(', ')}` : ''
  print(printable(`${word.padEnd(18)}  ${when}  ${workflowId} to ${subscriberId}${through}`))
  for (const why of because) print(printable(`    ${why}`))
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `24h`, `30m`, `7d`, or a time. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = count === undefined ? new Date(text) : new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0))
  if (Number.isNaN(at.getTime())) throw new Error(`--since takes 24h, 30m, 7d or a time, not "${text}".`)
  return at
}
