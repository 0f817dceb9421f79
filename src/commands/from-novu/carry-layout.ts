import { isPlainObject } from '../../lib/canonical-json.ts'
import { type Carried, cut } from './carry-workflow.ts'
import type { Item } from './lists.ts'
import { textIn } from './names.ts'
import { unknownFields } from './unknown-fields.ts'

const known = ['layoutId', 'name', 'isDefault', 'isTranslationEnabled', 'controls']

/** As POST /v1/content takes it. */
export function carryLayout(given: Item): Carried {
  const { name, isDefault, isTranslationEnabled, controls } = given
  const id = textIn(given.layoutId)
  const values = isPlainObject(controls) && isPlainObject(controls.values) ? controls.values : {}
  const email = isPlainObject(values.email) ? values.email : {}
  const { body, editorType } = email
  const left = [
    ...unknownFields(given, known),
    ...within('controls', unknownFields(values, ['email'])),
    ...within('controls.email', unknownFields(email, ['body', 'editorType'])),
  ]
  const entry = {
    layoutId: id,
    name: cut(textIn(name) || id, 255, 'name', left),
    isDefault: isDefault === true,
    isTranslationEnabled: isTranslationEnabled === true,
    controlValues: { email: { body: body ?? '', ...(textIn(editorType) !== '' && { editorType }) } },
  }
  return { name: id, entry, left }
}

function within(place: string, left: ReturnType<typeof unknownFields>): ReturnType<typeof unknownFields> {
  return left.map(({ field, why }) => ({ field: `${place}.${field}`, why }))
}
