import { sql } from 'kysely'

/**
 * The environments that a statement over all of them must pass over, as an array. Once for the statement; until its
 * transaction ends nobody freezes another one (see migration 0035).
 */
export const enterLoops = sql<string[]>`(select enter_loops())::uuid[]`
