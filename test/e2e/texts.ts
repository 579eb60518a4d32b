import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { root } from '../harness/paths.ts'
import { type Language, languages } from './words.ts'

const folder = join(root, 'apps/console/src/locales')
const filesOf = (language: Language) =>
  readdirSync(join(folder, language)).filter(each => each.endsWith('.json'))

const valuesOf = (texts: object): string[] =>
  Object.values(texts).flatMap(each => (typeof each === 'string' ? [each] : valuesOf(each)))

const textsOf = (language: Language): Set<string> =>
  new Set(
    filesOf(language).flatMap(file =>
      valuesOf(JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as object),
    ),
  )
const textsByLanguage = Object.fromEntries(languages.map(each => [each, textsOf(each)])) as Record<
  Language,
  Set<string>
>

const names = filesOf('en_US').map(each => each.replace('.json', ''))
/** A key such as `tokens.title`, or a place for a value that was not given. */
const missing = new RegExp(`^(${names.join('|')})(\\.[\\w-]+)+$|\\{\\{\\w+\\}\\}`)

/** Test data is named in Latin letters, so that only Chinese and Japanese words tell the language of a text. */
const isForeign = (text: string, language: Language): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) &&
  !textsByLanguage[language].has(text) &&
  languages.some(each => textsByLanguage[each].has(text))

/** Collects the texts that a person reads or hears, accessible names included. */
const textsIn = `(() => {
  const texts = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest('script, style, noscript, pre, code'))
      texts.push(walker.currentNode.data.trim())
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
    for (const each of document.querySelectorAll('[' + name + ']')) texts.push(each.getAttribute(name))
  return [...new Set(texts)]
})()`

/** Labels of which a part is hidden. Data may be cut, since it may be long. */
const cutLabels = `[...document.querySelectorAll('button, [role=tab], th, label, h1, h2, h3')]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && each.scrollWidth > each.clientWidth + 1)
  .filter(each => getComputedStyle(each).overflowX !== 'visible')
  .map(each => each.textContent)`

/** Soft: no key without a text, no text of another language, no label that is cut. */
export const isWorded = async (page: Page, language: Language): Promise<void> => {
  const texts = await page.evaluate<string[]>(textsIn)
  const keys = texts.filter(each => missing.test(each))
  expect.soft(keys, 'no missing text').toEqual([])
  const foreign = texts.filter(each => isForeign(each, language))
  expect.soft(foreign, `all texts in ${language}`).toEqual([])
  expect.soft(await page.evaluate<string[]>(cutLabels), 'no label is cut').toEqual([])
}
