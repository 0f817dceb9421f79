import { expect, test } from 'vitest'
import { type Loop, readExpression, writeExpression } from './expressions.ts'

const orders: Loop = { each: ['payload', 'orders'], name: 'item_1', isDigest: false }
const lines: Loop = { each: ['payload', 'orders', 'lines'], name: 'item_2', isDigest: false }
const events: Loop = { each: ['steps', 'd', 'events'], name: 'item_1', isDigest: true }

test.each<[given: string, loops: Loop[], source: string | null]>([
  ['payload.name', [], 'payload.name'],
  [' {{ subscriber.data.city }} ', [], 'subscriber.data.city'],
  ['name', [], 'payload.name'],
  ['payload.größe', [], 'payload["gr\\u00f6\\u00dfe"]'],
  ['payload.a-b.c[0].d', [], 'payload["a-b"].c[0].d'],
  ['payload.name | upcase | append: "!}}", 2', [], 'payload.name | upcase | append: "\\u0021\\u007d\\u007d", 2'],
  [
    "payload.at | date: '%H:%M', subscriber.timezone",
    [],
    'payload.at | date: "\\u0025H\\u003a\\u0025M", subscriber.timezone',
  ],
  ['payload.x | default: "y", allow_false: true', [], 'payload.x | default: "y", allow_false: true'],
  ['t.count | with: eventCount: payload.n', [], 't.count | with: eventCount: payload.n'],
  ['steps.digest-step.eventCount', [], 'step.eventCount'],
  ['current.name', [orders], 'item_1.name'],
  ['current', [orders], 'item_1'],
  ['payload.orders.name', [orders], 'item_1.name'],
  ['payload.orders[0].name', [orders], 'payload.orders[0].name'],
  ['payload.orders.lines.sku', [orders, lines], 'item_2.sku'],
  ['payload.orders.id', [orders, lines], 'item_1.id'],
  ['name', [orders], 'item_1.name | default: payload.name'],
  ['current.payload.who', [events], 'item_1.who'],
  ['steps.d.events.payload.who', [events], 'item_1.who'],
  ['payload.x }}{% evil %}', [], null],
  ['payload.x | a: b | ', [], null],
  ['payload..x', [], null],
  ['(1..9)', [], null],
  ['"text"', [], null],
  ['payload.x == 1', [], null],
  ['', [], null],
  ['x'.repeat(501), [], null],
])('%s', (given, loops, source) => {
  const expression = readExpression(given)
  expect(expression && writeExpression(expression, loops)).toBe(source)
})
