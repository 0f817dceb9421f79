import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type ApiFault, toFault } from '../api/fault.ts'
import { Brand } from '../layout/nav.tsx'
import { sessionQuery, signIn } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { FaultNote } from '../ui/empty.tsx'
import { Field, Input } from '../ui/form/form.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** Only our own paths: an address from outside must not send people elsewhere after signing in. */
const safeNext = (next: string | undefined) => (next && /^\/(?![/\\])/.test(next) ? next : '/')

function useEnter() {
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  return async (by: { key: string } | { link: string }) => {
    queries.setQueryData(sessionQuery.queryKey, await signIn(by))
    router.history.replace(safeNext(next))
  }
}

/** A link works once, also when this page is drawn twice: it is taken out of the address and used a single time. */
function useLink(enter: ReturnType<typeof useEnter>) {
  const [state, setState] = useState<{ busy: boolean; fault: ApiFault | null }>(() => ({
    busy: location.hash.startsWith('#link='),
    fault: null,
  }))
  const used = useRef(false)
  useEffect(() => {
    const link = location.hash.startsWith('#link=') ? location.hash.slice('#link='.length) : ''
    if (!link || used.current) return
    used.current = true
    history.replaceState(history.state, '', location.pathname + location.search)
    enter({ link }).catch((error: unknown) => setState({ busy: false, fault: toFault(error) }))
  })
  return state
}

export default function SignIn() {
  const enter = useEnter()
  const link = useLink(enter)
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<ApiFault | null>(null)
  useEffect(() => {
    document.title = 'Sign in · Tidings'
  }, [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await enter({ key: key.trim() })
    } catch (error) {
      setFault(toFault(error))
      setBusy(false)
    }
  }
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <Brand />
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <h1 className="text-lg">Sign in</h1>
          {link.busy ? (
            <p role="status" className="mt-3 flex items-center gap-2 text-muted">
              <Spinner size={14} /> Signing in by the link
            </p>
          ) : (
            <form onSubmit={submit} className="mt-4 flex flex-col gap-4">
              {(fault ?? link.fault) && <FaultNote fault={fault ?? (link.fault as ApiFault)} />}
              <Field label="API key" hint="It is sent once and not kept in this browser.">
                <Input
                  type="password"
                  value={key}
                  onText={setKey}
                  placeholder="td_…"
                  autoFocus
                  required
                  className="font-mono"
                />
              </Field>
              <Button type="submit" kind="primary" busy={busy} disabled={!key.trim()}>
                Sign in
              </Button>
            </form>
          )}
        </div>
        <p className="mt-4 text-center text-sm text-balance text-muted">
          On a development machine, <span className="font-mono text-xs whitespace-nowrap">npm start</span> prints a link
          that signs you in.
        </p>
      </div>
    </main>
  )
}
