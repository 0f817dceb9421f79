import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Fixture } from './fixture-makers.ts'

const dir = join(import.meta.dirname, 'fixtures')

/** The fixtures in test/fixtures/<resource>.ts, by route name. */
export async function fixturesOf(resource: string): Promise<Record<string, Fixture>> {
  const file: { fixtures: Record<string, Fixture> } = await import(join(dir, `${resource}.ts`))
  return file.fixtures
}

/** The fixtures of all resources. */
export const fixtures: Record<string, Fixture> = Object.assign(
  {},
  ...(await Promise.all(readdirSync(dir).map((file) => fixturesOf(basename(file, '.ts'))))),
)
