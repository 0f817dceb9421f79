import type { Edit } from '../mutate.ts'

/** `npm run soak -- --mutation <name>`: this version is broken on purpose, and the soak must say so. */
export const mutations = {
  /** A bulk is acknowledged, whatever becomes of its rows. */
  loses: [
    {
      file: 'src/core/accept/accept-events.ts',
      find: '    const write = async (atOnce: AtOnce | null) => writeEvents(scope, fresh, atOnce, occurrences)',
      replace: `    const write = async (atOnce: AtOnce | null) => {
      const later = (db: Scope['db']) => writeEvents({ ...scope, db }, fresh, atOnce, occurrences)
      scope.ctx.database.write(scope.env, later).catch(() => {})
    }`,
    },
  ],
  /** Every try of a message has a key of its own. */
  doubles: [
    {
      file: 'src/providers/shared/standard-webhooks.ts',
      find: "const headers = { 'webhook-id': id,",
      replace: "const headers = { 'webhook-id': id + Math.random(),",
    },
  ],
  /** Every look at whether an API node is ready costs it two megabytes for ever: less is not seen in minutes. */
  grows: [
    {
      file: 'src/http/health.ts',
      find: '    if (drain.begun) {',
      replace: `    Reflect.set(globalThis, 'kept', [Reflect.get(globalThis, 'kept'), Buffer.alloc(2_097_152, 1)])
    if (drain.begun) {`,
    },
  ],
} satisfies Record<string, readonly Edit[]>

export type MutationName = keyof typeof mutations
