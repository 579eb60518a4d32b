import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('text that looks like a formula is escaped', () => {
  const cells = ['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', ' =1', '\uFF1D1', 'plain', 'a-b']
  expect(toCsv([cells])).toBe("\uFEFF'=1+1,'+1,'-2+3,'@SUM(A1),'\t=1,' =1,'\uFF1D1,plain,a-b\r\n")
})

it('numbers are not quoted, and commas, quotes and line breaks stay inside their cell', () => {
  expect(
    toCsv([
      [-5, 0.1],
      ['a,b', 'say "hi"', 'two\nlines'],
    ]),
  ).toBe('\uFEFF-5,0.1\r\n"a,b","say ""hi""","two\nlines"\r\n')
})
