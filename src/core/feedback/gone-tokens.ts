import { createHash } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { type Answers, countAnswers } from '../../store/feedback/token-trust.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { removeDeviceTokens } from '../subscribers/remove-device-tokens.ts'

/** What a vendor said of the device tokens of one person. */
export type TokenAnswers = {
  integration: IntegrationRow
  subscriberId: string
  accepted: number
  gone: readonly string[]
}

// A few may be gone at any time; of many tokens up to a third, when an old list is taken over.
const fewGone = 10
const mostGoneShare = 1 / 3
// After as many answers the credentials are known to be right, and nothing is counted any more.
const trustedAfter = 1_000

/**
 * Removes the tokens that a vendor calls gone. With wrong credentials (another project, the other environment) a vendor
 * may call every token gone: while too many of those seen since the credentials were changed are gone, none is removed.
 */
export async function forgetGoneTokens(ctx: Ctx, env: Env, answers: readonly TokenAnswers[]): Promise<void> {
  for (const ofIntegration of Map.groupBy(answers, ({ integration }) => integration.id).values()) {
    const [first] = ofIntegration
    if (!first || !(await mayRemove(ctx, env, first.integration, ofIntegration))) continue
    for (const { integration, subscriberId, gone } of ofIntegration) {
      if (gone.length > 0) await removeDeviceTokens(ctx, env, { subscriberId, integrationId: integration.id }, gone)
    }
  }
}

async function mayRemove(
  ctx: Ctx,
  env: Env,
  integration: IntegrationRow,
  answers: readonly TokenAnswers[],
): Promise<boolean> {
  const credentials = createHash('sha256').update(JSON.stringify(integration.credentials)).digest()
  const owner = `${integration.id} ${credentials.toString('base64url')}`
  if (ctx.trustedTokens.has(owner)) return true
  const added = {
    accepted: answers.reduce((sum, { accepted }) => sum + accepted, 0),
    gone: answers.reduce((sum, { gone }) => sum + gone.length, 0),
  }
  if (added.accepted + added.gone === 0) return true
  const all = await ctx.database.write(env, (db) =>
    countAnswers(db, env, { integrationId: integration.id, credentials }, added),
  )
  const isLikely = isLikelyTrue(all)
  if (isLikely && all.accepted + all.gone >= trustedAfter) ctx.trustedTokens.set(owner, true)
  if (!isLikely && added.gone > 0) {
    ctx.metrics.goneTokensKept.inc({ provider: integration.provider_id }, added.gone)
    ctx.log.warn(
      { integrationId: integration.id, providerId: integration.provider_id, environmentId: env.environmentId, ...all },
      'most device tokens are called gone since the credentials were changed: none is removed; are they of this app?',
    )
  }
  return isLikely
}

export function isLikelyTrue({ accepted, gone }: Answers): boolean {
  return gone <= fewGone || gone <= mostGoneShare * (accepted + gone)
}
