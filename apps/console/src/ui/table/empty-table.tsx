import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { useOptionalT, useT } from '../../locales/use-t.ts'
import { EmptyState } from '../feedback/states.tsx'

type Props = {
  resource: string
  empty?: { title?: string; text?: string; action?: ReactNode } | undefined
  isFiltered: boolean
  clearFilters: () => void
  /** Set on a later page, which says nothing about the other pages. */
  toFirstPage: (() => void) | undefined
}

/** Stands in for a table without rows: a page behind the end, no match for the filters, or nothing created yet. */
export const EmptyTable = ({ resource, empty, isFiltered, clearFilters, toFirstPage }: Props) => {
  const t = useT()
  const optional = useOptionalT()
  if (toFirstPage)
    return (
      <EmptyState
        title={t('common.pageMissing')}
        text={t('common.pageMissingText')}
        action={<LinkButton label={t('common.pages.first')} onClick={toFirstPage} />}
      />
    )
  if (isFiltered)
    return (
      <EmptyState
        title={t('common.noMatch')}
        text={t('common.noMatchText')}
        action={<LinkButton label={t('common.clearFilters')} onClick={clearFilters} />}
      />
    )
  return (
    <EmptyState
      title={empty?.title ?? optional(`${resource}.empty.title`) ?? t('common.nothingYet')}
      text={empty?.text ?? optional(`${resource}.empty.text`)}
      // On a phone the page shows its primary action at the bottom already.
      action={
        empty?.action && <Box sx={{ display: { xs: 'none', sm: 'block' } }}>{empty.action}</Box>
      }
    />
  )
}

const LinkButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Box
    component="button"
    onClick={onClick}
    sx={{
      border: 0,
      bgcolor: 'transparent',
      color: 'primary.main',
      font: 'inherit',
      cursor: 'pointer',
    }}
  >
    {label}
  </Box>
)
