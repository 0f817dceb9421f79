import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Route, UnnamedRoute } from './define-route.ts'

const routesDir = join(import.meta.dirname, '../routes')

/** Every file under routes/<resource> is one endpoint, named by folder and file: `topics/create.ts` is `topics-create`. */
export async function loadRoutes(): Promise<Route[]> {
  const files = readdirSync(routesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: resource }) =>
      readdirSync(join(routesDir, resource))
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => ({ resource, file })),
    )
  const routes = await Promise.all(files.map(loadRoute))
  // The order in which they are described: by version, then by name.
  return routes.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

function orderOf({ path, name }: Route): string {
  return `${path.slice(0, 3)} ${name}`
}

async function loadRoute({ resource, file }: { resource: string; file: string }): Promise<Route> {
  const loaded: { default?: UnnamedRoute } = await import(join(routesDir, resource, file))
  if (!loaded.default) throw new Error(`src/routes/${resource}/${file} must have a default export made by defineRoute`)
  return { name: `${resource}-${file.replace(/\.ts$/, '')}`, ...loaded.default }
}
