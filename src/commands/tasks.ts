import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { dropTask, retryAllTasks, retryTask } from '../core/operations/handle-tasks.ts'
import { listDyingTasks, listQuarantinedTasks, type TaskInTrouble } from '../store/history/quarantined-tasks.ts'
import { prepare, type Say } from './prepare.ts'

const mostListed = 1_000

/** `tasks list`, `tasks retry <task id> | all`, `tasks drop <task id>` */
export async function tasksCommand(config: Config, [verb = '', id]: string[], say: Say): Promise<void> {
  const actions = { list: listTasks, retry, drop }
  if (!Object.hasOwn(actions, verb) || (verb !== 'list' && id === undefined)) {
    throw new Error('Say: tasks list | tasks retry <task id> | tasks retry all | tasks drop <task id>')
  }
  if (id !== undefined && id !== 'all' && !isUuid(id)) throw noSuchTask(id)
  const { ctx, close } = await prepare(config, () => {})
  try {
    await actions[verb as keyof typeof actions](ctx, id ?? '', say)
  } finally {
    await close()
  }
}

async function listTasks(ctx: Ctx, _id: string, say: Say): Promise<void> {
  const { db } = ctx.database
  const quarantined = await listQuarantinedTasks(db, mostListed)
  const dying = await listDyingTasks(db, mostListed)
  const nowMs = ctx.clock().getTime()
  for (const task of quarantined) say(`${aboutOf(task, nowMs)}  given up: ${task.reason ?? 'no reason is known'}`)
  for (const task of dying) {
    const waitMs = Math.max(0, (task.nextTry?.getTime() ?? 0) - nowMs)
    say(`${aboutOf(task, nowMs)}  its process died ${task.deaths} times; tried again in ${toSpan(waitMs)}`)
  }
  if (quarantined.length + dying.length === 0) say('No task is in trouble.')
}

async function retry(ctx: Ctx, id: string, say: Say): Promise<void> {
  if (id === 'all') say(`Put back: ${await retryAllTasks(ctx)}.`)
  else if (await retryTask(ctx, id)) say('Put back: a worker takes it within seconds.')
  else throw noSuchTask(id)
}

async function drop(ctx: Ctx, id: string, say: Say): Promise<void> {
  const dropped = id === 'all' ? null : await dropTask(ctx, id)
  if (!dropped) throw noSuchTask(id)
  say(`Dropped. ${afterDrop(dropped)}`)
}

function afterDrop({ task }: TaskInTrouble): string {
  if (task === 'expand-events') return 'Its events are canceled: nobody else is notified by them.'
  if (task === 'advance-notifications') return 'The steps that waited are canceled.'
  if (task === 'deliver-messages')
    return 'Messages it had not sent have timers of their own, and are tried until they expire.'
  return 'What it had not done yet stays as it is.'
}

function noSuchTask(id: string): Error {
  return new Error(`No task "${id}" is given up; npm start -- tasks list shows those that are.`)
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
