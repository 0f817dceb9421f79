import { expect, test, vi } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import expandEvents from '../tasks/expand-events.ts'
import type { Task } from './define-task.ts'
import { stopTaking, workTasks } from './work-tasks.ts'

const h = useHarness()

test('a worker is not idle while a task is in hand, however long it takes, nor right after it', async () => {
  const { engine } = h.ctx
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const task: Task = {
    ...expandEvents,
    workers: { critical: 0, transactional: 0, bulk: 1 },
    async run() {
      begun.resolve()
      await released.promise
    },
  }
  await engine.enqueue(h.admin, task.name, 'bulk', [{ environmentId: 'e', eventIds: ['1'] }])
  await workTasks(h.ctx, [task])
  await begun.promise
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  try {
    expect(engine.isIdle()).toBe(false)
    released.resolve()
    await h.drain()
    // What it had made, a retry say, is still to be woken.
    expect(engine.isIdle()).toBe(false)
    later.mockImplementation(() => now() + 120_000)
    expect(engine.isIdle()).toBe(true)
  } finally {
    later.mockRestore()
    stopTaking(h.ctx, [task])
  }
})
