import openapiTypes, { astToString } from 'openapi-typescript'

/** What src/api/types.ts says: the paths and the named schemas of docs/openapi.json, given as its text. */
export async function apiTypes(openApi: string): Promise<string> {
  const nodes = await openapiTypes(openApi, {
    // `Topic` beside `components['schemas']['Topic']`.
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    // A field of a request that has a default may be left out.
    defaultNonNullable: false,
  })
  return `// Made from docs/openapi.json by npm run generate; do not edit.\n\n${astToString(nodes)}`
}
