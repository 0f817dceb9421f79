import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { LocaleField } from './locale-field.tsx'
import { readLocale } from './locales.ts'
import type { Words } from './use-words.ts'

export function AddLanguage({ words, onClose }: { words: Words; onClose(): void }) {
  const [text, setText] = useState('')
  const locale = readLocale(text)
  const isThere = words.languages.some((one) => one.isStored && one.locale === locale)
  const add = useMutation({
    mutationFn: () => words.change(locale ?? text, (content) => content),
    onSuccess: onClose,
  })
  const fault = add.error && toFault(add.error)
  const canAdd = locale !== null && !isThere
  return (
    <FormDialog
      title="Add a language"
      action="Add"
      busy={add.isPending}
      disabled={!canAdd}
      onSubmit={() => canAdd && add.mutate()}
      onClose={onClose}
    >
      {fault && !fault.of('locale') && <FaultNote fault={fault} />}
      <LocaleField
        label="Language"
        value={text}
        onText={setText}
        error={isThere ? 'It is there already.' : fault?.of('locale')}
        autoFocus
      />
      <p className="text-sm text-muted">
        A person’s language is in their profile. One who has de_AT gets the words of de_AT, else those of de, else those
        of the default language.
      </p>
    </FormDialog>
  )
}
