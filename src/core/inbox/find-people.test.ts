import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeSubscribers } from '../../../test/pipeline.ts'
import { envOf } from '../../store/database.ts'
import { createFindPerson } from './find-people.ts'

const h = useHarness()

/** The real database, and how often it was asked. `away` is thrown in its place. */
function counted() {
  const seen: { reads: number; away: Error | null } = { reads: 0, away: null }
  const read: typeof h.ctx.database.read = (env, work) => {
    seen.reads++
    return seen.away ? Promise.reject(seen.away) : h.ctx.database.read(env, work)
  }
  return { seen, findPerson: createFindPerson({ ...h.ctx, database: { ...h.ctx.database, read } }) }
}

async function peopleOf(names: readonly string[]) {
  const env = await h.environment()
  await makeSubscribers(env, names)
  const rows = await h.admin
    .selectFrom('subscriber')
    .select(['id', 'subscriber_id'])
    .where('environment_id', '=', env.environmentId)
    .execute()
  return { env: envOf(env.environmentId), rows }
}

test('a crowd is read in a few statements, and everybody is themselves', async () => {
  const names = Array.from({ length: 700 }, (_, n) => `p${n}`)
  const [ours, theirs] = [await peopleOf(names), await peopleOf(['p1'])]
  const { seen, findPerson } = counted()
  const asked = [...ours.rows, ...ours.rows]
  const found = await Promise.all([
    ...asked.map(({ id }) => findPerson(ours.env, id)),
    ...theirs.rows.map(({ id }) => findPerson(theirs.env, id)),
  ])
  expect(found.map((row) => [row?.id, row?.subscriber_id])).toEqual(
    [...asked, ...theirs.rows].map(({ id, subscriber_id }) => [id, subscriber_id]),
  )
  // 500 at a time: three for us, one for them.
  expect(seen.reads).toBe(4)
})

test('nobody is found in another environment', async () => {
  const [ours, theirs] = [await peopleOf(['ada']), await peopleOf(['ada'])]
  const { findPerson } = counted()
  const id = theirs.rows[0]?.id ?? ''
  expect(await Promise.all([findPerson(ours.env, id), findPerson(theirs.env, id)])).toEqual([
    null,
    expect.objectContaining({ id }),
  ])
})

test('a database that is away is told to everybody who asked, and asked again by the next', async () => {
  const { env, rows } = await peopleOf(['ada', 'bob'])
  const { seen, findPerson } = counted()
  seen.away = new Error('away')
  const told = await Promise.allSettled(rows.map(({ id }) => findPerson(env, id)))
  expect(told).toEqual(rows.map(() => ({ status: 'rejected', reason: seen.away })))
  seen.away = null
  expect(await findPerson(env, rows[0]?.id ?? '')).toMatchObject({ id: rows[0]?.id })
})
