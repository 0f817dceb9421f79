import { cutText } from '../../lib/one-line.ts'
import type { Db, Env } from '../../store/database.ts'
import { listFailingEndpoints } from '../../store/webhooks/endpoints.ts'
import type { Trouble } from './trouble.ts'
import { duration } from './words.ts'

// By then three tries have failed: the second comes after 5 seconds, the third after 5 minutes.
const failingMs = 15 * 60_000
const mostShown = 80

/** Endpoints that were disabled for their failures, and those that will be. Not those that somebody disabled. */
export async function webhookTroubles(db: Db, env: Env, now: Date): Promise<Trouble[]> {
  const failing = await listFailingEndpoints(db, env, new Date(now.getTime() - failingMs))
  return failing.map(({ id, url, disabled_reason, failing_since }): Trouble => {
    const target = { page: 'webhooks', endpointId: id } as const
    if (disabled_reason !== null)
      return {
        code: 'webhook_disabled',
        severity: 'error',
        text: `The webhook endpoint ${shown(url)} was disabled`,
        advice: `${disabled_reason} It is told nothing until you enable it again.`,
        count: 1,
        target,
      }
    const seconds = failing_since ? Math.round((now.getTime() - failing_since.getTime()) / 1000) : 0
    return {
      code: 'webhook_failing',
      severity: 'warning',
      text: `The webhook endpoint ${shown(url)} has taken nothing for ${duration(seconds)}`,
      advice: 'Read what it answers. After five days it is disabled.',
      count: 1,
      target,
    }
  })
}

/** Without its query, which may hold a secret. */
function shown(url: string): string {
  const { host, pathname } = new URL(url)
  const text = pathname === '/' ? host : host + pathname
  return text.length > mostShown ? `${cutText(text, mostShown)}…` : text
}
