import { type Group, type Price, sideOfUsageKey, type UsageKey } from '@hub/contract'
import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'
import {
  CallPrice,
  isSecond,
  ModelName,
  multiplyRatio,
  PriceAmount,
  type PriceView,
  secondPrices,
  toolName,
} from '../../domain/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { CopyButton, DialogCloseButton, formatCount, useT } from '../../ui/index.ts'
import { DescriptionDetails } from './description.tsx'
import { groupPrice, type ModelRow } from './rows.ts'

type Props = {
  row: ModelRow
  groups: Record<string, Group>
  /** The group whose prices the list shows. */
  selected: Group | undefined
  view: PriceView
  onClose: () => void
}

/** All prices of a model: by group, by token type, for long prompts and for tools. */
export const DetailDialog = ({ row, groups, selected, view, onClose }: Props) => {
  const t = useT()
  const id = useId()
  const { price } = row
  const usable = Object.values(groups).filter(each => row.groups.includes(each.symbol))
  const group = usable.find(each => each.symbol === selected?.symbol) ?? usable[0]
  const groupLabel = group ? `${group.name} × ${group.ratio}` : ''
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ pr: 7, overflowWrap: 'anywhere' }}>
        <ModelName name={row.model} /> <CopyButton text={row.model} what={t('models.id')} />
      </DialogTitle>
      <DialogCloseButton onClick={onClose} />
      <DialogContent sx={{ pt: 0 }}>
        <Stack spacing={2.5}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {row.description && row.description.name !== row.model && `${row.description.name} · `}
            {row.price_min ? t('models.byServing') : row.owned_by || '–'} ·{' '}
            {t(`prices.options.type.${price.type}`)}
          </Typography>
          {row.description && (
            <Part title={t('model-details.about')}>
              <DescriptionDetails description={row.description} />
            </Part>
          )}
          <Part title={t('models.groups')}>
            <Groups {...{ price, view }} groups={usable} />
          </Part>
          {price.tiers && (
            <Part title={t('models.tiers')} groupLabel={groupLabel}>
              <Tiers tiers={price.tiers} group={group} view={view} />
            </Part>
          )}
          {price.extra_ratios && (
            <Part title={t('models.extras')} groupLabel={groupLabel}>
              <Extras {...{ price, view, group }} />
            </Part>
          )}
          {price.tool_prices && (
            <Part title={t('models.tools')} groupLabel={groupLabel}>
              {Object.entries(price.tool_prices).map(([kind, usd]) => (
                <Line key={kind} label={toolName(t, kind)}>
                  {t(isSecond(kind) ? 'prices.perSecond' : 'models.usdCall', {
                    usd: multiplyRatio(usd, group?.ratio ?? 1),
                  })}
                </Line>
              ))}
            </Part>
          )}
        </Stack>
      </DialogContent>
    </Dialog>
  )
}

type PartProps = { title: string; groupLabel?: string; children: ReactNode }

const Part = ({ title, groupLabel, children }: PartProps) => (
  <Box component="section">
    <Typography variant="h3" sx={{ mb: 1 }}>
      {title}
      {groupLabel && (
        <Box
          component="span"
          sx={{ color: 'text.secondary', fontWeight: 400, fontSize: 13, ml: 1 }}
        >
          {groupLabel}
        </Box>
      )}
    </Typography>
    {children}
  </Box>
)

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, py: 0.5, fontSize: 14 }}>
    <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {label}
    </Box>
    <span>{children}</span>
  </Box>
)

const Groups = ({ price, groups, view }: { price: Price; groups: Group[]; view: PriceView }) => {
  const t = useT()
  const byCall = price.type === 'times'
  const callLabel = secondPrices(price).length > 0 ? 'models.perSecond' : 'models.perCall'
  return (
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell>{t('models.group')}</TableCell>
          <TableCell align="right">{t(byCall ? callLabel : 'models.input')}</TableCell>
          {!byCall && <TableCell align="right">{t('models.output')}</TableCell>}
        </TableRow>
      </TableHead>
      <TableBody>
        {groups.map(group => (
          <TableRow key={group.symbol}>
            <TableCell>
              {t(group.ratio === 0 ? 'models.groupFree' : 'models.groupOf', {
                name: group.name,
                ratio: group.ratio,
              })}
            </TableCell>
            <TableCell align="right">
              {byCall ? (
                <CallPrice price={price} groupRatio={group.ratio} view={view} />
              ) : (
                <PriceAmount ratio={groupPrice(price.input, group)} byCall={false} view={view} />
              )}
            </TableCell>
            {!byCall && (
              <TableCell align="right">
                <PriceAmount ratio={groupPrice(price.output, group)} byCall={false} view={view} />
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

type GroupPriceProps = { group: Group | undefined; view: PriceView }

const Tiers = ({
  tiers,
  group,
  view,
}: GroupPriceProps & { tiers: NonNullable<Price['tiers']> }) => {
  const t = useT()
  return tiers.map(({ above, input, output }) => (
    <Line key={above} label={t('models.above', { above: formatCount(above) })}>
      <PriceAmount ratio={groupPrice(input, group)} byCall={false} view={view} />
      {' · '}
      <PriceAmount ratio={groupPrice(output, group)} byCall={false} view={view} />
    </Line>
  ))
}

const Extras = ({ price, group, view }: GroupPriceProps & { price: Price }) => {
  const t = useT()
  return Object.entries(price.extra_ratios ?? {}).map(([key, ratio]) => (
    <Line key={key} label={t(`usage.keys.${key}`)}>
      {key in sideOfUsageKey && (
        <PriceAmount
          ratio={multiplyRatio(
            groupPrice(
              sideOfUsageKey[key as UsageKey] === 'output' ? price.output : price.input,
              group,
            ),
            ratio,
          )}
          byCall={false}
          view={view}
        />
      )}
      <Box component="span" sx={{ color: 'text.secondary', ml: 1 }}>
        × {ratio}
      </Box>
    </Line>
  ))
}
