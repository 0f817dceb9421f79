import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { drains } from '../rows/crash/drain.ts'
import { kills } from '../rows/crash/kill.ts'
import { takeover } from '../rows/crash/takeover.ts'
import { waiting } from '../rows/crash/waiting.ts'

export const crash = defineArea<World>({
  name: 'crash',
  open: async (world) => world,
  rowLimitMs: 300_000,
  rows: { kill: alone(kills), takeover: alone(takeover), drain: alone(drains), waiting: alone(waiting) },
  mutations: [
    {
      name: "a page's rows are written 100 ms after its cursor has moved",
      edits: [
        {
          file: 'src/tasks/expand-events.ts',
          find: '    const known = await insertHistory(db, env, page, now)',
          replace: `    const known = new Set<string>()
    setTimeout(() => ctx.database.write(env, (later) => insertHistory(later, env, page, now)), 100)`,
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: "ids by chance, and a page's rows are committed half a second before its cursor moves",
      edits: [
        {
          file: 'src/core/pipeline/plan-steps.ts',
          find: "deterministicId(event.id, 'notification', event.id, subscriber.id)",
          replace: "deterministicId(event.id, 'notification', event.id, String(Math.random()))",
        },
        {
          file: 'src/tasks/expand-events.ts',
          find: '    const known = await insertHistory(db, env, page, now)',
          replace: '    const known = new Set<string>()',
        },
        {
          file: 'src/tasks/expand-events.ts',
          find: '  const history = await advance(ctx, env, starts, now)',
          replace: `  const history = await advance(ctx, env, starts, now)
  await ctx.database.write(env, (db) => insertHistory(db, env, history, now))
  await new Promise((resolve) => setTimeout(resolve, 500))`,
        },
      ],
      turnsRed: 'takeover',
    },
    {
      name: 'SIGTERM closes open connections before it waits for replies',
      edits: [
        {
          file: 'src/commands/serve.ts',
          find: '      await server.close()',
          replace: '      server.server.closeAllConnections()\n      await server.close()',
        },
      ],
      turnsRed: 'drain',
    },
    {
      name: 'what came due while nobody looked is forgotten',
      edits: [
        {
          file: 'src/store/history/windows.ts',
          find: '  const { rows } = await sql<WokenJob>`',
          replace: `  const longAgo = new Date(now.getTime() - 2_000)
  await sql\`update job set run_at = null where status = 'delayed' and run_at < \${longAgo}\`.execute(db)
  const { rows } = await sql<WokenJob>\``,
        },
      ],
      turnsRed: 'waiting',
    },
  ],
})
