/**
 * The limit that the product is measured against: PostgreSQL writing the same rows with nothing around it. The rows are
 * read from what the product wrote for real events, and written again under new ids, a page per transaction.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { uuid7 } from '../src/lib/uuid7.ts'

type Table = { name: string; columns: { name: string; type: string }[]; rows: (string | null)[][] }

/** What one page of notifications costs, row by row. */
export type Sample = {
  tables: Table[]
  notifications: number
  /** Ids that every copy has anew. */
  made: Set<string>
  people: string[]
  environmentId: string
}

type Source = { url: string; environmentId: string; notifications: number; withEvents: boolean }

/** The newest of them; values stay as PostgreSQL writes them, so that nothing is lost on the way. */
export async function readSample({ url, environmentId, notifications, withEvents }: Source): Promise<Sample> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (value: string) => value } })
  await client.connect()
  try {
    const read = (name: string, where: string, values: unknown[]) =>
      readTable(client, name, where, [environmentId, ...values])
    const notification = await read('notification', 'true order by id desc limit $2', [notifications])
    const eventIds = [...new Set(valuesOf(notification, 'event_id'))]
    const history = [
      notification,
      await read('job', 'notification_id = any ($2)', [valuesOf(notification, 'id')]),
      await read('message', 'notification_id = any ($2)', [valuesOf(notification, 'id')]),
    ]
    const events = withEvents
      ? [await read('event_key', 'event_id = any ($2)', [eventIds]), await read('event', 'id = any ($2)', [eventIds])]
      : []
    const made = [...history, ...events].flatMap((table) => [
      ...valuesOf(table, 'id'),
      ...valuesOf(table, 'transaction_id'),
    ])
    return {
      tables: [...events, ...history].map(withoutNulls),
      notifications: notification.rows.length,
      made: new Set(made),
      people: valuesOf(notification, 'subscriber_id'),
      environmentId,
    }
  } finally {
    await client.end()
  }
}

async function readTable(client: pg.Client, name: string, where: string, values: unknown[]): Promise<Table> {
  const { rows, fields } = await client.query<(string | null)[]>({
    text: `select * from ${name} where environment_id = $1 and ${where}`,
    values,
    rowMode: 'array',
  })
  const oids = fields.map((field) => field.dataTypeID)
  const types = await client.query<{ type: string }>(
    'select oid::regtype::text as type from unnest($1::oid[]) with ordinality as t (oid, n) order by n',
    [oids],
  )
  return { name, rows, columns: fields.map((field, n) => ({ name: field.name, type: types.rows[n]?.type ?? 'text' })) }
}

function valuesOf({ columns, rows }: Table, column: string): string[] {
  const at = columns.findIndex(({ name }) => name === column)
  return at < 0 ? [] : rows.flatMap((row) => row[at] ?? [])
}

/** Columns that are null anyway need not be named. */
function withoutNulls({ name, columns, rows }: Table): Table {
  const kept = columns.flatMap((_, n) => (rows.some((row) => row[n] !== null) ? n : []))
  return {
    name,
    columns: columns.filter((_, n) => kept.includes(n)),
    rows: rows.map((row) => kept.map((n) => row[n] ?? null)),
  }
}

export function rowsPerNotification(sample: Sample): { table: string; rows: number }[] {
  return sample.tables.map(({ name, rows }) => ({ table: name, rows: rows.length / sample.notifications }))
}

type Target = { url: string; environmentId: string; people: readonly string[] }
type Options = { total: number; pageSize: number; connections: number }

/** Answers notifications per second. The parameters are made before the clock starts. */
export async function writeBare(sample: Sample, target: Target, options: Options): Promise<number> {
  const copies = Math.max(1, Math.round(options.pageSize / sample.notifications))
  const perPage = copies * sample.notifications
  const cells = sample.tables.map((table) => classify(sample, table))
  const next = { person: Math.floor(Math.random() * target.people.length), time: Date.now() }
  const pages = Array.from({ length: Math.ceil(options.total / perPage) }, () =>
    makePage(sample, cells, target, copies, next),
  )
  const clients = await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const client = new pg.Client({ connectionString: target.url, application_name: 'bench bare' })
      await client.connect()
      return client
    }),
  )
  const statements = sample.tables.map(toInsert)
  const started = performance.now()
  let taken = 0
  const work = async (client: pg.Client) => {
    for (let page = pages[taken++]; page; page = pages[taken++]) {
      await client.query('begin')
      for (const [n, values] of page.entries()) {
        await client.query({ name: `bare_${n}`, text: statements[n] ?? '', values })
      }
      await client.query('commit')
    }
  }
  await Promise.all(clients.map(work))
  const seconds = (performance.now() - started) / 1000
  await Promise.all(clients.map((client) => client.end()))
  return (pages.length * perPage) / seconds
}

function toInsert({ name, columns }: Table): string {
  // unnest flattens arrays of arrays: those go as text and are read there.
  const isList = (type: string) => type.endsWith('[]')
  const given = columns.map(({ type }, n) => `$${n + 1}::${isList(type) ? 'text' : type}[]`)
  const picked = columns.map(({ name: column, type }) => (isList(type) ? `u.${column}::${type}` : `u.${column}`))
  const names = columns.map((column) => column.name)
  return `insert into ${name} (${names.join(', ')})
    select ${picked.join(', ')} from unnest(${given.join(', ')}) as u (${names.join(', ')})`
}

/** Per cell: kept as it is, an id to be made anew, or a list that holds such ids. */
type Cell = { kind: 'same' | 'id' | 'list'; value: string | null }

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

function classify(sample: Sample, { rows }: Table): Cell[][] {
  const isNew = (id: string) => sample.made.has(id) || sample.people.includes(id) || id === sample.environmentId
  return rows.map((row) =>
    row.map((value) => {
      if (value !== null && isNew(value)) return { kind: 'id', value }
      const holds = value?.startsWith('{') && (value.match(uuid) ?? []).some(isNew)
      return { kind: holds ? 'list' : 'same', value }
    }),
  )
}

/** The parameters of one page: per table, per column, all its values. */
function makePage(
  sample: Sample,
  cells: readonly Cell[][][],
  target: Target,
  copies: number,
  next: { person: number; time: number },
): (string | null)[][][] {
  const page = sample.tables.map(({ columns }) => columns.map((): (string | null)[] => []))
  for (let copy = 0; copy < copies; copy++) {
    const time = uuid7(new Date(next.time++)).slice(0, 14)
    const fresh = new Map([[sample.environmentId, target.environmentId]])
    for (const person of sample.people) fresh.set(person, target.people[next.person++ % target.people.length] ?? '')
    for (const old of sample.made) fresh.set(old, `${time}7${randomUUID().slice(15)}`)
    const idOf = (old: string) => fresh.get(old) ?? old
    for (const [t, rows] of cells.entries()) {
      for (const row of rows) {
        for (const [c, { kind, value }] of row.entries()) {
          const now =
            value === null || kind === 'same' ? value : kind === 'id' ? idOf(value) : value.replace(uuid, idOf)
          page[t]?.[c]?.push(now)
        }
      }
    }
  }
  return page
}
