import { chooseTheme, type ThemeChoice, useThemeChoice } from '../lib/theme.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Segments } from '../ui/tabs.tsx'
import { useOwnNavItems } from './nav-items.ts'

const general = [
  ['/', 'Search this page, or everything'],
  ['Ctrl k', 'Search everything'],
  ['v', 'Switch the environment'],
  ['Ctrl s', 'Save, in a workflow'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close, or leave a field'],
  ['?', 'This help'],
] as const

const themes: readonly { id: ThemeChoice; label: string }[] = [
  { id: 'system', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
]

export function Help({ onClose }: { onClose(): void }) {
  const choice = useThemeChoice()
  return (
    <Dialog open onClose={onClose} title="Help">
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <KeyList title="Everywhere" keys={general} />
        <KeyList title="Go to" keys={useOwnNavItems().map(({ keys, label }) => [keys, label])} />
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <Segments label="Theme" items={themes} value={choice} onChange={chooseTheme} />
        <a href="/docs" target="_blank" rel="noreferrer" className="text-accent hover:underline">
          API reference
        </a>
      </div>
    </Dialog>
  )
}

function KeyList({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-2 text-sm text-muted">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {keys.map(([key, text]) => (
          <div key={key} className="flex items-center justify-between gap-4">
            <dt>{text}</dt>
            <dd>
              <Kbd keys={key} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
