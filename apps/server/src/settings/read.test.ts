import { defaultSettings } from '@hub/contract'
import { expect, it } from 'vitest'
import { isSetting, readSetting, readSettings, settingText } from './read.ts'

const complaints = () => {
  const heard: string[] = []
  return { heard, complain: (key: string) => void heard.push(key) }
}

it('nothing stored means every default', () => {
  expect(readSettings([], () => {})).toEqual(defaultSettings())
})

it('every declared setting survives being written as text and read', () => {
  for (const [section, values] of Object.entries(defaultSettings()))
    for (const [key, value] of Object.entries(values)) {
      expect(isSetting(key), key).toBe(true)
      const rows = [{ key, value: settingText(value) }]
      const read = readSettings(rows, () => {
        throw new TypeError(`${key} was not readable`)
      }) as unknown as Record<string, Record<string, unknown>>
      expect(read[section]![key], key).toEqual(value)
    }
})

it('a stored value that does not fit is told and its default used', () => {
  const { heard, complain } = complaints()
  const read = readSettings([{ key: 'RetryTimes', value: 'many' }], complain)
  expect(read.retry.RetryTimes).toBe(3)
  expect(heard).toEqual(['RetryTimes'])
})

it('keys of One Hub that nothing obeys, and names of the prototype, change nothing', () => {
  const rows = ['CFWorkerImageUrl', '__proto__', 'constructor'].map(key => ({ key, value: 'x' }))
  expect(readSettings(rows, () => {})).toEqual(defaultSettings())
})

it('values of another kind are refused', () => {
  for (const [key, value] of [
    ['RetryTimes', ''],
    ['RetryTimes', '1.5'],
    ['RetryTimes', '99'],
    ['LogConsumeEnabled', 'yes'],
    ['TimeZone', 'Mars/Olympus'],
    ['TopUpLink', 'javascript:alert(1)'],
    ['Logo', 'data:text/html,x'],
  ] as const)
    expect(readSetting(key, value).ok, `${key}=${value}`).toBe(false)
})
