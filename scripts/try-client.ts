/**
 * npm run try-python-client -- <folder>, npm run try-php-client -- <folder>: runs a client of the vendor in another
 * language, from its source in that folder, against a server of its own that speaks the dialect. Fails when a call fails or
 * says something else than it should. What the folder holds tells which client it is:
 *
 * - `src/novu_py`: the newest Python client; needs httpx and pydantic. Also fails when an operation that client and server
 *   have was not called.
 * - `novu/api`: the Python client before; needs requests.
 * - `src/Novu.php`: the PHP client before the newest; needs Guzzle, as `vendor/autoload.php` or where PHP looks.
 *
 * PYTHON and PHP name the interpreters, python3 and php unless told otherwise.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withProgram } from './with-program.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const folder = resolve(positionals[0] ?? '')
const { PYTHON: python = 'python3', PHP: php = 'php' } = process.env
const clients = [
  { holds: 'src/novu_py', program: python, script: 'python/newest.py', source: 'src' },
  { holds: 'novu/api', program: python, script: 'python/older.py', source: '' },
  { holds: 'src/Novu.php', program: php, script: 'php/older.php', source: 'src' },
]
const client = clients.find(({ holds }) => existsSync(join(folder, holds)))
if (!client) throw new Error(`${folder} holds none of ${clients.map(({ holds }) => holds).join(', ')}`)

Object.assign(process.env, { VENDOR_NAMES: 'novu', PUBLIC_URL: 'https://tidings.example.com' })
await withProgram('client', async ({ url, key }) => {
  const child = spawn(client.program, [join(import.meta.dirname, client.script), url, key, folder], {
    env: { ...process.env, PYTHONPATH: join(folder, client.source), PYTHONDONTWRITEBYTECODE: '1' },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${client.script} ended with ${code}`)
})
