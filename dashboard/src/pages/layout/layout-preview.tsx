import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { ReadOnly } from '../../ui/form/read-only.tsx'
import { SkeletonLines, Spinner } from '../../ui/spinner.tsx'
import { LocalePicker } from '../languages/locale-picker.tsx'
import type { Resource } from '../languages/queries.ts'
import { PersonPicker } from '../workflow/preview/person-picker.tsx'
import { Found } from '../workflow/preview/preview.tsx'
import { PreviewMessage } from '../workflow/preview/preview-message.tsx'
import type { LayoutPreviewState } from './use-layout-preview.ts'

/** The layout around a sample, as the chosen person would get it, while it is being written. */
export function LayoutPreview({ resource, state }: { resource: Resource; state: LayoutPreviewState }) {
  const { result, fault, isFetching } = state
  const isUnknown = fault?.code === 'subscriber_not_found'
  return (
    <Card
      title="Preview"
      actions={
        isFetching && (
          <span role="status" className="text-muted">
            <Spinner size={14} />
            <span className="sr-only">Rendering</span>
          </span>
        )
      }
    >
      <ReadOnly when={false}>
        <div className="flex flex-col gap-4">
          <PersonPicker
            label="For"
            value={state.person}
            onChange={state.setPerson}
            placeholder="Ada Lovelace, made up"
            error={isUnknown ? 'Nobody has this id.' : undefined}
          />
          <LocalePicker resources={[resource]} value={state.locale} onChange={state.setLocale} />
          {fault && !isUnknown && <FaultNote fault={fault} />}
          {!result && !fault && <SkeletonLines lines={4} />}
          {result && !fault && (
            <>
              <PreviewMessage result={result} />
              <Found label="Faults" items={result.errors} look="bg-bad-soft text-bad" />
              <Found label="Warnings" items={result.warnings ?? []} look="bg-warn-soft text-warn" />
            </>
          )}
        </div>
      </ReadOnly>
    </Card>
  )
}
