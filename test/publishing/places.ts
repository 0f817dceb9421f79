import { sql } from 'kysely'
import { expect } from 'vitest'
import { unique } from '../fixture-makers.ts'
import type { Client, Json, SharedHarness } from '../harness.ts'

type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Json>

/** An environment as a key that reaches it sees it. */
export type Place = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Call> & { id: string }

/** Two environments of an organization, and a key that reaches both: Production is published to from Development. */
export async function makePlaces(h: Pick<SharedHarness, 'environment' | 'admin'>) {
  const env = await h.environment()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  const made = await env.post('/v1/environments', { name: unique('Production'), color: '#16a34a' })
  const target: string = made.body._id
  return {
    env,
    dev: placeOf(env, env.environmentId),
    prod: placeOf(env, target),
    diff: (body: object = {}) => env.post(`/v2/environments/${target}/diff`, body),
    publish: (body: object = {}) => env.post(`/v2/environments/${target}/publish`, body),
  }
}

export function placeOf(env: Client, id: string): Place {
  const here = { 'tidings-environment': id }
  const call =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): Call =>
    (path, body, headers) =>
      env[method](path, body, { ...headers, ...here })
  return { id, get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') }
}

/** Succeeds, and says what was done: `created workflow order`. */
export function doneBy(reply: Json): string[] {
  expect(reply.status, reply.text).toBe(200)
  return reply.body.results.flatMap((result: Json) =>
    result.successful.map((it: Json) => `${it.action} ${it.kind} ${it.resourceId}`),
  )
}

export const mail = (stepId: string, body: string, more: object = {}) => ({
  stepId,
  name: stepId,
  type: 'email',
  controlValues: { subject: `About ${stepId}`, body, editorType: 'html', ...more },
})

/** Makes or replaces it. */
export async function saveWorkflow(
  place: Place,
  workflowId: string,
  steps: object[],
  more: object = {},
): Promise<Json> {
  const body = { workflowId, name: `Workflow ${workflowId}`, steps, ...more }
  const found = await place.get(`/v2/workflows/${workflowId}`)
  const saved =
    found.status === 404
      ? await place.post('/v2/workflows', body)
      : await place.put(`/v2/workflows/${workflowId}`, body)
  expect(saved.status, saved.text).toBeLessThan(300)
  return saved.body
}

export async function saveLayout(place: Place, layoutId: string, html: string, more: object = {}): Promise<Json> {
  const body = {
    layoutId,
    name: `Layout ${layoutId}`,
    controlValues: { email: { body: html, editorType: 'html' } },
    ...more,
  }
  const found = await place.get(`/v2/layouts/${layoutId}`)
  const saved =
    found.status === 404 ? await place.post('/v2/layouts', body) : await place.put(`/v2/layouts/${layoutId}`, body)
  expect(saved.status, saved.text).toBeLessThan(300)
  return saved.body
}

export async function saveWords(
  place: Place,
  type: 'workflow' | 'layout',
  resourceId: string,
  locale: string,
  content: object,
) {
  const saved = await place.post('/v2/translations', { resourceType: type, resourceId, locale, content })
  expect(saved.status, saved.text).toBeLessThan(300)
}

/** Saves many at once, as files say them. */
export async function apply(place: Place, resources: readonly object[]): Promise<void> {
  // A call takes 25 MB.
  const most = 20 * 1024 * 1024
  const portions: object[][] = [[]]
  let bytes = 0
  for (const resource of resources) {
    const own = JSON.stringify(resource).length
    if (bytes + own > most) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(resource)
    bytes += own
  }
  for (const portion of portions) {
    const reply = await place.post('/v1/content', { resources: portion })
    expect(reply.status, reply.text).toBe(200)
  }
}

/** All that counts of an environment, without what is its own. */
export async function contentOf(place: Place): Promise<Json> {
  const { data } = (await place.get('/v2/workflows?limit=100')).body
  const workflows = await Promise.all(data.map(async (it: Json) => (await place.get(`/v2/workflows/${it._id}`)).body))
  const { layouts } = (await place.get('/v2/layouts?limit=100')).body
  const { defaultLocale } = (await place.get('/v1/environment')).body.data
  const words: Json[] = []
  for (const locale of ['en_US', 'de_DE', 'de', 'fr']) {
    words.push([locale, (await place.get(`/v2/translations/master-json?locale=${locale}`)).body])
  }
  const sorted = (list: Json[], name: string) => list.toSorted((a, b) => (a[name] < b[name] ? -1 : 1))
  return {
    workflows: sorted(workflows, 'workflowId').map((it) => ({
      workflowId: it.workflowId,
      name: it.name,
      tags: it.tags,
      steps: it.steps.map(({ stepId, name, type, controlValues }: Json) => ({ stepId, name, type, controlValues })),
    })),
    layouts: sorted(layouts, 'layoutId').map(({ layoutId, name, isDefault, controls }) => ({
      layoutId,
      name,
      isDefault,
      controls,
    })),
    defaultLocale,
    words,
  }
}
