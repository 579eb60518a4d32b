import { fileURLToPath } from 'node:url'
import type { InvoiceLine } from '@hub/contract'
import PDFDocument from 'pdfkit'
import { dollars, seconds } from '../amounts.ts'
import { sumByModel } from '../sums.ts'
import { type InvoiceTexts, invoiceTexts } from '../texts.ts'
import type { PdfTask } from './index.ts'

/** A subset of Noto Sans CJK SC; `apps/server/assets/fonts/README.md` says how it is made. */
const fontFile = fileURLToPath(
  new URL('../../../../assets/fonts/NotoSansCJK-subset.otf', import.meta.url),
)

const margin = 48
const rowHeight = 18
const colors = { text: '#1f2328', muted: '#59636e', line: '#d1d9e0' }

type Pdf = PDFKit.PDFDocument
type Column = { title: string; width: number; align: 'left' | 'right' }
/** The last row is the sum, and stands out. */
type TableRows = { columns: Column[]; rows: string[][]; total: string[] }

/** Draws an invoice on A4 pages. Equal tasks give equal bytes: dates and the id of the file come from the task. */
export const invoicePdf = async (task: PdfTask): Promise<Uint8Array<ArrayBuffer>> => {
  const { document, language, createdAt } = task
  const texts = invoiceTexts[language]
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    font: fontFile,
    lang: language.replace('_', '-'),
    info: {
      Title: `${texts.title} ${document.number}`,
      Author: document.system_name,
      CreationDate: new Date(createdAt * 1000),
    },
  })
  const finished = collect(pdf)
  drawHeader(pdf, task, texts)
  drawTable(pdf, texts.byModel, modelTable(task, texts))
  drawTable(pdf, texts.byDay, dayTable(task, texts))
  drawFooters(pdf, task, texts)
  pdf.end()
  return finished
}

const collect = (pdf: Pdf): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    pdf.on('data', (part: Buffer) => parts.push(part))
    pdf.on('error', reject)
    pdf.on('end', () => resolve(Uint8Array.from(Buffer.concat(parts))))
  })

/** Replaces characters that the font lacks by the mark with which print shows a missing character. */
const printable = (pdf: Pdf, text: string): string => {
  const { font } = (pdf as unknown as { _font: { font: FontFile } })._font
  return Array.from(text, each =>
    font.hasGlyphForCodePoint(each.codePointAt(0) ?? 0) ? each : '〓',
  ).join('')
}
type FontFile = { hasGlyphForCodePoint(codePoint: number): boolean }

const drawHeader = (pdf: Pdf, { document, createdAt }: PdfTask, texts: InvoiceTexts) => {
  const { user } = document
  const width = pdf.page.width - 2 * margin
  pdf.fontSize(13).fillColor(colors.muted)
  put(pdf, document.system_name, { x: margin, y: margin, width, align: 'left' })
  pdf.fontSize(20).fillColor(colors.text)
  put(pdf, texts.title, { x: margin, y: margin + 22, width, align: 'left' })
  put(pdf, `$${document.amount.toFixed(6)}`, {
    ...{ x: margin, y: margin + 22, width, align: 'right' },
  })
  const facts = [
    [texts.number, document.number],
    [texts.month, document.date.slice(0, 7)],
    [texts.issued, timeIn(document.time_zone, createdAt)],
    [texts.timeZone, document.time_zone],
    [texts.account, user.username],
    [texts.name, user.display_name],
    [texts.email, user.email],
  ].filter(([, value]) => value)
  pdf.fontSize(10)
  let y = margin + 64
  for (const [label = '', value = ''] of facts) {
    pdf.fillColor(colors.muted)
    put(pdf, label, { x: margin, y, width: 110, align: 'left' })
    pdf.fillColor(colors.text)
    put(pdf, value, { x: margin + 120, y, width: width - 120, align: 'left' })
    y += 16
  }
  pdf.y = y + 12
}

/** `YYYY-MM-DD HH:mm:ss` */
const timeIn = (timeZone: string, secondsSince1970: number) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(secondsSince1970 * 1000)

const figureColumns = (texts: InvoiceTexts): Column[] => [
  { title: texts.requests, width: 62, align: 'right' },
  { title: texts.input, width: 76, align: 'right' },
  { title: texts.output, width: 76, align: 'right' },
  { title: texts.seconds, width: 70, align: 'right' },
  { title: texts.amount, width: 82, align: 'right' },
]

const figures = (sum: Omit<InvoiceLine, 'date' | 'model_name'>, quotaPerUnit: number) => [
  sum.request_count.toLocaleString('en-US'),
  sum.prompt_tokens.toLocaleString('en-US'),
  sum.completion_tokens.toLocaleString('en-US'),
  seconds(sum.request_time),
  dollars(sum.quota, quotaPerUnit),
]

const modelTable = ({ document }: PdfTask, texts: InvoiceTexts): TableRows => ({
  columns: [{ title: texts.model, width: 133, align: 'left' }, ...figureColumns(texts)],
  rows: sumByModel(document).map(line => [
    line.model_name || texts.unknownModel,
    ...figures(line, document.quota_per_unit),
  ]),
  total: [texts.total, ...figures(document.total, document.quota_per_unit)],
})

const dayTable = ({ document }: PdfTask, texts: InvoiceTexts): TableRows => {
  const [requests, input, output, , amount] = figureColumns(texts)
  return {
    columns: [
      { title: texts.date, width: 70, align: 'left' },
      { title: texts.model, width: 133, align: 'left' },
      ...[requests!, input!, output!, amount!],
    ],
    rows: document.lines.map(line => [
      line.date,
      line.model_name || texts.unknownModel,
      ...withoutDuration(figures(line, document.quota_per_unit)),
    ]),
    total: [texts.total, '', ...withoutDuration(figures(document.total, document.quota_per_unit))],
  }
}

const withoutDuration = (cells: string[]) => cells.filter((_, at) => at !== 3)

const drawTable = (pdf: Pdf, title: string, { columns, rows, total }: TableRows) => {
  if (!fits(pdf, 4)) pdf.addPage()
  pdf.fontSize(13).fillColor(colors.text)
  put(pdf, title, { x: margin, y: pdf.y, width: 300, align: 'left' })
  pdf.y += 24
  const head = columns.map(({ title }) => title)
  drawRow(pdf, columns, head, colors.muted)
  for (const row of rows) {
    if (!fits(pdf, 1)) {
      pdf.addPage()
      drawRow(pdf, columns, head, colors.muted)
    }
    drawRow(pdf, columns, row, colors.text)
  }
  if (!fits(pdf, 1)) pdf.addPage()
  drawRow(pdf, columns, total, colors.text)
  pdf.y += 18
}

/** The last two rows of a page belong to the footer. */
const fits = (pdf: Pdf, rowCount: number) =>
  pdf.y + rowCount * rowHeight < pdf.page.height - margin - 2 * rowHeight

const drawRow = (pdf: Pdf, columns: Column[], cells: string[], color: string) => {
  const { y } = pdf
  pdf.fontSize(8.5).fillColor(color)
  let x = margin
  columns.forEach(({ width, align }, at) => {
    put(pdf, cells[at] ?? '', { x, y, width: width - 6, align })
    x += width
  })
  const bottom = y + rowHeight - 4
  pdf.moveTo(margin, bottom).lineTo(x, bottom).lineWidth(0.5).stroke(colors.line)
  pdf.y = y + rowHeight
}

const drawFooters = (pdf: Pdf, { document, sha256 }: PdfTask, texts: InvoiceTexts) => {
  const { count } = pdf.bufferedPageRange()
  for (let at = 0; at < count; at += 1) {
    pdf.switchToPage(at)
    pdf.page.margins.bottom = 0
    pdf.fontSize(8).fillColor(colors.muted)
    const page = texts.page.replace('{page}', `${at + 1}`).replace('{pages}', `${count}`)
    const line = { x: margin, y: pdf.page.height - margin, width: pdf.page.width - 2 * margin }
    put(pdf, `${document.number} · SHA-256 ${sha256}`, { ...line, align: 'left' })
    put(pdf, page, { ...line, align: 'right' })
  }
}

type Box = { x: number; y: number; width: number; align: 'left' | 'right' }

/** Writes one line, shortened to its box. */
const put = (pdf: Pdf, text: string, { x, y, width, align }: Box) => {
  const line = shortened(pdf, printable(pdf, text), width)
  const left = align === 'right' ? x + width - pdf.widthOfString(line) : x
  const top = pdf.y
  pdf.text(line, left, y, { lineBreak: false })
  pdf.y = top
}

const shortened = (pdf: Pdf, text: string, width: number): string => {
  if (pdf.widthOfString(text) <= width) return text
  const characters = Array.from(text)
  while (characters.length > 0 && pdf.widthOfString(`${characters.join('')}…`) > width)
    characters.pop()
  return `${characters.join('')}…`
}
