import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { useListbox } from './use-listbox.ts'

type Options = Partial<Parameters<typeof useListbox<string>>[0]>

/** What the browser is told, by element; keys and clicks are tried in a real one (browser/smoke.test.ts). */
function attributesOf(kind: 'combobox' | 'textbox', options: Options) {
  const items = options.items ?? ['a', 'b']
  const Sample = () => {
    const listbox = useListbox({ label: 'People', open: true, onChoose() {}, ...options, items })
    return createElement(
      'div',
      null,
      createElement('input', listbox[kind]),
      listbox.isShown && createElement('ul', listbox.list),
      items.map((item, index) => createElement('li', { key: item, ...listbox.option(index) })),
    )
  }
  const elements = renderToStaticMarkup(createElement(Sample)).matchAll(/<(input|ul|li)([^>]*)>/g)
  return [...elements].map(([, , text = '']) =>
    Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  )
}

describe('the roles of suggestions', () => {
  test('the field names the list that is open, and the option that is active', () => {
    const [field, list, first, second] = attributesOf('combobox', { firstActive: true })
    expect(field).toMatchObject({ role: 'combobox', 'aria-expanded': 'true', 'aria-autocomplete': 'list' })
    expect(list).toMatchObject({ role: 'listbox', 'aria-label': 'People', id: field?.['aria-controls'] })
    expect(first).toMatchObject({ role: 'option', 'aria-selected': 'true', id: field?.['aria-activedescendant'] })
    expect(second).toMatchObject({ role: 'option', 'aria-selected': 'false' })
    expect(first?.id).not.toBe(second?.id)
  })

  test('none is active until somebody walks, unless the first is from the start', () => {
    const [field, , first] = attributesOf('combobox', {})
    expect(field).not.toHaveProperty('aria-activedescendant')
    expect(first).toMatchObject({ 'aria-selected': 'false' })
  })

  test('it counts as closed while it is not wanted, or empty', () => {
    for (const options of [{ open: false }, { items: [] }]) {
      const [field] = attributesOf('combobox', { firstActive: true, ...options })
      expect(field).toMatchObject({ 'aria-expanded': 'false' })
      expect(field).not.toHaveProperty('aria-activedescendant')
    }
  })

  test('a field that is more than its suggestions stays a text box, which knows nothing of open and closed', () => {
    const [field, list] = attributesOf('textbox', { firstActive: true })
    expect(field).toMatchObject({ 'aria-controls': list?.id, 'aria-autocomplete': 'list' })
    expect(field).not.toHaveProperty('role')
    expect(field).not.toHaveProperty('aria-expanded')
    const [closed] = attributesOf('textbox', { open: false })
    expect(closed).not.toHaveProperty('aria-controls')
  })
})
