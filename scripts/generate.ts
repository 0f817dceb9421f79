/** npm run generate: what is made from other files. test/system.test.ts fails when one of them is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiTypes } from '../dashboard/scripts/api-types.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
import { openApi } from '../src/http/openapi.ts'
import { loadProviders } from '../src/providers/provider.ts'
import { openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'
import { clientTypes } from './generated/client-types.ts'
import { commandsPage } from './generated/commands-page.ts'
import { migratingPage } from './generated/migrating-page.ts'
import { providersPage } from './generated/providers-page.ts'
import { rolesPage } from './generated/roles-page.ts'
import { schemaTypes } from './generated/schema-types.ts'
import { dashboardNotices, thirdPartyNotices } from './generated/third-party-notices.ts'

const root = join(import.meta.dirname, '..')
const routes = await loadRoutes()
const description = `${JSON.stringify(openApi(routes), null, 2)}\n`
writeFileSync(join(root, 'docs/openapi.json'), description)
writeFileSync(join(root, 'dashboard/src/api/types.ts'), await apiTypes(description))
writeFileSync(join(root, 'packages/client/src/api-types.ts'), clientTypes(JSON.parse(description)))
writeFileSync(join(root, 'docs/providers.md'), providersPage((await loadProviders()).all))
writeFileSync(join(root, 'docs/roles.md'), rolesPage(routes))
const migrating = join(root, 'docs/migrating.md')
writeFileSync(migrating, migratingPage(readFileSync(migrating, 'utf8'), routes))
writeFileSync(join(root, 'THIRD_PARTY_NOTICES'), thirdPartyNotices(await dashboardNotices()))
const commands = join(root, 'docs/commands.md')
writeFileSync(commands, await commandsPage(readFileSync(commands, 'utf8')))

const scratch = `tidings_te_generate_${process.pid}`
const server = await findPostgres()
await admin(server.url, (client) => client.query(`create database ${scratch}`))
const url = withDatabase(server.url, scratch)
const database = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {} })
await migrate(database.db)
writeFileSync(join(root, 'src/store/schema.ts'), await schemaTypes(database.db))
await database.close()
await admin(server.url, (client) => client.query(`drop database ${scratch}`))
await server.stop()
