import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import type { Owner, Price } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/index.ts'
import { ModelMark, type PriceView } from '../../domain/index.ts'
import {
  ActionItem,
  Card,
  ConfirmItem,
  EmptyState,
  RowMenu,
  useAction,
  useT,
} from '../../ui/index.ts'
import { Amount, Extras, Locked, OwnerName, TypeBadge } from './columns.tsx'
import { groupBySamePrice, type SamePriceGroup } from './same-price.ts'

const initialGroups = 30
const initialNames = 24

type Props = {
  prices: readonly Price[]
  owners: readonly Owner[]
  view: PriceView
  edit: (group: SamePriceGroup) => void
  create: ReactNode
}

/** Lists models with the same price in one row, so that they can be changed together. */
export const MultiplePrices = ({ prices, owners, view, edit, create }: Props) => {
  const t = useT()
  const [shown, setShown] = useState(initialGroups)
  const groups = groupBySamePrice(prices)
  const ownersById = new Map(owners.map(owner => [owner.id, owner]))
  if (groups.length === 0)
    return (
      <EmptyState title={t('prices.empty.title')} text={t('prices.empty.text')} action={create} />
    )
  return (
    <Stack spacing={1.5} component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {groups.slice(0, shown).map(group => (
        <li key={group.models[0]}>
          <PriceGroupCard {...{ group, view }} owners={ownersById} edit={() => edit(group)} />
        </li>
      ))}
      {groups.length > shown && (
        <li>
          <Button color="inherit" onClick={() => setShown(groups.length)}>
            {t('prices.showAll', { count: groups.length })}
          </Button>
        </li>
      )}
    </Stack>
  )
}

type PriceGroupCardProps = {
  group: SamePriceGroup
  view: PriceView
  owners: ReadonlyMap<number, Owner>
  edit: () => void
}

const PriceGroupCard = ({ group: { price, models }, view, owners, edit }: PriceGroupCardProps) => {
  const t = useT()
  return (
    <Card>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Box
          sx={{
            flex: 1,
            minWidth: 0,
            display: 'grid',
            gap: { xs: 1.5, md: 2 },
            gridTemplateColumns: { xs: '1fr', md: '220px 1fr' },
          }}
        >
          <Stack spacing={0.75}>
            <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
              <TypeBadge type={price.type} />
              <span>
                <OwnerName id={price.channel_type} owners={owners} />
              </span>
              {price.locked && <Locked />}
            </Stack>
            <Side label={t(price.type === 'times' ? 'prices.fields.price' : 'prices.fields.input')}>
              <Amount price={price} side="input" view={view} />
            </Side>
            {price.type === 'tokens' && (
              <Side label={t('prices.fields.output')}>
                <Amount price={price} side="output" view={view} />
              </Side>
            )}
          </Stack>
          <Box sx={{ minWidth: 0 }}>
            <Names models={models} />
            {(price.extra_ratios ?? price.tiers ?? price.tool_prices) && (
              <Extras price={price} view={view} />
            )}
          </Box>
        </Box>
        <Actions models={models} edit={edit} />
      </Stack>
    </Card>
  )
}

const Side = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box sx={{ display: 'flex', gap: 1, fontSize: 14 }}>
    <Box component="span" sx={{ color: 'text.secondary', minWidth: 48 }}>
      {label}
    </Box>
    {children}
  </Box>
)

const Names = ({ models }: { models: string[] }) => {
  const t = useT()
  const [all, setAll] = useState(false)
  const shown = all ? models : models.slice(0, initialNames)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      {shown.map(model => (
        <Chip
          key={model}
          size="small"
          variant="outlined"
          icon={<ModelMark name={model} size={14} />}
          label={model}
          sx={{ maxWidth: '100%' }}
        />
      ))}
      {shown.length < models.length && (
        <Button size="small" onClick={() => setAll(true)} sx={{ minHeight: 24, py: 0 }}>
          {t('prices.showAll', { count: models.length })}
        </Button>
      )}
    </Box>
  )
}

const Actions = ({ models, edit }: { models: string[]; edit: () => void }) => {
  const t = useT()
  const remove = useAction(['prices', 'models'], api.prices.removeMultiple, {
    successKey: 'prices.bulk.removed',
  })
  return (
    <RowMenu label={models[0] ?? ''}>
      <ActionItem icon={<EditIcon />} onClick={edit}>
        {t('common.edit')}
      </ActionItem>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('prices.bulk.removeTitle', { count: models.length })}
        text={t('prices.bulk.removeText')}
        onConfirm={() => remove({ models })}
      >
        {t('common.delete')}
      </ConfirmItem>
    </RowMenu>
  )
}
