import { scanJson } from '../../lib/read-json.ts'
import { parseJson } from '../shared/parse-json.ts'

// Deeper than any vendor's event. More values than a megabyte of real events holds (SendGrid's come by the thousand):
// to read a megabyte of nothing but brackets or numbers takes longer than one call may.
const mostDepth = 32
const mostValues = 60_000

/** The JSON of a vendor's call, or undefined if it is none or nothing a vendor would write. */
export function parseCallback(body: string): unknown {
  const { values, depth } = scanJson(Buffer.from(body), mostValues)
  return values <= mostValues && depth <= mostDepth ? parseJson(body) : undefined
}

// No call has more than a megabyte (`mostBytes`), and no vendor's event less than 200 bytes: whoever sends more events
// than these is no vendor.
const mostEvents = 5_000

/** The events of a vendor's list, or none if it is no list. */
export function eventsIn(json: unknown): unknown[] {
  return Array.isArray(json) ? json.slice(0, mostEvents) : []
}

// Vendors send some twenty. Reading a form takes more than twice as long for twice the fields.
const mostFields = 100

/** The form of a vendor's call, or an empty one if it has more fields than a vendor would write. */
export function parseForm(body: string): URLSearchParams {
  return new URLSearchParams(body.split('&', mostFields + 1).length > mostFields ? '' : body)
}
