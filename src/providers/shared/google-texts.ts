/**
 * Data for an Android app. Google takes texts only, and some names are its own: with one of those it would refuse the
 * whole message. https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 */
export function googleTexts(data: Readonly<Record<string, unknown>>): Record<string, string> {
  const own = Object.entries(data).filter(([name]) => !/^(from$|message_type$|google|gcm)/.test(name))
  const texts = own.map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')])
  return Object.fromEntries(texts)
}
