import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InvoiceDocument } from '@hub/contract'
import { afterAll, expect, it } from 'vitest'
import { isInstalled } from '../../../../../scripts/lib/testing/suites.mjs'
import { invoiceCsv } from './csv.ts'
import { invoicePdf } from './pdf/draw.ts'
import { type InvoiceLanguage, invoiceTexts } from './texts.ts'

/** Without `poppler-utils` the test command says that these are left out. */
const readsPdfs = it.skipIf(!isInstalled('pdftotext'))

const folder = mkdtempSync(join(tmpdir(), 'hub-invoice-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const figures = (quota: number) => ({
  ...{ request_count: 2, quota, prompt_tokens: 1234, completion_tokens: 56, request_time: 1500 },
})
const documentFor = (display_name: string, models = ['gpt-4o', 'qwen-max']): InvoiceDocument => ({
  ...{ version: 1, number: '202610-7', date: '2026-10-01', time_zone: 'Asia/Shanghai' },
  system_name: 'One Hub',
  user: { id: 7, username: 'ada', display_name, email: 'ada@example.com' },
  ...{ quota_per_unit: 500_000, amount: 12.345678, total: figures(6_172_839) },
  lines: models.map(model_name => ({ date: '2026-10-03', model_name, ...figures(500_000) })),
})
const draw = (document: InvoiceDocument, language: InvoiceLanguage = 'en_US') =>
  invoicePdf({ document, language, sha256: 'f'.repeat(64), createdAt: 1_793_462_460 })
const run = (program: string, bytes: Uint8Array, ...options: string[]) => {
  const file = join(folder, 'invoice.pdf')
  writeFileSync(file, bytes)
  return execFileSync(program, [...options, file, ...(program === 'pdftotext' ? ['-'] : [])], {
    encoding: 'utf8',
  })
}

const names = {
  zh_CN: '王小明（财务部）镕喆',
  zh_HK: '陳大文・鰂魚涌邨喺度',
  en_US: 'Zoë Ångström-Núñez',
  ja_JP: '山田 太郎さん 髙島屋',
} as const

readsPdfs.each(Object.entries(names))(
  'a PDF in %s has the name of the user and the sum',
  async (language, name) => {
    const bytes = await draw(documentFor(name), language as InvoiceLanguage)
    const text = run('pdftotext', bytes, '-layout')
    const texts = invoiceTexts[language as InvoiceLanguage]
    for (const expected of [name, '$12.345678', 'ada@example.com', '2026-11-01 00:01:00'])
      expect(text).toContain(expected)
    for (const label of [texts.title, texts.byModel, texts.byDay, texts.total, texts.amount])
      expect(text).toContain(label)
    expect(text).not.toContain('〓')
    // Only the characters in use are embedded, of one font.
    const fonts = run('pdffonts', bytes).trim().split('\n').slice(2)
    expect(fonts).toHaveLength(1)
    expect(fonts[0]).toMatch(/yes yes yes/)
    expect(bytes.length).toBeLessThan(150_000)
  },
)

it('the same invoice gives the same bytes, in each language others', async () => {
  const hash = async (language: InvoiceLanguage) =>
    createHash('sha256')
      .update(await draw(documentFor('Ada'), language))
      .digest('hex')
  expect(await hash('ja_JP')).toBe(await hash('ja_JP'))
  expect(await hash('ja_JP')).not.toBe(await hash('zh_CN'))
})

readsPdfs(
  'a character that the font lacks is printed as a mark, never as an empty box',
  async () => {
    const text = run('pdftotext', await draw(documentFor('Ada 🙂 ไทย')))
    expect(text).toContain('Ada 〓 〓〓〓')
  },
)

readsPdfs(
  'a long invoice has several numbered pages, and a long name of a model stays in its column',
  async () => {
    const models = Array.from({ length: 120 }, (_, at) => `model-${at}-${'x'.repeat(60)}`)
    const bytes = await draw(documentFor('Ada', models))
    const text = run('pdftotext', bytes, '-layout')
    expect(run('pdfinfo', bytes)).toMatch(/Pages:\s+([5-9]|1\d)\n/)
    for (const at of [0, 60, 119]) expect(text).toContain(`model-${at}-`)
    expect(text).toContain('x…')
    expect(text).toMatch(/Page 1 of \d/)
  },
)

it('a CSV has a row per day and model and a sum, and no cell that a spreadsheet would run', () => {
  const models = ['=HYPERLINK("http://x")', 'a,"b"', '']
  const lines = invoiceCsv(documentFor('Ada', models), invoiceTexts.en_US).split('\r\n')
  expect(lines[0]).toBe(
    '\u{feff}Date,Model,Requests,Input tokens,Output tokens,Duration (s),Points,Amount (USD)',
  )
  expect(lines[1]).toBe(`2026-10-03,"'=HYPERLINK(""http://x"")",2,1234,56,1.50,500000,1.000000`)
  expect(lines[2]).toContain('"a,""b"""')
  expect(lines[3]).toContain('(unknown model)')
  expect(lines[4]).toBe('Total,,2,1234,56,1.50,6172839,12.345678')
})
