import type { Config } from '../config.ts'
import { resealSecrets } from '../core/operations/reseal-secrets.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

/** `secrets reseal`: after a new key was put first in ENCRYPTION_KEYS on every node. */
export async function secretsCommand(config: Config, [verb]: string[], say: Say): Promise<void> {
  if (verb !== 'reseal') throw new Error('Say: secrets reseal')
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    sayNewKey(prepared, say)
    const { retired } = await resealSecrets(ctx.database.db, ctx.sealer, {
      now: ctx.clock(),
      progress: (table, done) => say(`${table}: ${done} sealed anew`),
    })
    say(
      retired.length > 0
        ? `Everything is sealed with "${ctx.sealer.currentKeyId}". No longer needed: ${retired.join(', ')}.`
        : `Everything is sealed with "${ctx.sealer.currentKeyId}" already.`,
    )
  } finally {
    await close()
  }
}
