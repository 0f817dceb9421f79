import type { Static } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { findActorNames } from '../../store/access/actor-names.ts'
import type { Env } from '../../store/database.ts'
import { readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, loadSide } from '../../store/publishing/heads.ts'
import { findPublication } from '../../store/publishing/publications.ts'
import { findDifferences } from './differences.ts'
import { toPublicationJson } from './published-json.ts'
import type { publicationDetailSchema } from './publishing-json.ts'
import { authorsOf, showDifferences } from './show-differences.ts'

/** What it changed is computed from the versions, which never change. */
export async function showPublication(ctx: Ctx, env: Env, id: string): Promise<Static<typeof publicationDetailSchema>> {
  const found = await ctx.database.read(env, async (db) => {
    const publication = isUuid7(id) ? await findPublication(db, env, id) : null
    if (!publication) throw new ApiError('publication_not_found')
    const before = await loadSide(db, env, publication.before)
    return { publication, before, after: await loadSide(db, env, publication.after) }
  })
  const differences = findDifferences(found.after, found.before, () => true)
  const read = (heads: readonly AnyHead[]) => ctx.database.read(env, (db) => readContents(db, env, heads))
  const authors = [found.publication.createdBy, ...authorsOf(differences)]
  const names = await ctx.database.read(env, (db) => findActorNames(db, env, authors))
  const resources = await showDifferences(differences, { source: read, target: read, names }, () => ({
    needs: [],
    warnings: [],
  }))
  return { ...toPublicationJson(found.publication, names), changes: found.publication.changes, resources }
}
