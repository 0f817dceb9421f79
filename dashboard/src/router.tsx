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
import { sessionQuery } from './lib/session.ts'
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
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx')),
})

/** Everything behind the sign-in. A one-time link in the fragment goes there first, from whatever page it opened. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Layout,
  beforeLoad: async ({ context, location }) => {
    if (window.location.hash.startsWith('#link='))
      throw redirect({ to: '/sign-in', hash: window.location.hash.slice(1), replace: true })
    try {
      await context.queries.fetchQuery(sessionQuery)
    } catch (error) {
      if (!(error instanceof ApiFault) || error.status !== 401) throw error
      const next = location.href === '/' ? {} : { next: location.href }
      throw redirect({ to: '/sign-in', search: next, replace: true })
    }
  },
})

type PageModule = { default: React.ComponentType }
const page = <Path extends string>(path: Path, load: () => Promise<PageModule>) =>
  createRoute({ getParentRoute: () => app, path, component: lazyRouteComponent(load) })

const routeTree = root.addChildren([
  signIn,
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
    page('/dead-letters', () => import('./pages/dead-letters.tsx')),
    page('/suppressions', () => import('./pages/suppressions.tsx')),
    page('/webhooks', () => import('./pages/webhooks.tsx')),
    page('/webhooks/$endpointId', () => import('./pages/webhook.tsx')),
    page('/api-keys', () => import('./pages/api-keys.tsx')),
  ]),
])

export const router = createRouter({
  routeTree,
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
