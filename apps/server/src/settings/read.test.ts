import { defaultSettings } from '@hub/contract'
import { expect, it } from 'vitest'
import { isSettingKey, readSetting, readSettings, settingText } from './read.ts'

const makeReporter = () => {
  const reported: string[] = []
  return { reported, reportInvalid: (key: string) => void reported.push(key) }
}

it('without stored settings every default applies', () => {
  expect(readSettings([], () => {})).toEqual(defaultSettings())
})

it('every setting is equal after it is written as text and read', () => {
  for (const [section, values] of Object.entries(defaultSettings()))
    for (const [key, value] of Object.entries(values)) {
      expect(isSettingKey(key), key).toBe(true)
      const rows = [{ key, value: settingText(value) }]
      const read = readSettings(rows, () => {
        throw new TypeError(`${key} was not readable`)
      }) as unknown as Record<string, Record<string, unknown>>
      expect(read[section]![key], key).toEqual(value)
    }
})

it('an invalid stored value is reported and its default applies', () => {
  const { reported, reportInvalid } = makeReporter()
  const read = readSettings([{ key: 'RetryTimes', value: 'many' }], reportInvalid)
  expect(read.retry.RetryTimes).toBe(3)
  expect(reported).toEqual(['RetryTimes'])
})

it('unused keys of One Hub and names of the object prototype are ignored', () => {
  const rows = ['CFWorkerImageUrl', '__proto__', 'constructor'].map(key => ({ key, value: 'x' }))
  expect(readSettings(rows, () => {})).toEqual(defaultSettings())
})

it('invalid values are refused', () => {
  for (const [key, value] of [
    ['RetryTimes', ''],
    ['RetryTimes', '1.5'],
    ['RetryTimes', '99'],
    ['LogConsumeEnabled', 'yes'],
    ['TimeZone', 'Mars/Olympus'],
    ['TopUpLink', 'javascript:alert(1)'],
    ['Logo', 'data:text/html,x'],
    ['PaymentUSDRate', '0'],
    ['PaymentMinAmount', '1000001'],
    ['RechargeDiscount', '[0.9]'],
    ['RechargeDiscount', '{"100": 1.1}'],
    ['RechargeDiscount', '{"1e2": 0.9}'],
    ['RechargeDiscount', '{"100": 0}'],
  ] as const)
    expect(readSetting(key, value).ok, `${key}=${value}`).toBe(false)
})
