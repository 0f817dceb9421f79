import { sql } from 'kysely'
import { openDoor } from '../../src/commands/content/door.ts'
import type { Config } from '../../src/config.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import type { Db, Env } from '../../src/store/database.ts'
import { saveTopics } from '../../src/store/import/members.ts'
import { progressBar } from '../progress-bar.ts'

const membersPerTopic = 100
const topicsPerInsert = 100

/** Topics of a hundred people each, whoever they are. */
export async function seedTopics(db: Db, env: Env, total: number, now: Date): Promise<void> {
  const show = progressBar(total, 'topics')
  const { rows } = await sql<{ id: string }>`
    select id from subscriber where environment_id = ${env.environmentId} order by id limit 50000`.execute(db)
  for (let from = 0; from < total; from += topicsPerInsert) {
    const numbers = Array.from({ length: Math.min(topicsPerInsert, total - from) }, (_, n) => from + n)
    const topics = numbers.map((n) => ({ key: `topic-${n}`, name: `Topic ${n}` }))
    await saveTopics(db, env, topics, now)
    const places = numbers.flatMap((n) =>
      Array.from({ length: Math.min(membersPerTopic, rows.length) }, (_, k) => ({
        key: `topic-${n}`,
        person: rows[(n * 37 + k) % rows.length]?.id,
      })),
    )
    await sql`
      insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
      select ${env.environmentId}, t.id, wanted.id, wanted.person
      from unnest(${places.map(() => uuid7(now))}::uuid[], ${places.map((it) => it.key)}::text[],
        ${places.map((it) => it.person)}::uuid[]) as wanted (id, key, person)
      join topic t on t.environment_id = ${env.environmentId} and t.key = wanted.key and t.deleted_at is null
      on conflict do nothing`.execute(db)
    show(from + numbers.length)
  }
}

const sixSteps = [
  {
    stepId: 'bell',
    name: 'Bell',
    type: 'in_app',
    controlValues: { subject: 'S', body: 'Hello {{subscriber.firstName}}' },
  },
  { stepId: 'mail', name: 'Mail', type: 'email', controlValues: { subject: 'S', body: '<p>{{payload.text}}</p>' } },
  { stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: '{{payload.text}}' } },
  { stepId: 'chat', name: 'Chat', type: 'chat', controlValues: { body: '{{payload.text}}' } },
  { stepId: 'push', name: 'Push', type: 'push', controlValues: { subject: 'S', body: '{{payload.text}}' } },
  { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } },
]
const otherSteps = [
  { stepId: 'gather', name: 'Gather', type: 'digest', controlValues: { amount: 5, unit: 'minutes' } },
  { stepId: 'slow', name: 'Slow', type: 'throttle', controlValues: { amount: 1, unit: 'hours', threshold: 5 } },
]

/** Workflows of every type of step, through the code that `apply` uses. */
export async function seedWorkflows(settings: () => Config, total: number): Promise<void> {
  const door = await openDoor(settings, {})
  const workflows = Array.from({ length: total }, (_, n) => ({
    workflowId: `workflow-${n}`,
    name: `Workflow ${n}`,
    tags: [`tag-${n % 10}`],
    steps: n % 2 === 0 ? [...sixSteps, ...otherSteps] : [...otherSteps, ...sixSteps],
  }))
  await door.apply(workflows, { dryRun: false })
  await door.close()
}
