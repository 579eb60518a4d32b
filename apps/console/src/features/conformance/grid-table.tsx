import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { visuallyHidden } from '@mui/utils'
import { memo } from 'react'
import { useT } from '../../ui/index.ts'
import {
  callerName,
  type FeatureRow,
  type FeatureSection,
  type FormatPair,
  nameOf,
  stateOf,
} from './grid.ts'
import { StateIcon } from './state.tsx'
import type { GridView } from './use-grid-view.ts'

type Props = {
  sections: FeatureSection[]
  view: GridView
  open: (feature: string, cell: string) => void
}

/**
 * One row per feature, one column per caller and upstream. The feature name is the accessible button; a click on a cell
 * opens the same details at that cell.
 */
export const GridTable = ({ sections, view: { callers, upstreams, pairs }, open }: Props) => {
  const t = useT()
  const openFromEvent = ({ target }: { target: EventTarget }) => {
    if (!(target instanceof Element)) return
    const feature = target.closest('tr')?.dataset.feature
    if (feature) open(feature, target.closest('td')?.dataset.cell ?? '')
  }
  return (
    <Box component="table" sx={table} onClick={openFromEvent}>
      <caption style={visuallyHidden as object}>{t('conformance.title')}</caption>
      <thead>
        <tr>
          <td className="corner">{t('conformance.caller')}</td>
          {callers.map(({ id, client, dialect }) => (
            <th key={id} scope="colgroup" colSpan={upstreams.length} className="caller first">
              {callerName({ id, dialect })}
              <small title={client}>{client}</small>
            </th>
          ))}
        </tr>
        <tr>
          <th scope="col" className="corner">
            <span>{t('conformance.feature')}</span>
            <span aria-hidden>{t('conformance.upstream')}</span>
          </th>
          {pairs.map(({ key, upstream, isFirst }) => (
            <th key={key} scope="col" className={isFirst ? 'upstream first' : 'upstream'}>
              <span>{nameOf(upstream)}</span>
            </th>
          ))}
        </tr>
      </thead>
      {sections.map(({ label, rows }) => (
        <tbody key={label}>
          <tr className="group">
            <th scope="rowgroup" colSpan={pairs.length + 1}>
              {label}
            </th>
          </tr>
          {rows.map(row => (
            <FeatureTableRow key={row.name} {...{ row, pairs }} />
          ))}
        </tbody>
      ))}
    </Box>
  )
}

/** Memoised, because the table has about a thousand cells and every search keystroke renders it. */
const FeatureTableRow = memo(({ row, pairs }: { row: FeatureRow; pairs: FormatPair[] }) => (
  <tr className="feature" data-feature={row.name}>
    <th scope="row">
      <ButtonBase aria-haspopup="dialog">{row.label}</ButtonBase>
    </th>
    {pairs.map(pair => (
      <StateCell key={pair.key} {...{ row, pair }} />
    ))}
  </tr>
))

const StateCell = ({
  row,
  pair: { key, caller, upstream, isFirst },
}: {
  row: FeatureRow
  pair: FormatPair
}) => {
  const t = useT()
  const cell = row.cells[key]
  const state = cell && stateOf(cell)
  const label = t(state ? `conformance.states.${state}` : 'conformance.notTested')
  const between = { caller: callerName(caller), upstream: nameOf(upstream) }
  return (
    <td
      className={isFirst ? 'first' : ''}
      data-cell={state && key}
      title={`${t('conformance.pair', between)}: ${label}`}
    >
      {state && <StateIcon state={state} />}
      <span style={visuallyHidden as object}>{label}</span>
    </td>
  )
}

const borderLine = '1px solid var(--mui-palette-divider)'
/** The head sticks below the page header, which is 64 px high. */
const table = {
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: 13,
  '& th, & td': { fontWeight: 400, textAlign: 'left', p: 0, borderBottom: borderLine },
  '& .first': { borderLeft: borderLine },
  '& thead': { position: 'sticky', top: 64, zIndex: 1 },
  '& thead th, & thead td': { bgcolor: 'background.paper', color: 'text.secondary', fontSize: 12 },
  '& thead .corner': { width: 'auto', px: 2, verticalAlign: 'bottom', pb: 1 },
  '& thead td.corner': { textAlign: 'right', verticalAlign: 'middle', pb: 0, borderBottom: 0 },
  '& th.corner span + span': { float: 'right' },
  '& .caller': {
    width: 'calc(4 * clamp(38px, 3.2vw, 48px))',
    px: 1,
    py: 1,
    textAlign: 'center',
    fontWeight: 600,
    color: 'text.primary',
    borderBottom: 0,
  },
  '& .caller small': {
    display: 'block',
    fontSize: 12,
    fontWeight: 400,
    color: 'text.secondary',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '& .upstream': { height: 124, verticalAlign: 'bottom', pb: 1 },
  '& .upstream span': {
    display: 'block',
    mx: 'auto',
    width: '1.5em',
    lineHeight: '1.5em',
    writingMode: 'vertical-rl',
    rotate: '180deg',
    whiteSpace: 'nowrap',
  },
  '& .group th': { px: 2, pt: 2, pb: 0.75, fontSize: 12, fontWeight: 600, color: 'text.secondary' },
  '& .feature': { height: 40, cursor: 'pointer' },
  '& .feature:hover': { bgcolor: 'action.hover' },
  '& .feature th': { px: 2, py: 0.75 },
  '& .feature button': { font: 'inherit', textAlign: 'left', borderRadius: 0.5 },
  '& .feature td svg': { mx: 'auto' },
  '& .feature td:hover': { bgcolor: 'action.selected' },
  '& tbody:last-of-type tr:last-of-type > *': { borderBottom: 0 },
} as const
