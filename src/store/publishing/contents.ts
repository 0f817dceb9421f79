import { type RawBuilder, sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { type AnyHead, headKey } from './heads.ts'

/** By `headKey`, as JSON texts: nobody parses what is only copied. */
export type Contents = ReadonlyMap<string, string>

/** `at`: the place of its head. */
type Text = { at: number; text: string }

/** What is named by a version or an edition never changes, so it may be read at any time. */
export async function readContents(db: Db, env: Env, heads: readonly AnyHead[]): Promise<Contents> {
  const workflows = heads.filter((head) => head.kind === 'workflow')
  const layouts = heads.filter((head) => head.kind === 'layout')
  const words = heads.filter((head) => head.kind === 'translation')
  return new Map([
    ...(await read(
      db,
      workflows,
      sql<Text>`select wanted.at::int, v.definition::text as text
        from unnest(${workflows.map(({ id }) => id)}::uuid[], ${workflows.map(({ version }) => version)}::int[])
          with ordinality as wanted (id, version, at)
        join workflow_version v on v.environment_id = ${env.environmentId} and v.workflow_id = wanted.id
          and v.version = wanted.version`,
    )),
    ...(await read(
      db,
      layouts,
      sql<Text>`select wanted.at::int, v.definition::text as text
        from unnest(${layouts.map(({ id }) => id)}::uuid[], ${layouts.map(({ edition }) => edition)}::int[])
          with ordinality as wanted (id, edition, at)
        join layout_version v on v.environment_id = ${env.environmentId} and v.layout_id = wanted.id
          and v.edition = wanted.edition`,
    )),
    ...(await read(
      db,
      words,
      sql<Text>`select wanted.at::int, v.content::text as text
        from unnest(${words.map(({ owner }) => owner)}::text[], ${words.map(({ id }) => id)}::uuid[],
          ${words.map(({ locale }) => locale)}::text[], ${words.map(({ edition }) => edition)}::int[])
          with ordinality as wanted (type, id, locale, edition, at)
        join translation v on v.environment_id = ${env.environmentId} and v.resource_type = wanted.type
          and v.resource_id = wanted.id and v.locale = wanted.locale and v.edition = wanted.edition`,
    )),
  ])
}

async function read(db: Db, heads: readonly AnyHead[], query: RawBuilder<Text>): Promise<[string, string][]> {
  if (heads.length === 0) return []
  const { rows } = await query.execute(db)
  return rows.flatMap(({ at, text }) => {
    const head = heads[at - 1]
    return head ? [[headKey(head), text]] : []
  })
}
