import { api } from '../../../api/client.ts'
import { BlockEditor } from '../../../blocks/lazy-block-editor.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { Field, Select } from '../../../ui/form/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import { putAt, textAt } from '../draft.ts'
import { htmlAsBlocks, isBlocks, saysNothing } from './exchange.ts'
import { LayoutField } from './layout-field.tsx'
import { type FieldsProps, Text } from './template-text.tsx'

export function EmailFields(props: FieldsProps) {
  return (
    <>
      <Text {...props} path="subject" label="Subject" required />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <WrittenWith {...props} />
        <LayoutField {...props} />
      </div>
      {isBlocks(props.values) ? (
        <Blocks {...props} />
      ) : (
        <Text
          {...props}
          path="body"
          label="Body"
          rows={14}
          required
          hint="HTML. Type {{ for variables, | for filters."
        />
      )}
      <Text {...props} path="preheader" label="Preheader" hint="What mail programs show after the subject." />
      <div className="grid gap-4 sm:grid-cols-2">
        <Text {...props} path="from.email" label="From address" placeholder="as in the integration" />
        <Text {...props} path="from.name" label="From name" placeholder="as in the integration" />
        <Text {...props} path="replyTo" label="Reply to" />
      </div>
    </>
  )
}

function Blocks({ values, onChange, variables, errors }: FieldsProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p aria-hidden="true" className="text-sm font-medium">
        Body <span className="ml-1 font-normal text-faint">(required)</span>
      </p>
      <BlockEditor
        label="Body"
        value={textAt(values, 'body')}
        onChange={(body) => onChange({ ...values, body })}
        variables={variables}
        error={errors.body}
      />
    </div>
  )
}

const ways = [
  { value: 'html', label: 'HTML' },
  { value: 'block', label: 'Blocks' },
]

type WrittenWithProps = Pick<FieldsProps, 'values' | 'onChange' | 'errors'> & {
  /** Blocks to HTML. */
  compile?(body: string): Promise<string>
}

async function compileBody(body: string): Promise<string> {
  return (await api.post('/v2/workflows/compile-blocks', { body: { body } })).html
}

/** The one becomes the other, but not the same again: that is said first. */
export function WrittenWith({ values, onChange, errors, compile = compileBody }: WrittenWithProps) {
  const body = textAt(values, 'body')
  const now = isBlocks(values) ? 'block' : 'html'
  const become = (editorType: string, text: string) => onChange(putAt({ ...values, editorType }, 'body', text))
  const choose = async (to: string) => {
    if (to === now) return
    if (saysNothing(body)) return become(to, '')
    if (!(await confirm(to === 'html' ? toHtml : toBlocks))) return
    if (to === 'block') return become(to, htmlAsBlocks(body))
    try {
      become(to, await compile(body))
    } catch (error) {
      toast.fault(error)
    }
  }
  return (
    <Field label="Written with" error={errors.editorType}>
      <Select options={ways} value={now} onText={(to) => void choose(to)} />
    </Field>
  )
}

const toHtml = {
  title: 'Turn the blocks into HTML?',
  text: 'The body becomes the template that these blocks are sent as, with its variables. There is no way back to the same blocks: turned back, it is one block of HTML. The last saved version keeps them.',
  action: 'Turn into HTML',
}
const toBlocks = {
  title: 'Turn the HTML into blocks?',
  text: 'All of it goes into one block of HTML, to which you can add others. In such a block scripts, forms, frames and comments are left out when it is sent, and its styles move to the head of the mail.',
  action: 'Turn into blocks',
}
