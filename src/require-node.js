// Says in one sentence that this Node is too old to run the program. `npm start` loads this file before anything else, and it
// is plain JavaScript because an old Node cannot read TypeScript. The program's package.json names the version.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const required = engines.node.replace('>=', '')
const [wanted, found] = [required, process.versions.node].map((version) => version.split('.').map(Number))
const first = wanted.findIndex((number, n) => number !== found[n])
if (first >= 0 && found[first] < wanted[first]) {
  console.error(
    `Tidings needs Node ${required} or newer, and this is Node ${process.versions.node}. ` +
      'On Linux `npm ci` brings the right one; on any other system install it from https://nodejs.org.',
  )
  process.exit(1)
}
