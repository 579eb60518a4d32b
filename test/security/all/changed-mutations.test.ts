import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../harness/paths.ts'
import { copyProject } from '../../harness/process/project-copy.ts'
import { readChanges } from '../mutation-runs/changes.ts'
import { chooseMutations } from '../mutation-runs/choose.ts'
import { tryMutation } from '../mutation-runs/run.ts'
import { type SecurityMutation, securityMutations } from '../mutations/index.ts'

/** About the commits of one release. */
const commitsMax = 100
/** One takes 5 to 8 seconds of CPU, and all of them at most about 90. */
const mutationsMax = Number(process.env.HUB_CHANGED_MUTATIONS ?? 12)

const { changes, note } = readChanges(root, commitsMax)
const { chosen, leftOut } = chooseMutations(securityMutations, changes, mutationsMax)
const nameOf = ({ ids, file, title }: SecurityMutation): string =>
  `${ids.join(' ')} ${file}: “${title}”`

const report = (): string => {
  const counts = `${chosen.length} mutations of changed guards are run, ${leftOut.length} are left to \`npm run test:long\``
  const lists = [
    ...chosen.map(each => `  run: ${nameOf(each)}`),
    ...leftOut.map(each => `  left out: ${nameOf(each)}`),
  ]
  return [`${counts}${note ? `; ${note}` : ''}`, ...lists].join('\n')
}

it('prints which mutations of changed guards are run, and which are left to the long run', () => {
  console.log(report())
  expect(chosen.length).toBeLessThanOrEqual(mutationsMax)
  expect(report().match(/^ {2}(run|left out): /gm) ?? []).toHaveLength(
    chosen.length + leftOut.length,
  )
})

describe.skipIf(chosen.length === 0)(
  `a guard taken out that changed lately${chosen.length === 0 ? ' (skipped: none has changed)' : ''}`,
  () => {
    let folder: string
    let project: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'hub-changed-'))
      project = copyProject(folder)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it.each(chosen.map(each => [nameOf(each), each] as const))(
      'fails its test: %s',
      async (_, each) => {
        expect(await tryMutation(project, each)).toBe('noticed')
      },
    )
  },
)
