import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { fastest } from '../../test/fastest.ts'
import type { RenderItem } from './field-plan.ts'
import { createRenderPool } from './render-pool.ts'

const pool = createRenderPool({ clock: () => new Date() })
afterAll(() => pool.close())

const scope = {
  subscriber: { firstName: 'ann', lastName: null, data: { plan: 'pro' } },
  payload: {
    count: 3,
    total: 12.5,
    html: '<b>&</b>',
    on: true,
    at: '2026-03-01T22:30:00Z',
    items: [
      { name: 'tea', price: 4 },
      { name: 'cup', price: 8.5 },
    ],
  },
  'odd key': 'odd',
}

const table: [source: string, text: string][] = [
  ['Hi {{ subscriber.firstName }}', 'Hi ann'],
  ['Hi {{ subscriber.firstName | capitalize }}!', 'Hi Ann!'],
  ['{{ subscriber.lastName }}{{ subscriber.nothing }}{{ nothing.at.all }}', ''],
  ['{{ subscriber.lastName | default: "Doe" }}', 'Doe'],
  ['{{ payload.html }}', '<b>&</b>'],
  ['{{ payload.html | escape }}', '&lt;b&gt;&amp;&lt;/b&gt;'],
  ['{{ payload.total | times: 2 | plus: 0.5 }}', '25.5'],
  ['{% if payload.on %}on{% else %}off{% endif %}', 'on'],
  ['{% if payload.html contains "&" %}yes{% endif %}', 'yes'],
  [
    '{% for i in payload.items %}{{ forloop.index }}:{{ i.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
    '1:tea, 2:cup',
  ],
  ['{% for i in (1..payload.count) %}{{ i }}{% endfor %}', '123'],
  ['{% for i in (3..1) %}{{ i }}{% else %}none{% endfor %}', 'none'],
  ['{{ (2..4) | join: "-" }}', '2-3-4'],
  ['{{ payload.items | map: "name" | join: " & " }}', 'tea & cup'],
  ['{{ payload.items | where: "name", "cup" | map: "price" }}', '8.5'],
  ['{{ payload.items | sort: "price" | reverse | first | json }}', '{"name":"cup","price":8.5}'],
  ['{{ payload.items | sum: "price" }}', '12.5'],
  ['{% assign n = payload.items.size %}{{ n }}', '2'],
  ['{% capture c %}{{ payload.count }}x{% endcapture %}{{ c }}{{ c }}', '3x3x'],
  ['{% increment k %}{% increment k %}', '01'],
  ['{{ payload.at | date: "%A, %B %-d, %H:%M" }}', 'Sunday, March 1, 22:30'],
  ['{{ payload.at | date: "%H:%M", "Asia/Tokyo" }}', '07:30'],
  ['{{ ["odd key"] }}', 'odd'],
  ['{% raw %}{{ kept }}{% endraw %}', '{{ kept }}'],
  ['{% comment %}{% include "x" %}{% endcomment %}{% # remark %}done', 'done'],
  ['{{- "a" -}}  b', 'ab'],
  ['{{ payload.items }}', '[object Object][object Object]'],
  ['{% cycle "a", "b" %}{% cycle "a", "b" %}', 'ab'],
]

test.each(table)('%s', async (source, text) => {
  expect(await pool.render([{ templates: { body: source }, scope }])).toEqual([{ ok: true, fields: { body: text } }])
})

const evil = '<img src="a" onerror="x"><script>y</script>'
const escaped = '&lt;img src=&#34;a&#34; onerror=&#34;x&#34;&gt;&lt;script&gt;y&lt;/script&gt;'

test.each<[source: string, text: string]>([
  ['<p>{{ evil }}</p>', `<p>${escaped}</p>`],
  ['{{ evil | upcase | downcase }}', escaped],
  ['{% echo evil %}{% cycle evil, evil %}', escaped + escaped],
  ['{{ list }}{{ list | join: evil }}', `&lt;a&gt;&lt;b&gt;&lt;a&gt;${escaped}&lt;b&gt;`],
  ['{% for it in list %}<i>{{ it }}</i>{% endfor %}', '<i>&lt;a&gt;</i><i>&lt;b&gt;</i>'],
  ['{% assign a = evil %}{{ a }}', escaped],
  ['{% assign a = evil | raw %}{{ a }}', escaped],
  ['{% capture c %}<b>{{ evil }}</b>{% endcapture %}{{ c }}', `<b>${escaped}</b>`],
  ['{{ evil | escape }}{{ evil | escape_once }}', escaped + escaped],
  ['{{ lines | newline_to_br }}', '1 &lt; 2<br />\n3'],
  ['{{ lines | escape | newline_to_br }}', '1 &lt; 2<br />\n3'],
  ['<p onclick="own">{{ number }}</p>', '<p onclick="own">7</p>'],
  ['{{ evil | raw }}', '<img src="a" > '],
  ['<a href="{{ quote | raw }}">x</a>', '<a href="" >x</a>'],
])('in HTML: %s', async (source, text) => {
  const scope = { evil, list: ['<a>', '<b>'], number: 7, lines: '1 < 2\n3', quote: '" onclick="z' }
  const item = { templates: { subject: '{{ evil }}', body: source }, scope, html: ['body'] }
  expect(await pool.render([item])).toEqual([{ ok: true, fields: { subject: evil, body: text } }])
})

test('fields keep their order, static ones stand as they are, and each is rendered by itself', async () => {
  const templates = {
    subject: '{% increment k %}',
    plain: 'a { b } %',
    'primaryAction.label': '{% increment k %}{{ k }}',
  }
  const [result] = await pool.render([{ templates, scope: { payload: scope.payload } }])
  expect(JSON.stringify(result)).toBe(
    '{"ok":true,"fields":{"subject":"0","plain":"a { b } %","primaryAction.label":"01"}}',
  )
})

test('a fault names its field, and the other items are rendered', async () => {
  const good = { templates: { body: '{{ a }}' }, scope: { a: 1 } }
  const bad = { templates: { subject: '{{ a }}', body: '{{ a | nope }}' }, scope: { a: 1 } }
  expect(await pool.render([good, bad, good, bad])).toEqual([
    { ok: true, fields: { body: '1' } },
    { ok: false, reason: 'template_error', message: 'body: undefined filter: nope, line:1, col:1' },
    { ok: true, fields: { body: '1' } },
    { ok: false, reason: 'template_error', message: 'body: undefined filter: nope, line:1, col:1' },
  ])
})

test('an item may have as much output as allowed over all its fields, counted in bytes, and no more', async () => {
  const small = createRenderPool({ clock: () => new Date(), maxOutputBytes: 20 })
  const item = (a: string, b: string, c: string) => ({ templates: { a: '{{ a }}', b: '{{ b }}', c }, scope: { a, b } })
  const results = await small.render([
    item('ä'.repeat(5), 'xxxxx', 'xxxxx'),
    item('ä'.repeat(5), 'xxxxx', 'xxxxxx'),
    item('ä'.repeat(11), '', ''),
    { templates: { a: 'x'.repeat(20) }, scope: {} },
    { templates: { a: 'x'.repeat(21) }, scope: {} },
  ])
  expect(results.map((result) => (result.ok ? 'ok' : result.reason))).toEqual([
    'ok',
    'output_too_large',
    'output_too_large',
    'ok',
    'output_too_large',
  ])
  await small.close()
})

test('a new thread may take longer to start than an item may take', async () => {
  const quick = createRenderPool({ clock: () => new Date(), timeoutMs: 20 })
  const page = Array.from({ length: 50 }, () => ({ templates: { a: '{{ a }}' }, scope: { a: 1 } }))
  expect((await quick.render(page)).every(({ ok }) => ok)).toBe(true)
  await quick.close()
})

const payload = { text: 'x'.repeat(1_000_000), order: { id: 7 } }
const templates = {
  subject: 'Hi {{ subscriber.firstName }}',
  body: `Order {{ payload.order.id }} of {{ subscriber.firstName | upcase }} ${'is on its way. '.repeat(200)}`,
  'primaryAction.label': 'See {{ payload.order.id }}',
}
const fanOut = (length: number): RenderItem[] =>
  Array.from({ length }, (_, i) => ({
    templates: { ...templates },
    scope: { subscriber: { firstName: `s${i}` }, payload },
  }))

test('a page of 300 with one large payload takes less than 100 ms of the processor', async () => {
  const renderPage = async () => {
    const started = process.cpuUsage()
    const results = await pool.render(fanOut(300))
    const { user, system } = process.cpuUsage(started)
    expect(results[299]).toMatchObject({ ok: true, fields: { subject: 'Hi s299', 'primaryAction.label': 'See 7' } })
    return (user + system) / 1000
  }
  await renderPage()
  expect(await fastest(100, renderPage)).toBeLessThan(100)
})

test('a page that is too much for one thread is split, and only what is too much alone fails', async () => {
  const item = (megabytes: number) => ({
    templates: { body: '{{ n | plus: 0 }}' },
    scope: { n: megabytes, texts: Array.from({ length: megabytes }, (_, i) => String(i % 10).repeat(1_000_000)) },
  })
  const results = await pool.render([...Array.from({ length: 40 }, () => item(4)), item(160), item(4)])
  expect(results.map((result) => (result.ok ? result.fields.body : result.reason))).toEqual([
    ...Array(40).fill('4'),
    'template_memory',
    '4',
  ])
})

/** Cannot stop by itself, so its thread must be killed. */
const stuck = {
  templates: { body: `{% assign a = (1..90000) %}{% if ${Array(900).fill('a == a').join(' and ')} %}{% endif %}` },
  scope: {},
}

test('a page behind two pages of bombs waits for a bomb or two, not for all of them', async () => {
  const ended: string[] = []
  const page = (name: string, items: RenderItem[]) => pool.render(items, name).finally(() => ended.push(name))
  const bombs = [1, 2].map(() => page('bombs', Array(4).fill(stuck)))
  const healthy = page('healthy', fanOut(100))
  expect((await Promise.all([healthy, ...bombs])).map((results) => results.filter(({ ok }) => ok).length)).toEqual([
    100, 0, 0,
  ])
  expect(ended).toEqual(['healthy', 'bombs', 'bombs'])
})

test('an empty page is answered', async () => {
  expect(await pool.render([])).toEqual([])
})

test('a value that cannot cross to a thread is our fault: the call is refused, the pool goes on', async () => {
  const broken = { templates: { a: '{{ a }}' }, scope: { a: () => 1 } }
  await expect(pool.render([broken])).rejects.toThrow('could not be cloned')
  expect(await pool.render([{ ...broken, scope: { a: 1 } }])).toEqual([{ ok: true, fields: { a: '1' } }])
})

test('a closed pool refuses what is under way and what comes later', async () => {
  const closing = createRenderPool({ clock: () => new Date(), threads: 1 })
  const underWay = Promise.allSettled([closing.render([stuck]), closing.render(fanOut(1))])
  await closing.close()
  const later = Promise.allSettled([closing.render(fanOut(1))])
  const refused = { status: 'rejected', reason: new Error('the render pool is closed') }
  expect([...(await underWay), ...(await later)]).toEqual([refused, refused, refused])
  expect(await closing.render([{ templates: { a: 'static' }, scope: {} }])).toEqual([
    { ok: true, fields: { a: 'static' } },
  ])
})

/** Runs in a plain node, as the product does. Gives what the script prints; fails when the process does not end. */
async function inNode(script: string): Promise<string[]> {
  const start = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { createRenderPool } from '${new URL('./render-pool.ts', import.meta.url)}'
    const threads = () => readdirSync('/proc/self/task')
      .filter((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').startsWith('render')).length
    const pool = createRenderPool({ clock: () => new Date() })
    const stuck = ${JSON.stringify(stuck)}
    const item = { templates: { a: '{{ a | plus: 0 }}' }, scope: { a: 1 } }`
  const args = ['--input-type=module', '--eval', `${start}\n${script}`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 })
  return stdout.trim().split('\n')
}

test('a process ends by itself with an idle pool, also after a thread was killed', async () => {
  const script = `const results = await pool.render([item, stuck, item])
    console.log(results.map(({ ok }) => ok).join())`
  expect(await inNode(script)).toEqual(['true,false,true'])
})

test.runIf(process.platform === 'linux')('threads start with the first dynamic page and end with close', async () => {
  const script = `console.log(threads())
    await pool.render([{ templates: { a: 'static' }, scope: {} }])
    console.log(threads())
    await Promise.all([pool.render([item]), pool.render([item]), pool.render([item])])
    console.log(threads())
    await pool.close()
    console.log(threads())`
  expect(await inNode(script)).toEqual(['0', '0', '2', '0'])
})

test('a thread knows the language, the place and the time of the reader', async () => {
  const clock = () => new Date('2026-03-14T22:30:00Z')
  const own = createRenderPool({ clock })
  const body = '{{ payload.at | date: "long time" }}, {{ payload.at | relative }}'
  const payload = { at: '2026-03-14T23:30:00Z' }
  const items = [
    { locale: 'de-DE', timezone: 'Europe/Berlin' },
    { locale: 'en-US', timezone: 'America/New_York' },
  ].map((subscriber) => ({ templates: { body }, scope: { subscriber, payload } }))
  const results = await own.render(items)
  await own.close()
  expect(results.map((result) => (result.ok ? result.fields.body?.replaceAll(/\s/g, ' ') : result))).toEqual([
    '15. März 2026 um 00:30, in 1 Stunde',
    'March 14, 2026 at 7:30 PM, in 1 hour',
  ])
})
