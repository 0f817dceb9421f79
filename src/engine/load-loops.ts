import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Loop } from './define-loop.ts'

const tasksDir = join(import.meta.dirname, '../tasks')

/** Every file under tasks/ is one piece of background work. */
export async function loadLoops(): Promise<Loop[]> {
  const files = readdirSync(tasksDir).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return Promise.all(
    files.sort().map(async (file) => {
      const loaded: { default?: Loop } = await import(join(tasksDir, file))
      if (!loaded.default) throw new Error(`src/tasks/${file} must have a default export made by defineLoop`)
      return loaded.default
    }),
  )
}
