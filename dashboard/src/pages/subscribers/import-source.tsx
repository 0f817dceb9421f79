import { type ClipboardEvent, type DragEvent, useId, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Source } from './read-people.ts'

type ImportSourceProps = { text: string; onText(text: string): void; source: Source }

const example = 'subscriberId,firstName,lastName,email,plan\nada,Ada,Lovelace,ada@example.com,pro'

// A field of text this long takes seconds to draw, so it is treated like a file.
const slowToType = 20_000

export function ImportSource({ text, onText, source }: ImportSourceProps) {
  const [file, setFile] = useState<{ name: string; size: number } | null>(null)
  const load = async (chosen: File | undefined) => {
    if (!chosen) return
    setFile(chosen)
    onText(await chosen.text())
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    if (pasted.length < slowToType) return
    event.preventDefault()
    setFile({ name: 'Pasted text', size: pasted.length })
    onText(pasted)
  }
  const fault = source.kind === 'fault' ? source.text : undefined
  if (file) {
    return (
      <Loaded
        file={file}
        fault={fault}
        onRemove={() => {
          setFile(null)
          onText('')
        }}
      />
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <FileDrop onFile={(chosen) => void load(chosen)} />
      <Field label="Or paste CSV or JSON" error={fault}>
        <Textarea
          rows={6}
          value={text}
          onText={onText}
          onPaste={paste}
          placeholder={example}
          className="font-mono text-xs! whitespace-pre"
        />
      </Field>
    </div>
  )
}

type LoadedProps = { file: { name: string; size: number }; fault: string | undefined; onRemove(): void }

function Loaded({ file, fault, onRemove }: LoadedProps) {
  return (
    <div>
      <div className="flex items-center gap-3 rounded-md border border-line bg-bg py-1.5 pr-1.5 pl-3">
        <Icon name="activity" className="text-muted" />
        <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
        <span className="text-sm text-muted">{Math.ceil(file.size / 1024).toLocaleString('en')} KB</span>
        <IconButton icon="close" label="Choose another file" onClick={onRemove} />
      </div>
      {fault && <p className="mt-1.5 text-sm text-bad">{fault}</p>}
    </div>
  )
}

function FileDrop({ onFile }: { onFile(file: File | undefined): void }) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex cursor-pointer flex-col items-center rounded-lg border border-dashed px-4 py-6 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent ${
        over ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover'
      }`}
    >
      <span className="font-medium">Choose a file, or drop it here</span>
      <span className="text-sm text-muted">CSV with a line of column names, JSON, or one JSON object per line</span>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
        className="sr-only"
        onChange={(event) => onFile(event.target.files?.[0])}
      />
    </label>
  )
}
