import { describe, expect, test } from 'vitest'
import { workflowFaults } from '../../scripts/release/workflow-faults.ts'

const commit = 'a'.repeat(40)
const right = `name: Example
on: { push: { branches: [main] } }
permissions: {}
jobs:
  first:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    outputs:
      word: \${{ steps.say.outputs.word }}
    steps:
      - uses: actions/checkout@${commit} # v7.0.1
      - id: say
        run: echo "word=$GITHUB_REF" >> "$GITHUB_OUTPUT"
  second:
    needs: first
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { id-token: write }
    steps:
      - run: echo "$WORD"
        env:
          WORD: \${{ needs.first.outputs.word }}
`

describe('a workflow', () => {
  test('right', async () => expect(await workflowFaults('a.yml', right)).toEqual([]))

  test.each([
    ['a misspelled event filter', 'branches', 'branchs', "a.yml:2: Unexpected value 'branchs'"],
    [
      'a permission that GitHub does not know',
      'id-token: write',
      'id-tokn: write',
      "a.yml:18: Unexpected value 'id-tokn'",
    ],
    ['a job that does not exist', 'needs: first', 'needs: frist', 'frist'],
    ['an output that no step sets', 'steps.say', 'steps.sya', 'a.yml:9: Context access might be invalid: sya'],
    ['an output that no job has', 'outputs.word }}\n', 'outputs.wrod }}\n', 'invalid: wrod'],
    ['a step that does nothing known', 'run: echo "$WORD"', 'rnu: echo "$WORD"', "Unexpected value 'rnu'"],
    ['no permissions', 'permissions: {}\n', '', 'a.yml: the workflow has no permissions'],
    ['a job without a limit of time', '    timeout-minutes: 5\n', '', 'the job "second" has no timeout-minutes'],
    ['an action by its tag', `@${commit} # v7.0.1`, '@v7', '"actions/checkout@v7" is not pinned'],
    ['a commit without its version', ' # v7.0.1', '', 'is not pinned'],
    ['a script that is not Bash', 'echo "$WORD"', 'if true', 'a script of the job "second" is not Bash'],
    [
      'an expression in a script',
      '"word=$GITHUB_REF"',
      `"word=\${{ github.ref }}"`,
      'the job "first" contains an expression',
    ],
  ])('%s is found', async (_what, before, after, fault) => {
    // If the text occurs twice, the last one is replaced.
    const at = right.lastIndexOf(before)
    const wrong = right.slice(0, at) + after + right.slice(at + before.length)
    expect(at).toBeGreaterThan(0)
    expect((await workflowFaults('a.yml', wrong)).join('\n')).toContain(fault)
  })
})
