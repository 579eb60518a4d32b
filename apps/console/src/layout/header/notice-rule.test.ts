import { expect, it } from 'vitest'
import { noticeRule } from './notice-rule.ts'

it('a new notice opens by itself and is stored', () => {
  expect(noticeRule('new', 'old')).toEqual({ text: 'new', opens: true, store: 'new' })
  expect(noticeRule('new', null)).toMatchObject({ opens: true })
})

it('a notice that was shown before stays closed', () => {
  expect(noticeRule('same', 'same')).toEqual({ text: 'same', opens: false, store: undefined })
})

it('without a notice on the server the stored one is still available on demand', () => {
  expect(noticeRule('', 'old')).toEqual({ text: 'old', opens: false, store: undefined })
  expect(noticeRule(undefined, null)).toEqual({ text: '', opens: false, store: undefined })
})
