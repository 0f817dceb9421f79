import type { Ctx } from '../context.ts'
import { dropTask, retryAllTasks, retryTask } from '../core/operations/handle-tasks.ts'
import { listDyingTasks, listQuarantinedTasks, type TaskInTrouble } from '../store/history/quarantined-tasks.ts'
import type { Host } from './host.ts'
import { withContext } from './prepare.ts'

const mostListed = 1_000

export async function listTasks(host: Host): Promise<void> {
  const { print } = host
  await withContext(host, async (ctx) => {
    const { db } = ctx.database
    const quarantined = await listQuarantinedTasks(db, mostListed)
    const dying = await listDyingTasks(db, mostListed)
    const nowMs = ctx.clock().getTime()
    for (const task of quarantined) print(`${aboutOf(task, nowMs)}  given up: ${task.reason ?? 'no reason is known'}`)
    for (const task of dying) {
      const waitMs = Math.max(0, (task.nextTry?.getTime() ?? 0) - nowMs)
      print(`${aboutOf(task, nowMs)}  its process died ${task.deaths} times; tried again in ${toSpan(waitMs)}`)
    }
    if (quarantined.length + dying.length === 0) print('No task needs attention.')
  })
}

/** `id`: the id of a task, or `all`. */
export async function retryTasks(host: Host, id: string): Promise<void> {
  await onTask(host, id, async (ctx) => {
    if (id === 'all') host.print(`Tasks that run again: ${await retryAllTasks(ctx)}.`)
    else if (await retryTask(ctx, id)) host.print('The task runs again within seconds.')
    else throw noSuchTask(id)
  })
}

export async function dropOneTask(host: Host, id: string): Promise<void> {
  await onTask(host, id, async (ctx) => {
    const dropped = id === 'all' ? null : await dropTask(ctx, id)
    if (!dropped) throw noSuchTask(id)
    host.print(`Dropped. ${afterDrop(dropped)}`)
  })
}

async function onTask(host: Host, id: string, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  if (id !== 'all' && !isUuid(id)) throw noSuchTask(id)
  await withContext(host, work)
}

function afterDrop({ task }: TaskInTrouble): string {
  if (task === 'expand-events') return 'Its events are canceled: nobody else is notified by them.'
  if (task === 'advance-notifications') return 'The steps that waited are canceled.'
  if (task === 'deliver-messages')
    return 'Messages it had not sent have timers of their own, and are tried until they expire.'
  return 'What it had not done yet stays as it is.'
}

function noSuchTask(id: string): Error {
  return new Error(`No task "${id}" was given up; npm start -- tasks list shows those that were.`)
}

function aboutOf({ id, task, data, since }: TaskInTrouble, nowMs: number): string {
  const counted = ['eventIds', 'notificationIds', 'messageIds'].flatMap((field) => {
    const ids = data[field]
    return Array.isArray(ids) ? `${ids.length} ${field.replace('Ids', ids.length === 1 ? '' : 's')}` : []
  })
  const about = [id, task, `environment ${data.environmentId}`, ...counted, `for ${toSpan(nowMs - since.getTime())}`]
  return about.join('  ')
}

function toSpan(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${Math.ceil(ms / 1000)} s`
  if (minutes < 120) return `${Math.round(minutes)} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
