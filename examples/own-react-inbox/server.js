// The server of a shop. Only this server has the API key: it says who is signed in, and proves it with a hash.
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { subscriberHash, tidings } from '@tidings/client'

const { TIDINGS_URL = 'http://localhost:3000', TIDINGS_KEY, PORT = '4100' } = process.env
const { identifier } = await tidings({ url: TIDINGS_URL, key: TIDINGS_KEY }).environment()

/** Returns the options of useInbox(). A real shop takes the person from its own session, never from the request. */
async function inboxOptions() {
  const subscriberId = 'ada'
  return {
    url: TIDINGS_URL,
    applicationIdentifier: identifier,
    subscriberId,
    subscriberHash: await subscriberHash(TIDINGS_KEY, subscriberId),
  }
}

const built = join(import.meta.dirname, 'dist')
const assets = (await readdir(join(built, 'assets'))).map((name) => `/assets/${name}`)
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer(async (request, response) => {
  const path = request.url.split('?')[0]
  if (path === '/inbox-options') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(await inboxOptions()))
  } else if (path === '/' || assets.includes(path)) {
    const file = path === '/' ? '/index.html' : path
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    response.end(await readFile(join(built, file)))
  } else {
    response.writeHead(404).end()
  }
})
server.listen(PORT, 'localhost', () => console.log(`The shop is open: http://localhost:${server.address().port}`))
