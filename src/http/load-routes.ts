import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Route, UnnamedRoute } from './define-route.ts'

const routesDir = join(import.meta.dirname, '../routes')

/** Every file under routes/v1 and routes/v2 is one endpoint, named by the file. */
export async function loadRoutes(): Promise<Route[]> {
  const files = ['v1', 'v2'].flatMap((version) =>
    readdirSync(join(routesDir, version))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .sort()
      .map((file) => join(version, file)),
  )
  return Promise.all(files.map(loadRoute))
}

async function loadRoute(file: string): Promise<Route> {
  const loaded: { default?: UnnamedRoute } = await import(join(routesDir, file))
  if (!loaded.default) throw new Error(`src/routes/${file} must have a default export made by defineRoute`)
  const name = file.replace(/^v\d./, '').replace(/\.ts$/, '')
  if (!loaded.default.path.startsWith(`/${file.slice(0, 2)}/`))
    throw new Error(`src/routes/${file} stands in the wrong folder`)
  return { name, ...loaded.default }
}
