/**
 * Why we have not what the clients can call: by operation, or by group (`agents.`). docs/migrating.md tells it; a test
 * fails when one is missing, or names an operation that we have.
 */
export const missingOperations: Readonly<Record<string, string>> = {
  'agents.': 'that product line (agents that answer people) does not exist here',
  'domains.': 'no mail is received here, so no domain is set up for it',
  'integrations.integrationsControllerAutoConfigureIntegration':
    'vendors are told where to call by hand ([callbacks](delivery.md#callbacks)); for bots there is `webhook/configure`',
  'integrations.createMobileLink': 'part of an app of that product',
}

const handlebars = 'of the older product, whose templates are in another language (Handlebars)'
const changes = '[publishing](publishing.md) takes the place of changes'
const groups = 'workflows have tags, no groups'
const feeds = 'messages are in no named feed'
const overrides = 'conditions on `tenant` take the place of overrides'
const people = 'for people, in the dashboard; not for keys of an environment'

/** The same for `@novu/node`, the client before. */
export const missingMethods: Readonly<Record<string, string>> = {
  'changes.': changes,
  'environments.getApiKeys': 'a key is shown once, when it is made',
  'environments.regenerateApiKeys': 'a key is shown once, when it is made; keys are made and revoked one by one',
  'executionDetails.': 'every step is in `GET /v1/notifications/{id}`',
  'feeds.': feeds,
  'inboundParse.': 'no mail is received here',
  'integrations.getInAppStatus': 'it tells whether the older widget was ever opened',
  'integrations.getWebhookProviderStatus': 'callbacks are of an integration, not of a provider',
  'layouts.': handlebars,
  'notificationGroups.': groups,
  'notificationTemplates.': handlebars,
  'organizations.list': people,
  'organizations.create': people,
  'organizations.rename': people,
  'organizations.getMembers': people,
  'organizations.removeMember': people,
  'organizations.updateMemberRole': people,
  'organizations.updateBranding': 'there is no branding to be changed',
  'subscribers.unsetCredentials': 'device tokens are added, and an empty list adds none; use `deleteCredentials`',
  'workflowOverrides.': overrides,
}

/** Null: there is none. */
export function reasonFor(reasons: Readonly<Record<string, string>>, operation: string): string | null {
  const found = Object.keys(reasons).filter((key) =>
    key.endsWith('.') ? operation.startsWith(key) : operation === key,
  )
  if (found.length > 1) throw new Error(`${operation} has two reasons: ${found.join(' and ')}`)
  const [key] = found
  return key === undefined ? null : (reasons[key] ?? null)
}
