// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { afterEach, expect, it } from 'vitest'
import { languages, startLanguage } from '../../locales/language.ts'
import {
  fileTime,
  formatDay,
  formatDuration,
  formatMoney,
  formatPercent,
  formatTime,
  formatUsd,
  midnight,
  timeZoneName,
} from './format.ts'

afterEach(() => localStorage.clear())
const setZone = (time_zone: string) =>
  localStorage.setItem('siteInfo', JSON.stringify({ time_zone }))

it('durations are shown in milliseconds, seconds or minutes', () => {
  expect([640, 1240, 65_000].map(formatDuration)).toEqual(['640 ms', '1.24 s', '1 min 5 s'])
})

it('amounts of a vendor are written as each language writes its currency, quota always with $', async () => {
  const written: Record<string, string[]> = {}
  for (const language of languages) {
    await (i18next.isInitialized ? i18next.changeLanguage(language) : startLanguage(language))
    written[language] = [formatMoney(-1234.5, 'CNY'), formatMoney(1, 'credits'), formatUsd(1234, 2)]
  }
  expect(written).toEqual({
    zh_CN: ['-¥1,234.50', '1.00 credits', '$1,234.00'],
    zh_HK: ['-CN¥1,234.50', '1.00 credits', '$1,234.00'],
    en_US: ['-CN¥1,234.50', '1.00 credits', '$1,234.00'],
    ja_JP: ['-元\u00a01,234.50', '1.00 credits', '$1,234.00'],
  })
  expect(formatPercent(12.34, { places: 1, signed: true })).toBe('+12.3%')
  expect(formatDay('2026-11-03')).toBe('11/3')
})

it('times have the format of One Hub in the time zone of the site, which is named', () => {
  setZone('Asia/Shanghai')
  expect(formatTime(1_763_917_200)).toBe('2025-11-24 01:00:00')
  expect(timeZoneName()).toBe('Asia/Shanghai (UTC+8)')
  expect(fileTime()).toMatch(/^\d{8}-\d{6}$/)
  setZone('UTC')
  expect(formatTime(1_763_917_200)).toBe('2025-11-23 17:00:00')
  expect(timeZoneName()).toBe('UTC')
})

it('a day begins at midnight of the site, also when the clocks change', () => {
  setZone('America/New_York')
  // 2026-03-08 has 23 hours there.
  const noon = Date.parse('2026-03-09T16:00:00Z')
  expect([0, -1, -2, 1].map(days => formatTime(midnight(days, noon)))).toEqual([
    '2026-03-09 00:00:00',
    '2026-03-08 00:00:00',
    '2026-03-07 00:00:00',
    '2026-03-10 00:00:00',
  ])
})

it('no other module of the console writes numbers or times', () => {
  const root = join(import.meta.dirname, '../..')
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$|values\/format\.ts$/.test(path))
    .filter(path =>
      /toLocale(Date|Time)?String|Intl\.\w+Format|\.format\('|type="(date|datetime-local)"/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    )
  expect(others).toEqual(['api/site.ts'])
})
