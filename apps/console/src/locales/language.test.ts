// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { preferredLanguage } from './language.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const setBrowserLanguages = (...languages: string[]) => vi.stubGlobal('navigator', { languages })

it('a first visit gets the first language of the browser that the console has', () => {
  setBrowserLanguages('fr-FR', 'en-GB', 'zh-CN')
  expect(preferredLanguage('zh_CN')).toBe('en_US')
  setBrowserLanguages('ja')
  expect(preferredLanguage('zh_CN')).toBe('ja_JP')
  for (const traditional of ['zh-HK', 'zh-TW', 'zh-Hant-TW', 'zh-MO']) {
    setBrowserLanguages(traditional)
    expect([traditional, preferredLanguage('en_US')]).toEqual([traditional, 'zh_HK'])
  }
  for (const simplified of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans-HK']) {
    setBrowserLanguages(simplified)
    expect([simplified, preferredLanguage('en_US')]).toEqual([simplified, 'zh_CN'])
  }
})

it('a stored choice comes before the browser, and the default of the site after it', () => {
  setBrowserLanguages('fr-FR')
  expect(preferredLanguage('ja_JP')).toBe('ja_JP')
  setBrowserLanguages('en-US')
  localStorage.setItem('appLanguage', 'zh_HK')
  expect(preferredLanguage('ja_JP')).toBe('zh_HK')
})
