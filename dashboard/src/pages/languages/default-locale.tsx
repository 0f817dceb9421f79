import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { IfEditable } from '../../ui/form/read-only.tsx'
import { toast } from '../../ui/toast.tsx'
import { LocaleField } from './locale-field.tsx'
import { localeName, readLocale } from './locales.ts'
import { environmentQuery, refreshWords } from './queries.ts'

/** Whose words stand where a reader's own language has none. */
export function DefaultLocale() {
  const queries = useQueryClient()
  const { data } = useQuery(environmentQuery)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? data?.defaultLocale ?? ''
  const locale = readLocale(text)
  const save = useMutation({
    mutationFn: (defaultLocale: string) => api.patch('/v1/environment', { body: { defaultLocale } }),
    onSuccess: ({ data: saved }) => {
      queries.setQueryData(environmentQuery.queryKey, { data: saved })
      setTyped(null)
      void refreshWords(queries)
      toast.ok(`${localeName(saved.defaultLocale)} is the default`)
    },
  })
  const fault = save.error && toFault(save.error)
  const isOther = data !== undefined && locale !== null && locale !== data.defaultLocale
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isOther) save.mutate(locale)
  }
  return (
    <Card title="Default language">
      <form onSubmit={submit} className="flex flex-col gap-3">
        {fault && !fault.of('defaultLocale') && <FaultNote fault={fault} />}
        <LocaleField label="Language" value={text} onText={setTyped} error={fault?.of('defaultLocale')} />
        <p className="text-sm text-muted">
          Readers get its words where their own language has none. Another one counts from now on; notifications under
          way keep what they began with.
        </p>
        <IfEditable>
          <div>
            <Button type="submit" disabled={!isOther} busy={save.isPending}>
              Save
            </Button>
          </div>
        </IfEditable>
      </form>
    </Card>
  )
}
