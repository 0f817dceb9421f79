import { version } from '../../version.ts'

/** What `curl /` says: who answers here, and where to go on. It is no operation of the API. */
export const about = { name: 'Tidings', version, docs: '/docs', openapi: '/openapi.json', ready: '/health/ready' }
