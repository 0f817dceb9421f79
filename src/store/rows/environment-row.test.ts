import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { claimIdempotencyKey } from '../access/idempotency.ts'
import { type Db, type Env, envOf } from '../database.ts'
import { insertAttachments } from '../history/attachments.ts'
import { claimEventKeys, type NewEvent } from '../history/events.ts'
import { claimDigestWindows, countThrottleHits } from '../history/windows.ts'

const h = useHarness()
const now = new Date()
const id = uuid7(now)
const window = { workflowId: id, stepId: 'wait', subscriberId: id, key: '' }
const later = new Date(now.getTime() + 60_000).toISOString()

const writes: [string, (db: Db, env: Env) => Promise<unknown>][] = [
  [
    'idempotency',
    (db, env) => claimIdempotencyKey(db, env, { claim: Buffer.alloc(32), requestHash: Buffer.alloc(32), now }),
  ],
  ['event_key', (db, env) => claimEventKeys(db, env, [{ transactionId: 't', id, hash: Buffer.alloc(1) } as NewEvent])],
  [
    'event_attachment',
    (db, env) =>
      insertAttachments(db, env, [
        { eventId: id, position: 0, name: 'a', mime: 'text/plain', content: Buffer.from('a') },
      ]),
  ],
  ['throttle_window', (db, env) => countThrottleHits(db, env, [{ ...window, hits: 1, endsAt: later }], now)],
  [
    'digest_window',
    (db, env) =>
      claimDigestWindows(
        db,
        env,
        [{ ...window, notificationId: id, jobId: id, closesAt: later, lookBackSeconds: null }],
        now,
      ),
  ],
]

test.each(writes)('a row of %s is written without a lock on the row of its environment', async (_, write) => {
  const { environmentId } = await h.environment()
  const env = envOf(environmentId)
  await h.admin.transaction().execute(async (holder) => {
    await sql`select 1 from environment where id = ${environmentId} for update`.execute(holder)
    await h.ctx.database.write(env, async (db) => {
      await sql`set local statement_timeout = '2s'`.execute(db)
      await expect(write(db, env)).resolves.not.toThrow()
    })
  })
})
