import { useState } from 'react'
import { linkToken } from '../../lib/link-token.ts'
import { AskForLink } from './reset/ask-for-link.tsx'
import { ChoosePassword } from './reset/choose-password.tsx'

/** For who has forgotten the password: asks for a link, or, opened by that link, for a new password. */
export default function Reset() {
  const [token, setToken] = useState(linkToken)
  if (token === null) return <AskForLink />
  return <ChoosePassword token={token} onAskAnew={() => setToken(null)} />
}
