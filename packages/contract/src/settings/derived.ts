import { z } from 'zod'
import { moneyNumber } from '../money-bounds.ts'
import { extraRatioKeys } from '../usage-classes.ts'
import { json } from './fields.ts'

export const GroupRatios = z.record(z.string().min(1).max(50), moneyNumber('groupRatio'))
export const ExtraRatios = z.record(
  z.string().min(1).max(200),
  z.partialRecord(z.enum(extraRatioKeys), moneyNumber('extraRatio')),
)

/** A long price list must not keep the form from saving something else. */
const lengthMax = 10_000_000

/** Options of One Hub that are no settings here: they are read from groups and prices, and written to them. */
export const derivedSettings = {
  ratios: z.object({
    GroupRatio: json(GroupRatios, 'must be a JSON object of groups and ratios', lengthMax).default(
      '{}',
    ),
    ExtraTokenPriceJson: json(
      ExtraRatios,
      'must be a JSON object of models and their extra ratios',
      lengthMax,
    ).default('{}'),
  }),
}
export type DerivedSettingKey = keyof typeof derivedSettings.ratios.shape
