import LockIcon from 'virtual:icons/lock'
import { useT } from '../../locales/use-t.ts'
import { Page } from '../page.tsx'
import { EmptyState } from './states.tsx'

/** Replaces a page that only a super administrator may open. */
export const RootNeeded = () => {
  const t = useT()
  return (
    <Page title={t('common.rootNeeded.title')}>
      <EmptyState
        icon={<LockIcon />}
        title={t('common.rootNeeded.role')}
        text={t('common.rootNeeded.text')}
      />
    </Page>
  )
}
