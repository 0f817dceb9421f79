import type { Db, Env } from '../../store/database.ts'
import { insertTopic, keepTopic, lockTopic, renameTopic, type TopicRow } from '../../store/topics.ts'

/** Spec 4.11: creates the topic, or renames it if a name is given. Tries again if it was deleted meanwhile. */
export async function saveTopic(
  db: Db,
  env: Env,
  topic: { key: string; name?: string; nameIfNew?: string | undefined; byPerson?: boolean },
  now: Date,
): Promise<{ row: TopicRow; created: boolean }> {
  for (;;) {
    const made = await insertTopic(
      db,
      env,
      { key: topic.key, name: topic.name ?? topic.nameIfNew, byPerson: topic.byPerson },
      now,
    )
    if (made) return { row: made, created: true }
    if (!topic.byPerson) await keepTopic(db, env, topic.key)
    const renamed = topic.name === undefined ? null : await renameTopic(db, env, topic.key, topic.name, now)
    // Held: whoever joins it next is in it before somebody deletes it as empty.
    const row = renamed ?? (await lockTopic(db, env, topic.key))
    if (row) return { row, created: false }
  }
}
