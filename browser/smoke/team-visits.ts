import type { Page } from 'playwright-core'
import type { Visit } from './visit.ts'

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

/** The pages of a team and of its door. */
export const teamVisits: Visit[] = [
  {
    route: '/environments',
    path: '/environments',
    heading: 'Environments',
    sees: (page) => [
      page.getByRole('region', { name: 'Development' }).getByText('you are here'),
      page.getByRole('region', { name: 'Production' }).getByRole('switch', { name: 'Protected: Production' }),
    ],
  },
  {
    route: '/accept',
    path: '/accept',
    heading: 'The link is not whole',
    sees: (page) => [page.getByRole('link', { name: 'To the sign-in' })],
  },
  {
    route: '/sign-in/callback',
    path: '/sign-in/callback',
    heading: 'You are not signed in',
    sees: (page) => [page.getByText('Nothing came back'), page.getByRole('link', { name: 'Back to the sign-in' })],
  },
  {
    route: '/reset',
    path: '/reset',
    heading: 'Forgot your password?',
    sees: (page) => [page.getByRole('button', { name: 'Send me a link' })],
  },
  {
    route: '/organization',
    path: '/organization',
    heading: 'Organization',
    sees: (page) => [
      page.getByText('Nothing is chosen.'),
      page.getByLabel('Sent through'),
      page.getByText('No connections yet'),
    ],
  },
  {
    route: '/account',
    path: '/account',
    heading: 'Account',
    sees: (page) => [page.getByText('You have no account here')],
  },
  {
    route: '/members',
    path: '/members',
    heading: 'Members',
    sees: (page) => [page.getByText('Nobody has an account here yet')],
  },
  {
    route: '/publish',
    path: '/publish',
    heading: 'Publish',
    sees: (page) => [
      page.getByRole('region', { name: 'From and into' }).getByText('Production'),
      page.getByRole('button', { name: /^Order shipped order-shipped new/ }),
      page.getByRole('button', { name: 'Publish to Production' }),
    ],
  },
  {
    route: '/publish',
    path: '/publish?view=history',
    heading: 'Publish',
    sees: (page) => [page.getByText('Nothing was published to Production yet')],
  },
  {
    route: '/record',
    path: '/record?what=workflows',
    heading: 'Record',
    sees: (page) => [
      row(page, /^first key API key made workflow order-shipped/),
      page.getByRole('link', { name: 'Export' }),
    ],
  },
  {
    route: '/api-keys',
    path: '/api-keys',
    heading: 'API keys',
    sees: (page) => [
      row(page, /^first key signed in with .* Everything the whole organization .* active Revoke first key/),
    ],
  },
]
