import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { describedAs, freeObject, oneOf } from '../../lib/schemas.ts'
import { booleanCredentials, objectCredentials, stringCredentials } from '../../providers/credential-names.ts'
import { channels } from '../../providers/provider.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { checkedSchema } from '../integrations/check-integration.ts'
import {
  isSecretOf,
  openFields,
  type SentCredentials,
  showCredentials,
} from '../integrations/integration-credentials.ts'
import { stepFilterSchema } from '../workflows/step-filter.ts'

/** Spec 2.5. Secrets are masked. */
const credentialsShown = Type.Object(
  Object.fromEntries([
    ...stringCredentials.map((name) => [name, Type.Optional(Type.String())]),
    ...booleanCredentials.map((name) => [name, Type.Optional(Type.Boolean())]),
    ...objectCredentials.map((name) => [name, Type.Optional(freeObject)]),
  ]),
  { title: 'Credentials' },
)

const configurationsShown = Type.Object(
  {
    inboundWebhookEnabled: Type.Optional(Type.Boolean()),
    inboundWebhookSigningKey: Type.Optional(Type.String()),
    whenUnknown: Type.Optional(oneOf(['atLeastOnce', 'atMostOnce'])),
  },
  { title: 'Configurations' },
)

/** Spec 2.4. */
export const integrationSchema = Type.Object(
  {
    _id: Type.String(),
    _environmentId: Type.String(),
    _organizationId: Type.String(),
    name: Type.String(),
    identifier: Type.String(),
    providerId: Type.String(),
    channel: oneOf(channels),
    credentials: describedAs(freeObject, credentialsShown),
    configurations: describedAs(freeObject, configurationsShown),
    active: Type.Boolean(),
    deleted: Type.Boolean(),
    deletedAt: Type.Optional(Type.String({ format: 'date-time' })),
    deletedBy: Type.Optional(Type.String()),
    primary: Type.Boolean(),
    conditions: Type.Array(stepFilterSchema),
    check: Type.Optional(checkedSchema),
  },
  { title: 'Integration' },
)
export type IntegrationJson = Static<typeof integrationSchema>

type Sent = { credentials?: SentCredentials | undefined; configurations?: SentCredentials | undefined }

/** `sent`: the fields of this request are shown as sent; all other secrets are masked. */
export function toIntegrationJson(
  ctx: Ctx,
  env: { organizationId: string },
  row: IntegrationRow,
  sent: Sent = {},
): IntegrationJson {
  const place = { environmentId: row.environment_id, id: row.id }
  const credentials = openFields(ctx, { ...place, column: 'credentials' }, row.credentials)
  const configurations = openFields(ctx, { ...place, column: 'configurations' }, row.configurations)
  return {
    _id: row.id,
    _environmentId: row.environment_id,
    _organizationId: env.organizationId,
    name: row.name,
    identifier: row.identifier,
    providerId: row.provider_id,
    channel: row.channel as IntegrationJson['channel'],
    credentials: showCredentials(credentials, sent.credentials ?? {}, isSecretOf(ctx.providers.find(row.provider_id))),
    configurations: showCredentials(configurations, sent.configurations ?? {}, (name) => name !== 'whenUnknown'),
    active: row.active,
    deleted: row.deleted_at !== null,
    ...(row.deleted_at && { deletedAt: row.deleted_at.toISOString() }),
    ...(row.deleted_by && { deletedBy: row.deleted_by }),
    primary: row.is_primary,
    conditions: row.conditions as IntegrationJson['conditions'],
  }
}
