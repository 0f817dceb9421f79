/**
 * npm run check-workflows
 *
 * Checks .github/workflows and the example deploy/github-actions.yml. It starts no workflow: GitHub does.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { workflowFaults } from './workflow-faults.ts'

const folder = '.github/workflows'
const files = [...readdirSync(folder).map((name) => `${folder}/${name}`), 'deploy/github-actions.yml']
const faults: string[] = []
for (const file of files) faults.push(...(await workflowFaults(file, readFileSync(file, 'utf8'))))
if (faults.length > 0) throw new Error(`The workflows have faults:\n- ${faults.join('\n- ')}`)
console.log(`GitHub's validator and our rules accept ${files.length} workflows.`)
