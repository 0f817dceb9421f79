import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useKeys } from '../lib/keys.ts'
import { paths } from '../lib/paths.ts'
import { useSession, useSessionWatch } from '../lib/session.ts'
import { useRoleNotice } from '../lib/use-role-notice.ts'
import { useModal } from '../ui/dialog/dialog.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Help } from './help.tsx'
import { Brand, Nav } from './nav.tsx'
import { useMissing, useOwnNavItems } from './nav-items.ts'
import { NotYours } from './not-yours.tsx'
import { Palette } from './palette.tsx'
import { SlowedBanner } from './slowed-banner.tsx'
import { Switcher } from './switcher.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page but sign-in. */
export function Layout() {
  const [open, setOpen] = useState<'help' | 'palette' | 'nav' | 'switcher' | 'account' | null>(null)
  const { pathname } = useLocation()
  const { environment } = useSession()
  useSessionWatch()
  useRoleNotice()
  useSetUpFirst(pathname)
  const missing = useMissing(pathname)
  const onSwitch = () => setOpen('switcher')
  useShellKeys({ onHelp: () => setOpen('help'), onPalette: () => setOpen('palette'), onSwitch })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes whatever lay over the last one
  useEffect(() => setOpen(null), [pathname])
  const close = () => setOpen(null)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:p-2"
      >
        To the content
      </a>
      {/* The same on every page, whatever is scrolled: which environment this is. */}
      <div
        aria-hidden="true"
        style={{ backgroundColor: environment.color }}
        className="pointer-events-none fixed inset-x-0 top-0 z-30 h-[3px]"
      />
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto">
          <div className="flex h-12 shrink-0 items-center px-5">
            <Brand />
          </div>
          <Nav />
        </div>
      </aside>
      <div className="min-w-0">
        <TopBar
          onMenu={() => setOpen('nav')}
          onSwitch={onSwitch}
          onSearch={() => setOpen('palette')}
          onHelp={() => setOpen('help')}
          onAccount={() => setOpen('account')}
        />
        <SlowedBanner />
        <main id="main" tabIndex={-1} className="min-w-0 focus:outline-none">
          <Suspense fallback={<PageLoading />}>{missing ? <NotYours needs={missing} /> : <Outlet />}</Suspense>
        </main>
      </div>
      {open === 'help' && <Help onClose={close} />}
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'switcher' && <Switcher onClose={close} />}
      {open === 'account' && <AccountMenu onClose={close} />}
      {open === 'nav' && <MobileNav onClose={close} />}
    </div>
  )
}

export function PageLoading() {
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pt-8 sm:px-6">
      <SkeletonLines lines={6} />
    </div>
  )
}

/** The organization asks for something that only the page of the account can give; until then nothing else is open. */
function useSetUpFirst(pathname: string): void {
  const { history } = useRouter()
  const { mustSetUp } = useSession()
  const isWrongPlace = mustSetUp !== undefined && pathname !== paths.account
  useEffect(() => {
    if (isWrongPlace) history.replace(paths.account)
  }, [isWrongPlace, history])
}

function MobileNav({ onClose }: { onClose(): void }) {
  const element = useRef<HTMLDialogElement>(null)
  useModal(element, true)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without us; the click is one on the backdrop.
    <dialog
      ref={element}
      tabIndex={-1}
      aria-label="Menu"
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="m-0 h-dvh max-h-none w-72 outline-none max-w-[85vw] border-r border-line bg-surface shadow-pop"
    >
      <div className="flex h-12 items-center px-5">
        <Brand />
      </div>
      <Nav onFollow={onClose} />
    </dialog>
  )
}

function useShellKeys({ onHelp, onPalette, onSwitch }: { onHelp(): void; onPalette(): void; onSwitch(): void }) {
  const router = useRouter()
  const jumps = useOwnNavItems().map(({ keys, href }) => [keys, () => router.history.push(href)] as const)
  const search = () => {
    const field = document.querySelector<HTMLInputElement>('[data-page-search]')
    if (field) field.focus()
    else onPalette()
  }
  useKeys({ ...Object.fromEntries(jumps), '?': onHelp, v: onSwitch, '/': search })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      onPalette()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onPalette])
}
