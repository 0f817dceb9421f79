import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeSubscribers } from '../../../test/pipeline.ts'
import { type Env, envOf } from '../../store/database.ts'
import { addTopicMembers } from '../../store/topic-subscriptions.ts'
import { deleteEmptyTopic } from '../../store/topics.ts'
import { saveTopic } from './save-topic.ts'

const h = useHarness()

test('a topic that somebody else just made is held: it is not deleted as empty before who joins is in it', async () => {
  const client = await h.environment()
  await makeSubscribers(client, ['ada'])
  const env: Env = envOf(client.environmentId)
  const now = h.ctx.clock()
  const save = () => h.ctx.database.write(env, (db) => saveTopic(db, env, { key: 'news', byPerson: true }, now))
  const { row: made } = await save()
  let leaving: Promise<void> | undefined
  await h.ctx.database.write(env, async (db) => {
    const { row, created } = await saveTopic(db, env, { key: 'news', byPerson: true }, now)
    expect({ id: row.id, created }).toEqual({ id: made.id, created: false })
    leaving = h.ctx.database.write(env, (other) => deleteEmptyTopic(other, env, row.id, now))
    await Promise.race([leaving, sleep(300)])
    await addTopicMembers(db, env, row.id, ['ada'], now)
  })
  await leaving
  expect((await client.get('/v2/topics/news')).status).toBe(200)
})
