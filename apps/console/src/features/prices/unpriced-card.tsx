import type { Price } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../api/index.ts'
import { ModelMark } from '../../domain/index.ts'
import { useT } from '../../ui/index.ts'
import { unpriced } from './unpriced.ts'

const initialModels = 20

/** Models that channels offer but that cannot be called, because they have no price; a click creates one. */
export const UnpricedCard = ({
  prices,
  create,
}: {
  prices: readonly Price[] | undefined
  create: (model: string) => void
}) => {
  const t = useT()
  const [all, setAll] = useState(false)
  const { data: inUse } = useQuery(query(api.prices.models))
  if (!prices || !inUse) return null
  const unpricedModels = unpriced(inUse, prices)
  if (unpricedModels.length === 0) return null
  const shown = all ? unpricedModels : unpricedModels.slice(0, initialModels)
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2, alignItems: 'flex-start' }}>
      <Typography variant="body2" sx={{ mb: 1 }}>
        {t('prices.unpriced', { count: unpricedModels.length })}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
        {shown.map(model => (
          <Chip
            key={model}
            size="small"
            variant="outlined"
            icon={<ModelMark name={model} size={14} />}
            label={model}
            aria-label={t('prices.createFor', { model })}
            onClick={() => create(model)}
          />
        ))}
        {shown.length < unpricedModels.length && (
          <Button size="small" onClick={() => setAll(true)} sx={{ minHeight: 24, py: 0 }}>
            {t('prices.showAll', { count: unpricedModels.length })}
          </Button>
        )}
      </Box>
    </Alert>
  )
}
