import type { OperationsAttention } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { api, isRoot, useUser } from '../../api'
import { formatCount, formatTime, useAction, useT } from '../../ui'
import { errorsLink } from './links.ts'

type Props = NonNullable<OperationsAttention['new_rules']>

/** Says what customers notice since the upgrade, and which calls each rule refused. A super administrator ends it. */
export const NewRules = ({ since, rules }: Props) => {
  const t = useT()
  const user = useUser()
  const read = useAction('operations', api.operations.readRules)
  const [isOpen, setOpen] = useState(false)
  return (
    <Box component="li" sx={{ py: 1.25 }}>
      <Typography sx={{ fontWeight: 500 }}>
        {t('operations.newRules.title', { time: formatTime(since) })}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {t('operations.newRules.intro')}
      </Typography>
      <Box
        component="ul"
        sx={{ pl: 2.5, my: 1, '& > li': { mb: 0.75 } }}
        hidden={!isOpen}
        id="new-rules"
      >
        {rules.map(({ rule, code, refused }) => (
          <Typography component="li" variant="body2" key={rule}>
            {t(`operations.newRules.rules.${rule}`)}{' '}
            {refused > 0 && (
              <Link component={RouterLink} to={errorsLink(since, { code })}>
                {t('operations.newRules.refused', { count: formatCount(refused) })}
              </Link>
            )}
          </Typography>
        ))}
      </Box>
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        aria-expanded={isOpen}
        aria-controls="new-rules"
        onClick={() => setOpen(!isOpen)}
        sx={{ mt: 1, mr: 1 }}
      >
        {t(`operations.newRules.${isOpen ? 'hide' : 'show'}`, { count: rules.length })}
      </Button>
      {isOpen && isRoot(user) && (
        <Button
          size="small"
          variant="outlined"
          sx={{ mt: 1 }}
          loading={read.isPending}
          onClick={() => void read({})}
        >
          {t('operations.newRules.read')}
        </Button>
      )}
    </Box>
  )
}
