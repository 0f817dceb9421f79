import type { Env } from '../../store/database.ts'

/** As an integration is known by its id. */
export function healthIdOf({ environmentId }: Env): string {
  return `bridge ${environmentId}`
}
