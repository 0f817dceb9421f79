import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/form/form.tsx'
import { IfEditable, ReadOnly } from '../../ui/form/read-only.tsx'
import { isObject, type Values } from './draft.ts'
import { JsonField } from './json-field.tsx'
import { PayloadField } from './preview/preview.tsx'
import type { Sample } from './preview/sample.ts'
import { schemaOf } from './schema-of.ts'
import type { Editing } from './use-editing.ts'

type SchemaProps = { editing: Editing; sample: Sample }

/** What an event of this workflow must carry. */
export function Schema({ editing: { draft, change, faults }, sample }: SchemaProps) {
  const isStarted = draft.payloadSchema !== null
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card
        title="Payload schema"
        actions={
          <IfEditable>
            <Button
              size="sm"
              disabled={Boolean(sample.fault)}
              onClick={() => change({ payloadSchema: schemaOf(sample.payload) })}
            >
              {isStarted ? 'Replace by the sample’s' : 'Make it from the sample'}
            </Button>
          </IfEditable>
        }
      >
        <div className="flex flex-col gap-5">
          <JsonField<Values>
            label="JSON Schema"
            hint="Local $ref only; at most 64 KB. Empty: any payload."
            rows={20}
            value={draft.payloadSchema}
            onChange={(payloadSchema) => change({ payloadSchema: payloadSchema ?? null })}
            accepts={isObject}
            wanted="A schema is an object: { … }"
            error={faults.workflow.payloadSchema}
          />
          <Switch
            label="Refuse payloads that break it"
            hint="Off: the schema only helps those who write templates."
            checked={draft.validatePayload}
            onChange={(validatePayload) => change({ validatePayload })}
          />
        </div>
      </Card>
      <Card title="Sample" description="What previews and test runs use in this window. It is not saved.">
        <ReadOnly when={false}>
          <PayloadField sample={sample} />
        </ReadOnly>
      </Card>
    </div>
  )
}
