import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { saveSubscribers } from '../core/subscribers/save-subscribers.ts'
import { deterministicId } from '../lib/deterministic-id.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { type Db, type Env, envOf, sqlState } from './database.ts'
import { claimEventKeys, type NewEvent } from './history/events.ts'
import { insertHistory, type NewNotification } from './history/history.ts'
import { noNames } from './webhooks/tell-of-new.ts'

const h = useHarness()
const many = 3_000
const now = new Date()
const numbers = Array.from({ length: many }, (_, n) => String(n).padStart(5, '0'))

type Write = (db: Db, env: Env, keys: readonly string[]) => Promise<unknown>

const writes: [string, Write][] = [
  [
    'transactionIds',
    (db, env, keys) =>
      claimEventKeys(
        db,
        env,
        keys.map((transactionId) => ({ transactionId, id: uuid7(now), hash: Buffer.alloc(1) }) as unknown as NewEvent),
      ),
  ],
  [
    'notifications',
    (db, env, keys) => {
      const event = '019a0000-0000-7000-8000-000000000000'
      const notifications = keys.map(
        (key): NewNotification => ({
          id: deterministicId(event, 'notification', key),
          event_id: event,
          transaction_id: 't',
          subscriber_id: event,
          workflow_id: event,
          workflow_version: 1,
          topic_ids: null,
          context_keys: null,
        }),
      )
      return insertHistory(db, env, { notifications, jobs: [], messages: [], names: noNames }, now)
    },
  ],
  [
    'subscribers',
    (db, env, keys) =>
      saveSubscribers(
        db,
        env,
        keys.map((subscriberId) => ({ subscriberId })),
        now,
      ),
  ],
]

test.each(writes)(
  'two that write the same %s in opposite order wait for each other, and neither is refused',
  async (_, write) => {
    const env = envOf((await h.environment()).environmentId)
    const ended = await Promise.allSettled(
      [numbers, numbers.toReversed()].map((keys) => h.admin.transaction().execute((db) => write(db, env, keys))),
    )
    expect(ended.map((it) => (it.status === 'rejected' ? (sqlState(it.reason) ?? it.reason) : 'done'))).toEqual([
      'done',
      'done',
    ])
  },
)
