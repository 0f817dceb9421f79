import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { listIntegrations } from '../../store/integrations.ts'
import type { Side, WorkflowHead } from '../../store/publishing/heads.ts'
import { listOwnVariables, type VariableUse } from '../../store/values/variables.ts'
import { toCandidates } from '../integrations/candidates.ts'

const channels = { email: 'e-mail', sms: 'SMS', push: 'push', chat: 'chat' } as const

/** What workflows rely on and the target has not: one sentence each. Names only, never what is in an integration. */
export async function createLacking(
  ctx: Ctx,
  db: Db,
  target: Env,
  { asked, ...sides }: { source: Side; target: Side; asked: readonly VariableUse[] },
): Promise<(workflow: WorkflowHead) => string[]> {
  const candidates = toCandidates(ctx, await listIntegrations(db, target))
  const own = new Set((await listOwnVariables(db, target)).map(({ key }) => key))
  const missing = Map.groupBy(
    asked.filter(({ key }) => !own.has(key)),
    ({ workflowId }) => workflowId,
  )
  const frame = sides.target.layouts.find((it) => it.isDefault)
  const isForeignFrame =
    frame !== undefined && !sides.source.layouts.some((it) => it.isDefault || it.identifier === frame.identifier)
  return ({ identifier, stepTypes, usesDefault }) => [
    ...Object.entries(channels).flatMap(([channel, name]) => {
      if (!stepTypes.includes(channel)) return []
      const active = candidates.get(channel) ?? []
      if (active.length === 0) return [`no active ${name} integration in the target`]
      const isOnlyMailbox = active.every(({ provider }) => provider.developmentOnly)
      return isOnlyMailbox ? [`only the development mailbox is active for ${name} in the target`] : []
    }),
    ...(missing.get(identifier) ?? []).map(({ key }) => `the variable env.${key} has no value in the target`),
    ...(isForeignFrame && usesDefault
      ? [`the default layout "${frame.identifier}" of the target stands around its e-mails; the source has none`]
      : []),
  ]
}
