import { expect, test } from 'vitest'
import { bestOfFive } from '../../test/fastest.ts'
import { parseTemplate, renderTemplate } from './liquid.ts'
import { renderPlain } from './plain.ts'
import { type Piece, placeOfValues } from './value-place.ts'

/** Enough for these sources. */
function piecesOf(source: string): Piece[] {
  return source.split(/(\{\{.*?\}\}|\{%.*?%\})/).map((piece) => {
    if (piece.startsWith('{{')) return { tag: 'output' }
    return piece.startsWith('{%') ? { tag: /[\w#]+/.exec(piece)?.[0] ?? '#' } : piece
  })
}

test.each<[place: string, source: string]>([
  ['text', '<p class="a">{{x}} 1 < 2 {{y}}</p>'],
  [
    'text',
    '<style>a{b:{{x}}}</style><title>{{x}}</title><!-- {{x}} --><!--[if mso]>{{x}}<![endif]--><!doctype html>{{x}}',
  ],
  ['text', '{% for a in b %}<p title="x">{{a}}</p>{% if c %}<br>{% break %}{% endif %}{% endfor %}'],
  ['text', '{% capture y %}<a href="b">{{x}}</a>{% endcapture %}{{y}}'],
  ['text', '{% comment %}<a href={% endcomment %}{{x}}{% # a %}'],
  ['quoted', '<a href="{{x}}">a</a>'],
  ['quoted', "<a b=c href = '{{x}}'>a</a>"],
  ['quoted', '<a href="{% if a %}x{% else %}{{x}}{% endif %}">'],
  ['quoted', '<script>{{x}}</script>'],
  ['anywhere', '<a href={{x}}>'],
  ['anywhere', '<a href=a{{x}}>'],
  ['anywhere', '<a {{x}}>'],
  ['anywhere', '<a href="b"{{x}}>'],
  ['anywhere', '<{{x}}>'],
  ['anywhere', '</{{x}}>'],
  ['anywhere', '<a{{x}}>'],
  ['anywhere', '<a href= {{x}}>'],
  ['anywhere', '<a href{{x}}>'],
  ['anywhere', '<a a=b"{{x}}">'],
  ['anywhere', '<a a=\u00a0"{{x}}">'],
  ['anywhere', '<{% if a %}a href={% endif %}{{x}}>'],
  ['anywhere', '{% if a %}<a href="{% else %}<a href={% endif %}{{x}}">'],
  ['anywhere', '{% for a in b %}<a title="{% endfor %}{{x}}'],
  ['anywhere', '{% capture y %}"{% endcapture %}<a href="{{y}} {{x}}">'],
  ['anywhere', '<!-- --{{x}}><a href={{x}}>'],
  ['anywhere', '<!--{{x}}><a href={{x}}>'],
  ['anywhere', '<style></sty{{x}}le><a href="">'],
  ['anywhere', '{% endif %}{{x}}'],
])('%s: %s', (place, source) => expect(placeOfValues(piecesOf(source))).toBe(place))

const limits = { timeoutMs: 1_000, maxChars: 100_000, nowMs: 0 }

test.each<[source: string, value: string, html: string]>([
  ['<p>{{payload.x}}</p>', 'a = b', '<p>a = b</p>'],
  ['<a href="{{payload.x}}">a</a>', 'https://a.example/?b=c d', '<a href="https://a.example/?b=c d">a</a>'],
  ['<a href="{{payload.x}}">a</a>', 'javascript:alert(1)', '<a >a</a>'],
  ['<a href="{{payload.x}}">a</a>', ' JAVA\tscript:alert(1)', '<a >a</a>'],
  ['<a href="java{{payload.x}}">a</a>', 'script:alert(1)', '<a >a</a>'],
  ['<iframe src="{{payload.x}}"></iframe>', 'data:image/svg+xml,x', '<iframe ></iframe>'],
  ['<a href={{payload.x}}>a</a>', 'x onmouseover=alert(1)', '<a href=x&#32;onmouseover&#61;alert(1)>a</a>'],
  ['<a href={{ payload.x | escape }}>a</a>', 'x id=`y', '<a href=x&#32;id&#61;&#96;y>a</a>'],
  ['<a href={{ payload.x | escape_once }}>a</a>', 'x\tid', '<a href=x&#9;id>a</a>'],
  ['<a href={{payload.x}}>{{ payload.x | newline_to_br }}</a>', 'a\nb', '<a href=a&#10;b>a<br />&#10;b</a>'],
  ['<a {{payload.x}}>a</a>', 'onclick=x', '<a >a</a>'],
  ['<{{payload.x}}>b</script>c', 'script', ' c'],
  ['<p onclick="a(\'{{payload.x}}\')">b</p>', "');alert(1)//", '<p >b</p>'],
  ['<script>var a = "{{payload.x}}"</script>b', '\\u0022;alert(1)//', ' b'],
  ['{% if true %}<a href={% endif %}{{payload.x}}>', 'x id=y', '<a href=x&#32;id&#61;y>'],
])('%s with %j', (source, x, html) => {
  const scope = { payload: { x } }
  expect(renderTemplate(parseTemplate(source, 'html'), scope, 'html', limits)).toBe(html)
  const plain = renderPlain(source, scope, 'html', limits.maxChars)
  if (plain) expect(plain).toEqual({ text: html })
})

test('what cleaning makes larger than allowed is refused', () => {
  const source = `<a href="{{payload.x}}" title="${'<'.repeat(500)}">`
  const few = { ...limits, maxChars: 1_000, nowMs: 0 }
  const scope = { payload: { x: 'a' } }
  expect(() => renderTemplate(parseTemplate(source, 'html'), scope, 'html', few)).toThrow('larger than allowed')
  expect(renderPlain(source, scope, 'html', few.maxChars)).toBe('too_large')
})

test.each(['<a b="', '<!--', '{{x}}<', '<style>', "<a b='c' ", '<a =', '</style'])(
  '%s: no template is slow',
  bestOfFive,
  (piece) => {
    const used = process.threadCpuUsage()
    placeOfValues(piecesOf(piece.repeat(65_000 / piece.length)))
    placeOfValues(Array.from({ length: 5_000 }, () => [piece, { tag: 'comment' }, { tag: 'endcomment' }]).flat())
    expect(process.threadCpuUsage(used).user / 1000).toBeLessThan(500)
  },
)
