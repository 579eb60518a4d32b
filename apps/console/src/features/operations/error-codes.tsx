import CheckIcon from 'virtual:icons/check-circle'
import type { OperationsAttention } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router'
import { Card, Count, EmptyState, mono, useT } from '../../ui'
import { errorsLink } from './links.ts'
import { ScrollArea } from './skeleton.tsx'

/** A link opens the log page with the rows of the code. */
export const ErrorCodes = ({ attention }: { attention: OperationsAttention }) => {
  const t = useT()
  const { errors, errors_since } = attention
  const title = t('operations.errors.title')
  return (
    <Card title={title} intro={t('operations.errors.intro')}>
      {errors.length === 0 ? (
        <EmptyState
          icon={<CheckIcon color="success" />}
          title={t('operations.errors.none')}
          text={t('operations.errors.noneText')}
        />
      ) : (
        <ScrollArea label={title}>
          {errors.map(({ code, count }) => (
            <Box
              component="li"
              key={code}
              sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, py: 1 }}
            >
              <Link
                component={RouterLink}
                to={errorsLink(errors_since, { code })}
                sx={{ fontFamily: mono, fontSize: 13, minWidth: 0, overflowWrap: 'anywhere' }}
              >
                {code}
              </Link>
              <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
                <Count value={count} />
              </Typography>
            </Box>
          ))}
        </ScrollArea>
      )}
    </Card>
  )
}
