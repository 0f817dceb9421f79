import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { readObject } from '../../ui/form/json-field.tsx'
import { IfEditable, ReadOnly } from '../../ui/form/read-only.tsx'
import { toast } from '../../ui/toast.tsx'
import { downloadJson } from './files.ts'
import { LocaleField } from './locale-field.tsx'
import { localeName, readLocale } from './locales.ts'
import { environmentQuery, refreshWords } from './queries.ts'
import { Refused } from './refused.tsx'

/** All words of one language in one file: for those who translate. */
export function MasterFile() {
  const { data } = useQuery(environmentQuery)
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const text = typed ?? data?.defaultLocale ?? ''
  const locale = readLocale(text)
  const attempt = async (work: (locale: string) => Promise<unknown>) => {
    if (!locale) return
    setBusy(true)
    await work(locale).catch((error: unknown) => toast.fault(toFault(error)))
    setBusy(false)
  }
  const download = async (of: string) =>
    downloadJson(`${of}.json`, await api.get('/v2/translations/master-json', { query: { locale: of } }))
  const upload = async (file: File, of: string) => {
    const read = readObject(await file.text())
    if ('fault' in read) throw new Error(`${file.name}: ${read.fault}`)
    if (!(await mayReplace(of))) return
    const { message, failed = [] } = await api.post('/v2/translations/master-json', {
      body: { locale: of, masterJson: read.value },
    })
    setRefused(failed)
    toast.ok(message)
    await refreshWords(queries)
  }
  return (
    <Card title="Master file">
      <div className="flex flex-col gap-3">
        <ReadOnly when={false}>
          <LocaleField label="Language of the file" value={text} onText={setTyped} />
        </ReadOnly>
        <p className="text-sm text-muted">
          All words of one language, by workflow and layout, as JSON.{' '}
          <IfEditable>Translate it and bring it back.</IfEditable>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button icon="download" disabled={!locale || busy} onClick={() => void attempt(download)}>
            Download
          </Button>
          <IfEditable>
            <Button icon="upload" disabled={!locale} busy={busy} onClick={() => input.current?.click()}>
              Upload
            </Button>
          </IfEditable>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Master file"
          accept=".json,application/json"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) void attempt((of) => upload(file, of))
            event.target.value = ''
          }}
        />
      </div>
      {refused.length > 0 && <Refused what="parts" reasons={refused} onClose={() => setRefused([])} />}
    </Card>
  )
}

function mayReplace(locale: string): Promise<boolean> {
  return confirm({
    title: `Replace words in ${localeName(locale)}?`,
    text: 'Every workflow and layout in the file gets its words from it, in place of those it has now in this language. The others stay as they are.',
    action: 'Replace',
  })
}
