import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { toSearch } from './to-search.ts'

test('an id of any shape stays one part of its path', () => {
  const odd = 'a/b?c#d e'
  const made = [paths.event, paths.workflow, paths.subscriber, paths.topic, paths.integration, paths.webhook].map(
    (path) => path(odd),
  )
  for (const path of made) {
    const { pathname, search, hash } = new URL(path, 'http://localhost')
    expect({ search, hash }).toEqual({ search: '', hash: '' })
    expect(pathname.split('/').map(decodeURIComponent).slice(2)).toEqual([odd])
  }
  const sent = new URL(paths.sent(odd, odd), 'http://localhost')
  expect([decodeURIComponent(sent.pathname.slice('/activity/'.length)), sent.searchParams.get('sent')]).toEqual([
    odd,
    odd,
  ])
  expect(new URL(paths.mail(odd), 'http://localhost').searchParams.get('message')).toBe(odd)
})

test('the query of an address leaves out what is empty, and keeps zero and false', () => {
  expect(toSearch()).toBe('')
  expect(toSearch({ a: '', b: null, c: undefined, d: [] })).toBe('')
  expect(toSearch({ a: 0, b: false, c: ['x', 'y z'], d: 'ä&b' })).toBe('?a=0&b=false&c=x&c=y+z&d=%C3%A4%26b')
})
