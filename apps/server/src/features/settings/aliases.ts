import {
  type DerivedSettingKey,
  derivedSettings,
  ExtraRatios,
  Fault,
  GroupRatios,
} from '@hub/contract'
import { z } from 'zod'
import { priceCache } from '../../billing/price-cache.ts'
import { writePrices } from '../../billing/prices/write-prices.ts'
import { requireLowRatios } from '../../core/accounts/low-ratios.ts'
import type { App } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as groups from '../../db/queries/groups.ts'
import * as prices from '../../db/queries/prices.ts'
import { formatNumber } from '../../lib/decimal.ts'

export const isAlias = (key: string): key is DerivedSettingKey =>
  Object.hasOwn(derivedSettings.ratios.shape, key)

/** The groups and prices as the texts of One Hub's options. */
export const readAliases = async (
  app: App,
): Promise<{ key: DerivedSettingKey; value: string }[]> => {
  const ratios = (await groups.listRatios(app.db)).map(each => [each.symbol, Number(each.ratio)])
  const extras = (await prices.listAll(app.db))
    .map(prices.asPrice)
    .filter(({ extra_ratios }) => Object.keys(extra_ratios ?? {}).length > 0)
    .map(({ model, extra_ratios }) => [model, extra_ratios])
  const asText = (entries: unknown[][]) => JSON.stringify(Object.fromEntries(entries), null, 2)
  return [
    { key: 'GroupRatio', value: asText(ratios) },
    { key: 'ExtraTokenPriceJson', value: asText(extras) },
  ]
}

export const writeAlias = async (
  app: App,
  caller: SignedInUser,
  { key, value }: { key: DerivedSettingKey; value: string },
) => {
  if (key === 'GroupRatio') await writeGroupRatios(app, caller, read(key, GroupRatios, value))
  else await writeExtraRatios(app, caller, read(key, ExtraRatios, value))
  await priceCache(app).load()
}

const read = <S extends z.ZodType>(key: string, schema: S, text: string): z.output<S> => {
  const result = z
    .string()
    .transform((value, issues) => {
      try {
        return JSON.parse(value) as unknown
      } catch {
        issues.addIssue('must be JSON')
        return z.NEVER
      }
    })
    .pipe(schema)
    .safeParse(text)
  if (result.success) return result.data as z.output<S>
  throw new Fault('setting.invalid', { hint: `\`${key}\`: ${result.error.issues[0]?.message}.` })
}

const writeGroupRatios = (app: App, caller: SignedInUser, ratios: Record<string, number>) =>
  app.db.transaction().execute(async tx => {
    const before = await groups.listAll(tx)
    for (const [symbol, number] of Object.entries(ratios)) {
      const ratio = formatNumber(number)
      const group = await groups.findBySymbol(tx, symbol)
      if (group) await groups.update(tx, group.id, { ratio })
      else
        await groups.insert(tx, {
          symbol,
          name: symbol,
          ratio,
          api_rate: 600,
          public: 0,
          enable: 1,
        })
    }
    requireLowRatios(app, caller, before, await groups.listAll(tx))
    await app.changes.notify(tx, 'groups')
  })

type ExtraRatiosByModel = Record<string, Partial<Record<string, number>>>

const writeExtraRatios = (app: App, caller: SignedInUser, extras: ExtraRatiosByModel) =>
  writePrices(app, caller, async tx => {
    for (const [model, ratios] of Object.entries(extras)) {
      const price = await prices.find(tx, model)
      if (!price) throw new Fault('price.unknown', { hint: `Model: ${model.slice(0, 200)}.` })
      const texts = Object.entries(ratios).map(([key, ratio]) => [key, formatNumber(ratio ?? 1)])
      const extra_ratios = JSON.stringify(Object.fromEntries(texts))
      await prices.update(tx, model, { ...price, extra_ratios })
    }
  })
