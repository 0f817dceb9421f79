import { describe } from 'vitest'
import { loadRoutes } from '../src/http/load-routes.ts'
import { inboxContract, inboxSessionContract } from './contract/inbox-routes.ts'
import { keyContract } from './contract/key-routes.ts'
import { openContract } from './contract/open-routes.ts'
import { sessionContract } from './contract/session-routes.ts'
import { createStrangers } from './contract/strangers.ts'
import { streamContract } from './contract/stream-routes.ts'
import { useHarness } from './harness.ts'
import { fixtures } from './route-fixtures.ts'

const routes = await loadRoutes()

/** What must hold for every route of a resource. Call once, at the top of its contract.test.ts. */
export function routeContract(resource: string, settings: Record<string, string> = {}): void {
  // Some routes tell a vendor where we are.
  const h = useHarness({ PUBLIC_URL: 'https://tidings.example.com', ...settings }, { worker: true })
  const strangers = createStrangers(h)
  for (const route of routes.filter((it) => it.resource === resource)) {
    const fixture = fixtures[route.name]
    // test/system.test.ts fails for a route without a fixture.
    if (!fixture) continue
    const name = `${route.name} (${route.method} ${route.path})`
    switch (route.kind) {
      case 'key':
        describe(name, () => keyContract(h, { route, fixture, strangers }))
        break
      case 'stream':
        describe(name, () => streamContract(h, { route, fixture, strangers }))
        break
      case 'session':
        describe(`${name}, without a key`, () => sessionContract(h, { route, fixture }))
        break
      case 'open':
        describe(`${name}, without a key`, () => openContract(h, { route, fixture }))
        break
      case 'inbox':
        describe(name, () => inboxContract(h, { route, fixture, strangers }))
        break
      case 'inbox-stream':
        // Its own tests are in src/http/inbox/live.test.ts.
        break
      case 'inbox-session':
        describe(`${name}, without a key`, () => inboxSessionContract(h, { route, fixture }))
        break
      default:
        route satisfies never
    }
  }
}
