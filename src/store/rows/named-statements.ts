import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { Query } from '../connect/wrap-clients.ts'

const mark = '/* named */'

/**
 * At the very start of a statement: each connection parses and plans it once. Only for one text of its own, never put
 * together from what a caller gave, and only for inserts: a plan is kept while tables grow, and that of a select may
 * have been made when its table was empty.
 */
export const named = sql.raw(mark)

// There are a dozen. A text that changes by mistake would fill the memory of every connection.
const mostNames = 50

// A pooler that gives each transaction another connection: the statement is there already, or not yet.
const duplicateName = '42P05'
const unknownName = '26000'
// A migration changed what the statement returns.
const changedResult = '0A000'

const nameFaults = new WeakSet<object>()

/** The name was at fault, not the statement: repeated as a whole, the transaction succeeds. */
export function isNameFault(error: unknown): boolean {
  return typeof error === 'object' && error !== null && nameFaults.has(error)
}

type Names = {
  nameOf(text: string): string | undefined
  /** Whether the statement may succeed when it is tried again. */
  learn(text: string, error: unknown): boolean
}

/** The name is a digest of the text: whoever prepared it, on whatever connection, it is the same statement. */
export function createNames(): Names {
  const names = new Map<string, string>()
  let isOff = false
  return {
    nameOf(text) {
      if (isOff) return undefined
      const known = names.get(text)
      if (known !== undefined || names.size >= mostNames) return known
      const name = digest(text)
      names.set(text, name)
      return name
    },
    learn(text, error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code === duplicateName || code === unknownName) isOff = true
      // Prepared anew under another name; the old ones go with their connections.
      else if (code === changedResult) names.set(text, digest(names.get(text) ?? text))
      else return false
      return true
    },
  }
}

function digest(text: string): string {
  return `tidings_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
}

/** The query function of a connection on which marked statements have names. */
export function nameStatements(names: Names, client: pg.PoolClient, query: Query): Query {
  return async (text, values) => {
    const name = text.startsWith(mark) ? names.nameOf(text) : undefined
    if (name === undefined) return query(text, values)
    const isAlone = client.getTransactionStatus() === 'I'
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!names.learn(text, error)) throw error
      if (isAlone) return query(text, values)
      if (error instanceof Error) nameFaults.add(error)
      throw error
    }
  }
}
