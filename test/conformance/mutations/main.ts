import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../../../apps/server/src/lib/command-line/read.mjs'
import { programs } from '../../../scripts/lib/programs.mjs'
import { root } from '../../harness/paths.ts'
import { httpCallers as callers } from '../callers/index.ts'
import { features } from '../features/index.ts'
import { vendors } from '../vendors/index.ts'
import { type Mutation, runResponseMutations } from './run.ts'
import { runSourceMutations } from './sources.ts'

const line = readCommandLine(programs['conformance mutations']!)
const seed = Number(line.text('seed'))
const expected = { answers: Number(line.text('answers')), sources: Number(line.text('sources')) }

const shareOf = (mutations: readonly Mutation[]): number =>
  mutations.filter(each => each.isNoticed).length / Math.max(mutations.length, 1)

const summarize = (title: string, mutations: readonly Mutation[]): string => {
  const lost = mutations.filter(each => !each.isNoticed).map(each => `* \`${each.name}\``)
  const share = (100 * shareOf(mutations)).toFixed(1)
  return [
    `## ${title}\n`,
    `${mutations.length} mutations, ${mutations.length - lost.length} noticed (${share} of 100).`,
    ...(lost.length > 0 ? ['', 'Not noticed:', '', ...lost] : []),
  ].join('\n')
}

const answers = await runResponseMutations(
  { seed, count: expected.answers },
  features,
  callers,
  vendors,
)
console.log(summarize('Answers', answers))
const report = ({ name, isNoticed }: Mutation) => isNoticed || console.log(`not noticed: ${name}`)
const sources = await runSourceMutations({ seed, count: expected.sources, report })
console.log(summarize('Sources', sources))

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  .toString()
  .trim()
const page = `# Mutation tests

Written by \`npm run conformance -- mutations\`, seed ${seed}, commit ${commit}. At least 95 of 100 mutations must be noticed.

| Mutated | Must fail |
|---|---|
| a response of the gateway on its way to the client | the conformance grid |
| a line in the sources of the dialects | the tests of the dialects |

${summarize('Mutated responses', answers)}

${summarize('Mutated sources', sources)}
`
const isWhole = expected.answers >= 1000 && expected.sources >= 200
if (isWhole) writeFileSync(join(root, 'docs/mutation-tests.md'), page)
process.exitCode = shareOf(answers) < 0.95 || shareOf(sources) < 0.95 ? 1 : 0
