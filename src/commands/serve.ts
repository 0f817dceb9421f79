import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { makeSignInLink } from '../core/operations/sign-in.ts'
import { loadTasks } from '../engine/load-tasks.ts'
import { stopTaking, workTasks } from '../engine/work-tasks.ts'
import { startWorker, type Worker } from '../engine/worker.ts'
import { authenticator } from '../http/access/auth.ts'
import { about } from '../http/dashboard/about.ts'
import { addDashboard } from '../http/dashboard/dashboard.ts'
import { addHealth, type Checks } from '../http/health.ts'
import { loadRoutes } from '../http/load-routes.ts'
import { createServer } from '../http/server.ts'
import { listBootstrapKeys } from '../store/access/api-keys.ts'
import { listEnvironments } from '../store/access/environments.ts'
import { isDatabaseUnavailable } from '../store/database.ts'
import { checkDatabase } from '../store/migrate.ts'
import { holdPort } from './hold-port.ts'
import type { Host, Output } from './host.ts'
import { type OpenDashboard, openDashboard } from './open-dashboard.ts'
import { type Prepared, prepare } from './prepare.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export type Role = 'start' | 'api' | 'worker'

// A page's rows live long enough to reach V8's old generation, which by default is collected only after some hundred
// megabytes (40 MB alive, 420 resident). With this it is collected when it has grown by half.
const heapGrowth = '--heap-growing-percent=50'

// Connections that wait until they are accepted. When a node ends, thousands of browsers come to the next within a few
// seconds; past Node's 511 they would be cut. The system may allow fewer: net.core.somaxconn, 4,096 on Linux.
const mostWaiting = 4_096

export async function serve({ settings, print }: Host, role: Role): Promise<void> {
  const config = settings()
  setFlagsFromString(heapGrowth)
  const port = await holdPort(config)
  const prepared = await prepare(config, print, { worker: role !== 'api', role }).catch(async (error) => {
    await port.release()
    throw error
  })
  const { ctx } = prepared
  let worker: Worker | null = null
  try {
    const dashboard = role === 'worker' || !config.dashboard ? null : await openDashboard(ctx)
    const checks: Checks = {
      database: () => checkDatabase(ctx.database).catch(whyAway),
      encryptionKeys: prepared.announcement.check,
    }
    const server = await openServer(ctx, role, checks, dashboard)
    // Loading and compiling the routes blocks the event loop for a second or two, so no work begins before that.
    await server.ready()
    if (role !== 'api') {
      worker = await openWorker(ctx)
      checks.worker = worker.isTurning
    }
    await port.release()
    await server.listen({ host: config.host, port: config.port, backlog: mostWaiting })
    ctx.loopWatch.start()
    stopOnSignal(ctx.log, async () => {
      // From here on nothing new is begun. Requests and calls under way are finished, then the connections close.
      ctx.drain.begun = true
      dashboard?.stop()
      await Promise.all([closeServer(ctx, role, server), worker?.stop()])
      await prepared.close()
    })
    const url = addressOf(server, config)
    greet(prepared, role, url, print)
    if (dashboard) await greetDashboard(ctx, url, print)
  } catch (error) {
    // Its loops would keep alive a process that cannot serve.
    await worker?.stop()
    await port.release()
    await prepared.close()
    if (prepared.newKey)
      print('An API key was created and not shown. This creates another one: npm start -- keys create')
    throw error
  }
}

/** An API node is not ready any more and still answers, until no load balancer sends it requests. */
async function closeServer(ctx: Ctx, role: Role, server: FastifyInstance): Promise<void> {
  if (role !== 'worker') await sleep(ctx.config.stopDelaySeconds * 1000)
  await readWhatHasArrived()
  await server.close()
}

/**
 * Closing a server also closes a connection whose request is not read yet, because it looks idle. A connection is
 * accepted in one turn of the event loop and read in the next, so a few turns are enough.
 */
async function readWhatHasArrived(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}

async function openWorker(ctx: Ctx): Promise<Worker> {
  const { tasks, loops } = await loadTasks()
  await workTasks(ctx, tasks)
  const worker = startWorker(ctx, loops)
  const stop = async () => {
    stopTaking(ctx, tasks)
    await worker.stop()
  }
  return { ...worker, stop }
}

async function openServer(
  ctx: Ctx,
  role: Role,
  checks: Checks,
  dashboard: OpenDashboard | null,
): Promise<FastifyInstance> {
  const routes = role === 'worker' ? [] : await loadRoutes()
  const server = createServer(ctx, routes, authenticator(ctx, await listBootstrapKeys(ctx.database.db)))
  addHealth(server, checks, ctx.drain)
  if (dashboard) addDashboard(server, dashboard)
  else server.get('/', async () => about)
  return server
}

function whyAway(error: unknown): string {
  if (isDatabaseUnavailable(error)) return 'the database cannot be reached'
  throw error
}

function addressOf(server: FastifyInstance, config: Config): string {
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  return `http://localhost:${port}`
}

function greet({ newKey, ctx }: Prepared, role: Role, url: string, print: Output): void {
  const started = Math.round(performance.now()) / 1000
  print(`Tidings (${role === 'start' ? 'api and worker' : role}) is ready at ${url} after ${started.toFixed(1)} s.`)
  if (role === 'worker') return
  print(`Reference: ${url}/docs`)
  if (newKey) {
    print(`
Your API key, shown this once (npm start -- keys create makes another):

  ${newKey}

Try it:

  curl -X POST ${url}/v2/subscribers -H 'Authorization: ApiKey ${newKey}' \\
    -H 'content-type: application/json' -d '{"subscriberId":"ada","firstName":"Ada","email":"ada@example.com"}'
`)
  } else if (ctx.config.bootstrapApiKey === undefined) {
    print('Use the API key you have, or create one: npm start -- keys create --organization')
  }
}

/** In development, prints a link that signs in once, within an hour. In production people sign in with a key. */
async function greetDashboard(ctx: Ctx, url: string, print: Output): Promise<void> {
  const [first] = ctx.config.production ? [] : await listEnvironments(ctx.database.db)
  // In the fragment, which browsers do not send: it is in no log, not even ours.
  print(`Dashboard: ${url}/${first ? `#link=${await makeSignInLink(ctx, first.id)}` : ''}`)
}
