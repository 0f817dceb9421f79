import { useSession } from '../lib/session.ts'
import { chooseTheme, useTheme } from '../lib/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { AccountButton } from './account-menu.tsx'
import { SwitcherButton } from './switcher.tsx'

type TopBarProps = { onMenu(): void; onSwitch(): void; onSearch(): void; onHelp(): void; onAccount(): void }

export function TopBar({ onMenu, onSwitch, onSearch, onHelp, onAccount }: TopBarProps) {
  const { environment, organization } = useSession()
  const theme = useTheme()
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-surface px-3 sm:px-6">
      <IconButton icon="menu" label="Menu" onClick={onMenu} className="-ml-1 lg:hidden" />
      {organization.name && (
        <div className="hidden min-w-0 items-center gap-1 md:flex">
          <span className="truncate text-muted">{organization.name}</span>
          <Icon name="chevron" size={10} className="text-faint" />
        </div>
      )}
      <SwitcherButton environment={environment} onOpen={onSwitch} />
      <button
        type="button"
        onClick={onSearch}
        className="ml-auto hidden h-8 w-64 items-center gap-2 rounded-md border border-line-strong bg-bg px-2.5 text-muted hover:border-faint sm:flex"
      >
        <Icon name="search" size={14} />
        <span className="flex-1 text-left">Search or jump to</span>
        <Kbd keys="/" />
      </button>
      <div className="ml-auto flex items-center sm:ml-1">
        <IconButton icon="search" label="Search" onClick={onSearch} className="sm:hidden" />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        />
        <IconButton icon="explain" label="Help (?)" onClick={onHelp} className="max-sm:hidden" />
        <AccountButton onOpen={onAccount} />
      </div>
    </header>
  )
}
