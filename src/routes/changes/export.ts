import { Readable } from 'node:stream'
import type { Ctx } from '../../context.ts'
import { changeFilterFields, toChangeFilter, toChangeJson } from '../../core/record/change-json.ts'
import { defineStream } from '../../http/define-stream.ts'
import { fields } from '../../lib/schemas.ts'
import { type ChangeFilter, listChangeRecords } from '../../store/access/change-records.ts'
import type { Env } from '../../store/database.ts'
import type { PageRequest } from '../../store/keyset.ts'

const pageSize = 500

export default defineStream({
  path: '/v1/changes/export',
  summary: 'The record of changes as JSON lines, oldest first',
  of: 'application/x-ndjson',
  query: fields(changeFilterFields),
  handler: async ({ ctx, env, query }) => Readable.from(lines(ctx, env, toChangeFilter(env, query))),
})

/** Page by page, each as one text; between them no connection is held. */
async function* lines(ctx: Ctx, env: Env, filter: ChangeFilter): AsyncGenerator<string> {
  const first: PageRequest = { limit: pageSize, orderBy: '_id', direction: 'ASC' }
  for (let request: PageRequest | null = first; request; ) {
    const page: PageRequest = request
    const found = await ctx.database.read(env, (db) => listChangeRecords(db, env.organizationId, filter, page))
    if (!found) return
    yield found.rows.map((row) => `${JSON.stringify(toChangeJson(row))}\n`).join('')
    request = found.next && { ...first, from: { side: 'after', place: found.next } }
  }
}
