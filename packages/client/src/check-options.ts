import { longestTimerMs } from './wait.ts'

const unset = 'A variable that is not set, such as process.env.TIDINGS_URL, gives undefined.'

/**
 * Returns the address without a trailing slash. Throws if requests cannot be sent to it. `caller` is the function that
 * the message names. The message never repeats an address, because it may hold a password.
 */
export function readUrl(caller: string, url: unknown): string {
  const pass = "Pass the whole address of your Tidings service, such as 'https://notify.example.com'."
  const refuse = (fault: string) => new TypeError(`${caller}: url ${fault}. ${pass}`)
  if (url === undefined || url === null || url === '')
    throw new TypeError(`${caller}: url is missing. ${pass} ${unset}`)
  if (typeof url !== 'string') throw refuse('must be a string')
  if (!/^\s*https?:\/\//i.test(url)) throw refuse('must begin with https:// or http://')
  const parsed = parseUrl(url)
  if (!parsed) throw refuse('is not a valid address')
  if (parsed.username || parsed.password) throw refuse('must not contain a user name or a password')
  if (/[?#]/.test(url)) throw refuse('must not contain a query or a fragment')
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}

// `URL.parse` needs Node 22.
function parseUrl(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

/** Returns the API key. Throws if it is missing, or could not be sent in a header. */
export function readKey(caller: string, key: unknown): string {
  const pass =
    'Pass an API key (td_…). Create one with `tidings keys create` (in a checkout: `npm start -- keys create`).'
  if (key === undefined || key === null || key === '')
    throw new TypeError(`${caller}: key is missing. ${pass} ${unset.replace('URL', 'KEY')}`)
  if (typeof key !== 'string') throw new TypeError(`${caller}: key must be a string. ${pass}`)
  const trimmed = key.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new TypeError(`${caller}: key contains a character that no API key has. Copy the whole key again. ${pass}`)
  return trimmed
}

/**
 * Returns a limit as a whole number that is no longer than a timer can count. Throws if it is not a number of at least 1.
 * `name` is the option that the message names.
 */
export function readLimit(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 1) return Math.min(Math.floor(value), longestTimerMs)
  throw new TypeError(`${name} must be a number of at least 1`)
}

/** Throws unless the options say whose inbox it is. */
export function checkInboxOwner(caller: string, options: object): void {
  const given: Record<string, unknown> = { ...options }
  if ('token' in given) {
    checkText(`${caller}: token`, given.token, 'Pass the token of a session')
    return
  }
  checkText(
    `${caller}: applicationIdentifier`,
    given.applicationIdentifier,
    'Pass the identifier of your environment (te_…)',
  )
  checkText(
    `${caller}: subscriberId`,
    idOf(given.subscriber) ?? given.subscriberId,
    'Pass the id of the person who is signed in',
  )
}

/** Returns the id of a subscriber that is given as a profile or as its id alone. */
function idOf(subscriber: unknown): unknown {
  return typeof subscriber === 'object' && subscriber !== null ? Object(subscriber).subscriberId : subscriber
}

function checkText(name: string, value: unknown, pass: string): void {
  if (typeof value === 'string' && value !== '') return
  const fault = value === undefined || value === null || value === '' ? 'is missing' : 'must be a string'
  throw new TypeError(`${name} ${fault}. ${pass}. Your server gives it to the page.`)
}
