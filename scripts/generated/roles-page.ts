import { operations } from '../../src/core/access/operations.ts'
import { permissionNames as names, permissions } from '../../src/core/access/permissions.ts'
import type { Route } from '../../src/http/load-routes.ts'
import { roles, scopes } from '../../src/store/access/grants.ts'

/** docs/roles.md: who may do what, as the one table in code says (src/core/access). */
export function rolesPage(routes: readonly Route[]): string {
  return `${[intro, table(), calls(routes)].join('\n\n')}\n`
}

const intro = `# Roles and scopes

Made by \`npm run generate\` from \`src/core/access/permissions.ts\` and \`operations.ts\`; a test fails when it is stale, and
another calls every operation with every role and every scope.

**A person has a role**: one in the organization, and another one, or none, in any of its environments.

- **owner**: everything; only an owner makes another owner, or a key that reaches the organization.
- **admin**: everything else: people, environments, publishing, integrations, keys.
- **author**: workflows, layouts and languages; sends tests; no credentials.
- **operator**: keeps it running: activity, sending again, suppression, pausing, subscribers; changes no content.
- **viewer**: sees everything but secrets, and changes nothing.

**A key has a scope**: \`everything\` (unless another is chosen), \`trigger\`, \`read\` or \`inbox\` (opens inboxes of your people). It may
have an end and a note:

\`\`\`sh
api /v1/api-keys -d '{"name":"shop","scope":"trigger","expiresAt":"2030-01-01","note":"the shop triggers with it"}'
\`\`\`
<!-- shows: "scope":"trigger" -->

A change of a role, and the end of a key, are in force on every node within 5 seconds. Who may not do something gets 403
\`not_permitted\`, which says who may. In a protected environment content changes only by publishing, whoever asks.`

function table(): string {
  const grants = [...roles, ...scopes]
  const rows = names.map((name) => {
    const { of, by } = permissions[name]
    const marks = grants.map((grant) => ((by as readonly string[]).includes(grant) ? '✓' : ''))
    return `| ${name}${of === 'organization' ? ' (organization)' : ''} | ${marks.join(' | ')} |`
  })
  const head = `| permission | ${roles.join(' | ')} | ${scopes.map((scope) => `key: ${scope}`).join(' | ')} |`
  return ['## Who may what', '', head, `|---|${'---|'.repeat(grants.length)}`, ...rows].join('\n')
}

function calls(routes: readonly Route[]): string {
  const parts = names.map((name) => {
    const ofIt = routes.filter((route) => operations[route.name] === name)
    const lines = ofIt.map(({ method, path }) => `- \`${method} ${path}\``)
    return [`### ${name}`, '', ...(lines.length > 0 ? lines : ['Asked beside others.'])].join('\n')
  })
  return ['## Which operation needs which', '', parts.join('\n\n')].join('\n')
}
