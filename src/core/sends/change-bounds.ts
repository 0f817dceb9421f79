import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import { setSendBounds } from '../../store/sends/send-bounds.ts'
import { setSlowed } from '../../store/sends/slowed.ts'
import { noteChange } from '../record/note-change.ts'
import { smallestSend } from './begin-send.ts'
import { readSendBounds, type SendBounds } from './bounds.ts'

const people = (description: string) =>
  nullable(Type.Integer({ minimum: smallestSend, maximum: 2_000_000_000, description }))

export const boundProperties = {
  canaryFrom: people('Sends to at least so many people begin with a few of them; null: none does.'),
  canaryPercent: Type.Number({ minimum: 0.1, maximum: 50 }),
  canaryAtLeast: Type.Integer({ minimum: 1, maximum: 100_000 }),
  goesOn: oneOf(['person', 'time'], { description: 'Who lets it go on after the first people.' }),
  goesOnAfterSeconds: Type.Integer({ minimum: 0, maximum: 604_800 }),
  guardFrom: people(
    'Sends to at least so many people are stopped when too much fails; null: only those that begin small.',
  ),
  failuresPercent: Type.Number({ minimum: 0.1, maximum: 100 }),
  complaintsPercent: Type.Number({ minimum: 0.01, maximum: 100 }),
  slowOnJumps: Type.Boolean({ description: 'Slow the environment down when it jumps far beyond its own past.' }),
}
export const boundsSchema = Type.Object(boundProperties, { title: 'LargeSends' })

export async function changeSendBounds(
  db: Db,
  env: Env,
  given: Partial<SendBounds>,
): Promise<Static<typeof boundsSchema>> {
  const before = await readSendBounds(db, env)
  const after: SendBounds = { ...before, ...given }
  await setSendBounds(db, env, after)
  if (!after.slowOnJumps) await setSlowed(db, env.environmentId, null)
  noteChange(db, { type: 'large-sends', id: env.environmentId }, { before, after })
  return after
}
