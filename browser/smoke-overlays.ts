import type { Locator, Page } from 'playwright-core'
import type { Seeded } from './seeded-world.ts'

/** What opens over a page: how, what it is called, and what must be in it. Nothing in it is done. */
export type Overlay = {
  on: string
  heading: string
  open(page: Page): Promise<void>
  title: string
  sees(dialog: Locator): Locator[]
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click()

/** Those of one page stand together: it is loaded once. */
export function overlaysOf({ eventId, gatewayId, endpointId }: Seeded): Overlay[] {
  return [
    {
      on: '/activity',
      heading: 'Activity',
      open: press('Filters'),
      title: 'Filters',
      sees: (dialog) => [dialog.getByLabel('Topic key'), dialog.getByLabel('Context keys')],
    },
    {
      on: `/activity/${eventId}`,
      heading: 'Order shipped',
      open: press('Trigger again'),
      title: 'Trigger it again?',
      sees: (dialog) => [dialog.getByText('The workflow runs anew for Ada Lovelace')],
    },
    {
      on: `/activity/${eventId}`,
      heading: 'Order shipped',
      open: (page) => page.getByRole('link', { name: 'See what was sent' }).click(),
      title: 'What was sent',
      sees: (dialog) => [
        dialog.getByText('On its way: your order A-1417'),
        dialog.frameLocator('iframe').getByText('Hello Ada, your order A-1417'),
      ],
    },
    {
      on: '/workflows/order-shipped?tab=settings',
      heading: 'Order shipped',
      open: press('Delete workflow'),
      title: 'Delete Order shipped?',
      sees: (dialog) => [dialog.getByLabel('Type order-shipped to confirm')],
    },
    {
      on: '/workflows/order-shipped?tab=versions&version=1',
      heading: 'Order shipped',
      open: press('Put it back'),
      title: 'Put version 1 back?',
      sees: (dialog) => [dialog.getByText('It becomes the newest version')],
    },
    {
      on: '/layouts',
      heading: 'Layouts',
      open: press('New layout'),
      title: 'New layout',
      sees: (dialog) => [dialog.getByRole('checkbox', { name: 'Use it for all e-mails that name no layout' })],
    },
    {
      on: '/layouts',
      heading: 'Layouts',
      open: press('Duplicate Brand'),
      title: 'Duplicate Brand',
      sees: (dialog) => [dialog.getByLabel('Layout id')],
    },
    {
      on: '/layouts',
      heading: 'Layouts',
      open: press('Delete Brand'),
      title: 'Brand cannot be deleted yet',
      sees: (dialog) => [dialog.getByRole('link', { name: 'Parcel at the door' })],
    },
    {
      on: '/layouts/brand?tab=settings',
      heading: 'Brand',
      open: (page) => page.getByRole('switch').click(),
      title: 'Make Brand the default?',
      sees: (dialog) => [dialog.getByText('Notifications under way keep what they began with.')],
    },
    {
      on: '/workflows/parcel-at-door?tab=languages',
      heading: 'Parcel at the door',
      open: press('Add a language'),
      title: 'Add a language',
      sees: (dialog) => [dialog.getByLabel('Language')],
    },
    {
      on: '/workflows/parcel-at-door?tab=languages',
      heading: 'Parcel at the door',
      open: press('Add a key'),
      title: 'Add a key',
      sees: (dialog) => [dialog.getByLabel('Text in American English')],
    },
    {
      on: '/subscribers/user-1',
      heading: 'Ada Lovelace',
      open: press('Delete'),
      title: 'Delete Ada Lovelace?',
      sees: (dialog) => [dialog.getByLabel('Type user-1 to confirm')],
    },
    {
      on: '/subscribers/user-1?tab=channels',
      heading: 'Ada Lovelace',
      open: press('Add'),
      title: 'Add a device or chat',
      sees: (dialog) => [dialog.getByLabel('Provider').filter({ hasText: 'Push: ' })],
    },
    {
      on: '/subscribers/user-1?tab=channels',
      heading: 'Ada Lovelace',
      open: press('Forget'),
      title: 'Forget Slack?',
      sees: (dialog) => [dialog.getByRole('button', { name: 'Forget' })],
    },
    {
      on: '/subscribers/user-1?tab=topics',
      heading: 'Ada Lovelace',
      open: press('Add to a topic'),
      title: 'Add to a topic',
      sees: (dialog) => [dialog.getByLabel('Topic key')],
    },
    {
      on: '/topics',
      heading: 'Topics',
      open: press('Broadcast'),
      title: 'Broadcast',
      sees: (dialog) => [dialog.getByLabel(/^Workflow/).filter({ hasText: 'Order shipped' })],
    },
    {
      on: '/topics/customers',
      heading: 'Customers',
      open: press('Rename'),
      title: 'Rename topic',
      sees: (dialog) => [dialog.getByRole('textbox', { name: 'Name' })],
    },
    {
      on: '/topics/customers',
      heading: 'Customers',
      open: press('Send to topic'),
      title: 'Send to customers',
      sees: (dialog) => [dialog.getByLabel('Payload')],
    },
    {
      on: '/topics/customers',
      heading: 'Customers',
      open: press('Delete'),
      title: 'Delete Customers?',
      sees: (dialog) => [dialog.getByRole('button', { name: 'Cancel' })],
    },
    {
      on: `/integrations/${gatewayId}`,
      heading: 'Gateway in Frankfurt',
      open: press('Delete'),
      title: 'Delete Gateway in Frankfurt?',
      sees: (dialog) => [dialog.getByRole('button', { name: 'Cancel' })],
    },
    {
      on: '/dead-letters',
      heading: 'Dead letters',
      open: press('Redrive all'),
      title: 'Redrive 5 messages?',
      sees: (dialog) => [dialog.getByText('All dead letters are sent again now')],
    },
    {
      on: '/suppressions',
      heading: 'Suppressions',
      open: press('E-mail: tony.hoare@example.com'),
      title: 'Suppressed address',
      sees: (dialog) => [dialog.getByText('tony.hoare@example.com').first(), dialog.getByText('bounced').first()],
    },
    {
      on: '/webhooks',
      heading: 'Webhooks',
      open: press('Add endpoint'),
      title: 'Add an endpoint',
      sees: (dialog) => [dialog.getByLabel(/^URL/), dialog.getByRole('button', { name: 'Only some' })],
    },
    {
      on: `/webhooks/${endpointId}`,
      heading: 'Order desk',
      open: press('Replay a time range'),
      title: 'Replay a time range',
      sees: (dialog) => [dialog.getByText('Nothing was given up in this time.')],
    },
    {
      on: `/webhooks/${endpointId}`,
      heading: 'Order desk',
      open: press('Delete'),
      title: 'Delete this endpoint?',
      sees: (dialog) => [dialog.getByText('/hooks/orders is told nothing any more')],
    },
    {
      on: `/webhooks/${endpointId}?tab=settings`,
      heading: 'Order desk',
      open: press('Rotate the secret'),
      title: 'Rotate the secret',
      sees: (dialog) => [dialog.getByLabel('How long the old one signs too')],
    },
    {
      on: '/environments',
      heading: 'Environments',
      open: press('New environment'),
      title: 'New environment',
      sees: (dialog) => [
        dialog.getByRole('radio', { name: 'Teal', checked: true }),
        dialog.getByText('It begins empty'),
      ],
    },
    {
      on: '/environments',
      heading: 'Environments',
      open: press('Delete Production'),
      title: 'Delete Production?',
      sees: (dialog) => [dialog.getByLabel('Type Production to confirm'), dialog.getByText('It holds nothing')],
    },
    {
      on: '/environments',
      heading: 'Environments',
      open: (page) => page.keyboard.press('v'),
      title: 'Switch the environment',
      sees: (dialog) => [dialog.getByRole('option', { name: /^Production prod/ })],
    },
    {
      on: '/api-keys',
      heading: 'API keys',
      open: press('New key'),
      title: 'New API key',
      sees: (dialog) => [dialog.getByLabel('Name'), dialog.getByLabel('May do'), dialog.getByLabel('Opens')],
    },
    {
      on: '/publish',
      heading: 'Publish',
      open: press('Publish to Production'),
      title: 'Publish to Production?',
      sees: (dialog) => [dialog.getByText('Nothing has changed yet.'), dialog.getByLabel('Note')],
    },
    {
      on: '/record?what=workflows',
      heading: 'Record',
      open: press(/made workflow order-shipped/),
      title: 'first key made workflow order-shipped',
      sees: (dialog) => [dialog.getByText('workflows.create'), dialog.getByText('127.0.0.1')],
    },
    {
      on: '/api-keys',
      heading: 'API keys',
      open: (page) => page.keyboard.press('?'),
      title: 'Help',
      sees: (dialog) => [dialog.getByText('Go to'), dialog.getByRole('button', { name: 'System' })],
    },
  ]
}
