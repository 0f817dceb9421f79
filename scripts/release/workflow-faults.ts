import { spawnSync } from 'node:child_process'
import { parse } from 'yaml'
import { validateWorkflow } from './github-validator.ts'

type Step = { uses?: string; run?: string }
type Workflow = {
  permissions?: unknown
  jobs?: Record<string, { uses?: string; 'timeout-minutes'?: number; steps?: Step[] }>
}

/** Returns what is wrong with a workflow. The rules of this repository are applied only to what GitHub's validator accepts. */
export async function workflowFaults(file: string, text: string): Promise<string[]> {
  const faults = await validateWorkflow(file, text)
  if (faults.length > 0) return faults
  // The validator has just accepted the text, so it has the form of a workflow.
  const { permissions, jobs = {} } = parse(text) as Workflow
  const steps = Object.entries(jobs).flatMap(([job, { steps: all = [] }]) => all.map((step) => ({ job, step })))
  return [
    ...(permissions === undefined ? ['the workflow has no permissions'] : []),
    ...Object.entries(jobs)
      .filter(([, { uses, 'timeout-minutes': timeout }]) => uses === undefined && timeout === undefined)
      .map(([job]) => `the job "${job}" has no timeout-minutes`),
    ...actionFaults(text),
    ...steps.flatMap(({ job, step }) => scriptFaults(job, step.run)),
  ].map((fault) => `${file}: ${fault}`)
}

/** An action must be pinned by its full commit, with the version as a comment for people and for Dependabot. */
function actionFaults(text: string): string[] {
  const actions = [...text.matchAll(/^[\s-]*uses: (.+)$/gm)].map(([, action = '']) => action)
  return actions
    .filter((action) => !/^\.\/|^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
    .map((action) => `"${action}" is not pinned by a commit with "# v1.2.3"`)
}

/** A script must be Bash, and must take values from the environment: an expression inside it could inject commands. */
function scriptFaults(job: string, script: string | undefined): string[] {
  if (script === undefined) return []
  const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })
  return [
    ...(status === 0 ? [] : [`a script of the job "${job}" is not Bash: ${stderr.trim()}`]),
    ...(script.includes('${{') ? [`a script of the job "${job}" contains an expression`] : []),
  ]
}
