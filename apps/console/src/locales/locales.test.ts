import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extraRatioKeys, faults, sideOfUsageKey, usageClassNames } from '@hub/contract'
import { describe, expect, it } from 'vitest'
import { languages, pageTextNames } from './language.ts'

const localesFolder = import.meta.dirname
const sourceFolder = join(localesFolder, '..')

const flatten = (texts: object, path = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? flatten(value, `${path}${key}.`) : [`${path}${key}`],
  )

const read = (language: string, file: string): object =>
  JSON.parse(readFileSync(join(localesFolder, language, file), 'utf8'))
const filesOf = (language: string) =>
  readdirSync(join(localesFolder, language)).filter(each => each.endsWith('.json'))
const keysOf = (language: string) =>
  filesOf(language).flatMap(file => flatten({ [file.replace('.json', '')]: read(language, file) }))

const textAt = (language: string, key: string): string => {
  const [file = '', ...path] = key.split('.')
  const texts: unknown = read(language, `${file}.json`)
  return String(path.reduce((value, key) => Reflect.get(value as object, key), texts))
}

const sources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map(path => readFileSync(join(sourceFolder, path), 'utf8'))

describe('locales', () => {
  const keys = keysOf('zh_CN').toSorted()

  it.each(languages)('%s has the same keys as the other languages', language => {
    expect(keysOf(language).toSorted()).toEqual(keys)
  })

  it.each(languages)('%s has the same placeholders as the other languages', language => {
    const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()
    for (const key of keys)
      expect([key, placeholders(textAt(language, key))]).toEqual([
        key,
        placeholders(textAt('zh_CN', key)),
      ])
  })

  it('every key that the code uses exists', () => {
    const used = sources.flatMap(text =>
      [...text.matchAll(/\bt\(\s*'([\w.-]+)'/g)].map(([, key = '']) => key),
    )
    expect(used.length).toBeGreaterThan(100)
    expect([...new Set(used)].filter(key => !keys.includes(key))).toEqual([])
  })

  it('every key that is passed as a property exists', () => {
    const named = sources.flatMap(text =>
      [...text.matchAll(/\b(?:successKey|labelKey|label): '((?:[\w-]+\.)+[\w-]+)'/g)].map(
        ([, key = '']) => key,
      ),
    )
    expect([...new Set(named)].filter(key => !keys.includes(key))).toEqual([])
  })

  it('every fault has a text', () => {
    expect(Object.keys(faults).filter(code => !keys.includes(`faults.${code}`))).toEqual([])
  })

  it('every usage class and every key of one has a label', () => {
    const labels = [
      ...usageClassNames.map(name => `usage.classes.${name}`),
      ...[...Object.keys(sideOfUsageKey), ...extraRatioKeys].map(key => `usage.keys.${key}`),
    ]
    expect(labels.filter(key => !keys.includes(key))).toEqual([])
  })

  it('every file that belongs to no group is loaded by a page', () => {
    const calls = sources.flatMap(text => text.match(/\b(?:withTexts|loadTexts)\([^;]*/g) ?? [])
    const isLoaded = (name: string) => calls.some(each => each.includes(`'${name}'`))
    expect(pageTextNames.length).toBeGreaterThan(5)
    expect(pageTextNames.filter(name => !isLoaded(name))).toEqual([])
  })

  it('there are no texts for removed faults', () => {
    const known = new Set(Object.keys(faults).map(code => `faults.${code}`))
    expect(keys.filter(key => key.startsWith('faults.') && !known.has(key))).toEqual([])
  })

  it('the texts that the specification prescribes are unchanged', () => {
    expect(textAt('zh_CN', 'common.errors.busy')).toBe('错误：请求次数过多，请稍后再试！')
    expect(textAt('zh_CN', 'common.errors.server')).toBe('错误：服务器内部错误，请联系管理员！')
    expect(textAt('zh_CN', 'common.errors.demo')).toBe('本站仅作演示之用，无服务端！')
    expect(textAt('zh_CN', 'common.copied')).toBe('复制{{what}}成功！')
    expect(textAt('zh_CN', 'common.copyFailed')).toBe('复制{{what}}失败，请手动复制：')
    expect(textAt('zh_CN', 'notice.title')).toBe('公告')
  })
})
