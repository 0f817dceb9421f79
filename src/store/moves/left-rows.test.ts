import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { deleteRows } from './left-rows.ts'

const h = useHarness()

/** Does something once, right after the query that contains a text. */
function after(text: string, happens: () => Promise<unknown>): KyselyPlugin {
  const meant = new WeakSet<object>()
  let isOver = false
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'RawNode' && JSON.stringify(node).includes(text)) meant.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (!meant.has(queryId) || isOver) return result
      isOver = true
      await happens()
      return result
    },
  }
}

test('what comes back between the look and the deletion keeps its rows', async () => {
  const env = await h.environment()
  for (const identifier of ['a', 'b', 'c']) await env.post('/v1/tenants', { identifier })
  const become = (state: string) =>
    sql`update environment set state = ${state} where id = ${env.environmentId}`.execute(h.admin)
  const left = async () => {
    const { rows } = await sql`select 1 from tenant where environment_id = ${env.environmentId}`.execute(h.admin)
    return rows.length
  }
  await become('departed')
  const comesBack = h.admin.withPlugin(after("state not in ('departed', 'arriving')", () => become('active')))
  const deleting = deleteRows(comesBack, env.environmentId, ['tenant'], () => {})
  await expect(deleting).rejects.toThrow('it lives in this cell')
  expect(await left()).toBe(3)
  await become('departed')
  expect(await deleteRows(h.admin, env.environmentId, ['tenant'], () => {})).toBe(3)
  expect(await left()).toBe(0)
})
