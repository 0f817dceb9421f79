import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

// Digits with what people and pages put between them: spaces, all kinds of dashes, marks nobody sees.
const written = /^\+?[\d\p{Zs}\p{Pd}\p{Cf}().,/]+$/u
const longest = 40

/**
 * A phone number as vendors want it (E.164), where its country is known: by its `+` or `00`, or by the region of the
 * person's locale. Any other is given as it is. Only what is sent changes: the message, and the suppression list, keep
 * the number as it was written.
 */
export function toDialled(address: string, locale: string | null): string {
  const number = address.replace(/\p{Cf}/gu, '').trim()
  if (number.length > longest || !written.test(number) || !/\d/.test(number)) return address
  if (/^(\+|00)/.test(number)) return withPrefix(number.replace(/^00/, '+'))
  const country = countryOf(locale)
  return (country && ofCountry(number, country)) ?? address
}

/** What no country has stays a number: whether it is one is the vendor's to say. */
function withPrefix(number: string): string {
  const parsed = parsePhoneNumberFromString(number)
  return parsed?.isValid() ? parsed.number : `+${number.replace(/\D/g, '')}`
}

/**
 * Only where it can be a mobile number: an international number that lacks its plus is often a valid landline of the
 * wrong place.
 */
function ofCountry(number: string, country: CountryCode): string | undefined {
  const parsed = parsePhoneNumberFromString(number, country)
  const type = parsed?.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? parsed?.number : undefined
}

function countryOf(locale: string | null): CountryCode | undefined {
  if (!locale) return undefined
  try {
    const { region } = new Intl.Locale(locale.replaceAll('_', '-'))
    return region !== undefined && isSupportedCountry(region) ? region : undefined
  } catch {
    return undefined
  }
}
