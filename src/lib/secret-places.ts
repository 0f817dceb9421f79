/**
 * Where each sealed text is stored. The place is part of the seal: copied to another row or field, it does not open.
 */
export const secretPlaces = {
  channel: (row: { environmentId: string; subscriberId: string; integrationId: string }) => [
    row.environmentId,
    'subscriber_channel',
    row.subscriberId,
    row.integrationId,
  ],
  endpoint: (row: { environmentId: string; id: string }) => [row.environmentId, 'channel_endpoint', row.id],
  connection: (row: { environmentId: string; id: string }) => [row.environmentId, 'channel_connection', row.id],
  webhookEndpoint: (row: { environmentId: string; id: string }) => [row.environmentId, 'webhook_endpoint', row.id],
  integrationField: (
    row: { environmentId: string; id: string },
    column: 'credentials' | 'configurations',
    field: string,
  ) => [row.environmentId, 'integration', row.id, column, field],
  storedReply: (row: { environmentId: string; claim: Buffer }) => [
    row.environmentId,
    'idempotency',
    row.claim.toString('hex'),
  ],
  apiKeyText: (row: { environmentId: string; id: string }) => [row.environmentId, 'api_key', row.id],
  signingSecret: (row: { environmentId: string }) => [row.environmentId, 'environment', 'signing_secret'],
  keyCheck: (keyId: string) => ['encryption_key', keyId],
}
