import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { seeded } from '../../harness/crash/crash-rounds.ts'
import { copyProject, failsInCopy } from '../../harness/process/project-copy.ts'
import type { Mutation } from './run.ts'

/** Mistakes of programmers: a pattern in a line of code, and its replacement. */
const mistakes: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ < /g, ' >= '],
  [/ > /g, ' <= '],
  [/ \+ 1\b/g, ' + 2'],
  [/ - 1\b/g, ' - 2'],
  [/ \+= /g, ' -= '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\b0\b/g, '1'],
  [/\b1\b/g, '0'],
  [/\bif \(!/g, 'if ('],
  [/\bif \((?!!)/g, 'if (!'],
  // Behind the name of a type, a name in quotes is a type too.
  [/(?<!\b[A-Z]\w*[<[])'([a-z]\w+)'/g, "'$1_'"],
  [/^\s*(?:notes\.|warnings\.|emit\(|say\(|close\(|list\.push\().*$/g, ''],
]

type Mistake = { file: string; line: number; code: string; wrong: string }

/** Types, imports and comments have no effect at run time. */
const isCode = (line: string): boolean =>
  !/^\s*(?:\/\/|\/?\*|import |export type |export \*|type |\| |\} from )/.test(line) &&
  !/^\s*[\w?]+\??: [^,(]*$/.test(line) &&
  !/ \| '/.test(line)

const mistakesIn = (source: string, file: string): Mistake[] =>
  source.split('\n').flatMap((code, line) =>
    isCode(code)
      ? mistakes.flatMap(([pattern, instead]) =>
          [...code.matchAll(pattern)].map(match => {
            const replacement = match[0].replace(new RegExp(pattern.source), instead)
            const wrong =
              code.slice(0, match.index) + replacement + code.slice(match.index + match[0].length)
            return { file, line, code, wrong }
          }),
        )
      : [],
  )

/**
 * Puts mistakes into the sources of the dialects, one at a time, in a copy of the project. The unit tests of the
 * folder, the grid, or the tests of all dialects must fail.
 */
export const runSourceMutations = async (options: {
  seed: number
  count: number
  report: (mutation: Mutation) => void
}): Promise<Mutation[]> => {
  const copy = mkdtempSync(join(tmpdir(), 'hub-mutants-'))
  try {
    const project = copyProject(copy)
    for (const notices of [testsFail(project, dialects), gridFails(project)])
      if (await notices()) throw new Error('the tests fail without a mistake')
    return await inCopy(project, options)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const dialects = 'packages/dialects/src'

const inCopy = async (
  project: string,
  { seed, count, report }: Parameters<typeof runSourceMutations>[0],
): Promise<Mutation[]> => {
  const random = seeded(seed)
  const rest = globSync(`${dialects}/**/*.ts`, { cwd: project })
    .filter(
      file =>
        !/\.test\.ts$|\/dialect-suite\.ts$|\/generate\/|\/embeddings\/|\/index\.ts$/.test(file),
    )
    .flatMap(file => mistakesIn(readFileSync(join(project, file), 'utf8'), file))
  const mutations: Mutation[] = []
  while (mutations.length < count && rest.length > 0) {
    const [mistake] = rest.splice(Math.floor(random() * rest.length), 1)
    if (!mistake) break
    const isNoticed = await isMistakeNoticed(project, mistake)
    const name = `${relative(dialects, mistake.file)}:${mistake.line + 1}: ${mistake.wrong.trim() || `without ${mistake.code.trim()}`}`
    mutations.push({ name, isNoticed })
    report({ name, isNoticed })
  }
  return mutations
}

const isMistakeNoticed = async (
  project: string,
  { file, line, wrong }: Mistake,
): Promise<boolean> => {
  const path = join(project, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.split('\n').with(line, wrong).join('\n'))
  try {
    // From the quickest to the slowest.
    const all = [
      testsFail(project, dirname(file)),
      gridFails(project),
      testsFail(project, dialects),
    ]
    for (const notices of all) if (await notices()) return true
    return false
  } finally {
    writeFileSync(path, source)
  }
}

const testsFail = (project: string, where: string) => () => {
  const rest = ['--bail', '1', '--passWithNoTests', '--testTimeout', '300000', where]
  return fails(project, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...rest])
}

const gridFails = (project: string) => () => fails(project, ['test/conformance/main.ts'])

// A fixed seed generates the same cases for every mistake; 500 of them reach most lines.
const fails = (project: string, words: string[]): Promise<boolean> =>
  failsInCopy(project, words, { HUB_SEED: '1', HUB_ROUND_TRIP_CASES: '500' })
