import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyRoute, OpenRoute, SessionRoute, Unnamed } from './define-route.ts'
import type { StreamRoute } from './define-stream.ts'
import type { InboxRoute, InboxSessionRoute, InboxStreamRoute } from './inbox/define-inbox-route.ts'

const routesDir = join(import.meta.dirname, '../routes')

export type Route =
  | KeyRoute
  | StreamRoute
  | SessionRoute
  | OpenRoute
  | InboxRoute
  | InboxSessionRoute
  | InboxStreamRoute

type RouteFile = { default?: Unnamed<Route>; routes?: Record<string, Unnamed<Route>> }

/**
 * Loads every file under routes/<resource>. A default export is one endpoint, named by folder and file:
 * `topics/create.ts` is `topics-create`. A file of several endpoints exports them as `routes`, each under its name.
 */
export async function loadRoutes(): Promise<Route[]> {
  const files = readdirSync(routesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: resource }) =>
      readdirSync(join(routesDir, resource))
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => ({ resource, file })),
    )
  const routes = (await Promise.all(files.map(loadFile))).flat()
  // The order in which they are described: by version, then by name. Those without a version come last.
  return routes.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

function orderOf({ path, name }: Route): string {
  const [, version] = path.match(/^\/(v\d)\//) ?? []
  return `${version ?? 'without'} ${name}`
}

async function loadFile({ resource, file }: { resource: string; file: string }): Promise<Route[]> {
  const loaded: RouteFile = await import(join(routesDir, resource, file))
  const routes = loaded.default ? { [file.replace(/\.ts$/, '')]: loaded.default } : loaded.routes
  if (!routes) throw new Error(`src/routes/${resource}/${file} must export a route as default, or several as routes`)
  return Object.entries(routes).map(([verb, route]) => ({ resource, name: `${resource}-${verb}`, ...route }))
}
