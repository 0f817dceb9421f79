import { operations } from '../../core/access/operations.ts'
import { type Permission, permissions } from '../../core/access/permissions.ts'
import { writeRecord } from '../../core/record/write-record.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Db, Env } from '../../store/database.ts'
import type { KeyRoute } from '../define-route.ts'

// What programs do all day. Of a person it is recorded.
const everyday: readonly Permission[] = ['trigger', 'cancel', 'subscribers', 'inbox']

export type RecordCall = {
  /** Whether a call of who acts is recorded, also if the route notes nothing. */
  appliesTo(env: Env): boolean
  /** In the transaction of the call, after it did what it does. */
  write(db: Db, env: Env, call: { params: Record<string, string>; result: unknown; now: Date }): Promise<void>
}

/** For the record of changes: who called the route, and what it noted. */
export function createRecordCall({ name, resource, method }: KeyRoute): RecordCall {
  const permission = operations[name] ?? 'read'
  const action = `${resource}.${name.slice(resource.length + 1)}`
  const ofOrganization = permissions[permission].of === 'organization'

  const appliesTo = ({ actor }: Env) => {
    if (!actor || method === 'GET' || permission === 'read') return false
    return actor.type !== 'key' || !everyday.includes(permission)
  }
  return {
    appliesTo,
    async write(db, env, { params, result, now }) {
      const otherwise = { type: resource, id: Object.values(params).join('/') || idIn(result) }
      const leavesLine = appliesTo(env) && !isOnlyTried(result)
      await writeRecord(db, env, { action, ofOrganization, ...(leavesLine && { otherwise }) }, now)
    },
  }
}

/** It said what it would do, and did nothing. */
function isOnlyTried(result: unknown): boolean {
  return isPlainObject(result) && result.dryRun === true
}

function idIn(result: unknown): string {
  const { _id, id, data } = isPlainObject(result) ? result : {}
  const found = _id ?? id
  return typeof found === 'string' ? found : isPlainObject(data) ? idIn(data) : ''
}
