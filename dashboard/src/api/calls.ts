import type { paths } from './types.ts'

/** What each call takes and gives, read from the description of the API. Only types: `client.ts` does the work. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

// `unknown` adds nothing to an intersection.
type PathPart<Operation> = Operation extends { parameters: { path: infer Names } } ? { path: Names } : unknown
type BodyPart<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Sent } } }
  ? { body: MayBeUndefined<Sent> }
  : unknown
/** JSON leaves out what is undefined. */
type MayBeUndefined<Body> = {
  [Name in keyof Body]: Partial<Pick<Body, Name>> extends Pick<Body, Name> ? Body[Name] | undefined : Body[Name]
}
type QueryPart<Operation> = Operation extends { parameters: { query: infer Query } }
  ? { query: MayBeEmpty<Query> }
  : Operation extends { parameters: { query?: infer Query } }
    ? [Query] extends [undefined]
      ? unknown
      : { query?: MayBeEmpty<NonNullable<Query>> }
    : unknown
/** What is empty is left out of the address. */
type MayBeEmpty<Query> = { [Name in keyof Query]: Query[Name] | null | undefined }

/** What a call is given: its part of the path, the query and the body, each only if the operation has it. */
export type Given<Operation> = PathPart<Operation> &
  QueryPart<Operation> &
  BodyPart<Operation> & { signal?: AbortSignal }

type Success = 200 | 201 | 202 | 204
type JsonOf<Response> = Response extends { content: { 'application/json': infer Sent } } ? Sent : undefined

/** What a call gives back. */
export type ReplyOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & Success]>
  : never

type Arguments<Value> = Partial<Value> extends Value ? [given?: Value] : [given: Value]

export type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...given: Arguments<Given<paths[Path][M]>>
) => Promise<ReplyOf<paths[Path][M]>>

export type Api = { [M in Method]: Call<M> }

export type GetReply<Path extends PathWith<'get'>> = ReplyOf<paths[Path]['get']>
export type GetGiven<Path extends PathWith<'get'>> = Given<paths[Path]['get']>
/** The body of a write, for forms that put it together elsewhere. */
export type BodyOf<M extends Method, Path extends PathWith<M>> =
  Given<paths[Path][M]> extends { body: infer Sent } ? Sent : never
