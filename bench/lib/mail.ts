import type { Provider } from './provider-process.ts'
import type { Stage, Tenant } from './stage.ts'

const body = '<p>Hello {{subscriber.firstName}}, your order of {{payload.total}} is on its way.</p>'
/** The subject tells the provider which order it is. */
export const mailSteps = [{ name: 'Mail', type: 'email', controlValues: { subject: '{{payload.order}}', body } }]

export const egressTo = (provider: Provider) => ({
  EGRESS_ALLOWED_RANGES: '127.0.0.0/8',
  EGRESS_ALLOWED_PORTS: String(provider.port),
})

/** E-mails of this environment go to our provider, by a signed webhook. */
export async function addMail(stage: Stage, tenant: Tenant, provider: Provider): Promise<void> {
  const webhookUrl = `http://127.0.0.1:${provider.port}/send`
  const credentials = { webhookUrl, secretKey: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', from: 'team@example.com' }
  const integration = { providerId: 'email-webhook', channel: 'email', active: true, credentials }
  await stage.post(tenant, '/v1/integrations', integration)
}
