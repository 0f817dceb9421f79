import type { Page } from 'playwright-core'
import type { Seeded } from '../seeded-world.ts'
import { teamVisits } from './team-visits.ts'
import type { Visit } from './visit.ts'

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

/** Every route of dashboard/src/router.tsx behind the sign-in, at least once. */
export function visitsOf({ eventId, transactionId, deadEventId, gatewayId, endpointId }: Seeded): Visit[] {
  return [
    {
      route: '/',
      path: '/',
      heading: 'Overview',
      sees: (page) => [
        page.getByRole('link', { name: /5 messages were given up/ }),
        page.getByRole('img', { name: /^Messages by outcome\. Sent: [1-9]/ }),
        row(page, /^Order shipped [1-9]/),
      ],
    },
    {
      route: '/activity',
      path: '/activity?channels=sms',
      heading: 'Activity',
      sees: (page) => [row(page, /^Login code Ada Lovelace · user-1 SMS: failed/), page.getByText('Channel: SMS')],
    },
    {
      route: '/activity/$notificationId',
      path: `/activity/${eventId}`,
      heading: 'Order shipped',
      sees: (page) => [
        page.getByText('Sent to ada.lovelace@example.com by platform-email.'),
        page.frameLocator('iframe').getByText('Hello Ada, your order A-1417'),
        page.getByLabel('Payload').getByText('"A-1417"'),
      ],
    },
    {
      route: '/activity/$notificationId',
      path: `/activity/${deadEventId}`,
      heading: 'Login code',
      sees: (page) => [
        page.getByText('Given up after 1 try. It can be redriven.'),
        page.getByRole('tabpanel', { name: 'Tries (1)' }).getByText('401 The API key has been revoked'),
      ],
    },
    {
      route: '/explain',
      path: '/explain?workflow=order-shipped&subscriber=user-1',
      heading: 'Explain',
      sees: (page) => [
        page.getByText('would get: In-app, E-mail'),
        page.getByText('Through Development mailbox (e-mail).'),
      ],
    },
    {
      route: '/explain',
      path: `/explain?notificationId=${deadEventId}`,
      heading: 'Explain',
      sees: (page) => [
        page.getByText('Given up after 1 try. It can be redriven.'),
        page.getByText('Through Gateway in Frankfurt.'),
      ],
    },
    {
      route: '/workflows',
      path: '/workflows?query=order',
      heading: 'Workflows',
      sees: (page) => [row(page, /^Order shipped order-shipped In-app, E-mail orders customers [1-9][\d,]* sent on/)],
    },
    {
      route: '/workflows/$workflowId',
      path: '/workflows/order-shipped?step=e-mail',
      heading: 'Order shipped',
      sees: (page) => [
        page.getByRole('textbox', { name: /^Subject/ }),
        page.getByText('On its way: your order A-1417', { exact: true }),
        page.frameLocator('iframe').getByText('It should reach you within one or two days.'),
      ],
    },
    {
      route: '/workflows/$workflowId',
      path: '/workflows/new',
      heading: 'New workflow',
      sees: (page) => [page.getByRole('radio', { name: /^In-app, e-mail if unread/ })],
    },
    {
      route: '/workflows/$workflowId',
      path: '/workflows/parcel-at-door?tab=languages',
      heading: 'Parcel at the door',
      sees: (page) => [
        page.getByRole('tab', { name: 'Languages 1 missing' }),
        row(page, /^title .*Your parcel is at the door .*Dein Paket ist da/),
        page.getByRole('button', { name: 'waiting in de: missing' }),
      ],
    },
    {
      route: '/layouts',
      path: '/layouts',
      heading: 'Layouts',
      sees: (page) => [row(page, /^Brand brand one workflow/), row(page, /^Plain plain none/)],
    },
    {
      route: '/layouts/$layoutId',
      path: '/layouts/brand',
      heading: 'Brand',
      sees: (page) => [
        page.getByRole('textbox', { name: 'Layout' }).getByText('Corner Shop'),
        page.frameLocator('iframe').getByText('Here stands the body of each e-mail.'),
        page.frameLocator('iframe').getByText('You get this because you ordered.'),
      ],
    },
    {
      route: '/layouts/$layoutId',
      path: '/layouts/brand?tab=settings',
      heading: 'Brand',
      sees: (page) => [page.getByRole('link', { name: 'Parcel at the door' }), page.getByRole('switch')],
    },
    {
      route: '/languages',
      path: '/languages',
      heading: 'Languages',
      sees: (page) => [
        row(page, /^Parcel at the door parcel-at-door de en_US fr 1 missing/),
        row(page, /^Brand brand de en_US 1 missing/),
        page.getByText('American English').first(),
      ],
    },
    {
      route: '/mailbox',
      path: '/mailbox?to=ada.lovelace@example.com',
      heading: 'Mailbox',
      sees: (page) => [
        page.getByRole('heading', { name: 'On its way: your order A-1417' }),
        page.frameLocator('iframe').getByText('It has left our house'),
      ],
    },
    {
      route: '/inbox',
      path: '/inbox',
      heading: 'Inbox',
      sees: (page) => [page.getByText('Choose somebody', { exact: true }), page.getByText(/^te_[0-9a-f]{32}$/)],
    },
    {
      route: '/inbox',
      path: '/inbox?subscriberId=user-1',
      heading: 'Inbox',
      sees: (page) => [
        page.getByRole('img', { name: /^Bell: [1-9]\d* unread$/ }),
        page.getByRole('list', { name: 'Notifications' }).getByText('Order A-1417 shipped'),
        page.getByText('Live', { exact: true }),
        page.getByRole('group', { name: 'React component' }).filter({ hasText: 'subscriberId="user-1"' }),
      ],
    },
    {
      route: '/subscribers',
      path: '/subscribers?search=Radia&by=name',
      heading: 'Subscribers',
      sees: (page) => [row(page, /^Radia Perlman user-7 radia.perlman@example.com/), page.getByText('20 subscribers')],
    },
    {
      route: '/subscribers/$subscriberId',
      path: '/subscribers/user-1',
      heading: 'Ada Lovelace',
      sees: (page) => [page.getByLabel('Time zone'), page.getByText('Internal id')],
    },
    {
      route: '/subscribers/$subscriberId',
      path: '/subscribers/user-1?tab=channels',
      heading: 'Ada Lovelace',
      sees: (page) => [
        page.getByRole('heading', { name: 'Channel endpoints' }),
        page.getByText('No endpoint', { exact: true }),
      ],
    },
    {
      route: '/topics',
      path: '/topics',
      heading: 'Topics',
      sees: (page) => [row(page, /^Beta testers beta-testers/), page.getByText('3 topics')],
    },
    {
      route: '/topics/$topicKey',
      path: '/topics/customers?member=user-9',
      heading: 'Customers',
      sees: (page) => [row(page, /^Frances Allen user-9/), page.getByText('1 member')],
    },
    {
      route: '/integrations',
      path: '/integrations',
      heading: 'Integrations',
      sees: (page) => [
        row(page, /^Gateway in Frankfurt .* SMS primary failing/),
        page.getByRole('region', { name: 'E-mail providers' }).getByRole('link', { name: /SendGrid/ }),
      ],
    },
    {
      route: '/integrations/$integrationId',
      path: `/integrations/${gatewayId}`,
      heading: 'Gateway in Frankfurt',
      sees: (page) => [page.getByPlaceholder('••••7890 (kept)'), page.getByLabel(/^From/).first()],
    },
    {
      route: '/integrations/$integrationId',
      path: '/integrations/new?providerId=sendgrid',
      heading: 'Connect SendGrid',
      sees: (page) => [page.getByLabel(/^API key/), page.getByLabel('IP pool')],
    },
    {
      route: '/integrations/$integrationId',
      path: '/integrations/new?providerId=slack',
      heading: 'Connect Slack',
      // This server was not told its address.
      sees: (page) => [page.getByRole('alert').filter({ hasText: 'Start it with PUBLIC_URL' })],
    },
    {
      route: '/sends',
      path: '/sends?view=safety',
      heading: 'Large sends',
      sees: (page) => [page.getByRole('switch', { name: 'Large sends begin with few people' })],
    },
    {
      route: '/sends/$transactionId',
      path: `/sends/${transactionId}`,
      heading: 'Order shipped',
      sees: (page) => [
        page.getByRole('main').getByRole('status').filter({ hasText: 'All of it is done.' }),
        page.getByRole('region', { name: 'Messages' }).getByText('Sent'),
      ],
    },
    {
      route: '/dead-letters',
      path: '/dead-letters',
      heading: 'Dead letters',
      sees: (page) => [row(page, /Your code is 731204.* 401 The API key has been revoked Gateway in Frankfurt 1/)],
    },
    {
      route: '/suppressions',
      path: '/suppressions?channel=sms',
      heading: 'Suppressions',
      sees: (page) => [row(page, /^SMS: \+49301000011 unsubscribed Added by hand/)],
    },
    {
      route: '/webhooks',
      path: '/webhooks',
      heading: 'Webhooks',
      sees: (page) => [
        row(page, /\/hooks\/orders Order desk message\.sent, message\.failed, notification\.completed enabled/),
        row(page, /\/hooks\/crm Old CRM subscriber\.\* disabled/),
        page.getByRole('status').filter({ hasText: /\/hooks\/crm was disabled\s*Nothing could be delivered since/ }),
      ],
    },
    {
      route: '/webhooks/$endpointId',
      path: `/webhooks/${endpointId}?type=message.failed`,
      heading: 'Order desk',
      sees: (page) => [row(page, /^message\.failed user-1 · login-code .* delivered Answered 204 /)],
    },
    {
      route: '/webhooks/$endpointId',
      path: `/webhooks/${endpointId}?tab=settings`,
      heading: 'Order desk',
      sees: (page) => [
        page.getByRole('group', { name: 'Messages' }).getByRole('checkbox', { name: 'failed', checked: true }),
        page.getByRole('button', { name: 'Rotate the secret' }),
      ],
    },
    ...teamVisits,
  ]
}
