// Loads every module that `start`, `api`, `worker` and `gateway` load, so that Node keeps what it compiled. Only the Dockerfile
// runs this file, with NODE_COMPILE_CACHE set.
import { loadTasks } from '../src/engine/load-tasks.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
import { loadProviders } from '../src/providers/provider.ts'

process.argv = [...process.argv.slice(0, 2), 'version']
await Promise.all([
  import('../src/main.ts'),
  import('../src/commands/serve.ts'),
  import('../src/commands/gateway.ts'),
  loadRoutes(),
  loadTasks(),
  loadProviders(),
])
