import type { Permission } from '../lib/may.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import type { IconName } from '../ui/icon.tsx'

/** `needs`: what one must be allowed to see it; to read, unless it says otherwise. */
export type NavItem = { label: string; href: string; icon: IconName; keys: string; needs?: readonly Permission[] }
export const navGroups: readonly { label: string | null; items: readonly NavItem[] }[] = [
  {
    label: null,
    items: [
      { label: 'Overview', href: paths.overview, icon: 'overview', keys: 'g o' },
      { label: 'Activity', href: paths.activity, icon: 'activity', keys: 'g a' },
      { label: 'Explain', href: paths.explain, icon: 'explain', keys: 'g e' },
    ],
  },
  {
    label: 'Build',
    items: [
      { label: 'Workflows', href: paths.workflows, icon: 'workflow', keys: 'g w' },
      { label: 'Layouts', href: paths.layouts, icon: 'layout', keys: 'g l' },
      { label: 'Languages', href: paths.languages, icon: 'globe', keys: 'g n' },
      { label: 'Publish', href: paths.publish, icon: 'upload', keys: 'g p' },
      { label: 'Mailbox', href: paths.mailbox, icon: 'mail', keys: 'g m' },
      { label: 'Inbox', href: paths.inbox, icon: 'bell', keys: 'g b', needs: ['read', 'inbox'] },
    ],
  },
  {
    label: 'People',
    items: [
      { label: 'Subscribers', href: paths.subscribers, icon: 'people', keys: 'g s' },
      { label: 'Topics', href: paths.topics, icon: 'topic', keys: 'g t' },
    ],
  },
  {
    label: 'Delivery',
    items: [
      { label: 'Integrations', href: paths.integrations, icon: 'plug', keys: 'g i' },
      { label: 'Large sends', href: paths.sends, icon: 'send', keys: 'g f' },
      { label: 'Dead letters', href: paths.deadLetters, icon: 'dead', keys: 'g d' },
      { label: 'Suppressions', href: paths.suppressions, icon: 'block', keys: 'g u' },
      { label: 'Webhooks', href: paths.webhooks, icon: 'hook', keys: 'g h' },
    ],
  },
  {
    label: 'Settings',
    items: [
      { label: 'Environments', href: paths.environments, icon: 'layers', keys: 'g v' },
      { label: 'Members', href: paths.members, icon: 'person', keys: 'g c', needs: ['members'] },
      { label: 'Organization', href: paths.organization, icon: 'building', keys: 'g z', needs: ['members'] },
      { label: 'Record', href: paths.record, icon: 'record', keys: 'g r', needs: ['record'] },
      { label: 'API keys', href: paths.apiKeys, icon: 'key', keys: 'g k', needs: ['keys'] },
    ],
  },
]
export const navItems = navGroups.flatMap(({ items }) => items)

const reading = ['read'] as const
export const neededFor = ({ needs = reading }: NavItem) => needs

/** Those pages that who is signed in may see here. */
export function useOwnNavItems(): NavItem[] {
  const { permissions } = useSession()
  return navItems.filter((item) => neededFor(item).every((one) => permissions.includes(one)))
}

/** Not in the menu, and open to whoever is signed in. */
const openToAll = [paths.account]

/** What is missing to see a page; null: nothing. Pages below a list are as the list. */
export function useMissing(pathname: string): Permission | null {
  const { permissions } = useSession()
  if (openToAll.includes(pathname)) return null
  const item = navItems.find((it) => isAt(pathname, it.href))
  return (item ? neededFor(item) : reading).find((one) => !permissions.includes(one)) ?? null
}

export function isAt(pathname: string, href: string): boolean {
  return href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`)
}

/** There are the same ones in every environment. */
export const listPaths = [...navItems.map(({ href }) => href), ...openToAll]
