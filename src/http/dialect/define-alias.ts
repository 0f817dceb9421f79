import type { TSchema } from 'typebox'
import { ApiError } from '../../errors.ts'
import { bodyValidator } from '../../lib/validate.ts'
import { defaultBodyLimitBytes, type HandlerArgs, type KeyRoute, type Method } from '../define-route.ts'
import type { Route } from '../load-routes.ts'

/** Calls the route that an older address leads to, with a body that it takes. What is not given stays as it was asked. */
export type Next = <T = unknown>(changed?: { query?: unknown; body?: unknown }) => Promise<T>

type Definition<Q extends TSchema, B extends TSchema> = {
  method: Method
  path: string
  /**
   * The name of the route that it leads to. Who may call it, what is recorded and how calls are counted is as for that
   * one, so the parameters of the path have the same names, in the same order.
   */
  to: string
  query?: Q
  body?: B
  status?: KeyRoute['status']
  /** Null: nothing is answered. By default that of the route. */
  response?: TSchema | null
  handler?(args: HandlerArgs<string, Q, B> & { next: Next }): Promise<unknown>
}

export type Alias = Definition<TSchema, TSchema>

export function defineAlias<Q extends TSchema, B extends TSchema>(definition: Definition<Q, B>): Alias {
  // The host validates query and body against these schemas before it calls.
  return definition as Alias
}

/** The older address as a route of its own. */
export function toRoute(alias: Alias, routes: readonly Route[]): KeyRoute {
  const { method, path, to, query, body, status, response } = alias
  const target = routes.find((route) => route.name === to)
  if (target?.kind !== 'key') throw new Error(`${path} leads to ${to}, which is no route that is called with a key`)
  // What runs outside the handler would get a body it does not know.
  if (target.beforeTransaction || target.beforeReply || target.actsIn || target.contentCheckedByHandler)
    throw new Error(`${path} cannot lead to ${to}`)
  const checkBody = target.body ? bodyValidator(target.body) : () => {}
  return {
    ...target,
    method,
    path,
    query: query ?? (alias.handler ? undefined : target.query),
    body: body ?? (alias.handler ? undefined : target.body),
    status: status ?? target.status,
    response: response === null ? undefined : (response ?? target.response),
    together: undefined,
    isHeavy: undefined,
    bodyLimitBytes: defaultBodyLimitBytes,
    handler: (args) => {
      const next: Next = async <T>(changed = {}) => {
        if ('body' in changed) checkBody(changed.body)
        const result = await target.handler({ ...args, ...changed })
        if (result instanceof ApiError) throw result
        // As the schema of the target says.
        return result as T
      }
      return alias.handler ? alias.handler({ ...args, next }) : next()
    },
  }
}
