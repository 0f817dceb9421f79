import { type Static, Type } from 'typebox'
import { fields, nullable, oneOf } from '../../lib/schemas.ts'
import { actorTypes } from '../../store/access/grants.ts'
import { resourceKinds } from './differences.ts'
import type { Chosen } from './plan.ts'

/*
 * As public clients read it. They know one word for the type of everything (`resourceType`); `kind` is ours and says which
 * it is. What else has a description is ours, too.
 */
export const resourceType = 'REGULAR' as const

const time = Type.String({ format: 'date-time' })
const resource = {
  resourceType: Type.Literal(resourceType),
  kind: oneOf(resourceKinds),
  resourceId: Type.String({
    description: 'The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name.',
  }),
}
const actions = ['added', 'modified', 'deleted'] as const
const any = Type.Unsafe<unknown>({})

const hunkSchema = Type.Object(
  {
    before: Type.Integer({ description: 'The first line, counted from one.' }),
    after: Type.Integer(),
    lines: Type.Array(Type.String({ description: 'Begins with a space, "-" or "+".' })),
  },
  { title: 'Hunk' },
)

export const changeSchema = Type.Object(
  {
    resourceType: Type.Literal(resourceType),
    action: oneOf([...actions, 'moved']),
    path: Type.String({ description: 'As in steps.email.controlValues.subject: steps go by their stepId.' }),
    before: Type.Optional(any),
    after: Type.Optional(any),
    lines: Type.Optional(Type.Array(hunkSchema, { description: 'Of a long text, in place of before and after.' })),
    stepId: Type.Optional(Type.String()),
    moreLines: Type.Optional(Type.Integer({ description: 'Changed lines that are not shown.' })),
    stepType: Type.Optional(Type.String()),
    previousIndex: Type.Optional(Type.Integer()),
    newIndex: Type.Optional(Type.Integer()),
  },
  { title: 'ResourceChange' },
)

const sideSchema = nullable(
  Type.Object({
    id: Type.Union([Type.String(), Type.Null()]),
    name: Type.Union([Type.String(), Type.Null()]),
    updatedAt: nullable(time),
    updatedBy: nullable(Type.Object({ _id: Type.String(), firstName: Type.String() })),
  }),
)

export const resourceDiffSchema = Type.Object(
  {
    ...resource,
    name: Type.String(),
    action: oneOf(actions),
    onlyIfChosen: Type.Boolean({
      description: 'It is only in the target and did not come by publishing: it stays, unless it is chosen.',
    }),
    sourceResource: sideSchema,
    targetResource: sideSchema,
    changes: Type.Array(changeSchema),
    isShortened: Type.Boolean({ description: 'There are more changes than are shown.' }),
    summary: Type.Object({
      added: Type.Integer(),
      modified: Type.Integer(),
      deleted: Type.Integer(),
      unchanged: Type.Integer(),
    }),
    dependencies: Type.Optional(
      Type.Array(
        Type.Object({
          ...resource,
          resourceName: Type.String(),
          isBlocking: Type.Boolean(),
          reason: oneOf(['LAYOUT_REQUIRED_FOR_WORKFLOW', 'LAYOUT_EXISTS_IN_TARGET']),
        }),
      ),
    ),
    needs: Type.Array(Type.Object({ kind: oneOf(resourceKinds), resourceId: Type.String() }), {
      description: 'What differs too and is published with it, also what those need in turn.',
    }),
    warnings: Type.Array(Type.String({ description: 'What it relies on and the target lacks.' })),
  },
  { title: 'ResourceDiff' },
)
export type ResourceDiffJson = Static<typeof resourceDiffSchema>

export const diffSchema = Type.Object(
  {
    sourceEnvironmentId: Type.String(),
    targetEnvironmentId: Type.String(),
    resources: Type.Array(resourceDiffSchema),
    summary: Type.Object({
      totalEntities: Type.Integer(),
      totalChanges: Type.Integer({ description: 'Of resources, without those that stay unless they are chosen.' }),
      hasChanges: Type.Boolean(),
    }),
    fingerprint: Type.String({ description: 'Given to publish, it publishes this and nothing else.' }),
  },
  { title: 'EnvironmentDiff' },
)

const synced = { ...resource, resourceName: Type.String() }
export const publishedSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        resourceType: Type.Literal(resourceType),
        kind: oneOf(resourceKinds),
        successful: Type.Array(Type.Object({ ...synced, action: oneOf(['created', 'updated', 'deleted']) })),
        failed: Type.Array(Type.Object({ ...synced, error: Type.String() }), {
          description: 'Always empty: all of it is published, or nothing.',
        }),
        skipped: Type.Array(Type.Object({ ...synced, reason: Type.String() })),
        totalProcessed: Type.Integer(),
      }),
    ),
    summary: Type.Object({
      resources: Type.Integer(),
      successful: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
    }),
    dryRun: Type.Boolean(),
    fingerprint: Type.String(),
    publicationId: Type.Optional(Type.String({ description: 'Absent when nothing was changed.' })),
  },
  { title: 'PublishedEnvironment' },
)

const publicationProperties = {
  _id: Type.String(),
  sourceEnvironmentId: Type.Optional(Type.String()),
  sourceName: Type.Optional(Type.String({ description: 'As the source was called then.' })),
  restored: Type.Optional(
    Type.Object(
      { publicationId: Type.String(), state: oneOf(['before', 'after']) },
      { description: 'What was put back, in place of a source.' },
    ),
  ),
  note: Type.Optional(Type.String()),
  summary: Type.Object({ added: Type.Integer(), modified: Type.Integer(), deleted: Type.Integer() }),
  createdAt: time,
  createdBy: Type.Optional(
    Type.Object({
      _id: Type.String(),
      name: Type.Optional(Type.String({ description: 'Of the person or API key, as far as it is known.' })),
      type: Type.Optional(oneOf(actorTypes)),
    }),
  ),
}
export const publicationSchema = Type.Object(publicationProperties, { title: 'Publication' })
export const publicationDetailSchema = Type.Object(
  {
    ...publicationProperties,
    changes: Type.Array(
      Type.Object({ kind: Type.String(), resourceId: Type.String(), name: Type.String(), action: oneOf(actions) }),
    ),
    resources: Type.Array(resourceDiffSchema, { description: 'What changed, line by line.' }),
  },
  { title: 'PublicationDetail' },
)

/** As clients send it. */
export const resourcesInput = Type.Optional(
  Type.Array(
    fields({
      resourceType: Type.Optional(
        Type.String({
          maxLength: 50,
          description:
            'workflow, layout, translation or setting. Any other word: whatever has this id, workflows first.',
        }),
      ),
      resourceId: Type.String({ minLength: 1, maxLength: 600 }),
    }),
    { maxItems: 5_000, description: 'Only these, and what they depend on.' },
  ),
)

export function readResources(given: Static<typeof resourcesInput> | undefined): Chosen[] | null {
  if (!given) return null
  return given.map((it) => ({ kind: resourceKinds.find((kind) => kind === it.resourceType), key: it.resourceId }))
}

export const noteInput = Type.Optional(
  Type.String({ maxLength: 1_000, description: 'Why: it is kept with the publication.' }),
)
export const fingerprintInput = Type.Optional(
  Type.String({ maxLength: 64, description: 'Of the diff that was shown: what differs from it is refused with 409.' }),
)
export const sourceInput = Type.Optional(
  Type.String({ maxLength: 300, description: 'By default the environment that the target is published from.' }),
)
