import type { Operation } from './openapi.ts'
import { sessionSchema, signInSchema } from './session-routes.ts'

type Described = Pick<Operation, 'operationId' | 'summary' | 'security' | 'responses'> & Partial<Operation>

/** What the host itself answers, beside the routes of the API: the dashboard lives by it. */
export function hostOperations(hoist: (schema: unknown) => unknown, refusal: Operation['responses'][string]) {
  const json = (schema: unknown) => ({ 'application/json': { schema } })
  const session = { description: 'OK', content: json(hoist(sessionSchema)) }
  const operation = ({ responses, ...described }: Described): Operation => ({
    tags: [described.operationId.split('-')[0] ?? ''],
    parameters: [],
    ...described,
    responses: { ...responses, default: refusal },
  })
  const bySession = [{ session: [] }]

  return {
    '/session': {
      post: operation({
        operationId: 'session-open',
        summary: 'Sign in to the dashboard with an API key or a one-time link; sets the cookie of the session',
        security: [],
        requestBody: { required: true, content: json(signInSchema) },
        responses: { 200: session },
      }),
      get: operation({
        operationId: 'session-get',
        summary: 'Who is signed in',
        security: bySession,
        responses: { 200: session },
      }),
      delete: operation({
        operationId: 'session-end',
        summary: 'Sign out: the cookie is dead on every node within 5 seconds',
        security: bySession,
        responses: { 204: { description: 'OK' } },
      }),
    },
    '/v1/activity/stream': {
      get: operation({
        operationId: 'activity-stream',
        summary:
          'Server-sent events that say {"changed": cursor} when something changed in the environment, at most once a second',
        security: [{ apiKey: [] }, ...bySession],
        responses: { 200: { description: 'OK', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
      }),
    },
  }
}

export const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: 'tidings_session',
  description:
    'Of the dashboard; every route takes it in place of a key. Anything but GET then needs "x-tidings-session: 1".',
}
