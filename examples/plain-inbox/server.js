// The server of the example: the page, the files of the client, and who is signed in. No dependency.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const { TIDINGS_URL = 'http://localhost:3000', TIDINGS_KEY, PORT = '8080' } = process.env
if (!TIDINGS_KEY) throw new Error('Set TIDINGS_KEY to the API key that the first `npm start` printed.')

const here = import.meta.dirname
const client = join(here, '../../packages/client/dist')
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

/** Your own sign-in says who it is; here it is always Ada. */
const subscriberId = 'ada'

/** Made with the API key, so never in the browser. */
async function session() {
  const reply = await fetch(`${TIDINGS_URL}/v1/environment`, { headers: { authorization: `ApiKey ${TIDINGS_KEY}` } })
  if (!reply.ok) throw new Error(`${TIDINGS_URL} answered ${reply.status}: is TIDINGS_KEY right?`)
  const { data } = await reply.json()
  const subscriberHash = createHmac('sha256', TIDINGS_KEY).update(subscriberId).digest('hex')
  return { url: TIDINGS_URL, applicationIdentifier: data.identifier, subscriberId, subscriberHash }
}

async function answer(path) {
  if (path === '/session.json') return { type: 'application/json', body: JSON.stringify(await session()) }
  const file = path.startsWith('/client/')
    ? join(client, normalize(path.slice('/client'.length)))
    : join(here, 'index.html')
  return { type: types[extname(file)] ?? 'text/plain', body: await readFile(file) }
}

const server = createServer(async (request, reply) => {
  try {
    const { type, body } = await answer(new URL(request.url, 'http://localhost').pathname)
    reply.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  } catch (error) {
    console.error(error.message)
    reply.writeHead(error.code === 'ENOENT' ? 404 : 502).end()
  }
})

server.listen(Number(PORT), 'localhost', () => console.log(`The example: http://localhost:${server.address().port}`))
