import type { Server } from './server.ts'

const text = (words: string, marks: object[] = []) => ({ type: 'text', text: words, marks })
const variable = (id: string) => ({ type: 'variable', attrs: { id } })
const line = (...content: object[]) => ({ type: 'paragraph', content })

const brand = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [text('Corner Shop')] },
    { type: 'horizontalRule' },
    line(variable('content')),
    { type: 'horizontalRule' },
    { type: 'footer', content: [text('{{t.why}}')] },
    { type: 'footer', content: [text('{{t.address}}')] },
  ],
}

const parcel = [
  {
    stepId: 'in-app',
    name: 'In-app',
    type: 'in_app',
    controlValues: { subject: '{{t.title}}', body: '{{t.waiting | with: count: payload.count}}' },
  },
  {
    stepId: 'e-mail',
    name: 'E-mail',
    type: 'email',
    controlValues: {
      subject: '{{t.title}}',
      body: '<p>{{t.greeting}}</p>\n<p>{{t.waiting | with: count: payload.count}}</p>',
      editorType: 'html',
      layoutId: 'brand',
    },
  },
]

const english = {
  title: 'Your parcel is at the door',
  greeting: 'Hello {{subscriber.firstName}},',
  waiting: '{count, plural, one {# parcel is} other {# parcels are}} waiting for you.',
}
const german = {
  title: 'Dein Paket ist da',
  greeting: 'Hallo {{subscriber.firstName}},',
  signature: 'Dein Eckladen',
}

/** Two layouts, and a workflow whose words are not all translated. */
export async function seedWords({ api }: Pick<Server, 'api'>): Promise<void> {
  const email = { body: JSON.stringify(brand), editorType: 'block' }
  await api('POST', '/v2/layouts', { layoutId: 'brand', name: 'Brand', controlValues: { email } })
  const frame = '<div style="border-top: 4px solid #1a7f4b; padding: 16px">{{content}}</div>'
  const plain = { body: frame, editorType: 'html' }
  await api('POST', '/v2/layouts', { layoutId: 'plain', name: 'Plain', controlValues: { email: plain } })
  await api('POST', '/v2/workflows', { workflowId: 'parcel-at-door', name: 'Parcel at the door', steps: parcel })
  const save = (resourceType: string, resourceId: string, locale: string, content: object) =>
    api('POST', '/v2/translations', { resourceType, resourceId, locale, content })
  await save('workflow', 'parcel-at-door', 'en_US', english)
  await save('workflow', 'parcel-at-door', 'de', german)
  await save('workflow', 'parcel-at-door', 'fr', { ...english, title: 'Votre colis est là', greeting: 'Bonjour,' })
  await save('layout', 'brand', 'en_US', { why: 'You get this because you ordered.', address: '1 Corner Street' })
  await save('layout', 'brand', 'de', { why: 'Du hast bei uns bestellt.' })
}
