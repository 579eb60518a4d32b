import { randomBytes } from 'node:crypto'
import { type Env, type EnvSource, readEnvWith, readMasterKey } from '../env.ts'
import { saferRuntime } from '../lib/runtime/safer-version.ts'
import { version as release } from '../lib/runtime/version.ts'
import { type DoctorResult, failed, ok, reasonOf, sentenceOf, warning } from './check.ts'

export type Configuration = {
  results: DoctorResult[]
  /** Undefined: the environment is not valid. */
  env: Env | undefined
  /** Undefined: there is none yet, or it cannot be read. */
  masterKey: Buffer | undefined
}

export const checkConfiguration = (source: EnvSource | undefined): Configuration => {
  const key = readKey(source)
  try {
    const env = readEnvWith(key.value ?? randomBytes(32), source)
    const results = [ok('configuration', 'The variables of the environment are valid.'), key.result]
    return { results, env, masterKey: key.value }
  } catch (error) {
    return {
      results: [failed('configuration', sentenceOf(error)), key.result],
      env: undefined,
      masterKey: undefined,
    }
  }
}

const readKey = (
  source: EnvSource | undefined,
): { value: Buffer | undefined; result: DoctorResult } => {
  try {
    return { value: readMasterKey(source), result: ok('master key', 'There is a master key.') }
  } catch (error) {
    const isAbsent = /is not set, and there is no/.test(reasonOf(error))
    const result = isAbsent
      ? warning(
          'master key',
          'There is none yet. The first start makes one; with an existing database, put its key in place first.',
        )
      : failed('master key', sentenceOf(error))
    return { value: undefined, result }
  }
}

export const checkVersions = (version = process.version): DoctorResult => {
  const safer = saferRuntime(version)
  const text = `Release ${release} on Node ${version}.`
  return safer
    ? warning(
        'versions',
        `${text} This Node lacks published security fixes: install ${safer} or later of its line.`,
      )
    : ok('versions', text)
}
