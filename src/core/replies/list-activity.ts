import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { inPortions } from '../../store/history/in-portions.ts'
import {
  type JobRow,
  listJobsById,
  listNotificationRows,
  type NotificationRow,
} from '../../store/history/notifications.ts'
import type { Sized } from '../../store/history/sized.ts'
import { listDigestedEvents } from '../../store/history/windows.ts'
import { listSubscribersByInternalId } from '../../store/subscribers.ts'
import { listTopicsById } from '../../store/topics.ts'
import { jobId } from '../pipeline/plan-steps.ts'
import { getWorkflows } from '../workflows/workflow.ts'
import { type ActivityJson, toActivityJson } from './activity-json.ts'

type MessagesOf = (messageIds: readonly string[]) => Promise<Map<string, Record<string, unknown>>>

// Gathered events shown in a list, and for a single notification: payloads may be large.
const [fewEvents, mostEvents] = [10, 100]

// Each may show what a digest gathered, which its size does not tell.
const mostRows = 10

/** A page of notifications, loaded portion by portion while the reply is written. */
export function activitiesInPortions(ctx: Ctx, env: Env, page: readonly Sized[]): AsyncIterable<ActivityJson[]> {
  const load = (ids: string[]) =>
    ctx.database.read(env, async (db) => toActivities(db, env, await listNotificationRows(db, env, ids)))
  return inPortions(page, load, mostRows)
}

/** A page of notifications, with one query per table. `messagesOf` adds the messages of each step (4.15). */
export async function toActivities(
  db: Db,
  env: Env,
  rows: readonly NotificationRow[],
  messagesOf?: MessagesOf,
): Promise<ActivityJson[]> {
  const workflows = await getWorkflows(db, env, rows)
  // Job ids are computed from notification and step, so finding them needs no extra index.
  const jobIds = rows.flatMap((row) => (workflows.of(row)?.steps ?? []).map((step) => jobId(row.id, step.stepId)))
  const jobs = Map.groupBy(await listJobsById(db, env, jobIds), (job) => job.notification_id)
  const messages = await messagesOf?.([...jobs.values()].flat().flatMap((job) => job.message_ids ?? []))
  const gathered = await loadGathered(db, env, [...jobs.values()].flat(), messagesOf ? mostEvents : fewEvents)
  const subscribers = new Map(
    (await listSubscribersByInternalId(db, env, [...new Set(rows.map((row) => row.subscriber_id))])).map((row) => [
      row.id,
      row,
    ]),
  )
  const topics = await listTopicsById(db, env, [...new Set(rows.flatMap((row) => row.topic_ids ?? []))])

  return rows.map((row) =>
    toActivityJson(env, row, {
      workflow: workflows.of(row),
      subscriber: subscribers.get(row.subscriber_id),
      jobs: (jobs.get(row.id) ?? [])
        .toSorted((a, b) => a.step_index - b.step_index)
        .map((job) => ({
          job,
          ...(messages && { messages: takeKnown(messages, job.message_ids ?? []) }),
          ...(gathers(job) && { events: gathered.get(job.notification_id) ?? [] }),
        })),
      topics: topics.filter((topic) => row.topic_ids?.includes(topic.id)),
    }),
  )
}

/** Open and closed digests; one that was merged into another gathers nothing. */
function gathers({ type, status }: JobRow): boolean {
  return type === 'digest' && (status === 'delayed' || status === 'completed')
}

async function loadGathered(db: Db, env: Env, jobs: readonly JobRow[], limit: number): Promise<Map<string, unknown[]>> {
  const ids = [...new Set(jobs.filter(gathers).map((job) => job.notification_id))]
  const { events } = await listDigestedEvents(db, env, ids, limit)
  const byDigest = [...Map.groupBy(events, (event) => event.digestOf)]
  return new Map(byDigest.map(([id, own]) => [id, own.map((event) => event.payload)]))
}

function takeKnown<T>(known: Map<string, T>, ids: readonly string[]): T[] {
  return ids.flatMap((id) => known.get(id) ?? [])
}
