import { ApiError } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, loadSide } from '../../store/publishing/heads.ts'
import { findPublication } from '../../store/publishing/publications.ts'
import { findDifferences } from './differences.ts'
import { judge, lock, type Published, type PublishScope, readNow, write } from './publish.ts'

export type PutBackInput = {
  state: 'before' | 'after'
  dryRun: boolean
  note: string | null
  fingerprint: string | null
}

/**
 * Makes the environment exactly what it was after, or before, one of its publications: what came since goes, and what was
 * deleted comes back as itself. As new versions and a new edition: what was is not rewritten.
 */
export async function putBack(scope: PublishScope, id: string, input: PutBackInput): Promise<Published> {
  const { db, env } = scope
  // A key that opens only this environment must not change a protected one.
  if (env.actor?.type === 'key' && !env.grants?.everywhere) throw new ApiError('environment_out_of_reach')
  if (!input.dryRun) await lock(scope)
  const publication = isUuid7(id) ? await findPublication(db, env, id) : null
  if (!publication) throw new ApiError('publication_not_found')
  const source = await loadSide(db, env, publication[input.state])
  const target = await readNow(db, env)
  const differences = findDifferences(source, target, () => true)
  const sourceId = `${id} ${input.state}`
  const judged = judge({ source, target, differences, sourceId }, { ...input, chosen: null })
  if (input.dryRun || judged.planned.length === 0) return judged
  const read = (heads: readonly AnyHead[]) => readContents(db, env, heads)
  const from = { restoredId: id, restoredState: input.state }
  const written = await write(scope, judged, { read, putsBack: true, from }, { ...input, chosen: null })
  return { ...judged, publicationId: written.id }
}
