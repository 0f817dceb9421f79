import { type RawBuilder, sql } from 'kysely'
import type { Env } from '../database.ts'

/**
 * From: the jobs `j` of these notifications, `k.notification_id`. Their ids are computed: those of an event lie beside each
 * other, and it may have a million.
 */
export function jobsOf(env: Env, notificationIds: readonly string[]): RawBuilder<unknown> {
  return sql`jobs_of(${env.environmentId}, ${notificationIds}::uuid[]) k cross join lateral (
    select r.* from job r where r.environment_id = ${env.environmentId} and r.id = k.id offset 0) j`
}
