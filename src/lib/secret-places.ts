/**
 * Where each sealed text lives. The place is bound into the seal: a ciphertext copied to another row, field or
 * environment does not open.
 */
export const secretPlaces = {
  channel: (row: { environmentId: string; subscriberId: string; integrationId: string }) => [
    row.environmentId,
    'subscriber_channel',
    row.subscriberId,
    row.integrationId,
  ],
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
  keyCheck: (keyId: string) => ['encryption_key', keyId],
}
