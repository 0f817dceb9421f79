import { invalidField } from '../../errors.ts'

const [fewest, most] = [12, 200]

/** What people choose when twelve characters are asked for, lower-cased. */
const common = new Set(
  `123456789012 1234567890123 12345678901234 123456789101112 1234567890qwerty 0123456789ab password1234 password12345
  password123456 passwordpassword passw0rd1234 p@ssw0rd1234 mypassword123 qwertyuiop12 qwertyuiop123 qwertyuiop1234
  qwertyuiopasdf qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwertyqwerty 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc
  1qaz2wsx3edc4rfv abcdefghijkl abcdefghijklm abc123abc123 iloveyou1234 iloveyou12345 iloveyouiloveyou letmein12345
  letmeinletmein welcome12345 welcome123456 administrator administrator1 adminadminadmin admin1234567 changeme1234
  changemechangeme correcthorsebatterystaple trustno1trustno1 monkey123456 dragon123456 football1234 baseball1234
  superman1234 sunshine1234 princess1234 tidings12345 notification`.split(/\s+/),
)

/** Long, and nothing that a stranger tries first. Throws 422, which never repeats the password. */
export function checkPassword(field: string, password: string, whose: { email: string; name: string }): void {
  const length = [...password].length
  if (length < fewest || length > most) throw invalidField(field, `must have ${fewest} to ${most} characters`)
  const text = password.toLowerCase()
  const own = [whose.email, whose.email.split('@')[0] ?? '', whose.name].map((it) => it.trim().toLowerCase())
  if (own.includes(text.trim())) throw invalidField(field, 'must not be your name or address')
  const isOneCharacter = new Set(text).size < 4
  if (isOneCharacter || common.has(text)) throw invalidField(field, 'is one of those that are tried first')
}
