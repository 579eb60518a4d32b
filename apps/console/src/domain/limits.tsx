import { type LimitFields, limitNames } from '@hub/contract'
import Box from '@mui/material/Box'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import type { FieldOverride, Values } from '../ui/form/types.ts'
import { formatCount } from '../ui/values/format.ts'
import { PointsInput } from './points-input.tsx'
import { formatQuota } from './quota.ts'

const isMoney = (name: string) => name.startsWith('quota')

/** Form fields for the limits of a group or a token. The first field explains what they apply to. */
export const useLimitOverrides = (
  helpKey: 'ofGroup' | 'ofToken',
): Record<keyof LimitFields, FieldOverride> => {
  const t = useT()
  const helpOf = (name: string) =>
    t(name === limitNames[0] ? `common.limits.${helpKey}` : `common.limits.help.${name}`)
  const overrides = limitNames.map((name): [string, FieldOverride] => [
    name,
    {
      ...(isMoney(name) ? { control: PointsInput } : { as: 'number' as const }),
      label: t(`common.limits.fields.${name}`),
      help: helpOf(name),
      placeholder: t('common.limits.none'),
    },
  ])
  return Object.fromEntries(overrides) as Record<keyof LimitFields, FieldOverride>
}

/** Sends empty limits as null. A limit that is left out of a patch keeps its value. */
export const nullEmptyLimits = <V extends Values>(values: V): V => ({
  ...values,
  ...Object.fromEntries(limitNames.map(name => [name, values[name] ?? null])),
})

/** Formats limits as a short text: `1,000/day · 5 at once`. */
export const useLimitsText = () => {
  const t = useT()
  const site = useSite()
  return (limits: Partial<LimitFields> & { requests_per_minute?: number | null }): string =>
    (['requests_per_minute', ...limitNames] as const)
      .flatMap(name => {
        const value = limits[name]
        if (value === null || value === undefined) return []
        const shown = isMoney(name) ? formatQuota(value, site) : formatCount(value)
        return [t(`common.limits.short.${name}`, { value: shown })]
      })
      .join(' · ')
}

/** Shows limits in a list. No limit is written out, because a dash would read as unknown. */
export const LimitsText = (props: Parameters<ReturnType<typeof useLimitsText>>[0]) => {
  const t = useT()
  const text = useLimitsText()(props)
  return text ? (
    <span>{text}</span>
  ) : (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('common.limits.none')}
    </Box>
  )
}
