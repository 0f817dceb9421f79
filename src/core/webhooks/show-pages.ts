import type { Ctx } from '../../context.ts'
import type { Db, Env, Outside } from '../../store/database.ts'
import { hasPages, unfoldPages } from '../../store/webhooks/pages.ts'

const mostShown = 10_000

/**
 * What waits in pages becomes deliveries, so that whoever asks sees it. Not in an environment that is being moved. Outside
 * of the caller's transaction: many who hold a connection and wait for a second one would wait for each other.
 */
export async function showPages(ctx: Ctx, db: Db, env: Env, endpointId: string, outside: Outside): Promise<void> {
  if (!(await hasPages(db, env, endpointId))) return
  await outside(`pages of ${endpointId}`, async () => {
    if ((await ctx.database.held.find(env.environmentId)) !== null) return
    await ctx.database.write(env, (trx) => unfoldPages(trx, env, endpointId, mostShown))
  })
}
