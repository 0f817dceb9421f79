import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../test/harness.ts'

/** What a generated client needs from the description: every field, form and default of the specification. */
const h = useSharedHarness()
const api: Json = (await import('../../docs/openapi.json', { with: { type: 'json' } })).default
const operations = Object.entries<Json>(api.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
)

/** `Subscriber.channels[].providerId`, through references and the forms of a union. */
function at(place: string): Json {
  const [name = '', ...path] = place.replaceAll('[]', '.[]').split('.')
  return path.reduce((schema, key) => step(open(schema), key), api.components.schemas[name])
}
const open = (schema: Json): Json => (schema?.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : schema)
const step = (schema: Json, key: string) => (key === '[]' ? schema?.items : schema?.properties?.[key])

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(api, 'api')
const validatorOf = (name: string) => ajv.compile({ $ref: `api#/components/schemas/${name}` })

test.each([
  ...['topics', 'channels[]._integrationId'].map((it) => `Subscriber.${it}`),
  ...['credentials.apiKey', 'credentials.secure', 'credentials.tlsOptions', 'credentials.AppIOBaseUrl'].map(
    (it) => `Integration.${it}`,
  ),
  ...['inboundWebhookEnabled', 'inboundWebhookSigningKey', 'whenUnknown'].map(
    (it) => `Integration.configurations.${it}`,
  ),
  ...['triggers[].subscriberVariables', '_parentId', 'notificationGroup.name', 'data', 'workflowIntegrationStatus'].map(
    (it) => `Message.template.${it}`,
  ),
  ...['digest.updateMode', 'digest.timed.monthDays', 'digest.timed.cronExpression', 'step.controlVariables'].map(
    (it) => `Activity.jobs[].${it}`,
  ),
  ...['step.issues', 'step._parentId'].map((it) => `Activity.jobs[].${it}`),
  ...['name', 'payload', 'overrides', 'to', 'transactionId', 'actor', 'tenant', 'context'].map(
    (it) => `TriggerEvent.${it}`,
  ),
  ...['type', 'email', 'data', 'channels[].credentials.deviceTokens'].map((it) => `SubscriberRecipient.${it}`),
  ...['type', 'topicKey', 'exclude'].map((it) => `TopicRecipient.${it}`),
])('%s is described', (place) => expect(at(place)).toBeDefined())

test('what is deprecated says so', () => {
  expect(at('Subscriber.topics').deprecated).toBe(true)
  const { parameters } = api.paths['/v1/notifications'].get
  const deprecated = parameters.filter((it: Json) => it.deprecated).map((it: Json) => it.name)
  expect(deprecated).toEqual(['search'])
})

test('the content of a message is a string or blocks; events are not counted', () => {
  const isContent = ajv.compile({ $ref: 'api#/components/schemas/Message/properties/content' })
  expect([isContent('text'), isContent([{ type: 'text', content: 'x' }]), isContent(7)]).toEqual([true, true, false])
  const page = api.paths['/v1/notifications'].get.responses[200].content['application/json'].schema
  expect(page.properties.totalCount).toBeUndefined()
})

test('a default is in the schema, not in words; every page and limit has one', () => {
  for (const [name, { parameters }] of operations) {
    for (const { in: place, name: parameter, description = '', schema } of parameters) {
      expect(description, `${name} ${parameter}`).not.toMatch(/default (\d|true|false)/i)
      if (place === 'query' && ['page', 'limit'].includes(parameter))
        expect(schema.default, `${name} ${parameter}`).toBeTypeOf('number')
    }
  }
})

test('no body forbids the fields that we ignore, at any level', () => {
  expect(JSON.stringify(api)).not.toContain('"additionalProperties":false')
  expect(JSON.stringify(api)).not.toContain('x-describedAs')
  expect(api.paths['/v1/integrations'].post.requestBody.content['application/json'].schema.properties).toMatchObject({
    _environmentId: { type: 'string', format: 'uuid' },
  })
})

describe('an event', () => {
  const accepted: object[] = [
    ...['ada', ['ada', 'eve'], { subscriberId: 'ada', email: 'a@example.org', data: { a: 1 } }].map((to) => ({ to })),
    { to: [{ subscriberId: 'ada', channels: [{ providerId: 'fcm', credentials: { deviceTokens: ['t'] } }] }] },
    {
      to: [
        { type: 'Subscriber', subscriberId: 'ada' },
        { type: 'Topic', topicKey: 'all', exclude: ['eve'] },
      ],
    },
    { to: { topicKey: 'all' } },
    { to: 'ada', payload: null, overrides: null, transactionId: null, tenant: null, context: null },
    { to: 'ada', actor: 'eve', context: { a: '1', b: { id: '2', data: { x: 1 } } } },
    { to: 'ada', actor: { subscriberId: 'eve', firstName: 'Eve' }, unknownField: true },
  ]
  const refused: object[] = [
    ...[7, [], { type: 'Topic' }, { type: 'Group', topicKey: 'all' }, { email: 'a@example.org' }].map((to) => ({ to })),
    ...[[], 'x', 7].map((payload) => ({ to: 'ada', payload })),
    { to: 'ada', context: { 'a:b': 'c' } },
    { to: 'ada', context: { a: 7 } },
    { to: 'ada', tenant: 7 },
    { to: 'ada', transactionId: '' },
    { name: '', to: 'ada' },
  ]

  test('is accepted as it is described, and refused where it is not', async () => {
    const env = await h.environment()
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'x' } }]
    await env.post('/v2/workflows', { workflowId: 'hello', name: 'hello', steps })
    await env.post('/v2/topics', { key: 'all' })
    const isDescribed = validatorOf('TriggerEvent')
    for (const [events, wanted] of [[accepted, true] as const, [refused, false] as const]) {
      for (const given of events) {
        const event = { name: 'hello', ...given }
        // An empty list is a list of recipients, and reaches nobody.
        if (JSON.stringify(given) !== '{"to":[]}') expect(isDescribed(event), JSON.stringify(event)).toBe(wanted)
        const { body } = await env.post('/v1/events/trigger/bulk', { events: [event] })
        expect(body[0].status === 'processed', JSON.stringify([event, body])).toBe(wanted)
      }
    }
  })
})
