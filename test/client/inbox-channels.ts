import { afterAll } from 'vitest'
import type { Client } from '../harness.ts'
import { allowing } from '../outside.ts'
import { type Slack, startSlack } from '../vendors/slack.ts'

const publicUrl = 'https://tidings.example.com'

export type App = {
  slack: Slack
  /** Of a harness that Slack sends people back to. */
  settings: Record<string, string>
  /** An integration with the app; its identifier. */
  make(env: Client, more?: object): Promise<string>
  /** A person agrees at Slack and comes back; whether it was done. */
  agree(env: Client, url: string, who?: string): Promise<boolean>
}

/** An app at a double of Slack. `ports`: of other vendors. */
export async function startApp(...ports: number[]): Promise<App> {
  const slack = await startSlack({ app: { redirectUris: [`${publicUrl}/v1/integrations/chat/oauth/callback`] } })
  afterAll(() => slack.close())
  return {
    slack,
    settings: { PUBLIC_URL: publicUrl, ...allowing(slack.port, ...ports) },
    async make(env, more = {}) {
      const { clientId, clientSecret: secretKey } = slack.app
      const credentials = { clientId, secretKey, baseUrl: slack.url, ...more }
      const made = await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat', credentials })
      if (made.status !== 201) throw new Error(made.text)
      return made.body.identifier
    },
    async agree(env, url, who = 'T0ACME/U0ADA') {
      const back = await slack.allow(url, { who })
      const page = await env.send('GET', `${back.pathname}${back.search}`, { headers: { authorization: '' } })
      return /is connected|You are linked/.test(page.text)
    },
  }
}
