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
  variable: (row: { environmentId: string; id: string }) => [row.environmentId, 'environment_variable', row.id],
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
  totpSecret: (row: { personId: string }) => ['person', row.personId, 'totp_secret'],
  ownMail: (row: { organizationId: string; id: string }) => ['own_mail', row.organizationId, row.id],
  signInSecret: (row: { organizationId: string; id: string }) => ['sign_in_connection', row.organizationId, row.id],
  signInVerifier: (row: { organizationId: string; id: string }) => ['sign_in_flow', row.organizationId, row.id],
  keyCheck: (keyId: string) => ['encryption_key', keyId],
}
