import type { Outcome } from '../outcome.ts'

/**
 * Removes a secret URL from the reason. A webhook's URL is its password, and servers often quote the request
 * ("Cannot POST /hooks/…").
 */
export function withoutUrl(outcome: Outcome, url: string): Outcome {
  return outcome.kind === 'sent' ? outcome : { ...outcome, reason: hideUrl(outcome.reason, url) }
}

/** The same of a text. */
export function hideUrl(text: string, url: string): string {
  return secretsIn(url).reduce(hide, text)
}

function secretsIn(text: string): string[] {
  const url = URL.parse(text)
  if (!url) return [text]
  const path = `${url.pathname}${url.search}`
  const pieces = [...url.pathname.split('/'), ...url.searchParams.values()].filter(looksSecret)
  const all = [text, url.href, path, url.pathname, ...pieces].filter((part) => part.length > 1)
  const spellings = all.flatMap((part) => [part, part.replaceAll('/', '\\/'), encodeURIComponent(part), decode(part)])
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length)
}

/** A word such as `services` is no secret, and error messages need it. */
function looksSecret(piece: string): boolean {
  return piece.length >= 16 || (piece.length >= 8 && !/^[a-z-]+$/.test(piece))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hide(reason: string, secret: string): string {
  const hidden = reason.replaceAll(secret, '…')
  // Reasons are cut to a length, so only the beginning of a secret may be left.
  for (let length = secret.length - 1; length >= 8; length--) {
    if (hidden.endsWith(secret.slice(0, length))) return `${hidden.slice(0, -length)}…`
  }
  return hidden
}
