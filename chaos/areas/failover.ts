import { missingPackages } from '../../test/postgres/patroni-files.ts'
import { defineArea } from '../lib/area.ts'
import { times } from '../lib/parallel.ts'
import { openPatroni } from '../lib/patroni.ts'
import { noSynchronousStandby } from '../rows/database/pair-stage.ts'
import { cut, type Fault, kill, standbyGone, standbySilent, switchover } from '../rows/failover/faults.ts'
import { type FailoverStage, runRounds } from '../rows/failover/rounds.ts'

const row =
  (...faults: Fault[]) =>
  (stage: FailoverStage) =>
    runRounds(stage, stage.world.small ? faults : [...faults, ...faults])

const mixed = [kill, switchover, standbyGone, cut, standbySilent]

/** Three PostgreSQL under Patroni, strictly synchronous, by the files of deploy/patroni, on this machine. */
export const failover = defineArea<FailoverStage>({
  name: 'failover',
  missing: missingPackages,
  open: async (world) => ({
    world,
    cluster: await openPatroni({ synchronous: world.misconfigured !== noSynchronousStandby }),
  }),
  close: ({ cluster }) => cluster.stop(),
  rowLimitMs: 1_800_000,
  rows: {
    kill: row(kill),
    switchover: row(switchover),
    standby: row(standbyGone, standbySilent),
    cut: row(cut),
    // Each fault twice, in an order of its own with each seed.
    'ten rounds': (stage) => {
      const faults = times(stage.world.small ? 1 : 2, () => mixed).flat()
      return runRounds(stage, stage.world.random.shuffle(faults))
    },
  },
  mutations: [
    {
      name: 'nobody waits for a standby',
      edits: [],
      misconfigured: noSynchronousStandby,
      turnsRed: 'cut',
    },
    ...['kill', 'switchover', 'standby', 'ten rounds'].map((turnsRed) => ({
      name: 'a database that is away, and a commit without an answer, are internal errors',
      edits: [
        {
          file: 'src/http/error-reply.ts',
          find: 'if (isDatabaseUnavailable(error)) return',
          replace: 'if (false) return',
        },
        {
          file: 'src/http/error-reply.ts',
          find: 'if (error instanceof OutcomeUnknown) return',
          replace: 'if (false) return',
        },
      ],
      turnsRed,
    })),
  ],
})
