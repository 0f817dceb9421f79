import { paths } from '../lib/paths.ts'
import type { IconName } from '../ui/icon.tsx'

export type NavItem = { label: string; href: string; icon: IconName; keys: string }
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
      { label: 'Mailbox', href: paths.mailbox, icon: 'mail', keys: 'g m' },
      { label: 'Inbox', href: paths.inbox, icon: 'bell', keys: 'g b' },
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
      { label: 'Dead letters', href: paths.deadLetters, icon: 'dead', keys: 'g d' },
      { label: 'Suppressions', href: paths.suppressions, icon: 'block', keys: 'g u' },
      { label: 'Webhooks', href: paths.webhooks, icon: 'hook', keys: 'g h' },
    ],
  },
  { label: 'Settings', items: [{ label: 'API keys', href: paths.apiKeys, icon: 'key', keys: 'g k' }] },
]
export const navItems = navGroups.flatMap(({ items }) => items)
