import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Ctx } from '../context.ts'
import type { Dashboard } from '../http/dashboard/dashboard.ts'
import { loadSite } from '../http/dashboard/site.ts'

export type OpenDashboard = Dashboard & { stop(): void }

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dashboard/dist')
const builder = join(root, 'scripts/build-dashboard.ts')
const needed = [builder, join(root, 'dashboard/vite.config.ts'), join(root, 'node_modules/vite/package.json')]

/** The built pages; in a checkout without them, they are built in the background while the API already serves. */
export async function openDashboard(ctx: Ctx): Promise<OpenDashboard> {
  const dashboard: OpenDashboard = { site: await loadSite(dist), notice: 'absent', stop() {} }
  if (ctx.config.production) return dashboard
  const canBuild = needed.every((file) => existsSync(file))
  if (!dashboard.site && canBuild) {
    dashboard.notice = 'building'
    const child = startBuild(ctx, () => {
      dashboard.notice = 'failed'
    })
    dashboard.stop = () => void child.kill()
  }
  dashboard.refresh = refresher(dashboard)
  return dashboard
}

/** In development the dashboard may be built again while we run. */
function refresher(dashboard: OpenDashboard): () => Promise<void> {
  const builtAt = async () => (await stat(join(dist, 'index.html')).catch(() => null))?.mtimeMs ?? 0
  let known = dashboard.site ? builtAt() : Promise.resolve(0)
  return async () => {
    const newest = await builtAt()
    if (newest === 0 || newest === (await known)) return
    known = Promise.resolve(newest)
    dashboard.site = (await loadSite(dist)) ?? dashboard.site
  }
}

function startBuild(ctx: Ctx, onFailure: () => void): ChildProcess {
  const child = spawn(process.execPath, [builder], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const begun = performance.now()
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2_000)
    })
  }
  child.on('error', (error) => {
    said += error.message
  })
  child.on('close', (code) => {
    if (code === 0) ctx.log.info({ ms: Math.round(performance.now() - begun) }, 'dashboard built')
    else {
      ctx.log.warn({ said }, 'the dashboard could not be built')
      onFailure()
    }
  })
  try {
    // A low priority: requests come first.
    setPriority(child.pid ?? -1, 10)
  } catch {
    // It did not start, or has ended: the `close` event reports it.
  }
  return child
}
