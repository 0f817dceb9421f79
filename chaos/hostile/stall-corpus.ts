import { heaviestHtml, htmlBombs } from '../../test/html-bombs.ts'
import { bombPayload, bombs } from '../../test/template-bombs.ts'

/**
 * What a tenant or a stranger may send to make a process stand still: schemas and patterns that go back and forth,
 * templates that grow, lists, objects and texts as large as they may be.
 */
export type Case = {
  name: string
  method: string
  path: string
  body?: unknown
  raw?: string
  headers?: Record<string, string>
}

const kilo = 1024
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
const fields = (count: number, value: unknown = 1) => Object.fromEntries(many(count, (n) => [`f${n}`, value]))
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

/** Whatever the field: as large, as wide and as deep as a body may be. */
export const giants: Record<string, unknown> = {
  'a long text': 'a'.repeat(900 * kilo),
  blanks: ' '.repeat(900 * kilo),
  'half of a tag': '<'.repeat(900 * kilo),
  'a list of numbers': many(200_000, () => 1),
  'a list of objects': many(100_000, () => ({})),
  'a list of texts': many(100_000, (n) => `${n}`),
  'many fields': fields(60_000),
  'deep objects': nested(60),
}

/** A payload schema that a tenant saves, and a payload that makes it work. */
const schemas: Record<string, [schema: object, payload: object]> = {
  'a pattern that backtracks': [property({ type: 'string', pattern: '^(a+)+$' }), { x: `${'a'.repeat(34)}!` }],
  'a pattern over alternatives': [property({ type: 'string', pattern: '^(a|aa|a?)+$' }), { x: `${'a'.repeat(40)}!` }],
  'a pattern over half a megabyte': [property({ type: 'string', pattern: '(x+x+)+y' }), { x: 'x'.repeat(400 * kilo) }],
  'patterns of property names': [
    { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } },
    { [`${'a'.repeat(34)}!`]: 1 },
  ],
  'names that must fit a pattern': [
    { type: 'object', propertyNames: { pattern: '^(a+)+$' } },
    { [`${'a'.repeat(34)}!`]: 1 },
  ],
  'unique numbers': [property({ type: 'array', uniqueItems: true }), { x: many(20_000, (n) => n) }],
  'unique objects': [property({ type: 'array', uniqueItems: true }), { x: many(8_000, (n) => ({ a: { b: n } })) }],
  'a fault for every item and rule': [
    property({ type: 'array', items: { allOf: many(480, () => ({ type: 'string' })) } }),
    { x: many(4_000, (n) => n) },
  ],
  'alternatives of alternatives': [
    property({ type: 'array', items: { anyOf: many(20, () => ({ oneOf: many(20, (n) => ({ const: n })) })) } }),
    { x: many(20_000, () => 'x') },
  ],
  'contains in contains': [
    property({ type: 'array', contains: { type: 'array', contains: { const: 1 } } }),
    { x: many(400, () => many(400, () => 0)) },
  ],
  'a choice of thousands': [
    property({ type: 'array', items: { enum: many(6_000, (n) => `v${n}`) } }),
    { x: many(20_000, () => 'w') },
  ],
  'lengths of long texts': [
    property({ type: 'array', items: { type: 'string', maxLength: 1 } }),
    { x: many(40_000, () => '👍') },
  ],
  'dependencies of dependencies': [
    { type: 'object', dependencies: Object.fromEntries(many(200, (n) => [`f${n}`, many(200, (m) => `g${m}`)])) },
    fields(5_000),
  ],
}

function property(x: object): object {
  return { type: 'object', properties: { x } }
}

const wide = 300 * kilo
/** Templates of plain variables, with values that make them large. */
const plain: Record<string, [template: string, payload: object]> = {
  'a value two hundred times': ['{{payload.x}}'.repeat(200), { x: 'x'.repeat(wide) }],
  'a value of signs to escape': ['{{payload.x}}'.repeat(20), { x: '<&">'.repeat(wide / 8) }],
  'a list as text': ['{{payload.x}}'.repeat(20), { x: many(60_000, (n) => n) }],
  'an object as text': ['{{payload.x}}'.repeat(20), { x: fields(20_000) }],
  'a list in a loop': ['{% for i in payload.x %}{{ i }}{% endfor %}', { x: many(100_000, (n) => n) }],
}

const email = (body: string, editorType = 'html') => ({
  type: 'email',
  controlValues: { subject: '{{payload.x}}', body, preheader: '{{payload.x}}', editorType },
})
const stepsOf = (template: string) => [
  email(template),
  { type: 'in_app', controlValues: { subject: template, body: template, primaryAction: { label: template } } },
  { type: 'sms', controlValues: { body: template } },
]
const blocks = (...content: object[]) => email(JSON.stringify({ type: 'doc', content }), 'block')
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const repeat = (inner: object) => ({ type: 'repeat', attrs: { each: 'payload.x' }, content: [inner] })
/** Documents of blocks that are long, or grow when they are sent. */
const documents: Record<string, [step: object, payload: object]> = {
  'hundreds of paragraphs': [blocks(...many(600, () => paragraph('{{payload.x}}'))), { x: 'x'.repeat(kilo) }],
  'repeats in repeats': [blocks(repeat(repeat(repeat(paragraph('{{current}}'))))), { x: many(10_000, (n) => n) }],
}
const oneStep = (n: number, template: string) => [stepsOf(template)[n % 3]]

/** Conditions of a step, a hundred of them as allowed, against lists as large as allowed. */
const conditions = (operator: string, value: string) => [
  { type: 'GROUP', value: 'OR', children: many(100, () => ({ field: 'x', value, operator, on: 'payload' })) },
]

const deepFields = (filter: ReturnType<typeof conditions>[number] | undefined) => ({
  ...filter,
  children: filter?.children.map((child) => ({ ...child, field: 'a.'.repeat(1_000) })),
})

export type StallWorkflow = { name: string; schema?: object; steps: unknown[]; payload: object }

/** Workflows that are saved and then triggered. */
export function stallWorkflows(): StallWorkflow[] {
  const inApp = (filters: unknown[] = []) => [{ type: 'in_app', controlValues: { body: 'x' }, filters }]
  return [
    ...Object.entries(schemas).map(([name, [schema, payload]]) => ({
      name: `schema: ${name}`,
      schema,
      steps: inApp(),
      payload,
    })),
    ...Object.entries(bombs).map(([name, bomb], n) => ({
      name: `template: ${name}`,
      steps: oneStep(n, bomb),
      payload: bombPayload,
    })),
    ...Object.entries(documents).map(([name, [step, payload]]) => ({
      name: `blocks: ${name}`,
      steps: [step],
      payload,
    })),
    ...Object.entries(plain).map(([name, [template, payload]]) => ({
      name: `plain: ${name}`,
      steps: stepsOf(template),
      payload,
    })),
    ...Object.entries({ ...htmlBombs, ...heaviestHtml }).map(([name, html]) => ({
      name: `HTML: ${name}`,
      steps: [email('<body>{{payload.html | raw}}</body>')],
      payload: { html: html.slice(0, 400 * kilo), x: html.slice(0, kilo) },
    })),
    ...['LIKE', 'NOT_LIKE', 'IN', 'ALL_IN', 'ANY_IN', 'NOT_IN', 'EQUAL', 'BETWEEN'].map((operator) => ({
      name: `condition: ${operator}`,
      steps: inApp(conditions(operator, many(2_000, (n) => n).join(','))),
      payload: { x: many(30_000, (n) => `${n}`) },
    })),
    {
      name: 'condition: LIKE in a long text',
      steps: inApp(conditions('LIKE', `${'a'.repeat(9_000)}b`)),
      payload: { x: 'a'.repeat(400 * kilo) },
    },
    {
      name: 'condition: dates in a list of dates',
      steps: inApp([{ ...conditions('ALL_IN', '2026-01-02,'.repeat(800))[0], type: 'DATE' }]),
      payload: { x: many(20_000, () => '2026-01-02T00:00:00Z') },
    },
    {
      name: 'condition: a path of thousands of names',
      steps: inApp(many(4, () => conditions('EQUAL', 'x')[0]).map((it) => deepFields(it))),
      payload: { x: 1 },
    },
    { name: 'condition: thousands of empty ones', steps: inApp(many(60_000, () => ({}))), payload: {} },
    {
      name: 'days that never come',
      steps: many(50, (n) => ({ type: 'delay', controlValues: { type: 'timed', cron: `${n} 0 31W 2,4,6,9,11 +1#1` } })),
      payload: {},
    },
    {
      name: 'a day of which every part is slow',
      steps: [{ type: 'digest', controlValues: { type: 'timed', cron: '59 59 23 29 2 +1' } }, ...inApp()],
      payload: {},
    },
    {
      name: 'a megabyte of templates',
      steps: many(16, () => ({ type: 'in_app', controlValues: { body: '{{payload.a}}'.repeat(4_600) } })),
      payload: { a: 1 },
    },
    {
      name: 'a time of day among blanks',
      steps: [{ type: 'digest', controlValues: { type: 'timed', timed: { atTime: `9${' '.repeat(900 * kilo)}x` } } }],
      payload: {},
    },
    {
      name: 'a digest by a key of blanks',
      steps: [
        {
          type: 'digest',
          controlValues: { type: 'regular', amount: 5, unit: 'seconds', digestKey: `{{${' '.repeat(60 * kilo)}x` },
        },
        ...inApp(),
      ],
      payload: {},
    },
    {
      name: 'a digest by a key of half a megabyte',
      steps: [
        { type: 'digest', controlValues: { type: 'regular', amount: 5, unit: 'seconds', digestKey: 'payload.x' } },
        ...inApp(),
      ],
      payload: { x: 'x'.repeat(400 * kilo) },
    },
  ]
}

/** Triggers whose size is the point. `name` is a workflow that sends an e-mail. */
export function stallTriggers(name: string): Case[] {
  const trigger = (what: string, body: object): Case => ({
    name: `trigger: ${what}`,
    method: 'POST',
    path: '/v1/events/trigger',
    body: { name, to: 'ada', ...body },
  })
  const file = Buffer.alloc(14 * kilo * kilo, 7).toString('base64')
  const large = { list: many(60_000, (n) => n) }
  return [
    trigger('a file of 14 MB', { payload: { attachments: [{ name: 'a', file, mime: 'text/plain' }] } }),
    trigger('a file of 14 MB that is no base64', {
      payload: { attachments: [{ name: 'a', file: `${file.slice(0, -8)}!!!!!!!!`, mime: 'text/plain' }] },
    }),
    trigger('a file whose letters stand apart', {
      payload: { attachments: [{ name: '/'.repeat(kilo * kilo), file: 'YWFh '.repeat(2 * kilo * kilo) }] },
    }),
    trigger('a million files', { payload: { attachments: many(300_000, () => ({ name: 'a', file: 'YQ==' })) } }),
    trigger('25 MB of nothing', { payload: { x: many(4_000_000, () => 1) } }),
    trigger('24 MB of empty lists', { payload: { x: many(6_000_000, () => []) } }),
    trigger('24 MB of fields', { payload: fields(1_500_000) }),
    trigger('24 MB of text', { payload: { x: 'x'.repeat(24 * kilo * kilo) } }),
    trigger('24 MB of escapes', { payload: { x: '\u0001'.repeat(4 * kilo * kilo) } }),
    trigger('a hundred thousand people', { to: many(100_000, (n) => `p${n}`) }),
    trigger('a hundred thousand people in full', {
      to: many(100_000, (n) => ({ subscriberId: `p${n}`, email: `p${n}@example.org` })),
    }),
    trigger('wrong people', { to: many(300_000, () => ({ subscriberId: 1 })) }),
    trigger('channels of one person', {
      to: { subscriberId: 'ada', channels: many(50_000, () => ({ providerId: 'slack', credentials: {} })) },
    }),
    trigger('overrides', { overrides: { email: { headers: fields(50_000, 'x') }, providers: fields(50_000, {}) } }),
    trigger('contexts', { context: fields(50_000, 'x') }),
    trigger('an actor', { actor: { subscriberId: 'ada', data: fields(50_000) } }),
    {
      name: 'bulk: a hundred of large payloads',
      method: 'POST',
      path: '/v1/events/trigger/bulk',
      body: { events: many(40, () => ({ name, to: many(100, (n) => `p${n}`), payload: large })) },
    },
    {
      name: 'bulk: 300,000 events',
      method: 'POST',
      path: '/v1/events/trigger/bulk',
      body: { events: many(300_000, () => ({})) },
    },
  ]
}

/** What strangers post to the address for callbacks of an integration, with the headers its vendor would send. */
export function stallCallbacks(path: string): Case[] {
  const names = many(6_000, (n) => `f${n.toString(36)}=`).join('&')
  const bodies: Record<string, [type: string, raw: string]> = {
    '17 KB of names': ['application/x-www-form-urlencoded', names.slice(0, 17 * kilo)],
    'a megabyte of names': [
      'application/x-www-form-urlencoded',
      many(120_000, (n) => `f${n.toString(36)}`)
        .join('&')
        .slice(0, 1_000_000),
    ],
    'a megabyte of one name': ['application/x-www-form-urlencoded', 'a=1&'.repeat(250_000).slice(0, 1_000_000)],
    'percent signs': ['application/x-www-form-urlencoded', `x=${'%41'.repeat(300_000)}`],
    'a list of events': ['application/json', JSON.stringify(many(30_000, () => ({ event: 'bounce', email: 'a@b.c' })))],
    'empty lists': ['application/json', `[${'[],'.repeat(300_000)}[]]`],
    'deep lists': ['application/json', '['.repeat(400_000)],
    'a long text': ['application/json', JSON.stringify({ event: 'x'.repeat(900_000) })],
    'many fields': ['application/json', JSON.stringify(fields(60_000))],
    'no JSON': ['application/json', '{'.repeat(900_000)],
  }
  const signature = 'A'.repeat(2_000)
  const headers = {
    'x-twilio-signature': signature,
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'svix-id': 'msg',
    'svix-timestamp': String(Math.floor(Date.now() / 1000)),
    'svix-signature': `v1,${signature}`,
    authorization: `Basic ${signature}`,
  }
  return Object.entries(bodies).map(([what, [type, raw]]) => ({
    name: `callback: ${what}`,
    method: 'POST',
    path,
    raw,
    headers: { ...headers, 'content-type': type },
  }))
}
