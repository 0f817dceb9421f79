import { expect, test } from 'vitest'
import { browserOf } from './browser-of.ts'

test('a browser is called by its name, though it calls itself by those of others', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const [agent, name] of [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on macOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    [undefined, 'Unknown browser'],
  ] as const)
    expect(browserOf(agent)).toBe(name)
})
