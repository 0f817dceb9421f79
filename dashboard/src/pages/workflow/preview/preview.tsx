import { useState } from 'react'
import type { StepPreview } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Textarea } from '../../../ui/form/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SkeletonLines, Spinner } from '../../../ui/spinner.tsx'
import { LocalePicker } from '../../languages/locale-picker.tsx'
import type { Resource } from '../../languages/queries.ts'
import { PersonPicker } from './person-picker.tsx'
import { PreviewMessage } from './preview-message.tsx'
import type { Sample } from './sample.ts'
import { canSendTest, SendTest } from './send-test.tsx'
import { gathered, type Preview } from './use-preview.ts'

type PreviewCardProps = {
  resources: readonly Resource[]
  state: Preview
  sample: Sample
  afterDigest: boolean
  isVariant: boolean
}

/** The step as the chosen person would get it, while it is being written. */
export function PreviewCard({ resources, state, sample, afterDigest, isVariant }: PreviewCardProps) {
  const [editing, setEditing] = useState(false)
  const [isSending, setSending] = useState(false)
  const { preview, fault, isFetching, request } = state
  return (
    <Card
      title="Preview"
      actions={
        <>
          {isFetching && (
            <span role="status" className="text-muted">
              <Spinner size={14} />
              <span className="sr-only">Rendering</span>
            </span>
          )}
          <Button size="sm" icon="braces" aria-expanded={editing} onClick={() => setEditing(!editing)}>
            Payload
          </Button>
          {canSendTest(request.step.type) && (
            <Button size="sm" icon="mail" aria-expanded={isSending} onClick={() => setSending(!isSending)}>
              Send me this
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <PersonPicker
          label="For"
          value={sample.person}
          onChange={sample.setPerson}
          placeholder="Ada Lovelace, made up"
          error={fault?.code === 'subscriber_not_found' ? 'Nobody has this id.' : undefined}
        />
        <LocalePicker resources={resources} value={sample.locale} onChange={sample.setLocale} />
        {(editing || sample.fault) && <PayloadField sample={sample} />}
        {isSending && <SendTest request={request} />}
        {fault && fault.code !== 'subscriber_not_found' && <FaultNote fault={fault} />}
        {!preview && !fault && !sample.fault && <SkeletonLines lines={4} />}
        {preview && !fault && <Result preview={preview} isVariant={isVariant} />}
        {afterDigest && (
          <p className="text-sm text-muted">Shown as if the digest before it had gathered {gathered} such events.</p>
        )}
      </div>
    </Card>
  )
}

export function PayloadField({ sample }: { sample: Sample }) {
  return (
    <Field label="Payload" hint="JSON, as an event would carry it." error={sample.fault}>
      <Textarea
        rows={Math.min(12, Math.max(4, sample.text.split('\n').length))}
        className="font-mono text-sm"
        value={sample.text}
        onText={sample.setText}
      />
    </Field>
  )
}

function Result({ preview, isVariant }: { preview: StepPreview; isVariant: boolean }) {
  const { result, applies, why, variant } = preview
  return (
    <>
      {!applies && (
        <Note>
          {isVariant ? 'This variant is not for them' : 'They would not get it'}
          {why ? `: ${why}` : '.'}
        </Note>
      )}
      {variant && <Note>They get the variant “{variant}”. This is its content.</Note>}
      <PreviewMessage result={result} />
      <Found label="Faults" items={result.errors} look="bg-bad-soft text-bad" />
      <Found label="Warnings" items={result.warnings ?? []} look="bg-warn-soft text-warn" />
    </>
  )
}

type FoundProps = { label: string; items: readonly { field: string; message: string }[]; look: string }

export function Found({ label, items, look }: FoundProps) {
  if (items.length === 0) return null
  return (
    <ul aria-label={label} className={`flex flex-col gap-1 rounded-md px-3 py-2 text-sm ${look}`}>
      {items.map(({ field, message }) => (
        <li key={`${field} ${message}`} className="break-words">
          <span className="font-mono text-xs">{field}</span> {message}
        </li>
      ))}
    </ul>
  )
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      <Icon name="filter" size={14} className="mt-0.5" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}
