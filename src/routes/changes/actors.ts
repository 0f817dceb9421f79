import { Type } from 'typebox'
import { changeFilterFields, toChangeFilter } from '../../core/record/change-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { listActors } from '../../store/access/change-records.ts'
import { actorTypes } from '../../store/access/grants.ts'

const actorSchema = Type.Object(
  {
    type: oneOf(actorTypes),
    id: Type.String({ description: 'The actorId of GET /v1/changes.' }),
    name: Type.String({ description: 'As they were called last.' }),
    lastAt: Type.String({ format: 'date-time' }),
  },
  { title: 'ChangeActor' },
)

export default defineRoute({
  method: 'GET',
  path: '/v1/changes/actors',
  summary: 'Who made the latest 10,000 changes: people, keys, links and commands, whoever did something last first',
  query: fields({ of: changeFilterFields.of }),
  response: Type.Object({ data: Type.Array(actorSchema) }),
  async handler({ db, env, query }) {
    const found = await listActors(db, env.organizationId, toChangeFilter(env, query))
    return { data: found.map(({ lastId, ...actor }) => ({ ...actor, lastAt: uuid7Time(lastId).toISOString() })) }
  },
})
