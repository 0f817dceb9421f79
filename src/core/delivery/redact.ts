const mostChars = 2_000
// Shorter values are ordinary words: replacing them would hide the reason and protect nothing.
const fewestChars = 6

/** A vendor's text without our secrets, on one line and of bounded length. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.slice(0, 10_000)
  for (const secret of secrets) {
    if (secret.length < fewestChars) continue
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      clean = clean.replaceAll(form, '••••')
    }
  }
  return clean
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, mostChars)
    .toWellFormed()
}
