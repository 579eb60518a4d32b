import Tooltip from '@mui/material/Tooltip'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import { formatCount } from '../ui/values/numbers.ts'
import { formatCharge, formatQuota } from './quota.ts'

/** Shows points as money, with the points in a tooltip. `exact` is for charges: small amounts keep their digits. */
export const Quota = ({ value, exact = false }: { value: number; exact?: boolean }) => {
  const site = useSite()
  const t = useT()
  const text = exact ? formatCharge(value, site) : formatQuota(value, site)
  return (
    <Tooltip title={t('common.points', { count: value, value: formatCount(value) })}>
      <span>{text}</span>
    </Tooltip>
  )
}
