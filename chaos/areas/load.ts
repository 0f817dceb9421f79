import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { conservation } from '../rows/load/conservation.ts'
import { noisyNeighbour } from '../rows/load/neighbour.ts'
import { largeTopic } from '../rows/load/topic.ts'

export const load = defineArea<World>({
  name: 'load',
  open: async (world) => world,
  rowLimitMs: 300_000,
  rows: { topic: alone(largeTopic), neighbour: alone(noisyNeighbour), conservation: alone(conservation) },
  mutations: [
    {
      name: 'one environment may hold all workers of a lane',
      edits: [
        {
          file: 'src/engine/take-tasks.ts',
          find: 'return batchSize > 1 && batchSize * 2 <= workers.bulk ? workers.bulk : null',
          replace: 'return workers.bulk + batchSize > 0 ? null : 0',
        },
      ],
      turnsRed: 'neighbour',
    },
    {
      name: 'the cursor moves, and the next page is not queued (the sweep is off)',
      edits: [
        {
          file: 'src/core/pipeline/write-page.ts',
          find: "  for (const { event } of unfinished) await enqueueExpansion(ctx, db, env, 'bulk', [event.id])",
          replace: '  void unfinished',
        },
        { file: 'src/tasks/sweep-events.ts', find: 'everyMs: 15_000', replace: 'everyMs: 3_600_000' },
      ],
      turnsRed: 'topic',
    },
    {
      name: 'one page in five forgets how far it got',
      edits: [
        {
          file: 'src/store/history/events.ts',
          find: "expand_cursor = nullif(p.after, 'null'), state",
          replace:
            "expand_cursor = case when e.notified_count / 300 % 5 = 1 then null else nullif(p.after, 'null') end, state",
        },
      ],
      turnsRed: 'topic',
    },
    {
      name: 'one person of each page is not written',
      edits: [
        {
          file: 'src/core/pipeline/write-page.ts',
          find: '  const { written, known } = await writeRows(db, env, decided.page, origin, now)',
          replace: `  const dropped = new Set(decided.page.notifications.slice(0, 1).map((it) => it.id))
  const { written, known } = await writeRows(db, env, withoutNotifications(decided.page, dropped), origin, now)`,
        },
      ],
      turnsRed: 'conservation',
    },
  ],
})
