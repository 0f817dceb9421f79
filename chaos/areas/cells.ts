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
      // Asked twice: by the mover, which knows its own freeze, and by the statement.
      name: 'the commit point does not ask for the lease',
      edits: [
        {
          file: 'src/core/moves/switch-over.ts',
          find: '        if (!(await isFrozenUntil(trx, environmentId, held))) return false\n',
          replace: '',
        },
      ],
      misconfigured: 'departs without its lease',
      turnsRed: 'sleeping mover',
    },
    {
      name: 'a move that has departed is begun anew',
      edits: [
        {
          file: 'src/core/moves/move-environment.ts',
          find: '    if (!(await hasDeparted(source, environmentId))) {\n      await timed',
          replace: '    if (true) {\n      await timed',
        },
      ],
      turnsRed: 'killed mover',
    },
    {
      name: 'the gateway does not follow whoever sends it on',
      edits: [
        {
          file: 'src/gateway/handle-request.ts',
          find: 'return next && next.generation > place.generation ? next : null',
          replace: 'return null',
        },
      ],
      turnsRed: 'stale map',
    },
    ...['cell down', 'cell hung'].map((turnsRed) => ({
      name: 'the gateway never takes a cell for gone',
      edits: [
        {
          file: 'src/gateway/cell.ts',
          find: "if (failures >= downAfter && !stopped) tell('down')",
          replace: '',
        },
      ],
      turnsRed,
    })),
  ],
})
