import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { killsAtOnce } from '../rows/crash/at-once.ts'
import { drains } from '../rows/crash/drain.ts'
import { fullKills, kills } from '../rows/crash/kill.ts'
import { midSend } from '../rows/crash/mid-send.ts'
import { rollout } from '../rows/crash/rollout.ts'
import { skewedClocks } from '../rows/crash/skew.ts'
import { takeover } from '../rows/crash/takeover.ts'
import { waiting } from '../rows/crash/waiting.ts'

export const crash = defineArea<World>({
  name: 'crash',
  open: async (world) => world,
  rowLimitMs: 300_000 * Math.max(1, fullKills / 30),
  rows: {
    kill: alone(kills),
    'at once': alone(killsAtOnce),
    takeover: alone(takeover),
    'mid-send': alone(midSend),
    drain: alone(drains),
    rollout: alone(rollout),
    skew: alone(skewedClocks),
    waiting: alone(waiting),
  },
  mutations: [
    {
      name: "a page's rows are written 100 ms after its cursor has moved",
      edits: [
        {
          file: 'src/core/pipeline/write-page.ts',
          find: '  const { written, known } = await writeRows(db, env, decided.page, origin, now)',
          replace: `  const [written, known] = [decided.page, new Set()]
  setTimeout(() => ctx.database.write(env, (later) => writeRows(later, env, decided.page, origin, now)), 100)`,
        },
      ],
      turnsRed: 'kill',
    },
    {
      name: 'single triggers are answered 100 ms before their commit',
      edits: [
        {
          file: 'src/core/accept/accept-together.ts',
          find: '      results = await acceptEvents(scope, events, { shared: true })',
          replace: `      results = await acceptEvents(scope, events, { shared: true })
      answer(group, results)
      await new Promise((resolve) => setTimeout(resolve, 100))`,
        },
      ],
      turnsRed: 'at once',
    },
    {
      name: 'what ends at once is written 100 ms after its event',
      edits: [
        {
          file: 'src/core/accept/accept-events.ts',
          find: '  if (atOnce) await writeAtOnce(scope, atOnce, occurrences)',
          replace: `  const later = (db: Scope['db']) => atOnce ? writeAtOnce({ ...scope, db }, atOnce, occurrences) : Promise.resolve()
  if (atOnce) setTimeout(() => ctx.database.write(env, later).catch(() => {}), 100)`,
        },
      ],
      turnsRed: 'at once',
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
          file: 'src/core/pipeline/write-page.ts',
          find: '  const { written, known } = await writeRows(db, env, decided.page, origin, now)',
          replace: '  const [written, known] = [decided.page, new Set()]',
        },
        {
          file: 'src/core/pipeline/write-page.ts',
          find: "  if (origin.kind === 'expansion' && (hasWindows(planned) || mayOverlap(origin))) await origin.before",
          replace: `  await ctx.database.write(env, (db) => writeRows(db, env, planned, origin, now))
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
          find: '  await server.close()',
          replace: '  server.server.closeAllConnections()\n  await server.close()',
        },
      ],
      turnsRed: 'drain',
    },
    {
      name: 'a try at an API may take a minute',
      edits: [
        { file: 'src/core/delivery/attempt.ts', find: 'const callMs = 10_000', replace: 'const callMs = 60_000' },
        { file: 'src/core/delivery/attempt.ts', find: 'longestCallMs = 55_000', replace: 'longestCallMs = 60_000' },
      ],
      turnsRed: 'mid-send',
    },
    {
      name: 'SIGTERM waits a second for the sends under way',
      edits: [
        {
          file: 'src/build-context.ts',
          find: 'drainWithinMs = longestTryMs + recordWithinMs',
          replace: 'drainWithinMs = (longestTryMs + recordWithinMs) / 75',
        },
      ],
      turnsRed: 'rollout',
    },
    {
      name: 'a node that is to stop stays ready until it is gone',
      edits: [{ file: 'src/http/health.ts', find: 'if (drain.begun) {', replace: 'if (drain.begun === null) {' }],
      turnsRed: 'rollout',
    },
    {
      name: 'each process means the time of its own clock',
      edits: [
        {
          file: 'src/store/database-clock.ts',
          find: 'new Date(performance.now() + aheadMs)',
          replace: 'new Date(Date.now() + 0 * aheadMs)',
        },
      ],
      turnsRed: 'skew',
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
