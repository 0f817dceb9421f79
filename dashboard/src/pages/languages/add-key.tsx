import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Textarea } from '../../ui/form/form.tsx'
import { localeName } from './locales.ts'
import type { Words } from './use-words.ts'
import { keyFault, templateOf, withText } from './words.ts'

export function AddKey({ words, onClose }: { words: Words; onClose(): void }) {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  const key = typed.trim()
  const locale = words.languages.find(({ isDefault }) => isDefault)?.locale ?? ''
  const add = useMutation({
    mutationFn: () => words.change(locale, (content) => withText(content, key, text)),
    onSuccess: onClose,
  })
  const fault = add.error && toFault(add.error)
  const ofText = fault?.of(`content.${key}`)
  const ofKey = keyFault(key, words.keys)
  const canAdd = key !== '' && !ofKey && text !== '' && locale !== ''
  return (
    <FormDialog
      title="Add a key"
      action="Add"
      busy={add.isPending}
      disabled={!canAdd}
      onSubmit={() => canAdd && add.mutate()}
      onClose={onClose}
    >
      {fault && !ofText && <FaultNote fault={fault} />}
      <Field
        label="Key"
        error={ofKey}
        hint={key && !ofKey ? `In templates: ${templateOf(key)}` : 'Such as mail.title.'}
      >
        <Input className="font-mono text-sm" value={typed} onText={setTyped} autoFocus />
      </Field>
      <Field
        label={`Text in ${localeName(locale)}`}
        error={ofText}
        hint="Variables as in templates: {{ subscriber.firstName }}. Numbers as in {count, plural, one {# order} other {# orders}}."
      >
        <Textarea rows={3} value={text} onText={setText} />
      </Field>
    </FormDialog>
  )
}
