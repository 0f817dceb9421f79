import { useLocation } from '@tanstack/react-router'
import { Anchor } from '../ui/anchor.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { isAt, type NavItem, navGroups, useOwnNavItems } from './nav-items.ts'

export function Nav({ onFollow }: { onFollow?: () => void }) {
  const { pathname } = useLocation()
  const own = useOwnNavItems()
  const groups = navGroups.map(({ label, items }) => ({ label, items: items.filter((item) => own.includes(item)) }))
  return (
    <nav aria-label="Pages" className="flex flex-col gap-4 px-2.5 py-3">
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ label, items }) => (
          <div key={label ?? 'first'}>
            {label && <p className="mb-1 px-2.5 text-xs font-medium text-faint">{label}</p>}
            <ul className="flex flex-col gap-px">
              {items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} here={isAt(pathname, item.href)} {...(onFollow && { onFollow })} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  )
}

function NavLink({ item, here, onFollow }: { item: NavItem; here: boolean; onFollow?: () => void }) {
  const look = here ? 'bg-neutral-soft text-ink' : 'text-muted hover:bg-hover hover:text-ink'
  return (
    <Anchor
      href={item.href}
      onClick={onFollow}
      aria-current={here ? 'page' : undefined}
      className={`group flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors ${look}`}
    >
      <Icon name={item.icon} className={here ? 'text-accent' : 'text-faint group-hover:text-muted'} />
      <span className="flex-1">{item.label}</span>
      <span aria-hidden="true" className="hidden opacity-0 transition-opacity group-hover:opacity-100 lg:inline">
        <Kbd keys={item.keys} />
      </span>
    </Anchor>
  )
}

export function Brand() {
  return (
    <Anchor href="/" aria-label="Tidings, to the overview" className="rounded-md">
      <BrandMark />
    </Anchor>
  )
}

export function BrandMark() {
  return (
    <span className="flex items-center gap-2">
      <svg aria-hidden="true" width="22" height="22" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path d="M8 10h16M16 10v13" stroke="var(--on-accent)" strokeWidth="3.2" strokeLinecap="round" fill="none" />
        <circle cx="23.5" cy="21.5" r="2.6" fill="var(--on-accent)" />
      </svg>
      <span className="text-lg font-semibold tracking-tight">Tidings</span>
    </span>
  )
}
