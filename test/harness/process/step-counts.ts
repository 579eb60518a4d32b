import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../paths.ts'

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[]
}

const sources = ['apps/server/src/', 'packages/'].map(each => pathToFileURL(join(root, each)).href)

/**
 * Counts how often the blocks of the project's sources ran in a process: its amount of work, which a busy machine does
 * not change. Native functions count nothing. https://nodejs.org/api/cli.html#node_v8_coveragedir
 */
export const makeStepCounter = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-steps-'))
  return {
    /** Optimised code does not count all of its blocks. */
    nodeArguments: ['--no-opt', '--no-maglev', '--no-sparkplug'],
    env: { NODE_V8_COVERAGE: folder },
    /** The steps of the processes that ended since the last call. */
    take: (): number => {
      let steps = 0
      for (const name of readdirSync(folder)) {
        const file = join(folder, name)
        const { result }: Coverage = JSON.parse(readFileSync(file, 'utf8'))
        for (const { url, functions } of result)
          if (sources.some(each => url.startsWith(each)))
            for (const { ranges } of functions) for (const { count } of ranges) steps += count
        rmSync(file)
      }
      return steps
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
