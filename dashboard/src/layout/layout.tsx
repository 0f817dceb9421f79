import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useKeys } from '../lib/keys.ts'
import { useSessionWatch } from '../lib/session.ts'
import { useModal } from '../ui/dialog/dialog.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { Help } from './help.tsx'
import { Brand, Nav } from './nav.tsx'
import { navItems } from './nav-items.ts'
import { Palette } from './palette.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page but sign-in. */
export function Layout() {
  const [open, setOpen] = useState<'help' | 'palette' | 'nav' | null>(null)
  const { pathname } = useLocation()
  useSessionWatch()
  useShellKeys({ onHelp: () => setOpen('help'), onPalette: () => setOpen('palette') })
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
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto">
          <div className="flex h-12 shrink-0 items-center px-5">
            <Brand />
          </div>
          <Nav />
        </div>
      </aside>
      <div className="min-w-0">
        <TopBar onMenu={() => setOpen('nav')} onSearch={() => setOpen('palette')} onHelp={() => setOpen('help')} />
        <main id="main" tabIndex={-1} className="min-w-0 focus:outline-none">
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {open === 'help' && <Help onClose={close} />}
      {open === 'palette' && <Palette onClose={close} />}
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

function useShellKeys({ onHelp, onPalette }: { onHelp(): void; onPalette(): void }) {
  const router = useRouter()
  const jumps = navItems.map(({ keys, href }) => [keys, () => router.history.push(href)] as const)
  const search = () => {
    const field = document.querySelector<HTMLInputElement>('[data-page-search]')
    if (field) field.focus()
    else onPalette()
  }
  useKeys({ ...Object.fromEntries(jumps), '?': onHelp, '/': search })
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
