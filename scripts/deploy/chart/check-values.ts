import { Ajv } from 'ajv'
import { readConfig } from '../../../src/config.ts'
import { readGatewayConfig } from '../../../src/gateway/gateway-config.ts'
import { type Chart, isObject, type Values, valuesOf } from './chart-files.ts'

// The chart decides on which port the processes listen and where they keep files, and no process in a cluster moves environments.
const leftOut = ['PORT', 'DATA_DIR', 'CELL_DATABASES']
// The chart writes it from gateway.cells.
const leftOutOfGateway = ['CELLS']

/** Returns the values that the schema of the chart refuses. Helm checks them before it renders anything. */
export function createValuesCheck(chart: Chart): (given: Values) => string[] {
  const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false })
  const validate = ajv.compile(JSON.parse(chart['values.schema.json'] ?? ''))
  return (given) => {
    validate(valuesOf(chart, given))
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `values${instancePath} ${message} ${params.additionalProperty ?? params.missingProperty ?? ''}`,
    )
  }
}

/** Returns where the schema is open, where it disagrees with the program's settings, and which values nobody explains. */
export function checkSchema(chart: Chart): string[] {
  const schema = JSON.parse(chart['values.schema.json'] ?? '')
  const open = objectSchemas(schema)
    .filter(({ it, path }) => isObject(it.properties) && it.additionalProperties === undefined && !isCondition(path))
    .map(({ path }) => `values.schema.json${path} accepts unknown names`)
  const { settings, existingSecrets, secretValues, gateway } = schema.properties
  const [plain, secret] = [Object.keys(settings.properties), Object.keys(existingSecrets.properties)]
  const ofGateway = Object.keys(gateway.properties.settings.properties)
  const text = chart['values.yaml'] ?? ''
  const names = objectSchemas(schema).flatMap(({ it, path }) =>
    isObject(it.properties) && !/\/(settings|secretValues|definitions\/secretKey)$/.test(path)
      ? Object.keys(it.properties)
      : [],
  )
  const unexplained = [...new Set(names)].filter((name) => name !== 'global' && !text.includes(`${name}:`))
  return [
    ...open,
    ...differences('settings of the program', [...plain, ...secret, ...leftOut], settingsOf(readConfig)),
    ...differences('secret settings', Object.keys(secretValues.properties), secret),
    ...differences(
      'settings of the gateway',
      [...ofGateway, ...secret, ...leftOut, ...leftOutOfGateway],
      [...settingsOf(readGatewayConfig), ...secret, ...leftOut],
    ),
    ...unexplained.map((name) => `values.yaml does not mention ${name}`),
  ]
}

function differences(subject: string, ours: readonly string[], theirs: readonly string[]): string[] {
  const extra = ours.filter((name) => !theirs.includes(name))
  const missing = theirs.filter((name) => !ours.includes(name))
  return [
    ...extra.map((name) => `values.schema.json has ${name}, which is not one of the ${subject}`),
    ...missing.map((name) => `values.schema.json lacks ${name} of the ${subject}`),
  ]
}

/** Returns the names that a reader of settings asks for. */
function settingsOf(read: (source: Record<string, string | undefined>) => unknown): string[] {
  const names = new Set<string>()
  const source = new Proxy<Record<string, string | undefined>>(
    { NODE_ENV: 'production' },
    {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    },
  )
  try {
    read(source)
  } catch {
    // It reports the missing settings after it has asked for all of them.
  }
  return [...names]
}

// The two parts of a condition describe an object that is closed above them.
const isCondition = (path: string) => /\/(if|then)$/.test(path)

function objectSchemas(value: unknown, path = ''): { it: Values; path: string }[] {
  if (!isObject(value)) return []
  return [
    { it: value, path },
    ...Object.entries(value).flatMap(([name, item]) => objectSchemas(item, `${path}/${name}`)),
  ]
}
