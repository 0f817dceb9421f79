import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import { toast } from '../../ui/toast.tsx'
import { downloadJson } from './files.ts'
import { localeName } from './locales.ts'
import { type Resource, readContent } from './queries.ts'
import type { Language } from './rows.ts'
import type { Words } from './use-words.ts'

type LanguageListProps = { resource: Resource; words: Words }

/** Each language with how far it is, and its file. */
export function LanguageList({ resource, words }: LanguageListProps) {
  return (
    <ul aria-label="Languages">
      {words.languages.map((language) => (
        <li
          key={language.locale}
          className="flex min-h-12 items-center gap-2 border-b border-line px-4 py-1.5 last:border-b-0"
        >
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium">{localeName(language.locale)}</span>
            <span className="font-mono text-xs text-muted">{language.locale}</span>
            {language.isDefault && <Badge tone="info">default</Badge>}
            <HowFar language={language} />
          </div>
          {language.isStored && <FileActions resource={resource} words={words} language={language} />}
        </li>
      ))}
    </ul>
  )
}

function HowFar({ language: { missing, isStored, texts } }: { language: Language }) {
  if (missing.length > 0) return <Badge tone="warn">{missing.length} missing</Badge>
  if (!isStored || texts.size === 0) return <span className="text-sm text-muted">no words yet</span>
  return <span className="text-sm text-muted">{texts.size === 1 ? 'one text' : `${texts.size} texts`}</span>
}

function FileActions({ resource, words, language: { locale, isDefault } }: LanguageListProps & { language: Language }) {
  const name = localeName(locale)
  const download = async () => {
    try {
      downloadJson(`${locale}.json`, await readContent(resource, locale))
    } catch (error) {
      toast.fault(error)
    }
  }
  const remove = async () => {
    const sure = await confirm({
      title: `Remove ${name}?`,
      text: isDefault
        ? 'All its words are deleted. It is the default: where another language has no words, readers then see the names of the keys. Notifications under way keep the words they began with.'
        : 'All its words are deleted. Its readers get those of the default language from now on. Notifications under way keep the words they began with.',
      action: 'Remove language',
      danger: true,
    })
    if (!sure) return
    try {
      await words.removeLanguage(locale)
      toast.ok(`${name} is removed`)
    } catch (error) {
      toast.fault(error)
    }
  }
  return (
    <span className="flex shrink-0">
      <IconButton icon="download" label={`Download ${locale}.json`} onClick={() => void download()} />
      <IfEditable>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => void remove()} />
      </IfEditable>
    </span>
  )
}
