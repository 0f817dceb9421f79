// The server of a shop. It alone has the API key: it says who is signed in and proves it by a hash.
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const { TIDINGS_URL = 'http://localhost:3000', TIDINGS_KEY, PORT = '4000' } = process.env
if (!TIDINGS_KEY) throw new Error('Set TIDINGS_KEY to the API key that Tidings printed at its first start.')

const reply = await fetch(`${TIDINGS_URL}/v1/environment`, { headers: { authorization: `ApiKey ${TIDINGS_KEY}` } })
if (!reply.ok) throw new Error(`Tidings answered ${reply.status}: ${await reply.text()}`)
const environment = (await reply.json()).data

/** What the page may know. A real shop takes the person from its own session, never from the address. */
function whoIsSignedIn() {
  const subscriberId = 'ada'
  const subscriberHash = createHmac('sha256', TIDINGS_KEY).update(subscriberId).digest('hex')
  return { applicationIdentifier: environment.identifier, subscriberId, subscriberHash, tidingsUrl: TIDINGS_URL }
}

const built = join(import.meta.dirname, 'dist')
const assets = (await readdir(join(built, 'assets'))).map((name) => `/assets/${name}`)
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer(async (request, response) => {
  const path = request.url.split('?')[0]
  if (path === '/me') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(whoIsSignedIn()))
  } else if (path === '/' || assets.includes(path)) {
    const file = path === '/' ? '/index.html' : path
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    response.end(await readFile(join(built, file)))
  } else {
    response.writeHead(404).end()
  }
})
server.listen(PORT, 'localhost', () => console.log(`The shop is open: http://localhost:${server.address().port}`))
