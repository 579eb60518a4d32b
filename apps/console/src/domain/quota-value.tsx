import Tooltip from '@mui/material/Tooltip'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import { Amount } from '../ui/values/amount.tsx'
import { formatCount } from '../ui/values/format.ts'
import { formatCharge, formatQuota } from './quota.ts'

/** Shows points as money, with the exact amount and the points in a tooltip. `exact` is for charges: small amounts keep their digits. */
export const Quota = ({ value, exact = false }: { value: number; exact?: boolean }) => {
  const site = useSite()
  const t = useT()
  const text = exact ? formatCharge(value, site) : formatQuota(value, site)
  const points = t('common.points', { count: value, value: formatCount(value) })
  const title =
    exact || !site.display_in_currency ? points : `${formatCharge(value, site)} · ${points}`
  return (
    <Tooltip title={title}>
      <span>
        <Amount text={text} />
      </span>
    </Tooltip>
  )
}
