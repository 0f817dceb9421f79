import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Says in an empty line what can be typed: where the caret is, and in a document that has nothing else. */
export const Placeholder = Extension.create({
  name: 'placeholder',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc, selection }) {
          const { $from, empty } = selection
          const line = $from.parent
          if (!empty || line.type.name !== 'paragraph' || line.content.size > 0) return null
          const said = Decoration.node($from.before(), $from.after(), {
            'data-placeholder': 'Type / for blocks, {{ for variables',
          })
          return DecorationSet.create(doc, [said])
        },
      },
    }),
  ],
})
