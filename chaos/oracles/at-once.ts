import { send, type Tenant } from '../lib/http.ts'
import { at } from '../lib/json.ts'
import { collectFaults, expectEqual, type Faults } from '../lib/red.ts'
import { type Call, hasAddress, inboxAndMail, type SingleBook } from '../lib/single-load.ts'
import type { World } from '../lib/world.ts'
import type { Entry } from '../simulators/ledger.ts'

type EventState = { id: string; name: string; transactionId: string; state: string; notified: number }
type NotificationState = { id: string; eventId: string; person: string | null }
type JobState = {
  id: string
  notificationId: string
  step: number
  status: string
  reasons: number
  messageIds: string[] | null
}
type MessageState = { id: string; jobId: string; status: string; delivery: string | null; errorId: string | null }

type Given = { url: string; tenant: Tenant; book: SingleBook; entries: readonly Entry[] }

/**
 * Against what the clients know: what was acknowledged is there once, what was refused is not, and what got no answer is
 * there at most once and then whole. Each event × person × step has one job that is over, with its reason and its own
 * messages; the counts of the event and of `/v1/numbers` are those of the rows; each mail left once.
 */
export async function checkSingles(world: World, { url, tenant, book, entries }: Given): Promise<string> {
  const rows = await readRows(world, tenant)
  const faults = collectFaults()
  const eventsOf = Map.groupBy(rows.events, (event) => event.name)
  const effects = entries.filter((entry) => entry.effect)
  const mailsOf = Map.groupBy(effects, (entry) => entry.about)
  let open = 0
  for (const call of book.calls) {
    const found = eventsOf.get(call.name) ?? []
    eventsOf.delete(call.name)
    judgePresence(faults, call, found)
    if (call.said === 'open' && found.length > 0) open++
    for (const event of found) judgeEvent(faults, call, event, rows)
    judgeMails(faults, call, found.length, mailsOf.get(call.name)?.length ?? 0)
  }
  for (const name of eventsOf.keys()) faults.add(`nobody asked for ${name}`)
  faults.end()
  await checkNumbers(url, tenant, rows)
  const unanswered = book.calls.filter((call) => call.said === 'open').length
  const refused = book.calls.filter((call) => call.said === 'refused').length
  return `${book.acknowledged.size} single triggers acknowledged → ${rows.notifications.length} notifications, ${rows.jobs.length} steps, each once with its state and its messages, and so /v1/numbers; ${refused} conflicts refused; ${unanswered} never acknowledged (${open} whole, the others absent)`
}

type Rows = {
  events: EventState[]
  notifications: NotificationState[]
  jobs: JobState[]
  messages: MessageState[]
  notificationsOf: Map<string, NotificationState[]>
  jobsOf: Map<string, JobState[]>
  messagesOf: Map<string, MessageState[]>
}

async function readRows(world: World, { environmentId }: Tenant): Promise<Rows> {
  const env = [environmentId]
  const events = await world.sql<EventState>(
    `select id, payload->>'n' as name, transaction_id as "transactionId", state, notified_count as notified
     from event where environment_id = $1`,
    env,
  )
  const notifications = await world.sql<NotificationState>(
    `select n.id, n.event_id as "eventId", s.subscriber_id as person from notification n
     left join subscriber s on s.environment_id = n.environment_id and s.id = n.subscriber_id
     where n.environment_id = $1`,
    env,
  )
  const jobs = await world.sql<JobState>(
    `select id, notification_id as "notificationId", step_index as step, status,
      jsonb_array_length(details) as reasons, message_ids as "messageIds" from job where environment_id = $1`,
    env,
  )
  const messages = await world.sql<MessageState>(
    `select id, job_id as "jobId", status, delivery, error_id as "errorId" from message where environment_id = $1`,
    env,
  )
  return {
    events,
    notifications,
    jobs,
    messages,
    notificationsOf: Map.groupBy(notifications, (it) => it.eventId),
    jobsOf: Map.groupBy(jobs, (it) => it.notificationId),
    messagesOf: Map.groupBy(messages, (it) => it.jobId),
  }
}

function judgePresence(faults: Faults, { name, said, transactionId }: Call, found: readonly EventState[]): void {
  const [event] = found
  if (found.length > 1) faults.add(`DOUBLED: ${name} (${said}) is there ${found.length} times`)
  if (said === 'acknowledged' && !event) faults.add(`LOST: ${name} was acknowledged and is not there`)
  if (said === 'refused' && event) faults.add(`${name} was refused and is there`)
  if (event && transactionId !== null && event.transactionId !== transactionId) {
    faults.add(`${name} has the transactionId ${event.transactionId} instead of ${transactionId}`)
  }
}

function judgeEvent(faults: Faults, { name, workflowId, people }: Call, event: EventState, rows: Rows): void {
  const notifications = rows.notificationsOf.get(event.id) ?? []
  if (event.state !== 'expanded' || event.notified !== people.length) {
    faults.add(`${name} is ${event.state} and counts ${event.notified} of ${people.length} people`)
  }
  const reached = notifications.map(({ person }) => person).sort()
  const wanted = people.toSorted()
  if (JSON.stringify(reached) !== JSON.stringify(wanted)) {
    const verdict = reached.length < wanted.length ? 'HALF' : 'DOUBLED'
    faults.add(`${verdict}: ${name} reached ${JSON.stringify(reached)} instead of ${JSON.stringify(wanted)}`)
  }
  for (const { id, person } of notifications) {
    const jobs = (rows.jobsOf.get(id) ?? []).toSorted((a, b) => a.step - b.step)
    const ends = jobs.map((job) => endOf(job, rows.messagesOf.get(job.id) ?? []))
    const mail = hasAddress(person ?? '') ? 'completed sent/sent' : 'skipped warning/null no_address'
    const expected = workflowId === inboxAndMail ? ['completed sent/null', mail] : ['completed sent/null']
    if (JSON.stringify(ends) !== JSON.stringify(expected)) {
      faults.add(`${name} to ${person} ended ${JSON.stringify(ends)} instead of ${JSON.stringify(expected)}`)
    }
  }
}

/** The state of a step and of its messages, in short. */
function endOf(job: JobState, messages: readonly MessageState[]): string {
  const named = JSON.stringify((job.messageIds ?? []).toSorted())
  if (named !== JSON.stringify(messages.map(({ id }) => id).sort())) return `${job.status} with other messages`
  if (job.reasons === 0) return `${job.status} without a reason`
  const told = messages.map((it) => `${it.status}/${it.delivery} ${it.errorId ?? ''}`.trim()).join(', ')
  return `${job.status} ${told || 'none'}`
}

function judgeMails(faults: Faults, { name, workflowId, people }: Call, events: number, left: number): void {
  const wanted = workflowId === inboxAndMail ? events * people.filter(hasAddress).length : 0
  if (left !== wanted) faults.add(`${left} mails of ${name} left instead of ${wanted}`)
}

/** What was counted when it happened is what the rows say now. */
async function checkNumbers(url: string, { key }: Tenant, rows: Rows): Promise<void> {
  const reply = await send(url, 'GET', '/v1/numbers', { key })
  const count = <T>(list: readonly T[], holds: (it: T) => boolean) => list.filter(holds).length
  const counted = {
    accepted: rows.events.length,
    notified: rows.notifications.length,
    sent: count(rows.messages, ({ status, delivery }) => status === 'sent' && (delivery ?? 'sent') === 'sent'),
    skipped: count(rows.jobs, ({ status }) => status === 'skipped'),
    failed: 0,
  }
  const told = Object.fromEntries(Object.keys(counted).map((outcome) => [outcome, at(reply.body, 'totals', outcome)]))
  expectEqual(told, counted, 'the totals of /v1/numbers and the rows')
}

/** Of the events so far: how many are over, and how many transactions accepted them. To be asked before a worker runs. */
export async function readAtOnce(world: World, { environmentId }: Tenant) {
  const [row] = await world.sql<{ events: number; ended: number; transactions: number }>(
    `select count(*)::int as events, (count(*) filter (where state = 'expanded'))::int as ended,
      (count(distinct xmin::text))::int as transactions from event where environment_id = $1`,
    [environmentId],
  )
  return row ?? { events: 0, ended: 0, transactions: 0 }
}
