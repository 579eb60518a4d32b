import type { AvailableModel, Group, Owner } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api, query } from '../../api'
import { ModelMark, multiplyRatio, PriceAmount, ProviderMark } from '../../domain'
import { useT } from '../../ui'
import { selectModels } from './select-models.ts'

const view = { unit: 'usd', scale: 'm' } as const

/** Some models of every maker with their prices, where the operator shows prices to visitors. */
export const HomePrices = ({ placeholder }: { placeholder: ReactNode }) => {
  const t = useT()
  const models = useQuery({ ...query(api.models.available), retry: false })
  const groups = useQuery(query(api.groups.map))
  const owners = useQuery(query(api.owners.map))
  const shown = selectModels(models.data ?? {})
  if (models.isPending) return placeholder
  if (shown.length === 0) return null
  const count = Object.keys(models.data ?? {}).length
  const makers = new Set(Object.values(models.data ?? {}).map(each => each.owned_by)).size
  return (
    <Box component="section" aria-labelledby="home-prices" sx={{ mt: { xs: 6, md: 9 } }}>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', alignItems: 'end', flexWrap: 'wrap', gap: 1, mb: 2 }}
      >
        <Box>
          <Typography id="home-prices" variant="h2">
            {t('status.prices.title')}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
            {t('status.prices.text', { count, makers })}
          </Typography>
        </Box>
        <Button component={Link} to="/price" color="inherit">
          {t('status.prices.all')}
        </Button>
      </Stack>
      <Box
        component="ul"
        sx={{
          ...{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 1.5 },
          gridTemplateColumns: {
            ...{ sm: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
          },
        }}
      >
        {shown.map(({ name, ...model }) => (
          <PriceCard
            key={name}
            name={name}
            model={model}
            owner={owners.data?.[model.price.channel_type]}
            group={groups.data?.default ?? groups.data?.[model.groups[0] ?? '']}
          />
        ))}
      </Box>
    </Box>
  )
}

type PriceCardProps = {
  name: string
  model: AvailableModel
  owner: Owner | undefined
  group: Group | undefined
}

const PriceCard = ({ name, model: { price, owned_by }, owner, group }: PriceCardProps) => {
  const t = useT()
  const byCall = price.type === 'times'
  const amounts = byCall
    ? [{ label: t('status.prices.call'), ratio: price.input }]
    : [
        { label: t('status.prices.input'), ratio: price.input },
        { label: t('status.prices.output'), ratio: price.output },
      ]
  return (
    <Box
      component="li"
      sx={{
        ...{ p: 2, border: '1px solid', borderColor: 'divider', borderRadius: '12px' },
        ...{ bgcolor: 'background.paper', minWidth: 0 },
      }}
    >
      <Stack direction="row" spacing={1.25} sx={{ alignItems: 'center' }}>
        {owner?.icon ? (
          <ProviderMark type={owner.id} name={owner.name} icon={owner.icon} size={24} />
        ) : (
          <ModelMark name={name} size={24} />
        )}
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {owned_by}
          </Typography>
        </Box>
      </Stack>
      <Box component="dl" sx={{ m: 0, mt: 1.5, fontSize: 13, display: 'grid', gap: 0.5 }}>
        {amounts.map(({ label, ratio }) => (
          <Box key={label} sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Box>
            <Box component="dd" sx={{ m: 0 }}>
              <PriceAmount ratio={multiplyRatio(ratio, group?.ratio ?? 1)} {...{ byCall, view }} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  )
}
