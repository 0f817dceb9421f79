/** For headers: no line breaks, whatever the payload holds. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Its beginning, as text that can be stored: no half of a character, no NUL, at most so many characters. */
export function cutText(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd')
}
