import { defineArea } from '../lib/area.ts'
import { cellDown, cellHung } from '../rows/cells/away.ts'
import { killedGateway, staleMap } from '../rows/cells/gateway.ts'
import { killedMovers } from '../rows/cells/killed.ts'
import { sleepingMover } from '../rows/cells/lease.ts'
import { moves } from '../rows/cells/moves.ts'
import { type CellStage, closeCellStage, openCellStage } from '../rows/cells/stage.ts'

/** Three cells, each with a PostgreSQL, an API node and a worker of its own, and the gateway before them. */
export const cells = defineArea<CellStage>({
  name: 'cells',
  open: (world) => openCellStage(world),
  close: closeCellStage,
  rowLimitMs: 1_200_000,
  rows: {
    moves,
    'sleeping mover': sleepingMover,
    'killed mover': killedMovers,
    'killed gateway': killedGateway,
    'stale map': staleMap,
    'cell down': cellDown,
    'cell hung': cellHung,
  },
  mutations: [
    {
      name: 'timers of an environment that arrives are fired',
      edits: [],
      misconfigured: 'loops touch what arrives',
      turnsRed: 'moves',
    },
    {
      name: 'tasks are not copied',
      edits: [
        {
          file: 'src/core/moves/switch-over.ts',
          find: '    await replaceOpenTasks(trx, environmentId, tasks)\n',
          replace: '',
        },
      ],
      turnsRed: 'moves',
    },
    {
      name: 'the commit point does not ask for the lease',
      edits: [],
      misconfigured: 'departs without its lease',
      turnsRed: 'sleeping mover',
    },
  ],
})
