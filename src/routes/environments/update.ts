import { Type } from 'typebox'
import { updateEnvironment } from '../../core/access/change-environments.ts'
import {
  environmentColor,
  environmentName,
  listedEnvironmentSchema,
  toListedEnvironment,
} from '../../core/access/environment-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v1/environments/{environmentId}',
  summary: 'Rename, colour or protect an environment; what is not given stays',
  body: fields({
    name: Type.Optional(environmentName),
    color: Type.Optional(environmentColor),
    parentId: Type.Optional(Type.String()),
    protected: Type.Optional(Type.Boolean()),
  }),
  response: listedEnvironmentSchema,
  async handler({ body, params, ...scope }) {
    return toListedEnvironment(await updateEnvironment(scope, params.environmentId, body))
  },
})
