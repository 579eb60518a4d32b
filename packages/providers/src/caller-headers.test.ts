import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type CallerHeader,
  headerListProblem,
  neverPassed,
  neverReasonOf,
  neverReasons,
  notPassed,
  passedByFamily,
  passedByProvider,
  passedEverywhere,
  passedTranslated,
  providers,
  steeringFields,
  unremarkable,
} from './index.ts'

const document = readFileSync(new URL('../../../docs/caller-headers.md', import.meta.url), 'utf8')

/** The first cells of the tables below a heading. */
const rowsBelow = (heading: string): string[][] => {
  const [, after = ''] = document.split(`\n## ${heading}\n`)
  return after
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => /^\| (?!-|Header|Field|Reason|Format)/.test(line))
    .map(line => line.slice(2, -2).split(' | '))
}

const code = (name: string) => `\`${name}\``
const cells = (format: string, list: readonly CallerHeader[]) =>
  list.map(({ name, source }) => [code(name), format, source])

const lists: Readonly<Record<string, readonly CallerHeader[]>> = {
  ...passedByFamily,
  ...passedByProvider,
  everywhere: passedEverywhere,
  translated: passedTranslated,
}

describe('the lists of the headers of callers', () => {
  it('are those of the document, each with its source', () => {
    const own = new Set(passedTranslated.map(each => each.name))
    expect(rowsBelow('Headers that pass')).toEqual([
      ...cells('all, also translated', passedTranslated),
      ...cells(
        'all',
        passedEverywhere.filter(each => !own.has(each.name)),
      ),
      ...Object.entries(passedByFamily).flatMap(([family, list]) => cells(family, list)),
      ...Object.entries(passedByProvider).flatMap(([id, list]) => cells(id, list)),
    ])
  })

  it('say what is never passed as the document does', () => {
    expect(rowsBelow('Headers that never pass')).toEqual(
      Object.entries(neverPassed).map(([reason, names]) => [
        neverReasons[reason as keyof typeof neverReasons],
        names.map(code).join(', '),
      ]),
    )
  })

  it('name the steering fields as the document does', () => {
    expect(rowsBelow('Fields that steer a gateway')).toEqual(
      steeringFields.map(({ gateway, source, fields, inMetadata }) => [
        fields.map(code).join(', '),
        inMetadata ? 'body, `metadata`' : 'body',
        `${gateway}: ${source}`,
      ]),
    )
  })

  it('have lower case names, a source each, and ids of providers', () => {
    for (const { name, source } of [...Object.values(lists).flat(), ...notPassed]) {
      expect(name).toMatch(/^[a-z0-9_-]+\*?$/)
      expect([name, source.length > 0]).toEqual([name, true])
    }
    const ids = providers.map(each => each.id)
    expect(Object.keys(passedByProvider).filter(each => !ids.includes(each))).toEqual([])
    expect(unremarkable.filter(each => each !== each.toLowerCase())).toEqual([])
  })

  it('pass nothing that is never passed', () => {
    for (const { name } of Object.values(lists).flat())
      expect([name, neverReasonOf(name.replace('*', ''))]).toEqual([name, undefined])
  })
})

describe('the list of a channel', () => {
  it.each(['', '*', 'x-tenant', 'X-Tenant, x-other-*', 'x-tenant\nx-other'])('may be %j', text => {
    expect(headerListProblem(text)).toBeUndefined()
  })

  it.each([
    ['authorization', "'authorization' is never passed: it is a credential, or may hold one"],
    ['X-Team-Token', "'x-team-token' is never passed: it is a credential, or may hold one"],
    ['cf-*', "'cf-*' is never passed: it is added by proxies and names addresses"],
    ['x tenant:', "'x' is not the name of a header"],
    ['**', "'**' is not the name of a header"],
    [Array(51).fill('x-tenant').join(), 'at most 50 names'],
  ])('is refused with its reason: %s', (text, problem) => {
    expect(headerListProblem(text)).toBe(problem)
  })
})
