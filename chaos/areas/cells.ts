import { defineArea } from '../lib/area.ts'
import { moves } from '../rows/cells/moves.ts'
import { type CellStage, closeCellStage, openCellStage } from '../rows/cells/stage.ts'

export const cells = defineArea<CellStage>({
  name: 'cells',
  open: openCellStage,
  close: closeCellStage,
  rowLimitMs: 900_000,
  rows: { moves },
  mutations: [
    {
      name: 'loops do not ask for the state',
      edits: [],
      misconfigured: 'loops pass over nobody',
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
  ],
})
