import { expect, test } from 'vitest'
import { toDialled } from './phone-number.ts'

test.each([
  ['+436641234567', '+436641234567'],
  [' +43 664 123-45 67 ', '+436641234567'],
  ['+43 (0) 664 1234567', '+436641234567'],
  ['+43/664/1234567', '+436641234567'],
  ['+1 (500) 555-0006', '+15005550006'],
  ['00436641234567', '+436641234567'],
  ['0043 664 1234567', '+436641234567'],
  ['+39 06 1234567', '+39061234567'],
  // Copied from a page: a no-break space, a non-breaking hyphen, marks of direction.
  ['\u202a+43\u00a0664\u20111234567\u202c', '+436641234567'],
  // Nobody's number, but with its prefix there is only one way to write it.
  ['+1 (500)', '+1500'],
  ['+999 123 456', '+999123456'],
])('%s has its country, and is dialled as %s', (address, dialled) => {
  expect(toDialled(address, null)).toBe(dialled)
  expect(toDialled(address, 'fr-FR')).toBe(dialled)
})

test.each([
  ['0664 1234567', 'de-AT', '+436641234567'],
  ['0664 1234567', 'de_AT', '+436641234567'],
  ['06 12 34 56 78', 'fr-FR', '+33612345678'],
  ['(202) 555-0123', 'en-US', '+12025550123'],
  ['12025550123', 'en-US', '+12025550123'],
  ['919876543210', 'hi-Deva-IN', '+919876543210'],
])('%s of somebody in %s is dialled as %s', (address, locale, dialled) => {
  expect(toDialled(address, locale)).toBe(dialled)
})

test.each([
  ['no locale', '0664 1234567', null],
  ['a locale without a region', '0664 1234567', 'de'],
  ['a region that is no country', '0664 1234567', 'es-419'],
  ['a locale that is none', '0664 1234567', 'not a locale'],
  ['a number of another country', '9876543210', 'en-US'],
  // As a national number it would be a landline in Leer; it is a mobile one without its plus.
  ['an international number without its plus', '491701234567', 'de-DE'],
  ['a landline', '01 5131234', 'de-AT'],
  ['a short code', '12345', 'de-DE'],
  ['a name', 'ada', 'de-AT'],
  ['a number and words', '+43 664 1234567 ext. 5', 'de-AT'],
  ['two numbers', '+436641234567+436641234568', 'de-AT'],
  ['nothing', '', 'de-AT'],
  ['a plus alone', '+', 'de-AT'],
  ['too much', `+${'4'.repeat(100)}`, 'de-AT'],
])('%s: stays as given', (_name, address, locale) => {
  expect(toDialled(address, locale)).toBe(address)
})
