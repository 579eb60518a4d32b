import { readFileSync, writeFileSync } from 'node:fs'
import { isPriceMode } from '@hub/contract'
import { commonPriceFields, type PriceField, providers } from '@hub/providers'
import { expect, it } from 'vitest'
import shipped from '../src/billing/defaults/price-modes.json' with { type: 'json' }

const documented = [...new Set(providers.flatMap(each => each.priceFields.ratios))]

it('ships the ratios that the tables of the providers document', () => {
  expect(shipped).toEqual(documented)
})

it('has a key of prices for each mode of a field and of a ratio', () => {
  const fields = providers.flatMap(each => each.priceFields.fields)
  const modes = [
    ...fields.flatMap(each => Object.values(each.modes)),
    ...documented.flatMap(each => Object.keys(each.ratios)),
  ]
  expect([...new Set(modes)].filter(each => !isPriceMode(each))).toEqual([])
})

it('names a page for each field and each ratio', () => {
  const all = providers.flatMap(({ priceFields: { fields, ratios } }) => [...fields, ...ratios])
  expect(all.filter(({ source }) => !/^https:\/\/\S+$/.test(source))).toEqual([])
})

/** Providers by their table; those without one of their own share the common one. */
const tables = new Map([[commonPriceFields.fields, [] as string[]]])
for (const { id, priceFields } of providers)
  tables.set(priceFields.fields, [...(tables.get(priceFields.fields) ?? []), id])

const code = (texts: readonly string[]) => texts.map(each => `\`${each}\``).join(', ') || '–'

const rowOf = (field: PriceField): string => {
  const { name, in: place, defaults, modes, elements, onlyModels, source } = field
  const keys = Object.entries(modes).map(([value, key]) => `${value} → ${key}`)
  const only = [
    ...(elements ? [`elements \`${elements.source}\``] : []),
    ...(onlyModels ? [`models \`${onlyModels.source.replaceAll('|', '\\|')}\``] : []),
  ]
  const shown = [place, code(defaults), code(keys), only.join(', ') || '–', `[page](${source})`]
  return `| \`${name}\` | ${shown.join(' | ')} |`
}

const head = [
  '| Field | In | Values at the standard price | Values with a ratio | Judged | Source |',
  '|---|---|---|---|---|---|',
]

const fieldTables = [...tables].map(([fields, ids]) => {
  const title = fields === commonPriceFields.fields ? 'all other providers' : ids.join(', ')
  return [`### ${title}`, '', ...head, ...fields.map(rowOf)].join('\n')
})

const ratioTable = [
  ...['| Models | Ratio | Read on | Source |', '|---|---|---|---|'],
  ...documented.map(({ models, ratios, date, source }) => {
    const keys = Object.entries(ratios).map(([key, ratio]) => `${key} ${ratio}`)
    return `| ${code(models)} | ${code(keys)} | ${date} | [page](${source}) |`
  }),
].join('\n')

const page = new URL('../../../docs/price-fields.md', import.meta.url)

it('documents every field, value and ratio of the tables', () => {
  const text = readFileSync(page, 'utf8')
  if (process.env.WRITE_PRICE_FIELDS) {
    const start = text.split('## Fields by provider')[0]
    const tables = ['## Fields by provider', ...fieldTables, '## Shipped ratios', ratioTable]
    writeFileSync(page, `${start}${tables.join('\n\n')}\n`)
  }
  const written = readFileSync(page, 'utf8')
  expect([...fieldTables, ratioTable].filter(each => !written.includes(each))).toEqual([])
})
