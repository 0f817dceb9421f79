import { type Static, Type } from 'typebox'
import { readTime } from '../../lib/read-time.ts'
import { oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { ChangeFilter, ChangeRecord } from '../../store/access/change-records.ts'
import { actorTypes } from '../../store/access/grants.ts'
import type { Env } from '../../store/database.ts'
import { refuseUnless } from '../access/permissions.ts'

const value = Type.Unsafe<unknown>({ description: 'Any JSON; long texts are cut.' })

export const changeSchema = Type.Object(
  {
    _id: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    environmentId: Type.Optional(Type.String({ description: 'Absent: it is about the organization.' })),
    actor: Type.Object({
      type: oneOf(actorTypes),
      id: Type.String(),
      name: Type.String({ description: 'As they were called then.' }),
    }),
    action: Type.String({ description: 'As in workflows.update.' }),
    subject: Type.Object({ type: Type.String(), id: Type.String(), name: Type.Optional(Type.String()) }),
    changes: Type.Array(
      Type.Object({ path: Type.String(), before: Type.Optional(value), after: Type.Optional(value) }),
    ),
    address: Type.Optional(Type.String({ description: 'The IP address of the request, or the machine of a command.' })),
    agent: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String()),
  },
  { title: 'ChangeRecord' },
)

export function toChangeJson({
  id,
  happenedIn,
  actor,
  action,
  subject,
  changes,
}: ChangeRecord): Static<typeof changeSchema> {
  return {
    _id: id,
    createdAt: uuid7Time(id).toISOString(),
    ...(happenedIn !== null && { environmentId: happenedIn }),
    actor: { type: actor.type, id: actor.id, name: actor.name },
    action,
    subject: { type: subject.type, id: subject.id, ...(subject.name !== null && { name: subject.name }) },
    changes: [...changes],
    ...(actor.address !== undefined && { address: actor.address }),
    ...(actor.agent !== undefined && { agent: actor.agent }),
    ...(actor.requestId !== undefined && { requestId: actor.requestId }),
  }
}

const text = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }))

export const changeFilterFields = {
  of: Type.Optional(
    oneOf(['environment', 'organization'], {
      description: 'Of this environment (the default), or of all of them and the organization itself.',
    }),
  ),
  actorId: text('Of this person, key, or command.'),
  action: text('As in workflows.update, or workflows for all that was done to them.'),
  subjectType: text('As in workflow.'),
  subjectId: text('As in the _id of a workflow.'),
  since: text('Of this time and later, as ISO 8601.'),
  until: text('And before this time.'),
}

type FilterInput = { [K in keyof typeof changeFilterFields]?: Static<(typeof changeFilterFields)[K]> }

/** Who may see one environment's record may not see the whole organization's. */
export function toChangeFilter(env: Env, input: FilterInput): ChangeFilter {
  const { of, since, until, actorId, action, subjectType, subjectId } = input
  if (of === 'organization') refuseUnless(env, 'organizationRecord')
  const [from, to] = [readTime('since', since), readTime('until', until)]
  return {
    ...{ actorId, action, subjectType, subjectId },
    ...(of !== 'organization' && { place: env.environmentId }),
    ...(from && { from }),
    ...(to && { until: to }),
  }
}
