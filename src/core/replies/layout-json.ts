import { type Static, Type } from 'typebox'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { type ActorName, findActorNames } from '../../store/access/actor-names.ts'
import type { Db, Env } from '../../store/database.ts'
import type { CurrentLayout } from '../layouts/save-layout.ts'
import { issueSchema, toIssue, workflowOrigin } from './workflow-json.ts'

const time = Type.String({ format: 'date-time' })

/** LayoutResponseDto of the client; `edition` and `issues` are our additions. */
export const layoutSchema = Type.Object(
  {
    _id: Type.String(),
    layoutId: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    isDefault: Type.Boolean(),
    isTranslationEnabled: Type.Boolean(),
    edition: Type.Integer({ description: 'Of the environment, in which it was last changed.' }),
    origin: Type.String(),
    type: Type.Literal('REGULAR'),
    createdAt: time,
    updatedAt: time,
    updatedBy: nullable(
      Type.Object({
        _id: Type.String({ description: 'Of the person or API key.' }),
        firstName: Type.Optional(Type.String({ description: 'Their name, as far as it is known.' })),
      }),
    ),
    variables: freeObject,
    controls: Type.Object({
      values: Type.Object({
        email: Type.Object({ body: Type.String(), editorType: oneOf(['html', 'block']) }),
      }),
    }),
    issues: Type.Optional(
      Type.Object(
        { controls: Type.Record(Type.String(), Type.Array(issueSchema)) },
        { description: 'What of a document of blocks is not sent as it stands there. Nothing is held back.' },
      ),
    ),
  },
  { title: 'Layout' },
)
export type LayoutJson = Static<typeof layoutSchema>

/** With the names of who changed them last. */
export async function showLayouts(db: Db, env: Env, layouts: readonly CurrentLayout[]): Promise<LayoutJson[]> {
  const names = await findActorNames(
    db,
    env,
    layouts.map(({ updatedBy }) => updatedBy),
  )
  return layouts.map((layout) => toLayoutJson(layout, names))
}

export async function showLayout(db: Db, env: Env, layout: CurrentLayout): Promise<LayoutJson> {
  return toLayoutJson(layout, await findActorNames(db, env, [layout.updatedBy]))
}

function toLayoutJson(current: CurrentLayout, names: ReadonlyMap<string, ActorName>): LayoutJson {
  const { id, identifier, name, isDefault, edition, updatedAt, updatedBy, definition } = current
  const author = updatedBy === null ? undefined : names.get(updatedBy)
  const warnings = definition.compiled.warnings.map(toIssue)
  return {
    _id: id,
    layoutId: identifier,
    slug: identifier,
    name,
    isDefault,
    isTranslationEnabled: definition.isTranslationEnabled,
    edition,
    origin: workflowOrigin,
    type: 'REGULAR',
    createdAt: uuid7Time(id).toISOString(),
    updatedAt: updatedAt.toISOString(),
    updatedBy: updatedBy === null ? null : { _id: updatedBy, ...(author && { firstName: author.name }) },
    variables: {},
    controls: { values: { email: definition.controlValues } },
    ...(warnings.length > 0 && { issues: { controls: { 'email.body': warnings } } }),
  }
}
