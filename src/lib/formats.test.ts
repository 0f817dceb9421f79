import { describe, expect, test } from 'vitest'
import { isEmail, isIdentifier, isLocale, isTopicKey } from './formats.ts'

const label63 = 'd'.repeat(63)
const domain253 = `${'d'.repeat(59)}.${[label63, label63, label63].join('.')}.x`.slice(-253)

describe('isEmail', () => {
  test.each([
    'ada@example.com',
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    'a/b@example.com',
    'ADA@EXAMPLE.COM',
    '1@2.example',
    'x@xn--bcher-kva.example',
    'jürgen@bücher.example',
    '用户@例子.广告',
    'अजय@उदाहरण.भारत',
    '😀@example.com',
    `${'l'.repeat(64)}@example.com`,
    `a@${label63}.example`,
    `a@${domain253}`,
    'a@[192.168.0.1]',
    'a@[IPv6:2001:db8::1]',
    'a@b--c.example',
  ])('takes %s', (text) => expect(isEmail(text)).toBe(true))

  test.each([
    '',
    '@',
    'nobody',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example',
    'ada@example.',
    'ada@.example.com',
    'ada@exa..mple.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exam_ple.com',
    'ada@127.0.0.1',
    'ada@example.123',
    'ada@[127.0.0.256]',
    'ada@[example.com]',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'a b@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@exam ple.com',
    'a@b@example.com',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    'ada(comment)@example.com',
    'ada\\@example.com',
    'ada:x@example.com',
    'ada@example.com\n',
    'ada\r\nBcc: eve@example.com',
    'ada\u2028@example.com',
    'ada\u0085@example.com',
    'ada\u202e@example.com',
    'ada\u200b@example.com',
    `${'l'.repeat(65)}@example.com`,
    `a@${label63}d.example`,
    `a@d${domain253}`,
    `a@${'d.'.repeat(126)}ex`,
  ])('refuses %j', (text) => expect(isEmail(text)).toBe(false))

  test('a domain may have 253 characters and not one more', () => {
    expect(domain253).toHaveLength(253)
    expect(isEmail(`${'l'.repeat(64)}@${domain253}`)).toBe(true)
  })
})

describe('isLocale', () => {
  test.each([
    'en',
    'en-US',
    'en_US',
    'EN-us',
    'de-DE-1996',
    'de_DE_1996',
    'zh-Hant-TW',
    'zh_Hant_TW',
    'es-419',
    'sr-Latn-RS-ekavsk',
    'en-u-ca-buddhist',
    'en-x-private',
    'ast',
    'und',
  ])('takes %s', (text) => expect(isLocale(text)).toBe(true))

  test.each([
    '',
    ' ',
    'e',
    'english language',
    'en-',
    '-en',
    'en--US',
    'en US',
    'en-US ',
    'en-US.UTF-8',
    'en_US@euro',
    'en-USA1X9YZ0',
    'de-1996-1996',
    '12',
    'en\n',
    'C.UTF-8',
  ])('refuses %j', (text) => expect(isLocale(text)).toBe(false))
})

describe('isTopicKey', () => {
  test.each(['a', 'Z', '0', '-', '_', ':', 'a:b-c_D9', 'team:42:news', 'ada@example.com', 'a+b/c@example.com'])(
    'takes %s',
    (text) => expect(isTopicKey(text)).toBe(true),
  )
  test.each(['', ' ', 'a b', 'a.b', 'a/b', 'ä', 'a\n', '\na', 'a,b', 'ada@', '@example.com', 'ada@example', '日本'])(
    'refuses %j',
    (text) => expect(isTopicKey(text)).toBe(false),
  )
})

describe('isIdentifier', () => {
  test.each(['a', ' a ', 'user 42', '日本', '😀', 'a/b?c#d', "'; drop table subscriber; --", '%_\\'])(
    'takes %j',
    (text) => expect(isIdentifier(text)).toBe(true),
  )
  test.each(['', ' ', '\u00a0', '\ufeff', 'a\tb', 'a\n', '\u0000', 'a\u007f', 'a\u0085b'])('refuses %j', (text) =>
    expect(isIdentifier(text)).toBe(false),
  )
})
