import { defaultSettings, derivedSettings } from '@hub/contract'
import { expect, it } from 'vitest'
import {
  AllSettings,
  changesOf,
  displayTextOf,
  readSettings,
  secretMask,
  sectionKeys,
} from './values.ts'

it('every declared setting is in the form, once', () => {
  const declared = [...Object.values(defaultSettings()), derivedSettings.ratios.shape].flatMap(
    section => Object.keys(section),
  )
  expect(sectionKeys.flatMap(({ keys }) => keys).toSorted()).toEqual(declared.toSorted())
  expect(new Set(declared).size).toBe(declared.length)
})

it('reads stored texts, and defaults for settings that are not stored', () => {
  const values = readSettings([
    { key: 'RetryTimes', value: '5' },
    { key: 'LogConsumeEnabled', value: 'false' },
    { key: 'Unknown', value: 'x' },
  ])
  expect(values).toMatchObject({ RetryTimes: 5, LogConsumeEnabled: false, SystemName: 'One Hub' })
  expect(values).not.toHaveProperty('Unknown')
  expect(AllSettings.safeParse(values).success).toBe(true)
})

it('a stored secret stays unless it is replaced, and is never shown', () => {
  const before = readSettings([{ key: 'SMTPToken', value: '', is_set: true }])
  expect(before.SMTPToken).toBe(secretMask)
  expect(changesOf(before, { ...before })).toEqual([])
  const [change] = changesOf(before, { ...before, SMTPToken: 'hunter2' })
  expect(change?.after).toBe('hunter2')
  expect(displayTextOf('SMTPToken', 'hunter2')).not.toContain('hunter2')
  expect(displayTextOf('SMTPToken', '')).toBe('')
  expect(displayTextOf('SMTPServer', 'smtp.example.com')).toBe('smtp.example.com')
})

it('lists only the changed settings', () => {
  const before = readSettings([])
  expect(changesOf(before, { ...before })).toEqual([])
  expect(changesOf(before, { ...before, RetryTimes: 7 })).toEqual([
    { key: 'RetryTimes', before: '3', after: '7' },
  ])
})
