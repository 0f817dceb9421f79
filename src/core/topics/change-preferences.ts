import type { Db, Env } from '../../store/database.ts'
import type { SubscriptionPreference, SubscriptionRow } from '../../store/subscription-details.ts'
import { loadChangeable } from '../subscribers/save-preferences.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { changeSubscription, findAnySubscription, type Owner } from './own-subscriptions.ts'
import { mergePreference } from './subscription-input.ts'

type Change = {
  subscriptionIdentifier: string
  workflowId: string
  enabled?: boolean | undefined
  condition?: unknown
}

export type ChangedSubscriptionPreference = {
  row: SubscriptionRow
  workflow: Workflow
  preference: SubscriptionPreference
}

/** Changes what holds for workflows in subscriptions of one person, in the order given. */
export async function changeSubscriptionPreferences(
  db: Db,
  env: Env,
  owner: Owner,
  changes: readonly Change[],
  now: Date,
): Promise<ChangedSubscriptionPreference[]> {
  const workflows = await loadChangeable(
    db,
    env,
    changes.map((change) => change.workflowId),
  )
  const changed: ChangedSubscriptionPreference[] = []
  for (const [index, workflow] of workflows.entries()) {
    const { subscriptionIdentifier = '', ...change } = changes[index] ?? {}
    const found = await findAnySubscription(db, env, owner, subscriptionIdentifier)
    const row = await changeSubscription(
      db,
      env,
      found,
      async (stored) => ({ preferences: await mergePreference(db, env, stored.preferences, workflow.id, change) }),
      now,
    )
    changed.push({ row, workflow, preference: row.preferences[workflow.id] ?? { enabled: true } })
  }
  return changed
}
