import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { localeInName } from './files.ts'
import { readLocale } from './locales.ts'
import type { Resource } from './queries.ts'
import { Refused } from './refused.tsx'
import type { Words } from './use-words.ts'

/** JSON files named after their languages, each in place of what the language had. */
export function UploadFiles({ resource, words }: { resource: Resource; words: Words }) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const upload = async (chosen: readonly File[]) => {
    if (chosen.length === 0 || !(await mayReplace(chosen, words))) return
    setBusy(true)
    try {
      const files = await Promise.all(chosen.map(toFile))
      const { successfulUploads, errors } = await api.post('/v2/translations/upload', { body: { ...resource, files } })
      if (successfulUploads > 0)
        toast.ok(successfulUploads === 1 ? 'One language is saved' : `${successfulUploads} languages are saved`)
      setRefused(errors)
      await words.refresh()
    } catch (error) {
      toast.fault(error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button size="sm" icon="upload" busy={busy} onClick={() => input.current?.click()}>
        Upload files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files of languages"
        accept=".json,application/json"
        onChange={(event) => {
          void upload([...(event.target.files ?? [])])
          // The same file may be chosen again after it was mended.
          event.target.value = ''
        }}
      />
      {refused.length > 0 && <Refused what="files" reasons={refused} onClose={() => setRefused([])} />}
    </>
  )
}

async function toFile(file: File): Promise<{ name: string; content: string }> {
  return { name: `${localeInName(file.name)}.json`, content: await file.text() }
}

async function mayReplace(files: readonly File[], { languages }: Words): Promise<boolean> {
  const named = files.map(({ name }) => readLocale(localeInName(name)))
  const replaced = languages.filter(({ locale, texts }) => named.includes(locale) && texts.size > 0)
  if (replaced.length === 0) return true
  const names = replaced.map(({ locale }) => locale).join(', ')
  return confirm({
    title: `Replace ${names}?`,
    text: 'The file stands in place of all words that the language has now. Notifications under way keep those they began with.',
    action: 'Replace',
  })
}
