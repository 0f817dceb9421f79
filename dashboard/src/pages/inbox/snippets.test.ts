import { expect, test } from 'vitest'
import { clientSnippet, hashSnippet, reactSnippet } from './snippets.ts'

const place = { address: 'https://notify.example.com', identifier: 'te_0af3', subscriberId: 'ada' }

test('every snippet names whose inbox it is, and the component both addresses', () => {
  expect(reactSnippet(place)).toContain('backendUrl="https://notify.example.com"')
  expect(reactSnippet(place)).toContain('socketUrl="https://notify.example.com"')
  for (const snippet of [reactSnippet(place), clientSnippet(place)]) {
    expect(snippet).toContain('te_0af3')
    expect(snippet).toContain('subscriberHash')
    expect(snippet).toMatch(/subscriberId.*ada/)
  }
  expect(hashSnippet(place)).toContain(".update('ada')")
})

test('an id that holds quotes, braces, entities or line ends stays the same id', () => {
  for (const subscriberId of [`o'hara`, 'a"b', 'a\\b', 'a&quot;b', '{ada}', '</Inbox>', 'a\nb', 'Zoë']) {
    const odd = { ...place, subscriberId }
    const [, written = ''] = /\.update\((.*)\)/.exec(hashSnippet(odd)) ?? []
    expect(readText(written), subscriberId).toBe(subscriberId)
    const [, attribute = ''] = /subscriberId=(.*)/.exec(reactSnippet(odd)) ?? []
    expect(readAttribute(attribute), subscriberId).toBe(subscriberId)
  }
})

/** As JavaScript reads it: single quotes hold only what means itself. */
function readText(written: string): string {
  if (!written.startsWith("'")) return JSON.parse(written)
  expect(written).toMatch(/^'[^'\\\p{Cc}]*'$/u)
  return written.slice(1, -1)
}

/** As JSX reads it: text in quotes holds no entities, else it is an expression. */
function readAttribute(written: string): string {
  if (written.startsWith('{')) return JSON.parse(written.slice(1, -1))
  expect(written).toMatch(/^"[^"&{<]*"$/)
  return written.slice(1, -1)
}
