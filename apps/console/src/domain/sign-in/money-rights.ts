import type { MoneyRight } from '@hub/contract'
import { useSession } from '../../api/index.ts'
import { useT } from '../../locales/use-t.ts'

/** The reason why the user may not do this write of money; undefined if it is allowed. */
export const useRightRefusal = (right: MoneyRight): string | undefined => {
  const t = useT()
  const user = useSession()
  const rights = user?.money_rights
  return !rights || rights.includes(right) ? undefined : t('common.rightNeeded')
}
