import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { describedAs, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { ConnectionRow } from '../../store/channels/connections.ts'
import type { EndpointRow } from '../../store/channels/endpoints.ts'
import type { Env } from '../../store/database.ts'
import { endpointValue, openEndpoint } from '../channels/endpoint-input.ts'
import { maskDots } from '../integrations/integration-credentials.ts'

const text = nullable(Type.String())
const time = Type.String({ format: 'date-time' })

export const endpointSchema = Type.Object(
  {
    identifier: Type.String(),
    channel: text,
    providerId: text,
    integrationIdentifier: text,
    connectionIdentifier: text,
    subscriberId: text,
    contextKeys: Type.Array(Type.String()),
    type: Type.String(),
    endpoint: describedAs(freeObject, endpointValue),
    goneAt: nullable(
      Type.String({ format: 'date-time', description: 'When the vendor said that this place no longer exists.' }),
    ),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'ChannelEndpoint' },
)

export function toEndpointJson(ctx: Ctx, env: Env, row: EndpointRow): Static<typeof endpointSchema> {
  const { identifier, channel, providerId, integrationIdentifier, connectionIdentifier } = row
  return {
    identifier,
    channel,
    providerId,
    integrationIdentifier,
    connectionIdentifier,
    subscriberId: row.subscriberId,
    contextKeys: row.contextKeys,
    type: row.type,
    endpoint: { ...openEndpoint(ctx, env, row).endpoint },
    goneAt: row.goneAt?.toISOString() ?? null,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export const connectionSchema = Type.Object(
  {
    identifier: Type.String(),
    channel: text,
    providerId: text,
    integrationIdentifier: text,
    subscriberId: text,
    contextKeys: Type.Array(Type.String()),
    workspace: Type.Object({
      id: Type.String(),
      name: Type.Optional(Type.String()),
      botUserId: Type.Optional(Type.String()),
    }),
    auth: Type.Object({
      accessToken: Type.String({ description: 'Never shown: dots, or nothing if the app needs none.' }),
      expiresAt: Type.Optional(time),
    }),
    refused: nullable(
      Type.String({ description: 'Why the vendor takes no more from us there; connect the workspace again.' }),
    ),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'ChannelConnection' },
)

export function toConnectionJson(row: ConnectionRow): Static<typeof connectionSchema> {
  const { identifier, channel, providerId, integrationIdentifier, subscriberId, contextKeys, workspace } = row
  return {
    identifier,
    channel,
    providerId,
    integrationIdentifier,
    subscriberId,
    contextKeys,
    workspace,
    auth: {
      accessToken: row.auth === null ? '' : maskDots,
      ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    },
    refused: row.refused,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** As a browser sees it: of what others share, no more than what it takes to choose it. */
export const ownConnectionSchema = Type.Object(
  {
    identifier: Type.String(),
    connectionMode: oneOf(['subscriber', 'shared'], { description: '`subscriber`: your own, which you may delete.' }),
    channel: Type.String(),
    providerId: Type.String(),
    integrationIdentifier: Type.String(),
    workspace: connectionSchema.properties.workspace,
    createdAt: Type.Optional(time),
  },
  { title: 'OwnChannelConnection' },
)

export function toOwnConnectionJson(row: ConnectionRow): Static<typeof ownConnectionSchema> {
  const { identifier, channel, providerId, integrationIdentifier, workspace } = row
  const { id, name } = workspace
  const shown = { identifier, channel, providerId, integrationIdentifier }
  return row.subscriberId === null
    ? { ...shown, connectionMode: 'shared', workspace: { id, ...(name !== undefined && { name }) } }
    : { ...shown, connectionMode: 'subscriber', workspace, createdAt: uuid7Time(row.id).toISOString() }
}

/** Without the place itself, which may be a secret. */
export const ownEndpointSchema = Type.Object(
  {
    identifier: Type.String(),
    type: Type.String(),
    providerId: Type.String(),
    integrationIdentifier: Type.String(),
    createdAt: time,
  },
  { title: 'OwnChannelEndpoint' },
)

export function toOwnEndpointJson(row: EndpointRow): Static<typeof ownEndpointSchema> {
  const { identifier, type, providerId, integrationIdentifier } = row
  return { identifier, type, providerId, integrationIdentifier, createdAt: uuid7Time(row.id).toISOString() }
}
