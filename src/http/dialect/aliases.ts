import type { Route } from '../load-routes.ts'
import { toRoute } from './define-alias.ts'
import { olderEnvironments } from './older-environments.ts'
import { olderPreferences } from './older-preferences.ts'
import { olderSubscribers } from './older-subscribers.ts'
import { olderTopics } from './older-topics.ts'

/** Where older clients call, and the route of today that each address leads to. */
export const aliases = [...olderSubscribers, ...olderPreferences, ...olderTopics, ...olderEnvironments]

/** All that is served: an older form of a body may be at the address of today, and takes today's too. */
export function withOlder(routes: readonly Route[]): Route[] {
  const older = aliases.map((alias) => toRoute(alias, routes))
  const replaced = new Set<string>(older.map(addressOf))
  return [...routes.filter((route) => !replaced.has(addressOf(route))), ...older]
}

function addressOf({ method, path }: Route): string {
  return `${method} ${path}`
}
