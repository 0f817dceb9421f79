import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Loop } from './define-loop.ts'
import type { Task } from './define-task.ts'

const tasksDir = join(import.meta.dirname, '../tasks')

/** Every file under tasks/ is one piece of background work: queued (defineTask) or periodic (defineLoop). */
export async function loadTasks(): Promise<{ tasks: Task[]; loops: Loop[] }> {
  const files = readdirSync(tasksDir, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const loaded = await Promise.all(files.sort().map(load))
  return {
    tasks: loaded.filter((it) => 'workers' in it),
    loops: loaded.filter((it) => 'everyMs' in it),
  }
}

async function load(file: string): Promise<Task | Loop> {
  const loaded: { default?: Task | Loop } = await import(join(tasksDir, file))
  if (loaded.default?.name !== basename(file, '.ts')) {
    throw new Error(`src/tasks/${file} must export a task or loop of that name by default`)
  }
  return loaded.default
}
