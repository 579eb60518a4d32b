import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../harness/places.ts'
import { callers } from '../callers/index.ts'
import { features } from '../features.ts'
import { vendors } from '../vendors/index.ts'
import { type Mutant, runMutants } from './run.ts'
import { runSourceMutants } from './sources.ts'

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '1000' },
    sources: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})
const seed = Number(values.seed)
const wanted = { answers: Number(values.answers), sources: Number(values.sources) }

const shareOf = (mutants: readonly Mutant[]): number =>
  mutants.filter(each => each.isNoticed).length / Math.max(mutants.length, 1)

const tell = (title: string, mutants: readonly Mutant[]): string => {
  const lost = mutants.filter(each => !each.isNoticed).map(each => `* \`${each.name}\``)
  const share = (100 * shareOf(mutants)).toFixed(1)
  return [
    `## ${title}\n`,
    `${mutants.length} mutants, ${mutants.length - lost.length} noticed (${share} of 100).`,
    ...(lost.length > 0 ? ['', 'Not noticed:', '', ...lost] : []),
  ].join('\n')
}

const answers = await runMutants({ seed, count: wanted.answers }, features, callers, vendors)
console.log(tell('Answers', answers))
const told = ({ name, isNoticed }: Mutant) => isNoticed || console.log(`not noticed: ${name}`)
const sources = await runSourceMutants({ seed, count: wanted.sources, told })
console.log(tell('Sources', sources))

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  .toString()
  .trim()
const page = `# Mutants

Written by \`npm run conformance -- mutants\`, seed ${seed}, commit ${commit}. An answer of the gateway is changed on its way to the
client: the grid must turn red. Or a line of the dialects' sources is made wrong: their tests must fail. At least 95 of 100.

${tell('Answers that were changed', answers)}

${tell('Sources that were changed', sources)}
`
const isWhole = wanted.answers >= 1000 && wanted.sources >= 200
if (isWhole) writeFileSync(join(root, 'docs/mutants.md'), page)
process.exitCode = shareOf(answers) < 0.95 || shareOf(sources) < 0.95 ? 1 : 0
