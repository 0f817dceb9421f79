import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { IfEditable, useReadOnly } from '../../ui/form/read-only.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { AddKey } from './add-key.tsx'
import { AddLanguage } from './add-language.tsx'
import { LanguageList } from './language-list.tsx'
import { missingQuery, type Resource } from './queries.ts'
import { missingIn } from './rows.ts'
import { UploadFiles } from './upload-files.tsx'
import { useWords, type Words } from './use-words.ts'
import { WordTable } from './word-table.tsx'

type LanguagesTabProps = {
  resource: Resource
  /** Something on the page is not saved: its keys are not known yet. */
  isDirty: boolean
}

/** The words of a workflow or layout: its languages, and every text in each of them. */
export function LanguagesTab({ resource, isDirty }: LanguagesTabProps) {
  const words = useWords(resource)
  const isReadOnly = useReadOnly()
  const [opened, setOpened] = useState<'language' | 'key' | null>(null)
  const add = (
    <IfEditable>
      <Button size="sm" icon="plus" onClick={() => setOpened('language')}>
        Add a language
      </Button>
      <UploadFiles resource={resource} words={words} />
    </IfEditable>
  )
  if (words.fault) return <FaultNote fault={words.fault} onRetry={() => void words.refresh()} />
  if (words.isPending && words.languages.length === 0) return <SkeletonLines lines={6} />
  return (
    <div className="flex flex-col gap-4">
      <Card flush title="Languages" actions={add}>
        <LanguageList resource={resource} words={words} />
      </Card>
      <Card
        flush
        title="Words"
        description={
          isDirty
            ? 'What is not saved yet is not looked at: save it to see the keys it asks for.'
            : aboutOrder(words, isReadOnly)
        }
        actions={
          <IfEditable>
            <Button size="sm" icon="plus" onClick={() => setOpened('key')}>
              Add a key
            </Button>
          </IfEditable>
        }
      >
        {words.rows.length > 0 ? (
          <WordTable words={words} />
        ) : (
          <NoWords resource={resource} onAdd={() => setOpened('key')} />
        )}
      </Card>
      {opened === 'language' && <AddLanguage words={words} onClose={() => setOpened(null)} />}
      {opened === 'key' && <AddKey words={words} onClose={() => setOpened(null)} />}
    </div>
  )
}

function aboutOrder({ rows }: Words, isReadOnly: boolean): string {
  const isMixed = rows.some(({ isUsed }) => isUsed) && rows.some(({ isUsed }) => !isUsed)
  const order = isMixed ? 'What the templates ask for comes first. ' : ''
  return isReadOnly ? order : `${order}Choose a text to change it; it is saved at once.`
}

function NoWords({ resource, onAdd }: { resource: Resource; onAdd(): void }) {
  return (
    <Empty
      icon="globe"
      title="No words yet"
      action={
        <IfEditable>
          <Button kind="primary" icon="plus" onClick={onAdd}>
            Add a key
          </Button>
        </IfEditable>
      }
    >
      Write <span className="font-mono text-sm">{'{{ t.greeting }}'}</span> into a template of this{' '}
      {resource.resourceType}, and the words of <span className="font-mono text-sm">greeting</span> stand there in the
      language of each reader.
    </Empty>
  )
}

/** The name of the tab, with how much is missing. */
export function LanguagesLabel({ resource }: { resource: Resource }) {
  const { data } = useQuery(missingQuery(resource))
  const count = data ? missingIn(data) : 0
  const lacking = data?.locales.filter(({ missingKeys }) => missingKeys.length > 0) ?? []
  return (
    <span className="inline-flex items-center gap-1.5">
      Languages{' '}
      {count > 0 && (
        <Badge tone="warn" title={lacking.map((one) => `${one.locale}: ${one.missingKeys.length}`).join(', ')}>
          {count} missing
        </Badge>
      )}
    </span>
  )
}
