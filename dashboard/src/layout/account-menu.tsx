import { useRef } from 'react'
import type { Session } from '../api/types.ts'
import { paths } from '../lib/paths.ts'
import { useSession, useSignOut } from '../lib/session.ts'
import { Anchor } from '../ui/anchor.tsx'
import { IconButton } from '../ui/button.tsx'
import { useModal } from '../ui/dialog/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Initials } from '../ui/person.tsx'

/** Who is signed in, and what is theirs. Whoever came by a key or a link has nothing but the way out. */
export function AccountButton({ onOpen }: { onOpen(): void }) {
  const { person } = useSession()
  const signOut = useSignOut()
  if (!person) return <IconButton icon="out" label="Sign out" onClick={() => void signOut()} />
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="ml-1 flex h-8 min-w-0 items-center gap-2 rounded-md px-1 hover:bg-hover"
    >
      <Initials name={person.name} />
      <span className="sr-only">Your account: </span>
      <span className="max-w-36 truncate font-medium max-xl:sr-only">{person.name}</span>
    </button>
  )
}

export function AccountMenu({ onClose }: { onClose(): void }) {
  const element = useRef<HTMLDialogElement>(null)
  useModal(element, true)
  const session = useSession()
  const signOut = useSignOut()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without us; the click is one on the backdrop.
    <dialog
      ref={element}
      tabIndex={-1}
      aria-label="Your account"
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="fixed top-12 right-3 left-auto m-0 w-72 max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-lg border border-line bg-raised shadow-pop outline-none backdrop:bg-transparent! sm:right-6"
    >
      <Who session={session} />
      <div className="flex flex-col gap-px p-1.5">
        <MenuLink href={paths.account} icon="person" onClick={onClose}>
          Account and security
        </MenuLink>
        <button type="button" onClick={() => void signOut()} className={itemLook}>
          <Icon name="out" className="text-muted" />
          Sign out
        </button>
      </div>
    </dialog>
  )
}

function Who({ session: { person, role, organization, environment } }: { session: Session }) {
  return (
    <div className="border-b border-line px-4 py-3">
      <p className="truncate font-semibold">{person?.name}</p>
      <p className="truncate text-sm text-muted">{person?.email}</p>
      <p className="mt-1 text-sm text-muted">
        {role ? `${role} in ${environment.name}` : `no role in ${environment.name}`}
        {organization.name && ` · ${organization.name}`}
      </p>
    </div>
  )
}

const itemLook = 'flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-left hover:bg-hover'

type MenuLinkProps = { href: string; icon: IconName; onClick(): void; children: string }

function MenuLink({ href, icon, onClick, children }: MenuLinkProps) {
  return (
    <Anchor href={href} onClick={onClick} className={itemLook}>
      <Icon name={icon} className="text-muted" />
      {children}
    </Anchor>
  )
}
