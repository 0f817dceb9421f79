import { uuid7 } from '../../lib/uuid7.ts'
import { insertChangeRecords } from '../../store/access/change-records.ts'
import type { Db, Env } from '../../store/database.ts'
import { type Noted, takeNoted } from './note-change.ts'

type Written = {
  /** As in workflows.update. */
  action: string
  /** Where nothing was noted: what the call was about, if it is to be recorded all the same. */
  otherwise?: Noted['subject']
  /** About the organization, not one of its environments. */
  ofOrganization?: boolean
}

/** Writes down what was changed in this transaction, by whoever acts. Background work leaves no record. */
export async function writeRecord(
  db: Db,
  env: Env,
  { action, otherwise, ofOrganization = false }: Written,
  now: Date,
): Promise<void> {
  const noted = takeNoted(db)
  const { actor } = env
  if (!actor) return
  const entries: readonly Noted[] = noted.length > 0 || !otherwise ? noted : [{ subject: otherwise, changes: [] }]
  if (entries.length === 0) return
  const here = ofOrganization ? null : env.environmentId
  const records = entries.map(({ subject: { type, id, name = null }, place, changes }) => {
    return { id: uuid7(now), happenedIn: place ?? here, actor, action, subject: { type, id, name }, changes }
  })
  await insertChangeRecords(db, env.organizationId, records)
}
