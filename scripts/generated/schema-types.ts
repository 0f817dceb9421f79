import { sql } from 'kysely'
import type { Db } from '../../src/store/database.ts'

type Column = {
  table: string
  name: string
  type: string
  nullable: boolean
  hasDefault: boolean
  generated: boolean
}

const typeOf: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  float8: 'number',
  // Read as text: a number does not hold all of them.
  int8: 'string',
  bytea: 'Buffer',
  _text: 'string[]',
  _uuid: 'string[]',
  _timestamptz: 'Date[]',
  timestamptz: 'Date',
}

/** The text of src/store/schema.ts for a migrated database: the types cannot drift from the tables. */
export async function schemaTypes(db: Db): Promise<string> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as "name", c.udt_name as "type", c.is_nullable = 'YES' as "nullable",
      c.column_default is not null as "hasDefault", c.is_generated = 'ALWAYS' as "generated"
    from information_schema.columns c
    where c.table_schema = 'public' and c.table_name <> 'schema_migration' and not exists (
      select 1 from pg_class p where p.relname = c.table_name and p.relispartition)
    order by c.table_name, c.ordinal_position`.execute(db)
  const tables = Map.groupBy(rows, (row) => row.table)
  const body = [...tables].map(([table, columns]) => `  ${table}: {\n${columns.map(line).join('\n')}\n  }`)
  return `// Made from the migrations by \`npm run generate\`; a test fails when it is stale.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Written as JSON text, read as what it says. */
type Json<Absent> = ColumnType<unknown, string | Absent, string | Extract<Absent, null>>

export type Tables = {
${body.join('\n')}
}
`
}

function line(column: Column): string {
  return `    ${column.name}: ${columnType(column)}`
}

function columnType({ table, name, type, nullable, hasDefault, generated }: Column): string {
  if (type === 'jsonb') return `Json<${nullable ? 'null' : hasDefault ? 'undefined' : 'never'}>`
  const base = typeOf[type]
  if (!base) throw new Error(`no TypeScript type for ${table}.${name} (${type})`)
  const whole = nullable ? `${base} | null` : base
  if (generated) return `GeneratedAlways<${whole}>`
  return hasDefault ? `Generated<${whole}>` : whole
}
