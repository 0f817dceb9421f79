/**
 * Ten documents as the known block editor saves them: its names of nodes, marks and attributes, also those of older
 * versions. The words are ours.
 */
type Node = { type: string; attrs?: object; content?: Node[]; marks?: object[]; text?: string }

const bold = { type: 'bold' }
const color = (value: string) => ({ type: 'textStyle', attrs: { color: value } })
const link = (href: string, isUrlVariable = false) => ({
  type: 'link',
  attrs: { href, target: '_blank', rel: 'noopener noreferrer nofollow', class: 'no-underline', isUrlVariable },
})
const text = (words: string, ...marks: object[]): Node => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: words,
})
const variable = (id: string, fallback: string | null = null, more: object = {}): Node => ({
  type: 'variable',
  attrs: { id, label: null, fallback, required: false, hideDefaultValue: false, ...more },
})
const paragraph = (...content: Node[]): Node => ({
  type: 'paragraph',
  attrs: { textAlign: 'left', textDirection: 'ltr', showIfKey: null },
  ...(content.length > 0 && { content }),
})
const heading = (level: number, ...content: Node[]): Node => ({
  type: 'heading',
  attrs: { textAlign: 'center', level, showIfKey: null },
  content,
})
const spacer = (height: number | string): Node => ({ type: 'spacer', attrs: { height, showIfKey: null } })
const button = (words: string, url: string, more: object = {}): Node => ({
  type: 'button',
  attrs: {
    text: words,
    isTextVariable: false,
    url,
    isUrlVariable: false,
    alignment: 'center',
    variant: 'filled',
    borderRadius: 'smooth',
    buttonColor: '#0a6e5c',
    textColor: '#ffffff',
    showIfKey: null,
    paddingTop: 10,
    paddingRight: 32,
    paddingBottom: 10,
    paddingLeft: 32,
    width: 'auto',
    aliasFor: null,
    ...more,
  },
})
const image = (src: string, more: object = {}): Node => ({
  type: 'image',
  attrs: {
    src,
    alt: null,
    title: null,
    width: 500,
    height: 200.5,
    alignment: 'center',
    externalLink: null,
    isExternalLinkVariable: false,
    borderRadius: 0,
    isSrcVariable: false,
    aspectRatio: null,
    lockAspectRatio: true,
    showIfKey: null,
    ...more,
  },
})
const section = (more: object, ...content: Node[]): Node => ({
  type: 'section',
  attrs: {
    borderRadius: 6,
    backgroundColor: '#f7f7f7',
    align: 'left',
    borderWidth: 1,
    borderColor: '#e2e2e2',
    paddingTop: 12,
    paddingRight: 12,
    paddingBottom: 12,
    paddingLeft: 12,
    marginTop: 8,
    marginRight: 0,
    marginBottom: 8,
    marginLeft: 0,
    showIfKey: null,
    ...more,
  },
  content,
})
const item = (...content: Node[]): Node => ({ type: 'listItem', attrs: { color: null }, content })
const column = (width: number | string, ...content: Node[]): Node => ({
  type: 'column',
  attrs: { columnId: 'c1', width, verticalAlign: 'top' },
  content,
})
const columns = (...content: Node[]): Node => ({ type: 'columns', attrs: { showIfKey: null, gap: 8 }, content })
const repeat = (each: string, ...content: Node[]): Node => ({
  type: 'repeat',
  attrs: { each, isUpdatingKey: false, showIfKey: null, iterations: 0 },
  content,
})
const doc = (...content: Node[]): Node => ({ type: 'doc', content })

type Sample = { document: Node; seen?: string[]; unseen?: string[]; pictures?: string[] }

/** By name, with the values of its variables that must be seen. */
export const blockDocuments: Record<string, Sample> = {
  welcome: {
    document: doc(
      { type: 'logo', attrs: { src: 'https://img.example/logo.png', alt: 'Acme', size: 'md', alignment: 'left' } },
      heading(1, text('Welcome, '), variable('subscriber.firstName', 'friend')),
      paragraph(text('We are '), text('glad', bold, { type: 'italic' }), text(' that you came.')),
      button('Begin here', 'https://acme.example/begin'),
      {
        type: 'footer',
        attrs: { 'maily-component': 'footer', textAlign: 'center' },
        content: [text('Acme, Main Street 1')],
      },
    ),
    seen: ['Welcome, Ada'],
  },
  receipt: {
    document: doc(
      heading(2, text('Your order '), variable('payload.orderId')),
      repeat(
        'payload.items',
        columns(
          column(70, paragraph(variable('payload.items.name', null, { aliasFor: null }))),
          column('auto', paragraph(variable('current.price', '0'), text(' EUR'))),
        ),
        { type: 'horizontalRule' },
      ),
      paragraph(text('Total: '), { ...variable('payload.total | append: " EUR"'), marks: [bold] }),
    ),
    seen: ['Your order A-7', 'Tea', '4 EUR', 'Coffee', '0 EUR', 'Total: ', '11 EUR'],
  },
  reset: {
    document: doc(
      paragraph(text('Somebody wants a new password for '), variable('subscriber.email'), text('.')),
      button('Choose a password', 'payload.resetUrl', { isUrlVariable: true, borderRadius: 'round' }),
      paragraph(text('Or open '), text('this page', link('https://payload.resetUrl', true)), text('.')),
      button('By hand', 'https://acme.example/reset/{{payload.token}}?a=1&b=2', { variant: 'outline' }),
    ),
    seen: ['ada@example.com', 'https://acme.example/reset?t=1&u=2', 'https://acme.example/reset/t-1?a=1&b=2'],
  },
  newsletter: {
    document: doc(
      image('https://img.example/head.png', { alt: 'Autumn', externalLink: 'https://acme.example/autumn' }),
      spacer('md'),
      columns(
        column('50', heading(3, text('Left news')), paragraph(text('About apples.'))),
        column(
          '50',
          image('payload.pictureUrl', { isSrcVariable: true, alt: 'Pears' }),
          paragraph(text('About pears.')),
        ),
      ),
      { type: 'blockquote', content: [paragraph(text('An apple a day.'))] },
      {
        type: 'linkCard',
        attrs: {
          mailyComponent: 'linkCard',
          title: 'How we pick',
          description: 'From tree to table.',
          link: 'https://acme.example/pick',
          linkTitle: 'Read it',
          image: 'https://img.example/pick.png',
          badgeText: 'New',
          subTitle: '',
        },
      },
    ),
    pictures: ['https://img.example/head.png', 'https://img.example/pears.png', 'https://img.example/pick.png'],
  },
  digest: {
    document: doc(
      paragraph(variable('steps.digest-step.eventCount'), text(' people wrote:')),
      repeat(
        'steps.digest-step.events',
        { type: 'bulletList', content: [item(paragraph(variable('current.payload.who'), text(' liked it')))] },
        paragraph(variable('steps.digest-step.events.payload.what')),
      ),
    ),
    seen: ['2 people wrote:', 'Bob liked it', 'Eve liked it', 'the photo', 'the text'],
  },
  lists: {
    document: doc(
      {
        type: 'orderedList',
        attrs: { start: 3 },
        content: [
          item(paragraph(text('Third'))),
          item(paragraph(text('Fourth')), { type: 'bulletList', content: [item(paragraph(text('with a part')))] }),
        ],
      },
      { type: 'codeBlock', attrs: { language: 'sh' }, content: [text('npm start')] },
      paragraph(text('Use '), text('npm', { type: 'code' }), text(' on '), text('Linux', { type: 'underline' })),
      paragraph(text('old', { type: 'strike' }), { type: 'hardBreak' }, text('new', color('#747474'))),
    ),
  },
  conditions: {
    document: doc(
      section({ showIfKey: 'payload.isVip' }, paragraph(text('Only for very important people'))),
      section({ showIfKey: 'payload.isNew', backgroundColor: '#112233' }, paragraph(text('For the new ones'))),
      { type: 'show', attrs: { showIfKey: 'payload.none' }, content: [paragraph(text('For nobody'))] },
      button('Look', 'https://acme.example/look', { showIfKey: 'payload.zero' }),
      paragraph(text('For all')),
    ),
    seen: ['Only for very important people', 'For all'],
    unseen: ['For the new ones', 'For nobody', 'https://acme.example/look'],
  },
  raw: {
    document: doc(
      paragraph(text('Before')),
      {
        type: 'htmlCodeBlock',
        attrs: { language: 'html', activeTab: 'code', showIfKey: null },
        content: [
          text('<style>.price{color:#090}</style><table><tr><td class="price">{% if payload.total > 10 %}Much: '),
          variable('payload.total'),
          text('{% endif %}</td><td><a href="https://acme.example/raw">raw link</a></td></tr></table>'),
        ],
      },
      paragraph(text('After')),
    ),
    seen: ['Much: 11', 'raw link', 'https://acme.example/raw'],
  },
  inline: {
    document: doc(
      paragraph(
        { type: 'inlineImage', attrs: { src: 'https://img.example/i.png', alt: 'Star', width: 20, height: 20 } },
        text(' Written by hand: {{payload.orderId}} and {{ payload.none | default: "nothing" }}; 5 < 6 & "so" on'),
        text(' {% not a tag %} and {{ not this }'),
      ),
      { type: 'paragraph', attrs: { textAlign: 'right', textDirection: 'rtl' }, content: [text('שלום')] },
      paragraph(text('mail us', link('mailto:help@acme.example')), text(' or call', link('tel:+49301234'))),
    ),
    seen: ['Written by hand: A-7 and nothing; 5 < 6 & "so" on {% not a tag %} and {{ not this }'],
  },
  older: {
    document: doc(
      spacer('xl'),
      { type: 'heading', attrs: { level: 2 }, content: [text('No attributes at all')] },
      {
        type: 'for',
        attrs: { each: 'items' },
        content: [
          { type: 'paragraph', content: [variable('name'), text(' of '), variable('orderId')] },
          button('current.name', 'https://acme.example', { isTextVariable: true, aliasFor: 'payload.items.name' }),
        ],
      },
      { type: 'section', content: [{ type: 'paragraph' }, { type: 'paragraph', content: [text('Plain section')] }] },
    ),
    seen: ['Tea of A-7', 'Coffee of A-7'],
  },
}

export const blockScope = {
  subscriber: { firstName: 'Ada', email: 'ada@example.com' },
  payload: {
    orderId: 'A-7',
    total: 11,
    items: [{ name: 'Tea', price: 4 }, { name: 'Coffee' }],
    resetUrl: 'https://acme.example/reset?t=1&u=2',
    token: 't-1',
    pictureUrl: 'https://img.example/pears.png',
    isVip: true,
    isNew: false,
    zero: 0,
  },
  step: {
    digest: true,
    eventCount: 2,
    events: [
      { who: 'Bob', what: 'the photo' },
      { who: 'Eve', what: 'the text' },
    ],
  },
}
