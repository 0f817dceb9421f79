import type { Code, Model } from './slack-model.ts'

/** What a person sees at Slack, and where the buttons lead. */

export type Page = { status: number; html: string } | { location: string }

/** The page with which Slack asks, by the query of the address that the app sent the browser to. */
export function askPage(model: Model, kind: Code['kind'], query: URLSearchParams): Page {
  const fault = faultOf(model, kind, query)
  if (fault) return { status: 400, html: page('Something went wrong', `<p>${escapeHtml(fault)}</p>`) }
  const scopes = scopesOf(query)
  const hidden = [...query].map(([name, value]) => input(name, value)).join('')
  const workspaces = [...model.workspaces.values()]
  const people = workspaces.flatMap((it) => it.people.map(({ id, name }) => option(`${it.id}/${id}`, name, it.name)))
  const channels = workspaces.flatMap((it) => it.channels.map(({ id, name }) => option(id, `#${name}`, it.name)))
  const channel = scopes.includes('incoming-webhook')
    ? `<label>Where should ${escapeHtml(model.app.name)} post? <select name="_channel">${channels.join('')}</select></label>`
    : ''
  const title = `${escapeHtml(model.app.name)} is requesting permission to access Slack`
  return {
    status: 200,
    html: page(
      title,
      `<ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
      <form method="post">${hidden}
        <label>You are <select name="_who">${people.join('')}</select></label>${channel}
        <button name="_decision" value="cancel">Cancel</button>
        <button name="_decision" value="allow">Allow</button>
      </form>`,
    ),
  }
}

/** What the person decided. */
export function decide(model: Model, kind: Code['kind'], form: URLSearchParams): Page {
  const fault = faultOf(model, kind, form)
  if (fault) return { status: 400, html: page('Something went wrong', `<p>${escapeHtml(fault)}</p>`) }
  const redirectUri = form.get('redirect_uri') ?? ''
  const to = new URL(redirectUri)
  const state = form.get('state')
  if (form.get('_decision') === 'allow') {
    const [workspaceId = '', userId = ''] = (form.get('_who') ?? '').split('/')
    if (!model.workspaces.get(workspaceId)?.people.some(({ id }) => id === userId)) {
      return { status: 400, html: page('Something went wrong', '<p>Nobody is signed in.</p>') }
    }
    const [nonce, channel] = [form.get('nonce') ?? undefined, form.get('_channel') ?? undefined]
    const scopes = scopesOf(form)
    to.searchParams.set('code', model.makeCode({ kind, workspaceId, userId, redirectUri, scopes, nonce, channel }))
  } else {
    to.searchParams.set('error', 'access_denied')
  }
  if (state !== null) to.searchParams.set('state', state)
  return { location: to.href }
}

function faultOf({ app }: Model, kind: Code['kind'], query: URLSearchParams): string | undefined {
  if (query.get('client_id') !== app.clientId) return 'Invalid client_id parameter'
  if (!isRegistered(app.redirectUris, query.get('redirect_uri') ?? '')) {
    return `redirect_uri did not match any configured URIs. Passed URI: ${query.get('redirect_uri')}`
  }
  const scopes = scopesOf(query)
  if (scopes.length === 0) return 'Missing scope'
  if (kind === 'openid' && (!scopes.includes('openid') || query.get('response_type') !== 'code')) {
    return 'Invalid scope or response_type'
  }
  return undefined
}

/** One of those that the app names, or below one of them. */
function isRegistered(registered: readonly string[], asked: string): boolean {
  return registered.some((uri) => asked === uri || asked.startsWith(uri.endsWith('/') ? uri : `${uri}/`))
}

/** Separated by commas, and by spaces in OpenID. */
function scopesOf(query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean)
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`
}

function input(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
}

function option(value: string, name: string, where: string): string {
  return `<option value="${escapeHtml(value)}">${escapeHtml(name)} (${escapeHtml(where)})</option>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
