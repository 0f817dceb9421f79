import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { cutsAtOnce } from '../rows/database/at-once.ts'
import { cancelledCommits } from '../rows/database/cancelled-commit.ts'
import { failsOver } from '../rows/database/failover.ts'
import { noSynchronousStandby } from '../rows/database/pair-stage.ts'
import { onlyReads } from '../rows/database/read-only.ts'
import { repetitions } from '../rows/database/repetition.ts'
import { restarts } from '../rows/database/restart.ts'
import { standbyAway } from '../rows/database/standby-away.ts'
import { terminates } from '../rows/database/terminate.ts'

export const database = defineArea<World>({
  name: 'database',
  open: async (world) => world,
  rowLimitMs: 240_000,
  rows: {
    terminate: alone(terminates),
    'at once': alone(cutsAtOnce),
    restart: alone(restarts),
    'read-only': alone(onlyReads),
    failover: alone(failsOver),
    'standby away': alone(standbyAway),
    'cancelled commit': alone(cancelledCommits),
    repetition: alone(repetitions),
  },
  mutations: [
    {
      name: 'a database that is away is an internal error',
      edits: [
        {
          file: 'src/http/error-reply.ts',
          find: 'if (isDatabaseUnavailable(error)) return',
          replace: 'if (false) return',
        },
      ],
      turnsRed: 'terminate',
    },
    {
      name: 'a bulk that meets a broken connection is acknowledged all the same',
      edits: [
        {
          file: 'src/core/accept/accept-events.ts',
          find: '    const write = async (atOnce: AtOnce | null) => writeEvents(scope, fresh, atOnce, occurrences)',
          replace: `    const write = async (atOnce: AtOnce | null) => {
      const later = (db: Scope['db']) => writeEvents({ ...scope, db }, fresh, atOnce, occurrences)
      scope.ctx.database.write(scope.env, later).catch(() => {})
    }`,
        },
      ],
      turnsRed: 'terminate',
    },
    {
      name: 'triggers whose shared transaction met a broken connection are accepted one by one',
      edits: [
        {
          file: 'src/core/accept/accept-together.ts',
          find: 'error instanceof ApiError || isDatabaseUnavailable(error)',
          replace: 'error instanceof ApiError && !isDatabaseUnavailable(error)',
        },
      ],
      turnsRed: 'at once',
    },
    {
      name: 'a database that only reads is not known to be away',
      edits: [{ file: 'src/store/connections.ts', find: '/^(08|25006|', replace: '/^(08|' }],
      turnsRed: 'read-only',
    },
    {
      name: 'a connection that met a database that only reads is used again',
      edits: [
        {
          file: 'src/store/connections.ts',
          find: 'if (generations.get(client) !== generation) client.end()',
          replace: 'if (false) client.end()',
        },
        { file: 'src/store/connections.ts', find: 'if (code === readOnly) renew()', replace: '' },
        { file: 'src/store/migrate.ts', find: '    connections.renew()\n', replace: '' },
      ],
      turnsRed: 'read-only',
    },
    {
      name: 'a node is ready while its database only reads',
      edits: [{ file: 'src/store/migrate.ts', find: 'if (found?.readOnly !== false) {', replace: 'if (!found) {' }],
      turnsRed: 'read-only',
    },
    {
      name: 'nobody listens when an idle connection breaks',
      edits: [{ file: 'src/store/database.ts', find: "  pool.on('error', options.onError)", replace: '' }],
      turnsRed: 'restart',
    },
    {
      name: 'nobody waits for the standby',
      edits: [],
      misconfigured: noSynchronousStandby,
      turnsRed: 'failover',
    },
    {
      name: 'a COMMIT may wait for its standby for ever',
      edits: [
        { file: 'src/store/connect/watch-commits.ts', find: '    }, withinMs)', replace: '    }, withinMs * 1_000)' },
      ],
      turnsRed: 'standby away',
    },
    {
      name: 'a COMMIT whose wait was cancelled counts as success',
      edits: [
        {
          file: 'src/store/connect/watch-commits.ts',
          find: 'if (code === warning) warned = true',
          replace: 'if (code === warning) warned = false',
        },
      ],
      turnsRed: 'cancelled commit',
    },
    {
      name: 'a transaction that wrote nothing waits for nobody',
      edits: [
        {
          file: 'src/store/connect/watch-commits.ts',
          find: "then pg_logical_emit_message(true, 'tidings', '') end",
          replace: 'then null end',
        },
      ],
      turnsRed: 'repetition',
    },
  ],
})
