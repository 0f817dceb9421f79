import { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiFault } from './api/fault.ts'
import { onSignedOut } from './api/signed-out.ts'
import { Layout, PageLoading } from './layout/layout.tsx'
import { addressNow, history, settleIn } from './lib/history.ts'
import { sessionQuery } from './lib/session.ts'
import { NoEnvironment } from './pages/door/no-environment.tsx'
import { ConfirmHost } from './ui/dialog/confirm.tsx'
import { Failure, NotFound } from './ui/failure.tsx'
import { Toasts } from './ui/toast.tsx'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused it refuses again; only what never arrived is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiFault && error.status >= 400 && error.status < 500),
    },
  },
})

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
      <ConfirmHost />
    </>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/door/sign-in.tsx')),
})

const callback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyRouteComponent(() => import('./pages/door/callback.tsx')),
})

const accept = createRoute({
  getParentRoute: () => root,
  path: '/accept',
  component: lazyRouteComponent(() => import('./pages/door/accept.tsx')),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./pages/door/reset.tsx')),
})

/** Everything behind the sign-in. A one-time link in the fragment goes there first, from whatever page it opened. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Layout,
  errorComponent: NoEnvironment,
  beforeLoad: async ({ context }) => {
    const link = window.location.hash.startsWith('#link=') ? { hash: window.location.hash.slice(1) } : {}
    const next = addressNow() === '/' ? {} : { next: addressNow() }
    const signIn = redirect({ to: '/sign-in', search: next, ...link, replace: true })
    if (link.hash) throw signIn
    try {
      const { environment } = await context.queries.fetchQuery(sessionQuery)
      settleIn(environment.slug)
    } catch (error) {
      throw error instanceof ApiFault && error.status === 401 ? signIn : error
    }
  },
})

type PageModule = { default: React.ComponentType }
const page = <Path extends string>(path: Path, load: () => Promise<PageModule>) =>
  createRoute({ getParentRoute: () => app, path, component: lazyRouteComponent(load) })

const routeTree = root.addChildren([
  signIn,
  callback,
  accept,
  reset,
  app.addChildren([
    page('/', () => import('./pages/overview.tsx')),
    page('/activity', () => import('./pages/activity.tsx')),
    page('/activity/$notificationId', () => import('./pages/activity-event.tsx')),
    page('/explain', () => import('./pages/explain.tsx')),
    page('/workflows', () => import('./pages/workflows.tsx')),
    page('/workflows/$workflowId', () => import('./pages/workflow.tsx')),
    page('/layouts', () => import('./pages/layouts.tsx')),
    page('/layouts/$layoutId', () => import('./pages/layout.tsx')),
    page('/languages', () => import('./pages/languages.tsx')),
    page('/mailbox', () => import('./pages/mailbox.tsx')),
    page('/inbox', () => import('./pages/inbox.tsx')),
    page('/subscribers', () => import('./pages/subscribers.tsx')),
    page('/subscribers/$subscriberId', () => import('./pages/subscriber.tsx')),
    page('/topics', () => import('./pages/topics.tsx')),
    page('/topics/$topicKey', () => import('./pages/topic.tsx')),
    page('/integrations', () => import('./pages/integrations.tsx')),
    page('/integrations/$integrationId', () => import('./pages/integration.tsx')),
    page('/sends', () => import('./pages/sends.tsx')),
    page('/sends/$transactionId', () => import('./pages/send.tsx')),
    page('/dead-letters', () => import('./pages/dead-letters.tsx')),
    page('/suppressions', () => import('./pages/suppressions.tsx')),
    page('/webhooks', () => import('./pages/webhooks.tsx')),
    page('/webhooks/$endpointId', () => import('./pages/webhook.tsx')),
    page('/account', () => import('./pages/team/account.tsx')),
    page('/organization', () => import('./pages/team/organization.tsx')),
    page('/members', () => import('./pages/team/members.tsx')),
    page('/publish', () => import('./pages/team/publish.tsx')),
    page('/record', () => import('./pages/team/record.tsx')),
    page('/environments', () => import('./pages/team/environments.tsx')),
    page('/api-keys', () => import('./pages/team/api-keys.tsx')),
  ]),
])

export const router = createRouter({
  routeTree,
  history,
  context: { queries },
  defaultPreload: false,
  scrollRestoration: true,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: Failure,
  defaultNotFoundComponent: NotFound,
  // Filters are plain text in the address, as people write and read them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text ? `?${text}` : ''
  },
})

onSignedOut(() => {
  // Not taken away: what still lies open would ask for it again, and fail in everybody's sight.
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: 'none' })
  void router.invalidate()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
