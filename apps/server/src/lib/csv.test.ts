import { expect, it } from 'vitest'
import { csvRow } from './csv.ts'

it('a text that a spreadsheet would run as a formula becomes text', () => {
  const cells = [
    '=1+1',
    '+1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    ' =1',
    '\uFF1D1',
    'plain',
    'a-b',
    -5,
    '-0.5',
  ]
  expect(csvRow(cells)).toBe("'=1+1,'+1,'-2+3,'@SUM(A1),'\t=1,' =1,'\uFF1D1,plain,a-b,-5,-0.5\r\n")
})

it('quotes, commas and line breaks stay in their cell', () => {
  expect(csvRow(['a"b', 'c,d', 'e\nf'])).toBe('"a""b","c,d","e\nf"\r\n')
})
