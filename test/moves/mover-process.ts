import { readConfig } from '../../src/config.ts'
import { openCells } from '../../src/core/moves/cells.ts'
import { moveEnvironment } from '../../src/core/moves/move-environment.ts'
import { createSealer } from '../../src/lib/seal.ts'

/** The mover as a process: `<environment> <cell> [step]`. At the step it is killed as hard as a process can be. */
const [environmentId = '', to = '', dieAt] = process.argv.slice(2)
const config = readConfig()
const cells = openCells(config.cellDatabases, undefined)
const { times } = await moveEnvironment(cells, { environmentId, to }, createSealer(config.encryptionKeys), {
  async step(name) {
    console.log(name)
    if (name === dieAt) process.kill(process.pid, 'SIGKILL')
  },
  part() {},
})
console.log(JSON.stringify(times))
await cells.close()
