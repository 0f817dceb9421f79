import { addressOf, type ClientOperation } from '../../scripts/generated/client-operations.ts'
import type { Route } from '../../src/http/load-routes.ts'

/** Which file here calls which operations of the published clients. Each is in one; each file asks `notCalled` at its end. */
export const filesOfOperations = {
  'client.test.ts': /^subscribers\.(create|createBulk|search|retrieve|patch|delete|credentials\.\w+|properties\.\w+)$/,
  'client-topics.test.ts': /^(topics\..*|subscribers\.topics\..*)$/,
  'client-channels.test.ts': /^(channelConnections|channelEndpoints)\.|^integrations\.(generate|link|integrationsC)/,
  'client-integrations.test.ts': /^integrations\.(list|listActive|create|update|delete|setAsPrimary)$/,
  'client-pipeline.test.ts':
    /^(trigger\w*|cancel|messages\.(?!deleteBy).*|notifications\..*|subscribers\.notifications\.feed)$/,
  'client-feed-state.test.ts': /^subscribers\.(messages|notifications)\.(?!feed$)/,
  'client-preferences.test.ts': /^subscribers\.preferences\./,
  'client-workflows.test.ts': /^workflows\.(?!sync$|steps\.retrieve$)/,
  'client-layouts.test.ts': /^layouts\./,
  'client-translations.test.ts': /^translations\./,
  'client-environments.test.ts': /^environments\.(?!diff$|publish$)/,
  'client-values.test.ts':
    /^(contexts\.|environmentVariables\.|messages\.deleteBy|workflows\.steps\.retrieve$|activity\.)/,
  'client-publishing.test.ts': /^(environments\.(diff|publish)|workflows\.sync)$/,
}

type Called = { operations: readonly ClientOperation[]; routes: readonly Route[]; succeeded: ReadonlySet<string> }

/** The operations of this file that a version of the client has and we have, without a successful call (`GET /path`). */
export function notCalled(file: keyof typeof filesOfOperations, { operations, routes, succeeded }: Called): string[] {
  return ours(operations, routes)
    .filter(({ name }) => filesOfOperations[file].test(name))
    .filter((operation) => ![...succeeded].some((call) => patternOf(operation).test(call)))
    .map(({ name }) => name)
}

/** Those that we have. */
export function ours(operations: readonly ClientOperation[], routes: readonly Route[]): ClientOperation[] {
  const served = new Set(routes.map(addressOf))
  return operations.filter((operation) => served.has(addressOf(operation)))
}

function patternOf({ method, path }: ClientOperation): RegExp {
  return new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
