// Reads the words behind `npm test --` and `npm run test:all --`.
import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { root } from '../node.mjs'
import { suites } from './suites.mjs'

/** The suites of both tiers, for the error of an unknown word. */
export const suiteList = `The suites are ${suites.map(({ name }) => name).join(', ')}.`

const isTest = path => /\.(test|spec)\.tsx?$/.test(path)
const isSpec = path => /\.spec\.ts$/.test(path) || /^test\/e2e(\/|$)/.test(path)
const startsProduct = path => /^test\/(end-to-end|security|e2e)(\/|$)/.test(path)

/** The path of a test file or a folder from the root of the repository; nothing for anything else. */
const testPath = word => {
  const path = resolve(root, word)
  const fromRoot = relative(root, path)
  if (fromRoot === '' || fromRoot.startsWith('..') || !existsSync(path)) return undefined
  return statSync(path).isDirectory() || isTest(path) ? fromRoot : undefined
}

/** A suite for files that were named: Vitest finds the project of each by itself. */
const suiteOfFiles = (paths, isBrowser) => ({
  name: paths.join(' '),
  files: paths,
  projects: [],
  workers: 3,
  browser: isBrowser,
  whole: paths.some(startsProduct),
})

/** The suites to run, or the words that name neither a suite nor a test file. */
export const choose = (words, tier) => {
  if (words.length === 0) return { chosen: suites.filter(each => each.tier === tier), unknown: [] }
  const names = words.filter(word => suites.some(({ name }) => name === word))
  const others = words.filter(word => !names.includes(word))
  const paths = others.map(testPath)
  const [specs, files] = [true, false].map(isBrowser =>
    paths.filter(path => path !== undefined && isSpec(path) === isBrowser),
  )
  return {
    unknown: others.filter((_, index) => paths[index] === undefined),
    chosen: [
      ...suites.filter(({ name }) => names.includes(name)),
      ...(files.length ? [suiteOfFiles(files, false)] : []),
      ...(specs.length ? [suiteOfFiles(specs, true)] : []),
    ],
  }
}
