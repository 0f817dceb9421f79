import { Type } from 'typebox'
import { compileBlocks } from '../../core/blocks/compile-blocks.ts'
import { validationFailed } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows/compile-blocks',
  summary: 'The HTML template that a document of blocks becomes; nothing is stored',
  body: fields({
    body: Type.Union([Type.String(), freeObject], { description: 'The document, as text or as the object itself.' }),
  }),
  response: Type.Object({
    html: Type.String({ description: 'With its variables: a body for `editorType: "html"`.' }),
    warnings: Type.Array(Type.Object({ message: Type.String(), variable: Type.Optional(Type.String()) }), {
      description: 'What of the document is not in it as it stands there.',
    }),
  }),
  async handler({ body: { body } }) {
    const made = compileBlocks(typeof body === 'string' ? body : JSON.stringify(body))
    if ('fault' in made) throw validationFailed({ body: { messages: [made.fault] } })
    return made
  },
})
