import { toPublicationJson } from '../../core/publishing/published-json.ts'
import { publicationSchema } from '../../core/publishing/publishing-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields } from '../../lib/schemas.ts'
import { findActorNames } from '../../store/access/actor-names.ts'
import { listPublications } from '../../store/publishing/publications.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/publications',
  summary: 'List what was published to this environment',
  query: fields(cursorQuery(['_id', 'createdAt'])),
  response: cursorPageOf(publicationSchema),
  handler: ({ ctx, db, env, query }) =>
    cursorList(
      { ctx, env, query },
      {
        name: 'publications',
        filter: {},
        load: (page) => listPublications(db, env, page),
        toJson: async (rows) => {
          const names = await findActorNames(
            db,
            env,
            rows.map((row) => row.createdBy),
          )
          return rows.map((row) => toPublicationJson(row, names))
        },
      },
    ),
})
