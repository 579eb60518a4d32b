import { describe, expect, it } from 'vitest'
import { dataTemplate } from './data-template.ts'

const data = (text: string, more = '') => `{"id":"a","delta":{"content":${text}${more}}}`

describe('the pattern of data', () => {
  const withTemplate = () => {
    const template = dataTemplate()
    template.remember(data('"one"'), 'content', 'one')
    return template
  }

  it.each(['two', 'три ☃', ' ', '}}', 'a,b:[c]'])('is met by data with the text %j', text => {
    expect(withTemplate().textIn(data(`"${text}"`))).toBe(text)
  })

  it.each([
    ['an escape', data('"a\\n"')],
    ['a quote that is escaped', data('"a\\"}}"')],
    ['a control character', data('"a\tb"')],
    ['no text', data('null')],
    ['an empty text', data('""')],
    ['something else before it', data('"two"').replace('"a"', '"b"')],
    ['something else behind it', data('"two"', ',"role":"assistant"')],
    ['less than its own length', '{"id":"a","delta":{"content":"}}'],
    ['nothing', ''],
  ])('is not met by %s', (_name, other) => {
    expect(withTemplate().textIn(other)).toBe('')
  })

  it('is no longer met once other data came', () => {
    const template = withTemplate()
    expect(template.textIn(data('null'))).toBe('')
    expect(template.textIn(data('"two"'))).toBe('')
  })

  it('may have blanks around its colon', () => {
    const template = dataTemplate()
    template.remember('{"content": "one"}', 'content', 'one')
    expect(template.textIn('{"content": "two"}')).toBe('two')
  })

  it.each([
    ['the key is there twice', data('"one"', ',"more":{"content":"one"}'), 'one'],
    ['the text is written with escapes', data('"\\u006fne"'), 'one'],
    ['the text needs escapes', data('"a\\nb"'), 'a\nb'],
    ['the key is not there', '{"text":"one"}', 'one'],
    ['another value stands at the key', '{"content":5,"text":"one"}', 'one'],
    ['the text is longer', data('"one more"'), 'one'],
    ['the text is empty', data('""'), ''],
  ])('is not learnt where %s', (_name, other, text) => {
    for (const probe of [other, data('"one"')]) {
      const template = dataTemplate()
      template.remember(other, 'content', text)
      expect(template.textIn(probe)).toBe('')
    }
  })
})
