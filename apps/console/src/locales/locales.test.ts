import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '@hub/contract'
import { describe, expect, it } from 'vitest'
import { languages } from './language.ts'

const here = import.meta.dirname
const source = join(here, '..')

const flatten = (words: object, path = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, `${path}${key}.`) : [`${path}${key}`],
  )

const read = (language: string, file: string): object =>
  JSON.parse(readFileSync(join(here, language, file), 'utf8'))
const filesOf = (language: string) =>
  readdirSync(join(here, language)).filter(each => each.endsWith('.json'))
const keysOf = (language: string) =>
  filesOf(language).flatMap(file => flatten({ [file.replace('.json', '')]: read(language, file) }))

const textAt = (language: string, key: string): string => {
  const [file = '', ...path] = key.split('.')
  const words: unknown = read(language, `${file}.json`)
  return String(path.reduce((at, part) => Reflect.get(at as object, part), words))
}

const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map(path => readFileSync(join(source, path), 'utf8'))

describe('words', () => {
  const first = keysOf('zh_CN').toSorted()

  it.each(languages)('%s has every word that the others have', language => {
    expect(keysOf(language).toSorted()).toEqual(first)
  })

  it.each(languages)('%s keeps the same places for values', language => {
    const places = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()
    for (const key of first)
      expect([key, places(textAt(language, key))]).toEqual([key, places(textAt('zh_CN', key))])
  })

  it('every word the code asks for exists', () => {
    const asked = sources.flatMap(text =>
      [...text.matchAll(/\bt\(\s*'([\w.-]+)'/g)].map(([, key = '']) => key),
    )
    expect(asked.length).toBeGreaterThan(100)
    expect([...new Set(asked)].filter(key => !first.includes(key))).toEqual([])
  })

  it('every message given by name exists', () => {
    const named = sources.flatMap(text =>
      [...text.matchAll(/\b(?:done|label): '((?:[\w-]+\.)+[\w-]+)'/g)].map(([, key = '']) => key),
    )
    expect([...new Set(named)].filter(key => !first.includes(key))).toEqual([])
  })

  it('every fault has a sentence', () => {
    expect(Object.keys(faults).filter(code => !first.includes(`faults.${code}`))).toEqual([])
  })

  it('no faults of the past linger', () => {
    const known = new Set(Object.keys(faults).map(code => `faults.${code}`))
    expect(first.filter(key => key.startsWith('faults.') && !known.has(key))).toEqual([])
  })

  it('the sentences of the specification stand as they were given', () => {
    expect(textAt('zh_CN', 'common.errors.busy')).toBe('错误：请求次数过多，请稍后再试！')
    expect(textAt('zh_CN', 'common.errors.server')).toBe('错误：服务器内部错误，请联系管理员！')
    expect(textAt('zh_CN', 'common.errors.demo')).toBe('本站仅作演示之用，无服务端！')
    expect(textAt('zh_CN', 'common.copied')).toBe('复制{{what}}成功！')
    expect(textAt('zh_CN', 'common.copyFailed')).toBe('复制{{what}}失败，请手动复制：')
    expect(textAt('zh_CN', 'notice.title')).toBe('公告')
  })
})
