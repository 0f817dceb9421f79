import { describe, expect, test } from 'vitest'
import { parseTemplate, renderTemplate, toFault } from './liquid.ts'

const nowMs = Date.parse('2026-03-14T22:30:00Z')

function show(source: string, subscriber: unknown, payload: unknown = {}): string {
  const limits = { timeoutMs: 1_000, maxChars: 100_000, nowMs }
  const text = renderTemplate(parseTemplate(source, 'text'), { subscriber, payload }, 'text', limits)
  // Blanks that do not break a line are chosen by the language.
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

const berlin = { locale: 'de-DE', timezone: 'Europe/Berlin' }
const newYork = { locale: 'en-US', timezone: 'America/New_York' }
const delhi = { locale: 'hi_IN', timezone: 'Asia/Calcutta' }
const at = { at: '2026-03-14T23:30:00Z' }

describe('numbers and amounts', () => {
  test.each([
    ['{{ 1234567.891 | number }}', berlin, '1.234.567,891'],
    ['{{ 1234567.891 | number }}', newYork, '1,234,567.891'],
    ['{{ 1234567.891 | number }}', delhi, '12,34,567.891'],
    ['{{ 2 | number: 2 }}', berlin, '2,00'],
    ['{{ 1999.5 | currency: "EUR" }}', berlin, '1.999,50 €'],
    ['{{ 1999.5 | currency: "eur" }}', newYork, '€1,999.50'],
    ['{{ 1999.5 | currency: "JPY" }}', newYork, '¥2,000'],
    // More digits than a number holds.
    ['{{ "12345678901234567890.12" | currency: "USD" }}', newYork, '$12,345,678,901,234,567,890.12'],
  ])('%s for %o', (source, person, text) => expect(show(source, person)).toBe(text))

  test.each([
    ['{{ payload.none | number }}', ''],
    ['{{ "soon" | number }}', 'soon'],
    ['{{ "soon" | currency: "EUR" }}', 'soon'],
    ['{{ 3 | currency: "points" }}', '3,00 points'],
    ['{{ 3 | currency }}', '3,00'],
    ['{{ 3 | number: "x" }}', '3'],
    ['{{ 3 | number: 999 }}', '3,00000000000000000000'],
  ])('what is no number stays as it is: %s', (source, text) => expect(show(source, berlin)).toBe(text))
})

describe('times', () => {
  test.each([
    ['{{ payload.at | date: "long" }}', berlin, '15. März 2026'],
    ['{{ payload.at | date: "long" }}', newYork, 'March 14, 2026'],
    ['{{ payload.at | date: "short time" }}', berlin, '15.03.26, 00:30'],
    ['{{ payload.at | date: "time" }}', newYork, '7:30 PM'],
    ['{{ payload.at | date: "full", "UTC" }}', berlin, 'Samstag, 14. März 2026'],
    ['{{ 1773531000 | date: "medium" }}', berlin, '15.03.2026'],
    ['{{ "now" | date: "medium time" }}', newYork, 'Mar 14, 2026, 6:30 PM'],
    // Liquid's own formats are as they always were.
    ['{{ payload.at | date: "%Y-%m-%d %H:%M" }}', berlin, '2026-03-14 23:30'],
    ['{{ payload.at | date: "%Y-%m-%d %H:%M", "Europe/Berlin" }}', newYork, '2026-03-15 00:30'],
    ['{{ "soon" | date: "long" }}', berlin, 'soon'],
  ])('%s for %o', (source, person, text) => expect(show(source, person, at)).toBe(text))

  test.each([
    ['2026-03-14T22:29:30Z', 'vor 30 Sekunden', '30 seconds ago'],
    ['2026-03-14T22:30:00Z', 'jetzt', 'now'],
    ['2026-03-14T23:15:00Z', 'in 45 Minuten', 'in 45 minutes'],
    ['2026-03-15T08:30:00Z', 'in 10 Stunden', 'in 10 hours'],
    // 25 hours on: in Berlin it is almost midnight now, so that is the day after tomorrow.
    ['2026-03-15T23:30:00Z', 'übermorgen', 'tomorrow'],
    ['2026-03-04T12:00:00Z', 'vor 10 Tagen', '10 days ago'],
    ['2026-04-14T12:00:00Z', 'in 4 Wochen', 'in 4 weeks'],
    ['2025-09-14T12:00:00Z', 'vor 5 Monaten', '5 months ago'],
    ['2036-03-14T12:00:00Z', 'in 10 Jahren', 'in 10 years'],
  ])('%s is %s, or %s', (when, german, english) => {
    expect(show('{{ payload.at | relative }}', berlin, { at: when })).toBe(german)
    expect(show('{{ payload.at | relative }}', newYork, { at: when })).toBe(english)
  })
})

test.each([
  null,
  undefined,
  'ada',
  { locale: 7, timezone: {} },
  { locale: 'no such language', timezone: 'Mars/Olympus' },
  { locale: 'x'.repeat(10_000), timezone: 'y'.repeat(10_000) },
])('without a language and a place, or with wrong ones, it is English and UTC: %o', (person) => {
  expect(show('{{ 1234.5 | number }}, {{ payload.at | date: "short time" }}', person, at)).toBe(
    '1,234.5, 3/14/26, 11:30 PM',
  )
})

test('values that would each need a formatter of their own are bounded', () => {
  const letters = 'abcdefghij'
  const all = [...letters].flatMap((a) => [...letters].flatMap((b) => [...letters].map((c) => a + b + c)))
  let fault = ''
  try {
    show('{% for code in payload.codes %}{{ 1 | currency: code }}{% endfor %}', berlin, { codes: all })
  } catch (error) {
    fault = toFault(error).reason
  }
  expect(fault).toBe('template_memory')
})
