/** The closed list of integration credential fields (spec 2.5). A vendor's own name is mapped onto one of these. */
export const stringCredentials = [
  'apiKey',
  'user',
  'secretKey',
  'domain',
  'password',
  'host',
  'port',
  'region',
  'accountSid',
  'messageProfileId',
  'token',
  'from',
  'senderName',
  'projectName',
  'applicationId',
  'clientId',
  'baseUrl',
  'webhookUrl',
  'redirectUrl',
  'serviceAccount',
  'ipPoolName',
  'apiKeyRequestHeader',
  'secretKeyRequestHeader',
  'idPath',
  'datePath',
  'apiToken',
  'authenticationTokenKey',
  'instanceId',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalLink',
  'channelId',
  'phoneNumberIdentification',
  'accessKey',
  'appSid',
  'senderId',
  'AppIOBaseUrl',
] as const

export const booleanCredentials = ['secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken'] as const

export const objectCredentials = ['tlsOptions'] as const

export const credentialNames = [...stringCredentials, ...booleanCredentials, ...objectCredentials] as const

export type CredentialName = (typeof credentialNames)[number]
