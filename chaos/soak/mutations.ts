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
  doubles: [],
  /** Every look at whether a node is well costs a megabyte for ever. */
  grows: [],
} satisfies Record<string, readonly Edit[]>

export type MutationName = keyof typeof mutations
