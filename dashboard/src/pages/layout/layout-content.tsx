import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { BlockEditor } from '../../blocks/lazy-block-editor.tsx'
import { Card } from '../../ui/card.tsx'
import type { Variable } from '../../ui/form/completion.ts'
import { missingQuery, type Resource } from '../languages/queries.ts'
import { keysOf } from '../languages/rows.ts'
import type { Values } from '../workflow/draft.ts'
import { WrittenWith } from '../workflow/steps/email-fields.tsx'
import { isBlocks } from '../workflow/steps/exchange.ts'
import { Text } from '../workflow/steps/template-text.tsx'
import { variablesOf } from '../workflow/steps/variables.ts'
import { faultsOf, fieldOf, type LayoutDraft } from './draft.ts'
import { LayoutPreview } from './layout-preview.tsx'
import { withMarks, withSlot } from './slot.ts'
import type { LayoutEditing } from './use-editing.ts'
import { useLayoutPreview } from './use-layout-preview.ts'

const content: Variable = { name: 'content', about: 'where the mail stands' }
const variables = [content, ...variablesOf({ payloadSchema: null }, {}, false)]

/** What the layout is made of, and beside it how it looks around a mail. */
export function LayoutContent({ editing }: { editing: LayoutEditing }) {
  const { draft, base, change, refusal } = editing
  const preview = useLayoutPreview(base._id, draft)
  const resource: Resource = { resourceType: 'layout', resourceId: base.layoutId }
  const { data: words } = useQuery(missingQuery(resource))
  const found = preview.result?.errors.map(({ field, message }) => [fieldOf(field), message]) ?? []
  const errors = { ...faultsOf(refusal), ...Object.fromEntries(found) }
  const set = (values: Values) => change(values as Partial<LayoutDraft>)
  const shared = { type: 'email', values: draft, onChange: set, variables, errors } as const
  return (
    <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
      <Card>
        <div className="flex flex-col gap-4">
          <div className="sm:max-w-60">
            <WrittenWith {...shared} compile={compileLayout} />
          </div>
          {isBlocks(draft) ? (
            <div className="flex min-w-0 flex-col gap-1.5">
              <p aria-hidden="true" className="text-sm font-medium">
                Layout
              </p>
              <BlockEditor
                slot
                label="Layout"
                value={draft.body}
                onChange={(body) => change({ body })}
                variables={variables}
                translations={words ? keysOf(words) : []}
                error={errors.body}
              />
              <p className="text-sm text-muted">
                The block Content stands for the mail: it must be there once. Type / for blocks, {'{{'} for variables.
              </p>
            </div>
          ) : (
            <Text
              {...shared}
              path="body"
              label="Layout"
              rows={22}
              required
              hint="HTML. {{content}} stands for the mail: it must be there once. Type {{ for variables, | for filters."
            />
          )}
        </div>
      </Card>
      <div className="min-w-0 xl:sticky xl:top-16">
        <LayoutPreview resource={resource} state={preview} />
      </div>
    </div>
  )
}

async function compileLayout(body: string): Promise<string> {
  const { html } = await api.post('/v2/workflows/compile-blocks', { body: { body: withMarks(body) } })
  return withSlot(html)
}
